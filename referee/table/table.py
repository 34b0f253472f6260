"""The table: what VASSAL would show after each step of a log. Knows no rules.

Commands are carried out in the same way and order as in VASSAL's engine; sources are named where it matters.
The one thing that the engine knows and a log does not is the viewer: here it is an observer, who sees no
hidden piece, or the player named when the table is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from referee.table import events, placing, statements, states
from referee.table.events import Event, Spot, Subject
from referee.table.module import EMPTY_MODULE, MapFacts, ModulePlan
from referee.table.properties import Globals
from referee.table.sight import Sight
from referee.table.texts import is_number
from referee.table.things import Deck, Map, Piece, PieceTypes, Stack, Thing, differing
from vassalgen.vassal import commands
from vassalgen.vassal.commands import Command

LOCAL = "local-"
"""The prefix of ids that VASSAL would take from its clock: ids of stacks that are not in the log."""


@frozen
class Player:
    """A player at the table. ``key`` replaces the password: ``@Name``."""

    key: str
    name: str
    side: str


class Table:
    """Everything that VASSAL stores while a game is open, and the operations that change it.

    Commands must not contain passwords: see :mod:`vassalgen.vassal.secrets`. ``viewer`` is the key of the
    player who views the table, or None for an observer.
    """

    def __init__(self, module: ModulePlan = EMPTY_MODULE, viewer: str | None = None) -> None:
        self.module = module
        self.things: dict[str, Thing] = {}
        self.maps: dict[str, Map] = {}
        self.unknown_maps: set[str] = set()
        """Names of maps in the log that the module does not have."""
        self.players: list[Player] = []
        self.chat: list[str] = []
        self.notes: dict[str, str] = {}
        self.globals = Globals(module)
        self.turns: dict[str, str] = {}
        self.sight = Sight(self, viewer)
        self.removed_pieces: set[str] = set()
        self._started = False
        self.scene = 0
        """Counts changes that affect the look of everything: other boards, other seats."""
        self._local_ids = 0
        self._types = PieceTypes()
        for facts in module.maps:
            self.maps[facts.name] = Map(facts.name, stacking=facts.stacking)

    def pieces(self) -> Iterator[Piece]:
        """All pieces, in the order in which they were added."""
        return (thing for thing in self.things.values() if isinstance(thing, Piece))

    def stacks(self) -> Iterator[Stack]:
        """All stacks that are not empty, and all decks."""
        for thing in self.things.values():
            if isinstance(thing, Stack) and (thing.members or isinstance(thing, Deck)):
                yield thing

    def map_named(self, name: str | None) -> Map | None:
        """The map with a name or number (``Map0``); one that the module does not have is created when it is
        first named. [build.module.Map.getMapById]
        """
        if name is None or name == "null":
            return None
        found = self.maps.get(name)
        if found is None and name.startswith("Map") and is_number(name[3:]) and self.module.known:
            number = int(name[3:])
            found = list(self.maps.values())[number] if number < len(self.maps) else None
        if found is None and not self.module.known:
            found = self.maps[name] = Map(name)
        if found is None:
            self.unknown_maps.add(name)
        return found

    def facts_of(self, map_: Map | None) -> MapFacts | None:
        """The module's data about a map."""
        return self.module.map(map_.name) if map_ else None

    def spot(self, thing: Thing) -> Spot:
        """Where a thing is, in words."""
        x, y = thing.position
        return Spot(thing.map.name if thing.map else None, x, y, self.location_of(thing))

    def location_of(self, thing: Thing) -> str | None:
        """The name of the place where a thing is, None if there is no module."""
        return self.location_at(thing.map, *thing.position)

    def location_at(self, map_: Map | None, x: int, y: int) -> str | None:
        """The name of a place. [build.module.Map.locationName]"""
        facts = self.facts_of(map_)
        return facts.plan.location_name(x, y) if facts else None

    def board_at(self, map_: Map | None, x: int, y: int) -> str | None:
        """The board at a place."""
        facts = self.facts_of(map_)
        board = facts.plan.board_at(x, y) if facts else None
        return board.name if board else None

    def zone_at(self, map_: Map | None, x: int, y: int) -> str | None:
        """The zone at a place."""
        facts = self.facts_of(map_)
        zone = facts.plan.zone_at(x, y) if facts else None
        return zone.name if zone else None

    def subject(self, thing: Thing) -> Subject:
        """A thing in the form used by events."""
        return Subject(thing.id, self.sight.name(thing))

    def carry_out(self, command: Command) -> list[Event]:
        """Carry out one command and return its events."""
        match command:
            case commands.AddPiece():
                return self._add(command)
            case commands.MovePiece():
                return self._move(command)
            case commands.ChangePiece():
                return self._change(command)
            case commands.RemovePiece():
                return self._remove(command)
            case commands.Chat():
                self.chat.append(command.text)
                own = not command.text.startswith(("*", "-"))
                return [events.Chatted(text=command.text) if own else events.Reported(text=command.text)]
            case commands.ChangeProperty():
                return self._change_property(command)
            case commands.RestoreProperty():
                self.globals.restore(command)
            case commands.SetTurn():
                return self._set_turn(command)
            case commands.AddPlayer() | commands.RemovePlayer():
                return self._seat(command)
            case commands.SetBoards():
                self._set_boards(command)
            case commands.Notes() | commands.PrivateNote() | commands.DelayedNote():
                return self._take_note(command)
            case commands.Flare():
                return [events.Pointed(how="flare", at=(command.x, command.y))]
            case commands.LineOfSight():
                return [events.Pointed(how="line of sight", at=(command.anchor_x, command.anchor_y))]
            case commands.EndSave():
                self._started = True
                self.globals.begin_game()
        return []

    def _add(self, command: commands.AddPiece) -> list[Event]:
        thing_id = command.id if command.id is not None else self._new_id()
        if command.type == "stack":
            stack = Stack(thing_id)
            self.things[thing_id] = stack
            happened = self._set_members(stack, command.state)
            self._raise(stack)
            return happened
        if command.type.startswith("deck;"):
            deck = Deck(thing_id, command.type)
            self.things[thing_id] = deck
            states.set_deck(self, deck, command.state)
            self._raise(deck)
            return []
        piece = Piece(thing_id, self._types.of(command.type))
        self.things[thing_id] = piece
        odd = self._set_piece(piece, command.state)
        self._raise(piece)
        return [*odd, events.Added(piece=self.subject(piece), at=self.spot(piece))]

    def _raise(self, thing: Thing) -> None:
        """Raise the last moved piece above all others, as most maps do during a game."""
        facts = self.facts_of(thing.map)
        if self._started and thing.map is not None and (facts is None or facts.raises_last_moved):
            thing.map.raise_((thing.parent if isinstance(thing, Piece) else None) or thing)

    def _set_piece(self, piece: Piece, state: str) -> list[Event]:
        if states.set_piece(self, piece, state):
            return []
        return [
            events.Odd(
                why=f"{self.sight.name(piece) or piece.id}: its state has fewer parts than its definition"
            )
        ]

    def _new_id(self) -> str:
        """An id for a thing that VASSAL would name after its clock."""
        self._local_ids += 1
        return f"{LOCAL}{self._local_ids}"

    def new_stack(self) -> Stack:
        """A stack that VASSAL creates itself, still without a place."""
        stack = Stack(self._new_id(), unnamed=True)
        self.things[stack.id] = stack
        return stack

    def _move(self, command: commands.MovePiece) -> list[Event]:
        """Move a piece or stack. [command.MovePiece.executeCommand]"""
        thing = self.things.get(command.id) or placing.stack_the_log_never_made(self, command)
        if thing is None:
            return [events.Odd(why=f"a move names piece {command.id}, which is not on the table")]
        contradicted = statements.of_move(self, thing, command)
        moved = list(thing.members) if isinstance(thing, Stack) else [thing]
        before = [(piece, self.spot(piece)) for piece in moved]
        old_order = _order_around(thing)
        placing.move(self, thing, command)
        self._raise(thing)
        happened = self._moves(before, dragged=command.id)
        stack = thing.parent if isinstance(thing, Piece) else None
        if stack is not None and not happened and _order_around(thing) != old_order:
            happened = [self._restacked(stack)]
        return [*contradicted, *happened]

    def _change(self, command: commands.ChangePiece) -> list[Event]:
        """Change a piece's state, a stack's members, a deck's cards. [command.ChangePiece]"""
        thing = self.things.get(command.id)
        if isinstance(thing, Piece):
            return self._change_piece(thing, command)
        if not isinstance(thing, Stack):
            return [events.Odd(why=f"a change names piece {command.id}, which is not on the table")]
        old = command.old_state
        contradicted = [] if old is None else statements.of_members(self, thing, old)
        if not isinstance(thing, Deck):
            state = states.merged_stack_state(thing, command)
            return [*contradicted, *self._set_members(thing, state)]
        states.set_deck(self, thing, command.new_state)
        held = len(thing.members)
        changed = events.DeckChanged(deck=self.subject(thing), cards=held, face_down=thing.face_down)
        return [*contradicted, changed]

    def _change_piece(self, piece: Piece, command: commands.ChangePiece) -> list[Event]:
        before = [(piece, self.spot(piece))]
        if command.old_state is None:
            old_states = list(piece.states)
            said = self._set_piece(piece, command.new_state)
            were = {place: old_states[place] for place in differing(old_states, piece.states)}
        else:
            old = states.parts_of(piece, command.old_state)
            new = states.parts_of(piece, command.new_state)
            said = statements.of_change(self, piece, old)
            were = states.merge_piece(self, piece, new, old)
            states.remember(piece, command.new_state, new)
        changes = self.sight.changes(piece, were)
        return [*said, *changes, *self._moves(before, dragged=piece.id)]

    def _remove(self, command: commands.RemovePiece) -> list[Event]:
        """Remove a thing. [command.RemovePiece.executeCommand]"""
        thing = self.things.get(command.id)
        if thing is None:
            return []
        event = events.Removed(piece=self.subject(thing), at=self.spot(thing))
        before = [(member, self.spot(member)) for member in thing.members] if isinstance(thing, Stack) else []
        self._raise(thing)
        if thing.map is not None:
            thing.map.remove(thing)
            thing.set_map(None)
        if isinstance(thing, Piece):
            self.removed_pieces.add(thing.id)
            if thing.parent is not None:
                thing.parent.remove(thing)
        del self.things[command.id]
        is_stack = isinstance(thing, Stack) and not isinstance(thing, Deck)
        return self._moves(before, dragged=thing.id) if is_stack else [event]

    def _moves(self, before: Iterable[tuple[Thing, Spot]], dragged: str) -> list[Event]:
        moved: list[Event] = []
        for thing, origin in before:
            target = self.spot(thing)
            if target != origin:
                moved.append(
                    events.Moved(piece=self.subject(thing), origin=origin, target=target, dragged=dragged)
                )
        return moved

    def _set_members(self, stack: Stack, state: str) -> list[Event]:
        """Set the members of a stack and return the changes: places of pieces, or else their order."""
        named = map(self.things.get, states.members_in(state))
        pieces = [piece for piece in named if isinstance(piece, Piece)]
        before = [(piece, self.spot(piece)) for piece in {*pieces, *stack.members}]
        old_order = [piece.id for piece in stack.members]
        states.set_stack(self, stack, state)
        moved = self._moves(sorted(before, key=lambda entry: entry[0].id), dragged=stack.id)
        new_order = [piece.id for piece in stack.members]
        if moved or not old_order or old_order == new_order:
            return moved
        return [self._restacked(stack)]

    def _restacked(self, stack: Stack) -> Event:
        names = tuple(self.sight.name(piece) for piece in stack.members)
        return events.Restacked(stack=self.subject(stack), at=self.spot(stack), members=names)

    def _change_property(self, command: commands.ChangeProperty) -> list[Event]:
        old = self.globals.change(command)
        if old is None:
            return []
        container = command.container or ""
        return [events.GlobalChanged(name=command.name, old=old, new=command.new or "", container=container)]

    def _set_turn(self, command: commands.SetTurn) -> list[Event]:
        old = self.globals.turn_text(command.tracker) or self.turns.get(command.tracker, "")
        self.turns[command.tracker] = command.state
        self.globals.set_turn(command.tracker, command.state)
        new = self.globals.turn_text(command.tracker) or command.state
        return [events.TurnChanged(tracker=self.globals.turn_name(command.tracker), old=old, new=new)]

    def _seat(self, command: commands.AddPlayer | commands.RemovePlayer) -> list[Event]:
        if isinstance(command, commands.AddPlayer):
            player = Player(command.password, command.name, command.side)
            if player in self.players:
                return []
            self.scene += 1
            self.players.append(player)
            return [events.Seated(player=player.name, side=player.side)]
        self.scene += 1
        gone = [player for player in self.players if player.key == command.password]
        self.players = [player for player in self.players if player.key != command.password]
        return [events.Seated(player=player.name, side=None) for player in gone]

    def player(self, key: str) -> Player | None:
        """The player with a key, as last seated."""
        for player in reversed(self.players):
            if player.key == key:
                return player
        return None

    def _set_boards(self, command: commands.SetBoards) -> None:
        map_ = self.map_named(command.map)
        if map_ is not None:
            self.scene += 1
            self.module = self.module.with_boards(map_.name, command.boards)

    def _take_note(
        self, command: commands.Notes | commands.PrivateNote | commands.DelayedNote
    ) -> list[Event]:
        match command:
            case commands.PublicNotes():
                kind = "public notes"
            case commands.Notes():
                kind = "scenario notes"
            case commands.PrivateNote():
                kind = "private notes"
            case _:
                kind = "delayed notes"
        if isinstance(command, commands.Notes):
            if self.notes.get(kind, "") == command.text:
                return []
            self.notes[kind] = command.text
        return [events.NotesChanged(kind=kind)]


def _order_around(thing: Thing) -> list[str]:
    """The ids of the things in the stack of a piece, from bottom to top."""
    parent = thing.parent if isinstance(thing, Piece) else None
    return [member.id for member in parent.members] if parent else []
