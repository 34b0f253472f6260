"""The readings of open questions that the data offer and these rules cannot judge by."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {}
"""By ruling. To adopt one of them is refused, so that nobody is judged by another reading unawares."""
