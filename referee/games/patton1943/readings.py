"""Readings of open questions that the data offer and these rules cannot judge by, and why not."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, Mapping[str, str]] = {
    "involved-assets": {"named": "neither a log nor a record shows which assets a defender names"},
}
"""By ruling and reading. Adopting one is refused, so that no player is judged in another interpretation
unawares.
"""
