"""The contents of a saved game or log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import Factory, define, evolve, field, frozen

from vassalgen.inspection.activity import activity_of
from vassalgen.inspection.facts import (
    FileKind,
    FindingKind,
    GameFacts,
    MapInPlay,
    ModuleName,
    PlayerFacts,
)
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.reading import AT_START, metadata_of, read, versions
from vassalgen.problems import FormatError
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    Command,
    DelayedNote,
    Notes,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    RemovePlayer,
    RestoreProperty,
    SetBoards,
    SetTurn,
    UsesExtension,
)
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.obfuscation import Form
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.savedgame import SavedGame
from vassalgen.vassal.streams import Stream
from vassalgen.vassal.streams import decode as decode_stream
from vassalgen.vassal.traits.deck import DeckState
from vassalgen.vassal.traits.stack import StackState

STORED = {Form.VCSK: "!VCSK", Form.VOBS: "VOBS", Form.PLAIN: "plain"}


@frozen
class PlacedThing:
    """A piece, stack or deck as set up by a saved game. ``ids`` are the pieces in a stack or deck."""

    type: str
    map: str | None
    ids: tuple[str, ...] = ()

    @property
    def is_stack(self) -> bool:
        """Whether it is a stack."""
        return self.type == "stack"

    @property
    def is_deck(self) -> bool:
        """Whether it is a deck."""
        return self.type.startswith("deck;")


@define
class Start:
    """The set-up of a stream. ``seats`` have the players' passwords as keys and are never shown."""

    placed: dict[str, PlacedThing] = Factory(dict)
    seats: dict[str, PlayerFacts] = field(factory=dict, repr=False)
    boards: dict[str, tuple[str, ...]] = Factory(dict)
    turns: dict[str, str] = Factory(dict)
    properties: set[tuple[str, str]] = Factory(set)
    notes: set[str] = Factory(set)
    extensions: list[ModuleName] = Factory(list)

    def carry_out(self, command: Command, findings: Gathering) -> None:
        """Carry out one command."""
        match command:
            case AddPiece():
                self._lay(command, findings)
            case RemovePiece():
                self.placed.pop(command.id, None)
            case AddPlayer(password=seat):
                self.seats[seat or f"\t{command.name}\t{command.side}"] = PlayerFacts(
                    command.name, command.side
                )
            case RemovePlayer(password=seat):
                self.seats.pop(seat, None)
            case SetBoards():
                self.boards[command.map] = tuple(board.name for board in command.boards)
            case SetTurn():
                self.turns[command.tracker] = command.state
            case RestoreProperty():
                self.properties.add((command.container, command.name))
            case UsesExtension():
                extension = ModuleName(command.name, command.version)
                if extension not in self.extensions:
                    self.extensions.append(extension)
            case PublicNotes(text=text) if text:
                self.notes.add("public")
            case Notes(text=text) if text:
                self.notes.add("scenario")
            case PrivateNote(text=text) if text:
                self.notes.add("private")
            case DelayedNote():
                self.notes.add("delayed")

    def _lay(self, command: AddPiece, findings: Gathering) -> None:
        if command.id is None:
            return
        thing = PlacedThing(command.type, None)
        try:
            state: StackState | DeckState
            if thing.is_stack or thing.is_deck:
                state = (
                    StackState.decode(command.state) if thing.is_stack else DeckState.decode(command.state)
                )
                thing = evolve(thing, map=state.map, ids=state.ids)
            else:
                thing = evolve(thing, map=Piece.decode(command.type, command.state).basic_state.map)
        except FormatError as error:
            where = error.problem.place
            what = f"{where}: {error.problem.wrong}" if where else error.problem.wrong
            findings.add(FindingKind.BROKEN_PIECE, what, f"piece {command.id}", right=error.problem.right)
        if command.id in self.placed:
            right = "every piece of a game has an id of its own"
            findings.add(FindingKind.DUPLICATE_PIECE_ID, command.id, right=right)
        self.placed[command.id] = thing

    def maps(self) -> tuple[MapInPlay, ...]:
        """The contents of each map, by name; the entry without a map is last."""
        inside = {member: thing for thing in self.placed.values() if thing.ids for member in thing.ids}
        counts: Counter[tuple[str | None, str]] = Counter()
        for thing_id, thing in self.placed.items():
            if thing.is_stack:
                counts[thing.map, "stack"] += any(member in self.placed for member in thing.ids)
            elif thing.is_deck:
                counts[thing.map, "deck"] += 1
            else:
                around = inside.get(thing_id)
                where = around.map if around else thing.map
                counts[where, "piece"] += 1
                counts[where, "card"] += bool(around and around.is_deck)
        names = {name for (name, _), count in counts.items() if count} | set(self.boards)
        return tuple(
            MapInPlay(
                name=name,
                boards=self.boards.get(name, ()) if name is not None else (),
                pieces=counts[name, "piece"],
                stacks=counts[name, "stack"],
                decks=counts[name, "deck"],
                cards=counts[name, "card"],
            )
            for name in sorted(names, key=lambda name: (name is None, name or ""))
        )


def game_facts(game: SavedGame) -> tuple[GameFacts, Start]:
    """The facts of a saved game or log, and its set-up.

    Raises :exc:`FormatError` only for excessively nested streams.
    """
    stream = decode_stream(game.text)
    findings = Gathering()
    start = Start()
    for command in _setup_commands(stream, findings):
        start.carry_out(command, findings)
    steps = stream.steps
    stacks = {thing_id for thing_id, thing in start.placed.items() if thing.is_stack}
    activity, by_player, joined = activity_of(steps, start.seats, stacks, findings)
    moduledata = metadata_of(lambda: game.moduledata, findings)
    savedata = metadata_of(lambda: game.savedata, findings)
    maps = start.maps()
    facts = GameFacts(
        kind=FileKind.LOG if steps else FileKind.SAVE,
        stored=STORED[game.envelope.form],
        module=_module(moduledata, savedata),
        made=versions(savedata),
        players=(*start.seats.values(), *joined),
        maps=maps,
        pieces=sum(one.pieces for one in maps),
        commands=sum(1 for _ in stream.root.walk()),
        turns=tuple(f"{tracker} {state}" for tracker, state in sorted(start.turns.items())),
        properties=len(start.properties),
        notes=tuple(sorted(start.notes)),
        extensions=tuple(start.extensions),
        activity=activity if steps else None,
        by_player=by_player,
        findings=findings.found(),
    )
    return facts, start


def _setup_commands(stream: Stream, findings: Gathering) -> Iterator[Command]:
    for node in stream.setup:
        command = read(node, AT_START, findings)
        if command is not None:
            yield command


def _module(moduledata: ModuleData | None, savedata: SaveData | None) -> ModuleName:
    """The module of a saved game: its name is in one entry, its version in both."""
    versions_of = [data.version for data in (savedata, moduledata) if data is not None and data.version]
    return ModuleName(moduledata.name if moduledata else None, versions_of[0] if versions_of else None)
