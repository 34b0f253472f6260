"""The traits of pieces, one file a family, each named after the class of VASSAL.

``FAMILIES`` lists them by the code that VASSAL writes, with the names in its editor where they differ.

A piece is traits wrapped around each other with a ``BasicPiece`` inside; :mod:`vassalgen.vassal.pieces`
packs and unpacks them. Families are imported when first met, which keeps commands that need few of them fast.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module

from vassalgen.vassal.traits.base import RawState, State, Trait, UnknownTrait

__all__ = ["FAMILIES", "RawState", "State", "Trait", "UnknownTrait", "decode", "family"]

FAMILIES: dict[str, str] = {
    "AreaOfEffect;": "AreaOfEffect",
    "PROP;": "DynamicProperty",
    "attach;": "Attachment",
    "basicName;": "BasicName",
    "border;": "BorderOutline",
    "button;": "ActionButton",
    "calcProp;": "CalculatedProperty",
    "clone;": "Clone",
    "cmt;": "Comment",
    "deck;": "Deck",
    "delete;": "Delete",
    "deselect;": "Deselect",
    "emb2;": "Embellishment",  # Layer
    "emb;": "Embellishment",  # Layer
    "footprint;": "Footprint",  # Movement Trail
    "globalhotkey;": "GlobalHotKey",
    "globalkey;": "CounterGlobalKeyCommand",  # Global Key Command
    "hide;": "Hideable",  # Invisible
    "hideCmd;": "RestrictCommands",
    "immob;": "Immobilized",  # Does Not Stack
    "label;": "Labeler",  # Text Label
    "locCommand;": "MultiLocationCommand",
    "locmsg;": "TranslatableMessage",
    "macro;": "TriggerAction",
    "mark;": "Marker",
    "markmoved;": "MovementMarkable",  # Mark When Moved
    "mat;": "Mat",
    "matPiece;": "MatCargo",
    "menuSeparator;": "MenuSeparator",
    "nonRect2;": "NonRectangular",
    "nonRect;": "NonRectangular",
    "obs;": "Obscurable",  # Mask
    "piece;": "BasicPiece",
    "pivot;": "Pivot",  # Can Pivot
    "placemark;": "PlaceMarker",
    "playSound;": "PlaySound",
    "propertysheet;": "PropertySheet",
    "prototype;": "UsePrototype",
    "replace;": "Replace",  # Replace with Other
    "report;": "ReportState",  # Report Action
    "restrict;": "Restricted",  # Restricted Access
    "return;": "ReturnToDeck",
    "rotate;": "FreeRotator",  # Can Rotate
    "sendto;": "SendToLocation",
    "setpieceprop;": "SetPieceProperty",
    "setprop;": "SetGlobalProperty",
    "stack": "Stack",
    "submenu;": "SubMenu",
    "table;": "TableInfo",  # Spreadsheet
    "translate;": "Translate",  # Move Fixed Distance
}
"""Every code VASSAL 3.7 knows, with the class that reads it. [build.module.BasicCommandEncoder]"""


@cache
def family(code: str) -> type[Trait]:
    """Return the class for a code such as ``emb2;``, or :class:`UnknownTrait`."""
    if code not in FAMILIES:
        return UnknownTrait
    name = FAMILIES[code]
    module = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    found: type[Trait] = getattr(import_module(f"{__name__}.{module}"), name)
    return found


def code_of(text: str) -> str:
    """The code at the start of a part of a type: everything up to and including the first semicolon."""
    head, semicolon, _ = text.partition(";")
    return head + semicolon


@lru_cache(maxsize=16384)
def decode(text: str) -> Trait:
    """Read one part of a piece's type.

    Raises :exc:`~vassalgen.problems.FormatError` where fields that VASSAL needs are missing.
    """
    return family(code_of(text)).class_for(text).decode(text)
