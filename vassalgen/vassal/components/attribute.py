"""How components declare their attributes: ``edge_width: int = attribute.integer()``.

The first argument is VASSAL's default for a missing attribute; ``xml`` is VASSAL's spelling of the name, if
it is not simply the camelCase of ours.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from attrs import field, fields, frozen

from vassalgen.vassal import scalars
from vassalgen.vassal.scalars import AnyCodec, Codec, Colour, Key

_XML = "xml"
_CODEC = "codec"
_OPTIONAL = "optional"
_WORDS = "words"
_RIGHT = "right"

ANY_CASE_BOOLEAN: Codec[bool] = Codec(lambda text: text.lower() == "true", scalars.BOOLEAN.encode)
"""The values that Java's ``Boolean.valueOf`` accepts; only some attributes are read with it."""


def of(
    codec: AnyCodec,
    default: Any,
    xml: str = "",
    *,
    optional: bool = False,
    words: tuple[str, ...] = (),
    right: str = "",
) -> Any:
    """Declare an attribute. ``default`` is VASSAL's value for a missing attribute; ``optional`` attributes
    are not written if they have it. ``words`` are all the values that VASSAL knows; ``right`` describes a
    valid value.
    """
    return field(
        default=default,
        metadata={_XML: xml, _CODEC: codec, _OPTIONAL: optional, _WORDS: words, _RIGHT: right},
    )


def text(default: str = "", xml: str = "") -> Any:
    """Declare an attribute that is plain text, or an expression or format, which VASSAL stores as text."""
    return of(scalars.TEXT, default, xml)


def optional_text(xml: str = "") -> Any:
    """Declare a text attribute that VASSAL leaves out if it is empty."""
    return of(scalars.TEXT, "", xml, optional=True)


def word(*words: str, default: str = "", xml: str = "") -> Any:
    """Declare an attribute that is one of certain words, by default the first."""
    right = "one of " + ", ".join(map(repr, words))
    return of(scalars.TEXT, default or words[0], xml, words=words, right=right)


def integer(default: int = 0, xml: str = "", *, optional: bool = False) -> Any:
    """Declare an attribute that is a 32-bit integer."""
    return of(scalars.INTEGER, default, xml, optional=optional, right="a whole number")


def boolean(default: bool = False, xml: str = "", *, any_case: bool = False) -> Any:
    """Declare an attribute that is true only for the text ``true``; optionally also in capitals."""
    return of(ANY_CASE_BOOLEAN if any_case else scalars.BOOLEAN, default, xml)


def double(default: float = 0.0, xml: str = "") -> Any:
    """Declare an attribute that is a number as Java writes doubles."""
    return of(scalars.DOUBLE, default, xml, right="a number")


def key(default: Key | None = None, xml: str = "") -> Any:
    """Declare an attribute that is a keystroke or None."""
    return of(scalars.KEY, default, xml)


def keys(xml: str = "") -> Any:
    """Declare an attribute that is a list of keystrokes."""
    return of(scalars.KEYS, (), xml)


def colour(default: Colour | None = None, xml: str = "") -> Any:
    """Declare an attribute that is a colour or None."""
    return of(scalars.COLOUR, default, xml, right="red,green,blue")


def texts(*default: str, xml: str = "") -> Any:
    """Declare an attribute that is a string array."""
    return of(scalars.TEXTS, default, xml)


def polygon(xml: str = "") -> Any:
    """Declare an attribute that is the corners of a polygon."""
    return of(scalars.POLYGON, (), xml)


@frozen
class Attribute:
    """One attribute of a component class: its name in Python and in XML, and how it is read."""

    name: str
    xml: str
    codec: AnyCodec
    default: Any
    optional: bool
    words: tuple[str, ...]
    right: str

    def read(self, text: str) -> Any:
        """The value of a text; the default if it has none."""
        try:
            return self.codec.decode(text)
        except ValueError:
            return self.default

    def fault(self, text: str) -> str:
        """What is wrong with a text; empty if nothing is."""
        try:
            self.codec.decode(text)
        except ValueError as error:
            return str(error)
        if self.words and text not in self.words:
            return f"{text!r} is none of the words VASSAL knows"
        return ""


def attributes_of(cls: Any) -> dict[str, Attribute]:
    """The attributes of a component class by their names in XML."""
    return _attributes_of(cls)


@cache
def _attributes_of(cls: Any) -> dict[str, Attribute]:
    found = {}
    for a in fields(cls):
        if _CODEC in a.metadata:
            xml = a.metadata[_XML] or camel_case(a.name)
            found[xml] = Attribute(
                name=a.name,
                xml=xml,
                codec=a.metadata[_CODEC],
                default=a.default,
                optional=a.metadata[_OPTIONAL],
                words=a.metadata[_WORDS],
                right=a.metadata[_RIGHT],
            )
    return found


def camel_case(name: str) -> str:
    """VASSAL's usual spelling of a name: ``edge_width`` is ``edgeWidth``."""
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)
