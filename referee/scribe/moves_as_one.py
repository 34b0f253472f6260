"""Moves that players may have corrected: those of one counter that may be a single move."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from attrs import frozen

from referee.engine.actions import Action
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.story import Drag, Story

ENDING_A_MOVE = facts.Turned, facts.Resolved, facts.Rolled
NEAR = 20
"""Among how many facts before and after its own those of others of a stack are looked for."""


@frozen(eq=False)
class MovesAsOne:
    """What may have been corrected in a story, as it was read; ``drafts`` are those before places."""

    draft: Draft
    story: Story
    drafts: Mapping[int, Draft]

    def together(self, place: int, units: Collection[str]) -> Iterator[Sequence[Drag]]:
        """Moves of the accused onto or on the map that may be one with their next, without a die in between.

        This includes moves between which the track was advanced by a phase. A counter that is put back where
        it was has not moved, whatever counter it is, however many moves it made, and whatever was rolled in
        between; but if it fought from where it had gone, it was there.
        """
        grid, story = self.draft.game.map.grid, self.story
        if place == len(story.facts):
            return
        turned = [at for at in range(place) if isinstance(story.facts[at], facts.Turned)]
        now, since = turned[-1] if turned else -1, turned[-2] if len(turned) > 1 else -1
        until = story.ends[place]
        last = story.ends[until + 1] if until + 1 < len(story.facts) else until
        counters = {*units, getattr(story.facts[place], "counter", "")}
        moves = [
            drag
            for at in range(since + 1, last)
            if (drag := story.drags.get(at)) is not None and all(point in grid for point in drag.points[1:-1])
        ]
        for first, second in combinations(moves, 2):
            between = story.facts[first.places[0] : second.places[-1]]
            is_known = first.places[0] in self.drafts and first.places[0] <= place
            comes_back = is_back((first, second))
            ends_here = second.points[-1] in grid and (comes_back or second.points[0] in grid)
            is_over = any(isinstance(one, facts.Turned) for one in between)
            if (
                is_known
                and ends_here
                and second.places[-1] > now
                and first.counter == second.counter
                and first.points[-1] == second.points[0]
                and (comes_back or first.counter in counters)
                and (is_over or comes_back or not any(isinstance(one, ENDING_A_MOVE) for one in between))
                and (not is_over or self._is_put_right_late(first, second, place))
                and (comes_back or not self._has_set_up(first, second))
                and not self._fought_elsewhere(first, second)
            ):
                yield first, second
        on_map = [one for one in moves if all(point in grid for point in one.points)]
        here = [one for one in on_map if now < one.places[0] and one.places[-1] < until]
        for first in here:
            if first.places[0] in self.drafts and first.places[0] <= place:
                for along in _further([one for one in here if one.counter == first.counter], first):
                    between = story.facts[along[0].places[0] : along[-1].places[-1]]
                    is_moment = first.counter in units and not any(map(_ends_a_move, between))
                    if (is_back(along) or is_moment) and not any(
                        self._fought_elsewhere(*two) for two in pairwise(along)
                    ):
                        yield along

    def _is_put_right_late(self, first: Drag, second: Drag, place: int) -> bool:
        """Whether a move was corrected in the next phase, with no die and no action of the counter in
        between.

        The counter put back is of a side that does not move then, or that continues although it no longer
        moves, because the track was advanced too early; or this is its only accusation. In any other case the
        correction comes before its side attacks.
        """
        between = self.story.facts[first.places[-1] + 1 : second.places[0]]
        ending = [
            one
            for one in between
            if isinstance(one, ENDING_A_MOVE) or (isinstance(one, facts.Declared) and one.faces)
        ]
        then, calendar = self.drafts[first.places[0]], self.draft.world.calendar
        turn = ending[0] if len(ending) == 1 else None
        if not isinstance(turn, facts.Turned):
            return False
        if turn.clock != calendar.after(then.track or then.position.clock):
            return False
        mine = (one for one in between if getattr(one, "counter", "") == first.counter)
        if not all(isinstance(one, facts.LeftBattle) for one in mine):
            return False
        side = self.draft.game.counters[first.counter].side
        if not is_back((first, second)):
            return not any(isinstance(one, facts.JoinedBattle) for one in between[between.index(turn) :])
        verbs = self.draft.idiom.move_verbs.get(calendar.phase(turn.clock), ())
        moves = any(one.passive is None for one in verbs[:1])
        goes_on = any(_is_moved_by(self.draft, one, side) for one in between[between.index(turn) :])
        is_over = calendar.side(turn.clock) != side or (goes_on and not moves)
        return is_over or second.places[-1] == place

    def _has_set_up(self, first: Drag, second: Drag) -> bool:
        """Whether the side of a counter, or the last side, said between two of its moves that its set-up is
        complete.
        """
        found, side = self.story.facts, self.draft.game.counters[first.counter].side
        beginning = self.draft.idiom.beginning
        said = [
            at
            for at, one in enumerate(found[: second.places[0]])
            if isinstance(one, facts.Declared) and one.declaration in beginning
        ]
        if len(said) >= len(self.draft.game.sides) and said[-1] > first.places[-1]:
            return True
        steps = range(found[first.places[-1]].step, found[second.places[0]].step)
        actions = [(one.steps, one.statement.content) for one in self.draft.readings]
        return any(
            isinstance(action, Action)
            and action.verb == self.draft.idiom.begin
            and side in action.words
            and any(step in steps for step in done)
            for done, action in actions
        )

    def _fought_elsewhere(self, first: Drag, second: Drag) -> bool:
        """Whether, between two moves, a counter joined a battle that was rolled where the first
        move ended.
        """
        for at in range(first.places[-1], second.places[0]):
            fact, battle = self.story.facts[at], self.story.battles.get(at)
            if not isinstance(fact, facts.JoinedBattle) or battle is None or not battle.dice:
                continue
            if (fact.counter, fact.place) == (first.counter, first.points[-1]):
                return True
        return False

    def dragged_along(self, moves: Sequence[Drag]) -> Iterator[Sequence[Drag]]:
        """The moves of other counters that were dragged in the same steps as those of a counter."""
        steps = [[self.story.facts[at].step for at in one.places] for one in moves]
        found: dict[str, list[Drag]] = {}
        near = range(moves[0].places[0] - NEAR, moves[-1].places[-1] + NEAR)
        for drag in (self.story.drags[at] for at in near if at in self.story.drags):
            if (
                drag.counter != moves[0].counter
                and [self.story.facts[at].step for at in drag.places] in steps
            ):
                found.setdefault(drag.counter, []).append(drag)
        yield from (one for one in found.values() if len(one) == len(moves))


def _is_moved_by(draft: Draft, fact: facts.Fact, side: str) -> bool:
    """Whether a counter of a side is dragged from hex to hex."""
    if not isinstance(fact, facts.Shifted) or draft.game.counters[fact.counter].side != side:
        return False
    return fact.origin in draft.game.map.grid and fact.target in draft.game.map.grid


def _further(moves: Sequence[Drag], first: Drag) -> Iterator[Sequence[Drag]]:
    """A move of a counter with two or more that continue it, until one brings it back to where it was."""
    found = [first]
    for one in moves[moves.index(first) + 1 :]:
        if one.points[0] != found[-1].points[-1] or is_back(found):
            return
        found.append(one)
        if len(found) > 2:
            yield tuple(found)


def is_back(moves: Sequence[Drag]) -> bool:
    """Whether moves of a counter bring it back to where it was."""
    return moves[-1].points[-1] == moves[0].points[0]


def _ends_a_move(fact: facts.Fact) -> bool:
    return isinstance(fact, ENDING_A_MOVE)
