"""Games that a real VASSAL recorded, played with ten careless habits at once: only what is proved is illegal.

Casualties go to a corner of the map or into the sea, and late; reinforcements go straight to the end of their
first move; the turn track is advanced once a player turn, then once a game turn; no battle is declared, bare
dice are rolled, some of them for nothing, some for tests.
"""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from referee.audit import Report
from referee.engine.rulings import Grade
from tests.audit.recorded import DATA, audited

EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((DATA / "careless.toml").read_text(encoding="utf-8"))


def illegal(report: Report) -> list[list[object]]:
    """What is illegal: step, clause, units."""
    return [
        [one.steps[-1], one.clause, " ".join(one.units)]
        for one in report.findings
        if one.grade is Grade.illegal
    ]


@pytest.mark.parametrize("game", EXPECTED)
def test_in_a_legal_game_played_carelessly_nobody_is_accused(game: str) -> None:
    assert illegal(audited(game, "careless/legal")) == []


@pytest.mark.parametrize("game", ["postcard1943", "vitoria1813"])
def test_in_the_same_game_played_with_version_6_nobody_is_accused(game: str) -> None:
    assert illegal(audited(game, "careless/legal-6")) == []


@pytest.mark.parametrize("game", EXPECTED)
def test_breaches_in_a_careless_game_are_found_or_named_as_unproven(game: str) -> None:
    report = audited(game, "careless/breaches")
    assert sorted(illegal(report)) == sorted(EXPECTED[game]["illegal"])
    if planned := EXPECTED[game]["unproven"]:
        step, unit = planned
        assert any(one.steps[-1] == step and one.units == (unit,) for one in report.findings)


def test_counters_laid_from_the_palette_by_mistake_and_taken_off_have_not_arrived() -> None:
    assert illegal(audited("postcard1943", "careless/mislaid")) == []


def test_who_advances_the_track_once_a_game_turn_does_not_set_up_what_he_moves() -> None:
    """Nobody moves in the first player turn, and a die is rolled while the track is advanced."""
    assert illegal(audited("vitoria1813", "careless/unclicked")) == []
