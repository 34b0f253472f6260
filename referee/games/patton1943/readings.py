"""Interpretations of open questions that the data offer and these rules do not support, with the reason."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, Mapping[str, str]] = {
    "involved-assets": {"named": "neither a log nor a record shows which assets a defender names"},
}
"""By question and interpretation. Choosing one is refused, so that no player is judged by another
interpretation than the chosen one.
"""
