"""What both programs make of errors of the system."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

import referee.cli
import vassalgen.cli
from vassalgen.commandline import CLOSED_PIPE, UNREADABLE, LazyGroup

ROOT = Path(__file__).resolve().parents[1]


@click.command()
@click.argument("number", type=int)
@click.option("--file")
def fail(number: int, file: str | None) -> None:
    raise OSError(number, "closed", file)


PROGRAM = LazyGroup(name="program", commands_at={"fail": (f"{__name__}:fail", "Fails.")})


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EINVAL])
def test_output_that_is_read_no_further_ends_the_program_in_silence(
    number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "dup2", lambda *files: None)
    with pytest.raises(SystemExit) as end:  # Windows calls it an invalid argument
        PROGRAM.main(["fail", str(number)])
    assert end.value.code == CLOSED_PIPE
    assert capsys.readouterr().err == ""


class Closed(io.StringIO):
    """The output when its reader has closed it."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "closed")


def arguments() -> Sequence[tuple[click.Command, list[str]]]:
    programs = (vassalgen.cli.main, referee.cli.main)
    of_programs = [
        (main, [*name, "--help"]) for main in programs for name in ((), *((one,) for one in main.commands_at))
    ]
    wrong = [(main, ["--unknown"]) for main in programs]
    return of_programs + wrong


@pytest.mark.parametrize(("program", "words"), arguments(), ids=str)
def test_no_command_takes_a_closed_pipe_for_a_finding(
    program: click.Command, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "dup2", lambda *files: None)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, Closed())
    with pytest.raises(SystemExit) as end:
        program.main(words)
    assert end.value.code == CLOSED_PIPE


@pytest.mark.parametrize(
    "command",
    [
        "referee.cli rules postcard1943",
        "referee.cli audit tests/data/postcard1943/breaches.vlog",
        "referee.cli judge --json - tests/cases/postcard1943/terrain.record",
        "vassalgen.cli list",
        "tools.coverage postcard1943",
    ],
)
def test_a_closed_pipe_ends_a_program_in_silence(command: str) -> None:
    module, *words = command.split()
    run = f"import sys; from {module} import main; sys.argv[1:] = {words!r}; main()"
    program = subprocess.Popen(
        [sys.executable, "-c", run], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout and program.stderr
    program.stdout.close()
    errors = program.stderr.read()
    program.stderr.close()
    assert (program.wait(), errors) == (CLOSED_PIPE, b"")


def test_a_file_that_has_an_impossible_name_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    code = PROGRAM.main(["fail", str(errno.EINVAL), "--file", "con.toml"], standalone_mode=False)
    assert code == UNREADABLE
    assert capsys.readouterr().err == "con.toml: closed\n"


def test_a_report_is_not_written_over_a_module_or_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(Path(__file__).parent / "data" / "postcard1943" / "clean.vlog")
    module = tmp_path / "club.vmod"
    module.write_bytes(b"a module")
    with pytest.raises(SystemExit) as ended:
        referee.cli.main(["record", log, "-o", str(module)])
    assert ended.value.code == UNREADABLE
    assert "choose a name without .vmod" in " ".join(capsys.readouterr().err.split())
    assert module.read_bytes() == b"a module"
