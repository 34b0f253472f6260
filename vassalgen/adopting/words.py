"""Ids made from names, and texts of data files."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import PurePosixPath

from attrs import field, frozen

_LONGEST = 40
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)
"""Device names reserved by Windows: no file can have such a name, whatever its extension."""


def slug(name: str) -> str:
    """An id similar to a name: lower-case letters and digits, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST].strip("-") or "x"


@frozen
class Ids:
    """Ids that are unique and valid as file names."""

    given: set[str] = field(factory=set)

    def new(self, name: str) -> str:
        """An id for a name, with a number at the end if the id is already taken."""
        wanted = slug(name)
        found, number = wanted, 2
        while found in self.given or found in _DEVICES:
            found, number = f"{wanted}-{number}", number + 1
        self.given.add(found)
        return found


@frozen
class FileNames:
    """Unique file names for one folder that are valid on every operating system."""

    given: set[str] = field(factory=set)

    def new(self, name: str) -> str:
        """A name similar to the given one, with a number in it if that name is already taken."""
        plain = re.sub(r"[^\w. -]", "_", unicodedata.normalize("NFC", name)).strip(". ") or "page"
        if plain.partition(".")[0].rstrip().lower() in _DEVICES:
            plain = f"_{plain}"
        found, number = PurePosixPath(plain), 2
        while found.name.casefold() in self.given:
            found, number = found.with_stem(f"{PurePosixPath(plain).stem}-{number}"), number + 1
        self.given.add(found.name.casefold())
        return found.name


_HIDDEN = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]+")


def quoted(text: str) -> str:
    """A text as a TOML string on one line."""
    return json.dumps(_HIDDEN.sub(" ", text).strip(), ensure_ascii=False)


def inline(values: dict[str, str]) -> str:
    """An inline table of values that are already TOML."""
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items()) + " }"


def wrapped(words: list[str], width: int = 100) -> str:
    """Words as a TOML string, wrapped over several lines if there are many."""
    if sum(len(word) + 1 for word in words) <= width:
        return quoted(" ".join(words))
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return '"""\n  ' + "\n  ".join([*lines, line]) + '"""'
