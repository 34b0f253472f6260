"""Small modules, extensions and saves to inspect."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image

from vassalgen.inspection.command import facts_of
from vassalgen.inspection.facts import Finding, FindingKind, GameFacts, ModuleFacts
from vassalgen.inspection.sources import Source
from vassalgen.vassal import archives, buildfile, obfuscation, streams
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    Component,
    Element,
    Entry,
    GameModule,
    HexGrid,
    HexGridNumbering,
    Map,
    PieceSlot,
    PieceWindow,
    PlayerRoster,
    PrototypeDefinition,
    PrototypesContainer,
    TabWidget,
)
from vassalgen.vassal.metadata import ModuleData
from vassalgen.vassal.pieces import Piece, slot_text
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece
from vassalgen.vassal.traits.use_prototype import UsePrototype

Files = Mapping[str, bytes]
Part = Trait | tuple[Trait, State]


def picture(width: int = 40, height: int = 40) -> bytes:
    """A PNG of that size."""
    stream = io.BytesIO()
    Image.new("1", (width, height)).save(stream, "PNG")
    return stream.getvalue()


def definition(name: str, image: str, *traits: Part) -> str:
    """The text of a slot: a piece with an image, and more traits around it."""
    return slot_text(Piece.of(*traits, BasicPiece(image=image, name=name)))


def slot(name: str, gpid: str, image: str = "", *traits: Part) -> PieceSlot:
    """A slot with a piece in it."""
    return PieceSlot(name=name, gpid=gpid, content=definition(name, image, *traits))


def prototype(name: str, *traits: Part) -> PrototypeDefinition:
    """A prototype."""
    return PrototypeDefinition(name=name, content=definition("", "", *traits))


def uses(name: str) -> UsePrototype:
    """The use of a prototype."""
    return UsePrototype(name=name)


def ridge(*children: Component | Element) -> Map:
    """A map with a board of 600 × 400 pixels and hexes 0101 to 1005, and more on it."""
    numbering = HexGridNumbering(stagger=False)
    grid = HexGrid(x0=30, y0=35, dx=60.0, dy=69.28, children=(numbering,))
    board = Board(name="Ridge", image="ridge.png", children=(grid,))
    return Map(name="Main Map", edge_width=10, children=(BoardPicker(children=(board,)), *children))


def palette(*slots: Component | Element) -> PieceWindow:
    """A palette with one tab."""
    return PieceWindow(name="Pieces", children=(TabWidget(name="Blue", children=slots),))


def module(*children: Component | Element, next_id: int = 100) -> GameModule:
    """A module with two sides and whatever else."""
    roster = PlayerRoster(children=(Entry(content="Blue"), Entry(content="Red")))
    return GameModule(
        name="Hill Fight",
        version="1.2",
        vassal_version="3.7.26",
        next_piece_slot_id=next_id,
        children=(roster, *children),
    )


def prototypes(*ones: PrototypeDefinition) -> PrototypesContainer:
    """The container of prototypes."""
    return PrototypesContainer(children=ones)


def packed(root: Component | Element, files: Files = {}) -> bytes:  # noqa: B006 - never changed
    """The file of a module."""
    data = ModuleData(version="1.2", vassal_version="3.7.26", name="Hill Fight", date_saved=1_700_000_000_000)
    entries = [("buildFile.xml", buildfile.write(root)), (ModuleData.ENTRY, data.to_xml()), *files.items()]
    return archives.pack(entries)


def facts(root: Component, files: Files | None = None) -> ModuleFacts:
    """The facts of a module; unless its files are given, it has the image of its board."""
    board = {"images/ridge.png": picture(600, 400)}
    with Archive.open(packed(root, board if files is None else files), file="hill.vmod") as archive:
        found = facts_of(Source("hill.vmod", "", archive=archive))
    assert isinstance(found, ModuleFacts)
    return found


def step(*texts: str) -> Node:
    """A step of a log: the first command and, below it, the others."""
    first, *others = (Node(f"LOG\t{text}") for text in texts)
    return Node(first.text, tuple(others))


def save(*commands: str | Node) -> bytes:
    """A save, or a log, of commands."""
    nodes = tuple(Node(command) if isinstance(command, str) else command for command in commands)
    text = streams.encode(Node("begin_save", nodes))
    return archives.pack([("savedGame", obfuscation.encode(text))])


def game_facts(*commands: str | Node) -> GameFacts:
    """The facts of a save or log."""
    found = facts_of(Source("game.vsav", "", game=read_saved_game(save(*commands))))
    assert isinstance(found, GameFacts)
    return found


def found(facts: ModuleFacts | GameFacts, kind: FindingKind) -> dict[str, Finding]:
    """The findings of one kind by what they are about."""
    return {finding.what: finding for finding in facts.findings if finding.kind is kind}
