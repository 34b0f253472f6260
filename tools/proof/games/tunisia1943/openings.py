"""Positions for the start of short games, in which rare clauses come up."""

from __future__ import annotations

from tools.oracles.games.tunisia1943.board import HARBOURS, WEST
from tools.proof.breaking import Opening
from tools.proof.games.tunisia1943.crowded_positions import Beginning, Crowd, Ring

ATTACKS = ("6.3a", "7.1a", "7.1b", "7.1c", "7.1d", "7.1i", "7.3e", "7.3g", "8a")
SUPPORT = (
    *("6.2a", "6.2b", "6.2d", "6.2e", "6.2f", "6.2h", "6.2j", "6.2k", "6.2l", "9.2a", "9.2h"),
    *("7.2a", "7.2d", "7.2e", "7.2f", "7.3a", "11f", "11g", "C1.3", "C2.3"),
)
SUMS = (
    *("0.1f", "2.1a", "2.1b", "6.2g", "6.2i", "7.1g", "7.2b", "7.2c", "7.2g", "7.3b", "7.3c", "7.3h"),
    *("9.2b", "9.2c", "9.2d", "11d", "11e"),
)
RESULTS = (
    *("0.1h", "0.1i", "0.1j", "6.3b", "6.3c", "6.3d", "7.1f", "7.4a", "7.4b", "7.4c", "7.4d", "7.4e", "7.4f"),
    *("7.4g", "7.4h", "7.4i", "7.5d", "7.5e", "7.5f", "7.6a", "7.6b", "7.6d", "1b"),
)
MOVES = (
    *("3b", "3c", "4.1a", "4.1f", "4.2a", "4.2b", "4.2c", "4.3a", "4.3b", "4.3c", "4.3d", "4.3f", "4.3g"),
    *("4.3h", "4.3i", "4.3j", "4.3l", "5.1a", "5.1d", "9.2e", "9.2i", "2.1c", "2.1d", "4.1c", "9.3c"),
    *("3e", "4.1g", "C1.13"),
)
SUPPLY = (
    *("9.1", "9.1a-1", "9.1a-2", "9.1b-1", "9.1b-2", "9.1b-4", "9.1b-5", "9.2g", "1h", "6.3h"),
    *("9.3a", "9.3c", "1c"),
)
EARLY = ("8b", "C1.6", "11a")
SET_UP = ("S.1", "S.2", "5.1b", "C1.1", "C1.7", "C1.8", "C2.1", "C2.6", "C2.7", "1a")
EXPLOITING = ("1g", "4.1d", "10b", "10c", "10d")

FEW = 16
SOUTH = ("0233", "0533", "0833", "1133", "1433", "1733", "2033", "2333", "2533")
"""Hexes of the south edge: a side that holds them controls all of it."""

OPENINGS = (
    Opening("face to face, in combat", (*ATTACKS, *SUMS), Crowd("combat")),
    Opening("face to face, in the combats of both sides", SUPPORT, Crowd("combat", late=False)),
    Opening("a few, in combat", RESULTS, Crowd("combat", land=FEW)),
    Opening("the first turns, in combat", EARLY, Crowd("combat", turns=(2, 3), side="allied")),
    Opening(
        "Americans attacked in the first turns",
        ("C1.4",),
        Crowd("combat", turns=(2, 3, 4), side="axis", nation="us", land=FEW),
    ),
    Opening("the first turns, in movement", ("C1.5",), Crowd("movement", turns=(2,), side="allied")),
    Opening("the last turn, in combat", ("C2.5",), Crowd("combat", turns=(7,), land=FEW)),
    Opening("face to face, in movement", MOVES, Crowd("movement", late=False)),
    Opening("cut off, at the check of supply", SUPPLY, Crowd("supply", marked=0.5, lost=0.1)),
    Opening("harbours lost", ("9.1b-3",), Crowd("supply", side="axis", marked=0.5, shut=HARBOURS)),
    Opening("the west edge lost", ("9.1b-1",), Crowd("supply", side="allied", marked=0.5, shut=WEST)),
    Opening("the south edge lost", ("9.1b-2",), Crowd("supply", side="allied", marked=0.5, shut=SOUTH)),
    Opening("sustained, in exploitation", EXPLOITING, Crowd("exploitation", sustained=True)),
    Opening("short of fuel", ("C2.4",), Crowd("movement", turns=(6, 7), side="axis")),
    Opening("short of supply", ("9.2e", "9.2i", "9.3c"), Crowd("movement", marked=0.6)),
    Opening("face down", ("0.1l",), Crowd("combat", face_down=0.6, land=FEW)),
    Opening("face down, at the check of supply", ("0.1m",), Crowd("supply", late=False, face_down=0.6)),
    Opening("headquarters alone", ("4.2a", "4.2b", "4.2c"), Crowd("movement", late=False, thin=True)),
    Opening("weak divisions", ("6.3c", "6.3g", "0.1i", "7.1d"), Crowd("combat", thin=True, land=FEW)),
    Opening("headquarters away", ("6.3e", "6.3f", "6.3i"), Crowd("end", marked=0.7, lost=0.6)),
    Opening("headquarters to sustain", ("10a", "C1.2", "C2.2", "1d"), Crowd("sustain", lost=0.2)),
    Opening(
        "a harbour, in combat",
        ("G.2", "G.3", "G.5", "G.6", "7.2c"),
        Crowd("combat", side="allied", harbour=True, land=FEW // 2),
    ),
    Opening("Tigers attack", ("12d", "12e"), Crowd("combat", side="axis", tigers=True, land=FEW)),
    Opening("Tigers are attacked", ("12f",), Crowd("combat", side="allied", tigers=True, land=FEW)),
    Opening("Panzers of four steps", ("0.1j",), Crowd("combat", side="axis", fours=True, land=FEW // 2)),
    Opening("Tigers move", ("12b",), Crowd("movement", side="axis", tigers=True)),
    Opening("Tigers in the way", ("12g",), Crowd("movement", side="allied", tigers=True)),
    Opening("surrounded", ("7.5a",), Ring("FFFFFF")),
    Opening("surrounded and weak", ("7.3f",), Ring("FFFFFF", weak=True)),
    Opening("surrounded by zones of control", ("7.5b", "7.5c"), Ring("F.F.F.")),
    Opening("with a friend beside", ("7.5c",), Ring("F.F.FO")),
    Opening("with full stacks beside", ("7.5e",), Ring("FF.OOO")),
    Opening("the beginning", SET_UP, Beginning()),
)
