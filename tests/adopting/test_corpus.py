"""Modules by strangers, adopted, against lists made by hand from looking at their boards and counters."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from vassalgen.cli import main
from vassalgen.game.commands import check_game
from vassalgen.game.game import Game

KASSALA = "rummelsworth__vassal-module-kassala__Kassala.packed.vmod"
RAGNAROK = "jzedwards__vassal-hex-n-counters-template__Ragnarok.packed.vmod"


def adopted(shared: Path, name: str, tmp_path: Path) -> Game:
    folder = tmp_path / "game"
    result = CliRunner().invoke(main, ["adopt", str(shared / "corpus" / "vmod" / name), "-o", str(folder)])
    assert result.exit_code == 0, result.output
    game = check_game(folder).game
    assert game is not None
    return game


def share(found: set[str] | Counter[str], listed: set[str] | Counter[str]) -> float:
    """What two lists have in common, of all that is in either."""
    both, either = Counter(found) & Counter(listed), Counter(found) | Counter(listed)
    return both.total() / either.total()


def standing(game: Game) -> dict[str, list[str]]:
    """The counters by where the one scenario puts them."""
    (scenario,) = game.scenarios.values()
    found: dict[str, list[str]] = {}
    for one in scenario.setup:
        found.setdefault(one.at or "", []).extend(one.counters)
    return found


# By column the first and last hex that is printed, counted on the picture; the columns from the left.
KASSALA_COLUMNS = {1: (2, 6), 2: (2, 9), 3: (2, 8), 4: (2, 9), 5: (2, 9), 6: (2, 9), 7: (2, 8), 8: (2, 8)}
# What is printed in the hexes: side and factors.
KASSALA_UNITS = {
    "0103": "M32", "0203": "M32", "0204": "M32", "0302": "M42", "0303": "M10 M10 M10", "0402": "M43",
    "0403": "M42", "0602": "M33", "0603": "M33", "0702": "M33", "0703": "M33", "0305": "C42", "0306": "C42",
    "0407": "C22", "0507": "C10", "0707": "C10", "0508": "C23", "0608": "C42", "0805": "C42", "0806": "C42",
    "0807": "C42",
}  # fmt: skip


def test_a_board_without_numbers(shared: Path, tmp_path: Path) -> None:
    game = adopted(shared, KASSALA, tmp_path)
    spans = KASSALA_COLUMNS.items()
    listed = {f"{column:02}{row:02}" for column, span in spans for row in range(span[0], span[1] + 1)}
    assert len(listed) == 58
    assert listed <= set(game.map.grid.names)
    assert share(set(game.map.grid.names), listed) >= 0.9
    faces = {
        one.id: f"{one.side[0].upper()}{one.factor('combat')}{one.factor('movement')}"
        for one in game.counters.values()
    }
    assert sorted(faces.values()) == sorted(
        unit for units in KASSALA_UNITS.values() for unit in units.split()
    )
    found = {at: " ".join(sorted(faces[one] for one in ones)) for at, ones in standing(game).items()}
    assert found == KASSALA_UNITS


# The record track of the board, as it is printed: who begins where.
ENDURANCE = {
    20: "thor", 19: "odin vidar serpent", 18: "heimdall loki", 17: "freyr fenir surt", 16: "tyr hrym",
    15: "garm",
}  # fmt: skip


def test_a_board_with_numbers_from_below_and_a_track(shared: Path, tmp_path: Path) -> None:
    game = adopted(shared, RAGNAROK, tmp_path)
    printed = {f"{row:02}{column:02}" for row in range(1, 18) for column in range(1, 27 + row % 2)}
    assert len(printed) == 451
    assert printed <= set(game.map.grid.names)
    assert share(set(game.map.grid.names), printed) >= 0.9
    assert game.map.grid.distance("0101", "1701") == 16
    assert game.map.grid.are_neighbours("0115", "0215") != game.map.grid.are_neighbours("0114", "0215")
    at = standing(game)
    track = {number: sorted(one[3:] for one in at[f"endurance-{number:03}"]) for number in ENDURANCE}
    assert track == {number: sorted(names.split()) for number, names in ENDURANCE.items()}
    sides = Counter(one.side for one in game.counters.values() if one.side)
    assert sides == {"aesir": 56, "jotun": 43}
    assert sum(map(len, at.values())) == 99


@pytest.mark.parametrize("name", ["saror007", "Nevsky__Nevsky", "test-predefined", "service__test", "__ffs"])
def test_other_files_are_refused_in_one_line(shared: Path, tmp_path: Path, name: str) -> None:
    (path,) = (one for one in (shared / "corpus").rglob(f"*{name}*.vm*"))
    result = CliRunner().invoke(main, ["adopt", str(path), "-o", str(tmp_path / "game")])
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert list(tmp_path.iterdir()) == []
