"""Helpers for readable lines: plurals, shortened lists, texts that cannot harm a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import TypeVar

from attrs import define

from vassalgen.plurals import count

T = TypeVar("T")

WIDTH = 100
"""Lines are wrapped at this width, whatever the terminal, so that outputs can be compared."""
NAMES = 20
"""How many names of a kind are listed, unless all are requested."""
LINES = 10
"""How many things that take a line each are listed."""

LONGEST_PLACE = 70

_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""A text on one line: line breaks, terminal codes and the like as ``\n``, ``\x1b``."""
    return _HARMFUL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def alike(items: Iterable[str]) -> list[str]:
    """A list in which identical items appear once: ``Infantry × 3``."""
    counts: dict[str, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return [item if number == 1 else f"{item} × {number}" for item, number in counts.items()]


@define
class Lister:
    """Shortens lists unless ``everything`` is requested, and records whether it did."""

    everything: bool = False
    cut_short: bool = False

    def some(self, items: Sequence[T], shown: int = LINES) -> tuple[Sequence[T], int]:
        """The items to show, and the number of others."""
        if self.everything or len(items) <= shown:
            return items, 0
        self.cut_short = True
        return items[:shown], len(items) - shown

    def sentence(self, items: Sequence[str], shown: int = NAMES) -> str:
        """The items with commas between them."""
        first, others = self.some(items, shown)
        return ", ".join((*first, f"and {others:,} more") if others else first)

    def place(self, place: str) -> str:
        """A place in a build file; only the beginning and the end of a long one."""
        steps = place.split(" > ")
        if self.everything or len(place) <= LONGEST_PLACE or len(steps) <= 3:
            return place
        return " > ".join((steps[0], "…", *steps[-2:]))


def paragraph(text: str, indent: str, hanging: str = "") -> list[str]:
    """A text wrapped into lines."""
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + (hanging or "  "),
        break_long_words=False,
        break_on_hyphens=False,
    )


def size(number: int) -> str:
    """A number of bytes: ``812 bytes``, ``29 kB``, ``1.4 MB``."""
    if number < 1000:
        return count(number, "byte")
    if number < 1_000_000:
        return f"{number / 1000:.0f} kB"
    return f"{number / 1_000_000:.1f} MB"
