"""Where a unit can retreat to, and which clauses forbid a retreat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from attrs import frozen

from referee.engine.faults import fewest
from referee.engine.position import Piece, Position
from referee.standard.battle import fights
from referee.standard.facts import closed_features, held, others, rules_of, units_at
from referee.standard.homes import gap_to_home
from referee.standard.own_words import true_of
from referee.standard.setting import Setting, the_setting
from referee.standard.stacking import counts, room
from referee.standard.zones import controlled
from vassalgen.game.families import Retreat, SideId
from vassalgen.game.hexes import NOWHERE

NOTHING: frozenset[str] = frozenset()
FURTHER = 3
"""The maximum number of hexes by which a retreat may continue to find room."""


@frozen(eq=False)
class Fallback:
    """A retreat of one unit from where it fought, of ``length`` hexes; ``known`` are hexes on its path, in
    order.

    ``whole``: every hex of the path is known. Clauses may be waived, as if they were not written.
    """

    position: Position
    piece: Piece
    start: int
    length: int
    known: tuple[int, ...] = ()
    whole: bool = True

    @property
    def rule(self) -> Retreat:
        """The rules of retreat."""
        found = rules_of(self.position).retreat
        assert found is not None
        return found

    @property
    def setting(self) -> Setting:
        """The game made ready."""
        return the_setting(self.position)

    def limits(self) -> tuple[str, ...]:
        """Return the clauses that limit a retreat, the most specific first."""
        rule, rules = self.rule, rules_of(self.position)
        true = true_of(self.position, self.piece)
        found: list[str] = [rules.bars[name].clause for name in self.setting.bars_for(true, "retreat")]
        found += [rule.zoc, rule.toward, rule.each_step, rule.away, rule.stacking, rule.empty_first]
        special = dict.fromkeys(clause for clause in found if clause not in ("", rule.clause))
        return (*special, rule.clause)

    def faults(self) -> tuple[str, ...]:
        """Return the clauses that the retreat breaks, the fewest; none if it is legal so far."""
        limits = self.limits()
        if self.is_possible(NOTHING):
            return ()
        if not self.is_possible(frozenset(limits)):
            return (self.rule.clause,)
        return fewest(limits, limits, self.is_possible).clauses

    def is_possible(self, waived: frozenset[str]) -> bool:
        """Return whether some path fits what is known of the retreat, complete or to be continued."""
        end = self.known[-1]
        if self.whole:
            paths: Iterator[tuple[int, ...]] = iter(((self.start, *self.known),))
            return any(self._is_open(path, waived) for path in paths)
        most = self.length + (FURTHER if self.rule.further or self.rule.clause in waived else 0)
        paths = (path for path in self._paths(waived, most) if len(path) > 1 and path[-1] == end)
        return any(self.rule.clause in waived or not self._goes_on_too_far(path) for path in paths)

    def _goes_on_too_far(self, path: Sequence[int]) -> bool:
        """Whether a path continues beyond its length from a hex in which there is room."""
        names = self.position.game.map.grid.names
        return any(room(self.position, self.piece.id, names[at]) for at in path[self.length : -1])

    def is_complete(self, path: Sequence[int], waived: frozenset[str] = NOTHING) -> bool:
        """Return whether a path is as long as it must be and ends where it may."""
        rule, grid = self.rule, self.position.game.map.grid
        names, steps = grid.names, len(path) - 1
        if rule.clause in waived:
            return True
        longer = rule.further and steps > self.length and not self._goes_on_too_far(path)
        if steps != self.length and not longer:
            return False
        far = rule.away and rule.away not in waived
        if far and grid.gap(self.start, path[-1]) < self.length:
            return False
        empty = rule.empty_first and rule.empty_first not in waived
        if empty and self._has_friends(path[-1]) and self.empty_ends:
            return False
        crowded = rule.stacking and rule.stacking not in waived and not rule.displaces
        return not crowded or room(self.position, self.piece.id, names[path[-1]])

    def _has_friends(self, at: int) -> bool:
        """Return whether friends are in a hex that count in stacking and did not retreat from the same
        battle.
        """
        where, fallen_back = self.position.game.map.grid.names[at], set[str]()
        for fight in fights(self.position):
            fallen_back |= {*fight.retreated} if self.piece.id in fight.units else set()
        friends = units_at(self.position, where, self.piece.side)
        return any(
            one.id not in fallen_back and counts(self.position, one)
            for one in friends
            if one.id != self.piece.id
        )

    @cached_property
    def empty_ends(self) -> frozenset[int]:
        """The hexes without friends in which the retreat could end."""
        waived = frozenset({self.rule.empty_first})
        most = self.length + (FURTHER if self.rule.further else 0)
        paths = (path for path in self._paths(NOTHING, most) if self.is_complete(path, waived))
        return frozenset(path[-1] for path in paths if not self._has_friends(path[-1]))

    def paths(self) -> tuple[tuple[int, ...], ...]:
        """Return all complete and legal paths."""
        most = self.length + (FURTHER if self.rule.further else 0)
        return tuple(path for path in self._paths(NOTHING, most) if self.is_complete(path))

    def _paths(self, waived: frozenset[str], most: int) -> Iterator[tuple[int, ...]]:
        waiting: list[tuple[int, ...]] = [(self.start,)]
        while waiting:
            path = waiting.pop()
            yield path
            if len(path) <= most:
                for to in self.position.game.map.grid.adjacent[path[-1]]:
                    if to != NOWHERE and to not in path and self._can_step((*path, to), waived):
                        waiting.append((*path, to))

    def _leads_away_from_home(self, at: int, to: int) -> bool:
        """Return whether a step leads farther from home, in hexes, ignoring terrain."""
        home = self.rule.home.get(SideId(self.piece.side))
        if home is None:
            return False
        far = gap_to_home(self.position, home)
        return far[to] > far[at]

    def leads_away_from_home(self) -> bool:
        """Return whether a step leads away from home; of a drag, from its start to its end."""
        path = (self.start, *self.known)
        steps = pairwise(path) if self.whole else ((path[0], path[-1]),)
        return any(self._leads_away_from_home(*step) for step in steps)

    def _is_open(self, path: tuple[int, ...], waived: frozenset[str]) -> bool:
        steps = range(2, len(path) + 1)
        if len(path) - 1 > self.length and self.rule.clause not in waived and not self.rule.further:
            return False
        if not all(self._can_step(path[:end], waived) for end in steps):
            return False
        return len(path) - 1 < self.length or self.is_complete(path, waived)

    def _can_step(self, path: tuple[int, ...], waived: frozenset[str]) -> bool:
        """Return whether the last step of a path can be made."""
        at, to = path[-2], path[-1]
        position, rule, setting = self.position, self.rule, self.setting
        grid, game, side = position.game.map.grid, position.game, self.piece.side
        if to not in grid.adjacent[at]:
            return rule.clause in waived
        direction = grid.adjacent[at].index(to)
        shut = closed_features(position)
        features = setting.features(at, direction, shut)
        if rule.clause not in waived:
            closed = any(game.features[name].closed for name in features)
            if closed or not setting.land >> to & 1 or held(position, others(position, side)) >> to & 1:
                return False
        barred = rule.zoc and rule.zoc not in waived and not rule.zoc_loses
        if barred and controlled(position, side, "retreat") >> to & 1:
            return False
        if rule.toward and rule.toward not in waived and self._leads_away_from_home(at, to):
            return False
        away = rule.each_step and rule.each_step not in waived
        if away and grid.gap(self.start, to) <= grid.gap(self.start, at):
            return False
        roads = bool(setting.road_kinds(at, direction, shut))
        for name in setting.bars_for(true_of(position, self.piece), "retreat"):
            bar = setting.rules.bars[name]
            if bar.clause not in waived and setting.is_barred(bar, at, to, features, roads):
                return False
        return True
