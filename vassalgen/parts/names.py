"""Names that several parts of a module, and the saves made with it, have in common. They never change."""

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
"""The side of a player who plays both."""

TURN, STOP = "Turn", "Stop"
"""The properties of the turn track: the number of the turn, and the phase with its side."""
OF = "Of "
"""What the properties of the module begin with that say of a phase whose it is."""
ACTIVE = f'GetString("{OF}"+{STOP})'
"""The expression for the side whose player turn it is, empty in the phases that belong to nobody."""
FIRST_SIDE = "FirstSide"
"""The side whose player turn comes first in this game."""
CURRENT_BATTLE = "BattleNo"
"""The number of the current battle, 0 for none."""
ON_BOARD, OFF_BOARD = f'CurrentMap=="{MAIN}"', f'CurrentMap!="{MAIN}"'
"""Hold on counters in hexes, and on those in boxes, which wait or are out of the game."""
HAS_BATTLE = f"{BATTLE}+{CURRENT_BATTLE}>0"
"""Holds on those who take part in a battle, and on all if there is a current one."""
OUR_BATTLE = (BATTLE, f"{{{CURRENT_BATTLE}}}")
"""The property and its value by which those who take part in the current battle are found."""
RESULT = "BattleResult"
"""What a battle came to, on each counter that took part."""
OF_CLERK = ("IsClerk", "1")
"""The property by which the clerk is found."""

UNMARK = "unmark"
"""The key that takes the mark of having moved off a counter."""

COUNTER = named("BasicName", "CID")
"""The expression for a counter by its name, for all players."""
PRESSER = "PlayerSide"
"""The expression for the side of the player who acts."""
