"""Retreats after combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.battle import Fight, doubted, fights
from referee.standard.facts import allowed, did, enemies_at, fits, put, rules_of, units_at
from referee.standard.movement import is_on_map
from referee.standard.notes import PASSED, RETIRED
from referee.standard.own_words import true_of
from referee.standard.results import fight_that_asks
from referee.standard.retreat_paths import Fallback
from referee.standard.stacking import room, too_many
from referee.standard.undone import fallback, left, retreat_length
from referee.standard.zones import controlled, controllers
from vassalgen.game.families import NOBODY, Families, Retreat, SideId


def section(rules: Families) -> Section:
    """Return the rules of retreats."""
    found, rule = Section("Retreats", rules.provenance), rules.retreat
    if rule is None:
        return found
    found.on("retreat", clause=rule.clause)(begins_where_it_stands)

    @found.on("retreat", clause=rule.clause)
    def a_retreat_follows_a_result(position: Position, action: Action) -> Breach | None:
        if before_the_dice(position, action):
            return None
        fight = fight_that_asks(position, action, still_retreats)
        if fight and fight.rolled and (length := retreat_length(position, fight, action.piece)):
            if still_retreats(position, fight, action.piece):
                return None
            says = (
                f"{name_of(position, action.piece)} retreats again after its retreat of"
                f" {counted(length, 'hex')}; a unit retreats once."
            )
            return Breach(says, {"unit": action.piece}, Grade.unproven)
        says = (
            f"{name_of(position, action.piece)} retreats; units retreat only on a result,"
            " and none makes it retreat."
        )
        return Breach(says, {"unit": action.piece}, doubted(position))

    if rule.before:
        _before(found, rule)
    bars = [bar.clause for bar in rules.bars.values() if not bar.to or "retreat" in bar.to]
    entering = "" if rule.zoc_loses else rule.zoc
    limits = [*bars, entering, rule.toward, rule.each_step, rule.away, rule.stacking]
    limits += [rule.empty_first, rule.clause]
    if rule.displaces:
        _displacing(found, rule)
    for clause in dict.fromkeys(one for one in limits if one):
        _limit(found, rule, clause)

    if rule.disorders and rule.disorders_clause:
        _passing(found, rules, rule)

    @found.does("retreat")
    def retreat(position: Position, action: Action) -> Position:
        """Put the unit where it went, and remember its path."""
        if before_the_dice(position, action):
            position = position.with_note(RETIRED, action.piece, position.pieces[action.piece].where)
            return did(put(position, action.piece, action.end), action.piece, "retreat")
        fight, unit = fight_that_asks(position, action, still_retreats), action.piece
        before, position = position, did(put(position, unit, action.end), unit, "retreat")
        if fight is None or not fight.rolled or unit not in fight.units:
            return position
        path = _path(position, fight, action) or tuple(action.path[1:])
        rule_ = rules_of(position).retreat
        zones = dict(fight.in_zones)
        if rule_ and rule_.zoc_loses:
            zones[unit] = _in_zones(before, action, zones.get(unit, (0, 0)))
        through = (*fight.retreated.get(unit, ()), *action.path[1:-1])
        position = _noting_passed(position, action, through)
        return position.with_battle(evolve(fight, retreated={**fight.retreated, unit: path}, in_zones=zones))

    @found.proposes
    def possible_retreats(position: Position, piece: Piece) -> Iterator[Action]:
        names = position.game.map.grid.names
        avoided = any(_may_be_avoided(position, piece, fight, rule) for fight in attacks_on(position, piece))
        if rule.before and avoided and fits(position, piece, rule.before_who):
            here = position.game.map.grid.index[piece.where]
            for path in Fallback(position, piece, here, rule.before_hexes).paths():
                yield Action("retreat", (piece.id,), tuple(names[at] for at in path))
        for fight in fights(position):
            if (
                not fight.rolled
                or fight.settled
                or piece.id not in fight.units
                or piece.id in fight.retreated
            ):
                continue
            length = retreat_length(position, fight, piece.id)
            if length and left(position, fight, piece.id) and piece.where == fight.stood[piece.id]:
                for path in fallback(position, fight, piece.id, length).paths():
                    named = tuple(names[at] for at in path)
                    yield Action("retreat", (piece.id,), named, battle=fight.number)

    return found


def attacks_on(position: Position, piece: Piece) -> tuple[Fight, ...]:
    """Return the attacks on the hex of a unit whose dice have not been rolled."""
    return tuple(
        fight
        for fight in fights(position)
        if not fight.rolled and fight.attackers and piece.side != fight.side and piece.where in fight.hexes
    )


def _may_be_avoided(position: Position, piece: Piece, fight: Fight, rule: Retreat) -> bool:
    """Return whether a unit may retreat before the dice of an attack."""
    if rule.before_in and fight.kind not in rule.before_in:
        return False
    if rule.before_always != NOBODY and fits(position, piece, rule.before_always):
        return True
    return all(fits(position, position.pieces[name], rule.before_from) for name in fight.attackers)


def before_the_dice(position: Position, action: Action) -> bool:
    """Return whether a unit retreats from an attack before its dice, and not by the result of another."""
    rule, piece = rules_of(position).retreat, position.pieces[action.piece]
    if rule is None or not rule.before or not attacks_on(position, piece):
        return False
    return not any(still_retreats(position, fight, piece.id) for fight in fights(position) if fight.rolled)


def _retiring(position: Position, action: Action, rule: Retreat) -> Fallback:
    """The retreat of a unit before the dice, up to its end."""
    index, piece = position.game.map.grid.index, position.pieces[action.piece]
    known = tuple(index[name] for name in action.path[1:])
    far = rule.before_hexes if action.dragged else min(len(known), rule.before_hexes)
    return Fallback(position, piece, index[piece.where], far, known, not action.dragged)


def _retires_too_far(position: Position, action: Action, rule: Retreat) -> bool:
    """Return whether a retreat before the dice is longer than it may be."""
    far = position.game.map.grid.distance(action.path[0], action.end)
    return far > rule.before_hexes or (not action.dragged and len(action.path) - 1 > rule.before_hexes)


def _before(found: Section, rule: Retreat) -> None:
    @found.on("retreat", clause=rule.before)
    def only_some_retreat_before_the_dice(position: Position, action: Action) -> Breach | None:
        piece, unit = position.pieces[action.piece], name_of(position, action.piece)
        if not before_the_dice(position, action) or not is_on_map(position, action):
            return None
        facts: Facts = {"unit": piece.id, "path": action.path}
        if not fits(position, piece, rule.before_who):
            says = f"{unit} retreats before the dice; only {allowed(position, rule.before_who)} may."
            return Breach(says, facts)
        if not any(_may_be_avoided(position, piece, fight, rule) for fight in attacks_on(position, piece)):
            says = f"{unit} retreats before the dice; from this attack it may not."
            return Breach(says, facts)
        if _retires_too_far(position, action, rule):
            far = position.game.map.grid.distance(action.path[0], action.end)
            steps = counted(max(far, len(action.path) - 1), "hex")
            may = counted(rule.before_hexes, "hex")
            return Breach(f"{unit} retreats {steps} before the dice; it may retreat {may}.", facts)
        if position.note(RETIRED, piece.id) is not None:
            return Breach(f"{unit} retreats before the dice a second time in this phase.", facts)
        return None


def _in_zones(position: Position, action: Action, known: tuple[int, int]) -> tuple[int, int]:
    """Return how many hexes in zones of control a unit has surely, and perhaps, retreated through."""
    zone, index = (
        controlled(position, position.pieces[action.piece].side, "retreat"),
        position.game.map.grid.index,
    )
    hexes = [name for name in action.path[1:] if name in index]
    surely = sum(zone >> index[name] & 1 for name in (hexes[-1:] if action.dragged else hexes))
    steps = (
        position.game.map.grid.distance(action.path[0], action.end)
        if action.dragged and hexes
        else len(hexes)
    )
    return known[0] + surely, known[1] + (steps if action.dragged else surely)


def _noting_passed(position: Position, action: Action, through: tuple[str, ...]) -> Position:
    """Note the friends through whose hexes a unit has surely passed; where a drag went is not known."""
    rule, side = rules_of(position).retreat, position.pieces[action.piece].side
    if rule is None or not rule.disorders or action.dragged:
        return position
    for where in through:
        for friend in units_at(position, where, side):
            if friend.id != action.piece and not rule.disorders_not.holds(true_of(position, friend)):
                position = position.with_note(PASSED, friend.id, action.piece)
    return position


def _passing(found: Section, rules: Families, rule: Retreat) -> None:
    """Register the state that friends enter if a unit retreats through their hex."""
    phases = tuple(name for name, one in rules.sequence.items() if set(one.activities) & set(rules.combat))

    @found.leaving(*phases, clause=rule.disorders_clause)
    def friends_passed_get_the_state(position: Position) -> Iterator[Breach]:
        title = position.game.states[rule.disorders].title.lower()
        for name, by in position.noted(PASSED).items():
            piece = position.pieces[name]
            kinds = position.game.states[rule.disorders].kinds
            on_map = piece.where in position.game.map.grid and piece.counter.kind in kinds
            again = rules.states.get(rule.disorders)
            worse = str(again.again) if again else ""
            if on_map and not piece.is_(rule.disorders) and not (worse and piece.is_(worse)):
                unit, mover = name_of(position, name), name_of(position, by)
                says = f"{mover} retreated through {unit}, which must be marked as {title}."
                yield Breach(says, {"unit": name, "by": by})


def _displacing(found: Section, rule: Retreat) -> None:
    """Register that friends make room by moving one hex; their owner chooses which of them."""

    @found.on("displace", clause=rule.displaces)
    def only_out_of_a_full_hex(position: Position, action: Action) -> Breach | None:
        piece, unit = position.pieces[action.piece], name_of(position, action.piece)
        if not is_on_map(position, action):
            return None
        grid = position.game.map.grid
        if grid.distance(action.path[0], action.end) != 1:
            return Breach(
                f"{unit} is displaced more than 1 hex, to {action.end}; the limit is 1 hex.",
                {"unit": piece.id},
            )
        if enemies := enemies_at(position, action.end, piece.side):
            names = names_of(position, (one.id for one in enemies))
            return Breach(
                f"{unit} is displaced to {action.end}, which is held by {names}; it may not be.",
                {"unit": piece.id},
            )
        if too_many(position, action.path[0], piece.side) is None:
            says = f"{unit} is displaced from {action.path[0]}, which is within the stacking limit."
            return Breach(says, {"unit": piece.id})
        return None

    @found.does("displace")
    def displace(position: Position, action: Action) -> Position:
        return put(position, action.piece, action.end)


def still_retreats(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a unit has still to retreat by a battle's result."""
    return retreat_length(position, fight, unit) > len(fight.retreated.get(unit, ()))


def _fallback(position: Position, fight: Fight, action: Action) -> Fallback:
    """The whole retreat of a unit in its battle, including earlier parts of it."""
    index = position.game.map.grid.index
    before = fight.retreated.get(action.piece, ())
    known = tuple(index[name] for name in (*before, *action.path[1:]) if name)
    whole = not action.dragged and "" not in before
    found = fallback(position, fight, action.piece, retreat_length(position, fight, action.piece))
    return evolve(found, known=known, whole=whole)


def _path(position: Position, fight: Fight, action: Action) -> tuple[str, ...]:
    """The hexes of a whole retreat; if it was dragged, those of a legal path to its end, if there is one."""
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
        if not is_on_map(position, action):
            return None
        if before_the_dice(position, action):
            if _retires_too_far(position, action, rule):
                return None  # which has a clause of its own
            back = _retiring(position, action, rule)
        else:
            fight = fight_that_asks(position, action, still_retreats)
            if fight is None or not fight.rolled or not retreat_length(position, fight, action.piece):
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
        others = (rule.toward, rule.each_step, rule.away, rule.stacking, rule.clause)
        if not back.whole or clause not in others:
            return f"{unit} cannot retreat to {end} without entering an enemy zone of control."
    if clause == rule.toward and (clause != rule.clause or back.leads_away_from_home()):
        return f"{unit} retreats to {end}, farther from {_home(position, rule, unit=action.piece)}."
    if clause == rule.empty_first:
        hexes = listed(sorted(names[at] for at in back.empty_ends), "or")
        return f"{unit} retreats to {end}, where friends are; it retreats to an empty hex if it can: {hexes}."
    full = not room(position, action.piece, end)
    if clause == rule.stacking and (clause not in (rule.each_step, rule.away, rule.clause) or full):
        goes_on = "; it goes on until there is room" if rule.further else ""
        return f"{unit} retreats to {end}, where it would be over the stacking limit{goes_on}."
    gap = position.game.map.grid.gap(back.start, back.known[-1])
    if clause == rule.each_step or (clause == rule.away and gap < back.length):
        far = counted(gap, "hex")
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
    return f"{unit} cannot retreat to {end}: the ground between is closed to it."


def _home(position: Position, rule: Retreat, unit: str) -> str:
    """Return what a unit retreats toward."""
    home = rule.home.get(SideId(position.pieces[unit].side))
    return home.text if home else "home"
