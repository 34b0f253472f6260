"""What game.toml says of where the data come from holds for every file that says nothing itself."""

from __future__ import annotations

from tests.game.conftest import GameFolder
from vassalgen.game.provenance import PRINTED, RECONSTRUCTION


def _silence(skirmish: GameFolder, file: str) -> None:
    path = skirmish.path / file
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if file.endswith(".csv"):
        column = lines[0].rstrip("\n").split(",").index("provenance")
        lines = [_without(line, column) for line in lines]
    else:
        lines = [line for line in lines if not line.startswith("provenance")]
    path.write_text("".join(lines), encoding="utf-8")


def _without(line: str, column: int) -> str:
    cells = line.rstrip("\n").split(",")
    return ",".join(cells[:column] + cells[column + 1 :]) + "\n"


def test_a_file_without_provenance_is_one_problem(skirmish: GameFolder) -> None:
    _silence(skirmish, "counters.csv")
    _silence(skirmish, "tables.toml")
    problems = [str(one) for one in skirmish.check().problems if "provenance" in str(one)]
    assert len(problems) == 2
    assert (
        "counters.csv: 'provenance' is missing in 6 places, first at line 2, b1: a column of that name"
        in problems[0]
    )
    assert "in game.toml" in problems[1]


def test_the_word_of_game_toml_holds_for_files_that_say_nothing(skirmish: GameFolder) -> None:
    for file in ("counters.csv", "tables.toml"):
        _silence(skirmish, file)
    text = (skirmish.path / "game.toml").read_text(encoding="utf-8")
    (skirmish.path / "game.toml").write_text('provenance = "printed"\n' + text, encoding="utf-8")
    assert not skirmish.check().problems
    game = skirmish.game()
    assert {counter.provenance for counter in game.counters.values()} == {PRINTED}
    assert {value.provenance for value in game.values.values()} == {PRINTED}
    assert game.map.provenance == RECONSTRUCTION, "the map says so itself"
