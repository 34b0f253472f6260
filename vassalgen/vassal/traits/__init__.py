"""The traits of pieces, one file a family, each named after the code that VASSAL writes.

A piece is traits wrapped around each other with a ``BasicPiece`` inside; :mod:`vassalgen.vassal.pieces`
packs and unpacks them. Families are imported when first met, which keeps commands that need few of them fast.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module

from vassalgen.vassal.traits.base import RawState, State, Trait, UnknownTrait

__all__ = ["FAMILIES", "RawState", "State", "Trait", "UnknownTrait", "decode", "family"]

FAMILIES: dict[str, tuple[str, str]] = {
    "emb2;": ("emb2", "Embellishment"),
    "mark;": ("mark", "Marker"),
}
"""Every code VASSAL 3.7 knows, with the module and class that read it. [build.module.BasicCommandEncoder]"""


@cache
def family(code: str) -> type[Trait]:
    """Return the class for a code such as ``emb2;``, or :class:`UnknownTrait`."""
    if code not in FAMILIES:
        return UnknownTrait
    module, name = FAMILIES[code]
    found: type[Trait] = getattr(import_module(f"{__name__}.{module}"), name)
    return found


def code_of(text: str) -> str:
    """The code a part of a type begins with: everything up to and including the first semicolon."""
    head, semicolon, _ = text.partition(";")
    return head + semicolon


@lru_cache(maxsize=16384)
def decode(text: str) -> Trait:
    """Read one part of a piece's type.

    Raises :exc:`~vassalgen.problems.FormatError` where fields that VASSAL needs are missing.
    """
    return family(code_of(text)).decode(text)
