"""What a position of this game remembers besides where its pieces are, and for how long."""

from __future__ import annotations

from attrs import frozen

from referee.engine import moves
from referee.engine.position import Note, Piece


@frozen
class Trail(moves.Trail):
    """What a piece has moved in this phase; ``stopped``: it has entered an EZOC.

    ``order`` is the number of the last piece that moved, counted in the phase. ``resumed``: it moved again
    after another had moved. ``again``: it entered that EZOC directly from another. ``passed`` are the hexes
    on its path as far as they are known.
    """

    order: int = 0
    resumed: bool = False
    again: bool = False
    passed: tuple[str, ...] = ()


@frozen
class Fallen:
    """Where a reduced unit was eliminated, and whether because it was out of supply."""

    where: str
    for_supply: bool = False


SETTING_UP = Note("setting up", bool)
"""The sides that have placed pieces at set-up."""

COMPLETE = Note("set-up complete", bool)
"""The sides that have declared their set-up complete."""

SHARES_AIRFIELD = Note("shares an airfield", bool)
"""The air assets that have been reported to start on another one's airfield [5j, 5q]."""

MOVED = Note("moved", Trail)
"""What each piece has moved in the movement phase."""

BROKE_THROUGH = Note("broke through", Trail)
"""What each piece has moved in a breakthrough."""

USED_MOVEMENT = Note("used movement", bool, "player turn")
"""The pieces that have moved in the movement phase: the points they kept are lost [8p]."""

DECLARED = Note("battles declared", int, "player turn")
"""The highest number of a battle in this player turn: numbers are not used again after a battle is called
off.
"""

ATTACKED = Note("attacked", str, "player turn")
"""The hex that each unit and asset has attacked, once the attack die has been rolled [7.4c, 11a]."""

FLOWN = Note("flown", str, "player turn")
"""The hex that each air asset has flown to, once a die of that battle has been rolled [7.3j, 7.4d]."""

STEP_DUE = Note("step due", bool, "turn")
"""The beaten air assets that were put into the box at full strength, which has been reported [10d, 10e]."""

FALLEN = Note("fallen", Fallen, "never")
"""The reduced units that were eliminated and whose place no battlegroup has taken yet [7.8e, 13b]."""

TOO_MANY = Note("too many in a hex", tuple, "never")
"""The pieces of each stack that has been reported to be over the limits [6a, 6b, 6c]."""

BATTLEGROUP_OF = Note("battlegroup of", str, "never")
"""The unit that each battlegroup replaced [13i, 16f]."""

REPLACED = Note("replacements", int, "player turn")
"""How many pieces each side has rebuilt or brought back [7.7b, 7.7c]."""

RETURNED = Note("returned", bool)
"""The air assets that have returned to an airfield in this phase: they may still be put on another [7.6a]."""

UNUSED = Note("unused replacements", int, "never")
"""How many replacements each side left unused in its last player turn [7.7k]."""

REBUILT = Note("rebuilt", bool)
"""The pieces that have been rebuilt in this phase [7.7f]."""

RECLAIMED = Note("reclaimed", bool)
"""The assets that have come back in this phase: turned to their full side, they count once."""

OUT_OF_SUPPLY = Note("out of supply", tuple)
"""The pieces of each side without supply before the first of them lost a step [7.8a]."""

LOST_SUPPLY = Note("lost out of supply", str)
"""The hex in which each piece has lost its step because it was out of supply [7.8e]."""

OWNER = Note("owner", str, "never")
"""The side whose unit last ended a move, advance or retreat in a town or on an airfield [7.6a, 7.7i]."""

PASSED = Note("passed", str, "never")
"""The side whose unit last entered a town, if only in passing [7.7i]."""

AXIS_SEEN = Note("Axis seen", int, "never")
"""The turn in which an Axis unit last occupied each hex of the Eighth Army and its airbase [17c]."""

PATTON_ROLLED = Note("rolled for Patton", int, "turn")
"""The die for Patton's arrival at the end of this turn [16a]."""

PATTON_COMES = Note("Patton comes", int, "never")
"""The turn at whose end a die brought Patton: he may be put on the map later [16b]."""

SWAP_DUE = Note("swap due", bool, "turn")
"""Patton has arrived in this turn: II Corps is exchanged [16e]."""

WITHDRAWN = Note("withdrawn", Piece, "turn")
"""The pieces of II Corps, as they were, that made room for the two-star piece of their name [16e]."""

CAME_IN = Note("came in", bool, "turn")
"""The two-star pieces that entered this turn, and whether they replaced a damaged piece [16f]."""

ROMMEL_ROLLED = Note("rolled for Rommel", int, "turn")
"""The die for Rommel's recall at the end of this turn [17a]."""

RECALLED = Note("recalled", bool, "never")
"""Rommel has been recalled and does not return [17d]."""

WON = Note("won", bool, "never")
"""It has been reported that the Allies have won [4a, 4b]."""
