"""What a position remembers in games by data: each kind of note, declared once."""

from __future__ import annotations

from attrs import field, frozen

from referee.engine import moves
from referee.engine.position import Note, Position


@frozen
class Trail(moves.Trail):
    """What a unit has moved in this phase, by which kind of movement, and whether it left the roads.

    ``upon`` are the friends that it has come upon, and may not pass through.
    """

    movement: str = field(kw_only=True)
    off_road: bool = field(default=False, kw_only=True)
    upon: frozenset[str] = field(default=frozenset(), kw_only=True)


TRAIL = Note("trail", Trail)
"""Of a unit: what it has moved in this phase."""

OTHER_TRAILS = Note("other trails", tuple)
"""Of a unit that was dragged: its trails in this phase by other kinds of movement, if it moved by these."""

PERHAPS_FAILED = Note("check failed by, perhaps", int)
"""Of a check, a unit and a kind of movement: by how much it failed the check if it moved that way."""

PERHAPS = Note("perhaps moved", tuple, "player turn")
"""Of a unit and the kind of movement that a drag was read as: by which others it may have moved."""

ACTIVE = Note("active", str)
"""The leader that was activated last in this phase."""

ACTIVATED = Note("activated", int, "turn")
"""Of a leader: how many times it has been activated in this turn."""

UNMARKED = Note("activated unmarked", int, "turn")
"""Of a leader: how many of these times it was not marked."""

DONE = Note("done", tuple, "player turn")
"""Of a unit: what it has done in this player turn, by the names of activities."""

ENTERED = Note("entered", str, "turn")
"""Of a unit: the hex in which it entered this turn."""

ATTACKED = Note("attacked", tuple)
"""Of a unit: the hexes that it has attacked in this phase."""

TARGETS = Note("attacked hexes", tuple)
"""Of a hex: the kinds of combat in which it has been attacked in this phase."""

HELD = Note("held", str, "never")
"""Of a place: the side whose unit entered it last."""

PERHAPS_HELD = Note("perhaps held", tuple, "never")
"""Of a place: the sides of which a unit may have passed through it since, on a drag."""

REGAINED = Note("regained", int, "turn")
"""Of a side: how many steps it has regained by replacements in this turn."""

CUT_OFF = Note("cut off since", int, "never")
"""Of a unit: the turn in which it was first found out of supply."""

STEPS_LOST = Note("steps lost", int, "never")
"""Of a side: how many steps it has lost."""

ROLLED = Note("recovery roll", bool)
"""Of a unit and a state: whether its roll to recover in this phase succeeded."""

IN_ERROR = Note("marked or not in error", bool, "never")
"""Of a state and a unit: whether it is in the state, which was set or taken off against the rules."""

FATAL = Note("fatal roll", int)
"""Of a unit: the roll to recover in this phase by which it is lost."""

HUNGRY = Note("steps lost without supply", int)
"""Of a unit: how many steps it has lost in this phase."""

CONTACT = Note("in contact", tuple)
"""Of a unit that must attack: the enemies that it was in contact with when the phase began."""

MUST_MOVE = Note("has to move", str)
"""Of a unit that has to move in this phase: where it was when the phase began."""

TO_BE_ATTACKED = Note("to be attacked", str)
"""Of an enemy that must be attacked: where it was when the phase began."""

PASSED = Note("passed by a retreat", str)
"""Of a unit: the units that have retreated through its hex in this phase."""

EXPOSED = Note("turned face up and lost", bool)
"""Of a unit that was turned face up in this phase and is therefore eliminated."""

TURNED_UP = Note("turned face up", bool)
"""Of a unit that was turned face up in this phase before its battle was declared."""

RETIRED = Note("retreated before combat", str)
"""Of a unit: the hex that it left in this phase before the dice of an attack, as it retreated or was lost."""

WORDS = Note("words judged", tuple, "never")
"""Of a word that is judged when a phase begins: the units of which it was true."""

CHECKED = Note("check made", bool)
"""Of a check and a unit: whether it passed it in this phase."""

MARGIN = Note("check failed by", int)
"""Of a check and a unit: by how much it failed it in this phase."""

RESERVE = Note("replacement points", int, "never")
"""Of a side, or a pool and a side: points that were not used, less those that were used since."""

REBUILT = Note("rebuilt", int, "never")
"""Of a side: how many of its eliminated units have come back."""

WITHDRAWN = Note("withdrawn", int, "turn")
"""Of a unit that was taken off the map: the turn."""

SPENT = Note("points spent", int, "never")
"""Of a store and a side: the points that it has spent in all."""

LAPSED = Note("points lapsed", int, "never")
"""Of points that a side keeps: how many it lost because it had more than may be kept."""

LAPSED_NOW = Note("points lapsed in this turn", int, "turn")
"""The same in this turn, also if it lost none."""

SPENT_NOW = Note("points spent in this turn", int, "turn")
"""Of a store and a side: the points that it has spent in this turn."""

SCORED = Note("points of earlier turns", int, "never")
"""Of an entry of victory points: the points scored so far at the ends of turns."""

DUE = Note("check due", int)
"""Of a check and a unit that must make it in this phase: the steps that it had when the phase began."""

ROLLED_FOR = Note("rolled for", str, "never")
"""Of an entry of the turn track, a side and a turn: what a roll has set it to."""

ROLLS_MADE = Note("rolls made", int)
"""Of a roll of rules.toml: what was rolled in this phase."""

BECOMES = Note("becomes", str)
"""Of a unit that has recovered in this phase: the state in which it is now."""

CAME_THROUGH = Note("came through", tuple)
"""Of a unit: the ground on its path in this phase that may put it into a state, as ``state name`` words."""

PERHAPS_THROUGH = Note("perhaps came through", bool)
"""Of a unit that was dragged in this phase: it may have come through any such ground."""

LAID_BY = Note("side that placed a marker", str, "never")
"""Of a marker and a hex."""

PLACERS = Note("units that may have placed a marker", tuple, "never")
"""Of a marker and a hex: of each copy of it there, the units, or none if that is not known."""

LIFTED = Note("markers lifted", tuple)
"""Of a hex: the markers that were wrongly taken off it in this phase."""

HELD_UP = Note("held up by an attack", tuple)
"""Of a unit that has attacked in a phase in which it may move: the kind of combat and the hex."""

ASKED_FOR = Note("asked for", bool)
"""Of zones and of supply: noted only while they are calculated for a word."""


def trail_of(position: Position, unit: str, movement: str) -> Trail | None:
    """Return the movement of a unit in this phase, as if by a given kind of movement if that is possible."""
    trail, others = position.note(TRAIL, unit), position.note(OTHER_TRAILS, unit) or ()
    return next((one for one in others if one.movement == movement), trail)
