"""A slow literal reading of movement in games by data, in which one clause may be left out.

It shares no code with the families that judge: it looks up what the files say, hex by hex.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve, field, frozen

from referee.engine.position import LAID, Piece, Position
from referee.standard.notes import (
    CHECKED,
    CUT_OFF,
    DONE,
    LAPSED,
    ROLLED_FOR,
    SPENT,
    SPENT_NOW,
    STEPS_LOST,
    WORDS,
)
from vassalgen.game.conditions import Condition
from vassalgen.game.families import Families, Marker, Movement, ZocLimit
from vassalgen.game.tables import ChartRow

NEVER = Fraction(10**6)
"""The cost of a step that cannot be made."""


@frozen
class Step:
    """A unit on its way: its hex, what it has spent, whether it must stop, and how it came there."""

    hex: str
    spent: Fraction
    stopped: bool
    path: tuple[str, ...]


@frozen(eq=False)
class Reading:
    """A position with the rules of its game, one clause of them ``without``.

    What has been looked up is kept, and shared with readings of the position ``as_if`` without a clause.
    """

    position: Position
    rules: Families
    without: str = ""
    known: dict[tuple[str, str], set[str]] = field(factory=dict)
    zoned: dict[tuple[str, str, str, str], list[str]] = field(factory=dict)
    fitting: dict[tuple[str, str, str], bool] = field(factory=dict)
    between: dict[tuple[str, str], set[str]] = field(factory=dict)

    def as_if(self, without: str) -> Reading:
        """The same position without a clause."""
        return evolve(self, without=without)

    def words(self, piece: Piece, asked: tuple[str, ...] | None = None) -> set[str]:
        """The words that are true of a unit; without the game's own words while one of them is
        ``asked`` for.
        """
        if asked is None:
            key = (piece.id, piece.where)
            if key not in self.known:
                own = {name for name in self.rules.words if self.says(name, piece, ())}
                self.known[key] = self.words(piece, ()) | own
            return self.known[key]
        game, counter = self.position.game, piece.counter
        true = {counter.id, counter.kind, counter.side, counter.nation, *piece.states}
        true |= {counter.symbol} - {*game.kinds}
        formation = counter.formation
        while formation:
            true.add(formation)
            formation = game.formations[formation].part_of if formation in game.formations else ""
        for column in game.columns.values():
            value = counter.extra.get(column.id)
            if value is True:
                true.add(column.id)
            elif isinstance(value, str):
                true.add(value)
            elif isinstance(value, tuple):
                true |= set(map(str, value))
        return true | ({"reduced"} if piece.steps < counter.steps else set())

    def says(self, name: str, piece: Piece, asked: tuple[str, ...]) -> bool:
        """Whether a word of the game's own is true of a unit."""
        word, position = self.rules.words[name], self.position  # type: ignore[index]
        grid, done = position.game.map.grid, position.note(DONE, piece.id) or ()
        if word.judged and (judged := position.note(WORDS, name)) is not None:
            return piece.id in judged
        held = [not word.turns or position.turn in word.turns, not word.did or bool({*word.did} & {*done})]
        for check, passed in ((word.passed, True), (word.failed, False)):
            held.append(not check or position.note(CHECKED, f"{check} {piece.id}") is passed)
        held += [self.entry(key, piece.side) == says for key, says in word.track.items()]
        if word.out_of_supply:
            since = position.note(CUT_OFF, piece.id)
            held.append(since is not None and position.turn - since + 1 >= word.out_of_supply)
        if word.lost:
            held.append(self._lost(piece.side, word.lost_of) >= word.lost)
        if word.factor:
            printed = piece.counter.printed(word.factor, piece.steps)
            size = printed if isinstance(printed, int) else 0
            held += [size == printed, word.at_least is None or size >= word.at_least]
            held.append(word.at_most is None or size <= word.at_most)
        if word.marked:
            held.append(word.marked in (position.note(LAID, piece.where) or ()))
        held.append(self._means(word.who, piece, (*asked, name), set()))
        if not all(held) or piece.where not in grid:
            return all(held) and not (word.zoc or word.within.text.strip() or word.near.text != "-")
        if word.within.text.strip() and not self.hex_fits(word.within, piece.where):
            return False
        if word.zoc and not self.zones(piece.side, piece.where, purpose=""):
            return False
        if word.near.text == "-":
            return True
        found, sides = 0, {"friend", "enemy"} & set(word.near.words)
        for other in self.units("" if sides else piece.side):
            far = word.hexes
            if isinstance(far, str):
                printed = other.counter.printed(far, other.steps)
                far = printed if isinstance(printed, int) else 0
            relation = {"friend" if other.side == piece.side else "enemy"}
            if other.counter.formation and other.counter.formation == piece.counter.formation:
                relation.add("comrade")
            if other.counter.formation in self.words(piece, ()):
                relation.add("superior")
            if other.counter.nation and other.counter.nation == piece.counter.nation:
                relation.add("compatriot")
            close = other.id != piece.id and grid.distance(other.where, piece.where) <= int(far)
            close = close and (not word.traced or self._joined(piece, other, far, word.traced == "zones"))
            found += close and self._means(word.near, other, (*asked, name), relation)
        return found >= word.count

    def entry(self, name: str, side: str, turn: int = 0) -> str:
        """What the turn track says in a turn for an entry, such as weather, or the last roll that set it."""
        position, turns = self.position, self.position.scenario.turns or self.position.game.turns
        wanted = turn or position.turn
        for number in range(wanted, 0, -1):
            for whose in (side, ""):
                if (rolled := position.note(ROLLED_FOR, f"{name} {whose} {number}")) is not None:
                    return rolled
        return next((str(one.values.get(name) or "") for one in turns if one.number == wanted), "")

    def _lost(self, side: str, factor: str) -> int:
        """The steps that a side has lost, or the total of a factor of its lost units."""
        if not factor:
            return self.position.note(STEPS_LOST, side) or 0
        boxes = [box.id for box in self.position.game.map.boxes.values() if box.losses]
        gone = [one for one in self.position.pieces.values() if one.side == side and one.where in boxes]
        printed = [one.counter.printed(factor, one.counter.steps) for one in gone]
        return sum(value for value in printed if isinstance(value, int))

    def _joined(self, piece: Piece, other: Piece, far: int, around_zones: bool) -> bool:
        """Whether a path of so many hexes leads from one unit to another around the enemy."""
        terrain, map_ = self.position.game.terrain, self.position.game.map
        reached, edge = {other.where}, {other.where}
        for _ in range(far):
            near = {(at, to) for at in edge for to in map_.grid.neighbours(at) if to not in reached}
            edge = {
                to
                for at, to in near
                if not terrain[map_.hexes[to].terrain].closed
                and not any(self.position.game.features[one].closed for one in self.features(at, to))
                and (to == piece.where or not self.enemies(piece.side, to))
                and (
                    to == piece.where or not around_zones or not self.zones(piece.side, to, purpose="supply")
                )
            }
            reached |= edge
        return piece.where in reached

    def _means(self, condition: Condition, piece: Piece, asked: tuple[str, ...], also: set[str]) -> bool:
        """Whether a condition is true of a unit, including the game's own words in it."""
        true = self.words(piece, asked) | also
        known = [word for word in condition.words if word in self.rules.words and word not in asked]
        true |= {word for word in known if self.says(word, piece, asked)}
        return not condition.text.strip() or condition.holds(true)

    def fits(self, condition: Condition, piece: Piece) -> bool:
        """Whether a condition on counters is true of a unit; only the words that it names are looked up."""
        key = (condition.text, piece.id, piece.where)
        if key not in self.fitting:
            self.fitting[key] = self._fits(condition, piece)
        return self.fitting[key]

    def _fits(self, condition: Condition, piece: Piece) -> bool:
        if not condition.text.strip():
            return True
        own = {word for word in condition.words if word in self.rules.words}
        return condition.holds(self.words(piece, ()) | {word for word in own if self.says(word, piece, ())})

    def hex_fits(self, condition: Condition, name: str) -> bool:
        """Whether a condition on hexes is true of a hex; the empty one is true of none."""
        key = (condition.text, "hex", name)
        if key not in self.fitting:
            self.fitting[key] = self._hex_fits(condition, name)
        return self.fitting[key]

    def _hex_fits(self, condition: Condition, name: str) -> bool:
        game = self.position.game
        places = game.map.places_of(name)
        true = {name, game.map.hexes[name].terrain, game.map.hexes[name].country, *game.map.zones_of(name)}
        true |= {place.name for place in places} | {place.kind for place in places}
        return bool(condition.text.strip()) and condition.holds(true)

    def gap_to(self, home: Condition, where: str) -> int:
        """The distance from a hex to the nearest of some others."""
        grid = self.position.game.map.grid
        return min(
            (grid.distance(where, name) for name in grid.names if self.hex_fits(home, name)), default=0
        )

    def marked(self, rule: Marker) -> set[str]:
        """The hexes in which a marker has an effect."""
        grid = self.position.game.map.grid
        there = [where for where, laid in self.position.noted(LAID).items() if rule.marker in laid]
        return {name for where in there for name in (where, *grid.within(where, rule.hexes))}

    def soon(self, side: str) -> tuple[str, ...]:
        """What a side may do in the next phase: its track may have been advanced late."""
        calendar = self.position.world.calendar
        after = calendar.after(self.position.clock)
        phase, active = calendar.phase(after), calendar.side(after)
        rule = self.rules.sequence.get(phase)  # type: ignore[call-overload]
        if rule is None:
            return ()
        mine = {"both": True, "active": active in ("", side), "passive": active != side}[rule.by]
        return (*(rule.does if mine else ()), *(() if active == side else rule.passive), phase)

    def left_in(self, label: str, side: str) -> int:
        """The points that a side has left in a store."""
        store, turn = self.rules.stores[label], self.position.turn
        entry, turns = store.points.get(side, 0), self.position.scenario.turns or self.position.game.turns  # type: ignore[call-overload]
        got = store.start.get(side, 0) if store.saves or turn <= turns[0].number else 0  # type: ignore[call-overload]
        for one in turns:
            if one.number == turn or (store.saves and one.number < turn):
                got += entry if isinstance(entry, int) else int(self.entry(entry, side, one.number) or 0)
        used = self.position.note(SPENT if store.saves else SPENT_NOW, f"{label} {side}")
        lapsed = self.position.note(LAPSED, f"{label} {side}") if store.saves else 0
        return got - (used or 0) - (lapsed or 0)

    def units(self, side: str = "") -> list[Piece]:
        """The units on the map."""
        game = self.position.game
        return [
            piece
            for piece in self.position.pieces.values()
            if piece.where in game.map.grid and piece.side and side in ("", piece.side)
        ]

    def keepers(self, piece: Piece, where: str) -> list[Piece]:
        """The enemies that close a hex to a unit: all except those that it would capture there."""
        rules = self.rules.captured.all if self.rules.captured else ()
        mine = [one for one in rules if self.fits(one.by, piece) and not self.fits(one.who, piece)]
        enemies = self.enemies(piece.side, where)
        return [one for one in enemies if not any(self.fits(rule.who, one) for rule in mine)]

    def enemies(self, side: str, where: str) -> list[Piece]:
        """The enemies of a side in a hex."""
        return [piece for piece in self.units() if piece.side != side and piece.where == where]

    def features(self, one: str, other: str) -> set[str]:
        """What is between two neighbours, without features that are opened by others there."""
        if (one, other) not in self.between:
            game = self.position.game
            found = set(game.map.hexside(one, other).features) - self._closed(one, other)
            opened = {name for feature in found for name in game.features[feature].opens}
            self.between[one, other] = found - opened
        return self.between[one, other]

    def _closed(self, one: str, other: str) -> set[str]:
        """The features that a marker in one of two neighbours closes."""
        laid = {*(self.position.note(LAID, one) or ()), *(self.position.note(LAID, other) or ())}
        return {name for rule in self.rules.markers.values() if rule.marker in laid for name in rule.closes}

    def roads(self, one: str, other: str) -> frozenset[str]:
        """The kinds of road from a hex to its neighbour: none over what a marker closes."""
        map_ = self.position.game.map
        over = self._closed(one, other) & {*map_.hexside(one, other).features}
        return frozenset() if over else map_.roads_across(one, other)

    def controls(self, piece: Piece, name: str) -> bool:
        """Whether a unit's zone of control is in a hex."""
        zoc, game = self.rules.zoc, self.position.game
        if zoc is None or not self.fits(zoc.who, piece) or name not in game.map.grid.neighbours(piece.where):
            return False
        between = self.features(piece.where, name)
        closed = game.terrain[game.map.hexes[name].terrain].closed
        shut = closed or any(game.features[one].closed for one in between)
        return not (shut or between & set(zoc.not_across) or self.hex_fits(zoc.not_into, name))

    def zones(self, side: str, name: str, limit: ZocLimit | None = None, purpose: str = "move") -> list[str]:
        """The enemies of a side that control a hex, as far as they concern a limit."""
        key = (side, name, limit.against.text if limit is not None else "", purpose)
        if key not in self.zoned:
            self.zoned[key] = self._zones(side, name, limit, purpose)
        return self.zoned[key]

    def _zones(self, side: str, name: str, limit: ZocLimit | None, purpose: str) -> list[str]:
        zoc = self.rules.zoc
        if zoc is not None and purpose in zoc.cancelled_for:
            friends = [piece for piece in self.units(side) if piece.where == name]
            if any(self.fits(zoc.cancelled_by, friend) for friend in friends):
                return []
        return [
            piece.id
            for piece in self.units()
            if piece.side != side
            and (limit is None or self.fits(limit.against, piece))
            and self.controls(piece, name)
        ]

    def allowance(self, piece: Piece, movement: Movement) -> Fraction:
        """The points of a unit; without a clause, also without what that clause adds or takes."""
        game = self.position.game
        mine = [
            one
            for one in movement.allowances.values()
            if one.clause != self.without and self.fits(one.who, piece)
        ]
        factor = next((one.points for one in mine if one.points != ""), movement.points)
        printed = piece.counter.printed(factor, piece.steps) if isinstance(factor, str) else factor
        points = printed if isinstance(printed, int) else 0
        for state in piece.states:
            rule = self.rules.states.get(state)  # type: ignore[call-overload]
            says = game.states[state].counts.get(str(factor), "")
            if (
                says
                and points
                and not (self.without and rule and rule.clause_of(str(factor)) == self.without)
            ):
                points = {
                    "half up": (points + 1) // 2,
                    "half down": points // 2,
                    "half down to 1": max(points // 2, 1),
                    "double": 2 * points,
                }.get(says) or (int(says) if says.isdecimal() else 0)
        more = self.entry(movement.add, piece.side) if movement.add else ""
        points += int(more) if more.lstrip("+-").isdecimal() else 0
        whole = _rounded(points * movement.multiply, movement.round)
        for one in mine:
            whole = _rounded(whole * one.times, one.round) + one.add
        return max(whole, Fraction(0))

    def cost(self, piece: Piece, movement: Movement, at: str, to: str) -> Fraction:
        """What a step costs a unit; NEVER if it cannot be made."""
        game = self.position.game
        terrain = game.terrain[game.map.hexes[to].terrain]
        between = self.features(at, to)
        if terrain.closed or any(game.features[one].closed for one in between):
            return NEVER
        own = [effect for who, effect in movement.cost_of.items() if self.fits(who, piece)][:1]
        effects = (*own, movement.cost)
        roads = [game.road_kinds[kind] for kind in self.roads(at, to)]
        zone = not movement.road_in_zoc and bool(self.zones(piece.side, to))
        uses = movement.roads.text == "" or self.fits(movement.roads, piece)
        dated = movement.season and not (self.without and movement.season_clause == self.without)
        season = self.entry(movement.season, piece.side) if dated else ""
        rates = [_said(road, effects, season) for road in roads]
        fast = (
            [rate for rate in rates if rate is not None]
            if uses and (movement.road_in_zoc or not zone)
            else []
        )
        for bar in self.rules.bars.values():
            if bar.stops:
                continue
            about = not bar.to or {
                "move",
                *(n for n, w in self.rules.movement.items() if w is movement),
            } & set(bar.to)
            if bar.clause == self.without or not about or not self.fits(bar.who, piece):
                continue
            if bar.is_ban and bar.to:
                return NEVER
            if (self.hex_fits(bar.into, to) or between & set(bar.across)) and not (
                bar.except_by_road and roads
            ):
                return NEVER
        if movement.only_roads and movement.only_roads != self.without and not roads:
            return NEVER
        plain_cost = _said(terrain, effects, season)
        parts: list[Fraction | None] = [plain_cost if plain_cost is not None else Fraction(1)]
        parts += [_said(game.features[one], effects, season) for one in between]
        plain = sum((part for part in parts if part is not None), Fraction(0))
        return min([plain, *fast])

    def reach(self, piece: Piece, name: str, spare: int = 0) -> dict[str, tuple[str, ...]]:
        """The hexes to which a unit may move from its hex, each with a path."""
        movement = self.rules.movement[name]
        points = self.allowance(piece, movement) + (spare if self.without == movement.clause else 0)
        found = self.search(piece, name, points)
        if movement.road_bonus and self.fits(movement.road_bonus_who, piece):
            found = {**self.search(piece, name, points + movement.road_bonus, by_road=True), **found}
        return found

    def search(
        self, piece: Piece, name: str, points: Fraction, *, by_road: bool = False
    ) -> dict[str, tuple[str, ...]]:
        """The hexes that a unit reaches with a number of points, each with a path."""
        movement = self.rules.movement[name]
        found: dict[str, tuple[str, ...]] = {}
        best: dict[tuple[str, bool], Fraction] = {}
        waiting = [Step(piece.where, Fraction(0), False, (piece.where,))]
        while waiting:
            here = waiting.pop(0)
            for step in self._steps(piece, name, movement, here, points):
                if by_road and not self.position.game.map.roads_across(here.hex, step.hex):
                    continue
                if best.get((step.hex, step.stopped), NEVER) <= step.spent:
                    continue
                best[step.hex, step.stopped] = step.spent
                found.setdefault(step.hex, step.path)
                if not step.stopped:
                    waiting.append(step)
        found.pop(piece.where, None)
        return found

    def _steps(
        self, piece: Piece, name: str, movement: Movement, here: Step, points: Fraction
    ) -> Iterator[Step]:
        enemies_clause = movement.enemies or movement.clause
        for to in self.position.game.map.grid.neighbours(here.hex):
            cost = self.cost(piece, movement, here.hex, to)
            if cost >= NEVER or (self.keepers(piece, to) and self.without != enemies_clause):
                continue
            if self._is_near(piece, movement, to) or self._is_near(piece, movement, here.hex):
                continue
            stopped, more = self._halts(piece, name, to), Fraction(0)
            for limit in self._limits(piece, name):
                into = self.zones(piece.side, to, limit)
                out = self.zones(piece.side, here.hex, limit)
                through = bool(set(into) & set(out)) if _same_enemy(limit) else bool(into and out)
                holds = {"entering": bool(into), "leaving": bool(out), "through": through}[limit.on]
                holds = holds and not self._has_friend(limit.unless_friend, piece, to)
                whole = limit.unless_whole_move and here.hex == piece.where
                if not holds or whole:
                    stopped = stopped or (holds and limit.on != "leaving")
                elif limit.does == "stop":
                    stopped = True
                elif limit.does == "forbid" and limit.on == "leaving" and here.hex != piece.where:
                    more = more if self._stops(piece, name) else NEVER  # there it should have stopped
                elif limit.does == "forbid":
                    more = NEVER
                else:
                    more += Fraction(limit.does)
            for rule in self.rules.markers.values():
                about = (not rule.movements or name in rule.movements) and self.fits(rule.who, piece)
                if not about or rule.clause == self.without or to not in self.marked(rule):
                    continue
                stopped = stopped or rule.does == "stop"
                more += NEVER if rule.does == "forbid" else Fraction(rule.does) if rule.does != "stop" else 0
            if more >= NEVER:
                continue
            spent = here.spent + cost + more
            least = bool(movement.minimum) and movement.minimum != self.without
            first = least and here.hex == piece.where and self.fits(movement.minimum_who, piece)
            if spent <= points or first:
                yield Step(to, spent, stopped or spent > points, (*here.path, to))

    def _has_friend(self, who: Condition, piece: Piece, where: str) -> bool:
        """Whether another unit of its side, one of some kind, is in a hex."""
        there = (one for one in self.units(piece.side) if one.where == where and one.id != piece.id)
        return who.text != "-" and any(self.fits(who, one) for one in there)

    def _is_near(self, piece: Piece, movement: Movement, where: str) -> bool:
        """Whether a hex is nearer to an enemy than units may come by this kind of movement."""
        if movement.distance < 2 or movement.distance_clause == self.without:
            return False
        far = self.position.game.map.grid.distance
        return any(
            other.side != piece.side and far(other.where, where) < movement.distance for other in self.units()
        )

    def _stops(self, piece: Piece, name: str) -> bool:
        """Whether a unit stops in every zone that it enters, with or without that clause."""
        limits = self.rules.zoc.limits.values() if self.rules.zoc else ()
        return any(
            (limit.on, limit.does, limit.unless_friend.text, limit.unless_whole_move)
            == ("entering", "stop", "-", False)
            and (not limit.movements or name in limit.movements)
            and self.fits(limit.who, piece)
            for limit in limits
        )

    def _halts(self, piece: Piece, name: str, to: str) -> bool:
        """Whether a unit must stop in a hex because of something there."""
        movement = self.rules.movement[name]
        friends = (one for one in self.units(piece.side) if one.where == to and one.id != piece.id)
        closed = movement.not_through.text != "-" and movement.not_through_clause != self.without
        if closed and any(self.fits(movement.not_through, one) for one in friends):
            return True
        for bar in self.rules.bars.values():
            about = bar.stops and (not bar.to or {"move", name} & set(bar.to)) and self.fits(bar.who, piece)
            grid = self.position.game.map.grid
            roads = bar.except_by_road and any(
                self.position.game.map.roads_across(to, near) for near in grid.neighbours(to)
            )
            if about and bar.clause != self.without and not roads and self.hex_fits(bar.into, to):
                return True
        return False

    def _limits(self, piece: Piece, name: str) -> Iterator[ZocLimit]:
        zoc = self.rules.zoc
        away = self.rules.movement[name].distance > 1
        if zoc is None or away or not self.fits(zoc.on, piece):
            return
        for limit in zoc.limits.values():
            about = (not limit.movements or name in limit.movements) and self.fits(limit.who, piece)
            if about and (limit.clause or zoc.clause) != self.without:
                yield limit


def _rounded(points: Fraction, how: str) -> Fraction:
    if how == "down":
        return Fraction(points.numerator // points.denominator)
    return Fraction(-(-points.numerator // points.denominator)) if how == "up" else points


def _same_enemy(limit: ZocLimit) -> bool:
    return bool(getattr(limit, "same_enemy", False))


def _said(row: ChartRow, effects: tuple[str, ...], season: str) -> Fraction | None:
    in_season = row.effects.group(season) if season and season in row.effects else row.effects
    for effect in effects:
        value = in_season.get(effect)
        value = row.effects.get(effect) if value is None else value
        if isinstance(value, str):
            return NEVER
        if isinstance(value, int | float) and not isinstance(value, bool):
            return Fraction(str(value))
    return None
