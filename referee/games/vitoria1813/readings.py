"""Interpretations of open questions that the data offer and these rules do not support."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "stack-pace": ("own",),  # makes no difference: a unit that goes farther than its stack leaves it
    "rout-distance": ("five",),  # the players decide how far they move [7.8f]
    "bridge-hex": ("adjacent",),  # from farther away a hex does not show which bridge is meant
}
