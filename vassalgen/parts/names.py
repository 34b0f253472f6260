"""Names shared by several parts of a module and the saved games made with it. They never change."""

from __future__ import annotations

from vassalgen.announcements import BATTLE
from vassalgen.templates import named

MAIN = "Main Map"
"""The map of hexes, and its board."""
BOXES = "Boxes"
"""The map of boxes beside it, and its board."""
TRACK = "Turn track"
"""The zone of the turn track among the boxes."""
SOLITAIRE = "Solitaire"
"""The side of a solitaire player."""

TURN, STOP = "Turn", "Stop"
"""The properties of the turn track: the number of the turn, and the phase with its side."""
OF = "Of "
"""The prefix of the properties that say to which side a phase belongs."""
ACTIVE = f'GetString("{OF}"+{STOP})'
"""The expression for the side whose player turn it is, empty in phases that belong to no side."""
FIRST_SIDE = "FirstSide"
"""The side whose player turn comes first in this game."""
CURRENT_BATTLE = "BattleNo"
"""The number of the current battle, 0 for none."""
OFF_BOARD = f'CurrentMap!="{MAIN}"'
"""True of counters in boxes, which wait or are out of the game."""
HAS_BATTLE = f"{BATTLE}+{CURRENT_BATTLE}>0"
"""True of counters in a battle, and of all counters if there is a current battle."""
OUR_BATTLE = (BATTLE, f"{{{CURRENT_BATTLE}}}")
"""The property, and its value, by which the counters in the current battle are found."""
RESULT = "BattleResult"
"""The result of a battle, on each counter that took part."""
OF_CLERK = ("IsClerk", "1")
"""The property by which the clerk is found."""

UNMARK = "unmark"
"""The key that removes the "moved" mark from a counter."""

COUNTER = named("BasicName", "CID")
"""The expression for a counter by its name, for all players."""
PRESSER = "PlayerSide"
"""The expression for the side of the player who acts."""
