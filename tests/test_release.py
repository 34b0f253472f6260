"""``tools/release.py``: what a release needs."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from tools import release
from vassalgen.game.finding import shipped_games

LOG = """# Changes

## 1.1.0

- New.

## 1.0.0 (January 2026)

- First.
- Second.

## 0.9.0
"""


def test_notes_are_the_section_of_the_version() -> None:
    assert release.notes(LOG, "1.1.0") == "- New.\n"
    assert release.notes(LOG, "1.0.0") == "- First.\n- Second.\n"


@pytest.mark.parametrize("number", ["0.9.0", "2.0.0", "1.0"])
def test_a_version_without_notes_is_not_released(number: str) -> None:
    with pytest.raises(SystemExit, match=f"no notes for version {number}"):
        release.notes(LOG, number)


def test_the_present_version_has_notes() -> None:
    assert release.notes((release.ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), release.version())


def test_a_release_holds_packages_modules_notes_and_checksums_of_all(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    folder = tmp_path / "release"
    release.release(folder)
    names = {path.name for path in folder.iterdir()}
    number = release.version()
    assert {f"vassalgen-{number}-py3-none-any.whl", f"vassalgen-{number}.tar.gz", "NOTES.md"} <= names
    modules = [path for path in folder.iterdir() if path.suffix == ".vmod"]
    assert {path.name.partition("-")[0] for path in modules} == set(shipped_games())
    assert all("buildFile.xml" in zipfile.ZipFile(path).namelist() for path in modules)
    lines = [line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines()]
    sums = {name: digest for digest, name in lines}
    assert set(sums) == names - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    wheel = zipfile.ZipFile(folder / f"vassalgen-{number}-py3-none-any.whl").namelist()
    assert all(f"vassalgen/modules/{name}/game.toml" in wheel for name in shipped_games())
