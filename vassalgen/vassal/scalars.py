"""The values of tokens in VASSAL's lists, each a codec: text to value and back.

A codec reads what VASSAL reads. If VASSAL would fall back on a field's default (an invalid number),
``decode`` raises :exc:`ValueError`, and the record that owns the field uses the default.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Generic, TypeVar

from attrs import frozen

from vassalgen.vassal import sequences

T = TypeVar("T")

Colour = tuple[int, ...]
"""Red, green, blue and optionally alpha, each 0 to 255."""

Polygon = tuple[tuple[int, int], ...]
"""Corners, each x and y in pixels."""


@frozen
class Codec(Generic[T]):
    """Two functions that are inverses of each other."""

    decode: Callable[[str], T]
    encode: Callable[[T], str]


SHIFT, CTRL, META, ALT, CTRL_SHIFT = 65, 130, 260, 520, 195
"""Modifier masks as VASSAL writes them: Java's old bit and its new one combined."""
FIRST_NAMED_CODE = 57344
"""The first of the private key codes that VASSAL assigns to named commands; the actual code
does not matter.
"""


@frozen
class Key:
    """A keystroke: a real key (``code`` and ``modifiers`` as Java counts them) or a named command.

    For a named command only the name matters. [tools.NamedKeyStroke, configure.NamedHotKeyConfigurer]
    """

    code: int
    modifiers: int = 0
    name: str = ""

    @classmethod
    def named(cls, name: str) -> Key:
        """Return the named command ``name``."""
        return cls(FIRST_NAMED_CODE, 0, name)

    @classmethod
    def ctrl(cls, letter: str) -> Key:
        """Ctrl and a letter or digit."""
        return cls(ord(letter.upper()), CTRL)

    @classmethod
    def ctrl_character(cls, character: str) -> Key:
        """Ctrl and a character, as old files store it."""
        return cls(ord(character), CTRL)

    @property
    def is_none(self) -> bool:
        """Whether VASSAL treats this keystroke as none."""
        return not (self.code or self.modifiers or self.name)

    def same_as(self, other: Key) -> bool:
        """Whether pressing one is the same as pressing the other."""
        if self.name or other.name:
            return self.name == other.name
        return (self.code, self.modifiers) == (other.code, other.modifiers)


_MODIFIER_BITS = ((1, 64), (2, 128), (4, 256), (8, 512), (32, 8192))
_BUTTON_BITS = 1024 | 2048 | 4096


def java_modifiers(mask: int) -> int:
    """Return ``mask`` as in a Java keystroke: whichever bit of a pair is set, both are."""
    whole = mask & _BUTTON_BITS
    for old, new in _MODIFIER_BITS:
        if mask & (old | new):
            whole |= old | new
    return whole


def java_trim(text: str) -> str:
    """Strip what Java's ``String.trim`` strips: every character up to the space."""
    start, end = 0, len(text)
    while start < end and text[start] <= " ":
        start += 1
    while start < end and text[end - 1] <= " ":
        end -= 1
    return text[start:end]


_INTEGER = re.compile(r"[+-]?\d+")


def _decode_integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{text!r} is not an integer")
    value = int(text)
    if not -(2**31) <= value < 2**31:
        raise ValueError(f"{text!r} does not fit 32 bits")
    return value


def _decode_boolean(text: str) -> bool:
    return text == "true"


def _encode_boolean(value: bool) -> str:
    return "true" if value else "false"


_DOUBLE = re.compile(
    r"\s*[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?)\s*", re.ASCII
)


def _decode_double(text: str) -> float:
    if not _DOUBLE.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    return float(text.strip().rstrip("fFdD") or "0")


def java_double(value: float) -> str:
    """Write ``value`` as Java's ``Double.toString`` does: ``1.0``, ``0.25``, ``1.0E-5``, ``1.0E7``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{float(value)!r}"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    fraction = "".join(map(str, digits[1:])) or "0"
    return f"{'-' * sign}{digits[0]}.{fraction}E{int(exponent) + len(digits) - 1}"


def _decode_float(text: str) -> float:
    return single_precision(_decode_double(text))


def single_precision(value: float) -> float:
    """Return the number nearest to ``value`` that 32 bits can hold, as Java's ``float`` does."""
    try:
        narrow: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return narrow


def _decode_character(text: str) -> str:
    if not text:
        raise ValueError("no character")
    return text[0]


def decode_plain_key(text: str) -> Key | None:
    """Read a keystroke in a field where VASSAL never accepted a single character."""
    parts = text.split(",")
    try:
        code, modifiers = _decode_integer(parts[0]), _decode_integer(parts[1])
    except (ValueError, IndexError):
        return None
    return Key(code, java_modifiers(modifiers), parts[2] if len(parts) > 2 else "")


def _decode_key(text: str) -> Key | None:
    if text and "," not in text:  # in old files: Ctrl and that character
        return Key.ctrl_character(text[0])
    return decode_plain_key(text)


def _encode_key(key: Key | None) -> str:
    if key is None:
        return ""
    text = f"{key.code},{key.modifiers}"
    return f"{text},{key.name}" if key.name else text


def _decode_keys(text: str) -> tuple[Key, ...]:
    if text.find(",") <= 0:  # in old files: several characters, each with Ctrl
        return tuple(Key.ctrl_character(character) for character in text)
    keys = (decode_plain_key(token) for token in sequences.decode(text, ","))
    return tuple(key for key in keys if key is not None and not key.is_none)


def _encode_keys(keys: tuple[Key, ...]) -> str:
    return sequences.encode([_encode_key(key) for key in keys if not key.is_none], ",")


BLACK: Colour = (0, 0, 0)
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")


def _decode_colour(text: str) -> Colour | None:
    if not text or text == "null":
        return None
    if _HEXADECIMAL.fullmatch(text):
        number = _decode_integer(str(int(text[2:], 16)))
        return (number >> 16 & 255, number >> 8 & 255, number & 255)
    parts = [_decode_integer(part) for part in text.split(",") if part][:4]
    if len(parts) < 3 or not all(0 <= part <= 255 for part in parts):
        raise ValueError(f"{text!r} is not a colour")
    return tuple(parts[:3] if parts[3:] == [255] else parts)


def _decode_colour_or_black(text: str) -> Colour | None:
    try:
        return _decode_colour(text)
    except ValueError:
        return BLACK


def _encode_colour(colour: Colour | None) -> str:
    return "" if colour is None else ",".join(map(str, colour))


def _decode_match(text: str) -> str:
    trimmed = java_trim(text)
    return "" if trimmed.isspace() else trimmed


def _decode_polygon(text: str) -> Polygon:
    points = []
    for token in sequences.decode(text, ";"):
        try:
            x, y = (_decode_integer(java_trim(part)) for part in sequences.decode(token, ",")[:2])
        except ValueError:  # VASSAL leaves out a corner it cannot read
            continue
        points.append((x, y))
    return tuple(points)


def _encode_polygon(points: Polygon) -> str:
    return ";".join(f"{x},{y}" for x, y in points)


def _decode_texts(text: str) -> tuple[str, ...]:
    return tuple(sequences.decode(text, ",")) if text else ()


def _encode_texts(texts: tuple[str, ...]) -> str:
    return sequences.encode(texts, ",")


def _decode_lines(text: str) -> str:
    return "\n".join(sequences.decode(text, "|"))


def _encode_lines(text: str) -> str:
    return sequences.encode(text.split("\n"), "|")


def list_of(item: Codec[T], delimiter: str) -> Codec[tuple[T, ...]]:
    """Return the codec of a list of such items; an empty text is an empty list."""

    def decode(text: str) -> tuple[T, ...]:
        return tuple(item.decode(token) for token in sequences.decode(text, delimiter)) if text else ()

    def encode(items: tuple[T, ...]) -> str:
        return sequences.encode([item.encode(one) for one in items], delimiter)

    return Codec(decode, encode)


TEXT: Codec[str] = Codec(str, str)
INTEGER: Codec[int] = Codec(_decode_integer, str)
BOOLEAN: Codec[bool] = Codec(_decode_boolean, _encode_boolean)
DOUBLE: Codec[float] = Codec(_decode_double, java_double)
FLOAT: Codec[float] = Codec(_decode_float, java_double)
"""A number that VASSAL stores in single precision and writes in double: ``0.30000001192092896``."""
CHARACTER: Codec[str] = Codec(_decode_character, str)
"""One character; an empty text stands for the default."""
KEY: Codec[Key | None] = Codec(_decode_key, _encode_key)
"""A keystroke; an empty text is none. [configure.NamedHotKeyConfigurer]"""
KEYS: Codec[tuple[Key, ...]] = Codec(_decode_keys, _encode_keys)
"""A list of keystrokes. [configure.NamedKeyStrokeArrayConfigurer]"""
COLOUR: Codec[Colour | None] = Codec(_decode_colour, _encode_colour)
"""A colour; an empty text is none. [configure.ColorConfigurer]"""
COLOUR_OR_BLACK: Codec[Colour | None] = Codec(_decode_colour_or_black, _encode_colour)
"""A colour in a trait; an unreadable one is black."""
MATCH: Codec[str] = Codec(_decode_match, str)
"""A property expression: a filter or condition, without surrounding blanks.
[script.expression.Expression.createPropertyExpression]
"""
POLYGON: Codec[Polygon] = Codec(_decode_polygon, _encode_polygon)
"""Corners ``x,y;x,y`` without the closing one. [mapgrid.PolygonEditor.polygonToString]"""
TEXTS: Codec[tuple[str, ...]] = Codec(_decode_texts, _encode_texts)
"""A string array. [configure.StringArrayConfigurer]"""
LINES: Codec[str] = Codec(_decode_lines, _encode_lines)
"""Text of several lines, a bar for each line break. [configure.TextConfigurer.escapeNewlines]"""
NULLABLE: Codec[str | None] = Codec(
    lambda text: None if text == "null" else text, lambda text: "null" if text is None else text
)
"""A text in which the word ``null`` means None."""

AnyCodec = Codec[Any]
