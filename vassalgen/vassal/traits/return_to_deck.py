"""Commands that return a card to a deck. [counters.ReturnToDeck]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import attrs
from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import INTEGER, Key
from vassalgen.vassal.traits.base import Trait

VERSION = 2


@frozen(kw_only=True)
class ReturnToDeck(Trait):
    """A command that puts the piece on a deck: the one that ``deck_expression`` names or, if ``ask``, one
    that the player chooses after ``prompt``. ``deck`` is the field of versions before 2; the newer fields are
    filled from it when reading.
    """

    CODE: ClassVar[str] = "return;"
    text: str = records.text(required=True)
    key: Key | None = records.key()
    deck: str = records.text()
    prompt: str = records.text("Select destination")
    description: str = records.text()
    version: int = records.of(INTEGER, VERSION, missing=0)
    ask: bool = records.boolean(True)
    deck_expression: str = records.text()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        trait = super().from_tokens(tokens)
        if trait.version >= VERSION:
            return attrs.evolve(trait, version=VERSION)
        return attrs.evolve(trait, version=VERSION, ask=not trait.deck, deck_expression=trait.deck)
