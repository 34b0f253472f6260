from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from vassalgen.game.finding import find_game, open_game, shipped_games
from vassalgen.problems import BadInput

HERE = Path(__file__).parent


def problem_of(spec: str | Path) -> str:
    with pytest.raises(BadInput) as error:
        find_game(spec)
    return str(error.value)


def club(home: Path, entry: str, body: str = "") -> Path:
    """Install a club's package with an entry point and return its folder."""
    package = home / "club_games"
    shutil.copytree(HERE / "skirmish", package / "brawl")
    (package / "__init__.py").write_text(body)
    (package / "brawl" / "__init__.py").write_text("")
    info = home / "club_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: club-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[vassalgen.games]\nbrawl = {entry}\n")
    return package / "brawl"


def forget_club(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the package as another test had it."""
    for name in [name for name in sys.modules if name.startswith("club_games")]:
        monkeypatch.delitem(sys.modules, name)


def test_a_game_is_found_by_its_folder() -> None:
    assert find_game(HERE / "skirmish") == HERE / "skirmish"
    assert open_game(str(HERE / "skirmish")).title == "Skirmish"


def test_a_game_that_is_shipped_is_found_by_its_name() -> None:
    for name, folder in shipped_games().items():
        assert find_game(name) == folder
        assert open_game(name).id == name
    assert shipped_games()


def test_a_folder_here_goes_before_a_shipped_game_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = next(iter(shipped_games()))
    shutil.copytree(HERE / "skirmish", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert open_game(name).title == "Skirmish"


@pytest.mark.parametrize("entry", ["club_games.brawl", "club_games:BRAWL", "club_games:TEXT"])
def test_a_clubs_game_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    body = "from pathlib import Path\nBRAWL = Path(__file__).parent / 'brawl'\nTEXT = str(BRAWL)\n"
    folder = club(tmp_path, entry, body)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        "sys.modules", {k: v for k, v in __import__("sys").modules.items() if "club" not in k}
    )
    assert find_game("brawl") == folder
    assert open_game("brawl").title == "Skirmish"


@pytest.mark.parametrize(
    ("entry", "wrong"),
    [
        ("club_games.gone", "cannot be loaded (No module named 'club_games.gone')"),
        ("club_games", "is not a game: a package, or the path of a folder, with game.toml"),
        ("club_games:NUMBER", "is not a game: a package, or the path of a folder, with game.toml"),
    ],
)
def test_an_entry_point_to_nowhere_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, wrong: str
) -> None:
    club(tmp_path, entry, "NUMBER = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        "sys.modules", {k: v for k, v in __import__("sys").modules.items() if "club" not in k}
    )
    assert problem_of("brawl") == f"club-games: entry point brawl = {entry}: {wrong}"


def test_a_broken_club_hides_no_other_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club(tmp_path, "club_games.gone")
    monkeypatch.syspath_prepend(tmp_path)
    assert "brawl" in problem_of("unheard-of")


def test_a_misspelt_game_is_answered_with_the_nearest() -> None:
    name = next(iter(shipped_games()))
    assert problem_of(name[:-1]) == f"{name[:-1]}: there is no such game: did you mean {name!r}?"


def test_a_folder_without_a_game_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem_of(tmp_path) == f"{tmp_path}: has no game.toml: name a game, or the folder of one"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club").mkdir()
    assert problem_of("club") == "club: has no game.toml: name a game, or the folder of one"
    (tmp_path / "club.vmod").write_text("")
    assert problem_of("club.vmod") == "club.vmod: is a file: name a game, or the folder of one"
    assert problem_of(tmp_path / "club.vmod").endswith("is a file: name a game, or the folder of one")
    gone = f"{tmp_path}/gone"
    assert problem_of(gone) == f"{gone}: there is no such folder: name a game, or the folder of one"


def test_a_game_is_found_by_its_title_in_whatever_case() -> None:
    assert find_game("vitoria  1813") == find_game("vitoria1813")
    assert find_game("Patton's First Victory: Tunisia, 1943") == find_game("patton1943")


def test_a_title_that_two_games_have_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = club(
        tmp_path, "club_games:BRAWL", "from pathlib import Path\nBRAWL = Path(__file__).parent / 'brawl'\n"
    )
    toml = folder / "game.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8").replace('"Skirmish"', '"Vitoria 1813"'), encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    forget_club(monkeypatch)
    assert (
        problem_of("Vitoria 1813") == "Vitoria 1813: several games have this title: one of brawl, vitoria1813"
    )
