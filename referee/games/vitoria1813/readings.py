"""Readings of open questions that the data offer and these rules cannot judge by."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "stack-pace": ("own",),  # makes no difference: who goes farther than his stack parts from it
    "rout-distance": ("five",),  # how far they run is the players' affair [7.8f]
    "bridge-hex": ("adjacent",),  # from farther off a hex does not say which bridge is meant
}
