"""What a position remembers besides pieces and battles, each kind with its type and its lifetime."""

from __future__ import annotations

from attrs import frozen

from referee.engine import moves
from referee.engine.clock import Date
from referee.engine.position import Mark, Note


@frozen
class Trail(moves.Trail):
    """What a counter has moved in this phase; ``stopped``: it has entered an EZOC.

    ``order`` is the number of the last counter that moved, counted in the phase. ``entered``: it has come on
    the map and not moved on yet. ``arrived`` is how it came on the map in this phase, if it did.
    """

    order: int = 0
    entered: bool = False
    arrived: Trail | None = None


TRAIL = Note("trail", Trail)
"""Of a counter: what it has moved in this phase."""
RUN = Note("run", tuple)
"""Of a counter: the hexes of its moves in this phase."""
MOVES = Note("moves", int)
"""How many moves were made in this phase; about nothing."""
MOVED = Note("moved", int, "never")
"""Of a counter: the last turn in which it moved, fled or entered."""
MOVED_FIRST = Note("moved first", int, "player turn")
"""Of a general: the cost of his ride in the phase of the leaders [2g, 4.2b]."""
CAME_BACK = Note("came back", bool, "turn")
"""Of a counter: it was dragged out and back; in a log perhaps before the turn track was advanced."""
CAME_FROM = Note("came from", str, "never")
"""Of a counter: the hex before the last one that it moved to; empty if it is not known [7.5g]."""
WATCHED = Note("watched", int, "never")
"""Of a side: the last turn whose movement was seen [4.1d]."""
STOOD = Note("stood", bool, "player turn")
"""Of a counter: whether it did not move in the last player turn of its side [4.1d]."""
PLAYED_ON = Note("played on", bool, "never")
"""A turn after the last was played, and that has been reported; about nothing [2a]."""
LEFT = Note("left", int, "never")
"""Of a counter: the turn in which it left the map [4.1g]."""

WITHOUT_ZONE = Note("engineers without zone", bool, "never")
"""Noted, about nothing, of a position in which engineers exert no zone of control [3.1d]."""
LEFT_ZONE = Note("left zone", str)
"""Of a unit: the hex from which it left a zone of control, for which it loses a step [4.3b]."""
PAID = Note("paid", int)
"""Of a unit that has not left a zone of control yet: the steps that it had before it paid for it [4.3b]."""
PASSED = Note("passed train", str)
"""Of a unit: the hex in which it passed a train [4.5b]."""
MAY_HAVE_PASSED = Note("may have passed train", bool)
"""Of a unit: one of the paths that it may have retreated by passes a train [4.5b]."""
ALONE_IN = Note("alone in", str)
"""Of a general: the hex in a zone of control that he entered, with no unit before or after him [4.2c]."""
FORGOTTEN = Note("forgotten marker", Mark, "never")
"""Of a unit: the Disordered marker that it kept though it had recovered [7.7d]."""
MARKED_EARLY = Note("marked early", bool)
"""Of a unit: it was marked as disordered when nothing had shaken it, and whether something still could."""
SHOVED_ON = Note("shoved on", Date, "never")
"""Of a unit: the player turn in which it last made room for friends or was crossed by them [7.7d]."""

LOST_STEPS = Note("lost steps", int, "turn")
"""Of a unit: the steps that it lost in this game turn and was not given back."""
LOST_NOW = Note("lost steps in this phase", int)
"""Of a unit: those of them that it lost in this phase; whether they had a cause is judged at its end."""
PAID_FOR = Note("steps paid", tuple)
"""Of a unit: the hex that it left and the steps for a retreat, for which it lost a step [4.3b, 7.6]."""
MARKED_FIRED = Note("marked as having fired", bool, "player turn")
"""Of a battery: it was marked as having fired before it did [2h]."""
MARKED_WORKING = Note("marked as at work", bool)
"""Of engineers: they were marked as at work and may still come to a bridge [10d]."""
MARKED_WRONGLY = Note("marked wrongly", tuple, "never")
"""Of a counter: the states that it was marked with although no die required them [9.2b, 11g]."""

APPROACHED = Note("approached", str)
"""Of a lone general: the enemy unit that came next to him [9.2a]."""
APPROACHED_IN = Note("approached in", str)
"""Of a lone general: the hex in which the enemy came next to him."""
DRIVEN_OFF = Note("driven off", tuple)
"""Of a lone general: the unit, no cavalry, that came next to him, and his hex [9.2e]."""
APPROACH_DIE = Note("approach die", int)
"""Of a general: the die for the cavalry that came next to him [9.2a]."""
ROLLED_FOR = Note("rolled for", str)
"""Of a lone general: which cavalry had come when that die was rolled."""
CASUALTY_DIE = Note("casualty die", int)
"""Of a general: the die for his danger in a combat [9.2f]."""
NEVER_ROLLED_FOR = Note("never rolled for", bool)
"""Of a general: he was neutralised without a die, and that has been reported [9.2b, 9.2g]."""
WITHDRAWN = Note("withdrawn", bool)
"""Of a general: he has moved off [9.2d]."""
FELL_IN = Note("fell in", str, "player turn")
"""Of a general: the hex in which he fell [9.2k]."""
FELL_NOW = Note("fell in this phase", bool)
"""Of a general: he fell in this phase; who is shaken by it is marked in it [9.2k]."""
SERVICES = Note("services", tuple, "turn")
"""Of a general: what he has done in the game turn, and in whose player turn, each [9.1i]."""

MUST_TEST = Note("must test for pillage", str)
"""Of a unit: the element of the convoy that it came next to [11f]."""
DRIVEN_TO = Note("driven to", str)
"""Of a unit: the element of the convoy that a retreat, a rout or a flight brought it next to [11f]."""
PILLAGE_DIE = Note("pillage die", int)
"""Of a unit: the die for temptation [11g]."""
GOES_WILD = Note("let loose", bool)
"""Of a unit: whether its die puts it out of control; None if that is not known [11g]."""
WILD_IN = Note("wild in", str, "never")
"""Of a unit out of control: the hex in which it pillages [11h]."""
PILLAGED = Note("pillaged", bool, "never")
"""Of an element of the convoy: it was pillaged [12.2e]."""
SHIFTED = Note("shifted", int)
"""Of an element of the convoy: how many hexes it was shifted [11j]."""

WORK_BEGUN = Note("work begun", Date, "never")
"""Of engineers: the player turn in which they began to work on a bridge [10d]."""
WORKED_IN = Note("worked in", str, "never")
"""Of engineers: the hex from which they work on a bridge [10d]."""
FINISHED_IN = Note("finished in", str)
"""Of engineers: the hex that they leave, as their work is done [10e]."""
DESTROYED = Note("bridge destroyed", bool, "never")
"""Of a hexside, ``hex/hex``: whether its bridge is destroyed; nothing if none of it was said."""

RALLY_DIE = Note("rally die", int)
"""Of a routed unit: the die to rally it [7.9b]."""
RALLY_BY = Note("rally by", str)
"""Of a routed unit: the general who tried to rally it."""
RALLIED = Note("rallied by", tuple)
"""Of a general: the units that he tried to rally [9.1h]."""
FAILED = Note("failed", bool, "turn")
"""Of a general: whether all his tries to rally in this turn failed [9.1i]."""

FOUGHT_ON = Note("fought on", Date, "never")
"""Of a unit: the last player turn in which it attacked, fired, was attacked or fired at [7.7d, 10d]."""
DECLARED = Note("battles declared", int, "player turn")
"""The highest number of a combat in this player turn; about nothing."""
FIRED = Note("fired", bool, "player turn")
"""Of a battery: it has fired in this player turn [6.0b, 7.1e]."""
FIRE_CALLED_OFF = Note("fire called off", bool, "player turn")
"""Of a battery: its fire was called off, and the marker that the module laid stays [2h]."""
FIRED_IN_TURN = Note("fired in the game turn", bool, "turn")
"""Of a battery: it has fired in this game turn [6.0b]."""
FIRED_ON = Note("fired on", bool)
"""Of a hex: it was fired on in this phase [7.1f]."""
IN_CONTACT = Note("in contact", tuple)
"""Of a side: its units that were in enemy zones when the combat phase began [7.2a]."""
CONTACT_WITH = Note("contact with", tuple)
"""Of a unit: the enemies in whose zones it was when the combat phase began."""
CONTACT_IN = Note("contact in", str)
"""Of a unit: the hex in which it was when the combat phase began."""

STEPS_DUE = Note("steps due", int)
"""Of a unit: how many steps it must lose for a retreat, rout or displacement into a zone of control [7.6]."""
ZONES_MET = Note("zones met", tuple)
"""Of a unit that went back: the hexes in zones of control that it entered, each with a unit that covered it
and where that stood [7.6]."""
STEP_MAY_BE_DUE = Note("step may be due", bool)
"""Of a unit: it, or another of its hex, may have to lose a step for hexes that the log does not show."""
CAME_INTO = Note("came into", str)
"""Of a hex: the unit that came into it when it was full [4.5d]."""
RETREAT_ENDED_IN = Note("retreat ended in", bool)
"""Of a hex: a retreat had to end in it when it was full [7.5l]."""
ROOM_MADE = Note("room made in", tuple)
"""Of a hex: the units that were in it when it was full and one more came [4.5d]."""
MADE_ROOM_IN = Note("made room in", str)
"""Of a unit: the hex in which it made room before the one came who goes back [4.5c]."""
PUSHED_INTO = Note("pushed into", str)
"""Of a unit: the hex that it was displaced to."""
DISPLACED = Note("displaced", str)
"""Of a unit: the hex that it was displaced to for a reason; it is disordered, marked or not [4.5e]."""
RAN = Note("ran", bool)
"""Of a unit: it has routed in this phase, marked or not [7.8a]."""
ROUT_UNSEEN = Note("rout unseen", tuple)
"""Of a unit: the ends of a rout of which the hexes between are not known."""
WENT_UNSEEN = Note("went unseen", bool)
"""Of a unit: it went back with nothing that drives it, and the hexes between are not known."""
CROSSED = Note("crossed", tuple)
"""Of a unit: the hex in which a rout crossed it, and whose rout [4.5f, 7.8a]."""
MATE = Note("mate", bool)
"""Of a unit: one that routed left it behind in its hex: it is disordered and stays [7.8a]."""

SPENT = Note("spent", bool, "never")
"""Of a unit: it has lost its last step and is to be removed [7.4f]."""
SPENT_NOW = Note("spent in this phase", bool)
"""Of a unit: it has lost its last step in this phase [7.4f]."""
OWNER = Note("owner", str, "never")
"""Of a hex: the side that had the last combat unit in it [12.2g]."""
