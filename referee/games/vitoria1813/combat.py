"""Fire and melee: who may fight whom, who must, the ratio and the die."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.settling import settled
from referee.games.vitoria1813.battle import (
    SETTLING,
    Fight,
    defending,
    fight_of,
    fights,
    is_charging,
    modifiers,
    reckon,
    result_of,
    share,
    total,
)
from referee.games.vitoria1813.facts import (
    DISORDERED,
    ROUTED,
    SIDES,
    UNCONTROLLED,
    bodies_at,
    combat_at,
    covers,
    has_zone,
    in_ezoc,
    is_artillery,
    is_combat,
    is_on_map,
    other,
    threats,
)
from referee.games.vitoria1813.sight import blocked_by
from vassalgen.game.provenance import Provenance

rules = Section("Combat", Provenance("rulebook", "6, 7"))
CHART = Provenance("reconstruction", remark="strengths, terrain chart, combat table")

FIRED, ATTACKED, WAS_ATTACKED, FIRED_ON = "fired", "attacked", "was attacked", "fired on"


@rules.on("fire", clause="2h")
def fire_comes_before_melee(position: Position, action: Action) -> Breach | None:
    if position.phase == "fire":
        return None
    melees = [fight for fight in fights(position) if not fight.is_fire and fight.rolled]
    facts: Facts = {"units": action.pieces, "phase": position.phase}
    if position.phase == "combat" and not melees:
        return Breach("the turn marker shows combat already", facts, Grade.unproven)
    return Breach(f"artillery fires in the {position.phase} phase", facts)


@rules.on("attack", clause="2i")
def melee_is_against_the_next_hex(position: Position, action: Action) -> Iterator[Breach]:
    grid = position.game.map.grid
    for name in action.pieces:
        where = position.pieces[name].where
        if where not in grid or not grid.are_neighbours(where, action.target):
            says = f"{name} in {where or 'no hex'} is not next to {action.target}"
            yield Breach(says, {"unit": name, "target": action.target})
    side = position.pieces[action.piece].side
    if not bodies_at(position, action.target, other(side)):
        yield Breach(f"there is nobody to attack in {action.target}", {"target": action.target})


@rules.on("fire", clause="6.1a")
def artillery_reaches_two_hexes(position: Position, action: Action) -> Iterator[Breach]:
    """And no other arm fires."""
    most = position.game.values["artillery"].values.integer("range")
    for name in action.pieces:
        piece = position.pieces[name]
        if piece.counter.kind == "park":
            continue
        if not is_artillery(piece):
            yield Breach(f"{name} is no artillery and does not fire", {"unit": name})
            continue
        if piece.where not in position.game.map.grid:
            continue
        gap = position.game.map.grid.distance(piece.where, action.target)
        if gap > most:
            says = f"{name} fires at {action.target}, {gap} hexes away; its range is {most}"
            yield Breach(says, {"unit": name, "distance": gap, "range": most})


@rules.on("fire", clause="6.1b 6.1c 6.1d")
def artillery_sees_its_target(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        piece = position.pieces[name]
        if not is_artillery(piece) or piece.where not in position.game.map.grid:
            continue
        for block in blocked_by(position, piece.where, action.target):
            says = f"{name} does not see {action.target}: {block.says}"
            facts: Facts = {"unit": name, "target": action.target, "blocked in": block.where}
            yield Breach(says, facts, block.grade, block.clause, CHART)


@rules.on("fire", "attack", clause="11d")
def the_park_only_defends(position: Position, action: Action) -> Breach | None:
    parks = tuple(name for name in action.pieces if position.pieces[name].counter.kind == "park")
    return Breach("the artillery park only defends", {"unit": parks[0]}) if parks else None


@rules.on("fire", clause="7.1e 7.1f")
def each_fires_and_is_fired_on_once(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        if position.note(FIRED, name, bool):
            yield Breach(f"{name} has fired already", {"unit": name}, clause="7.1e")
    if position.note(FIRED_ON, action.target, bool):
        says = f"{action.target} was fired on already"
        yield Breach(says, {"target": action.target}, clause="7.1f")


@rules.on("attack", clause="6.0b")
def who_fired_does_not_fight(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        if position.note(FIRED, name, bool):
            yield Breach(f"{name} fired in this player turn and does not fight", {"unit": name})


@rules.on("fire", clause="7.7a")
def the_disordered_do_not_fire(position: Position, action: Action) -> Iterator[Breach]:
    """By the reading adopted it is only told."""
    strict = position.game.adopted("disordered-fire") == "no"
    for name in action.pieces:
        if position.pieces[name].is_(DISORDERED):
            grade = Grade.illegal if strict else Grade.unproven
            yield Breach(f"{name} is disordered and fires", {"unit": name}, grade)


@rules.on("attack", clause="7.7a 7.8e")
def the_shaken_do_not_attack(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        piece = position.pieces[name]
        if piece.is_(ROUTED):
            yield Breach(f"{name} is routed and does not attack", {"unit": name}, clause="7.8e")
        elif piece.is_(DISORDERED):
            yield Breach(f"{name} is disordered and does not attack", {"unit": name}, clause="7.7a")


@rules.on("attack", clause="7.1c 7.1e")
def a_unit_attacks_once(position: Position, action: Action) -> Iterator[Breach]:
    """Before its first die a second attack splits its value [7.1c]; after it, it is a second one [7.1e]."""
    for name in action.pieces:
        for fight in fights(position):
            if name not in fight.attackers or fight.is_fire or _is_pursuit(position, action):
                continue
            clause = "7.1e" if fight.rolled else "7.1c"
            before = ", ".join(fight.targets)
            says = f"{name} attacks {before} already"
            yield Breach(says, {"unit": name, "before": before}, clause=clause)
            break


def _is_pursuit(position: Position, action: Action) -> bool:
    """Tell whether an attack is that of cavalry that has pursued [7.5o]."""
    return all(any(name in fight.pursued for fight in fights(position)) for name in action.pieces) and bool(
        action.pieces
    )


@rules.on("attack", "also", clause="7.1f")
def a_unit_is_attacked_once(position: Position, action: Action) -> Iterator[Breach]:
    if action.pieces and _is_pursuit(position, action):
        return
    this = fight_of(position, action) if action.verb == "also" else None
    for piece in combat_at(position, action.target):
        for fight in fights(position):
            if fight.is_fire or (this and fight.number == this.number):
                continue
            if piece.id in fight.defenders and fight.rolled and not fight.pursuit:
                says = f"{piece.id} was attacked in this phase already"
                yield Breach(says, {"unit": piece.id, "hex": action.target})
                break


@rules.on("attack", "also", clause="7.1g")
def the_attacked_are_in_the_zone_of_each(position: Position, action: Action) -> Iterator[Breach]:
    fight = fight_of(position, action) if action.verb == "also" else None
    names = fight.attackers if fight else action.pieces
    for name in names:
        piece = position.pieces[name]
        if is_combat(piece) and has_zone(position, piece) and not covers(position, piece, action.target):
            grid = position.game.map.grid
            if piece.where in grid and grid.are_neighbours(piece.where, action.target):
                says = f"water parts {name} in {piece.where} from {action.target}"
            elif action.verb == "attack":
                continue  # told by 2i
            else:
                says = f"{action.target} is not in the zone of control of {name}"
            yield Breach(says, {"unit": name, "target": action.target})


@rules.on("roll combat", clause="7.1d")
def a_stack_attacks_together(position: Position, action: Action) -> Iterator[Breach]:
    """Two of a hex that both attack do it against the same; one who is barred stays out."""
    this = fight_of(position, action)
    if this is None or this.is_fire or this.rolled:
        return
    for name in this.attackers:
        where = position.pieces[name].where
        for fight in fights(position):
            if fight.is_fire or fight.number == this.number or fight.pursuit or this.pursuit:
                continue
            mates = [mate for mate in fight.attackers if fight.stood.get(mate, "") == where]
            if mates:
                says = f"{name} and {mates[0]} of {where} attack different targets"
                yield Breach(says, {"units": (name, mates[0]), "hex": where})
                return


@rules.leaving("combat", clause="7.1a 7.1b")
def who_is_in_contact_fights(position: Position) -> Iterator[Breach]:
    """Those who were in contact when the phase began, and could."""
    optional = position.game.adopted("melee") == "voluntary"
    grade = Grade.unproven if optional else Grade.illegal
    own = position.note("contact", "own", tuple) or ()
    enemies = position.note("contact", "enemy", tuple) or ()
    fought = {name for fight in fights(position) if fight.rolled for name in (*fight.attackers,)}
    attacked = {name for fight in fights(position) if fight.rolled for name in fight.defenders}
    free = {name for name in own if _is_freed(position, name)}
    for name in own:
        if name in fought or name in free:
            continue
        covering = position.note("contact with", name, tuple) or ()
        if covering and set(covering) <= attacked:
            continue
        says = f"{name} is in a zone of control and does not fight"
        yield Breach(says, {"unit": name, "zone of": covering}, grade, "7.1a")
    for name in enemies:
        covering = position.note("contact with", name, tuple) or ()
        able = [each for each in covering if each not in free]
        if name in attacked or not able:
            continue
        says = f"{name} is in the zone of {', '.join(able)} and is not attacked"
        yield Breach(says, {"unit": name, "zone of": tuple(able)}, grade, "7.1b")


def _is_freed(position: Position, name: str) -> bool:
    """Tell who in contact need not attack: the shaken, batteries that fired, engineers, the uncontrolled."""
    piece = position.pieces[name]
    shaken = piece.is_(DISORDERED) or piece.is_(ROUTED) or piece.is_(UNCONTROLLED)
    return shaken or piece.counter.kind == "engineer" or bool(position.note(FIRED, name, bool))


@rules.entering("combat")
def contacts_are_listed(position: Position) -> Position:
    """The yardstick for who must fight [7.2a]."""
    side = position.side
    own: list[str] = []
    enemies: list[str] = []
    for piece in position.pieces.values():
        if not is_combat(piece) or not is_on_map(position, piece):
            continue
        if not in_ezoc(position, piece.where, piece.side):
            continue
        by = threats(position, piece.where, piece.side)
        (own if piece.side == side else enemies).append(piece.id)
        position = position.with_note("contact with", piece.id, by)
    return position.with_note("contact", "own", tuple(own)).with_note("contact", "enemy", tuple(enemies))


@rules.does("attack", "fire")
def declare(position: Position, action: Action) -> Position:
    """Open the combat under its number, or the next one."""
    side = position.pieces[action.piece].side
    last = position.note("battles", "declared", int) or 0
    battle = action.battle or last + 1
    fire = action.verb == "fire"
    charging = tuple(name for name in action.pieces if is_charging(position.pieces[name]))
    pursuit = not fire and _is_pursuit(position, action)
    fight = Fight(
        battle,
        action.target,
        action.pieces,
        side,
        fire,
        (action.target,),
        charging=charging,
        pursuit=pursuit,
    )
    return position.with_battle(fight).with_note("battles", "declared", max(battle, last), "player turn")


@rules.does("also")
def add_hex(position: Position, action: Action) -> Position:
    """Attack one more hex."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    return position.with_battle(evolve(fight, targets=(*fight.targets, action.target)))


@rules.does("spare")
def spare(position: Position, action: Action) -> Position:
    """Leave units of the hex out."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    return position.with_battle(evolve(fight, spared=(*fight.spared, *action.pieces)))


@rules.does("call off")
def cancel(position: Position, action: Action) -> Position:
    """Drop a combat that has had no die."""
    fight = fight_of(position, action)
    return position if fight is None or fight.rolled else position.without_battle(fight.number)


MISTAKES = (
    ("5.3b", "no terrain", "cavalry and artillery fight at half value in woods and built-up hexes"),
    ("6.2c", "no doubling", "artillery is doubled against two units in a hex"),
    ("7.7c", "no disorder", "the disordered defend at half value"),
    ("7.7c", "disorder up", "disorder rounds down"),
    ("8d", "no charge", "charging cavalry is doubled"),
    ("7.3b", "rounding down", "values are rounded up"),
    ("7.1h", "one defender", "all who are attacked defend together"),
)


@rules.on(
    "odds",
    clause="5.3b 6.1e 6.1g 6.2c 7.1h 7.1i 7.2d 7.3b 7.3c 7.7c 8d 8e",
)
def the_ratio_is_announced_rightly(position: Position, action: Action) -> Breach | None:
    """A wrong sum is laid to the clause whose neglect makes it; a wrong column from right sums to 7.2d."""
    fight = fight_of(position, action)
    if fight is None:
        return None
    right = reckon(position, fight)
    said_attack, said_defence = _said(action, "attack"), _said(action, "defence")
    table = position.game.tables["crt"]
    word = action.words[0]
    facts: Facts = {
        "announced": " ".join(action.words),
        "attack": right.attacking,
        "defence": right.defending,
        "column": right.label,
    }
    wrong_attack = said_attack is not None and said_attack != right.attacking
    wrong_defence = said_defence is not None and said_defence != right.defending
    if wrong_attack or wrong_defence:
        for clause, mistake, rule in MISTAKES:
            other_ = reckon(position, fight, mistake)
            fits = (said_attack in (None, other_.attacking)) and (said_defence in (None, other_.defending))
            if fits and (other_.attacking, other_.defending) != (right.attacking, right.defending):
                named = "8e" if clause == "8d" and fight.pursuit else clause
                return Breach(rule, facts, Grade.slip, named, CHART)
        clause = "7.1i" if wrong_attack else "7.1h"
        amount = number(right.attacking if wrong_attack else right.defending)
        return Breach(f"it is {amount} by the counters", facts, Grade.slip, clause, CHART)
    if word == right.label or word not in table.columns:
        return None
    unshifted = table.columns[min(max(right.natural, 0), len(table.columns) - 1)]
    if right.shifts and word == unshifted:
        clause = "6.1g" if said_attack is None else "7.3c"
        return Breach("fire at the next hex shifts the column", facts, Grade.slip, clause, CHART)
    clause = "6.1e" if fight.is_fire else "7.2d"
    says = f"{number(right.attacking)} to {number(right.defending)} is {right.label}"
    return Breach(says, facts, Grade.slip, clause, CHART)


def _said(action: Action, label: str) -> Fraction | None:
    for word in action.words:
        if word.startswith(f"{label} "):
            return Fraction(word.split()[1])
    return None


@rules.does("odds")
def announce_odds(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight, columns = fight_of(position, action), position.game.tables["crt"].columns
    if fight is None or fight.rolled or action.words[0] not in columns:
        return position
    return position.with_battle(evolve(fight, column=columns.index(action.words[0])))


@rules.on("modifier", clause="5.3d 5.3e 7.3d 10g")
def the_die_is_modified_rightly(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None:
        return None
    right, said = modifiers(position, fight), int(action.words[0])
    if said == total(right):
        return None
    clause = "7.3d"
    for name, mistake in (("5.3e", "one terrain"), ("5.3d", "road shelters")):
        if said == total(modifiers(position, fight, mistake)):
            clause = name
            break
    engineers = sum(part.amount for part in right if part.clause == "10g")
    by = position.game.values["engineers"].values.integer("built_up")
    if said in (
        total(right) - engineers if engineers else None,
        total(right) + by if not engineers else None,
    ):
        near = any(
            piece.counter.kind == "engineer" and piece.side == fight.enemy
            for where in fight.targets
            for hex_ in position.game.map.grid.within(where, 1)
            for piece in position.at(hex_)
        )
        clause = "10g" if near else clause
    told = tuple(f"{part.amount:+d} {part.what}" for part in right)
    facts: Facts = {"announced": said, "right": total(right), "made of": told}
    return Breach(f"{total(right):+d} is added to the die, not {said:+d}", facts, Grade.slip, clause, CHART)


@rules.does("modifier")
def announce_modifier(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    return position.with_battle(evolve(fight, modifier=int(action.words[0])))


@rules.on("roll combat", clause="7.2e")
def one_die_for_a_combat(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None:
        return Breach("no combat was declared", {"die": action.dice[0]}, Grade.unproven)
    if not fight.rolled:
        return None
    says = f"the combat at {fight.target} has had its die, {fight.die}"
    facts: Facts = {"first": fight.die, "second": action.dice[0]}
    return Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)


@rules.on("roll combat", clause="7.2f")
def one_combat_is_done_before_the_next(position: Position, action: Action) -> Iterator[Breach]:
    this = fight_of(position, action)
    if this is None or this.rolled:
        return
    for fight in SETTLING.open(position):
        if fight.number == this.number:
            continue
        for side in SIDES:
            wanted = share(position, fight, side)
            still = [
                name
                for name in (fight.attackers if side == fight.side else fight.defenders)
                if is_on_map(position, position.pieces[name])
                and position.pieces[name].where == fight.stood.get(name)
                and name not in fight.gone
            ]
            if wanted.goes and still:
                says = f"the die is thrown before {', '.join(still)} has left {fight.target}"
                yield Breach(says, {"unsettled": fight.target, "units": tuple(still)})
                return


@rules.does("roll combat")
def throw(position: Position, action: Action) -> Position:
    """Fix who fights and what the die gives."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    there = tuple(piece.id for piece in defending(position, fight))
    known = (*fight.attackers, *there, *fight.leaders)
    column = fight.column if fight.column is not None else reckon(position, fight).column
    added = fight.modifier if fight.modifier is not None else total(modifiers(position, fight))
    order = max((each.order for each in fights(position)), default=0) + 1
    rolled = evolve(
        fight,
        defenders=there,
        stood={name: position.pieces[name].where for name in known},
        steps={name: position.pieces[name].steps for name in known if is_body(position.pieces[name])},
        die=action.dice[0],
        column=column,
        modifier=added,
        given=result_of(position, fight, column, action.dice[0] + added),
        order=order,
    )
    position = position.with_battle(rolled)
    for name in fight.attackers:
        kind = FIRED if fight.is_fire else ATTACKED
        position = position.with_note(kind, name, True, "player turn").with_note(
            "fought", name, position.turn, "never"
        )
    for name in there:
        position = position.with_note("fought", name, position.turn, "never")
        position = position.with_note(WAS_ATTACKED, name, True, "phase")
    if fight.is_fire:
        position = position.with_note(FIRED_ON, fight.target, True, "phase")
    return position


def is_body(piece: Piece) -> bool:
    """Tell what has steps."""
    return is_combat(piece) or piece.counter.kind == "park"


@rules.on("result", clause="7.2e 6.1f")
def the_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or not fight.rolled:
        return Breach("no combat die was thrown", {"announced": action.words[0]}, Grade.unproven)
    said = action.words[0].replace("+", " ")
    if said == fight.given:
        return None
    table = position.game.tables["crt"]
    label = table.columns[fight.column or 0]
    says = f"{fight.die}{fight.modifier or 0:+d} in the column {label} gives {fight.given}"
    return Breach(says, {"announced": said, "right": fight.given, "column": label}, Grade.slip, "7.2e", CHART)


@rules.does("result")
def announce_result(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight = fight_of(position, action)
    said = action.words[0].replace("+", " ")
    if fight is None or not fight.rolled or "|" not in said:
        return position
    try:
        position.game.tables["crt"].codes(said)
    except ValueError:
        return position
    return position.with_battle(evolve(fight, given=said))


@rules.does("settle")
def settle(position: Position, action: Action) -> Position:
    """Be done with the combat."""
    fight = fight_of(position, action)
    return settled(position, fight) if fight and fight.rolled else position


@rules.proposes
def melees(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex in the unit's zone with enemies."""
    if position.phase != "combat" or piece.side != position.side or not has_zone(position, piece):
        return
    for where in position.game.map.grid.neighbours(piece.where):
        if bodies_at(position, where, other(piece.side)) and covers(position, piece, where):
            yield Action("attack", (piece.id,), target=where)


@rules.proposes
def bombardments(position: Position, piece: Piece) -> Iterator[Action]:
    """Every enemy within range."""
    if position.phase != "fire" or piece.side != position.side or not is_artillery(piece):
        return
    if not is_on_map(position, piece):
        return
    most = position.game.values["artillery"].values.integer("range")
    for where in position.game.map.grid.within(piece.where, most):
        if bodies_at(position, where, other(piece.side)):
            yield Action("fire", (piece.id,), target=where)
