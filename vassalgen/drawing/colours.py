"""Colours made darker or lighter, or mixed; written `#rrggbb`."""

from __future__ import annotations

_LIGHT = {1: 0.2126, 3: 0.7152, 5: 0.0722}
"""How much red, green and blue add to the lightness of a colour, by their place in its text."""
_PALE = 0.35
"""The lightness (0 black, 1 white) from which white letters are hard to read."""


def mixed(colour: str, other: str, part: float) -> str:
    """Mix a colour with a share of another."""
    ours, theirs = ([int(one[place : place + 2], 16) for place in (1, 3, 5)] for one in (colour, other))
    found = (round(a + (b - a) * part) for a, b in zip(ours, theirs, strict=True))
    return "#" + "".join(f"{value:02x}" for value in found)


def shade(colour: str, by: float) -> str:
    """Make a colour darker (``by`` below 1) or lighter (above 1)."""
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    if by <= 1:
        mixed = [part * by for part in parts]
    else:
        mixed = [part + (255 - part) * (by - 1) * 2 for part in parts]
    return "#" + "".join(f"{min(255, max(0, round(part))):02x}" for part in mixed)


def legible_on(colour: str) -> str:
    """Return the ink for letters on a colour: white, or nearly black on pale colours."""
    light = sum(part * (int(colour[at : at + 2], 16) / 255) ** 2.2 for at, part in _LIGHT.items())
    return "#ffffff" if light < _PALE else "#1c1c1c"
