"""Values of several fields that are one token of a record, and the codecs that read and write them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, TypeVar

import attrs
from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records, sequences
from vassalgen.vassal.records import Record
from vassalgen.vassal.scalars import TEXTS, Codec, Key, list_of

E = TypeVar("E", bound=StrEnum)


def word_of(words: type[E]) -> Codec[E]:
    """Return the codec of a word from a closed list; VASSAL accepts no others."""

    def decode(text: str) -> E:
        if not text:
            raise ValueError("no word")
        try:
            return words(text)
        except ValueError:
            raise FormatError(f"{text!r} is unknown", "one of " + ", ".join(words)) from None

    return Codec(decode, str)


@frozen(kw_only=True)
class Constraints(Record):
    """The values that a property may take: numbers between two bounds, optionally wrapping around.
    [counters.DynamicProperty.encodeConstraints]
    """

    DELIMITER: ClassVar[str] = ","
    numeric: bool = records.boolean()
    minimum: int = records.integer(0)
    maximum: int = records.integer(100)
    wrap: bool = records.boolean()


@frozen
class SetTo:
    """Set a property to the value of an expression."""

    value: str = "new value"


@frozen
class AddTo:
    """Add a number, or the value of an expression, to a property."""

    increment: str = "1"


@frozen
class Ask:
    """Ask the player for the new value."""

    prompt: str = "Enter new value"


@frozen
class Choose:
    """Ask the player to choose the new value from a list."""

    prompt: str = "Select new value"
    choices: tuple[str, ...] = ()


Change = SetTo | AddTo | Ask | Choose
"""How a command changes a property. [configure.PropertyChangerConfigurer]"""


def _decode_change(text: str) -> Change:
    code, *rest = sequences.decode(text, ",")
    match code[:1]:
        case "I":
            return AddTo(*rest[:1])
        case "R":
            return Ask(*rest[:1])
        case "E":
            prompt = rest[0] if rest else Choose().prompt
            return Choose(prompt, TEXTS.decode(rest[1]) if len(rest) > 1 else ())
        case _:
            return SetTo(*rest[:1])


def _encode_change(change: Change) -> str:
    match change:
        case SetTo(value):
            tokens = ["P", value]
        case AddTo(increment):
            tokens = ["I", increment]
        case Ask(prompt):
            tokens = ["R", prompt]
        case Choose(prompt, choices):
            tokens = ["E", prompt, TEXTS.encode(choices)]
    return sequences.encode(tokens, ",")


CHANGE: Codec[Change] = Codec(_decode_change, _encode_change)


@frozen(kw_only=True)
class PropertyCommand(Record):
    """A command that changes a property: its menu text, its key, and the change.

    [configure.DynamicKeyCommandConfigurer]
    """

    DELIMITER: ClassVar[str] = ":"
    text: str = records.text()
    key: Key | None = records.key()
    change: Change = records.of(CHANGE, SetTo())


PROPERTY_COMMANDS: Codec[tuple[PropertyCommand, ...]] = list_of(records.whole(PropertyCommand), ",")
"""A list of commands that change a property. [configure.DynamicKeyCommandListConfigurer]"""


@frozen(kw_only=True)
class Parameter(Record):
    """A property and the value given to it. [configure.Parameter]"""

    DELIMITER: ClassVar[str] = ":"
    name: str = records.text()
    value: str = records.text()


PARAMETERS: Codec[tuple[Parameter, ...]] = list_of(records.whole(Parameter), ",")
"""Properties to set before a command is sent. [configure.ParameterListConfigurer]"""


class CommandKind(StrEnum):
    """The component or trait that sends a global key command. [counters.GlobalCommandTarget.GKCtype]"""

    COUNTER = "COUNTER"
    MAP = "MAP"
    MODULE = "MODULE"
    DECK = "DECK"


class TargetPlace(StrEnum):
    """Where a global key command looks for pieces. [counters.GlobalCommandTarget.Target]"""

    MAP = "MAP"
    ZONE = "ZONE"
    LOCATION = "LOCATION"
    XY = "XY"
    DECK = "DECK"
    CURRENT_STACK = "CURSTACK"
    CURRENT_MAP = "CURMAP"
    CURRENT_ZONE = "CURZONE"
    CURRENT_LOCATION = "CURLOC"
    CURRENT_MAT = "CURMAT"
    CURRENT_ATTACHMENT = "CURATTACH"


class Comparison(StrEnum):
    """How a property is compared. [counters.CompareMode]"""

    EQUALS = "EQUALS"
    NOT_EQUALS = "NOT_EQUALS"
    GREATER = "GREATER"
    GREATER_EQUALS = "GREATER_EQUALS"
    LESS = "LESS"
    LESS_EQUALS = "LESS_EQUALS"
    MATCH = "MATCH"
    NOT_MATCH = "NOT_MATCH"


@frozen(kw_only=True)
class CommandTarget(Record):
    """The quick filter of a global key command ("fast match"): a place, a property, or both.

    ``kind`` depends on the owner of the command. ``by_place`` and ``by_property`` turn the two filters on;
    names, coordinates and values are expressions. [counters.GlobalCommandTarget.encode]
    """

    DELIMITER: ClassVar[str] = "|"
    kind: CommandKind = records.of(word_of(CommandKind), CommandKind.MAP)
    by_place: bool = records.boolean()
    place: TargetPlace = records.of(word_of(TargetPlace), TargetPlace.MAP)
    map: str = records.text()
    board: str = records.text()
    zone: str = records.text()
    location: str = records.text()
    x: str = records.text("0")
    y: str = records.text("0")
    deck: str = records.text()
    by_property: bool = records.boolean()
    property: str = records.text()
    value: str = records.text()
    comparison: Comparison = records.of(word_of(Comparison), Comparison.EQUALS)
    attachment: str = records.text()
    attachment_index: str = records.text()


def target(kind: CommandKind) -> Any:
    """Declare a field with the target of a command whose kind is determined by its owner."""

    def decode(text: str) -> CommandTarget:
        return attrs.evolve(CommandTarget.from_text(text), kind=kind)

    return records.of(Codec(decode, CommandTarget.to_text), CommandTarget(kind=kind))


class Owner(StrEnum):
    """Who counts as the owner of a hidden or masked piece."""

    PLAYER = "player:"
    SIDE = "side:"
    SIDES = "sides:"


@frozen
class Access:
    """Who may hide or mask a piece and see through it: the player, his side, or any of some sides.

    [configure.PieceAccessConfigurer]
    """

    owner: Owner = Owner.PLAYER
    sides: tuple[str, ...] = ()


def _decode_access(text: str) -> Access:
    if text == Owner.SIDE:
        return Access(Owner.SIDE)
    if text.startswith(Owner.SIDES):
        rest = text.removeprefix(Owner.SIDES)
        return Access(Owner.SIDES, tuple(sequences.decode(rest, ":")) if rest else ())
    return Access()


def _encode_access(access: Access) -> str:
    return access.owner + sequences.encode(access.sides, ":")


ACCESS: Codec[Access] = Codec(_decode_access, _encode_access)
