"""Ids made of names, and texts of data files."""

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
"""Names that Windows keeps for devices: no file can have one, whatever its ending."""


def slug(name: str) -> str:
    """An id as like a name as an id can be: small letters and digits with hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST].strip("-") or "x"


@frozen
class Ids:
    """Ids that are given once each, and that a file may have for its name."""

    given: set[str] = field(factory=set)

    def new(self, name: str) -> str:
        """An id for a name, with a number behind it if another thing has it."""
        wanted = slug(name)
        found, number = wanted, 2
        while found in self.given or found in _DEVICES:
            found, number = f"{wanted}-{number}", number + 1
        self.given.add(found)
        return found


@frozen
class FileNames:
    """Names of the files of one folder, which every system can hold and tells apart."""

    given: set[str] = field(factory=set)

    def new(self, name: str) -> str:
        """A name as like one from elsewhere as it can be, with a number in it if another file has it."""
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
    """An inline table of values that are TOML already."""
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items()) + " }"


def wrapped(words: list[str], width: int = 100) -> str:
    """Words as a TOML string, over several lines if they are many."""
    if sum(len(word) + 1 for word in words) <= width:
        return quoted(" ".join(words))
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return '"""\n  ' + "\n  ".join([*lines, line]) + '"""'
