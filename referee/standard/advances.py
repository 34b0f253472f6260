"""Advances after combat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, listed, name_of, names_of
from referee.standard.battle import Fight, as_proven, fight_after, fights, settling, title_of
from referee.standard.facts import (
    allowed,
    clauses_of,
    closed_features,
    did,
    enemies_at,
    fits,
    put,
    rules_of,
    units_at,
)
from referee.standard.movement import is_on_map
from referee.standard.notes import RETIRED
from referee.standard.own_words import true_of
from referee.standard.setting import the_setting
from referee.standard.stacking import clauses_in, room, too_many
from referee.standard.undone import retreat_length
from referee.standard.zones import controlled
from vassalgen.game.families import NOBODY, Advance, Bar, Families, Stacking


def section(rules: Families) -> Section:
    """Return the rules of advances."""
    found, rule = Section("Advances", rules.provenance), rules.advance
    if rule is None:
        return found
    _who_and_where(found, rule)
    if rule.into and rule.into_clause:
        _only_into(found, rule)
    if rule.along:
        _along_a_retreat(found, rule)
    if rule.units and rule.units_clause:
        _not_too_many(found, rule)
    if rule.zoc:
        _stops_in_zones(found, rule)
    _bars(found, rules)
    if rules.stacking and rules.stacking.when != "phase":
        _stacking(found, rules.stacking)
    if rule.must:
        _must(found, rules, rule)
    if rule.free != NOBODY:
        _not_alone(found, rules, rule)
    _does(found, rule)
    return found


def _who_and_where(found: Section, rule: Advance) -> None:
    """Register which units may advance, and into which hexes."""
    found.on("advance", clause=rule.clause)(begins_where_it_stands)

    @found.on("advance", clause=clauses_of(rule.clause, rule.hexes_clause, rule.defenders_clause))
    def victors_advance_into_the_hex_they_attacked(position: Position, action: Action) -> Iterator[Breach]:
        fight, unit = fight_after(position, action), name_of(position, action.piece)
        facts: Facts = {"unit": action.piece, "path": action.path}
        if fight is None or not (fight.rolled or _has_retired(position, fight)):
            says = f"{unit} advances, but no attack has been resolved; an advance follows an attack."
            yield Breach(says, facts)
            return
        if _goes_along(position, fight, rule, action.piece):
            if action.end not in fight.hexes:
                yield Breach(f"{unit} advances to {action.end}, which was not attacked.", facts)
            return
        if action.piece not in fight.attackers and not (rule.defenders and action.piece in fight.defenders):
            says = f"{unit} advances, but it did not attack {fight.target}; only units that did may."
            yield Breach(says, facts)
            return
        if rule.after and fight.kind not in rule.after:
            says = f"{unit} advances after {title_of(position.game, fight)}; after this kind of combat"
            yield Breach(f"{says} ({fight.kind}) no unit does.", facts)
            return
        barred = not fits(position, position.pieces[action.piece], rule.defenders_who)
        if action.piece in fight.defenders and barred:
            says = f"{unit} was attacked, and may not advance: only {allowed(position, rule.defenders_who)}"
            yield Breach(f"{says} may.", facts, clause=rule.defenders_clause or rule.clause)
        if not fits(position, position.pieces[action.piece], rule.who):
            yield Breach(f"{unit} may not advance: only {allowed(position, rule.who)} may.", facts)
        ahead = () if action.piece in fight.defenders else (_into(fight, action),)
        for where in dict.fromkeys((*ahead, action.end)):
            if enemies := enemies_at(position, where, position.pieces[action.piece].side):
                names = names_of(position, (piece.id for piece in enemies))
                yield Breach(
                    f"{unit} may not advance into {where}: {names} {is_or_are(enemies)} there.", facts
                )
                return
        if action.piece in fight.defenders:
            yield from _into_another_hex(position, action, fight)
            return
        yield from _too_far(position, action, fight, rule)

    @found.on("advance", clause=rule.clause)
    def who_must_retreat_does_not_advance(position: Position, action: Action) -> Breach | None:
        unit, after = action.piece, fight_after(position, action)
        for fight in fights(position):
            due = fight.rolled and not fight.settled and fight is not after and unit in fight.units
            if not due or unit in fight.retreated or unit in fight.lost:
                continue
            if length := retreat_length(position, fight, unit):
                says = (
                    f"{name_of(position, unit)} advances; after {title_of(position.game, fight)} it must"
                    f" retreat {counted(length, 'hex')}."
                )
                return Breach(says, {"unit": unit, "hex": fight.target}, Grade.unproven)
        return None

    @found.on("advance", clause=rule.clause)
    def nobody_advances_into_a_closed_hex(position: Position, action: Action) -> Breach | None:
        game = position.game
        for where in action.path[1:] if not action.dragged else (action.end,):
            if where not in game.map.grid or not game.terrain[game.map.hexes[where].terrain].closed:
                continue
            if not any(game.map.road_kinds[game.map.grid.index[where]]):
                says = (
                    f"{name_of(position, action.piece)} may not advance into {where}: no unit may enter it."
                )
                return Breach(says, {"unit": action.piece, "hex": where})
        return None


def _only_into(found: Section, rule: Advance) -> None:
    """Register the only hexes into which units advance."""

    @found.on("advance", clause=rule.into_clause)
    def only_into_some_hexes(position: Position, action: Action) -> Breach | None:
        fight = fight_after(position, action)
        if fight is None or not fight.rolled or action.piece not in fight.attackers:
            return None
        first = _into(fight, action)
        index = position.game.map.grid.index
        if first not in index or the_setting(position).hexes(rule.into) >> index[first] & 1:
            return None
        says = (
            f"{name_of(position, action.piece)} advances into {first}; units advance only into"
            f" {rule.into.text}."
        )
        return Breach(says, {"unit": action.piece, "hex": first})


def _along_a_retreat(found: Section, rule: Advance) -> None:
    """Register that units advance further only where others retreated."""

    @found.on("advance", clause=rule.along)
    def beyond_the_first_hex_along_a_retreat(position: Position, action: Action) -> Breach | None:
        fight = fight_after(position, action)
        if fight is None or action.piece not in fight.attackers:
            return None
        paths = [path for name, path in fight.retreated.items() if name not in fight.attackers]
        known = {where for path in paths for where in path}
        gone = action.path[1:] if not action.dragged else (action.end,)
        astray = [where for where in gone if where not in fight.hexes and where not in known]
        if not astray or "" in known:
            return None
        says = f"{name_of(position, action.piece)} advances to {astray[0]}; beyond {fight.target} it may"
        facts: Facts = {"unit": action.piece, "path": action.path}
        return Breach(f"{says} only follow the path of a retreat.", facts)


def _not_too_many(found: Section, rule: Advance) -> None:
    """Register how many units may advance."""

    @found.on("advance", clause=rule.units_clause)
    def not_too_many_advance(position: Position, action: Action) -> Breach | None:
        fight = fight_after(position, action)
        if fight is None or action.piece in fight.advanced or _is_free(position, rule, action.piece):
            return None
        others = tuple(name for name in fight.advanced if not _is_free(position, rule, name))
        if len(others) < rule.units:
            return None
        most = counted(rule.units, "unit")
        says = (
            f"{name_of(position, action.piece)} advances after {names_of(position, others)}; at most"
            f" {most} may."
        )
        return Breach(says, {"unit": action.piece, "advanced": others})


def _stops_in_zones(found: Section, rule: Advance) -> None:
    """Register that an advance ends in an enemy zone of control."""

    @found.on("advance", clause=rule.zoc)
    def an_advance_stops_in_a_zone_of_control(position: Position, action: Action) -> Breach | None:
        fight = fight_after(position, action)
        if fight is None or action.end in fight.hexes or fight.target not in position.game.map.grid:
            return None
        side, index = position.pieces[action.piece].side, position.game.map.grid.index
        first = _into(fight, action)
        if not controlled(position, side, "move") >> index[first] & 1:
            return None
        says = (
            f"{name_of(position, action.piece)} advances beyond {first}, which is in an enemy zone of"
            " control."
        )
        return Breach(says, {"unit": action.piece, "hex": first})


def _bars(found: Section, rules: Families) -> None:
    """Register what bars an advance."""
    bars = [bar for bar in rules.bars.values() if not bar.to or "advance" in bar.to]
    if not bars:
        return

    @found.on("advance", clause=clauses_of(*(bar.clause for bar in bars)))
    def not_over_what_bars_it(position: Position, action: Action) -> Iterator[Breach]:
        if not is_on_map(position, action) or action.dragged:
            return
        piece = position.pieces[action.piece]
        for here, there in pairwise(action.path):
            if not position.game.map.grid.are_neighbours(here, there):
                continue
            for bar in _barring(position, piece, here, there):
                says = f"{name_of(position, piece.id)} may not advance from {here} to {there}."
                yield Breach(says, {"unit": piece.id}, clause=bar.clause)


def _stacking(found: Section, rule: Stacking) -> None:
    """Register that an advance ends within the stacking limit."""
    limits = clauses_of(*clauses_in(rule))

    @found.on("advance", clause=limits)
    def an_advance_ends_within_the_stacking_limit(position: Position, action: Action) -> Breach | None:
        after = position.with_piece(action.piece, where=action.end)
        return too_many(after, action.end, position.pieces[action.piece].side, action.piece)


def _must(found: Section, rules: Families, rule: Advance) -> None:
    """Register that at least one unit must advance."""

    @settling(rules).rule(found, clause=rule.must)
    def one_at_least_advances(position: Position, fight: Fight) -> Iterator[Breach]:
        if any(kinds and fight.kind not in kinds for kinds in (rule.after, rule.must_after)):
            return
        obliged = [name for name in fight.attackers if fits(position, position.pieces[name], rule.must_who)]
        advanced = set(fight.advanced) & set(obliged) if rule.must_who else fight.advanced
        if advanced or not any(_was_vacated(position, fight, where) for where in fight.hexes):
            return
        wanted, index = the_setting(position).hexes(rule.must_into), position.game.map.grid.index
        if rule.must_into and not any(wanted >> index[where] & 1 for where in fight.hexes):
            return
        where = {name: position.pieces[name].where for name in obliged}
        grid = position.game.map.grid
        if any(at in grid and at != fight.stood[name] for name, at in where.items()):
            return  # it is there, or may have passed through on its advance after another battle
        if any(fits(position, position.pieces[name], rule.must_except) for name in fight.attackers):
            return
        able = [name for name in obliged if _can_advance(position, fight, rule, name)]
        if able:
            names = listed([name_of(position, name) for name in able], "or")
            says = f"{names} must advance into {listed(fight.hexes, 'or')}; no unit did."
            yield from as_proven(position, fight, (Breach(says, {"hex": fight.target, "able": tuple(able)}),))


def _is_free(position: Position, rule: Advance, unit: str) -> bool:
    """Return whether a unit goes along with others and does not count towards the limit."""
    return rule.free != NOBODY and fits(position, position.pieces[unit], rule.free)


def _goes_along(position: Position, fight: Fight, rule: Advance, unit: str) -> bool:
    """Return whether a unit that did not attack may go with others: it is in a hex from which
    some attacked.
    """
    others = (name for name in fight.attackers if not _is_free(position, rule, name))
    beside = position.pieces[unit].where in {fight.stood.get(name) for name in others}
    return beside and unit not in fight.units and _is_free(position, rule, unit)


def _not_alone(found: Section, rules: Families, rule: Advance) -> None:
    """Register that units that go along with others never advance alone."""

    @settling(rules).rule(found, clause=rule.units_clause or rule.clause)
    def they_advance_with_others(position: Position, fight: Fight) -> Iterator[Breach]:
        free = tuple(name for name in fight.advanced if _is_free(position, rule, name))
        if free and len(free) == len(fight.advanced):
            says = f"{names_of(position, free)} advanced alone; such units only go with others."
            yield Breach(says, {"units": free, "hex": fight.target})


def _does(found: Section, rule: Advance) -> None:
    """Register what an advance does, and which advances are proposed."""

    @found.does("advance")
    def advance(position: Position, action: Action) -> Position:
        fight = fight_after(position, action)
        along = fight is not None and _goes_along(position, fight, rule, action.piece)
        position = did(put(position, action.piece, action.end), action.piece, "advance")
        if fight is None or not (action.piece in fight.attackers or along):
            return position
        gone = (*fight.advanced.get(action.piece, ()), *action.path[1:])
        return position.with_battle(evolve(fight, advanced={**fight.advanced, action.piece: gone}))

    @found.proposes
    def possible_advances(position: Position, piece: Piece) -> Iterator[Action]:
        grid = position.game.map.grid
        for fight in fights(position):
            if fight.advanced and not fight.settled and _goes_along(position, fight, rule, piece.id):
                for where in {path[-1] for path in fight.advanced.values()} & set(fight.hexes):
                    yield Action("advance", (piece.id,), (piece.where, where), battle=fight.number)
            if not fight.rolled or fight.settled or piece.id not in fight.attackers:
                continue
            if piece.id in (*fight.advanced, *fight.retreated) or piece.where not in grid:
                continue
            for first in fight.hexes:
                if not _was_vacated(position, fight, first) or not grid.are_neighbours(piece.where, first):
                    continue
                path = (piece.where, first)
                yield Action("advance", (piece.id,), path, battle=fight.number)
                if _most_hexes(position, fight, rule, piece) > 1:
                    for beyond in grid.neighbours(first):
                        if beyond != piece.where:
                            yield Action("advance", (piece.id,), (*path, beyond), battle=fight.number)


def _has_retired(position: Position, fight: Fight) -> bool:
    """Return whether defenders have left an attacked hex before the dice."""
    left = position.noted(RETIRED).values()
    return any(where in left and not enemies_at(position, where, fight.side) for where in fight.hexes)


def _into_another_hex(position: Position, action: Action, fight: Fight) -> Iterator[Breach]:
    """Find defenders that advance where no attacker stood."""
    if action.end not in {fight.stood.get(name) for name in fight.attackers}:
        says = (
            f"{name_of(position, action.piece)} advances to {action.end}, from which it was not"
            " attacked; it must have been."
        )
        yield Breach(says, {"unit": action.piece, "hex": action.end})


def _into(fight: Fight, action: Action) -> str:
    """The attacked hex that an advance leads into."""
    return next((where for where in action.path[1:] if where in fight.hexes), fight.target)


def _most_hexes(position: Position, fight: Fight, rule: Advance, piece: Piece) -> int:
    """Return how many hexes a unit may advance after a battle."""
    most = next((count for who, count in rule.hexes.items() if fits(position, piece, who)), None)
    far = [len(path) for name, path in fight.retreated.items() if name not in fight.attackers]
    if rule.far_after and max(far, default=0) < rule.far_after:
        return 1
    if most is None:
        return max(1, *far, 1) if rule.along else 1
    return most


def _was_vacated(position: Position, fight: Fight, where: str) -> bool:
    """Return whether the defenders have left an attacked hex, or were lost in it."""
    mine = [name for name in fight.defenders if fight.stood.get(name, where) == where]
    moved = any(position.pieces[name].where != where for name in mine)
    return moved and not [piece for piece in units_at(position, where) if piece.side != fight.side]


def _too_far(position: Position, action: Action, fight: Fight, rule: Advance) -> Iterator[Breach]:
    grid, unit = position.game.map.grid, name_of(position, action.piece)
    if not is_on_map(position, action):
        return
    facts: Facts = {"unit": action.piece, "path": action.path}
    before = fight.advanced.get(action.piece, ())
    most = _most_hexes(position, fight, rule, position.pieces[action.piece])
    start = fight.stood.get(action.piece, action.path[0])
    path = (*before, *action.path[1:])
    first = next((where for where in path if where in fight.hexes), fight.target)
    reachable = [where for where in fight.hexes if grid.are_neighbours(start, where)]
    if fight.stood and not reachable:
        says = f"{unit} advances into {first}, but it was not next to it; only a unit that was may."
        yield Breach(says, facts)
    elif action.end not in fight.hexes and all(
        grid.distance(where, action.end) > most - 1 for where in reachable or fight.hexes
    ):
        far = f"{unit} advances to {action.end}; it may advance {counted(most, 'hex')}, into {first}"
        says = f"{far} first." if most > 1 else f"{far}."
        elsewhere = grid.distance(start, action.end) <= 1
        yield Breach(says, facts, clause=(not elsewhere and rule.hexes_clause) or rule.clause)
    elif not action.dragged and (path[0] not in fight.hexes or len(path) > most):
        says = (
            f"{unit} advances along {listed(path)}; it may advance {counted(most, 'hex')}, the first into"
            f" {first}."
        )
        yield Breach(says, facts, clause=(len(path) > most and rule.hexes_clause) or rule.clause)


def _can_advance(position: Position, fight: Fight, rule: Advance, name: str) -> bool:
    piece, grid = position.pieces[name], position.game.map.grid
    if piece.where not in grid or not fits(position, piece, rule.who) or _is_forbidden(position, piece):
        return False
    return any(
        grid.are_neighbours(piece.where, where)
        and room(position, name, where)
        and not any(_barring(position, piece, piece.where, where))
        for where in fight.hexes
        if _was_vacated(position, fight, where) and _may_enter(position, rule, where)
    )


def _is_forbidden(position: Position, piece: Piece) -> bool:
    """Return whether a unit may not advance at all."""
    rules = rules_of(position)
    states = any("advance" in rule.forbids for name, rule in rules.states.items() if piece.is_(name))
    bans = (bar for bar in rules.bars.values() if bar.is_ban and "advance" in bar.to)
    return states or any(fits(position, piece, bar.who) for bar in bans)


def _barring(position: Position, piece: Piece, here: str, there: str) -> Iterator[Bar]:
    """Yield the bars that prevent a unit from advancing from a hex into the next."""
    setting, grid = the_setting(position), position.game.map.grid
    at, to, shut = grid.index[here], grid.index[there], closed_features(position)
    direction = grid.adjacent[at].index(to)
    features, roads = setting.features(at, direction, shut), bool(setting.road_kinds(at, direction, shut))
    for name in setting.bars_for(true_of(position, piece), "advance"):
        if setting.is_barred(setting.rules.bars[name], at, to, features, roads):
            yield setting.rules.bars[name]


def _may_enter(position: Position, rule: Advance, where: str) -> bool:
    """Return whether units may advance into a hex."""
    at = position.game.map.grid.index[where]
    return not rule.into or bool(the_setting(position).hexes(rule.into) >> at & 1)
