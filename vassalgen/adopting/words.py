"""Ids made of names, and texts of data files."""

from __future__ import annotations

import json
import re
import unicodedata

from attrs import field, frozen

_LONGEST = 40


def slug(name: str) -> str:
    """An id as like a name as an id can be: small letters and digits with hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST].strip("-") or "x"


@frozen
class Ids:
    """Ids that are given once each."""

    given: set[str] = field(factory=set)

    def new(self, name: str) -> str:
        """An id for a name, with a number behind it if another thing has it."""
        wanted = slug(name)
        found, number = wanted, 2
        while found in self.given:
            found, number = f"{wanted}-{number}", number + 1
        self.given.add(found)
        return found


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
