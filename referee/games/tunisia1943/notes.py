"""What a position remembers about earlier actions: each kind of note, and the values of some of them."""

from __future__ import annotations

from attrs import frozen

from referee.engine import moves
from referee.engine.clock import Date
from referee.engine.position import Battle, Note


@frozen
class Trail(moves.Trail):
    """What a piece has moved in this step; ``stopped``: it has entered an EZOC.

    ``since``: the pieces that have been moved since.
    """

    since: tuple[str, ...] = ()

    def followed_by(self, piece: str) -> Trail:
        """Return the same trail, after which one more piece has been moved."""
        return Trail(self.start, self.spent, self.dragged, self.stopped, (*self.since, piece))


@frozen
class Breakthrough:
    """An attempt of armour to move on through an EZOC [4.3].

    ``pieces`` are the armour and its companion, ``at`` is where they had to stop, ``goal`` the named hex.
    ``waived``: they are let pass. ``total`` is the roll of the test, ``passed`` the units that passed it,
    ``stopper`` the one named to stop them.
    """

    pieces: tuple[str, ...]
    armour: str
    at: str
    goal: str
    waived: bool = False
    total: int = 0
    passed: tuple[str, ...] = ()
    stopper: str = ""

    @property
    def is_answered(self) -> bool:
        """Return whether the other side has waived or rolled its test."""
        return self.waived or self.total > 0

    @property
    def is_granted(self) -> bool:
        """Return whether the pieces may go on [4.3e, 4.3g]."""
        return self.waived or (self.total > 0 and not self.passed)

    @property
    def is_stopped(self) -> bool:
        """Return whether a unit passed the test [4.3i]."""
        return not self.waived and bool(self.passed)


@frozen
class Bound:
    """What a stopped armour unit must attack: the unit that stopped it, or on one of several [4.3j]."""

    targets: tuple[str, ...]


ACTED = Note("acted", bool, "turn")
"""A side that has moved this turn [1a]."""
ENTRY = Note("entry", int)
"""What its entry hex has cost a reinforcement, in parts of an MP [S.2]."""
TRAIL = Note("trail", Trail)
"""What a piece has moved in this step [4.1]."""
SPENT = Note("spent", int, "player turn")
"""What a piece has paid in the movement step, in parts of an MP [4.1d, 1d]."""
EXPLOITS = Note("exploits", bool, "player turn")
"""A division of which a unit or its EM has moved in exploitation [10a]."""
STILL_SUSTAINED = Note("still sustained", bool, "player turn")
"""A sustained EM that was destroyed, or whose marker was taken off: its units still exploit [10b, 6.3h]."""
BREAKTHROUGH = Note("breakthrough", Breakthrough)
"""The current breakthrough, until another piece moves [4.3]."""
BOUND = Note("bound", Bound, "player turn")
"""A unit that must attack after a breakthrough that failed [4.3j]."""
OVERRUNNING = Note("overrunning", str)
"""A hex in which EMs are to be overrun: the unit that will enter [4.2a]."""
VACATED = Note("vacated", bool)
"""A hex that overrun EMs have left: whether a unit has entered since [4.2a]."""
DISPLACED = Note("displaced", str)
"""An EM that has gone back from an overrun: from which hex [4.2b]."""
OVERRUN = Note("overrun", bool, "turn")
"""An EM that was overrun, and has no artillery for the rest of the turn [4.2c]."""
OVERFULL = Note("overfull", tuple[str, ...], "never")
"""A hex with a stack that was too high at the end of a step: its units. It goes with the stack [5.1a]."""

BATTLES = Note("battles", int, "player turn")
"""The last number of a battle."""
ATTACKED = Note("attacked", str, "player turn")
"""A unit that has made its attack: on which hex [7.1b]."""
ATTACKED_EM = Note("attacked an EM", bool, "player turn")
"""A unit whose attack was one on a lone EM [7.1d]."""
WAS_ATTACKED = Note("was attacked", bool, "player turn")
"""A unit or EM that has been attacked [7.1c]."""
DEFENDED = Note("defended", bool, "turn")
"""A unit that has been attacked this turn, which in another interpretation uses up its attack [7.1b]."""
HAS_ATTACKED = Note("attacks", bool, "player turn")
"""A side that has made an attack: its movement step has ended [1c]."""
AVIATION = Note[dict[Date, int]]("aviation", dict, "turn")
"""The points that a side has used, by player turn [11g]."""
ARTILLERY_USED = Note[dict[Date, int]]("artillery", dict, "turn")
"""The points that an EM has used, by player turn [6.2b]."""
TURNED_IN_ERROR = Note("turned in error", bool, "turn")
"""An EM that was turned face down while it had points, or shows too few [6.2d]."""
LOST_IN_ERROR = Note("lost in error", bool, "never")
"""A unit that has lost a step that nothing takes: it may be given back [0.1h]."""
TAKEN_OFF = Note[tuple[str, int]]("taken off", tuple, "never")
"""A piece that was destroyed though nothing destroys it: its hex and steps, so that it may be put back."""
REMOVED = Note[tuple[str, int]]("removed", tuple)
"""A piece that has lost steps in a battle: its hex and steps before, so that it may be put back [7.4]."""
CAME_BACK = Note("came back", bool, "never")
"""A destroyed garrison whose counter was put on the map again [G.1]."""
STRUCK = Note("struck", int, "player turn")
"""A unit that a star has struck: in which battle [7.4g]."""
UNMARKED = Note("unmarked", bool, "player turn")
"""A unit that a star has struck and that was not marked [7.4g]."""

FOUGHT = Note("fought", Battle, "player turn")
"""An attack by its number, in its last state: what it requires may be carried out late [7.4]."""

LOST_EM = Note("lost em", int, "never")
"""A destroyed EM: in which turn it was lost [6.3e]. It goes when the EM returns."""
RETURNED = Note("returned", bool, "turn")
"""An EM that has returned this turn [6.3i]."""
OUTLIVES = Note("outlives", bool)
"""An EM that had lost its division before the phase began [6.3g]."""
CHECKED = Note("checked", bool, "never")
"""A side whose supply has been checked in this game [9.3a]."""
CUT_OFF = Note("cut off", bool, "never")
"""A piece that traced no line at its last check [9.3a, 9.3c]. It goes with the next check."""
CONTROLLED = Note("Tebessa was held", bool, "never")
"""The Axis, if it has controlled Tebessa at the end of a turn [C1.12]."""
