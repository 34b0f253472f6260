"""What both programs make of errors of the system."""

from __future__ import annotations

import errno
import sys

import click
import pytest

from vassalgen.commandline import UNREADABLE, LazyGroup


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
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # click replaces both
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    with pytest.raises(SystemExit):  # Windows calls it an invalid argument
        PROGRAM.main(["fail", str(number)], standalone_mode=False)
    assert capsys.readouterr().err == ""


def test_a_file_that_has_an_impossible_name_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    code = PROGRAM.main(["fail", str(errno.EINVAL), "--file", "con.toml"], standalone_mode=False)
    assert code == UNREADABLE
    assert capsys.readouterr().err == "con.toml: closed\n"
