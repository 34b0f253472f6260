"""Decks. [counters.Deck]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import attrs
from attrs import frozen

from vassalgen.vassal import records, sequences
from vassalgen.vassal.compounds import PARAMETERS, CommandKind, CommandTarget, Parameter, target
from vassalgen.vassal.records import read_fields
from vassalgen.vassal.scalars import BLACK, BOOLEAN, TEXTS, Codec, Colour, Key, list_of
from vassalgen.vassal.traits.base import State, Trait

ALWAYS, NEVER, BY_MENU = "Always", "Never", "Via right-click Menu"


@frozen(kw_only=True)
class DeckState(State):
    """Where the deck is, whether it is face down, and the ids of its cards, the bottom one first.

    Cards are drawn from the end.
    """

    map: str | None = records.nullable()
    x: int = records.integer(0)
    y: int = records.integer(0)
    face_down: bool = records.of(BOOLEAN, False, required=True)
    ids: tuple[str, ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        here = len(cls.SPECS)
        ids = sequences.decode(tokens[here], ",") if len(tokens) > here else ()
        return cls(**read_fields(cls.SPECS, tokens, cls.__name__), ids=tuple(ids))

    def to_tokens(self) -> list[str]:
        cards = [sequences.encode(self.ids, ",")] if self.ids else []
        return [*super().to_tokens(), *cards]


@frozen(kw_only=True)
class DeckCommand(records.Record):
    """A global key command of a deck: ``key`` goes to its cards that pass ``match``.

    ``deck_count`` is how many of them; ``localized_text`` is ``text`` in the player's language.
    [map.DeckGlobalKeyCommand.encode]
    """

    DELIMITER: ClassVar[str] = "|"
    text: str = records.text()
    key: Key | None = records.key(Key.ctrl("A"))
    match: str = records.match()
    deck_count: str = records.text("0")
    report_format: str = records.text()
    localized_text: str = records.text()
    target: CommandTarget = target(CommandKind.DECK)
    report_single: bool = records.boolean(True)
    suppress_sounds: bool = records.boolean()
    parameters: tuple[Parameter, ...] = records.of(PARAMETERS, ())

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        command = super().from_tokens(tokens)
        return command if len(tokens) > 5 else attrs.evolve(command, localized_text=command.text)


def _decode_counts(text: str) -> tuple[str, ...]:
    return tuple(count for count in TEXTS.decode(text) if ":" in count)


@frozen(kw_only=True)
class Deck(Trait):
    """A deck as it was created; a refresh replaces it by the deck with the same ``name`` in the module.

    ``face_down`` and ``shuffle`` are :data:`ALWAYS`, :data:`NEVER` or :data:`BY_MENU`. ``counts`` are texts
    ``name:expression``. ``reshuffle_text`` and ``reshuffle_target`` send all cards to another deck. Lengths
    are pixels.
    """

    CODE: ClassVar[str] = "deck;"
    STATE: ClassVar[type[State]] = DeckState
    draw_outline: bool = records.boolean(True)
    outline_colour: Colour | None = records.colour(BLACK)
    width: int = records.integer(40)
    height: int = records.integer(40)
    face_down: str = records.text(ALWAYS)
    shuffle: str = records.text(ALWAYS)
    allow_multiple_draw: bool = records.boolean(True)
    allow_select_draw: bool = records.boolean(True)
    reversible: bool = records.boolean(True)
    reshuffle_text: str = records.text()
    reshuffle_target: str = records.text()
    reshuffle_format: str = records.text()
    name: str = records.text("deck")
    shuffle_format: str = records.text()
    reverse_format: str = records.text()
    face_down_format: str = records.text()
    draw_face_up: bool = records.boolean()
    can_be_saved: bool = records.boolean()
    shuffle_key: Key | None = records.key()
    reshuffle_key: Key | None = records.key()
    max_stack: int = records.integer(10)
    counts: tuple[str, ...] = records.of(Codec(_decode_counts, TEXTS.encode), ())
    expression_counting: bool = records.boolean()
    commands: tuple[DeckCommand, ...] = records.of(list_of(records.whole(DeckCommand), ","), ())
    key_on_empty: bool = records.boolean()
    empty_key: Key | None = records.key()
    select_format: str = records.text("$BasicName$")
    select_sort: str = records.text()
    restrict: bool = records.boolean()
    restrict_match: str = records.match()
    shuffle_text: str = records.text("Shuffle")
    reverse_text: str = records.text("Reverse")
    reverse_key: Key | None = records.key()
    draw_multiple_text: str = records.text("Draw multiple cards")
    draw_specific_text: str = records.text("Draw specific cards")
    face_up_text: str = records.text("Face up")
    face_down_text: str = records.text("Face down")
    face_up_key: Key | None = records.key()
    face_up_format: str = records.text()
    face_flip_key: Key | None = records.key()
    face_down_key: Key | None = records.key()
    save_text: str = records.text("Save Deck")
    save_key: Key | None = records.key()
    save_format: str = records.text("Deck Saved")
    load_text: str = records.text("Load Deck")
    load_key: Key | None = records.key()
    load_format: str = records.text("Deck Loaded")
    restrict_access: bool = records.boolean()
    owners: tuple[str, ...] = records.texts()
