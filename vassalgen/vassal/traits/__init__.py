"""The traits of pieces, one file a family, each named after the code that VASSAL writes.

``FAMILIES`` lists them with the names of VASSAL's classes, and those in its editor where they differ.

A piece is traits wrapped around each other with a ``BasicPiece`` inside; :mod:`vassalgen.vassal.pieces`
packs and unpacks them. Families are imported when first met, which keeps commands that need few of them fast.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module

from vassalgen.vassal.traits.base import RawState, State, Trait, UnknownTrait

__all__ = ["FAMILIES", "RawState", "State", "Trait", "UnknownTrait", "decode", "family"]

FAMILIES: dict[str, tuple[str, str]] = {
    "AreaOfEffect;": ("areaofeffect", "AreaOfEffect"),
    "PROP;": ("prop", "DynamicProperty"),
    "attach;": ("attach", "Attachment"),
    "basicName;": ("basicname", "BasicName"),
    "border;": ("border", "BorderOutline"),
    "button;": ("button", "ActionButton"),
    "calcProp;": ("calcprop", "CalculatedProperty"),
    "clone;": ("clone", "Clone"),
    "cmt;": ("cmt", "Comment"),
    "deck;": ("deck", "Deck"),
    "delete;": ("delete", "Delete"),
    "deselect;": ("deselect", "Deselect"),
    "emb2;": ("emb2", "Embellishment"),  # Layer
    "emb;": ("emb2", "Embellishment"),  # Layer
    "footprint;": ("footprint", "Footprint"),  # Movement Trail
    "globalhotkey;": ("globalhotkey", "GlobalHotKey"),
    "globalkey;": ("globalkey", "CounterGlobalKeyCommand"),  # Global Key Command
    "hide;": ("hide", "Hideable"),  # Invisible
    "hideCmd;": ("hidecmd", "RestrictCommands"),
    "immob;": ("immob", "Immobilized"),  # Does Not Stack
    "label;": ("label", "Labeler"),  # Text Label
    "locCommand;": ("loccommand", "MultiLocationCommand"),
    "locmsg;": ("locmsg", "TranslatableMessage"),
    "macro;": ("macro", "TriggerAction"),
    "mark;": ("mark", "Marker"),
    "markmoved;": ("markmoved", "MovementMarkable"),  # Mark When Moved
    "mat;": ("mat", "Mat"),
    "matPiece;": ("matpiece", "MatCargo"),
    "menuSeparator;": ("menuseparator", "MenuSeparator"),
    "nonRect2;": ("nonrect2", "NonRectangular"),
    "nonRect;": ("nonrect2", "NonRectangular"),
    "obs;": ("obs", "Obscurable"),  # Mask
    "piece;": ("piece", "BasicPiece"),
    "pivot;": ("pivot", "Pivot"),  # Can Pivot
    "placemark;": ("placemark", "PlaceMarker"),
    "playSound;": ("playsound", "PlaySound"),
    "propertysheet;": ("propertysheet", "PropertySheet"),
    "prototype;": ("prototype", "UsePrototype"),
    "replace;": ("replace", "Replace"),  # Replace with Other
    "report;": ("report", "ReportState"),  # Report Action
    "restrict;": ("restrict", "Restricted"),  # Restricted Access
    "return;": ("return_", "ReturnToDeck"),
    "rotate;": ("rotate", "FreeRotator"),  # Can Rotate
    "sendto;": ("sendto", "SendToLocation"),
    "setpieceprop;": ("setpieceprop", "SetPieceProperty"),
    "setprop;": ("setprop", "SetGlobalProperty"),
    "stack": ("stack", "Stack"),
    "submenu;": ("submenu", "SubMenu"),
    "table;": ("table", "TableInfo"),  # Spreadsheet
    "translate;": ("translate", "Translate"),  # Move Fixed Distance
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
    return family(code_of(text)).class_for(text).decode(text)
