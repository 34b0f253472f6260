"""Markers that players place in hexes: interdiction, mines, fortifications."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.idiom import ADD, REMOVE
from referee.engine.position import LAID, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.battle import fights
from referee.standard.facts import (
    allowed,
    clauses_of,
    did,
    fits,
    on_map,
    points_of,
    undid,
    units_at,
)
from referee.standard.notes import LAID_BY, LIFTED, PLACERS, TRAIL
from referee.standard.own_words import true_of
from referee.standard.placers import (
    has_left,
    in_reach,
    one_too_many,
    placers,
    with_placers,
    without_placers,
)
from referee.standard.setting import the_setting
from vassalgen.game.families import NOBODY, NOBODY_NEAR, Families, Marker, MarkerId


def section(rules: Families) -> Section:
    """Return what placing a marker does, and when and where it may be placed."""
    found = Section("Markers in hexes", rules.provenance)
    if not markers_of(rules):
        return found
    for rule in rules.markers.values():
        if rule.laid or rule.into or rule.laid_by or rule.most or rule.most_side or rule.most_each:
            _laying(found, rule)
        if rule.gone:
            _gone(found, rule)
        if rule.removed_by != NOBODY_NEAR:
            _removed(found, rules, rule)
        if rule.kept_by != NOBODY or rule.placer_stays or rule.placer.text:
            _kept(found, rules, rule)
        if rule.lifted or rule.lifted_by:
            _lifted(found, rules, rule)

    @found.proposes
    def laying(position: Position, piece: Piece) -> Iterator[Action]:
        for rule in rules.markers.values() if piece.where in position.game.map.grid else ():
            there = rule.marker in (position.note(LAID, piece.where) or ())
            is_taken = there and is_left(position, rule, piece.where)
            is_taken = is_taken or (there and takes_off(position, rule, piece))
            if is_taken:
                yield Action(REMOVE, target=piece.where, words=(rule.marker,))
            for where in _due_to_go(position, rule):
                yield Action(REMOVE, target=where, words=(rule.marker,))
            if rule.laid and position.side in ("", piece.side):
                for where in _worth_marking(position, rule, piece):
                    yield Action(ADD, target=where, words=(rule.marker,))

    @found.does(ADD)
    def add(position: Position, action: Action) -> Position:
        laid, lifted = position.note(LAID, action.target) or (), position.note(LIFTED, action.target) or ()
        if action.words[0] in lifted:  # it is put back
            position = position.with_note(LIFTED, action.target, _without(lifted, action.words[0]))
        if side := _side_of(position, rules, action):
            position = position.with_note(LAID_BY, f"{action.words[0]} {action.target}", side)
        position = _as_done(position, rules, action, done=True)
        position = with_placers(position, rules, action.words[0], action.target)
        return position.with_note(LAID, action.target, (*laid, action.words[0]))

    @found.does(REMOVE)
    def remove(position: Position, action: Action) -> Position:
        laid, marker = position.note(LAID, action.target) or (), action.words[0]
        if marker not in laid:
            return position
        if not _may_be_lifted(position, rules, marker, action.target):
            lifted = position.note(LIFTED, action.target) or ()
            position = position.with_note(LIFTED, action.target, (*lifted, marker))
        position = _as_done(position, rules, action, done=False)
        position = without_placers(position, marker, action.target)
        return position.with_note(LAID, action.target, _without(laid, marker))

    return found


def _side_of(position: Position, rules: Families, action: Action) -> str:
    """Return the side that places a marker: that of the units that can or, if these do not tell, the active
    one.
    """
    own = (rule for rule in rules.markers.values() if rule.marker == action.words[0] and rule.laid_by.text)
    sides = {piece.side for rule in own for piece in placers(position, rule, action.target)}
    return sides.pop() if len(sides) == 1 else position.side


def _as_done(position: Position, rules: Families, action: Action, *, done: bool) -> Position:
    """Note that a unit has placed a marker, if only one can have, or that it took it back."""
    for label, rule in rules.markers.items():
        if rule.marker != action.words[0] or not rule.laid_by.text:
            continue
        known = position.note(PLACERS, f"{rule.marker} {action.target}") or ()
        names = tuple(one.id for one in placers(position, rule, action.target)) if done else sum(known, ())
        if len(names) == 1 and done:
            position = did(position, names[0], label)
        elif len(names) == 1:
            position = undid(position, names[0], label)
    return position


def _worth_marking(position: Position, rule: Marker, piece: Piece) -> Iterator[str]:
    """Yield hexes in which a unit might place a marker: its own, or those of enemies in its reach."""
    far, grid = points_of(position, piece, rule.laid_within), position.game.map.grid
    enemies = [
        one.where for side in position.game.sides if side != piece.side for _, one in on_map(position, side)
    ]
    near = [where for where in dict.fromkeys(enemies) if grid.distance(piece.where, where) <= far]
    for where in near if far else (piece.where,):
        if rule.marker not in (position.note(LAID, where) or ()):
            yield where


def _without(markers: tuple[str, ...], one: str) -> tuple[str, ...]:
    at = markers.index(one)
    return (*markers[:at], *markers[at + 1 :])


def _may_be_lifted(position: Position, rules: Families, marker: str, where: str) -> bool:
    """Return whether a marker may be removed from a hex now."""
    for rule in rules.markers.values():
        if rule.marker != marker or is_left(position, rule, where):
            continue
        mine = units_at(position, where, position.side)
        able = not rule.lifted_by or any(fits(position, piece, rule.lifted_by) for piece in mine)
        if not able or (rule.lifted and position.phase not in rule.lifted):
            return False
    return True


def _lifted(found: Section, rules: Families, rule: Marker) -> None:
    """Register when, and by which units, markers may be removed; one removed by mistake may be put back."""

    @found.leaving(*rules.sequence, clause=rule.lifted_clause or rule.clause)
    def markers_stay_where_they_lie(position: Position) -> Iterator[Breach]:
        for where, markers in position.noted(LIFTED).items():
            if rule.marker not in markers:
                continue
            says = f"{position.game.counters[rule.marker].name} was taken off {where}"
            if rule.lifted and position.phase not in rule.lifted:
                titles = {phase.id: phase.title for phase in position.game.sequence.phases}
                says = f"{says}; that is done in {listed([titles[one] for one in rule.lifted], 'or')}."
            else:
                says = f"{says}; {allowed(position, rule.lifted_by)} must be there."
            yield Breach(says, {"marker": rule.marker, "hex": where})


def _laying(found: Section, rule: Marker) -> None:
    """Register when and where a marker may be placed, and how many."""

    most = rule.most_clause or rule.laid_clause or rule.clause

    @found.on(ADD, clause=clauses_of(rule.laid_clause or rule.clause, most))
    def markers_are_laid_as_they_may_be(position: Position, action: Action) -> Iterator[Breach]:
        if action.words[0] != rule.marker or _is_set_up(position, action):
            return
        says = f"{position.game.counters[rule.marker].name} is put into {action.target}"
        facts: Facts = {"marker": rule.marker, "hex": action.target}
        if rule.laid and (
            position.phase not in rule.laid or position.side not in ("", rule.side or position.side)
        ):
            adjective = f"{position.game.sides[rule.side].adjective} " if rule.side else ""
            titles = {phase.id: phase.title for phase in position.game.sequence.phases}
            phases = listed([f"{adjective}{titles[one]}" for one in rule.laid], "or")
            yield Breach(f"{says}; that is done in {phases}.", facts)
        at = position.game.map.grid.index[action.target]
        if rule.into and not the_setting(position).hexes(rule.into) >> at & 1:
            yield Breach(f"{says}; where it may be: {rule.into.text}.", facts)
        if rule.laid_by and not placers(position, rule, action.target):
            yield Breach(f"{says}; {_who_is_missing(position, rule, action.target)}.", facts)
        yield from (evolve(one, clause=most) for one in _too_many(position, rule, action.target, says, facts))


def _who_is_missing(position: Position, rule: Marker, where: str) -> str:
    """Say which unit must be where for a marker to be placed."""
    who = allowed(position, rule.laid_by)
    if not rule.laid_within:
        return f"{who} must be there"
    if near := in_reach(position, rule, where):
        names = names_of(position, (piece.id for piece in near))
        return f"{names} {'does' if len(near) == 1 else 'do'} not see it"
    far = rule.laid_within
    return f"{who} must be within {counted(far, 'hex') if isinstance(far, int) else f'their {far}'}"


def _too_many(position: Position, rule: Marker, where: str, says: str, facts: Facts) -> Iterator[Breach]:
    """Find whether a marker placed in a hex would be one too many."""
    there = [hex_ for hex_, laid in position.noted(LAID).items() for one in laid if one == rule.marker]
    if rule.most and len(there) >= rule.most:
        yield Breach(f"{says}; {counted(rule.most, 'marker')} may be on the map.", facts)
    mine = [hex_ for hex_ in there if position.side and _laid_by(position, rule, hex_) == position.side]
    if rule.most_side and len(mine) >= rule.most_side:
        yield Breach(f"{says}; a side may have {counted(rule.most_side, 'marker')} on the map.", facts)
    elif rule.most_each and one_too_many(position, rule, where):
        names = names_of(position, (piece.id for piece in placers(position, rule, where)))
        each = counted(rule.most_each, "marker")
        yield Breach(f"{says}; {names} may have {each} on the map, and it is there.", facts)


def _laid_by(position: Position, rule: Marker, where: str) -> str | None:
    """Return the side that placed a marker in a hex, if that is known."""
    return position.note(LAID_BY, f"{rule.marker} {where}")


def _is_set_up(position: Position, action: Action) -> bool:
    """Return whether a marker is placed where the scenario has it, when the game begins."""
    calendar = position.world.calendar
    begins = position.turn == calendar.first_turn and position.phase == calendar.stops[0].phase.id
    there = [name for one in position.scenario.setup if one.at == action.target for name in one.counters]
    return begins and action.words[0] in there


def _removed(found: Section, rules: Families, rule: Marker) -> None:
    """Register that markers are removed where some units have entered."""

    @found.leaving(*rules.sequence, clause=rule.removed_clause or rule.clause)
    def markers_are_taken_off_by_who_comes(position: Position) -> Iterator[Breach]:
        came = {name for fight in fights(position) for name in fight.advanced}
        came |= {
            name
            for name, trail in position.noted(TRAIL).items()
            if position.pieces[name].where != trail.start
        }
        for where, laid in position.noted(LAID).items():
            units = [piece for piece in units_at(position, where) if piece.id in came]
            by = [piece for piece in units if takes_off(position, rule, piece)]
            if rule.marker in laid and by:
                says = f"{position.game.counters[rule.marker].name} is still in {where} with"
                says = f"{says} {names_of(position, (piece.id for piece in by))}; it must be taken off."
                yield Breach(says, {"marker": rule.marker, "hex": where}, Grade.slip)


def takes_off(position: Position, rule: Marker, piece: Piece) -> bool:
    """Return whether a marker is taken off if a unit is in its hex. Whose enemy the unit is depends on the
    side that placed the marker; of the markers of a scenario, that is not known.
    """
    if rule.removed_by == NOBODY_NEAR:
        return False
    side = _laid_by(position, rule, piece.where)
    relation = () if side is None else ("friend",) if side == piece.side else ("enemy",)
    return rule.removed_by.holds(true_of(position, piece).union(relation))


def is_left(position: Position, rule: Marker, where: str) -> bool:
    """Return whether none of the units that keep a marker in its hex is there, or who placed it has left."""
    kept = rule.kept_by != NOBODY
    units = units_at(position, where) if kept else ()
    is_alone = kept and not any(fits(position, piece, rule.kept_by) for piece in units)
    return is_alone or bool(has_left(position, rule, where))


def _kept(found: Section, rules: Families, rule: Marker) -> None:
    """Register that markers are removed where no unit keeps them."""

    @found.leaving(*rules.sequence, clause=rule.kept_clause or rule.removed_clause or rule.clause)
    def markers_are_taken_off_when_they_are_left(position: Position) -> Iterator[Breach]:
        for where, laid in position.noted(LAID).items():
            if rule.marker in laid and is_left(position, rule, where):
                says = f"{position.game.counters[rule.marker].name} is still in {where}"
                if gone := has_left(position, rule, where):
                    ceased = "has left it" if rule.placer_stays else f"is no longer {rule.placer.text}"
                    says = f"{says}, and {listed([name_of(position, one) for one in gone], 'or')} {ceased}"
                else:
                    says = f"{says} without {allowed(position, rule.kept_by)}"
                says = f"{says}; it must be taken off."
                yield Breach(says, {"marker": rule.marker, "hex": where}, Grade.slip)


def _gone(found: Section, rule: Marker) -> None:
    """Register that markers are removed before a phase is over."""

    @found.leaving(rule.gone, clause=rule.gone_clause or rule.removed_clause or rule.clause)
    def markers_are_taken_off(position: Position) -> Iterator[Breach]:
        for where in _due_to_go(position, rule):
            says = f"{position.game.counters[rule.marker].name} is still in {where}; it must be taken off."
            yield Breach(says, {"marker": rule.marker, "hex": where}, Grade.slip)


def _due_to_go(position: Position, rule: Marker) -> tuple[str, ...]:
    """Return the hexes from which a marker is taken off in this phase, in the player turn of its side."""
    if position.phase != rule.gone or position.side not in ("", rule.side or position.side):
        return ()
    there = (where for where, laid in position.noted(LAID).items() if rule.marker in laid)
    return tuple(where for where in there if _is_of_the_right_side(position, rule, where))


def _is_of_the_right_side(position: Position, rule: Marker, where: str) -> bool:
    """Return whether a marker is taken off in this phase, by the side that placed it."""
    side = _laid_by(position, rule, where)
    return not rule.gone_of or (side is not None and (side == position.side) is (rule.gone_of == "own"))


def markers_of(rules: Families) -> tuple[MarkerId, ...]:
    """Return the markers that have an effect in their hex."""
    named = [rule.marker for rule in rules.markers.values()]
    named += [word.marked for word in rules.words.values() if word.marked]
    named += [marker for combat in rules.combat.values() for marker in combat.marked_block]
    if rules.supply:
        named += rules.supply.marked_block
        named += [marker for line in rules.supply.lines.values() for marker in line.marked_block]
    return tuple(dict.fromkeys(named))
