"""The table: what VASSAL would show after each step of a log. Knows no rules.

Commands are carried out as the engine carries them out, in the order in which it does; each source is named
where it matters. The one thing the engine knows and a log does not is who looks on: here it is an observer,
who sees no concealed piece, or the player named when the table is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from referee.table import events
from referee.table.events import Event, Spot, Subject
from referee.table.module import EMPTY_MODULE, MapFacts, ModulePlan
from referee.table.properties import Globals
from referee.table.sight import Sight
from referee.table.things import Deck, Map, Piece, Stack, Thing, piece_type
from vassalgen.vassal import commands, sequences
from vassalgen.vassal.commands import Command

TAB = "\t"
LOCAL = "local-"
"""How ids begin that VASSAL would take from its clock: of stacks that no log speaks of."""


@frozen
class Player:
    """A player at the table. ``key`` is what stands for the password: ``@Name``."""

    key: str
    name: str
    side: str


class Table:
    """Everything VASSAL holds while a game is open, and the means to change it.

    Commands must come without passwords: see :mod:`vassalgen.vassal.secrets`. ``viewer`` is the key of the
    player who looks on, or None for an observer.
    """

    def __init__(self, module: ModulePlan = EMPTY_MODULE, viewer: str | None = None) -> None:
        self.module = module
        self.things: dict[str, Thing] = {}
        self.maps: dict[str, Map] = {}
        self.players: list[Player] = []
        self.chat: list[str] = []
        self.notes: dict[str, str] = {}
        self.globals = Globals(module)
        self.turns: dict[str, str] = {}
        self.sight = Sight(self, viewer)
        self._local_ids = 0
        for facts in module.maps:
            self.maps[facts.name] = Map(facts.name, stacking=facts.stacking)

    def pieces(self) -> Iterator[Piece]:
        """All pieces, in the order in which they came."""
        return (thing for thing in self.things.values() if isinstance(thing, Piece))

    def stacks(self) -> Iterator[Stack]:
        """All stacks that hold anything, and all decks."""
        for thing in self.things.values():
            if isinstance(thing, Stack) and (thing.members or isinstance(thing, Deck)):
                yield thing

    def map_named(self, name: str | None) -> Map | None:
        """The map of a name or number (``Map0``); one that no module speaks of is made when first named.

        [build.module.Map.getMapById]
        """
        if name is None or name == "null":
            return None
        found = self.maps.get(name)
        if found is None and name.startswith("Map") and name[3:].isdigit() and self.module.known:
            number = int(name[3:])
            found = list(self.maps.values())[number] if number < len(self.maps) else None
        if found is None and not self.module.known:
            found = self.maps[name] = Map(name)
        return found

    def facts_of(self, map_: Map | None) -> MapFacts | None:
        """What the module says of a map."""
        return self.module.map(map_.name) if map_ else None

    def spot(self, thing: Thing) -> Spot:
        """Where a thing lies, in words."""
        x, y = thing.position
        return Spot(thing.map.name if thing.map else None, x, y, self.location_of(thing))

    def location_of(self, thing: Thing) -> str | None:
        """The name of the place where a thing lies, None where no module tells."""
        return self.location_at(thing.map, *thing.position)

    def location_at(self, map_: Map | None, x: int, y: int) -> str | None:
        """The name of a place: of the deck that is there, or as the board's grid counts.

        [build.module.Map.locationName]
        """
        facts = self.facts_of(map_)
        if map_ is None or facts is None:
            return None
        deck = map_.deck_at(x, y)
        return deck.name if deck else facts.plan.location_name(x, y)

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
        """A thing as events name it."""
        return Subject(thing.id, self.sight.name(thing))

    def carry_out(self, command: Command) -> list[Event]:
        """Carry out one command and say what came of it."""
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
                self.globals.begin_game()
        return []

    def _add(self, command: commands.AddPiece) -> list[Event]:
        thing_id = command.id if command.id is not None else self._new_id()
        if command.type == "stack":
            stack = Stack(thing_id)
            self.things[thing_id] = stack
            return self._watch_members(stack, command.state, lambda: self._set_stack(stack, command.state))
        if command.type.startswith("deck;"):
            deck = Deck(thing_id, command.type)
            self.things[thing_id] = deck
            self._set_deck(deck, command.state)
            return []
        piece = Piece(thing_id, piece_type(command.type))
        self.things[thing_id] = piece
        odd = self._set_piece(piece, command.state)
        return [*odd, events.Added(piece=self.subject(piece), at=self.spot(piece))]

    def _new_id(self) -> str:
        """An id for a thing that VASSAL would name after its clock."""
        self._local_ids += 1
        return f"{LOCAL}{self._local_ids}"

    def _set_piece(self, piece: Piece, state: str) -> list[Event]:
        """Give a piece its whole state. [counters.Decorator.setState, BasicPiece.setState]"""
        parts = sequences.unnest(state, TAB)
        count = len(piece.states)
        piece.states[: len(parts) - 1] = parts[: min(len(parts) - 1, count)]
        if len(parts) <= count:
            del piece.states[count:]
            piece.states[len(parts) - 1] = parts[-1]
            return [events.Odd(why=f"{piece.type.basic_name}: its state has fewer parts than its definition")]
        self._set_basic(piece, parts[count])
        return []

    def _set_basic(self, piece: Piece, state: str) -> None:
        fields = sequences.decode(state, ";")
        new_map = self.map_named(fields[0])
        piece.gpid = fields[3] if len(fields) > 3 else ""
        piece.kept = tuple(fields[5:])
        old_map = piece.map
        piece.put_at(_integer(fields, 1), _integer(fields, 2))
        if new_map is old_map:
            return
        if new_map is not None:
            new_map.add(piece)
        elif old_map is not None:
            old_map.remove(piece)
            piece.own_map = None

    def _set_stack(self, stack: Stack, state: str) -> None:
        """Give a stack its members. [counters.Stack.setState]"""
        fields = sequences.decode(state, ";")
        if fields[0] == "null":
            stack.put_at(0, 0)
            rest = fields[1:]
        else:
            stack.put_at(_integer(fields, 1), _integer(fields, 2))
            rest = fields[3:]
        stack.clear()
        new_map = self.map_named(fields[0])
        for token in rest:
            member = self.things.get(token)
            if isinstance(member, Piece):
                stack.adopt(member, len(stack.members))
            elif token.startswith("@@"):
                stack.layer = _integer([token[2:]], 0, stack.layer)
        if new_map is not stack.own_map:
            if new_map is not None:
                new_map.add(stack)
            else:
                stack.set_map(None)

    def _set_deck(self, deck: Deck, state: str) -> None:
        """Give a deck its cards. [counters.Deck.setState]"""
        fields = sequences.decode(state, ";")
        deck.put_at(_integer(fields, 1), _integer(fields, 2))
        new_map = self.map_named(fields[0])
        if new_map is not deck.own_map:
            if new_map is not None:
                new_map.add(deck)
            else:
                deck.set_map(None)
        deck.face_down = fields[3:4] == ["true"]
        ids = sequences.decode(fields[4], ",") if len(fields) > 4 else []
        cards = [card for card in map(self.things.get, ids) if isinstance(card, Piece)]
        deck.clear()
        for card in cards:
            deck.adopt(card, len(deck.members))

    def _move(self, command: commands.MovePiece) -> list[Event]:
        """Move a piece or stack. [command.MovePiece.executeCommand]"""
        thing = self.things.get(command.id) or self._stack_the_log_never_made(command)
        if thing is None:
            return [events.Odd(why=f"a move names piece {command.id}, which is not on the table")]
        moved = list(thing.members) if isinstance(thing, Stack) else [thing]
        before = [(piece, self.spot(piece)) for piece in moved]
        target = self.map_named(command.map)
        if target is None:
            old = self.map_named(command.old_map)
            if old is not None:
                old.remove(thing)
        else:
            self._place(thing, target, command)
        return self._moves(before, dragged=command.id)

    def _stack_the_log_never_made(self, command: commands.MovePiece) -> Stack | None:
        """The stack that a move means by an id nobody heard of.

        Undoing leaves VASSAL with stacks of its own making, which it names without telling the log; when one
        is dragged, the log names it. It is taken for the only stack where the move says it lay.
        """
        home = self.map_named(command.old_map)
        if home is None:
            return None
        here = [one for one in home.at(command.old_x, command.old_y) if type(one) is Stack]
        if len(here) != 1 or not here[0].id.startswith(LOCAL):
            return None
        del self.things[here[0].id]
        here[0].id = command.id
        self.things[command.id] = here[0]
        return here[0]

    def _place(self, thing: Thing, target: Map, command: commands.MovePiece) -> None:
        under = self.things.get(command.under) if command.under is not None else None
        place = (command.x, command.y)
        if under is not None and under.position == place and under.map is target:
            self._merge(under, thing)
            return
        if not self._merge_with_first(thing, target, command):
            self._stack_or_place(thing, target, place)
        if command.under is None and isinstance(thing, Piece) and thing.parent is not None:
            thing.parent.insert(thing, 0)

    def _merge_with_first(self, thing: Thing, target: Map, command: commands.MovePiece) -> bool:
        """Merge with the first thing at the very place that will have it. [MovePiece.createMergeFinder]"""
        never = isinstance(thing, Piece) and thing.type.never_stacks
        for other in target.at(command.x, command.y):
            if isinstance(other, Deck):
                self._merge(other, thing)
                return True
            if never or not target.stacking:
                continue
            assert isinstance(other, Stack | Piece)
            if isinstance(other, Stack):
                if self.sight.top_for(other, command.player) and self._can_merge(thing, other):
                    self._merge(other, thing)
                    return True
            elif self._can_merge(thing, other) and other.hidden_by in (None, command.player):
                self._merge(other, thing)
                return True
        return False

    def _can_merge(self, one: Thing, other: Thing) -> bool:
        """[build.module.map.CompoundPieceCollection.canMerge, LayeredPieceCollection.canPiecesMerge]"""
        if isinstance(one, Deck) or isinstance(other, Deck):
            return True
        first = self.sight.top(one) if isinstance(one, Stack) else one
        second = self.sight.top(other) if isinstance(other, Stack) else other
        if not isinstance(first, Piece) or not isinstance(second, Piece):
            return False
        if first.type.never_stacks or second.type.never_stacks:
            return False
        unseen = self.sight.invisible(first) or self.sight.invisible(second)
        if unseen and first.hidden_by != second.hidden_by:
            return False
        return self.sight.layer_on_map(first, other.map) == self.sight.layer_on_map(second, other.map)

    def _stack_or_place(self, thing: Thing, target: Map, place: tuple[int, int]) -> None:
        lonely = isinstance(thing, Piece) and thing.parent is None and not thing.type.never_stacks
        if target.stacking and lonely and isinstance(thing, Piece):
            stack = Stack(self._new_id())
            stack.adopt(thing, 0)
            self.things[stack.id] = stack
            thing = stack
        thing.put_at(*place)
        target.add(thing)

    def _merge(self, fixed: Thing, moving: Thing) -> None:
        """Lay one thing on top of another. [build.module.map.StackMetrics.merge]"""
        if isinstance(fixed, Stack):
            fixed = self.sight.top(fixed) or fixed
        parent = fixed.parent if isinstance(fixed, Piece) else None
        if moving is fixed or moving is parent:
            return
        place = parent.index_of(fixed) + 1 if parent and isinstance(fixed, Piece) else 0
        if parent is None:
            if isinstance(fixed, Stack):
                parent, place = fixed, len(fixed.members)
            else:
                parent, place = self._stack_around(fixed), 1
        if isinstance(moving, Stack):
            for member in list(moving.members):
                parent.adopt(member, place)
                place += 1
        elif isinstance(moving, Piece):
            if moving.parent is parent and parent.index_of(moving) < place:
                place -= 1
            if moving.parent is None and moving.own_map is not None and moving.own_map is not parent.own_map:
                moving.own_map.remove(moving)
            parent.insert(moving, place)

    def _stack_around(self, piece: Thing) -> Stack:
        """Make a stack where a piece lies loose."""
        assert isinstance(piece, Piece)
        stack = Stack(self._new_id())
        x, y = piece.position
        home = piece.map
        stack.put_at(x, y)
        stack.own_map = home
        stack.adopt(piece, 0)
        if home is not None:
            stack.own_map = None
            home.add(stack)
        self.things[stack.id] = stack
        return stack

    def _change(self, command: commands.ChangePiece) -> list[Event]:
        """Change a piece's state, a stack's members, a deck's cards. [command.ChangePiece]"""
        thing = self.things.get(command.id)
        if thing is None:
            return [events.Odd(why=f"a change names piece {command.id}, which is not on the table")]
        if isinstance(thing, Deck):
            self._set_deck(thing, command.new_state)
            return [
                events.DeckChanged(
                    deck=self.subject(thing), cards=len(thing.members), face_down=thing.face_down
                )
            ]
        if isinstance(thing, Stack):
            state = self._merged_stack_state(thing, command)
            return self._watch_members(thing, state, lambda: self._set_stack(thing, state))
        assert isinstance(thing, Piece)
        before = [(thing, self.spot(thing))]
        old_states = list(thing.states)
        odd: list[Event] = []
        if command.old_state is None:
            odd = self._set_piece(thing, command.new_state)
        else:
            self._merge_piece(thing, command.new_state, command.old_state)
        changes = self.sight.changes(thing, old_states)
        return [*odd, *changes, *self._moves(before, dragged=thing.id)]

    def _merge_piece(self, piece: Piece, new_state: str, old_state: str) -> None:
        """Take over the parts in which two states differ. [counters.Decorator.mergeState]"""
        new, old = sequences.unnest(new_state, TAB), sequences.unnest(old_state, TAB)
        count = len(piece.states)
        for place in range(min(count, len(new) - 1, len(old) - 1)):
            if new[place] != old[place]:
                piece.states[place] = new[place]
        if len(new) > count and len(old) > count and new[count] != old[count]:
            self._set_basic(piece, new[count])

    def _merged_stack_state(self, stack: Stack, command: commands.ChangePiece) -> str:
        """Keep members that joined since the old state. [counters.Stack.mergeState]"""
        if command.old_state is None or command.old_state == self.stack_state(stack):
            return command.new_state
        new, old = (sequences.decode(text, ";") for text in (command.new_state, command.old_state))
        head, members = new[:3], new[3:]
        known = set(old[3:])
        for place, member in enumerate(stack.members):
            if member.id not in members and member.id not in known:
                below = stack.members[place - 1].id if place else None
                members.insert(members.index(below) + 1 if below in members else 0, member.id)
        return sequences.encode([*head, *members], ";")

    def stack_state(self, stack: Stack) -> str:
        """A stack's state as VASSAL writes it. [counters.Stack.getState]"""
        name = stack.own_map.name if stack.own_map else "null"
        ids = [member.id for member in stack.members]
        return sequences.encode([name, str(stack.own_x), str(stack.own_y), *ids, f"@@{stack.layer}"], ";")

    def _remove(self, command: commands.RemovePiece) -> list[Event]:
        """Take a thing away. [command.RemovePiece.executeCommand]"""
        thing = self.things.get(command.id)
        if thing is None:
            return []
        event = events.Removed(piece=self.subject(thing), at=self.spot(thing))
        before = [(member, self.spot(member)) for member in thing.members] if isinstance(thing, Stack) else []
        if thing.map is not None:
            thing.map.remove(thing)
            if isinstance(thing, Stack):
                thing.set_map(None)
            else:
                thing.own_map = None
        if isinstance(thing, Piece) and thing.parent is not None:
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

    def _watch_members(self, stack: Stack, state: str, act: object) -> list[Event]:
        """Say what giving a stack its members changed: pieces that lie elsewhere, else their order."""
        named = (self.things.get(token) for token in sequences.decode(state, ";")[3:])
        pieces = [piece for piece in named if isinstance(piece, Piece)]
        before = [(piece, self.spot(piece)) for piece in {*pieces, *stack.members}]
        old_order = [piece.id for piece in stack.members]
        assert callable(act)
        act()
        moved = self._moves(sorted(before, key=lambda entry: entry[0].id), dragged=stack.id)
        new_order = [piece.id for piece in stack.members]
        if moved or not old_order or old_order == new_order:
            return moved
        names = tuple(self.sight.name(piece) for piece in stack.members)
        return [events.Restacked(stack=self.subject(stack), at=self.spot(stack), members=names)]

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
            self.players.append(player)
            return [events.Seated(player=player.name, side=player.side)]
        gone = [player for player in self.players if player.key == command.password]
        self.players = [player for player in self.players if player.key != command.password]
        return [events.Seated(player=player.name, side=None) for player in gone]

    def player(self, key: str) -> Player | None:
        """The player a key stands for, as last seated."""
        for player in reversed(self.players):
            if player.key == key:
                return player
        return None

    def _set_boards(self, command: commands.SetBoards) -> None:
        map_ = self.map_named(command.map)
        if map_ is not None:
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


def _integer(fields: list[str], place: int, default: int = 0) -> int:
    """A number as VASSAL reads it: whatever is none counts as the default."""
    try:
        return int(fields[place])
    except (IndexError, ValueError):
        return default
