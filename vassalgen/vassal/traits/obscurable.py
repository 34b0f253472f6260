"""Masks: pieces whose face is hidden from others. [counters.Obscurable]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import attrs
from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records, scalars, sequences
from vassalgen.vassal.compounds import ACCESS, Access
from vassalgen.vassal.scalars import BOOLEAN, Codec, Key
from vassalgen.vassal.traits.base import State, Trait

INSET, BACKGROUND, PEEK, IMAGE = "I", "B", "P", "G"


@frozen
class MaskStyle:
    """How a masked piece looks to its owner.

    ``kind``: :data:`INSET` (a small mask in the corner), :data:`BACKGROUND` (the mask alone), :data:`PEEK`
    (the mask, lifted by ``peek_key``, or always where there is none) or :data:`IMAGE` (``image`` is what the
    others see).
    """

    kind: str = INSET
    peek_key: Key | None = None
    image: str = ""


def _decode_style(text: str) -> MaskStyle:
    if not text:
        raise FormatError("Obscurable: the style is empty", "I, B, P or G")
    kind, rest = text[0], text[1:]
    if kind == PEEK and rest:
        return MaskStyle(kind, Key.ctrl_character(rest) if len(rest) == 1 else scalars.decode_plain_key(rest))
    return MaskStyle(kind, image=rest if kind == IMAGE else "")


def _encode_style(style: MaskStyle) -> str:
    match style.kind:
        case "P":
            return PEEK + scalars.KEY.encode(style.peek_key)
        case "G":
            return IMAGE + style.image
    return style.kind


@frozen
class Unmasking:
    """Who besides the owner may unmask: ``override`` yes or no, None for the module's default; and players by
    their passwords.
    """

    override: bool | None = None
    players: tuple[str, ...] = attrs.field(default=(), repr=False)


def _decode_unmasking(text: str) -> Unmasking | None:
    if not text:
        return None
    tokens = sequences.decode(text, "|")
    try:
        count = scalars.INTEGER.decode(tokens[1])
    except (ValueError, IndexError):
        count = 0
    players = tuple(player for player in tokens[2 : 2 + max(0, count)] if player)
    return Unmasking(BOOLEAN.decode(tokens[0]) if tokens[0] else None, players)


def _encode_unmasking(unmasking: Unmasking | None) -> str:
    if unmasking is None:
        return ""
    override = "" if unmasking.override is None else BOOLEAN.encode(unmasking.override)
    return sequences.encode([override, str(len(unmasking.players)), *unmasking.players], "|")


@frozen(kw_only=True)
class ObscurableState(State):
    """Who masked the piece, None if it is not masked: a player's password or a side, as the access says.

    ``unmasking`` is present only if there is an owner.
    """

    owner: str | None = records.of(scalars.NULLABLE, None, private=True)
    unmasking: Unmasking | None = records.of(Codec(_decode_unmasking, _encode_unmasking), None)

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        state = super().from_tokens(tokens)
        return state if state.owner is not None else cls()


@frozen(kw_only=True)
class Obscurable(Trait):
    """A command that masks the piece: others see ``image`` and ``mask_name`` instead of everything inside it.

    ``auto_peek`` shows the owner the face under the pointer. ``deal_key`` masks the piece for the player or
    side that ``deal_expression`` names.
    """

    CODE: ClassVar[str] = "obs;"
    STATE: ClassVar[type[State]] = ObscurableState
    key: Key | None = records.key()
    image: str = records.text(required=True)
    text: str = records.text("Mask")
    style: MaskStyle = records.of(Codec(_decode_style, _encode_style), MaskStyle())
    mask_name: str = records.text("?")
    access: Access = records.of(ACCESS, Access())
    peek_text: str = records.text("Peek")
    description: str = records.text()
    auto_peek: bool = records.boolean(True)
    deal_key: Key | None = records.key()
    deal_expression: str = records.text()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        trait = super().from_tokens(tokens)
        if 3 < len(tokens) <= 8:  # from an older version, which did not show the face under the pointer
            return attrs.evolve(trait, auto_peek=False)
        return trait
