"""A breach as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.rulings import Breach
from referee.engine.wording import facts_in_words
from vassalgen.game.game import Game

NOT_JUDGED = "could not be judged, internal error"


def breach_words(breach: Breach, game: Game) -> Iterator[str]:
    """Return a breach in words: what is wrong, its facts, the clause in our own words, the source of the
    data.
    """
    yield f"{breach.grade.name} {breach.clause}: {breach.says}"
    facts = "; ".join(f"{name}: {value}" for name, value in facts_in_words(breach.facts, game))
    if facts:
        yield f"  facts: {facts}"
    yield f"  rule: {game.rule(breach.clause)}"
    yield f"  data: {breach.provenance}"


def breach_json(breach: Breach, game: Game) -> dict[str, Any]:
    """Return a breach as plain values for JSON; fractions become text."""
    facts = {
        name: list(value)
        if isinstance(value, tuple)
        else value
        if isinstance(value, int | str)
        else str(value)
        for name, value in breach.facts.items()
    }
    return {
        "grade": breach.grade.name,
        "clause": breach.clause,
        "says": breach.says,
        "facts": facts,
        "facts_in_words": [list(one) for one in facts_in_words(breach.facts, game)],
        "rule": game.rule(breach.clause),
        "provenance": str(breach.provenance),
    }
