"""Logs read again with other facts: only around what is different, with the same result."""

from __future__ import annotations

from referee.engine.clock import Clock
from referee.games import find_idiom
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Fact, Standing
from referee.scribe.log_reading import read_log
from tests.scribe.small_logs import a_log, dragged, found, turned
from tools.proof.proving import world_of

PZ10 = "pz10"
MOVES = [dragged(PZ10, "B5", "A4", "B4"), dragged(PZ10, "B4", "A4", "B5")] * 5


def log_of(*moves: list[Fact]) -> LoggedFacts:
    """A log with a move in the same phase of each turn."""
    happened = [one for turn, move in enumerate(moves, 2) for one in (turned(turn, 1), *move)]
    return a_log(*happened, opening={PZ10: Standing(place="B5", steps=2)}, clock=Clock(1, 1))


def test_a_log_with_another_move_in_one_phase_is_read_only_around_it() -> None:
    world = world_of("postcard1943", "")
    before = Draft(world, find_idiom(world.game), world.rulebook.empty(world))
    other = log_of(*MOVES[:5], dragged(PZ10, "B4", "B6", "B5"), *MOVES[6:])
    first = read_log(before, log_of(*MOVES))
    again = first.again(other)
    assert again is not None
    assert found(again) == found(read_log(before, other).draft)
    assert 0 < first.read_again <= len(first.story.facts) / 2
