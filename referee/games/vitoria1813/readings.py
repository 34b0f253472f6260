"""Interpretations of open questions that the data offer and these rules do not support."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "stack-pace": ("own",),  # makes no difference: a unit that goes farther than its stack leaves it
    "rout-distance": ("five",),  # how far they run is left to the players [7.8f]
    "bridge-hex": ("adjacent",),  # from farther off a hex does not say which bridge is meant
}
