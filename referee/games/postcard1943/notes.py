"""What a position remembers besides counters and current battles: each kind of note, declared once."""

from __future__ import annotations

from attrs import field, frozen

from referee.engine import moves
from referee.engine.clock import Date
from referee.engine.position import Note
from referee.engine.supply import Supply


@frozen
class Trail(moves.Trail):
    """What a unit has moved in this phase; ``stopped``: it has come next to the enemy.

    ``supply`` is its supply when it began.
    """

    supply: Supply = field(kw_only=True)


@frozen
class CalledOff:
    """What a cancelled attack leaves for another one on the same hex in the same phase.

    The air units over it, those of them that have had their air battle, the units for which bombing was
    rolled; and, if it was pressed, the units that it was made on.
    """

    bombers: tuple[str, ...] = ()
    interceptors: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    beaten: tuple[str, ...] = ()
    bombing_rolls: tuple[str, ...] = ()
    pressed_on: tuple[str, ...] = ()


ENTERED = Note("entered", str, "never")
"""Of a town that decides the game: the side that entered it last."""

ARRIVED = Note("arrived", str, "turn")
"""Of a unit: the hex on which it came in this turn."""

PUT_AWAY = Note("put away", tuple, "player turn")
"""Of a unit: the hex from which it was taken off the map though nothing had eliminated it, and the phase."""

TAKEN_OFF = Note("taken off", str, "never")
"""Of a unit: the hex in which it was eliminated though nothing eliminates it, so that it may be put back."""

TRAIL = Note("trail", Trail)
"""Of a unit: what it has moved in this phase."""

SUPPLIED = Note("supplied", bool, "player turn")
"""Of a unit: it was in supply when it moved."""

RELIEVED = Note("relieved", str)
"""Of a unit: the hex in which a friend stepped onto it and made the hex too full."""

CAME_IN_RELIEF = Note("came in relief", str, "never")
"""Of a unit: the full hex into which it stepped, so that others are to leave."""

SWAMP_ROLL_DUE = Note("swamp roll due", str, "player turn")
"""Of a unit: the swamp it entered, for which it has not rolled."""

SWAMP_AFTER_COMBAT = Note("swamp entered after combat", str, "player turn")
"""Of a unit: the swamp it entered by a retreat or an advance."""

SWAMP_ROLLED = Note("swamp rolled for", str, "player turn")
"""Of a unit: the swamp for whose entry it has rolled."""

BACK_IN_SWAMP = Note("dragged back into a swamp", str)
"""Of a unit: the swamp into which it was dragged back, so that it may have entered it again."""

STUCK_BY_ROLL = Note("stuck by a roll for no known entry", Date, "never")
"""Of a unit: when a swamp roll for an entry that was not seen got it stuck."""

LATE_ATTACKS = Note("late attacks", tuple, "player turn")
"""The attacks of the combat phase that is over that nobody has settled."""

CALLED_OFF = Note("called off", CalledOff)
"""Of a hex: what attacks on it that were called off have left for the next."""

LAST_BATTLE = Note("last battle", int, "player turn")
"""The number of the battle declared last."""

COMBAT_DICE = Note("combat dice", int, "player turn")
"""Of a side: how many combat dice it has rolled; 0 if it has declared an attack and not rolled."""

ATTACKED = Note("attacked", str)
"""Of a unit: the hex that it has attacked."""

HEX_ATTACKED = Note("hex attacked", bool)
"""Of a hex: it has been attacked."""

ATTACKERS = Note("attackers", tuple)
"""Of a unit: those that have attacked it."""

COVERED = Note("covered", str)
"""Of a German unit: the attacked hex that it covered, so that it must be attacked as well [combat.5]."""

COVERED_AGAINST = Note("covered against", tuple)
"""Of such a unit: those that attacked the hex it covered."""

BOMBS = Note("bombs", str, "player turn")
"""Of an air unit: the hex it bombs."""

INTERCEPTS = Note("intercepts", str, "player turn")
"""Of an air unit: the hex over which it intercepts."""

BEATEN_OFF = Note("beaten off", Date, "player turn")
"""Of a bomber: when it was beaten off, and out for the player turn."""

BEATEN_OFF_LASTING = Note("beaten off for longer", Date, "never")
"""Of a bomber: the same in interpretations that are not adopted, as long as they keep it out."""

HIT_BY_BOMBS = Note("hit by bombs", bool)
"""Of a unit: a bombing roll has Disrupted it, and its marker is still to come."""

DISRUPTION_DUE = Note("Disruption due", Date, "never")
"""Of a unit: when a result or a bomb Disrupted it, as long as it is not marked and has not recovered."""

DISRUPTED_BEFORE = Note("disrupted before", Date, "never")
"""Of a unit: when it was Disrupted before it was Disrupted once more."""

MARKED_IN_ERROR = Note("marked in error", bool, "never")
"""Of a unit: it was marked as Disrupted though nothing had Disrupted it, so that its marker may come off."""

FREED_IN_ERROR = Note("freed in error", Date, "never")
"""Of a unit whose marker came off before its time: when it was Disrupted, so that it may be put back."""

PULLED_OUT = Note("stuck marker off in error", Date, "never")
"""Of a unit whose Stuck marker came off before its time: when it got stuck, so that it may be put back."""
