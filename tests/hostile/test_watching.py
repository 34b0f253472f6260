"""A watched folder: no log is lost, none is audited twice, whatever else is in the folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.watching import Watched, check_folder
from tests.hostile.bombs import BOMBS, packed
from tests.scribe.playing import Playing
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.metadata import ModuleData
from vassalgen.vassal.savedgame import SavedGame

DATA = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
CLEAN, BREACHES = DATA / "clean.vlog", DATA / "breaches.vlog"
TITLE = "Postcard Tunisia 1943"
pytestmark = [pytest.mark.usefixtures("drawn_once")]


@pytest.fixture(scope="module")
def drawn_once() -> Iterable[None]:
    """Boards take longest to draw: once will do."""
    from referee.report import pictures

    draw, drawn = pictures.board_image, dict[str, str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            pictures, "board_image", lambda board: drawn.setdefault("", "") or draw_once(draw, drawn, board)
        )
        yield


def draw_once(draw: Callable[..., str], drawn: dict[str, str], board: object) -> str:
    drawn[""] = draw(board)
    return drawn[""]


def watch(folder: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(main, ["watch", str(folder), "--once", *map(str, words)])


def write_log(path: Path, number: int) -> None:
    """A short log, other than those of other numbers."""
    text = Playing(stop="Allied Movement").say(f"log {number}").move("blade", "B2").log().stream.encode()
    SavedGame.new(text, moduledata=ModuleData(name=TITLE, version="1")).write(path)


def test_what_is_no_log_is_named_and_costs_no_time(tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "good.vlog")
    shutil.copy(CLEAN, tmp_path / "twin.vlog")
    (tmp_path / "empty.vlog").touch()
    with (tmp_path / "sparse.vlog").open("wb") as file:
        file.truncate(3 * 2**30)
    (tmp_path / "folder.vlog").mkdir()
    (tmp_path / "inside").mkdir()
    shutil.copy(BREACHES, tmp_path / "inside")
    (tmp_path / "pictures").mkdir()
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.vlog")
        (tmp_path / "loop.vlog").symlink_to("loop.vlog")
    started = time.process_time()
    result = watch(tmp_path)
    assert time.process_time() - started < 20
    assert result.exit_code == 2
    assert "good.vlog: nothing found" in result.stdout
    assert "twin.vlog: a copy of good.vlog" in result.stdout
    assert "empty.vlog: the file is empty" in result.stderr
    assert "sparse.vlog: is 3072MB large, the limit is 256MB" in result.stderr
    assert "--limit 3072MB" in result.stderr
    assert "folder.vlog: is a folder" in result.stderr
    assert "inside: is a folder; the logs in it are not audited: referee watch" in result.stderr
    assert "pictures" not in result.output
    assert sys.platform == "win32" or "pipe.vlog: is not a regular file" in result.stderr
    assert sys.platform == "win32" or "loop.vlog: is a broken link" in result.stderr
    assert [path.name for path in tmp_path.glob("*.html")] == ["good.html"]


@pytest.mark.parametrize(("log", "code"), [(CLEAN, 0), (BREACHES, 1)])
def test_the_exit_code_is_that_of_an_audit(log: Path, code: int, tmp_path: Path) -> None:
    shutil.copy(log, tmp_path)
    assert watch(tmp_path).exit_code == code


def test_a_log_that_failed_for_a_reason_that_passes_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(CLEAN, tmp_path / "game.vlog")
    tries: list[str] = []

    def full(path: Path, content: str) -> None:
        tries.append(path.name)
        if len(tries) < 3:
            raise BadInput(Problem(str(path), "", "cannot be written: No space left"), passing=True)
        path.write_text(content, encoding="utf-8")

    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) > 6:
            raise KeyboardInterrupt

    monkeypatch.setattr("referee.watching.write_file", full)
    monkeypatch.setattr(time, "sleep", sleep)
    result = CliRunner().invoke(main, ["watch", str(tmp_path)])
    assert tries == ["game.html"] * 3
    assert result.stderr.count("No space left") == 1
    assert "game.vlog: nothing found" in result.stdout


def test_a_log_that_changes_while_it_is_audited_is_audited_again(tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    write_log(path, 1)
    assert watch(tmp_path).stdout.count("game.vlog") == 1
    write_log(path, 2)
    old = path.stat().st_mtime - 1000
    os.utime(path, (old, old))  # as when it is copied with its time: older than its page
    assert watch(tmp_path).stdout.count("game.vlog") == 1
    assert watch(tmp_path).stdout == ""


def test_a_file_that_is_no_page_is_not_overwritten(tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "game.vlog")
    (tmp_path / "game.html").write_text("my own notes", encoding="utf-8")
    result = watch(tmp_path)
    assert result.exit_code == 2
    assert "exists and is not a page written by this command" in result.stderr
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == "my own notes"


def test_a_folder_in_the_place_of_a_page_is_named(tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "game.vlog")
    (tmp_path / "game.html").mkdir()
    result = watch(tmp_path)
    assert result.exit_code == 2
    assert "exists and is not a page written by this command" in result.stderr


def test_a_log_of_a_system_that_writes_names_in_capitals_is_a_log(tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "GAME.VLOG")
    assert "GAME.VLOG: nothing found" in watch(tmp_path).stdout


def test_what_a_log_held_before_it_changed_is_no_copy_of_it(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    game, old = tmp_path / "game.vlog", tmp_path / "old.vlog"
    game.touch()
    old.touch()
    assert watched.original(game, "as it was") == game
    assert watched.original(game, "as it is") == game
    assert watched.original(old, "as it was") == old
    assert watched.original(old, "as it is") == game


def test_a_folder_that_is_out_of_reach_for_a_while_is_said_once_and_watched_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "share"
    watched = Watched(folder)
    dealt: list[Path] = []
    assert [check_folder(watched, dealt.append) for _ in range(2)] == [2, 2]
    assert capsys.readouterr().err.count("share: ") == 1
    folder.mkdir()
    (folder / "game.vlog").touch()
    assert [check_folder(watched, dealt.append) for _ in range(2)] == [0, 0]
    assert dealt == [folder / "game.vlog"]


def test_copies_are_no_logs_of_their_own_after_a_restart_either(tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "b.vlog")
    watch(tmp_path)
    shutil.copy(CLEAN, tmp_path / "a.vlog")
    assert "a.vlog: a copy of b.vlog" in watch(tmp_path).stdout
    assert [path.name for path in tmp_path.glob("*.html")] == ["b.html"]


def test_200_files_at_once_are_each_dealt_with_once(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number:03}.vlog").write_bytes(b"%d" % number)
    dealt: list[Path] = []
    watched = Watched(tmp_path)
    for _ in range(4):
        check_folder(watched, dealt.append)
    assert len(dealt) == len(set(dealt)) == 200


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_processes_that_are_killed_and_begun_again_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    """Logs arrive, some of them by halves, while the watcher is killed again and again."""
    count, whole = 12, tmp_path.with_name(f"{tmp_path.name}-whole")
    whole.mkdir()
    for number in range(count):
        write_log(whole / f"{number:02}.vlog", number)
    said = tmp_path.with_name(f"{tmp_path.name}-said")
    command = [sys.executable, "-m", "referee", "watch", str(tmp_path), "--every", "0.1"]
    with said.open("wb") as out:
        for turn in range(3):
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
            for number in range(turn * 4, turn * 4 + 4):
                content = (whole / f"{number:02}.vlog").read_bytes()
                target = tmp_path / f"{number:02}.vlog"
                target.write_bytes(content[: len(content) // 2])
                time.sleep(0.05 * (number % 3))
                target.write_bytes(content)
            deadline = time.monotonic() + (240 if turn == 2 else 2 + turn)
            while time.monotonic() < deadline and len(list(tmp_path.glob("*.html"))) < count:
                time.sleep(0.1)
            process.send_signal(signal.SIGKILL)
            process.wait()
    pages = sorted(path.name for path in tmp_path.glob("*.html"))
    assert pages == [f"{number:02}.html" for number in range(count)]
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".part") == []
    lines = re.findall(r"^(\d\d)\.vlog: nothing found", said.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == len(set(lines))
    assert watch(tmp_path).stdout == ""


def hostile(folder: Path) -> list[str]:
    """Files that are named like logs and made to do harm."""
    text = Playing(stop="Allied Movement").move("blade", "B2").log().stream.encode()
    whole = packed([("savedGame", text.encode())])
    made: dict[str, bytes] = {name: make() for name, make in BOMBS.items() if name.endswith(".vlog")}
    made = {name: made[name] for name in [*made][:4]}
    for number in range(14):
        cut = len(whole) * number // 14
        made[f"cut {number}.vlog"] = whole[:cut] + bytes([number]) * 7 + whole[cut + 7 :][: number * 9]
    names = []
    for number, (name, content) in enumerate(made.items()):
        names.append(f"{number:02} bad {name}")
        (folder / names[-1]).write_bytes(content)
    return names


def test_good_logs_and_hostile_ones_give_a_page_or_a_line_each(tmp_path: Path) -> None:
    for number in range(16):
        write_log(tmp_path / f"{number:02} good.vlog", number)
    bad = hostile(tmp_path)
    result = watch(tmp_path, "--game", "postcard1943")
    assert result.exit_code == 2
    assert sorted(path.name for path in tmp_path.glob("*.html")) == [f"{n:02} good.html" for n in range(16)]
    assert len(re.findall(r"^\d\d good\.vlog: nothing found", result.stdout, re.MULTILINE)) == 16
    lines = [line for line in result.stderr.splitlines() if " bad " in line]
    assert {next(name for name in bad if name in line) for line in lines} == set(bad)
    assert len(lines) == len(bad)
    assert "internal error" not in result.stderr
