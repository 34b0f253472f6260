"""Retreats after combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.standard.battle import Fight, fights
from referee.standard.facts import controllers, did, put
from referee.standard.movement import is_on_map
from referee.standard.results import fallback, fight_that_asks, left, owes_retreat
from referee.standard.retreat_paths import Fallback
from vassalgen.game.families import Families, Retreat


def section(rules: Families) -> Section:
    """Return the rules of retreats."""
    found, rule = Section("Retreats", rules.provenance), rules.retreat
    if rule is None:
        return found
    found.on("retreat", clause=rule.clause)(begins_where_it_stands)

    @found.on("retreat", clause=rule.clause)
    def a_retreat_follows_a_result(position: Position, action: Action) -> Breach | None:
        fight = fight_that_asks(position, action, still_retreats)
        if fight and fight.rolled and (length := owes_retreat(position, fight, action.piece)):
            if still_retreats(position, fight, action.piece):
                return None
            says = (
                f"{name_of(position, action.piece)} retreats again after its retreat of"
                f" {counted(length, 'hex')}."
            )
            return Breach(says, {"unit": action.piece}, Grade.unproven)
        says = f"{name_of(position, action.piece)} retreats, but no result makes it retreat."
        return Breach(says, {"unit": action.piece})

    bars = [bar.clause for bar in rules.bars.values() if not bar.to or "retreat" in bar.to]
    limits = [*bars, rule.zoc, rule.each_step, rule.away, rule.stacking, rule.clause]
    for clause in dict.fromkeys(one for one in limits if one):
        _limit(found, rule, clause)

    @found.does("retreat")
    def retreat(position: Position, action: Action) -> Position:
        """Put the unit where it went, and remember its path."""
        fight, unit = fight_that_asks(position, action, still_retreats), action.piece
        position = did(put(position, unit, action.end), unit, "retreat")
        if fight is None or not fight.rolled or unit not in fight.units:
            return position
        path = _path(position, fight, action) or tuple(action.path[1:])
        return position.with_battle(evolve(fight, retreated={**fight.retreated, unit: path}))

    @found.proposes
    def possible_retreats(position: Position, piece: Piece) -> Iterator[Action]:
        names = position.game.map.grid.names
        for fight in fights(position):
            if (
                not fight.rolled
                or fight.settled
                or piece.id not in fight.units
                or piece.id in fight.retreated
            ):
                continue
            length = owes_retreat(position, fight, piece.id)
            if length and left(position, fight, piece.id) and piece.where == fight.stood[piece.id]:
                for path in fallback(position, fight, piece.id, length).paths():
                    named = tuple(names[at] for at in path)
                    yield Action("retreat", (piece.id,), named, battle=fight.number)

    return found


def still_retreats(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a unit has still to retreat by a battle's result."""
    return owes_retreat(position, fight, unit) > len(fight.retreated.get(unit, ()))


def _fallback(position: Position, fight: Fight, action: Action) -> Fallback:
    """The whole retreat of a unit in its battle, what it retreated before included."""
    index = position.game.map.grid.index
    before = fight.retreated.get(action.piece, ())
    known = tuple(index[name] for name in (*before, *action.path[1:]) if name)
    whole = not action.dragged and "" not in before
    found = fallback(position, fight, action.piece, owes_retreat(position, fight, action.piece))
    return evolve(found, known=known, whole=whole)


def _path(position: Position, fight: Fight, action: Action) -> tuple[str, ...]:
    """The hexes of a whole retreat; of one that was dragged, by a legal path to its end if there is one."""
    if not is_on_map(position, action):
        return ()
    back = _fallback(position, fight, action)
    names = position.game.map.grid.names
    if back.whole:
        return tuple(names[at] for at in back.known)
    path = next((path for path in back.paths() if path[-1] == back.known[-1]), None)
    if path is not None:
        return tuple(names[at] for at in path[1:])
    steps = position.game.map.grid.gap(back.start, back.known[-1])
    return (*[""] * (steps - 1), action.end) if steps else ()


def _limit(found: Section, rule: Retreat, clause: str) -> None:
    @found.on("retreat", clause=clause)
    def a_retreat_keeps_within_its_limits(position: Position, action: Action) -> Breach | None:
        fight = fight_that_asks(position, action, still_retreats)
        if fight is None or not fight.rolled or not is_on_map(position, action):
            return None
        if not owes_retreat(position, fight, action.piece):
            return None
        back = _fallback(position, fight, action)
        key = ("retreat", action)
        if key not in position.memory:
            position.memory[key] = back.faults()
        if clause not in position.memory[key]:
            return None
        facts: Facts = {"unit": action.piece, "path": action.path, "hexes": back.length}
        return Breach(_says(position, back, action, rule, clause), facts)


def _says(position: Position, back: Fallback, action: Action, rule: Retreat, clause: str) -> str:
    unit, end = name_of(position, action.piece), action.end
    names, must = position.game.map.grid.names, counted(back.length, "hex")
    if clause == rule.zoc:
        for name in action.path[1:]:
            if who := controllers(position, name, back.piece.side):
                of = names_of(position, who)
                return f"{unit} may not retreat through {name}, which is in the zone of control of {of}."
        return f"{unit} cannot retreat to {end} without entering an enemy zone of control."
    if clause == rule.stacking:
        return f"{unit} retreats to {end}, where it would be over the stacking limit."
    if clause in (rule.away, rule.each_step):
        far = counted(position.game.map.grid.gap(back.start, back.known[-1]), "hex")
        says = f"{unit} ends its retreat in {end}, {far} from {names[back.start]}"
        return (
            f"{says}; it must end {must} away."
            if clause == rule.away
            else f"{says}; each step must lead farther away."
        )
    if clause == rule.clause:
        steps = len(back.known) if back.whole else 0
        if steps > back.length:
            return f"{unit} retreats {counted(steps, 'hex')}, to {end}; it must retreat {must}."
        return f"{unit} retreats to {end}; no open path of {must} leads there."
    return f"{unit} may not retreat over this ground to {end}."
