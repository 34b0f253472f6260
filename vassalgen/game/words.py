"""What is always true of a counter, in the words that conditions use."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.counters import Counter
from vassalgen.game.game import Game


def counter_words(game: Game, counter: Counter) -> Iterator[str]:
    """Yield the words of a counter: its kind, side, nation, size, symbol, formations, flags, words, texts.

    A size or symbol that is the name of another kind of counter is no word: that means the kind.
    """
    yield from (counter.id, counter.kind, counter.side, counter.nation)
    yield from (word for word in (counter.size, counter.symbol) if word not in game.kinds)
    yield from formations_of(game, counter)
    for column in game.columns.values():
        if column.type == "flag" and counter.extra.flag(column.id, False):
            yield column.id
        elif column.type == "words":
            yield from counter.extra.words(column.id, ())
        elif column.type == "text" and (text := counter.extra.text(column.id, "")):
            yield text


def formations_of(game: Game, counter: Counter) -> Iterator[str]:
    """Yield the formation of a counter, and the formations that it is part of."""
    formation = counter.formation
    while formation in game.formations:
        yield formation
        formation = game.formations[formation].part_of


def likeness(counter: Counter, alike: str) -> str:
    """Return what counters must have in common: nation, formation, kind, or the text of a column."""
    own = {"nation": counter.nation, "formation": counter.formation, "kind": counter.kind}
    return own[alike] if alike in own else str(counter.extra.get(alike) or "")
