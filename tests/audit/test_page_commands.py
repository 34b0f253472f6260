"""The commands page, shot and watch, and the options of audit that write a page."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from referee.cli import main
from referee.watching import Watched, check_folder
from vassalgen.problems import BadInput, Problem

pytestmark = pytest.mark.usefixtures("drawn_once")
HERE = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
BREACHES, CLEAN, NEXT, SAVE = (
    HERE / name for name in ("breaches.vlog", "clean.vlog", "next.vlog", "clean.vsav")
)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_an_audit_writes_its_page(tmp_path: Path) -> None:
    result = run("audit", BREACHES, "--page", tmp_path / "found.html")
    assert result.exit_code == 1
    made = (tmp_path / "found.html").read_text(encoding="utf-8")
    assert "<title>Audit of breaches.vlog: Postcard Tunisia 1943</title>" in made
    assert [path.name for path in tmp_path.iterdir()] == ["found.html"]


def test_a_save_and_logs_in_order_are_shown_on_a_page(tmp_path: Path) -> None:
    for sources in ((SAVE,), (CLEAN, NEXT)):
        target = tmp_path / "game.html"
        assert run("page", *sources, "-o", target).exit_code == 0
        assert '"audited":false' in target.read_text(encoding="utf-8")


def test_a_page_is_written_beside_its_log_unless_a_place_is_given(tmp_path: Path) -> None:
    shutil.copy(SAVE, tmp_path / "now.vsav")
    assert run("page", tmp_path / "now.vsav").output.strip() == str(tmp_path / "now.html")


def test_a_shot_shows_the_moves_of_its_step(tmp_path: Path) -> None:
    pixels = []
    for step in (20, 21):
        target = tmp_path / f"{step}.png"
        assert run("shot", BREACHES, "--step", str(step), "--scale", "0.25", "-o", target).exit_code == 0
        with Image.open(target) as image:
            pixels.append(image.convert("RGB").tobytes())
    assert pixels[0] != pixels[1]


def test_a_shot_of_a_save_shows_how_it_lies(tmp_path: Path) -> None:
    shutil.copy(SAVE, tmp_path / "now.vsav")
    assert run("shot", tmp_path / "now.vsav", "--scale", "0.1").exit_code == 0
    assert (tmp_path / "now-0.png").is_file()


def test_a_step_that_is_not_there_cannot_be_shown() -> None:
    result = run("shot", BREACHES, "--step", "210")
    assert result.exit_code == 2
    assert "there is no step 210: the last step is 89" in result.output


def test_every_log_in_a_watched_folder_gets_a_page_and_those_that_are_none_a_word(tmp_path: Path) -> None:
    shutil.copy(BREACHES, tmp_path)
    shutil.copy(BREACHES, tmp_path / "copy.vlog")
    (tmp_path / "half.vlog").write_bytes(CLEAN.read_bytes()[:2000])
    (tmp_path / "notes.txt").write_text("not a log", encoding="utf-8")
    result = run("watch", tmp_path, "--once")
    assert result.exit_code == 2
    assert result.stdout.count("18 illegal") == 1
    assert "copy.vlog: a copy of breaches.vlog" in result.stdout
    assert "half.vlog: damaged or cut short" in result.stderr
    assert len(list(tmp_path.glob("*.html"))) == 1


def test_a_log_whose_page_is_newer_is_not_audited_again(tmp_path: Path) -> None:
    shutil.copy(CLEAN, tmp_path / "game.vlog")
    assert "game.vlog" in run("watch", tmp_path, "--once").output
    assert run("watch", tmp_path, "--once").output == ""
    os.utime(tmp_path / "game.vlog", (2e9, 2e9))
    assert "game.vlog" in run("watch", tmp_path, "--once").output


def test_a_watched_log_is_audited_again_when_players_have_written_notes_about_it(tmp_path: Path) -> None:
    shutil.copy(BREACHES, tmp_path / "game.vlog")
    assert "18 illegal" in run("watch", tmp_path, "--once", "--notes", tmp_path).output
    assert run("watch", tmp_path, "--once", "--notes", tmp_path).output == ""
    notes = tmp_path / "game.notes"
    notes.write_text("step 3: agreed -- umpire\n", encoding="utf-8")
    os.utime(notes, (2e9, 2e9))
    assert "17 illegal" in run("watch", tmp_path, "--once", "--notes", tmp_path).output


def test_a_page_without_an_audit_shows_what_players_say(tmp_path: Path) -> None:
    notes, target = tmp_path / "game.notes", tmp_path / "game.html"
    notes.write_text("step 3: agreed -- umpire\n", encoding="utf-8")
    assert run("page", BREACHES, "--notes", notes, "-o", target).exit_code == 0
    assert '"says":"agreed","by":"umpire"' in target.read_text(encoding="utf-8")
    notes.write_text("step 999: agreed -- umpire\n", encoding="utf-8")
    result = run("page", BREACHES, "--notes", notes, "-o", target)
    assert result.exit_code == 2
    assert "line 1: breaches.vlog has no step 999" in result.output
    notes.write_text("step 3: die for nothing -- umpire\n", encoding="utf-8")
    result = run("page", BREACHES, "--notes", notes, "-o", target)
    assert result.exit_code == 2
    assert "line 1: no die was rolled in step 3" in result.output


def test_pages_go_where_they_are_wanted(tmp_path: Path) -> None:
    logs, pages = tmp_path / "logs", tmp_path / "pages"
    logs.mkdir()
    pages.mkdir()
    shutil.copy(CLEAN, logs)
    run("watch", logs, "--once", "--pages", pages)
    assert [path.name for path in pages.iterdir()] == ["clean.html"]


def test_a_file_counts_as_arrived_when_it_has_stopped_growing(tmp_path: Path) -> None:
    watched, log = Watched(tmp_path), tmp_path / "game.vlog"
    log.write_bytes(b"")
    assert list(watched.arrived()) == []
    for part in (b"one", b"two"):
        with log.open("ab") as file:
            file.write(part)
        assert list(watched.arrived()) == []
    assert list(watched.arrived()) == [log]
    assert list(watched.arrived()) == []


def test_one_log_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dealt: list[str] = []

    def deal_with(path: Path) -> None:
        dealt.append(path.name)
        if path.name == "a.vlog":
            raise BadInput(Problem("a.vlog", "", "is broken"))
        if path.name == "b.vlog":
            raise PermissionError(13, "Permission denied", str(path))

    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.vlog").write_bytes(b"log")
    watched = Watched(tmp_path)
    check_folder(watched, deal_with, at_once=True)
    check_folder(watched, deal_with, at_once=True)
    assert dealt == ["a.vlog", "b.vlog", "c.vlog", "b.vlog"]  # what may pass is tried again
    reported = capsys.readouterr().err
    assert (reported.count("a.vlog: is broken"), reported.count("Permission denied")) == (1, 1)


def test_watching_ends_with_ctrl_c_without_a_complaint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    result = run("watch", tmp_path, "--every", "3")
    assert (result.exit_code, result.output, slept) == (0, "", [3])
