"""Breaches in reinforcements, supply, states and recovery."""

from __future__ import annotations

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.standard.notes import ACTIVATED, ACTIVE, BECOMES, DUE, MARGIN, ROLLS_MADE, WITHDRAWN
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.standard.reading import Reading
from vassalgen.game.families import (
    Activations,
    Bar,
    Check,
    Families,
    Line,
    Reinforcements,
    Replacements,
    Roll,
    SetUp,
    StateId,
    StateRule,
    SupplyRule,
    Withdrawal,
)
from vassalgen.game.game import Game

MOST = 3


def others(game: Game, rules: Families, breaker: Breaker) -> None:
    """Register the mutators of reinforcements, supply and states."""
    if rules.setup:
        _setting_up(rules, rules.setup, breaker)
    if rules.reinforcements:
        _entering(rules, rules.reinforcements, breaker)
    if rules.supply and "always" not in rules.supply.when:
        _supply(rules, rules.supply, breaker)
    for state, rule in rules.states.items():
        if rule.recovers and rule.recovers_by == "active":
            _recovering(rules, state, rule, breaker)
        if rule.begins:
            _beginning(game, rules, state, rule, breaker)
    if rules.replacements:
        _replacing(rules, rules.replacements, breaker)
    for name, withdrawal in rules.withdrawals.items():
        _withdrawing(rules, name, withdrawal, breaker)
    for name, check in rules.checks.items():
        if check.must:
            _checking(rules, name, check, breaker)
    if rules.activations:
        _activating(rules, rules.activations, breaker)
    for name, roll in rules.rolls.items():
        if not roll.may:
            _rolling(name, roll, breaker)


def _beginning(game: Game, rules: Families, state: StateId, rule: StateRule, breaker: Breaker) -> None:
    def begins_in_another_phase(moment: Moment) -> Broken:
        position = moment.position
        does = rules.sequence.get(position.phase)  # type: ignore[call-overload]
        if position.phase in rule.begins or does is None or set(does.activities) & set(rules.combat):
            return
        reading = Reading(position, rules)
        if {*reading.soon(position.side)} & {*rule.begins}:
            return
        for piece in reading.units(position.side):
            able = piece.counter.kind in game.states[state].kinds and reading.fits(rule.beginners, piece)
            if able and not piece.states:
                yield (Action(f"mark {state}", (piece.id,)),)

    begins_in_another_phase.__name__ = f"{state}_begins_in_another_phase"
    clause = rule.begins_clause or rule.clause
    breaker.breaks(clause, NEXT.name, *rules.movement)(begins_in_another_phase)


def _activating(rules: Families, family: Activations, breaker: Breaker) -> None:
    def leaders(position: Position, *, used_up: bool) -> list[Piece]:
        """The inactive leaders that can be activated in this turn, or that cannot be activated again."""
        reading, kinds = Reading(position, rules), position.game.states[family.state].kinds
        found = []
        for piece in reading.units() if position.phase == family.phase else ():
            often = [times for who, times in family.times.items() if reading.fits(who, piece)]
            is_used_up = (position.note(ACTIVATED, piece.id) or 0) >= (often or [1])[0]
            if piece.counter.kind in kinds and family.state not in piece.states and is_used_up is used_up:
                found.append(piece)
        return found

    def acts_after_its_activation(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        active = position.pieces.get(position.note(ACTIVE) or "")
        if family.of != "formation" or not family.once or active is None:
            return
        again = {piece.counter.formation for piece in leaders(position, used_up=False)}
        again |= {active.counter.formation, ""}
        for piece in reading.units():
            mine = {one for one in reading.words(piece, ()) if one in position.game.formations}
            if mine & again or not mine or piece.states or reading.fits(family.free, piece):
                continue
            name = next((one for one, rule in rules.movement.items() if reading.fits(rule.who, piece)), "")
            ends = reading.reach(piece, name) if name else {}
            for end in moment.rng.sample(sorted(ends), min(len(ends), 1)):
                yield (Action(name, (piece.id,), ends[end]),)

    breaker.breaks(family.clause, *rules.movement, *rules.combat)(acts_after_its_activation)

    def is_activated_too_often(moment: Moment) -> Broken:
        for piece in leaders(moment.position, used_up=True):
            yield (Action(f"mark {family.state}", (piece.id,)),)

    if family.once:
        breaker.breaks(family.once, *rules.movement, *rules.combat, NEXT.name)(is_activated_too_often)


def _replacing(rules: Families, family: Replacements, breaker: Breaker) -> None:
    def regains_without_points(moment: Moment) -> Broken:
        position = moment.position
        rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
        if rule is None or "replace" not in rule.does or family.pools:
            return
        for piece in Reading(position, rules).units(position.side):
            points = family.points.get(piece.side, 0)  # type: ignore[call-overload]
            if not points and piece.steps < piece.counter.steps:
                yield (Action("regain", (piece.id,)),)

    breaker.breaks(family.clause, NEXT.name, *rules.movement)(regains_without_points)

    def regains_in_a_zone(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
        for piece in reading.units(position.side) if rule is not None and "replace" in rule.does else ():
            hurt = piece.steps < piece.counter.steps and reading.fits(family.who, piece)
            if hurt and reading.zones(piece.side, piece.where, purpose=""):
                yield (Action("regain", (piece.id,)),)

    if family.not_in_zoc:
        breaker.breaks(family.not_in_zoc, NEXT.name, *rules.movement)(regains_in_a_zone)


def _withdrawing(rules: Families, name: str, rule: Withdrawal, breaker: Breaker) -> None:
    def stays_on_the_map(moment: Moment) -> Broken:
        position = moment.position
        if position.phase != rule.phase or position.turn != rule.turn:
            return
        reading = Reading(position, rules)
        gone = [position.pieces[unit] for unit in position.noted(WITHDRAWN)]
        done = sum(one.side == position.side and reading.fits(rule.who, one) for one in gone)
        left = any(reading.fits(rule.who, piece) for piece in reading.units(position.side))
        if left and (not rule.count or done < rule.count):
            yield (Action(NEXT.name),)

    stays_on_the_map.__name__ = f"{name}_stays_on_the_map"
    breaker.breaks(rule.clause, "put away", *rules.movement)(stays_on_the_map)


def _checking(rules: Families, name: str, check: Check, breaker: Breaker) -> None:
    def goes_on_without_a_roll(moment: Moment) -> Broken:
        position = moment.position
        if position.phase in check.must and any(
            about.partition(" ")[0] == name and _is_due(position, check, about)
            for about in position.noted(DUE)
        ):
            yield (Action(NEXT.name),)

    goes_on_without_a_roll.__name__ = f"{name}_is_not_made"
    verbs = (f"roll {check.dice}",) if check.dice else ("lose", "eliminate", *_marks(check))
    breaker.breaks(check.clause, *verbs)(goes_on_without_a_roll)


def _is_due(position: Position, check: Check, about: str) -> bool:
    """Whether a unit has not rolled or, if no dice are used, has not lost anything yet."""
    piece = position.pieces[about.partition(" ")[2]]
    if check.dice:
        return position.note(MARGIN, about) is None
    failed = check.failed
    marked = failed is None or not failed.state or failed.state in piece.states
    unhurt = failed is not None and bool(failed.lose) and piece.steps == position.note(DUE, about)
    return piece.where in position.game.map.grid and (unhurt or not marked)


def _marks(check: Check) -> tuple[str, ...]:
    return (f"mark {check.failed.state}",) if check.failed and check.failed.state else ()


def _rolling(name: str, roll: Roll, breaker: Breaker) -> None:
    def goes_on_without_a_roll(moment: Moment) -> Broken:
        if moment.position.phase == roll.phase and moment.position.note(ROLLS_MADE, name) is None:
            yield (Action(NEXT.name),)

    goes_on_without_a_roll.__name__ = f"{name}_is_not_rolled"
    breaker.breaks(roll.clause, f"roll {roll.dice}")(goes_on_without_a_roll)


def _setting_up(rules: Families, family: SetUp, breaker: Breaker) -> None:
    @breaker.breaks(family.clause, "deploy")
    def starts_elsewhere(moment: Moment) -> Broken:
        """A unit is set up outside its zone."""
        position, action = moment.position, moment.action
        game = position.game
        placement = next(one for one in position.scenario.setup if action.piece in one.counters)
        hexes = {*game.map.zones[placement.zone].hexes, placement.at}
        free = [
            name
            for name in game.map.grid.names
            if name not in hexes
            and not position.at(name)
            and not game.terrain[game.map.hexes[name].terrain].closed
        ]
        for name in moment.rng.sample(free, min(len(free), MOST)):
            yield (Action("deploy", (action.piece,), target=name),)


def _entering(rules: Families, family: Reinforcements, breaker: Breaker) -> None:
    @breaker.breaks(family.clause, "move", NEXT.name, boxed=True)
    def comes_too_early(moment: Moment) -> Broken:
        position = moment.position
        rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
        if rule is None or "enter" not in rule.does:
            return
        for arrival in position.scenario.arrivals:
            if arrival.turn <= position.turn + 1 or arrival.during not in ("", position.side):
                continue
            for name in arrival.counters[:MOST]:
                piece = position.pieces[name]
                if piece.where == arrival.waiting and piece.side == position.side:
                    for entry in arrival.entry:
                        if entry in position.game.map.grid and not position.at(entry):
                            yield (Action("enter", (name,), target=entry),)

    for label, bar in rules.bars.items():
        if "enter" in bar.to and bar.is_ban:
            _entering_though_barred(rules, label, bar, breaker)

    @breaker.breaks(family.clause, "enter", boxed=True)
    def comes_elsewhere(moment: Moment) -> Broken:
        position, action = moment.position, moment.action
        reading, movement = Reading(position, rules), next(iter(rules.movement))
        piece = position.pieces[action.piece]
        entries = next(one.entry for one in position.scenario.arrivals if piece.id in one.counters)
        grid, near = position.game.map.grid, family.blocked_within
        reached = {
            name
            for name in grid.names
            for entry in entries
            if near and entry in grid and grid.distance(entry, name) <= near
        }
        for entry in entries:
            placed = position.with_piece(piece.id, where=entry)
            reached |= {entry, *Reading(placed, rules).reach(placed.pieces[piece.id], movement)}
        land = [
            name
            for name in position.game.map.grid.names
            if name not in reached
            and not position.at(name)
            and not position.game.terrain[position.game.map.hexes[name].terrain].closed
            and not reading.zones(piece.side, name)
        ]
        for name in moment.rng.sample(land, min(len(land), MOST)):
            yield (Action("enter", (piece.id,), target=name),)


def _entering_though_barred(rules: Families, label: str, bar: Bar, breaker: Breaker) -> None:
    def comes_though_barred(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
        if rule is None or "enter" not in rule.does:
            return
        for arrival in position.scenario.arrivals:
            if arrival.turn > position.turn or arrival.during not in ("", position.side):
                continue
            for name in arrival.counters[:MOST]:
                piece = position.pieces[name]
                waits = piece.where == arrival.waiting and piece.side == position.side
                for entry in arrival.entry if waits and reading.fits(bar.who, piece) else ():
                    if entry in position.game.map.grid and not position.at(entry):
                        yield (Action("enter", (name,), target=entry),)

    comes_though_barred.__name__ = f"comes_though_barred_by_{label}"
    breaker.breaks(bar.clause, "move", NEXT.name, boxed=True)(comes_though_barred)


def _supply(rules: Families, family: SupplyRule, breaker: Breaker) -> None:
    def out_of_supply_without_cause(moment: Moment) -> Broken:
        """A unit next to its source, with no enemy about."""
        position = moment.position
        if position.phase not in family.when:
            return
        if family.only_through or any(line.only_through for line in family.lines.values()):
            return
        reading, game = Reading(position, rules), position.game
        for piece in reading.units(position.side):
            zones = [zone for zone in game.map.zones.values() if piece.side in zone.supplies]
            near = any(piece.where in zone.hexes for zone in zones)
            if near and family.state not in piece.states and reading.fits(family.who, piece):
                yield (Action(f"mark {family.state}", (piece.id,)),)

    breaker.breaks(family.clause, NEXT.name, "move")(out_of_supply_without_cause)
    if family.zoc:
        breaker.breaks(family.zoc, NEXT.name, "move")(_supplied_through_a_zone(rules, family))
    lines: tuple[SupplyRule | Line, ...] = (family, *family.lines.values())
    for line in lines:
        if line.only_through and not line.cost:
            _supply_without_headquarters(rules, family, line, breaker)


def _supplied_through_a_zone(rules: Families, family: SupplyRule) -> Mutate:
    """Units out of supply whose line to a source on the map is cut by zones of control only."""

    def in_supply_through_a_zone(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        if position.phase not in family.when:
            return
        usual = not family.only_through and not family.cost
        for piece in reading.units(position.side) if usual else ():
            special = any(reading.fits(line.who, piece) for line in family.lines.values())
            cut_off = family.state in piece.states and reading.fits(family.who, piece) and not special
            if cut_off and _has_a_line(reading, piece, family.length):
                yield (Action(f"clear {family.state}", (piece.id,)),)

    return in_supply_through_a_zone


def _has_a_line(reading: Reading, piece: Piece, length: int) -> bool:
    """Whether a unit is within the distance of a source on the map, around enemies and closed hexes,
    regardless of zones.
    """
    position = reading.position
    map_, terrain = position.game.map, position.game.terrain
    sources = {name for zone in map_.zones.values() if piece.side in zone.supplies for name in zone.hexes}
    reached, edge = {piece.where}, {piece.where}
    for _ in range(length):
        near = {to for at in edge for to in map_.grid.neighbours(at)} - reached
        edge = {
            to
            for to in near
            if not terrain[map_.hexes[to].terrain].closed and not reading.enemies(piece.side, to)
        }
        reached |= edge
    return bool(reached & sources)


def _supply_without_headquarters(
    rules: Families, family: SupplyRule, line: SupplyRule | Line, breaker: Breaker
) -> None:
    def in_supply_far_from_headquarters(moment: Moment) -> Broken:
        """A unit whose line may run only through headquarters, and no headquarters is within the required
        distance.
        """
        position, reading = moment.position, Reading(moment.position, rules)
        if position.phase not in family.when or line.roads:
            return
        for piece in reading.units():
            mine: SupplyRule | Line = next(
                (one for one in family.lines.values() if reading.fits(one.who, piece)), family
            )
            passing = [one for one in reading.units(piece.side) if one.counter.kind in line.through]
            far = all(_gap(position, piece, one) > _reach(one, line.reach) for one in passing)
            if mine is line and far and family.state in piece.states and reading.fits(family.who, piece):
                yield (Action(f"clear {family.state}", (piece.id,)),)

    breaker.breaks(line.clause, NEXT.name, "move")(in_supply_far_from_headquarters)


def _gap(position: Position, one: Piece, other: Piece) -> int:
    return position.game.map.grid.distance(one.where, other.where)


def _reach(piece: Piece, reach: int | str) -> int:
    printed = reach if isinstance(reach, int) else piece.counter.printed(reach, piece.steps)
    return printed if isinstance(printed, int) else 0


def _rolled_for(moment: Moment, unit: str) -> bool:
    """Whether dice have been rolled for a unit in this phase."""
    for step in reversed(moment.game[: moment.place]):
        if step.action.verb == NEXT.name:
            return False
        if step.action.verb.startswith("roll ") and unit in step.action.pieces:
            return True
    return False


def _recovers_though_barred(rules: Families, state: StateId, rule: StateRule, bar: Bar) -> Mutate:
    """A unit recovers that a bar keeps from it, with the best roll if one is needed."""

    def mutate(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        for piece in reading.units(position.side) if position.phase in rule.recovers else ():
            if state not in piece.states or not reading.fits(bar.who, piece):
                continue
            rolls = []
            if rule.dice and not _rolled_for(moment, piece.id):
                dice = position.game.dice[rule.dice]
                best = dice.sides if rule.at_least else 1
                rolls = [Action(f"roll {dice.id}", (piece.id,), dice=(best,) * dice.count)]
            yield *rolls, Action(f"clear {state}", (piece.id,))

    return mutate


def _recovering(rules: Families, state: StateId, rule: StateRule, breaker: Breaker) -> None:
    def recovers_without_a_roll(moment: Moment) -> Broken:
        position = moment.position
        if position.phase not in rule.recovers:
            return
        reading = Reading(position, rules)
        for piece in reading.units(position.side) if rule.dice else ():
            if reading.fits(rule.unrolled, piece) and rule.unrolled.text:
                continue
            if state in piece.states and not _rolled_for(moment, piece.id):
                yield (Action(f"clear {state}", (piece.id,)),)

    def recovers_in_another_phase(moment: Moment) -> Broken:
        position = moment.position
        does = rules.sequence.get(position.phase)  # type: ignore[call-overload]
        if position.phase in rule.recovers or does is None or set(does.does) & set(rules.combat):
            return
        if {*rule.recovers} & {*Reading(position, rules).soon(position.side)}:
            return
        for piece in Reading(position, rules).units(position.side):
            if state in piece.states:
                yield (Action(f"clear {state}", (piece.id,)),)

    def recovers_though_it_may_not(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        for piece in reading.units(position.side) if position.phase in rule.recovers else ():
            if state in piece.states and not rule.dice and not reading.fits(rule.recoverers, piece):
                yield (Action(f"clear {state}", (piece.id,)),)

    def recovers_in_a_zone(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        for piece in reading.units(position.side) if position.phase in rule.recovers else ():
            zone = reading.zones(piece.side, piece.where, purpose="")
            if state in piece.states and not rule.dice and zone and reading.fits(rule.who, piece):
                yield (Action(f"clear {state}", (piece.id,)),)

    def is_not_marked_after_its_recovery(moment: Moment) -> Broken:
        if moment.position.note(BECOMES, moment.action.piece) == rule.becomes:
            yield (Action(NEXT.name),)

    if rule.becomes:
        is_not_marked_after_its_recovery.__name__ = f"{state}_is_over_and_nothing_marked"
        clause = rule.recovery or rule.clause
        breaker.breaks(clause, f"mark {rule.becomes}")(is_not_marked_after_its_recovery)

    for label, bar in rules.bars.items():
        if "recover" in bar.to:
            barred = _recovers_though_barred(rules, state, rule, bar)
            barred.__name__ = f"{state}_goes_though_barred_by_{label}"
            breaker.breaks(bar.clause, NEXT.name)(barred)
    clause = rule.recovery or rule.clause
    if not rule.begins:
        recovers_though_it_may_not.__name__ = f"{state}_goes_of_who_may_not"
        breaker.breaks(clause, NEXT.name)(recovers_though_it_may_not)
    if rule.not_in_zoc:
        recovers_in_a_zone.__name__ = f"{state}_goes_in_a_zone"
        breaker.breaks(rule.not_in_zoc, NEXT.name)(recovers_in_a_zone)
    for title, mutate in (
        (f"{state}_goes_without_a_roll", recovers_without_a_roll),
        (f"{state}_goes_in_another_phase", recovers_in_another_phase),
    ):
        mutate.__name__ = title
        breaker.breaks(clause, NEXT.name, *rules.movement)(mutate)
