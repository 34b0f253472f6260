from __future__ import annotations

from pathlib import Path

import pytest

from tests.game.conftest import GameFolder
from vassalgen.game.commands import check_game, run


def said(spec: str | Path, data: list[Path] | None = None) -> tuple[int, list[str]]:
    lines: list[str] = []
    code = run(spec, data or [], lines.append)
    return code, lines


def test_a_clean_game_is_praised_in_one_line(skirmish: GameFolder) -> None:
    assert said(skirmish.path) == (
        0,
        ["Skirmish: no problem found in 15 hexes, 6 counters, 1 table, 2 scenarios, 2 clauses, 1 ruling"],
    )


def test_all_that_is_wrong_with_a_game_is_reported_at_once(skirmish: GameFolder) -> None:
    """One run reports the mistakes in every file, each with its place, in the order of files and lines."""
    skirmish.change("game.toml", 'dice = "morale"', 'dice = "moral"')
    skirmish.change("map.toml", 'path = "0104 0204 0304"', 'path = "0104 0304 0404"')
    skirmish.change("map.toml", 'hexes = "0402"', 'hexes = "0402 0401"')
    skirmish.change("map.toml", 'ditch = "0102/0103"', 'ditch = "0102/0104"')
    skirmish.change("tables.toml", '["1|1",   "-|1 R", "-|2 R"]', '["1|1",   "-|1 R"]')
    skirmish.change("tables.toml", '["1|1*",  "-|2 R", "-|E"]', '["1|1*",  "-|2 Q", "-|E"]')
    skirmish.change("counters.csv", "3,*,4,,,1.5", "three,*,,,,1.5")
    skirmish.change("clauses.toml", 'text = "Woods cost two."', 'text = ""')
    skirmish.change("clauses.toml", 'judged = "enforced"', 'judged = "sometimes"')
    skirmish.change("rulings.toml", 'clauses = "move.2"', 'clauses = "move.9"')
    skirmish.change("scenarios/dawn.toml", 'counters = "b3"', 'counters = "b3 b9"')
    skirmish.change("scenarios/dawn.toml", "turn = 3", "turn = 9")
    skirmish.change("art.toml", "#88aa66", "green")
    (skirmish.path / "help" / "rules.md").unlink()
    assert skirmish.problems() == [
        "art.toml: line 6, terrain, wood: 'green' is not a colour: expected #rrggbb, in lower case",
        "clauses.toml: line 6, move.1, judged: is 'sometimes': "
        "expected one of enforced, scored, definition, advisory",
        "clauses.toml: line 15, move.2, text: is empty: expected a text",
        "counters.csv: line 3, b2, attack: is 'three': expected a number",
        "counters.csv: line 3, b2, speed: 'speed' is missing: give its speed",
        "game.toml: line 81, declarations, charge, dice: there is no dice 'moral': did you mean 'morale'?",
        "game.toml: line 85, help, pages: there is no help/rules.md: add a page of that name",
        "map.toml: line 31, hexsides, ditch: 0102 and 0104 are not neighbours: "
        "neighbours of 0102 are 0101, 0202, 0203, 0103",
        "map.toml: line 41, roads, low, path: 0404 is not on the map: expected a hex of the map",
        "map.toml: line 41, roads, low, path: 0104 and 0304 are not neighbours: "
        "each hex of a road must be adjacent to the previous one",
        "map.toml: line 50, zones, red-base, hexes: no road leads to the supply source 0401: "
        "choose hexes on a road",
        "rulings.toml: line 2, wood-edge, clauses: there is no clause 'move.9': did you mean 'move.2'?",
        "scenarios/dawn.toml: line 26, setup, 3: there is no counter 'b9': "
        "expected one of b1, b2, b3, r1, r2, m-routed",
        "scenarios/dawn.toml: line 36, arrival, 2, turn: there is no turn 9: expected 1 to 3",
        "tables.toml: line 48, tables, crt, cells: row 4 has 2 cells: expected 3, one for each column",
        "tables.toml: line 48, tables, crt, cells: row 5, column 1:1: '-|2 Q' is not explained: "
        "use one of #, -, R, E, *, or add a result with that code",
    ]
    code, lines = said(skirmish.path)
    assert code == 1
    assert lines[-1] == f"{skirmish.path}: 16 problems"


def test_files_that_cannot_be_read_are_reported_together(skirmish: GameFolder) -> None:
    (skirmish.path / "tables.toml").unlink()
    (skirmish.path / "map.toml").write_bytes(b"provenance = \xff")
    skirmish.change("rulings.toml", "[wood-edge]", "[wood-edge")
    skirmish.change("counters.csv", '"The ""Boots"""', '"The "Boots"')
    skirmish.change("game.toml", 'designer = "Nobody"', 'desinger = "Nobody"')
    (skirmish.path / "help" / "rules.md").write_bytes(b"\xe4")
    assert skirmish.problems() == [
        "counters.csv: line 3: ',' expected after '\"': expected comma-separated values",
        "game.toml: line 2, desinger: game.toml has no 'desinger': did you mean 'designer'?",
        "help/rules.md: byte 1: is not UTF-8 text: save it as UTF-8",
        "map.toml: byte 14: is not UTF-8 text: save it as UTF-8",
        "rulings.toml: line 1, column 11: is not TOML here: expected ']' at the end of a table declaration",
        "tables.toml: is missing: every game has game.toml, map.toml, tables.toml and counters.csv",
    ]
    assert skirmish.check().exit_code == 2


@pytest.mark.parametrize("file", ["map.toml", "counters.csv", "tables.toml"])
def test_a_game_without_one_of_its_files_cannot_be_read(skirmish: GameFolder, file: str) -> None:
    (skirmish.path / file).unlink()
    checked = skirmish.check()
    assert checked.exit_code == 2
    assert [problem.wrong for problem in checked.unreadable] == ["is missing"]


def test_a_game_without_art_or_scenarios_is_incomplete(skirmish: GameFolder) -> None:
    (skirmish.path / "art.toml").unlink()
    for name in ("dawn", "dusk"):
        (skirmish.path / "scenarios" / f"{name}.toml").unlink()
    assert skirmish.problems() == [
        "art.toml: is missing: write a file with colours of terrain and nations, symbols, faces",
        "game.toml: has no scenario: add a file in the folder scenarios",
    ]


def test_an_empty_table_of_counters_is_reported(skirmish: GameFolder) -> None:
    (skirmish.path / "counters.csv").write_text("\n")
    assert (
        "counters.csv: is empty: expected a heading line with the names of the columns" in skirmish.problems()
    )
    (skirmish.path / "counters.csv").write_text("id,kind\n")
    assert "counters.csv: has no counters: add a line for each counter" in skirmish.problems()


def test_no_such_game_is_misuse(tmp_path: Path) -> None:
    code, lines = said(tmp_path / "nothing")
    assert code == 2
    assert lines == [
        f"{tmp_path}/nothing: there is no such folder: name a game, or the folder of one",
        f"{tmp_path}/nothing: 1 problem",
    ]
    assert check_game(tmp_path / "nothing").game is None
