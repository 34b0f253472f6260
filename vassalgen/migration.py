"""``vassalgen migrate``: converts a saved game or log of an earlier module into a saved game of another
version.

Counters keep their ids, steps, states, battles and masks: everything that the new module's counter has under
the same name is taken over. Places are found by name, hexes as well as boxes; the positions of boxes on the
boards of earlier versions are in the game's folder (``earlier.toml``), or are read from the old module
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import click
from attrs import define, field, frozen

from vassalgen.announcements import BATTLE, BEGUN_WITH, CID, ROLE
from vassalgen.commandline import keep_apart
from vassalgen.game.finding import find_game, games_titled
from vassalgen.game.reading.documents import read_toml
from vassalgen.parts.battle import ADJUSTED, EARLIER_ADJUSTMENTS, EARLIER_LABEL, LABELLED, adjusted, label_of
from vassalgen.parts.ids import TURN_MARKER
from vassalgen.parts.names import BOXES, RESULT
from vassalgen.problems import BadInput, FormatError, Problem
from vassalgen.vassal import archives, buildfile, commands, images, streams
from vassalgen.vassal.components import (
    Board,
    GameModule,
    GlobalProperty,
    PieceSlot,
    PrototypeDefinition,
    SetupStack,
)
from vassalgen.vassal.grids import MapPlan, plans_of
from vassalgen.vassal.grids.plan import OFFBOARD
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.pieces import Piece, expand, from_slot_text
from vassalgen.vassal.savedgame import SavedGame, read_saved_game
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.footprint import Footprint
from vassalgen.vassal.traits.immobilized import Immobilized
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.obscurable import Obscurable
from vassalgen.vassal.traits.stack import Stack, StackState

EARLIER = "earlier.toml"
"""The file in a game's folder with the positions of boxes in earlier versions."""

Spot = tuple[str, int, int]
"""A map and a pixel of it."""
Naming = Callable[[Spot], str | None]
"""The name of a spot; None if it has none."""


@click.command()
@click.argument("file", metavar="SAVE|LOG", type=click.Path(path_type=Path))
@click.option(
    "--to", required=True, type=click.Path(path_type=Path), metavar="MODULE", help="The new module."
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The save to write.",
)
@click.option(
    "--from",
    "origin",
    type=click.Path(path_type=Path),
    metavar="MODULE",
    help="The module that SAVE was made with, if its boxes are not known.",
)
def migrate(file: Path, to: Path, output: Path, origin: Path | None) -> None:
    """Convert the game in SAVE, or at the end of LOG, to another version of its module.

    Exit code 0: the save was written; 1: it was written without the listed parts, which the new module lacks;
    2: a file cannot be used.
    """
    keep_apart([output], [file, to, *([origin] if origin else [])])
    saved = read_saved_game(file)
    target = Target.read(to)
    made = saved.moduledata
    if made is not None and made.name != target.data.name:
        raise BadInput(
            Problem(str(file), "", f"is a game of {made.name!r}", f"a game of {target.data.name!r}")
        )
    try:
        position = Position.of(streams.decode(saved.text).root)
    except FormatError as error:
        raise error.within(file=str(file)) from None
    naming = _naming(
        file, (made.version if made else None) or "", target, Target.read(origin) if origin else None
    )
    carried = Carrying(position, target, naming)
    text = carried.stream()
    description = saved.savedata.description if saved.savedata else ""
    savedata = SaveData(
        version=target.data.version,
        vassal_version=target.data.vassal_version,
        date_saved=target.data.date_saved,
        description=description,
    )
    SavedGame.new(text, savedata, target.data).write(output)
    for line in carried.missing:
        click.echo(line, err=True)
    click.echo(f"{output}: {carried.count} counters, {target.data.name} {target.data.version}")
    if carried.missing:
        raise SystemExit(1)


@define
class Position:
    """The position at the end of a stream, as far as a saved game needs it."""

    pieces: dict[str, Piece] = field(factory=dict)
    spots: dict[str, Spot] = field(factory=dict)
    stacks: dict[str, list[str]] = field(factory=dict)
    properties: dict[str, str] = field(factory=dict)
    players: dict[str, commands.Command] = field(factory=dict)
    turn: commands.SetTurn | None = None
    notes: dict[str, commands.Command] = field(factory=dict)

    @classmethod
    def of(cls, root: Node) -> Position:
        """Carry out every command, including those of the log's steps."""
        found = cls()
        for node in root.walk():
            found.carry_out(node.command)
        return found

    def carry_out(self, command: commands.Command) -> None:
        """Carry out one command; commands that do not matter for a saved game are ignored."""
        match command:
            case commands.AddPiece(id=str(name)):
                piece = Piece.decode(command.type, command.state)
                if isinstance(piece.traits[0], Stack):
                    self._lay(name, piece.state_at(0))
                elif piece.basic:
                    self.pieces[name] = piece
                    self._put(name, piece)
            case commands.ChangePiece() if command.id in self.stacks:
                self._lay(command.id, Piece.of(Stack()).with_state(command.new_state).state_at(0))
            case commands.ChangePiece() if command.id in self.pieces:
                before = self.pieces[command.id]
                old = command.old_state
                after = (
                    before.with_state(command.new_state)
                    if old is None
                    else before.merged(command.new_state, old)
                )
                self.pieces[command.id] = after
                if _spot(after) != _spot(before):
                    self._put(command.id, after)
            case commands.MovePiece(map=str(map_name)):
                spot = (map_name, command.x, command.y)
                for name in self.stacks.get(command.id, [command.id]):
                    self.spots[name] = spot
                if command.id in self.pieces:
                    self._take_out(command.id)
                    if command.under in self.stacks:
                        self.stacks[command.under].append(command.id)
            case commands.RemovePiece():
                self._take_out(command.id)
                self.stacks.pop(command.id, None)
                self.pieces.pop(command.id, None)
                self.spots.pop(command.id, None)
            case commands.RestoreProperty():
                self.properties[command.name] = command.value
            case commands.ChangeProperty():
                self.properties[command.name] = command.new or ""
            case commands.SetTurn():
                self.turn = command
            case commands.AddPlayer():
                self.players[command.password] = command
            case commands.RemovePlayer():
                self.players.pop(command.password, None)
            case commands.Notes():
                self.notes[type(command).__name__] = command

    def in_order(self) -> list[str]:
        """All pieces; those of a stack from bottom to top."""
        stacked = [name for members in self.stacks.values() for name in members if name in self.pieces]
        return list(dict.fromkeys([*stacked, *self.pieces]))

    def _put(self, name: str, piece: Piece) -> None:
        if spot := _spot(piece):
            self.spots[name] = spot

    def _lay(self, name: str, state: State) -> None:
        if isinstance(state, StackState):
            self.stacks[name] = list(state.ids)
            if state.map:
                self.spots |= dict.fromkeys(state.ids, (state.map, state.x, state.y))

    def _take_out(self, name: str) -> None:
        for members in self.stacks.values():
            if name in members:
                members.remove(name)


def _spot(piece: Piece) -> Spot | None:
    state = piece.basic_state
    return (state.map, state.x, state.y) if state.map else None


@frozen
class Target:
    """A module: its counters, its places, and its properties."""

    data: ModuleData
    counters: Mapping[str, Piece]
    start: Mapping[str, tuple[Piece, Spot]]
    plans: Mapping[str, MapPlan]
    properties: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Target:
        """Read a module file; :exc:`BadInput` if it is not a module."""
        with archives.Archive.open(path) as archive:
            root = buildfile.read_from(archive)
            if archive.kind is not archives.Kind.MODULE or ModuleData.ENTRY not in archive.names:
                raise BadInput(Problem(str(path), "", "is not a module of VASSAL", "a .vmod file"))
            data = ModuleData.from_xml(archive.read(ModuleData.ENTRY))
            names = sorted({found.component.image for found in buildfile.find_all(root, Board)} - {""})
            sizes, _ = images.image_sizes(archive, [f"images/{name}" for name in names])
        plans = plans_of(root, image_size=lambda name: sizes.get(f"images/{name}"))
        known = {
            found.component.name: from_slot_text(found.component.content)
            for found in buildfile.find_all(root, PrototypeDefinition)
        }
        counters: dict[str, Piece] = {}
        start: dict[str, tuple[Piece, Spot]] = {}
        for found in buildfile.find_all(root, PieceSlot):
            piece = expand(from_slot_text(found.component.content), known)
            name = piece.marker(CID) or ""
            stack = next((node for node in reversed(found.path) if node.tag == SetupStack.JAVA), None)
            if stack is not None:
                at = SetupStack.from_element(stack)
                if spot := plans[at.owning_board].start_of(at):
                    start[name] = (piece, (at.owning_board, *spot))
            elif name:
                counters[name] = piece
        properties = {
            found.component.name: found.component.initial_value
            for found in buildfile.find_all(GameModule.from_element(root), GlobalProperty)
        }
        return cls(data, counters, start, plans, properties)

    def named(self, spot: Spot) -> str | None:
        """The name of a spot in this module."""
        name = self.plans[spot[0]].location_name(spot[1], spot[2]) if spot[0] in self.plans else OFFBOARD
        return None if name == OFFBOARD else name


def _naming(file: Path, version: str, target: Target, origin: Target | None) -> Naming:
    """How spots of the old game are named: by the old module, or by what is known about its version."""
    if origin is not None:
        return origin.named
    if version == target.data.version:
        return target.named
    earlier = Earlier.of(target.data.name or "")
    if version in earlier.as_today:
        return target.named
    boxes = earlier.boxes.get(version)
    if boxes is None:
        raise BadInput(
            Problem(
                str(file),
                "",
                f"the boxes of version {version!r} are not known",
                "the old module, with --from",
            )
        )

    def named(spot: Spot) -> str | None:
        map_name, x, y = spot
        if map_name != BOXES:
            return target.named(spot)
        inside = (
            name
            for name, (left, top, wide, high) in boxes.items()
            if left <= x < left + wide and top <= y < top + high
        )
        return next(inside, None)

    return named


@frozen
class Earlier:
    """What a game knows about earlier versions: which have the current boxes, and where the boxes of the
    others were.
    """

    as_today: frozenset[str] = frozenset()
    boxes: Mapping[str, Mapping[str, tuple[int, int, int, int]]] = field(factory=dict)

    @classmethod
    def of(cls, title: str) -> Earlier:
        """Read the file of a game; empty if it has none. BadInput if its form is wrong."""
        names = games_titled(title)
        path = find_game(names[0]) / EARLIER if len(names) == 1 else None
        return cls.read(path) if path is not None and path.is_file() else cls()

    @classmethod
    def read(cls, path: Path) -> Earlier:
        """Read such a file; BadInput if its form is wrong."""
        table = read_toml(path)
        try:
            boxes = {
                version: {name: _box(place) for name, place in one["places"].items()}
                for one in table.get("boxes", ())
                for version in one["versions"]
            }
            return cls(frozenset(table.get("as_today", ())), boxes)
        except (AttributeError, KeyError, TypeError, ValueError):
            right = "tables of boxes, each with versions and places: left, top, width, height"
            raise BadInput(Problem(str(path), "", "does not say where the boxes were", right)) from None


def _box(place: Sequence[int]) -> tuple[int, int, int, int]:
    left, top, wide, high = place
    return int(left), int(top), int(wide), int(high)


@define
class Carrying:
    """A position being converted for a module. ``missing`` lists what has no place in it."""

    position: Position
    target: Target
    named: Naming
    missing: list[str] = field(factory=list)
    count: int = 0

    def stream(self) -> str:
        """The text of the new saved game."""
        found = (commands.BeginSave(), *self._pieces(), *self._rest(), commands.EndSave())
        first, *others = (Node(command.encode()) for command in found)
        return streams.encode(attrs.evolve(first, children=tuple(others)))

    def _pieces(self) -> Iterator[commands.Command]:
        held = {piece.marker(CID): name for name, piece in self.position.pieces.items()}
        for own, (piece, spot) in self.target.start.items():
            at = self._turn_marker(held[own], spot) if own == TURN_MARKER and own in held else spot
            yield _added(held.get(own) or f"U{piece.gpid}", _at(piece, at))
        stacks: dict[tuple[Spot, str], list[str]] = {}
        for name in self.position.in_order():
            old = self.position.pieces[name]
            counter = old.marker(CID) or ""
            if counter in self.target.start:
                continue
            if counter not in self.target.counters:
                self.missing.append(f"{old.name or name} is not a counter of the module and was left out.")
                continue
            place = self._place(name, old)
            if place is None:
                continue
            self.count += 1
            new = _at(taken_over(self.target.counters[counter], old), place)
            yield _added(name, new)
            immobile = new.find(Immobilized)
            if immobile is None or immobile.stacks:
                stacks.setdefault((place, new.marker("Side") or ""), []).append(name)
        for ((map_name, x, y), _), names in stacks.items():
            state = StackState(map=map_name, x=x, y=y, ids=tuple(names))
            yield _added(f"S{names[0]}", Piece.of((Stack(), state)))

    def _place(self, name: str, piece: Piece) -> Spot | None:
        """The place of a piece on the new boards: the place of the same name."""
        spot = self.position.spots.get(name)
        if spot is None:
            self.missing.append(f"{piece.name} is on no map and was left out.")
            return None
        called = self.named(spot)
        centre = (
            self.target.plans[spot[0]].centre(called) if called and spot[0] in self.target.plans else None
        )
        if centre is None:
            where = f"{called}, a place that the module does not have" if called else "a place without a name"
            self.missing.append(
                f"{piece.name} was in {where}; it is still at {spot[1]}, {spot[2]} of {spot[0]}."
            )
            return spot
        return (spot[0], *centre)

    def _turn_marker(self, name: str, start: Spot) -> Spot:
        """The turn marker: in the cell of its turn, at the same offset as in that of the first turn."""
        spot = self.position.spots.get(name)
        called, first = (self.named(spot) if spot else None), self.target.named(start)
        plan = self.target.plans[start[0]]
        here, there = (plan.centre(place) if place else None for place in (first, called))
        if here is None or there is None:
            return start
        return (start[0], start[1] + there[0] - here[0], start[2] + there[1] - here[1])

    def _rest(self) -> Iterator[commands.Command]:
        yield from self.position.players.values()
        for name, initial in self.target.properties.items():
            value = initial if initial.startswith("{") else self.position.properties.get(name, initial)
            if name == BEGUN_WITH:
                value = self.target.data.version or ""
            yield commands.RestoreProperty(name=name, value=value, container="Module")
        for map_name, plan in self.target.plans.items():
            boards = tuple(commands.PlacedBoard(board.name) for board in plan.boards)
            yield commands.SetBoards(map=map_name, boards=boards)
        yield commands.AtStartDone()
        if self.position.turn:
            yield self.position.turn
        yield from self.position.notes.values()


_KEPT = (MovementMarkable, Footprint, Obscurable)
"""Traits whose states are taken over unchanged."""


def taken_over(new: Piece, old: Piece) -> Piece:
    """A counter of the new module with the state of an old one: properties by name, marks, trail and mask."""
    values = {
        trait.name: state.value
        for trait, state in old.pairs()
        if isinstance(trait, DynamicProperty) and isinstance(state, DynamicPropertyState)
    }
    values = _derived(values)
    for place, trait in enumerate(new.traits):
        if isinstance(trait, DynamicProperty) and trait.name in values:
            new = new.replace_state(place, DynamicPropertyState(value=values[trait.name]))
        elif isinstance(trait, _KEPT) and (state := _state_of(old, type(trait))) is not None:
            new = new.replace_state(place, state)
    return new


def _derived(values: Mapping[str, str]) -> dict[str, str]:
    """Values that earlier counters stored differently: the label, and the adjustments of a battle."""
    changed = adjusted([values.get(name, "0") for name in EARLIER_ADJUSTMENTS])
    return {ADJUSTED: str(changed), **values, LABELLED: _label(values)}


def _label(values: Mapping[str, str]) -> str:
    """The label: before version 6 only on defenders, in version 4 without the battle, in version 1 not
    stored.
    """
    if values.get(ROLE) != "D":
        return label_of("A", values.get(BATTLE, "")) if values.get(ROLE) == "A" else ""
    battle, result = label_of("D", values.get(BATTLE, "")), values.get(RESULT, "-")
    kept = values.get(LABELLED, values.get(EARLIER_LABEL, "" if result in ("", "-") else f"  {result}"))
    return kept if kept.startswith(battle) else battle + kept


def _state_of(piece: Piece, kind: type[Trait]) -> State | None:
    return next((state for trait, state in piece.pairs() if type(trait) is kind), None)


def _at(piece: Piece, spot: Spot) -> Piece:
    map_name, x, y = spot
    return piece.replace_state(BasicPiece, attrs.evolve(piece.basic_state, map=map_name, x=x, y=y))


def _added(name: str, piece: Piece) -> commands.AddPiece:
    type_text, state_text = piece.encode()
    return commands.AddPiece(id=name, type=type_text, state=state_text)
