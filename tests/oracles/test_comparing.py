"""The rules agree with slow literal readings of them on random positions; the full run is tools/differ.py."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from referee.engine.position import World
from referee.games import find_rules
from referee.record import Case, parse, read, write
from tools import differ, oracles
from tools.oracles.comparing import Answers, Comparison, Oracle, Scene, compare_record, find_oracle, scattered
from vassalgen.game.finding import open_game

GAMES = sorted(path.parent.name for path in Path(oracles.__file__).parent.glob("games/*/__init__.py"))
SEEDS = range(1, 6)
SET = sorted(Path(__file__).parent.glob("*/*.record"))


def world_of(game: str) -> World:
    return find_rules(game).world(open_game(game))


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_answer_as_the_clauses_do(game: str) -> None:
    world, oracle = world_of(game), find_oracle(game)
    for seed in SEEDS:
        for compared in compare_record(oracle, scattered(world, oracle, seed)):
            assert [str(difference) for difference in compared.differences] == [], seed


@pytest.mark.parametrize("path", SET, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_in_set_positions_too(path: Path) -> None:
    record = read(path)
    for compared in compare_record(find_oracle(record.game), record):
        assert [str(difference) for difference in compared.differences] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_random_position_survives_being_written(game: str) -> None:
    world, oracle = world_of(game), find_oracle(game)
    for seed in SEEDS:
        record = scattered(world, oracle, seed)
        assert parse(write(record), known=[world]) == record
        assert write(scattered(world, oracle, seed)) == write(record)


@pytest.mark.parametrize("game", GAMES)
def test_everything_is_asked_somewhere(game: str) -> None:
    world, oracle = world_of(game), find_oracle(game)
    unasked = list(oracle.comparisons)
    for seed in range(60):
        record = scattered(world, oracle, seed)
        scene = Scene.of(record, Case(statements=record.main))
        unasked = [comparison for comparison in unasked if not comparison.slow(scene)]
        if not unasked:
            return
    assert [comparison.name for comparison in unasked] == []


def test_what_differs_is_reported_and_can_be_inspected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, oracle = world_of(GAMES[0]), find_oracle(GAMES[0])

    def wrong(scene: Scene) -> Answers:
        return {"who moves": "nobody", "unasked": "so"}

    def right(scene: Scene) -> Answers:
        return {"who moves": scene.position.side}

    broken = Oracle(oracle.scatter, (Comparison("sides", "seq.2", wrong, right),))
    monkeypatch.setattr(differ, "opened", lambda name, scenario: (world, broken))
    found = differ.differ(GAMES[0], "", 3)
    assert found.counts == {"sides": 1}
    assert found.differing == {"sides": 2}
    assert found.shown[1] == "sides [seq.2]: unasked: the rules say so, the clauses nothing"
    path = tmp_path / "seed-3.record"
    path.write_text(found.record, encoding="utf-8")
    assert f"# {found.shown[0]}" in found.record
    result = CliRunner().invoke(differ.main, [GAMES[0], "--record", str(path)])
    assert result.exit_code == 1
    assert "1 answers, 2 differ: sides [seq.2]" in result.output


def test_a_game_that_nobody_has_read_literally_is_refused() -> None:
    result = CliRunner().invoke(differ.main, ["no-such-game"])
    assert result.exit_code == 2


def test_the_same_seed_gives_the_same_position() -> None:
    world, oracle = world_of(GAMES[0]), find_oracle(GAMES[0])
    assert oracle.scatter(world, Random(7)) == oracle.scatter(world, Random(7))
