"""What people do at VASSAL's table as at a real one: sort counters, turn them over, point, start again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from attrs import define, evolve, field

from referee.engine.actions import NEXT
from referee.engine.clock import Clock
from referee.engine.position import Mark, Position
from tools.proof.habits import (
    CORNER,
    DELETED_UNDONE,
    GRABBED_ALL,
    HALF_UNDONE,
    LIFTED,
    LINED_UP,
    NOTICED_LATE,
    POINTED,
    REPLAYED,
    SORTED,
    STATE_REMINDS,
    TURNED_TO_REMEMBER,
    UNIT_AS_MARKER,
)
from tools.proof.habits.partners import PartnerLogger
from tools.proof.habits.steps import is_by_hand, of_this_phase
from tools.proof.playing import Step
from vassalgen import announcements
from vassalgen.vassal.commands import AddPiece, RemovePiece, Undo


@define(eq=False)
class TableLogger(PartnerLogger):
    """Plays the steps of a game as players with some habits do."""

    sorted: dict[str, tuple[str, str]] = field(factory=dict)
    """Counters off the map in a wrong box: by counter, the right box and the actual one."""
    lifted: dict[str, str] = field(factory=dict)
    """Counters put aside so that their hex can be seen, each with the hex."""
    turned: dict[str, int] = field(factory=dict)
    """Counters turned over because they have moved, so that they show a step less, with their actual steps.
    """
    reminded: dict[str, str] = field(factory=dict)
    """Counters with a state as a reminder that they have moved."""
    truth: Position | None = None
    """The position before the current step."""
    too_far: Clock | None = None
    """The right phase, if the track was advanced too far and no player has noticed yet."""

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        self.truth = step.before
        if not self._is_apart(step):
            self._put_in_order()
        if self.too_far is not None and step.action.verb == NEXT.name:
            self._notice()
        is_new = not self.lines
        if is_new and LINED_UP in self.careless:
            self._sort(step.before, self._off_map(step.before, self.writer.game.map.boxes), (CORNER,))
        late = self.too_far
        super()._do(step, following)
        if late is not None and self.too_far is late:
            self._notice()
        if self._is_plain_move(step) and self._has_moved(step):
            self._remind(step)

    def _is_plain_move(self, step: Step) -> bool:
        is_move = is_by_hand(step, self.idiom) and not step.before.battles and len(step.action.path) > 1
        return is_move and step.action.verb not in self.idiom.entries

    def _has_moved(self, step: Step) -> bool:
        pieces = self.writer.board.pieces
        return all(
            name in pieces and self._place(name) == step.action.path[-1] for name in step.action.pieces
        )

    def _is_apart(self, step: Step) -> bool:
        """Whether a step is a move that does not involve counters that are turned, sorted or put aside."""
        busy = {*self.lifted, *self.turned, *self.reminded}
        here = {self.lifted.get(name, self._place(name)) for name in busy if name in self.writer.board.pieces}
        hexes = {*step.action.path, step.action.target}
        return self._is_plain_move(step) and busy.isdisjoint(step.action.pieces) and here.isdisjoint(hexes)

    def _put_in_order(self) -> None:
        self._put_down(list(self.lifted))
        self._show_again([*self.turned, *self.reminded])

    def _put_down(self, names: Iterable[str]) -> None:
        for name in names:
            if (here := self.lifted.pop(name, "")) and name in self.writer.board.pieces:
                self.counter_actions.drag((name,), here)

    def _show_again(self, names: Iterable[str]) -> None:
        """Turn counters back to what they are."""
        assert self.truth is not None
        for name in names:
            is_turned, state = self.turned.pop(name, 0), self.reminded.pop(name, "")
            piece, shown = self.truth.pieces[name], self.writer.board.pieces.get(name)
            if is_turned and shown is not None and shown.value(announcements.STEPS) != str(piece.steps):
                self.counter_actions.lose(name, piece.steps)
            if state and shown is not None and not piece.is_(state):
                self.counter_actions.state(name, state, on=False)

    def _remind(self, step: Step) -> None:
        """Turn a counter over, or put a marker on it, because it has moved."""
        name, pieces, game = step.action.piece, self.writer.board.pieces, self.writer.game
        if name in self.aside or pieces[name].is_face_down:
            return
        shown = int(pieces[name].value(announcements.STEPS) or "0")
        if TURNED_TO_REMEMBER in self.careless and shown > 1 and self.rng.random() < 0.3:
            self.counter_actions.lose(name, shown - 1)
            self.turned[name] = shown
        states = [
            one.id
            for one in game.states.values()
            if game.counters[name].kind in one.kinds
            and not (one.is_count or one.ends or one.dated)
            and pieces[name].value(announcements.state_property(one.id)) == "0"
        ]
        if STATE_REMINDS in self.careless and states and self.rng.random() < 0.3:
            self.reminded[name] = self.rng.choice(states)
            self.counter_actions.state(name, self.reminded[name])

    def _with_marks(self, position: Position) -> Position:
        position = super()._with_marks(position)
        for name, state in self.reminded.items():
            states = {**position.pieces[name].states, state: Mark()}
            position = position.with_piece(name, states=states)
        for name, (box, other) in tuple(self.sorted.items()):
            if position.pieces[name].where == box and name in self.writer.board.pieces:
                position = position.with_piece(name, where=other)
            else:
                del self.sorted[name]
        return position

    def _sort(self, position: Position, names: Iterable[str], places: Sequence[str]) -> None:
        for name in names:
            self.sorted[name] = position.pieces[name].where, self.rng.choice(places)
            self.counter_actions.drag((name,), self.sorted[name][1])

    def _sort_some(self, position: Position) -> None:
        """Put some of the counters off the map into another box, where they stay: not among those that are
        lost or gone.
        """
        game = self.writer.game
        names = self._off_map(position, game.map.boxes)
        gone = {*self.idiom.lost, *self.idiom.exits}
        for name in self.rng.sample(names, min(2, len(names))):
            side = game.counters[name].side
            boxes = {one.id for one in game.map.boxes.values() if one.side in ("", side)} - gone
            here = self.sorted.get(name, ("", position.pieces[name].where))[1]
            others = sorted(boxes - {here})
            self._sort(position, [name], [*others, CORNER])

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        rng = self.rng
        if SORTED in self.careless and rng.random() < 0.05:
            self._sort_some(step.before)
        if LIFTED in self.careless and self._is_apart(step) and rng.random() < 0.1:
            self._lift(step)
        if GRABBED_ALL in self.careless and rng.random() < 0.03:
            self._grab_all()
        if DELETED_UNDONE in self.careless and rng.random() < 0.1:
            self._delete_and_undo()
        if POINTED in self.careless and rng.random() < 0.1:
            self._point()

    def _free(self) -> list[str]:
        busy = {*self.aside, *self.lifted, *self.turned, *self.reminded}
        return [name for name in self._on_map() if name not in busy]

    def _lift(self, step: Step) -> None:
        """Put a stack aside so that its hex can be seen, until something happens there or until a step that
        is not a move.
        """
        hexes = {*step.action.path, step.action.target}
        names = [
            one for one in self._free() if self._place(one) not in hexes and one not in step.action.pieces
        ]
        if names:
            here = self._place(self.rng.choice(names))
            stack = [name for name in names if self._place(name) == here]
            grid = self.writer.game.map.grid
            near = [one for one in grid.neighbours(here) if one in grid and one not in hexes]
            there = self.rng.choice([*near, CORNER])
            self.counter_actions.drag(stack, there)
            self.lifted |= dict.fromkeys(stack, here)

    def _grab_all(self) -> None:
        """Drag all counters around one along with it by mistake, and then each back."""
        if names := self._free():
            grid, middle = self.writer.game.map.grid, self._place(self.rng.choice(names))
            places = {name: self._place(name) for name in names}
            names = [name for name in names if grid.distance(middle, places[name]) <= 2]
            self.counter_actions.drag(names, self.rng.choice(list(grid.names)))
            if self.rng.random() < 0.5:
                self.writer.undo()
            else:
                for name in names:
                    if self._place(name) != places[name]:
                        self.counter_actions.drag((name,), places[name])

    def _delete_and_undo(self) -> None:
        """Delete a counter by mistake, and undo that."""
        if names := self._free():
            name = self.rng.choice(names)
            before, one = self.writer.board.copy(), self.writer.board.pieces[name]
            type_text, state_text = one.piece.encode()
            self.writer.step(RemovePiece(id=one.id))
            self.writer.board = before
            self.writer.board.put_back(name, one.spot)
            back = AddPiece(id=one.id, type=type_text, state=state_text)
            self.writer.step(Undo(started=True), back, Undo(started=False))

    def _point(self) -> None:
        """Drag a counter onto an adjacent enemy, to ask about it, and back."""
        game, names = self.writer.game, self._free()
        name = self.rng.choice(names) if names else ""
        near = game.map.grid.neighbours(self._place(name)) if name else ()
        enemies = [
            self._place(one)
            for one in names
            if game.counters[one].side != game.counters[name].side and self._place(one) in near
        ]
        if enemies:
            self.counter_actions.move(name, self.rng.choice(enemies), self._place(name))

    def _attack(self, step: Step) -> None:
        super()._attack(step)
        target, names = step.action.target, self._free()
        if UNIT_AS_MARKER in self.careless and target in self.writer.game.map.grid and names:
            self._mark_with(self.rng.choice(names), target)

    def _mark_with(self, name: str, where: str) -> None:
        """Place a copy of a counter on a hex to mark it."""
        one = self.writer.board.pieces[name]
        spot = self.writer.spot(name, where)
        copy = one.with_basic(evolve(one.basic, map=spot.map, x=spot.x, y=spot.y))
        self._lay(copy.piece)

    def _turn_to(self, now: Clock, following: Sequence[Step]) -> None:
        super()._turn_to(now, following)
        if self.writer.clock != now or not following or following[0].action.verb == NEXT.name:
            return
        if REPLAYED in self.careless and self.rng.random() < 0.2:
            self._replay(now, following)
        if NOTICED_LATE in self.careless and self.rng.random() < 0.2:
            self.counter_actions.turn()
            self.too_far = now

    def _notice(self) -> None:
        """Set the track back to the right phase."""
        if self.too_far is not None:
            self.writer.say("wait, it is still the phase before")
            self.counter_actions.turn_back(self.too_far)
            self.too_far = None

    def _replay(self, now: Clock, following: Sequence[Step]) -> None:
        """Make the first moves of a phase, end it, and begin it again by agreement."""
        moved: list[tuple[Sequence[str], str]] = []
        for later in islice(of_this_phase(following), 6):
            action = later.action
            places = {self._place(name) for name in action.pieces if name in self.writer.board.pieces}
            if self._is_plain_move(later) and places == {action.path[0]} and action.path[-1] not in places:
                self.counter_actions.drag(action.pieces, action.path[-1])
                moved.append((action.pieces, action.path[0]))
        if moved:
            self.counter_actions.turn()
            self.writer.say("shall we play that again? I had forgotten my supply")
            self.counter_actions.turn_back(now)
            for names, here in reversed(moved):
                self.counter_actions.drag(names, here)

    def _roll(self, step: Step, following: Sequence[Step]) -> None:
        if HALF_UNDONE in self.careless and self.rng.random() < 0.5:
            self._roll_and_undo(step)
        super()._roll(step, following)

    def _roll_and_undo(self, step: Step) -> None:
        """Roll for a battle, drag out a unit that fought, and undo both."""
        dice, grid = self._combat_dice(), self.writer.game.map.grid
        known = self.writer.game.dice[dice]
        faces = tuple(self.rng.randint(1, known.sides) for _ in range(known.count))
        target = self._battle(step).target
        self.battles.roll(dice, faces, 0)
        fought = [one.id for one in step.before.at(target) if one.id in self.writer.board.pieces]
        free = [one for one in grid.neighbours(target) if one in grid and not step.before.at(one)]
        if fought and free and self._place(fought[0]) == target:
            self.counter_actions.drag((fought[0],), self.rng.choice(free))
            self.writer.undo()
        self.writer.undo()
        self.writer.say("forgot the river, once more")

    def _along(self, names: Sequence[str], points: Sequence[str]) -> None:
        self._put_down(names)
        super()._along(names, points)

    def _lose(self, step: Step) -> None:
        self._put_in_order()
        super()._lose(step)

    def eliminate(self, name: str, box: str) -> None:
        """Take a counter off the map; nothing remains to be corrected about it."""
        self._put_down((name,))
        self._show_again((name,))
        super().eliminate(name, box)
