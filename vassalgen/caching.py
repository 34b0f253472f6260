"""Pictures kept between builds, found again by what they were drawn from. The folder may be deleted."""

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
"""How many seconds a picture is kept that no build asks for."""


def usual_folder() -> Path:
    """The folder that the system has for such files."""
    return platformdirs.user_cache_path("vassalgen", appauthor=False)


@frozen
class Cache:
    """Files named after what they were made from; None as folder keeps nothing."""

    folder: Path | None = None

    def kept(self, made_from: object, make: Callable[[], bytes]) -> bytes:
        """What was made from this before, or is made now. A file that cannot be used is made again."""
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
        """Delete what no build has asked for in three months."""
        if self.folder is None:
            return
        with suppress(OSError):
            for file in self.folder.iterdir():
                if len(file.name) == 2 * _DIGEST and file.stat().st_mtime < time.time() - _KEPT:
                    file.unlink(missing_ok=True)


def fingerprint(value: object) -> str:
    """A name for a value as it is drawn: another for another value, and when the programs change."""
    return hashlib.sha256(f"{_program()}{_canonical(value)}".encode()).hexdigest()


@cache
def _program() -> str:
    """The programs that draw: their text, and the versions of what they use."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("pillow", "fonttools"):
        digest.update(version(name).encode())
    for folder in _CODE:
        for path in sorted((_PACKAGE / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(_PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _canonical(value: object) -> str:
    """A value as text, the same in every run. TypeError for what has no such text."""
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
    """The names of the fields of an attrs class, None for any other."""
    return tuple(one.name for one in attrs.fields(cls)) if attrs.has(cls) else None
