"""Counted things in words."""

from __future__ import annotations


def count(number: int, one: str, many: str = "") -> str:
    """``1 piece``, ``2 pieces``, ``1,234 pieces``; ``many`` is the plural if it is not formed with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
