"""Attacks: when, by which side, how often, and how many at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.tunisia1943.account import is_destroyed
from referee.games.tunisia1943.battle import (
    ATTACKS,
    Attack,
    attack_for,
    attack_of,
    attacks,
    calculate_odds,
    defenders,
    is_fixed,
    kept,
)
from referee.games.tunisia1943.duties import is_compulsory, left_out
from referee.games.tunisia1943.facts import (
    is_em,
    is_held,
    is_tiger,
    is_unit,
    lone_ems,
    on_map,
    other,
    stacking_limit,
    stray_garrison,
    the_field,
    unstated_garrison,
)
from referee.games.tunisia1943.notes import (
    ATTACKED,
    ATTACKED_EM,
    BATTLES,
    DEFENDED,
    FOUGHT,
    HAS_ATTACKED,
    WAS_ATTACKED,
)
from vassalgen.game.provenance import Provenance

rules = Section("Attacks", Provenance("rulebook", "7.1"))

COMBAT = "combat"


@rules.on("attack", clause="7.1a")
def adjacent_units_attack(position: Position, action: Action) -> Iterator[Breach]:
    side, target = position.pieces[action.piece].side, action.target
    enemy = other(side)
    empty = not is_held(position, target, enemy) and not lone_ems(position, target, enemy)
    garrison = unstated_garrison(position, target) or stray_garrison(position, target)
    if empty and (garrison is None or garrison.side == side):
        says = f"{target} is attacked; only a hex with an enemy in it may be, and none is there."
        yield Breach(says, {"hex": target})
    index, links, zones = position.game.map.grid.index, the_field(position).links, the_field(position).zones
    crests = position.game.adopted("attack-over-crest") == "barred"
    for name in action.pieces:
        piece = position.pieces[name]
        facts: Facts = {"unit": name, "hex": piece.where, "target": target}
        if piece.side != side:
            says = f"{name_of(position, name)} attacks, but does not belong to the attacking side."
            yield Breach(says, facts)
        elif piece.where not in index or not position.game.map.grid.are_neighbours(piece.where, target):
            says = (
                f"{name_of(position, name)} attacks {target}, which is not adjacent;"
                " a unit attacks only adjacent hexes."
            )
            yield Breach(says, facts)
        elif not links[index[piece.where]] >> index[target] & 1:
            yield Breach(
                f"{name_of(position, name)} attacks {target}"
                f" across an impassable hexside from {piece.where}; no unit attacks across one.",
                facts,
            )
        elif crests and not zones[index[piece.where]] >> index[target] & 1:
            yield Breach(
                f"{name_of(position, name)} attacks {target} across a crest from {piece.where};"
                " no unit attacks across one.",
                facts,
            )


@rules.on("attack", clause="7.1b 7.1d")
def one_attack_for_each_unit(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        before = position.note(ATTACKED, name)
        if before is None and _has_defended(position, name):
            says = (
                f"{name_of(position, name)} attacks after defending this turn;"
                " a unit takes part in 1 attack per turn."
            )
            yield Breach(says, {"unit": name}, clause="7.1b")
        if before is None:
            continue
        facts: Facts = {"unit": name, "attacked": before}
        if position.note(ATTACKED_EM, name) is not None:
            says = (
                f"{name_of(position, name)} attacks again; its attack"
                f" on the EM in {before} was its attack of this turn."
            )
            yield Breach(says, facts, clause="7.1d")
        else:
            yield Breach(
                f"{name_of(position, name)} attacks a second time this turn, after {before};"
                " only 1 attack is allowed.",
                facts,
                clause="7.1b",
            )


def _has_defended(position: Position, name: str) -> bool:
    """Whether a defence has used up a unit's attack, which it does only in another interpretation."""
    counts = position.game.adopted("attack-and-defence") == "yes"
    return counts and position.note(DEFENDED, name) is not None


@ATTACKS.on(rules, "roll combat", clause="7.1b", stage="waiting")
def no_unit_rolls_twice(position: Position, action: Action, attack: Attack) -> Iterator[Breach]:
    """If two attacks were declared for one unit, the first one rolled was its attack."""
    for name in attack.attackers:
        before = position.note(ATTACKED, name)
        if before is not None and name not in attack.attacked_before:
            yield Breach(
                f"{name_of(position, name)} attacks a second time this turn, after {before};"
                " only 1 attack is allowed.",
                {"unit": name, "attacked": before},
            )


@rules.on("attack", clause="7.1c")
def no_unit_is_attacked_twice(position: Position, action: Action) -> Breach | None:
    return _twice(position, action.target, other(position.pieces[action.piece].side), ())


@ATTACKS.on(rules, "roll combat", clause="7.1a 7.1c", stage="waiting")
def somebody_is_left_to_attack(position: Position, action: Action, attack: Attack) -> Breach | None:
    """An attack declared in time may have been overtaken by another one that was rolled first."""
    if not defenders(position, attack):
        if unstated_garrison(position, attack.target) or stray_garrison(position, attack.target):
            return None  # reported when it was declared
        says = f"{attack.target} is attacked; only a hex with an enemy in it may be, and none is left."
        return Breach(says, {"hex": attack.target}, Grade.unproven, "7.1a")
    grid = position.game.map.grid
    places = {name: position.pieces[name].where for name in attack.attackers}
    gone = [
        name
        for name, at in places.items()
        if at != attack.stood[name] and not (at in grid and grid.are_neighbours(at, attack.target))
    ]
    if gone:
        says = (
            f"{names_of(position, gone)} left {attack.stood[gone[0]]} before the combat die was rolled;"
            " attackers must stay until then."
        )
        return Breach(says, {"units": tuple(gone), "target": attack.target}, Grade.unproven, "7.1a")
    found = _twice(position, attack.target, other(attack.side), attack.attacked_before)
    return evolve(found, clause="7.1c") if found is not None else None


def attacked(position: Position, where: str, side: str) -> tuple[str, ...]:
    """Return the units of a side in a hex that have been attacked in this player phase."""
    return tuple(
        piece.id
        for piece in position.at(where)
        if piece.side == side and position.note(WAS_ATTACKED, piece.id) is not None
    )


def _twice(position: Position, where: str, side: str, known: tuple[str, ...]) -> Breach | None:
    """The breach of attacking units of a hex a second time, unless it is known already."""
    units = [piece for piece in position.at(where) if piece.side == side]
    fighting = [piece.id for piece in units if piece.counter.kind != "em"] or [piece.id for piece in units]
    before = tuple(name for name in attacked(position, where, side) if name in fighting and name not in known)
    if not before:
        return None
    facts: Facts = {"hex": where, "attacked before": before}
    has = "has" if len(before) == 1 else "have"
    says = (
        f"{where} is attacked a second time this turn; a unit is attacked once, and"
        f" {names_of(position, before)} {has} been."
    )
    if len(before) == len(fighting):
        return Breach(says, facts)
    reading = position.game.adopted("retreat-into-fresh-stack")
    if reading == "yes":
        return None
    grade = Grade.illegal if reading == "no" else Grade.unproven
    return Breach(f"{says} Other units in the hex have not been attacked yet.", facts, grade)


@rules.on("lose", "eliminate", "retreat", clause="7.1f")
def one_hex_for_each_attack(position: Position, action: Action) -> Breach | None:
    """The units of one hex are affected by a die, not those of two; an EM may go with its last
    unit [6.3g].
    """
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    if is_em(piece) and action.verb == "eliminate":
        return None
    if attack is None or not attack.rolled or piece.side == attack.side or is_part(attack, piece):
        return None
    if piece.where == attack.target or not (attack.lost or attack.retreated) or attack.settled:
        return None
    if action.verb == "retreat" and makes_room(attack, piece):
        return None  # described in the section on retreats [7.5e]
    suffered = tuple(name for name in (*attack.lost, *attack.retreated) if name in attack.defenders)
    if not suffered or any(piece.id in other_.defenders for other_ in attacks(position)):
        return None
    says = (
        f"{name_of(position, piece.id)} in {piece.where} is affected by"
        f" an attack on {attack.target}; an attack is made against only one hex."
    )
    return Breach(says, {"hex": attack.target, "also": piece.where, "suffered": suffered})


def makes_room(attack: Attack, piece: Piece) -> bool:
    """Return whether a piece that was not attacked is in a hex where a retreat has ended."""
    ends = {path[-1] for path in attack.retreated.values()}
    return piece.where in ends and not is_part(attack, piece)


def is_part(attack: Attack, piece: Piece) -> bool:
    """Return whether a piece is among those attacked."""
    return piece.id in (*attack.defenders, *attack.ems, *attack.isolated)


@rules.on("attack", clause="7.1h 12c C1.5")
def two_attackers_from_each_hex(position: Position, action: Action) -> Iterator[Breach]:
    """One Tiger may attack in addition; in the first turns of the first campaign an Allied hex holds one
    unit.
    """
    by_hex: dict[str, list[Piece]] = {}
    for name in action.pieces:
        piece = position.pieces[name]
        if is_unit(position, piece):
            by_hex.setdefault(piece.where, []).append(piece)
    values = position.game.values["combat"].values
    for where, units in by_hex.items():
        tigers = [piece for piece in units if is_tiger(position, piece)]
        most = values.integer("units_per_hex")
        count = len(units) - min(len(tigers), 1)
        if len(tigers) > 1 and position.game.adopted("tigers-in-an-attack") == "no-second":
            says = f"Two Tigers attack from {where}; only one may."
            yield Breach(says, {"units": tuple(piece.id for piece in tigers)}, clause="7.1h")
        facts: Facts = {"hex": where, "units": tuple(piece.id for piece in units), "limit": most}
        if count > most:
            clause = "12c" if len(tigers) > 1 else "7.1h"
            says = f"{len(units)} units attack from {where}; the limit is {most} and 1 Tiger."
            yield Breach(says, facts, clause=clause)
        elif count > stacking_limit(position, units[0].side):
            says = f"{len(units)} Allied units attack from {where}; the limit is 1 this turn."
            yield Breach(says, facts, clause="C1.5")


@ATTACKS.on(rules, "roll combat", clause="7.1i")
def one_attack_after_another(position: Position, action: Action, attack: Attack) -> Iterator[Breach]:
    for before in attacks(position):
        if before.number >= attack.number or before.rolled:
            continue
        says = (
            f"The attack on {attack.target} is rolled before the attack on {before.target},"
            " which was declared earlier."
        )
        facts: Facts = {"declared": before.target, "rolled": attack.target}
        # what has not been fixed may still be dropped
        yield Breach(says, facts, Grade.illegal if is_fixed(position, before) else Grade.unproven)


def _declared_before(position: Position, action: Action) -> Attack | None:
    """The attack that a declaration changes or repeats: the one with its number; without a number, one by the
    same unit on the same hex that has not been rolled for.
    """
    if action.battle:
        return attack_of(position, action)
    mine = set(action.pieces)
    waiting = (one for one in attacks(position) if not one.rolled and one.target == action.target)
    return next((one for one in waiting if mine & set(one.attackers)), None)


@rules.on("attack", clause="7.3e")
def a_fixed_attack_is_not_changed(position: Position, action: Action) -> Breach | None:
    attack = _declared_before(position, action)
    if attack is None or not is_fixed(position, attack):
        return None
    if attack.target == action.target and set(attack.attackers) == set(action.pieces):
        return None
    says = (
        f"The attack on {attack.target} is changed after it began; neither attackers nor target can change."
    )
    return Breach(says, {"target": attack.target, "attackers": attack.attackers})


@rules.on("call off", clause="7.3e")
def a_fixed_attack_is_not_withdrawn(position: Position, action: Action) -> Breach | None:
    attack = attack_of(position, action)
    if attack is None:
        return Breach("There is no attack to call off.", {}, Grade.slip)
    facts: Facts = {"target": attack.target}
    if attack.die is not None:
        says = (
            f"The attack on {attack.target} is called off after its combat die was rolled;"
            " it can be called off only before that."
        )
        return Breach(says, facts)
    gone = tuple(name for name in attack.isolated if is_destroyed(position, name))
    if gone:
        return Breach(
            f"The attack that destroyed {names_of(position, gone)} is called off; it is too late for that.",
            {**facts, "EMs": gone},
        )
    if attack.isolated or not is_fixed(position, attack):
        return None
    if any(attack.air.values()):
        what = "aviation has been committed"
    elif attack.tests:
        what = "the cohesion test has been rolled"
    else:
        what = "artillery has been placed" if attack.artillery else "both sides have declined to use aviation"
    return Breach(f"The attack on {attack.target} cannot be called off: {what}.", facts)


@rules.leaving("combat", clause="7.3e")
def a_fixed_attack_is_resolved(position: Position) -> Iterator[Breach]:
    """An attack fixed by aviation or a test is rolled for; others may have been dropped."""
    for attack in attacks(position):
        if not attack.rolled and (attack.tests or any(attack.air.values())):
            what = "the cohesion test was rolled" if attack.tests else "aviation was committed"
            says = f"The combat die of the attack on {attack.target} must be rolled, as {what}; it never was."
            yield Breach(says, {"target": attack.target, "attackers": attack.attackers})


@rules.does("attack")
def declare(position: Position, action: Action) -> Position:
    """Open the battle under its number, or the next one; lone EMs are already lost [6.3b]."""
    side = position.pieces[action.piece].side
    last = position.note(BATTLES) or 0
    known = _declared_before(position, action)
    number = known.number if known is not None else action.battle or last + 1
    stood = {name: position.pieces[name].where for name in action.pieces}
    isolated = tuple(piece.id for piece in lone_ems(position, action.target, other(side)))
    before = tuple(name for name in action.pieces if position.note(ATTACKED, name) is not None)
    before += attacked(position, action.target, other(side))
    attack = Attack(
        number, action.target, action.pieces, side, stood, isolated=isolated, attacked_before=before
    )
    if known is not None:
        attack = evolve(known, target=action.target, attackers=action.pieces, stood=stood, isolated=isolated)
    attack = evolve(attack, left_out=left_out(position, action))
    position = kept(position, attack) if isolated else position.with_battle(attack)
    position = position.with_note(BATTLES, "", max(number, last))
    for name in action.pieces if isolated else ():
        position = position.with_note(ATTACKED_EM, name, True)
    return fought(position, attack) if isolated else position


def fought(position: Position, attack: Attack) -> Position:
    """Note that the attackers have attacked."""
    for name in attack.attackers:
        position = position.with_note(ATTACKED, name, attack.target)
    return position.with_note(HAS_ATTACKED, attack.side, True)


@ATTACKS.does(rules, "call off")
def cancel(position: Position, action: Action, attack: Attack) -> Position:
    """Drop the attack; its units are free again. What was committed is used."""
    position = position.without_note(FOUGHT, str(attack.number))
    spared = not any(is_destroyed(position, name) for name in attack.isolated)
    for name in attack.attackers if attack.isolated and spared else ():
        position = position.without_note(ATTACKED, name).without_note(ATTACKED_EM, name)
    return position.without_battle(attack.number)


@rules.proposes
def possible_attacks(position: Position, piece: Piece) -> Iterator[Action]:
    """Attacks of a unit, alone and with friends next to the same hex that have not attacked.

    None while an attack has not been rolled for: they come one after another [7.1i].
    """
    grid = position.game.map.grid
    if any(not attack.rolled for attack in attacks(position)):
        return
    if position.phase != COMBAT or piece.side != position.side or not is_unit(position, piece):
        return
    if piece.where not in grid or position.note(ATTACKED, piece.id) is not None:
        return
    enemy = other(piece.side)
    for target in grid.neighbours(piece.where):
        if not is_held(position, target, enemy) and not lone_ems(position, target, enemy):
            continue
        friends = [
            each.id
            for at, each in on_map(position, piece.side)
            if grid.gap(at, grid.index[target]) == 1
            and each.id > piece.id
            and position.note(ATTACKED, each.id) is None
        ]
        for count in range(min(len(friends), 3) + 1):
            for with_ in combinations(friends, count):
                if is_enough(position, target, (piece.id, *with_)):
                    yield Action("attack", (piece.id, *with_), target=target)


def is_enough(position: Position, target: str, units: tuple[str, ...]) -> bool:
    """Return whether units may attack at their ratio [7.3g]."""
    attack = opened(position, target, units)
    if not defenders(position, attack) or is_compulsory(position, target, units):
        return True
    return not calculate_odds(position, attack).below


def opened(position: Position, target: str, units: tuple[str, ...]) -> Attack:
    """Return the attack that units would make on a hex."""
    stood = {name: position.pieces[name].where for name in units}
    return Attack(0, target, units, position.pieces[units[0]].side, stood)
