"""What can be pressed in a module: the commands of its counters, by kind, and its buttons."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.compile import Compiled
from vassalgen.parts.pieces import kind_prototype
from vassalgen.vassal import buildfile
from vassalgen.vassal.archives import BUILD_FILE
from vassalgen.vassal.components import (
    ChartWindow,
    Component,
    DiceButton,
    DoActionButton,
    GlobalMap,
    HidePiecesButton,
    Inventory,
    LosThread,
    Map,
    MapShader,
    MassKeyCommand,
    MoveCameraButton,
    NotesWindow,
    PieceWindow,
    PrototypeDefinition,
    TurnTracker,
)
from vassalgen.vassal.pieces import from_slot_text
from vassalgen.vassal.traits.footprint import Footprint
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty

OF_ALL = ("Lose a step", "Regain a step")
"""Commands that are the same for all kinds that have them, and are pressed on one of these."""
_PAD = 96  # Java's code of the 0 on the number pad


def commands(compiled: Compiled) -> Iterator[tuple[str, str]]:
    """Kind of counter, and an entry of its menu or a key of the number pad."""
    root = buildfile.read(dict(compiled.entries)[BUILD_FILE])
    kinds = {kind_prototype(kind): kind for kind in compiled.game.kinds}
    for found in buildfile.find_all(root, PrototypeDefinition):
        if found.component.name in kinds:
            for entry in _entries(found.component.content):
                yield "" if entry in OF_ALL else kinds[found.component.name], entry


def _entries(content: str) -> Iterator[str]:
    for trait in from_slot_text(content).traits:
        if isinstance(trait, Footprint) and trait.text:
            yield trait.text
        if isinstance(trait, SetGlobalProperty):
            for one in trait.commands:
                if one.text:
                    yield one.text
                elif one.key and _PAD <= one.key.code < _PAD + 10 and not one.key.modifiers:
                    yield f"NUMPAD{one.key.code - _PAD}"


def buttons(compiled: Compiled) -> set[str]:
    """The texts of all buttons that do something; of those without a text, what they are for."""
    root = buildfile.read(dict(compiled.entries)[BUILD_FILE])
    found = {"undo"}
    for one in buildfile.find_all(root, Component):
        component = one.component
        match component:
            case TurnTracker():
                found.add("next phase")
            case GlobalMap():
                found.add("overview")
            case HidePiecesButton():
                found.add("hide counters")
            case Map():
                found |= {component.button_name} - {""}
            case MassKeyCommand() | MapShader():
                found |= {component.button_text} - {""}
            case LosThread():
                found.add(component.label)
            case NotesWindow():
                found.add(component.button_text)
            case (
                DiceButton()
                | DoActionButton()
                | Inventory()
                | ChartWindow()
                | PieceWindow()
                | MoveCameraButton()
            ):
                found.add(component.text)
    return found
