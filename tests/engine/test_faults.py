"""The fewest clauses, compared with every set of clauses there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.actions import Action
from referee.engine.faults import Faults, fewest
from referee.engine.movement import March
from referee.engine.moves import NOTHING, Move, Trail
from referee.engine.position import Position
from referee.engine.rulings import Fact, Facts
from referee.games import find_rules
from vassalgen.game.finding import open_game

LIMITS = tuple("ABCDEFG")
ways = st.lists(st.sets(st.sampled_from(LIMITS), min_size=1, max_size=5), min_size=1, max_size=5)
"""Sets of clauses; something is possible if all clauses of one of them are waived."""


def possible(sets: list[set[str]], waived: frozenset[str]) -> bool:
    return any(one <= waived for one in sets)


@given(ways)
def test_no_smaller_set_is_enough_and_none_of_the_size_is_more_special(sets: list[set[str]]) -> None:
    every = (
        chosen
        for size in range(1, len(LIMITS) + 1)
        for chosen in combinations(LIMITS, size)
        if possible(sets, frozenset(chosen))
    )
    assert fewest(LIMITS, LIMITS, lambda waived: possible(sets, waived)) == Faults(next(every))


@given(ways, st.integers(0, 3))
def test_a_search_that_is_broken_off_claims_nothing(sets: list[set[str]], most: int) -> None:
    found = fewest(LIMITS, LIMITS, lambda waived: possible(sets, waived), most)
    right = fewest(LIMITS, LIMITS, lambda waived: possible(sets, waived))
    assert possible(sets, frozenset(found.clauses))
    assert all(not possible(sets, frozenset(found.clauses) - {clause}) for clause in found.clauses)
    assert found == right or not found.fewest


def test_two_clauses_are_fewer_than_three() -> None:
    sets = [set("ABC"), set("BD")]
    assert fewest("ABCD", "ABCD", lambda waived: possible(sets, waived)).clauses == ("B", "D")


@given(ways)
def test_few_sets_are_tried(sets: list[set[str]]) -> None:
    tried: list[frozenset[str]] = []

    def remembered(waived: frozenset[str]) -> bool:
        tried.append(waived)
        return possible(sets, waived)

    fewest(LIMITS, LIMITS, remembered, most=10)
    assert len(tried) <= 3 * len(LIMITS) + 10


class Walk(Move[Trail]):
    """A move that can be made if all of one of several sets of clauses are waived."""

    sets: ClassVar[list[set[str]]] = []
    scale = 1

    @classmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Walk:
        return cls(position, position.pieces[action.piece], path, action.dragged, None)

    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        return Fraction(0)

    def march(self, waived: frozenset[str] = NOTHING) -> March:
        raise AssertionError("what these walks cost is known without a search")

    def find_cost(self, waived: frozenset[str]) -> int | None:
        return 1 if possible(self.sets, waived) else None

    def find_faults(self) -> tuple[str, ...]:
        return self.fewest(MANY, MANY)

    def says(self, clause: str) -> str:
        return clause

    def facts(self) -> dict[str, Fact]:
        return {"unit": "pz10"}


MANY = "ABCDEFGHIJKLMN"


@pytest.mark.parametrize(
    ("sets", "facts"),
    [
        ([set("ABC"), set("BD")], {"unit": "pz10"}),
        ([set("ABCD"), set("EFGHI")], {"unit": "pz10", "clauses": "perhaps not all needed"}),
    ],
)
def test_a_finding_says_where_its_clauses_are_perhaps_not_the_fewest(
    monkeypatch: pytest.MonkeyPatch, sets: list[set[str]], facts: Facts
) -> None:
    world = find_rules("postcard1943").world(open_game("postcard1943"))
    position = world.rulebook.empty(world)
    monkeypatch.setattr(Walk, "sets", sets)
    walk = Walk(position, position.pieces["pz10"], (0, 1), dragged=False, trail=None)
    breach = walk.breach(walk.faults[0])
    assert breach is not None
    assert breach.facts == facts
