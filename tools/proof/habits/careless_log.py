"""Games written as logs with careless habits."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from referee.games import find_idiom
from tools.proof.habits import CHATTED, CORNER, ONE_ORDERLY, UNDECLARED
from tools.proof.habits.tinkering import CarelessLogger
from tools.proof.logs.board import Spot
from tools.proof.logs.game_logger import NONE
from tools.proof.logs.loggable import PLAIN, Habits
from tools.proof.logs.opening import SOLO, Opening
from tools.proof.logs.roll_announcements import find_roll_announcements
from tools.proof.logs.writer import LogWriter, Seat
from tools.proof.playing import Step
from vassalgen.parts.names import MAIN

AT_THE_CORNER = (8, 8)
"""In pixels of the map."""


def log_carelessly(
    opening: Opening,
    game: Sequence[Step],
    seed: int,
    careless: frozenset[str],
    habits: Habits = PLAIN,
    seats: Sequence[Seat] = SOLO,
    walked: range = NONE,
    *,
    keeping: bool = False,
) -> CarelessLogger:
    """Write a game as a log with some careless habits, and others; the same seed gives the same log.

    The paths of the steps in ``walked`` are dragged hex by hex. The board after each step is kept if the game
    is to be sent in parts.
    """
    position = game[0].before
    writer = opening.writer(position, seats)
    writer.kept = {} if keeping else None
    _add_corner(opening, writer)
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    map_ = position.game.map
    sea = next((name for name, hex_ in map_.hexes.items() if hex_.terrain == "sea"), "")
    phases = sorted({stop.phase.id for stop in writer.calendar.stops})
    orderly = Random(f"orderly {seed}").choice(list(position.game.sides))  # noqa: S311 - the same
    logger = CarelessLogger(
        writer,
        find_idiom(position.game),
        find_roll_announcements(position.game),
        rng,
        habits,
        walked,
        careless=careless | {UNDECLARED} if CHATTED in careless else careless,
        sea=sea,
        skipped=rng.choice(phases),
        orderly=orderly if ONE_ORDERLY in careless else "",
    )
    logger.perform(game)
    return logger


def _add_corner(opening: Opening, writer: LogWriter) -> None:
    """Let counters be dragged to the corner of the map, outside the hexes."""
    known, facts = writer.spot, opening.module.map(MAIN)
    assert facts is not None
    there = facts.plan.location_name(*AT_THE_CORNER)

    def spot(name: str, place: str) -> Spot:
        if place != CORNER:
            return known(name, place)
        return Spot(MAIN, *AT_THE_CORNER, there, known(name, writer.game.map.grid.names[0]).layer)

    writer.spot = spot
