"""Files that ``referee replay`` cannot use: one line with the file and the place, and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from vassalgen.vassal import archives

SKIRMISH = Path(__file__).parents[1] / "data" / "skirmish"
LOG = str(SKIRMISH / "skirmish.vlog")
EXTENSION = b'<VASSAL.build.module.ModuleExtension extensionId="a1" module="Skirmish"/>'


def refused(*arguments: str | Path) -> str:
    """The output of a replay that ends with exit code 2."""
    result = CliRunner().invoke(main, ["replay", *map(str, arguments)])
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.removesuffix("\n")


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere.vlog"
    assert refused(missing) == f"{missing}: cannot be read: No such file or directory"


def test_a_folder_for_a_log(tmp_path: Path) -> None:
    said = refused(tmp_path)
    assert said.startswith(f"{tmp_path}: cannot be read: ")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("build_file", "wrong"),
    [
        (b"<VASSAL.build.GameModule>", "line 1: not well-formed XML"),
        (EXTENSION, "the root element is VASSAL.build.module.ModuleExtension"),
    ],
    ids=["a broken build file", "an extension"],
)
def test_a_module_that_is_none(tmp_path: Path, build_file: bytes, wrong: str) -> None:
    path = tmp_path / "odd.vmod"
    path.write_bytes(archives.pack([("buildFile.xml", build_file)]))
    said = refused(LOG, "--module", path)
    assert said.startswith(f"{path}: buildFile.xml")
    assert wrong in said
    assert said.count("buildFile.xml") == 1


def test_a_build_file_beyond_the_limit_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "big.vmod"
    path.write_bytes(archives.pack([("buildFile.xml", b"<VASSAL.build.GameModule>" + b" " * 2**20)]))
    said = refused(LOG, "--module", path, "--limit", "1MB")
    assert said.count("buildFile.xml") == 1
    assert "--limit" in said
