"""Folders that are written completely or not at all: new ones, or empty ones that are filled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from vassalgen.problems import BadInput, Problem


def check_free(folder: Path) -> None:
    """Raise BadInput if a folder exists and is not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        wrong = "is not empty" if folder.is_dir() else "is a file"
        raise BadInput(Problem(str(folder), "", wrong, "name a new folder, or an empty one"))


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by their paths with slashes, into a folder that is new or empty.

    All files appear together, or none. BadInput if they cannot be written.
    """
    try:
        is_new = not folder.exists()
        beside = folder.parent if is_new else folder
        beside.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".part-", dir=beside) as part:
            made = Path(part) / "made"
            made.mkdir()
            for name, content in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            if is_new:
                made.rename(folder)
                return
            for one in made.iterdir():  # the folder stays: it may be the one that the user is in
                one.rename(folder / one.name)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadInput(Problem(str(folder), "", f"cannot be written ({reason})"), passing=True) from None
