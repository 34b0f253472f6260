"""Readings of open questions that the data offer and these rules cannot judge by."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "reveal-moment": ("at-once",),
    "tactical-modifier": ("value",),
    "stack-pace": ("own",),
    "stepping-back": ("only",),
    "displaced": ("all",),
    "fired-turn": ("game-turn",),
    "rounding": ("terrain-first",),
    "ends-of-table": ("none",),
    "shared-loss": ("even",),
    "retreat-step": ("each",),
    "peace": ("player-turn",),
    "rout-distance": ("five",),
    "pursuit-charge": ("always",),
    "bridge-hex": ("adjacent",),
}
