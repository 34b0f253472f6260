"""A game of an earlier module continues with the current one: counters, states, battles and places are kept
by name.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.table import read_log
from referee.table.planning import plan_of as read_module
from referee.table.replay import Replay
from referee.table.table import Table
from vassalgen.announcements import BATTLE, CID, ROLE, STEPS
from vassalgen.cli import main
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.migration import Earlier
from vassalgen.problems import BadInput
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.savedgame import SavedGame

DATA = Path(__file__).parent / "data"
KEPT = (STEPS, BATTLE, ROLE)
LOGS = [
    "tunisia1943/clean1",
    "vitoria1813/clean",
    *(f"{game}/everything-{version}" for game in shipped_games() for version in range(1, 7)),
]
"""Games played with modules of all versions."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    for name in shipped_games():
        compile_game(open_game(name)).write(folder / f"{name}.vmod")
    return folder


def at_end(path: Path, module: Path | None = None) -> Table:
    plan = read_module(module, Limits()) if module else None
    replay = Replay(read_log(path), plan) if plan else Replay(read_log(path))
    for _ in replay.steps():
        pass
    return replay.table


def standing(table: Table) -> dict[str, tuple[str, ...]]:
    """Of each counter its steps, its battle and its role."""
    found = {}
    for piece in table.pieces():
        name = table.sight.markers(piece).get(CID, "")
        if not name.startswith("_"):
            values = table.sight.dynamic(piece)
            kept = {key: value for key, value in values.items() if key in KEPT or key.startswith("state_")}
            found[name] = tuple(f"{key}={value}" for key, value in sorted(kept.items()))
    return found


def places(table: Table) -> dict[str, str]:
    """Where each counter is, by name."""
    found = {
        table.sight.markers(piece).get(CID, ""): table.location_of(piece) or "" for piece in table.pieces()
    }
    return {name: place for name, place in found.items() if not name.startswith("_")}


@pytest.mark.parametrize("log", LOGS)
def test_counters_keep_steps_states_battles_and_places(built: Path, tmp_path: Path, log: str) -> None:
    game, _, name = log.partition("/")
    old, new, module = DATA / f"{log}.vlog", tmp_path / "new.vsav", built / f"{game}.vmod"
    result = CliRunner().invoke(main, ["migrate", str(old), "--to", str(module), "-o", str(new)])
    assert result.exit_code == 0, result.output
    before, after = at_end(old, module), at_end(new, module)
    assert standing(before).keys() == standing(after).keys()
    for counter, kept in standing(after).items():
        assert set(kept) <= set(standing(before)[counter]), counter
    hexes = set(open_game(game).map.grid.names)
    moved = {
        counter: (place, places(after)[counter])
        for counter, place in places(before).items()
        if place != places(after)[counter]
    }
    elsewhere = name in ("clean1", "clean", "everything-1", "everything-2")  # boxes stood elsewhere then
    assert {one: pair for one, pair in moved.items() if not elsewhere or hexes & set(pair)} == {}


def test_counters_in_boxes_are_in_the_box_of_the_same_name(built: Path, tmp_path: Path) -> None:
    module, new = built / "tunisia1943.vmod", tmp_path / "new.vsav"
    old = DATA / "tunisia1943" / "clean1.vlog"
    CliRunner().invoke(main, ["migrate", str(old), "--to", str(module), "-o", str(new)])
    game, table = open_game("tunisia1943"), at_end(new, module)
    places = {table.sight.markers(piece).get(CID): table.location_of(piece) for piece in table.pieces()}
    (scenario,) = [one for one in game.scenarios.values() if one.id == "campaign1"]
    arrivals = {name: one.turn for one in scenario.arrivals for name in one.counters}
    assert {name: place for name, place in places.items() if name in arrivals} == {
        name: f"{'Axis' if game.counters[name].side == 'axis' else 'Allied'} reinforcements T{turn}"
        for name, turn in arrivals.items()
    }


def test_a_save_of_another_game_is_refused(built: Path, tmp_path: Path) -> None:
    old = DATA / "postcard1943" / "clean.vlog"
    result = CliRunner().invoke(
        main, ["migrate", str(old), "--to", str(built / "tunisia1943.vmod"), "-o", str(tmp_path / "x.vsav")]
    )
    assert result.exit_code == 2
    assert "Postcard Tunisia 1943" in result.output


def test_a_save_with_a_command_that_cannot_be_read_is_refused_with_its_name(
    built: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old.vsav"
    SavedGame.new("begin_save\x1bM/1/Main Map/east\x1bend_save").write(old)
    result = CliRunner().invoke(
        main, ["migrate", str(old), "--to", str(built / "tunisia1943.vmod"), "-o", str(tmp_path / "x.vsav")]
    )
    assert result.exit_code == 2
    assert result.output.startswith(f"{old}: command MovePiece: ")


@pytest.mark.parametrize(
    "text",
    [
        "as_today = 5\n",
        "boxes = 5\n",
        "[[boxes]]\nversions = ['1']\n",
        "[[boxes]]\nversions = ['1']\n[boxes.places]\nLosses = [28, 62]\n",
        "[[boxes]]\nversions = ['1']\nplaces = 'here'\n",
    ],
)
def test_a_file_of_earlier_boxes_without_its_form_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "earlier.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"earlier\.toml: does not say where the boxes were"):
        Earlier.read(path)
