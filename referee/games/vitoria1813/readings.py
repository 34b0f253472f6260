"""Readings of open questions that the data offer and these rules cannot judge by."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "stack-pace": ("own",),
    "fired-turn": ("game-turn",),
    "rout-distance": ("five",),
    "bridge-hex": ("adjacent",),
}
