"""Combat: an attack is declared, called off, rolled for and settled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.announced import Announced
from referee.engine.combat import Modifier, Odds
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade, number
from referee.engine.settling import settled
from referee.engine.wording import name_of
from referee.standard.announced import entered_in, explain, named, word
from referee.standard.attackers import kind_for, move_of, reach_of
from referee.standard.battle import (
    Fight,
    combat_of,
    defenders,
    doubted_before,
    each_as_aim,
    fight_of,
    fights,
    title_of,
    undecided,
    undeclared,
)
from referee.standard.facts import (
    clauses_of,
    did,
    enemies_at,
    fits,
    may_do,
    on_map,
    phase_rule,
    set_state,
)
from referee.standard.notes import ATTACKED, HELD_UP, TARGETS, TRAIL, Trail
from referee.standard.odds import calculate, is_off_table
from referee.standard.outcomes import result_at
from referee.standard.setting import the_setting
from referee.standard.verbs import ATTACK, combats_in
from vassalgen.game.families import Combat, Families
from vassalgen.game.sequence import Dice

SHOWN = 24
"""How many combinations of attackers against a hex are proposed."""


def section(rules: Families) -> Section:
    """Return the rules of combat."""
    found = Section("Combat", rules.provenance)
    if not rules.combat:
        return found
    _declaring(found, rules, tuple(dict.fromkeys((ATTACK, *rules.combat))))
    if any(combat.several for combat in rules.combat.values()):
        _several(found, rules)
    _dice(found, rules)
    if any(combat.automatic for combat in rules.combat.values()):
        _automatic(found, rules, tuple(dict.fromkeys((ATTACK, *rules.combat, "also", "odds"))))
    _proposals(found, rules)
    return found


def _declaring(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    first = next(iter(rules.combat.values())).clause

    @found.does(*verbs)
    def declare(position: Position, action: Action) -> Position:
        number_ = action.battle or max((battle.number for battle in position.battles), default=0) + 1
        side = position.pieces[action.piece].side if action.pieces else position.side
        stood = {name: position.pieces[name].where for name in action.pieces}
        kind = kind_for(position, action)
        if (known := fight_of(position, action)) is not None and known.number == action.battle:
            position = undeclared(position, known)
        return position.with_battle(
            Fight(number_, action.target, action.pieces, kind=kind, side=side, stood=stood)
        )

    @found.on("call off", clause=first)
    def an_attack_is_called_off_before_its_dice(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or fight.waits:
            return None
        return Breach(
            f"{_upper(title_of(position.game, fight))} is called off after its dice.", {"hex": fight.target}
        )

    @found.does("call off")
    def call_off(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        if fight is None:
            return position
        return (
            position.with_battle(settled_fight(fight))
            if not fight.waits
            else undeclared(position, fight).without_battle(fight.number)
        )

    @found.does("settle")
    def settle(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        return settled(position, fight) if fight and fight.rolled else position


def settled_fight(fight: Fight) -> Fight:
    """Return a battle as settled."""
    return evolve(fight, settled=True)


def _several(found: Section, rules: Families) -> None:
    """Further hexes that are attacked together with the first."""
    clause = clauses_of(*(combat.several for combat in rules.combat.values()))

    @found.on("also", clause=clause)
    def each_attacker_reaches_every_hex(position: Position, action: Action) -> Iterator[Breach]:
        fight, grid = fight_of(position, action), position.game.map.grid
        if fight is None or not fight.waits:
            return
        combat = combat_of(position, fight)
        several = combat.several or combat.clause
        if not combat.several:
            says = f"{action.target} is attacked together with {fight.target}; one hex is attacked at a time."
            yield Breach(says, {"hex": action.target}, clause=several)
            return
        if not enemies_at(position, action.target, fight.side):
            says = (
                f"{action.target} is attacked together with {fight.target}; only a hex with an enemy may be."
            )
            yield Breach(says, {"hex": action.target}, clause=several)
        for name in fight.attackers:
            piece = position.pieces[name]
            gap = grid.distance(piece.where, action.target) if piece.where in grid else 0
            if gap > reach_of(position, piece, combat):
                says = (
                    f"{name_of(position, name)} in {piece.where} attacks {fight.target} and {action.target};"
                    f" it reaches only the first."
                )
                yield Breach(says, {"unit": name, "hex": action.target, "distance": gap}, clause=several)

    targets = clauses_of(*(combat.target_once for combat in rules.combat.values() if combat.several))
    if targets:

        @found.on("also", clause=targets)
        def a_further_hex_is_attacked_once(position: Position, action: Action) -> Breach | None:
            fight = fight_of(position, action)
            if fight is None or not fight.waits or not combat_of(position, fight).target_once:
                return None
            before = fight.kind in (position.note(TARGETS, action.target) or ())
            declared = any(
                action.target in one.hexes for one in fights(position) if one is not fight and not one.rolled
            )
            if not before and not declared:
                return None
            says = f"{action.target} is attacked again; a hex is attacked only once in a phase."
            grade = doubted_before(position, target=action.target)
            return Breach(says, {"hex": action.target}, grade, combat_of(position, fight).target_once)

    @found.does("also")
    def add_hex(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        if fight is None or not fight.waits or action.target in fight.hexes:
            return position
        return position.with_battle(evolve(fight, further=(*fight.further, action.target)))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _dice(found: Section, rules: Families) -> None:
    dice = tuple(dict.fromkeys(combat.dice for combat in rules.combat.values()))
    verbs = tuple(f"roll {one}" for one in dice)
    plain = clauses_of(*(combat.clause for combat in rules.combat.values()))

    @found.on(*verbs, clause=plain)
    def dice_belong_to_an_attack(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        first = next(iter(rules.combat.values())).clause
        if fight is None:
            return Breach("The combat dice are rolled, but no attack was declared.", {}, Grade.slip, first)
        clause = combat_of(position, fight).clause
        if not fight.waits:
            says = (
                f"The combat dice for {title_of(position.game, fight)} have already been rolled:"
                f" {fight.total}."
            )
            return Breach(says, {"first": fight.total}, Grade.unproven, clause)
        used = position.game.dice[combat_of(position, fight).dice]
        if not _can_show(used, action.dice):
            rolled = "+".join(map(str, action.dice))
            says = f"{rolled} is rolled; the roll is made with {used.count}d{used.sides}."
            return Breach(says, {"rolled": rolled}, Grade.slip, clause)
        return None

    below = clauses_of(*(combat.below for combat in rules.combat.values()))
    if below:

        @found.on(*verbs, clause=below)
        def not_below_the_first_column(position: Position, action: Action) -> Breach | None:
            fight = fight_of(position, action)
            if (
                fight is None
                or not fight.waits
                or not fight.attackers
                or not combat_of(position, fight).below
            ):
                return None
            odds = calculate(position, fight)
            if not odds.below and not is_off_table(odds):
                return None
            first = odds.table.columns[0]  # a difference may be a range, such as -4--3
            first = re.sub(r"(?<=\d)-(?=-?\d)", " to ", first)
            sums = f"{number(odds.attacking)} to {number(odds.defending)}"
            says = (
                f"{_upper(title_of(position.game, fight))} is made at {sums}; the lowest column on which"
                f" an attack may be made is {first}."
            )
            if not odds.below:
                says = (
                    f"{_upper(title_of(position.game, fight))} is made at {sums}; shifted, that is worse than"
                    f" {first}."
                )
            grade = Grade.illegal if odds.below else Grade.unproven
            return Breach(says, {"odds": odds.lines()}, grade, combat_of(position, fight).below)

    @found.does(*verbs)
    def roll(position: Position, action: Action) -> Position:
        """Fix the participants and the result by the announcement, and the correct result."""
        fight = fight_of(position, action)
        if fight is None or not fight.waits:
            return position
        if not _can_show(position.game.dice[combat_of(position, fight).dice], action.dice):
            return position.with_battle(evolve(fight, other_dice=True))  # the correct ones may still follow
        other = action.verb != f"roll {combat_of(position, fight).dice}"
        return resolved(undeclared(position, fight), fight, sum(action.dice), other_dice=other)


def resolved(
    position: Position, fight: Fight, faces: int, *, other_dice: bool = False, automatic: bool = False
) -> Position:
    """Return the position in which a battle has its result, and its attackers have attacked."""
    right = calculate(position, fight)
    column = right.column if fight.column is None else fight.column
    more = right.modifier if fight.modifier is None else fight.modifier
    said = Announced(right.table.columns[column])
    mistake = explain(position, fight, said, more)
    entered = entered_in(position, fight, said, more) if not mistake else None
    true = right
    if not mistake:  # what players entered by hand counts
        true = evolve(right, column=column, modifiers=(Modifier("as announced", more, ""),))
    aims = _aims(position, fight, faces, said, more, true if not mistake else None)
    units = tuple(aims) or tuple(piece.id for piece in defenders(position, fight))
    pieces = {name: position.pieces[name] for name in (*fight.attackers, *units)}
    fought = evolve(
        fight,
        has_die=True,
        off_table=is_off_table(right),
        other_dice=other_dice,
        automatic=automatic,
        column=column,
        modifier=more,
        total=faces + more,
        faces=faces,
        defenders=units,
        stood={name: piece.where for name, piece in pieces.items()},
        strong={name: piece.steps for name, piece in pieces.items()},
        had={name: fight.had.get(name, tuple(piece.states)) for name, piece in pieces.items()},
        result=result_at(position, fight, column, faces + more),
        right=result_at(position, fight, true.column, faces + true.modifier),
        mistake=mistake,
        why=named(right, mistake) if mistake else "",
        entered=dict(entered.terms) if entered else {},
        aims=aims,
    )
    for name in fight.attackers:
        before = position.note(ATTACKED, name) or ()
        position = position.with_note(ATTACKED, name, (*before, *fight.hexes))
        position = _paid(position, name, combat_of(position, fight))
        position = did(position, name, ATTACK, fight.kind)
        if combat_of(position, fight).goes_on:
            position = position.with_note(HELD_UP, name, (fight.kind, fight.target))
        state = combat_of(position, fight).state_after
        if state and name in position.pieces and not position.pieces[name].is_(state):
            position = set_state(position, name, state)
    for where in fight.hexes:
        kinds = position.note(TARGETS, where) or ()
        position = position.with_note(TARGETS, where, (*kinds, fight.kind))
    return position.with_battle(fought)


def _aims(
    position: Position, fight: Fight, faces: int, said: Announced, more: int, announced: Odds | None
) -> dict[str, str]:
    """Return the right result for each unit that may be the single target of an attack: all that have a
    defence, or those for which the announced odds are right.
    """
    found, unsaid = {}, fight.column is None and fight.modifier is None
    for one in each_as_aim(position, fight) if combat_of(position, fight).defence_of == "one" else ():
        odds = calculate(position, one) if unsaid or announced is None else announced
        if unsaid or announced is None or entered_in(position, one, said, more) is not None:
            found[one.aimed] = result_at(position, fight, odds.column, faces + odds.modifier)
    found.pop("", None)
    return found


def _automatic(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    """Attacks whose column has only one result, and that need no dice."""

    @found.follows(*verbs)
    def it_needs_no_dice(before: Position, after: Position, action: Action) -> Position:
        fight = fight_of(after, action)
        if fight is None or not fight.waits or not fight.attackers or not combat_of(after, fight).automatic:
            return after
        after = undeclared(after, fight)
        fight = evolve(fight, has_die=False, automatic=False)
        odds = calculate(after, fight)
        if is_certain(odds) and not odds.below and fight.column in (None, odds.column):
            return resolved(after, fight, 0, automatic=True)
        return after.with_battle(fight)


def is_certain(odds: Odds) -> bool:
    """Return whether the column of odds has the same result whatever the dice show."""
    return len({row[odds.column] for row in odds.table.cells}) == 1


def _paid(position: Position, unit: str, combat: Combat) -> Position:
    """Subtract the movement points that an attack costs from a unit; it may move on even if it
    had stopped.
    """
    move = move_of(position, unit) if combat.points else None
    if move is None:
        return position
    trail = move.trail or Trail(move.start, movement=move.name)
    spent = move.spent + combat.points * move.setting.scale
    return position.with_note(TRAIL, unit, evolve(trail, spent=min(spent, move.budget), stopped=False))


def odds_of(position: Position, target: str, units: tuple[str, ...]) -> Odds:
    """Return the odds that units would have against a hex now."""
    stood = {name: position.pieces[name].where for name in units}
    kind = kind_for(position, Action(ATTACK, units, target=target))
    return calculate(
        position, Fight(0, target, units, kind=kind, side=position.pieces[units[0]].side, stood=stood)
    )


def current_odds(position: Position, number: int) -> Odds | None:
    """Return the odds of a current battle."""
    battle = position.battle(number)
    return calculate(position, battle) if isinstance(battle, Fight) and battle.attackers else None


def _proposals(found: Section, rules: Families) -> None:
    @found.proposes
    def possible_attacks(position: Position, piece: Piece) -> Iterator[Action]:
        """Attacks of a unit, alone and with friends that reach the same hex."""
        grid, phase = position.game.map.grid, phase_rule(position)
        kinds = combats_in(rules, position.phase)
        waiting = undecided(position)
        if phase is None or not kinds or piece.where not in grid or piece.id in waiting:
            return
        for kind in kinds:
            combat = rules.combat[kind]
            if (
                not may_do(position, piece, kind)
                or not fits(position, piece, combat.who)
                or piece.id not in the_setting(position).units
            ):
                continue
            for target in grid.within(piece.where, reach_of(position, piece, combat)):
                if target == piece.where or not enemies_at(position, target, piece.side):
                    continue
                friends = [
                    friend.id
                    for _, friend in on_map(position, piece.side)
                    if friend.id > piece.id
                    and friend.id not in waiting
                    and 1 <= grid.distance(friend.where, target) <= reach_of(position, friend, combat)
                ]
                verb = kind if len(kinds) > 1 or kind == ATTACK else ATTACK
                joined = (
                    with_ for count in range(len(friends), -1, -1) for with_ in combinations(friends, count)
                )
                for with_ in islice(joined, SHOWN):
                    yield Action(verb, (piece.id, *with_), target=target)

    @found.proposes
    def dice_and_calls(position: Position, piece: Piece) -> Iterator[Action]:
        """The rolls and declarations that a current attack allows, proposed by its first attacker."""
        for fight in fights(position):
            if not fight.attackers or fight.attackers[0] != piece.id:
                continue
            if fight.rolled and not fight.settled:
                yield Action("settle", battle=fight.number)
            if not fight.waits:
                continue
            dice = position.game.dice[combat_of(position, fight).dice]
            for total in range(dice.count, dice.count * dice.sides + 1):
                yield Action(
                    f"roll {dice.id}", dice=faces_of(total, dice.count, dice.sides), battle=fight.number
                )
            yield Action("call off", battle=fight.number)
            yield from _further_hexes(position, fight)
            right = calculate(position, fight)
            yield Action("odds", words=(word(right.label),), battle=fight.number)


def _further_hexes(position: Position, fight: Fight) -> Iterator[Action]:
    """Propose to attack a hex next to the target together with it."""
    if combat_of(position, fight).several and not fight.further:
        for where in position.game.map.grid.neighbours(fight.target):
            if enemies_at(position, where, fight.side):
                yield Action("also", target=where, battle=fight.number)


def faces_of(total: int, count: int, sides: int) -> tuple[int, ...]:
    """Return faces of a number of dice that make a total."""
    found = []
    for left in range(count - 1, -1, -1):
        face = min(sides, total - left)
        found.append(face)
        total -= face
    return tuple(found)


def _can_show(dice: Dice, faces: Sequence[int]) -> bool:
    """Return whether dice can show these faces."""
    return len(faces) == dice.count and all(1 <= face <= dice.sides for face in faces)
