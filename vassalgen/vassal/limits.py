"""Limits for files of unknown origin: bytes, entries, pixels, and the number of objects made from them."""

from __future__ import annotations

import re
from fractions import Fraction

from attrs import field, frozen
from attrs.validators import gt

from vassalgen.problems import FormatError

MB = 2**20
OPTION = "--limit"
"""The option with which users raise :attr:`Limits.total` in every command that reads archives."""

_UNITS = {"": 1, "K": 2**10, "M": MB, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d{1,12}(?:\.\d{1,6})?) *([KMGT]?)(?:I?B)?", re.IGNORECASE | re.ASCII)


_COUNTS = {
    "commands": "commands",
    "events": "events",
    "players": "players",
    "elements": "elements of XML",
    "attributes": "attributes of XML",
    "per_element": "attributes in one element",
}


@frozen
class Limits:
    """Limits for reading one file, including all archives inside it.

    ``total`` and ``ratio_from`` are bytes, ``ratio`` is unpacked to packed size and is checked only for
    entries that unpack to more than ``ratio_from``. Genuine saves of real games have ratios of up to 45, and
    one of them has 465 MB. The others limit the objects made from the bytes, before they are made:
    ``commands`` of streams, ``events`` of a replay (moving a stack counts all its pieces), ``players``
    (everyone identified by a password), ``elements`` of XML and their ``attributes``, ``per_element`` the
    attributes of one element. Genuine files have up to 7,835 commands, 9 players, 4,786 elements and 19,024
    attributes.
    """

    total: int = field(default=256 * MB, validator=gt(0))
    commands: int = field(default=40_000, validator=gt(0))
    events: int = field(default=400_000, validator=gt(0))
    players: int = field(default=200, validator=gt(0))
    elements: int = field(default=100_000, validator=gt(0))
    attributes: int = field(default=500_000, validator=gt(0))
    per_element: int = field(default=2_000, validator=gt(0))
    entries: int = field(default=50_000, validator=gt(0))
    ratio: int = field(default=64, validator=gt(0))
    ratio_from: int = field(default=16 * MB, validator=gt(0))
    image_pixels: int = field(default=90_000_000, validator=gt(0))
    all_image_pixels: int = field(default=2_000_000_000, validator=gt(0))

    @classmethod
    def trusting(cls, total: int) -> Limits:
        """The limits for a user who allows a file to unpack to ``total`` bytes, whatever its compression
        ratio. The other limits grow in proportion.
        """
        usual = cls()
        more = max(1, Fraction(total, usual.total))
        counts = {name: int(getattr(usual, name) * more) for name in _COUNTS}
        return cls(total=total, ratio_from=total, **counts)

    def allow_file(self, size: int, file: str) -> None:
        """Raise :exc:`FormatError` for a file that is larger than the unpacked total allowed for it."""
        if size > self.total:
            wrong = f"is {show_size(size)} large, the limit is {show_size(self.total)}"
            raise FormatError(wrong, f"if you trust it: {OPTION} {show_size(size)}", file=file)

    def count(self, what: str, number: int) -> None:
        """Raise :exc:`FormatError` if there are too many of something: commands, players, elements."""
        most = getattr(self, what)
        if number > most:
            needed = show_size(-(-number * USUAL.total // getattr(USUAL, what)))
            wrong = f"more than {most:,} {_COUNTS[what]}: {number:,}"
            raise FormatError(wrong, f"if you trust it: {OPTION} {needed}")

    def allow(self, total: int) -> None:
        """Raise :exc:`FormatError` if a file may not use ``total`` bytes of memory."""
        if total > self.total:
            needed = show_size(total)
            raise FormatError(
                f"unpacks to {needed}, the limit is {show_size(self.total)}",
                f"if you trust it: {OPTION} {needed}",
            )


USUAL = Limits()
"""The limits if the user does not set any."""


def parse_size(text: str) -> int:
    """The number of bytes in ``512MB``, ``1.5 GB``, ``2G`` or ``1000``; each unit is 1024 times the previous
    one. Raises :exc:`FormatError` for anything else, and for a size of less than one byte.
    """
    match = _SIZE.fullmatch(text.strip())
    size = int(float(match[1]) * _UNITS[match[2].upper()]) if match else 0
    if not size:
        raise FormatError(f"{text!r} is not a size", "a number and a unit, such as 512MB or 1GB")
    return size


def show_size(size: int) -> str:
    """A number of bytes for people, in whole units and rounded up: ``466MB``. :func:`parse_size` reads it."""
    for unit in ("", "K", "M", "G"):
        if size <= 9999:
            return f"{size}{unit}B"
        size = -(-size // 1024)
    return f"{size}TB"
