"""Whole modules: complete, the same every time, and built from the command line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.parts.conftest import SMALL
from vassalgen.build import check
from vassalgen.cli import main
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.vassal import buildfile
from vassalgen.vassal.archives import BUILD_FILE, Archive, Kind
from vassalgen.vassal.components import Board, PredefinedSetup

GAME = "postcard1943"


@pytest.fixture(scope="session")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped game, built by the command."""
    path, game = tmp_path_factory.mktemp("built") / "game.vmod", open_game(GAME)
    result = CliRunner().invoke(main, ["build", GAME, "-o", str(path)])
    assert result.exit_code == 0, result.output
    assert result.output == f"{path}: {game.title} {game.version}\n"
    return path


def test_the_same_game_gives_the_same_bytes(module: Path) -> None:
    assert compile_game(open_game(GAME)).to_bytes() == module.read_bytes()


def test_the_bytes_depend_on_no_machine(tmp_path: Path, module: Path) -> None:
    """Neither on the order of sets, nor on the time zone, the language or the folder one works in."""
    other = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0"}
    path = tmp_path / "elsewhere.vmod"
    subprocess.run(
        [sys.executable, "-m", "vassalgen", "build", GAME, "-o", str(path)],
        cwd=tmp_path,
        env={**os.environ, **other, "PYTHONPATH": str(Path(__file__).parents[1])},
        check=True,
        capture_output=True,
    )
    assert path.read_bytes() == module.read_bytes()


def test_building_leaves_the_game_as_it_was(module: Path) -> None:
    folder = open_game(GAME).folders[0]
    assert (
        sorted(path.name for path in folder.iterdir() if path.stat().st_mtime > module.stat().st_mtime) == []
    )


def test_what_is_built_is_a_module_without_faults(module: Path) -> None:
    with Archive.open(module) as archive:
        assert archive.kind is Kind.MODULE
        root = buildfile.read_from(archive)
        assert buildfile.check(root) == []
        for found in buildfile.find_all(root, Board):
            assert f"images/{found.component.image}" in archive
        for setup in buildfile.find_all(root, PredefinedSetup):
            assert not setup.component.use_file or setup.component.file in archive


def test_inspecting_the_module_finds_nothing_to_say(module: Path) -> None:
    result = CliRunner().invoke(main, ["inspect", str(module)])
    assert result.exit_code == 0, result.output
    assert "Worth knowing" not in result.output


def test_a_board_that_is_drawn_anew_has_a_new_name(tmp_path: Path) -> None:
    """VASSAL would show the tiles cut from the old one."""
    shutil.copytree(SMALL, tmp_path / "small")
    art = tmp_path / "small" / "art.toml"
    looks = re.sub(r'"(dashed|dotted)" }', '"solid", width = 3 }', art.read_text())
    names = []
    for colour in ("#ddeebb", "#ffeebb"):
        art.write_text(looks.replace("#ddeebb", colour))
        entries = compile_game(open_game(tmp_path / "small")).entries
        names.append({name for name, _ in entries if name.startswith("images/board-")})
    assert names[0] != names[1]


def test_corrections_reach_the_counters(tmp_path: Path, module: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,attack,provenance\nblade,9,printed\n")
    path = tmp_path / "printed.vmod"
    result = CliRunner().invoke(main, ["build", GAME, "--data", str(tmp_path), "-o", str(path)])
    assert result.exit_code == 0, result.output
    with Archive.open(path) as printed, Archive.open(module) as other:
        assert printed.read("images/blade.svg") != other.read("images/blade.svg")
        assert b"attack,defence" in printed.read(BUILD_FILE)
        # so VASSAL warns players with other data
        assert f'version="{open_game(GAME).version}+data.'.encode() in printed.read(BUILD_FILE)


def test_a_game_that_there_is_not_is_reported(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["build", "postcard1944", "-o", str(tmp_path / "x.vmod")])
    assert result.exit_code == 2
    assert "postcard1943" in result.output
    assert not list(tmp_path.iterdir())


def test_an_output_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["build", GAME, "-o", str(tmp_path / "nowhere" / "x.vmod")])
    assert result.exit_code == 2
    assert "cannot be written" in result.output


def test_a_module_is_not_written_over_a_file_of_another_kind(tmp_path: Path) -> None:
    log = tmp_path / "game.vlog"
    log.write_text("a log")
    result = CliRunner().invoke(main, ["build", GAME, "-o", str(log)])
    assert (result.exit_code, log.read_text()) == (2, "a log")
    assert result.output.endswith("game.vlog: is not the name of a module: it ends in .vmod\n")


def test_the_check_says_what_it_looked_at() -> None:
    result = CliRunner().invoke(check, [GAME])
    assert result.exit_code == 0
    assert "no problem found" in result.output
