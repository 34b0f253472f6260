"""Pieces tied to other pieces. [counters.Attachment]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.compounds import CommandKind, CommandTarget, target
from vassalgen.vassal.scalars import INTEGER, Key
from vassalgen.vassal.traits.base import State, Trait

NOTHING, FOLLOW, ATTACH_ALL, REMOVE, CLEAR = "nothing", "follow", "attachAll", "remove", "clear"


@frozen(kw_only=True)
class AttachmentState(State):
    """The ids of the pieces it is attached to."""

    ids: tuple[str, ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        try:
            count = INTEGER.decode(tokens[0])
        except ValueError:
            count = 0
        return cls(ids=tuple(tokens[1 : 1 + max(0, count)]))

    def to_tokens(self) -> list[str]:
        return [str(len(self.ids)), *self.ids]


@frozen(kw_only=True)
class Attachment(Trait):
    """Attaches all pieces that pass ``target`` and ``match``, so that commands can reach them.

    ``on_attach`` (:data:`NOTHING`, :data:`FOLLOW`, :data:`ATTACH_ALL`) and ``on_detach`` (:data:`NOTHING`,
    :data:`REMOVE`) say what the other piece does; ``before_attach`` (:data:`CLEAR`, :data:`NOTHING`) what
    happens to earlier attachments.
    """

    CODE: ClassVar[str] = "attach;"
    STATE: ClassVar[type[State]] = AttachmentState
    name: str = records.text(required=True)
    description: str = records.text(required=True)
    attach_text: str = records.text("Attach to pieces")
    attach_key: Key | None = records.key()
    clear_all_text: str = records.text("Clear all attachments")
    clear_all_key: Key | None = records.key()
    match: str = records.match()
    restrict_range: bool = records.boolean()
    range: int = records.integer(1)
    fixed_range: bool = records.boolean(True)
    range_property: str = records.text()
    deck_count: str = records.text("-1")
    target: CommandTarget = target(CommandKind.COUNTER)
    clear_matching_text: str = records.text("Clear matching attachments")
    clear_matching_key: Key | None = records.key()
    clear_match: str = records.match()
    on_attach: str = records.text(NOTHING)
    on_detach: str = records.text(NOTHING)
    before_attach: str = records.text(CLEAR)
    allow_self: bool = records.boolean()
    auto_attach: bool = records.boolean(True)
