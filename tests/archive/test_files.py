"""What is found in the folders of a club."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.archive.files import find_files
from vassalgen.vassal.limits import Limits


def test_a_folder_that_cannot_be_read_is_said_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.vlog").write_bytes(b"!VCSK00")
    scan = os.scandir

    def scandir(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = {
        Path(path).relative_to(tmp_path).as_posix(): [one.wrong for one in seen.files]
        for path, seen in find_files([tmp_path], {}, Limits()).items()
    }
    assert found == {"closed": ["cannot be read: Permission denied"], "open/game.vlog": [""]}


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_a_link_to_a_folder_is_not_gone_into(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "game.vlog").write_bytes(b"!VCSK00")
    (tmp_path / "logs" / "round").symlink_to(tmp_path / "logs")
    assert [Path(path).name for path in find_files([tmp_path], {}, Limits())] == ["game.vlog"]
