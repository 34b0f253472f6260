"""The values that stand as tokens in VASSAL's lists, each a codec: text to value and back.

A codec reads what VASSAL reads. Where VASSAL would fall back on a field's default (a number that is none),
``decode`` raises :exc:`ValueError`, and the record that owns the field does the falling back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Generic, TypeVar

from attrs import frozen

from vassalgen.vassal import sequences

T = TypeVar("T")

Colour = tuple[int, ...]
"""Red, green, blue and perhaps alpha, each 0 to 255."""


@frozen
class Codec(Generic[T]):
    """Two functions that undo each other."""

    decode: Callable[[str], T]
    encode: Callable[[T], str]


CTRL = 130
"""The modifier mask VASSAL writes for Ctrl."""
FIRST_NAMED_CODE = 57344
"""The first of the private key codes that VASSAL gives to named commands; which one does not matter."""


@frozen
class Key:
    """A keystroke: a real key (``code`` and ``modifiers`` as Java counts them) or a named command.

    Of a named command only the name counts. [tools.NamedKeyStroke, configure.NamedHotKeyConfigurer]
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

    def same_as(self, other: Key) -> bool:
        """Whether pressing the one is pressing the other."""
        if self.name or other.name:
            return self.name == other.name
        return (self.code, self.modifiers) == (other.code, other.modifiers)


_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


def _decode_integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{text!r} is no integer")
    value = int(text[:12])  # longer ones overflow Java's int anyway
    if len(text) > 12 or not -(2**31) <= value < 2**31:
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
        raise ValueError(f"{text!r} is no number")
    return float(text.strip().rstrip("fFdD") or "0")


def java_double(value: float) -> str:
    """Write ``value`` as Java's ``Double.toString`` does: ``1.0``, ``0.25``, ``1.0E-5``, ``1.0E7``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{value!r}"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    fraction = "".join(map(str, digits[1:])) or "0"
    return f"{'-' * sign}{digits[0]}.{fraction}E{int(exponent) + len(digits) - 1}"


def _decode_key(text: str) -> Key | None:
    if not text:
        return None
    if "," not in text:  # of old: Ctrl and that character
        return Key(ord(text[0]), CTRL)
    parts = text.split(",")
    try:
        code, modifiers = _decode_integer(parts[0]), _decode_integer(parts[1])
    except ValueError:
        return None
    return Key(code, modifiers, parts[2] if len(parts) > 2 else "")


def _encode_key(key: Key | None) -> str:
    if key is None:
        return ""
    text = f"{key.code},{key.modifiers}"
    return f"{text},{key.name}" if key.name else text


def _decode_keys(text: str) -> tuple[Key, ...]:
    if "," not in text:
        return tuple(Key(ord(letter), CTRL) for letter in text)
    keys = (_decode_key(token) for token in sequences.decode(text, ","))
    return tuple(key for key in keys if key is not None)


def _encode_keys(keys: tuple[Key, ...]) -> str:
    return sequences.encode([_encode_key(key) for key in keys], ",")


def _decode_colour(text: str) -> Colour | None:
    if not text or text == "null":
        return None
    if text[:2] in ("0x", "0X"):
        number = int(text[2:], 16)
        return (number >> 16 & 255, number >> 8 & 255, number & 255)
    parts = [_decode_integer(part) for part in text.split(",") if part]
    if len(parts) < 3 or not all(0 <= part <= 255 for part in parts[:4]):
        raise ValueError(f"{text!r} is no colour")
    return tuple(parts[:4])


def _encode_colour(colour: Colour | None) -> str:
    return "" if colour is None else ",".join(map(str, colour))


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
KEY: Codec[Key | None] = Codec(_decode_key, _encode_key)
"""A keystroke; an empty text is none. [configure.NamedHotKeyConfigurer]"""
KEYS: Codec[tuple[Key, ...]] = Codec(_decode_keys, _encode_keys)
"""A list of keystrokes. [configure.NamedKeyStrokeArrayConfigurer]"""
COLOUR: Codec[Colour | None] = Codec(_decode_colour, _encode_colour)
"""A colour; an empty text is none. [configure.ColorConfigurer]"""
TEXTS: Codec[tuple[str, ...]] = Codec(_decode_texts, _encode_texts)
"""A string array. [configure.StringArrayConfigurer]"""
LINES: Codec[str] = Codec(_decode_lines, _encode_lines)
"""Text of several lines, a bar for each line break. [configure.TextConfigurer.escapeNewlines]"""
NULLABLE: Codec[str | None] = Codec(
    lambda text: None if text == "null" else text, lambda text: "null" if text is None else text
)
"""A text in which the word ``null`` stands for none."""

AnyCodec = Codec[Any]
