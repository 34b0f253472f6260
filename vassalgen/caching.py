"""Pictures kept between builds, identified by the data they were drawn from. The folder may be deleted."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import attrs
import platformdirs
from attrs import frozen

from vassalgen.problems import BadInput
from vassalgen.vassal.archives import replace_file

_PACKAGE = Path(__file__).parent
_CODE = ("drawing", "game", "parts")
_DIGEST = 32
_KEPT = 90 * 24 * 3600
"""How many seconds a picture is kept without being used by a build."""


def usual_folder() -> Path:
    """The operating system's usual folder for caches."""
    return platformdirs.user_cache_path("vassalgen", appauthor=False)


@frozen
class Cache:
    """Files named after the data that they were made from; with None as folder nothing is kept."""

    folder: Path | None = None

    def kept(self, made_from: object, make: Callable[[], bytes]) -> bytes:
        """Return the cached result for this input, or make it and keep it. A damaged file is replaced."""
        if self.folder is None:
            return make()
        file = self.folder / fingerprint(made_from)
        with suppress(OSError):
            found = file.read_bytes()
            if hashlib.sha256(found[_DIGEST:]).digest() == found[:_DIGEST]:
                file.touch()
                return found[_DIGEST:]
        content = make()
        with suppress(OSError, BadInput):
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(file, hashlib.sha256(content).digest() + content)
        return content

    def prune(self) -> None:
        """Delete the files that no build has used for three months."""
        if self.folder is None:
            return
        with suppress(OSError):
            for file in self.folder.iterdir():
                if len(file.name) == 2 * _DIGEST and file.stat().st_mtime < time.time() - _KEPT:
                    file.unlink(missing_ok=True)


def fingerprint(value: object) -> str:
    """A hash of a value as it is drawn; it changes with the value and with the version of the programs."""
    return hashlib.sha256(f"{_program()}{_canonical(value)}".encode()).hexdigest()


@cache
def _program() -> str:
    """The programs that draw: their source, and the versions of their libraries."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("pillow", "fonttools"):
        digest.update(version(name).encode())
    for folder in _CODE:
        for path in sorted((_PACKAGE / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(_PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _canonical(value: object) -> str:
    """A value as text that is the same in every run. TypeError if there is no such text."""
    cls: type = type(value)
    if cls is str or cls is int or cls is float:
        return repr(value)
    if (fields := _fields(cls)) is not None:
        return f"{cls.__name__}({','.join([_canonical(getattr(value, name)) for name in fields])})"
    match value:
        case Mapping():
            return f"{{{','.join([f'{_canonical(key)}:{_canonical(one)}' for key, one in value.items()])}}}"
        case tuple() | list():
            return f"[{','.join([_canonical(one) for one in value])}]"
        case frozenset() | set():
            return f"<{','.join(sorted([_canonical(one) for one in value]))}>"
        case None | bool() | int() | float() | str() | bytes() | Path():
            return repr(value)
    raise TypeError(f"{cls.__name__} has no text that is the same in every run")


@cache
def _fields(cls: type) -> tuple[str, ...] | None:
    """The names of the fields of an attrs class; None for other classes."""
    return tuple(one.name for one in attrs.fields(cls)) if attrs.has(cls) else None
