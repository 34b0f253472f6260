"""What is read is never overwritten, and what keeps nothing is written to, not replaced."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main as referee
from vassalgen.cli import main as vassalgen
from vassalgen.problems import BadInput
from vassalgen.vassal.archives import replace_file

DATA = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
CLEAN = DATA / "clean.vlog"
ALDER = Path(__file__).resolve().parents[2] / "vassalgen" / "starters" / "alder"
posix = pytest.mark.skipif(sys.platform == "win32", reason="of Unix alone")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(referee, [str(word) for word in words])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return Path(shutil.copy(CLEAN, tmp_path / "same.html"))


@pytest.mark.parametrize(
    "words",
    [
        ["page"],
        ["page", "-o", "LOG"],
        ["shot", "-o", "LOG"],
        ["record", "-o", "LOG"],
        ["audit", "--json", "LOG"],
        ["audit", "--page", "LOG"],
        ["audit", "--record", "LOG"],
        ["audit", "--record", "LINK"],
        ["audit", "--record", "OTHER"],
    ],
    ids=" ".join,
)
def test_an_output_that_is_an_input_is_refused(words: list[str], log: Path) -> None:
    link = log.with_name("link")
    link.symlink_to(log)
    names = {"LOG": log, "LINK": link, "OTHER": log.parent / "." / ".." / log.parent.name / log.name}
    result = run(words[0], log, *(names.get(word, word) for word in words[1:]))
    assert result.exit_code == 2
    assert "the output would overwrite an input" in result.stderr
    assert log.read_bytes() == CLEAN.read_bytes()


def test_two_outputs_that_are_one_are_refused(log: Path) -> None:
    out = log.with_name("out")
    result = run("audit", log, "--json", out, "--page", out)
    assert result.exit_code == 2
    assert "two outputs have the same name" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["vassalgen", "inspect", "club.vmod", "--json", "OUT"], "club.vmod"),
        (["vassalgen", "inspect", "club.vmod!buildFile.xml", "--json", "OUT"], "club.vmod"),
        (["vassalgen", "migrate", "same.html", "--to", "club.vmod", "-o", "OUT"], "same.html"),
        (["vassalgen", "migrate", "same.html", "--to", "club.vmod", "-o", "OUT"], "club.vmod"),
        (["vassalgen", "build", "alder", "-o", "OUT"], "alder/counters.csv"),
        (["vassalgen", "adopt", "club.vmod", "-o", "OUT"], "alder"),
        (["referee", "judge", "alder/cases.record", "--json", "OUT"], "alder/cases.record"),
        (["referee", "map", "club.vmod", "--game", "postcard1943", "-o", "OUT"], "club.vmod"),
        (["referee", "map", "club.vmod", "--like", "club.map.toml", "-o", "OUT"], "club.map.toml"),
        (["referee", "audit", "same.html", "--map", ".", "--record", "OUT"], "club.map.toml"),
        (["referee", "audit", "same.html", "--map", "club.map.toml", "--page", "OUT"], "club.vmod"),
        (["referee", "audit", "same.html", "--game", "alder", "--json", "OUT"], "alder/game.toml"),
        (["referee", "audit", "same.html", "--data", "alder", "--json", "OUT"], "alder/game.toml"),
        (["referee", "audit", "same.html", "--notes", "n.notes", "--questions", "OUT"], "n.notes"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else words,
)
def test_nothing_that_a_command_reads_is_overwritten(
    words: list[str], output: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clubs = DATA.parent / "clubs"
    for kind in ("vmod", "map.toml"):
        shutil.copy(clubs / f"harbour.{kind}", log.with_name(f"club.{kind}"))
    shutil.copytree(ALDER, log.with_name("alder"))
    log.with_name("n.notes").write_text("step 3: taken back -- both\n", encoding="utf-8")
    monkeypatch.chdir(log.parent)
    path = log.parent / output
    before = path.read_bytes() if path.is_file() else b""
    main = vassalgen if words[0] == "vassalgen" else referee
    result = CliRunner().invoke(main, [word.replace("OUT", output) for word in words[1:]])
    assert result.exit_code == 2
    assert "would overwrite an input" in result.stderr or "is not empty" in result.stderr
    assert not path.is_file() or path.read_bytes() == before


@posix
def test_a_module_is_no_place_for_a_record(log: Path, tmp_path: Path) -> None:
    module = tmp_path / "game.vmod"
    module.write_bytes(b"PK")
    assert (
        "the output would overwrite an input" in run("record", log, "--module", module, "-o", module).stderr
    )


@posix
def test_devices_are_written_to(log: Path) -> None:
    assert run("audit", log, "--json", "/dev/null", "--page", "/dev/null").exit_code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@posix
@pytest.mark.parametrize("into_a_file", [True, False])
def test_standard_output_may_be_named_as_a_file(log: Path, tmp_path: Path, into_a_file: bool) -> None:
    command = [sys.executable, "-m", "referee", "audit", str(log), "--json", "/dev/stdout"]
    if into_a_file:
        with (tmp_path / "out.txt").open("wb") as out:
            subprocess.run(command, stdout=out, check=True)
        output = (tmp_path / "out.txt").read_text(encoding="utf-8")
    else:
        output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    assert output.startswith("{")
    assert output.rstrip().endswith("8 of 8 rolls.")


@posix
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    replace_file(pipe, b"content")
    reader.join(10)
    assert found == [b"content"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_file_that_is_written_again_is_for_those_it_was_for(tmp_path: Path) -> None:
    mine = tmp_path / "audit.html"
    mine.write_bytes(b"old")
    mine.chmod(0o600)
    replace_file(mine, b"new")
    assert (mine.read_bytes(), stat.S_IMODE(mine.stat().st_mode)) == (b"new", 0o600)


@posix
def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link.symlink_to(target)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["target"]


@posix
def test_what_somebody_put_in_the_place_of_the_part_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious, out = tmp_path / "precious", tmp_path / "out"
    replace_file(out, b"1")
    precious.write_bytes(b"precious")
    monkeypatch.setattr("secrets.token_hex", lambda size: "guessed")
    (tmp_path / ".guessed.part").symlink_to(precious)
    before = set(tmp_path.iterdir())
    with pytest.raises(BadInput, match="cannot be written"):
        replace_file(out, b"2")
    assert (out.read_bytes(), precious.read_bytes()) == (b"1", b"precious")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["x" * 250, "a\0b", "none/out"])
def test_what_cannot_be_written_is_bad_input_and_a_long_name_is_none(name: str, tmp_path: Path) -> None:
    if len(name) == 250:
        replace_file(tmp_path / name, b"1")
        return
    with pytest.raises(BadInput, match="cannot be written"):
        replace_file(tmp_path / name, b"1")
