"""Why some clauses cannot be broken in a log, and why an audit does not find all that a mutator does."""

from __future__ import annotations

SCORED = (
    "the module has no way to claim a victory; who won is reckoned from the position, and judged in records"
)
UNBROKEN = {"win.1": SCORED, "win.2": SCORED}

EXPLAINED: dict[str, str] = {}
