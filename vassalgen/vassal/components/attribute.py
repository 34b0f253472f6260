"""How components declare their attributes: ``edge_width: int = attribute.integer()``.

The first argument is what VASSAL takes where the attribute is missing; ``xml`` is how VASSAL spells a name,
where that is not simply the camelCase of ours.
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
"""What Java's ``Boolean.valueOf`` reads; some attributes are read so, most are not."""


def of(
    codec: AnyCodec,
    default: Any,
    xml: str = "",
    *,
    optional: bool = False,
    words: tuple[str, ...] = (),
    right: str = "",
) -> Any:
    """Declare an attribute.

    ``default`` is what VASSAL takes where the attribute is missing; ``optional`` attributes are left out
    while they have it. ``words`` are all the values that VASSAL knows; ``right`` says what a good value is.
    """
    return field(
        default=default,
        metadata={_XML: xml, _CODEC: codec, _OPTIONAL: optional, _WORDS: words, _RIGHT: right},
    )


def text(default: str = "", xml: str = "") -> Any:
    """Declare an attribute of plain text, or of an expression or format, which VASSAL keeps as text."""
    return of(scalars.TEXT, default, xml)


def optional_text(xml: str = "") -> Any:
    """Declare an attribute of text that VASSAL leaves out while there is none."""
    return of(scalars.TEXT, "", xml, optional=True)


def word(*words: str, default: str = "", xml: str = "") -> Any:
    """Declare an attribute that holds one of certain words, by default the first."""
    right = "one of " + ", ".join(map(repr, words))
    return of(scalars.TEXT, default or words[0], xml, words=words, right=right)


def integer(default: int = 0, xml: str = "", *, optional: bool = False) -> Any:
    """Declare an attribute holding a 32-bit integer."""
    return of(scalars.INTEGER, default, xml, optional=optional, right="a whole number")


def boolean(default: bool = False, xml: str = "", *, any_case: bool = False) -> Any:
    """Declare an attribute that is true for exactly the text ``true``, or in capitals too."""
    return of(ANY_CASE_BOOLEAN if any_case else scalars.BOOLEAN, default, xml)


def double(default: float = 0.0, xml: str = "") -> Any:
    """Declare an attribute holding a number as Java writes doubles."""
    return of(scalars.DOUBLE, default, xml, right="a number")


def key(default: Key | None = None, xml: str = "") -> Any:
    """Declare an attribute holding a keystroke or None."""
    return of(scalars.KEY, default, xml)


def keys(xml: str = "") -> Any:
    """Declare an attribute holding a list of keystrokes."""
    return of(scalars.KEYS, (), xml)


def colour(default: Colour | None = None, xml: str = "") -> Any:
    """Declare an attribute holding a colour or None."""
    return of(scalars.COLOUR, default, xml, right="red,green,blue")


def texts(*default: str, xml: str = "") -> Any:
    """Declare an attribute holding a string array."""
    return of(scalars.TEXTS, default, xml)


def polygon(xml: str = "") -> Any:
    """Declare an attribute holding the corners of a polygon."""
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
        """The value a text stands for; the default where it stands for none."""
        try:
            return self.codec.decode(text)
        except ValueError:
            return self.default

    def fault(self, text: str) -> str:
        """What is wrong with a text, or nothing."""
        try:
            self.codec.decode(text)
        except ValueError as error:
            return str(error)
        if self.words and text not in self.words:
            return f"{text!r} is none of the words VASSAL knows"
        return ""


def attributes_of(cls: Any) -> dict[str, Attribute]:
    """The attributes of a component class under their names in XML."""
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
    """How VASSAL mostly spells a name: ``edge_width`` is ``edgeWidth``."""
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)
