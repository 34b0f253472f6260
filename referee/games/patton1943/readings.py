"""Readings of open questions that the data offer and these rules cannot judge by."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "last-turn": ("player-turns",),
    "turn-marker": ("player-turn",),
    "riding-assets": ("on-the-way",),
    "involved-assets": ("named",),
    "breakthrough-moment": ("any-time",),
    "no-battlegroup": ("stays",),
    "one-step-air": ("box",),
    "reduced-twin": ("out",),
}
