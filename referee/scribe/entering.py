"""How a counter may have entered that was dragged from its box directly to the end of its first move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from referee.engine.actions import Action, Anywhere
from referee.engine.clock import Clock
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe import facts
from referee.scribe.attempts import Attempt
from referee.scribe.choosing import Readings, Setting, goes_on, gone_on, settings
from referee.scribe.draft import Draft
from referee.scribe.meanings import entries_from, first_moves, onward
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene


def is_as_good(draft: Draft, position: Position, direct: Readings, entry: Action) -> bool:
    """Return whether a counter breaks no more rules, and no more certainly, by entering here
    than elsewhere.
    """
    other = draft.attempt(entry, position)
    attempts = [draft.attempt(action, position) for action in direct(position)]
    found = [{(one.clause, one.grade) for one in attempt.ruling.breaches} for attempt in attempts if attempt]
    known = {(one.clause, one.grade) for one in other.ruling.breaches} if other is not None else set()
    return other is not None and any(one <= known for one in found)


def entered_and_moved(
    draft: Draft, scene: Scene, name: str, points: tuple[str, str]
) -> tuple[Setting, tuple[Action, Action]] | None:
    """Return how a counter that was dragged to the end of its first move may have entered, None if it cannot
    have.

    It enters at some other hex, the nearest first, and moves on from there. Doubts about the entry alone,
    because it should have entered earlier, do not matter. If possible, the entry also makes the following
    moves legal; this is required if it moved ahead of the track before the first player turn.
    """
    origin, end = points
    elsewhere = [hex_ for hex_ in draft.game.map.grid.nearest(end) if hex_ != end]
    legs, found = _legs_to_come(draft, scene, name), None
    ahead = tuple(_ahead_of_the_track(draft, scene, name))
    for setting in (*settings(draft, scene), *ahead):
        later = setting in ahead and not draft.position.side and _legs_of_its_turn(draft, scene, name)
        for hex_, entry, entered in possible_entries(draft, name, elsewhere, origin, setting.position):
            for move in first_moves(draft, name, (hex_, end), entry)(entered.after):
                if not draft.is_legal(move, entered.after):
                    continue
                if _goes_on_legally(draft, name, entered.after, move, later or legs):
                    return setting, (entry, move)
                found = found or (None if later else (setting, (entry, move)))
    return found


def possible_entries(
    draft: Draft, name: str, hexes: Iterable[str], origin: str, position: Position
) -> Iterator[tuple[str, Action, Attempt]]:
    """Yield the possible entries of a counter in any of some hexes, carried out: those that make sense and
    are not illegal.

    Most are ruled out, often in every hex, which is faster to determine than all the details.
    """
    entries = entries_from(draft, name, origin)(position)
    entries = [one for one in entries if not draft.is_ruled_out(Anywhere(one.verb, one.pieces), position)]
    for hex_ in hexes if entries else ():
        for entry in (Action(one.verb, one.pieces, target=hex_) for one in entries):
            attempt = None if draft.is_ruled_out(entry, position) else draft.attempt(entry, position)
            if attempt is not None and attempt.grade is not Grade.illegal:
                yield hex_, entry, attempt


def _ahead_of_the_track(draft: Draft, scene: Scene, name: str) -> Iterator[Setting]:
    """The first phase of a counter's side, if the track is advanced to it next and all other
    duties are done.
    """
    position, turn, calendar = draft.position, scene.turned_to, draft.world.calendar
    side, shown = draft.game.counters[name].side, max(draft.track or position.clock, position.clock)
    if scene.fact.sure or turn is None or turn.clock != calendar.after(shown):
        return
    other = calendar.side(shown)
    if other == side or calendar.side(turn.clock) != side:
        return
    if other:
        goes_on_first = goes_on(draft, scene, other)
    else:
        goes_on_first = goes_on(draft, scene, side) or _more_enter(draft, scene, name)
    if not goes_on_first:
        yield Setting(gone_on(position, turn.clock), turn.clock, Certainty.inferred)


def _more_enter(draft: Draft, scene: Scene, name: str) -> bool:
    """Whether other counters enter the hexes before the track is advanced."""
    grid = draft.game.map.grid
    return any(
        isinstance(fact, facts.Shifted)
        and fact.counter != name
        and fact.target in grid
        and fact.origin not in grid
        for _, fact in scene.following()
    )


def enters_and_moves_later(draft: Draft, scene: Scene, name: str, points: tuple[str, str]) -> bool:
    """Return whether a counter dragged from its box may have entered elsewhere and moved on with its side.

    Then it stays there until its side has moved, or the drags that follow are legal too.
    """
    origin, end = points
    elsewhere = [hex_ for hex_ in draft.game.map.grid.names if hex_ != end]
    legs = _legs_of_its_turn(draft, scene, name)
    for setting in settings(draft, scene):
        later = _phases_of_its_turn(draft, name, setting.position.clock)
        for hex_, entry, entered in possible_entries(draft, name, elsewhere, origin, setting.position):
            for clock in later:
                there = evolve(entered.after.without_notes(("phase",)), clock=clock)
                for move in first_moves(draft, name, (hex_, end), entry)(there):
                    if draft.is_legal(move, there) and _goes_on_legally(draft, name, there, move, legs):
                        return True
    return False


def entered_before_and_moved(draft: Draft, name: str, points: tuple[str, str]) -> bool:
    """Return whether a counter dragged from its box may have entered in an earlier phase of its player turn.

    It was not placed there because its owner knew where it would go: this is where its move ends.
    """
    origin, end = points
    position, clock = draft.position, draft.position.clock
    elsewhere = [hex_ for hex_ in draft.game.map.grid.names if hex_ != end]
    for earlier in _earlier_phases(draft, name, clock):
        then = evolve(position, clock=earlier)
        for hex_, entry, entered in possible_entries(draft, name, elsewhere, origin, then):
            there = evolve(entered.after.without_notes(("phase",)), clock=clock)
            if any(
                draft.is_legal(move, there) for move in first_moves(draft, name, (hex_, end), entry)(there)
            ):
                return True
    return False


def _earlier_phases(draft: Draft, name: str, clock: Clock) -> list[Clock]:
    """The phases of a player turn before this one, if it is that of a counter's side."""
    stops, side = draft.world.calendar.stops, draft.game.counters[name].side
    found = list[Clock]()
    for stop in range(clock.stop, -1, -1):
        if stops[stop].side != side:
            break
        found.append(evolve(clock, stop=stop))
    return found[1:]


def may_have_entered_before_others_moved(
    draft: Draft, scene: Scene, name: str, points: tuple[str, str], before: Position
) -> bool:
    """Return whether an entry, or an entry and a move, is legal if others were still where they entered.

    A reinforcement may be dragged to the map only when it moves on. Others of its player turn may have moved
    by then, or are dragged later, so that the hex where it was due seems free.
    """
    origin, end = points
    nearest = draft.game.map.grid.nearest(end)
    for crowded in _with_others_on_their_hexes(draft, scene, name, origin, before):
        for hex_, entry, entered in possible_entries(draft, name, nearest, origin, crowded):
            if hex_ == end:
                return True
            there = entered.after.with_pieces(before.pieces.changed(name, entered.after.pieces[name]))
            if any(
                draft.is_legal(move, there) for move in first_moves(draft, name, (hex_, end), entry)(there)
            ):
                return True
    return False


def _with_others_on_their_hexes(
    draft: Draft, scene: Scene, name: str, origin: str, before: Position
) -> Iterator[Position]:
    """Yield positions in which other arrivals stand where a counter may enter, as far as they can, in empty
    hexes first; in each of them also where it may enter in the one before.
    """
    grid, crowded = draft.game.map.grid, before
    others = _arrivals_of_its_turn(draft, scene, name, before)
    held = {piece.where for piece in before.pieces.values()}
    while others:
        candidates = dict[str, list[str]]()
        for hex_, _, entered in possible_entries(draft, name, grid.names, origin, crowded):
            if entered.is_legal and hex_ not in candidates:
                enter = (one for one, box in others.items() if _may_enter(draft, one, box, hex_, crowded))
                candidates[hex_] = list(enter)
        used = set[str]()
        for hex_ in sorted(candidates, key=lambda one: (one in held, len(candidates[one]))):
            other = next((one for one in candidates[hex_] if one not in used), None)
            if other is not None:
                used.add(other)
                crowded = crowded.with_piece(other, where=hex_)
        if not used:
            return
        yield crowded
        others = {one: box for one, box in others.items() if one not in used}


def _may_enter(draft: Draft, name: str, box: str, hex_: str, position: Position) -> bool:
    waiting = position.with_piece(name, where=box)
    return any(one.is_legal for _, _, one in possible_entries(draft, name, (hex_,), box, waiting))


def _arrivals_of_its_turn(draft: Draft, scene: Scene, name: str, before: Position) -> dict[str, str]:
    """The other counters that enter in a player turn or before the track is advanced, with their boxes."""
    grid, here, calendar = draft.game.map.grid, before.clock, draft.world.calendar
    found = dict[str, str]()
    for reading in reversed(draft.readings):
        action, then = reading.statement.content, reading.before
        if then.turn != here.turn or calendar.side(then.clock) != calendar.side(here):
            break
        if isinstance(action, Action) and action.verb in draft.idiom.entries:
            found[action.piece] = then.pieces[action.piece].where
    for _, fact in scene.following():
        if isinstance(fact, facts.Shifted) and fact.target in grid and fact.origin in draft.game.map.boxes:
            found.setdefault(fact.counter, before.pieces[fact.counter].where)
    found.pop(name, None)
    side = draft.game.counters[name].side
    return {
        other: box
        for other, box in found.items()
        if draft.game.counters[other].side == side and box not in grid
    }


def may_pass_over_phases(draft: Draft, scene: Scene) -> bool:
    """Return whether the track next shows a phase beyond the next one, or the log ends before it advances."""
    now = max(draft.track or draft.position.clock, draft.position.clock)
    return scene.turned_to is None or scene.passes_over_phases(draft.world.calendar, now)


def _phases_of_its_turn(draft: Draft, name: str, clock: Clock) -> list[Clock]:
    """The later phases of a turn that belong to a counter's side."""
    stops, side = draft.world.calendar.stops, draft.game.counters[name].side
    later = range(clock.stop + 1, len(stops))
    return [evolve(clock, stop=stop) for stop in later if stops[stop].side == side]


def _legs_of_its_turn(draft: Draft, scene: Scene, name: str) -> tuple[tuple[str, str], ...]:
    """The drags of a counter from hex to hex that follow until its side has moved."""
    calendar, on_map, side = (
        draft.world.calendar,
        set(draft.game.map.grid.names),
        draft.game.counters[name].side,
    )
    found, turn = list[tuple[str, str]](), (draft.track or draft.position.clock).turn
    own = False
    for fact in scene.story.facts[scene.place + 1 :]:
        if isinstance(fact, facts.Turned):
            if fact.clock.turn != turn or (own and calendar.side(fact.clock) != side):
                break
            own = own or calendar.side(fact.clock) == side
        elif (
            isinstance(fact, facts.Shifted) and fact.counter == name and {fact.origin, fact.target} <= on_map
        ):
            found.append((fact.origin, fact.target))
    return tuple(found)


def _legs_to_come(draft: Draft, scene: Scene, name: str) -> tuple[tuple[str, str], ...]:
    """The drags of a counter from hex to hex that follow before the track is advanced."""
    grid = draft.game.map.grid
    return tuple(
        (fact.origin, fact.target)
        for _, fact in scene.following()
        if isinstance(fact, facts.Shifted)
        and fact.counter == name
        and fact.origin in grid
        and fact.target in grid
    )


def _goes_on_legally(
    draft: Draft, name: str, position: Position, move: Action, legs: Sequence[tuple[str, str]]
) -> bool:
    """Whether the drags that follow a move are legal moves as well."""
    for leg in legs:
        moved = draft.attempt(move, position)
        if moved is None:
            return False
        position = moved.after
        legal = (one for one in onward(draft, name, leg)(position) if draft.is_legal(one, position))
        following = next(legal, None)
        if following is None:
            return False
        move = following
    return True
