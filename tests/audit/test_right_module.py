"""Whether the module and the game that are named are those of the log."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner, Result

from referee.audit import audit
from referee.cli import main
from referee.module_fit import WrongModule, fit_module, mixed_versions
from referee.table import EMPTY_MODULE, Log, ModulePlan, read_log, read_module
from tests.scribe.playing import Playing
from vassalgen.announcements import BEGUN_WITH
from vassalgen.compile import compile_game
from vassalgen.game.finding import find_game, open_game
from vassalgen.vassal.archives import BUILD_FILE, pack
from vassalgen.vassal.commands import RestoreProperty
from vassalgen.vassal.metadata import ModuleData
from vassalgen.vassal.savedgame import SavedGame, read_saved_game
from vassalgen.vassal.streams import Node, Stream

DATA = Path(__file__).resolve().parents[1] / "data"
CLEAN = DATA / "postcard1943" / "clean.vlog"
PATTON = DATA / "patton1943" / "clean.vlog"
TITLE = "Postcard Tunisia 1943"
VERSION = open_game("postcard1943").version


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module of Postcard Tunisia."""
    path = tmp_path_factory.mktemp("built") / "postcard1943.vmod"
    compile_game(open_game("postcard1943")).write(path)
    return path


@pytest.fixture(scope="module")
def plan(module: Path) -> ModulePlan:
    return read_module(module)


@pytest.fixture
def changed(module: Path, tmp_path: Path) -> Callable[..., Path]:
    """The module with words of its build file replaced."""

    def change(*words: tuple[str, str]) -> Path:
        entries = dict(compile_game(open_game("postcard1943")).entries)
        text = entries[BUILD_FILE].decode()
        for old, new in words:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "changed.vmod"
        path.write_bytes(pack([*{**entries, BUILD_FILE: text.encode()}.items()]))
        return path

    return change


@pytest.mark.parametrize(
    "command",
    [
        ["audit"],
        ["record"],
        ["page"],
        ["shot"],
        ["replay"],
        ["moves"],
        ["odds", "--attack", "8113", "--with", "us-34"],
    ],
    ids=lambda command: command[0],
)
def test_a_module_of_another_game_is_refused_by_every_command(
    command: list[str], module: Path, tmp_path: Path
) -> None:
    log = tmp_path / "patton.vlog"
    shutil.copy(PATTON, log)
    result = run(command[0], log, "--module", module, *command[1:])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"{module}: is the module 'Postcard Tunisia 1943'; patton.vlog was made with "
        '"Patton\'s First Victory: Tunisia, 1943" version 1: '
        "use the module of the log, or leave out --module\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["patton.vlog"]


def test_a_log_that_names_no_module_has_the_module_of_another_game_refused(module: Path) -> None:
    log = attrs.evolve(read_log(PATTON), module="", version="")
    with pytest.raises(WrongModule, match="is the module 'Postcard Tunisia 1943'"):
        fit_module([log], read_module(module), title=open_game("patton1943").title)


def test_a_log_that_names_no_module_is_read_with_its_own(plan: ModulePlan) -> None:
    log = attrs.evolve(read_log(CLEAN), module="", version="")
    assert fit_module([log], plan, title=TITLE).module == plan


def test_the_names_of_the_file_and_of_the_module_prove_nothing(plan: ModulePlan) -> None:
    log = attrs.evolve(read_log(CLEAN), module="Postcard Tunisia, our club's")
    fitted = fit_module([log], plan)
    assert fitted.module == plan
    assert "has the same places" in fitted.remarks[0]


def test_a_module_of_the_same_version_with_another_layout_is_refused(changed: Callable[..., Path]) -> None:
    other = changed(
        ('mapName="Main Map"', 'mapName="Map of Tunisia"'), (f'version="{VERSION}"', 'version="1"')
    )
    result = run("audit", CLEAN, "--module", other)
    assert result.exit_code == 2
    assert f"{other}: has another layout than the module that clean.vlog was made with" in result.stderr
    assert "it has no map Main Map" in result.stderr


def test_another_version_whose_layout_is_another_is_not_used_and_this_is_said(
    changed: Callable[..., Path],
) -> None:
    other = changed(('mapName="Main Map"', 'mapName="Map of Tunisia"'))
    result = run("audit", CLEAN, "--module", other)
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert f"The module is not used: it is version {VERSION}, clean.vlog was made with version 1" in said


def test_places_that_have_other_names_now_are_taken_from_the_log_and_this_is_said(
    changed: Callable[..., Path],
) -> None:
    other = changed(('name="Allied reinforcements, north T2"', 'name="North T2"'))
    result = run("audit", CLEAN, "--module", other)
    assert result.exit_code == 0
    assert "of the 14 places that the log names have another name in it" in " ".join(result.stdout.split())


def test_a_turn_track_that_does_not_fit_is_not_used_and_this_is_said(plan: ModulePlan) -> None:
    phases = attrs.evolve(plan.trackers[0].levels[0].children[0], words=("Movement", "Combat"))
    turns = attrs.evolve(plan.trackers[0].levels[0], children=(phases,))
    track = attrs.evolve(plan.trackers[0], levels=(turns,))
    fitted = fit_module([read_log(CLEAN)], attrs.evolve(plan, trackers=(track,)))
    assert fitted.module.trackers == ()
    assert any("turn track" in remark for remark in fitted.remarks)


@pytest.mark.parametrize("command", ["audit", "page"])
def test_a_game_that_goes_on_with_another_version_of_the_module_is_said_to(
    command: str, tmp_path: Path
) -> None:
    first, second = (tmp_path / f"{name}.vlog" for name in ("mail-1", "mail-2"))
    shutil.copy(DATA / "postcard1943" / first.name, first)
    text = read_saved_game(DATA / "postcard1943" / second.name).text
    SavedGame.new(text, moduledata=ModuleData(name=TITLE, version=VERSION)).write(second)
    assert run(command, first, second).exit_code == 0
    said = " ".join(run("audit", first, second).stdout.split())
    assert f"Mail-2.vlog was made with version {VERSION} of the module, mail-1.vlog with version 1" in said
    assert "unless it is converted with vassalgen migrate" in said


def test_a_game_that_goes_on_with_the_same_version_is_said_nothing_of() -> None:
    logs = [read_log(DATA / "postcard1943" / f"mail-{number}.vlog") for number in (1, 2, 3)]
    assert list(mixed_versions(logs)) == []


def test_a_game_that_was_saved_in_another_version_since_it_was_begun_is_said_to() -> None:
    log = read_log(DATA / "postcard1943" / "mail-1.vlog")
    begun = Node(RestoreProperty(name=BEGUN_WITH, value="4", container="Module").encode())
    root = attrs.evolve(log.stream.root, children=(begun, *log.stream.root.children))
    (said,) = mixed_versions([attrs.evolve(log, stream=Stream(root), version=VERSION)])
    assert f"version {VERSION} of the module, and the game begun with version 4" in said


class OlderTrack(Playing):
    """A log of a module whose turn track has one phase less."""

    def _track(self) -> str:
        return super()._track().removesuffix(",true")


def test_without_a_module_a_turn_track_of_another_version_is_not_read_and_this_is_said() -> None:
    report = audit([OlderTrack(stop="Axis Movement").move("pz10", "A4").log()], open_game("postcard1943"))
    assert report.logged_facts[0].clock is None
    assert any("turns are read from the chat" in one.text for one in report.unread)


def test_without_a_module_there_is_nothing_to_fit() -> None:
    assert fit_module([read_log(CLEAN)], EMPTY_MODULE).remarks == ()


@pytest.mark.parametrize("name", ["clean", "everything", "mail-1", "next"])
def test_the_own_module_fits(name: str, plan: ModulePlan) -> None:
    log = read_log(DATA / "postcard1943" / f"{name}.vlog")
    assert fit_module([log], plan).module == plan


@pytest.mark.parametrize("command", ["audit", "record", "page", "shot", "moves"])
def test_a_game_that_does_not_fit_the_counters_is_refused(command: str, tmp_path: Path) -> None:
    log = tmp_path / "patton.vlog"
    shutil.copy(PATTON, log)
    result = run(command, log, "--game", "vitoria1813")
    assert result.exit_code == 2
    assert result.stderr == (
        "patton.vlog: the log has no counter of Vitoria 1813: "
        "its counters are those of patton1943: --game patton1943\n"
    )


def test_a_game_is_named_by_its_title_too() -> None:
    assert run("audit", CLEAN, "--game", "postcard TUNISIA 1943").exit_code == 0


def test_a_folder_of_mixed_logs_is_watched_with_one_module(module: Path, tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "a.vlog")
    shutil.copy(PATTON, tmp_path / "b.vlog")
    result = run("watch", tmp_path, "--module", module, "--once")
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first.startswith("a.vlog: nothing found; ")
    assert second.startswith("b.vlog: nothing found (without a module: ")
    assert "is the module 'Postcard Tunisia 1943'" in second


def test_known_games_are_listed_so_that_each_can_be_told_from_the_next(tmp_path: Path) -> None:
    other = tmp_path / "other.vlog"
    SavedGame.new(
        Playing().move("blade", "C3").log().stream.encode(), moduledata=ModuleData(name="Chess", version="1")
    ).write(other)
    said = run("audit", other).stderr
    assert "name the game with --game: patton1943, postcard1943, tunisia1943, vitoria1813" in said


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A club's package with a game of its own: the data of a shipped game, under another title."""
    package = tmp_path / "site" / "club_games"
    shutil.copytree(find_game("postcard1943"), package / "brawl")
    toml = package / "brawl" / "game.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace(TITLE, "Brawl, a game"), encoding="utf-8")
    (package / "__init__.py").write_text(
        "from pathlib import Path\nBRAWL = Path(__file__).parent / 'brawl'\n"
    )
    info = tmp_path / "site" / "club_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: club-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[vassalgen.games]\nbrawl = club_games:BRAWL\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    for name in [name for name in sys.modules if name.startswith("club_games")]:
        monkeypatch.delitem(sys.modules, name)
    return package / "brawl"


def test_an_installed_game_is_recognised_from_the_log(club: Path, tmp_path: Path) -> None:
    log: Log = Playing().move("blade", "C3").log()
    path = tmp_path / "brawl.vlog"
    SavedGame.new(log.stream.encode(), moduledata=ModuleData(name="Brawl, a game", version="1")).write(path)
    assert run("page", path).exit_code == 0
    assert "Brawl, a game" in path.with_suffix(".html").read_text(encoding="utf-8")
    assert run("page", path, "--game", "brawl, a GAME").exit_code == 0
