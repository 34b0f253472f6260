"""Phase 4, combat: the attack die and the defence die."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import Modifier
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.patton1943.battle import (
    HIT,
    MISS,
    Fight,
    attack_modifiers,
    counted_assets,
    defence_modifiers,
    defending_unit,
    fight_of,
    fights,
    is_hit,
    support,
    terrain,
    total,
)
from referee.games.patton1943.facts import assets_at, of_side, units_at
from vassalgen.game.provenance import Provenance

rules = Section("Combat", Provenance("rulebook", "7.4, 11, 12"))
CHART = Provenance("reconstruction", remark="terrain chart and counters")


@rules.on("roll attack", clause="7.4a")
def one_attack_die_for_each_attack(position: Position, action: Action) -> Iterator[Breach]:
    fight = fight_of(position, action)
    if fight is None:
        yield Breach("no attack was declared", {"die": action.dice[0]}, Grade.unproven)
    elif fight.rolled:
        facts: Facts = {"first": fight.attack_die, "second": action.dice[0]}
        says = f"the attack on {fight.target} has had its die, {fight.attack_die}"
        yield Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)
    sides = position.game.dice["attack"].sides
    if not 1 <= action.dice[0] <= sides:
        yield Breach(f"{action.dice[0]} is no throw of a d{sides}", {"die": action.dice[0]})


@rules.on("roll defence", clause="7.4b")
def one_defence_die_for_each_attack(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    first = (fight.defence_die or fight.early) if fight else 0
    if fight is None or not first:
        return None
    facts: Facts = {"first": first, "second": action.dice[0]}
    says = f"the defence of {fight.target} has had its die, {fight.defence_die}"
    return Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)


@rules.on("roll defence", clause="12a")
def a_defence_follows_an_attack(position: Position, action: Action) -> Breach | None:
    """Both dice fall at once: the other way round is untidy, as long as there is an attack die."""
    fight = fight_of(position, action)
    if fight is not None and fight.rolled:
        return None
    says = (
        "the defence die is thrown before the attack die"
        if fight
        else "a defence die is thrown, and no attack"
    )
    return Breach(says, {"die": action.dice[0]}, Grade.slip if fight else Grade.unproven)


@rules.leaving("battles", clause="12a")
def a_defence_had_its_attack(position: Position) -> Iterator[Breach]:
    for fight in fights(position):
        if fight.early and not fight.rolled:
            says = f"a defence die is thrown for {fight.target}, and no attack die was"
            yield Breach(says, {"target": fight.target, "die": fight.early})


@rules.on("roll defence", clause="12i")
def lone_assets_do_not_strike_back(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or not fight.rolled or defending_unit(position, fight) is not None:
        return None
    says = f"there is no unit in {fight.target} to strike back"
    return Breach(says, {"hex": fight.target, "pieces": fight.defenders})


@rules.does("roll attack")
def throw_attack(position: Position, action: Action) -> Position:
    """Fix who fights and what the die gives."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    there = tuple(piece.id for piece in of_side(position, fight.target, fight.enemy))
    added = total(attack_modifiers(position, fight))
    factor = position.pieces[fight.unit].factor("combat") if fight.unit else 0
    defender = defending_unit(position, fight)
    thrown = [each.order for each in fights(position)]
    rolled = evolve(
        fight,
        defenders=there,
        attack_die=action.dice[0],
        attack_added=added,
        factor=factor,
        defending=defender.factor("combat") if defender else 0,
        defence_added=total(defence_modifiers(position, fight)),
        attack_hit=is_hit(position, action.dice[0], added, factor),
        order=max(thrown, default=0) + 1,
    )
    return position.with_battle(_struck_back(position, rolled, fight.early) if fight.early else rolled)


@rules.does("roll defence")
def throw_defence(position: Position, action: Action) -> Position:
    """Strike back with the factor from before [12h]."""
    fight, die = fight_of(position, action), action.dice[0]
    if fight is None or fight.defence_die or fight.early:
        return position
    fight = _struck_back(position, fight, die) if fight.rolled else evolve(fight, early=die)
    return position.with_battle(fight)


def _struck_back(position: Position, fight: Fight, die: int) -> Fight:
    hit = is_hit(position, die, fight.defence_added, fight.defending)
    return evolve(fight, defence_die=die, defence_hit=hit)


@rules.proposes
def dice(position: Position, piece: Piece) -> Iterator[Action]:
    """The dice of the battles at hand, proposed by the attacking unit."""
    for fight in fights(position):
        if fight.unit != piece.id or fight.defence_die:
            continue
        verb = "roll defence" if fight.rolled else "roll attack"
        if fight.rolled and defending_unit(position, fight) is None:
            continue
        faces = range(1, position.game.dice["attack"].sides + 1)
        yield from (Action(verb, dice=(face,), battle=fight.number) for face in faces)


@rules.on("attack total", clause="11e 11g 11h 11i 11j 10f")
def what_is_added_to_the_attack_die(position: Position, action: Action) -> Breach | None:
    """A wrong sum is laid to the clause whose neglect makes it, 11e if none does."""
    fight = fight_of(position, action)
    if fight is None:
        return None
    right, said = attack_modifiers(position, fight), int(action.words[0])
    if fight.rolled:
        if said == fight.attack_added:
            return None
    elif said == total(right):
        return None
    mistakes = {
        "11j": _all_support(position, fight, fight.side) - total(support(position, fight, fight.side, "")),
        "11g": sum(part.amount for part in terrain(position, fight.target, fight.stood)[1:]),
        "11h": _own_terrain(position, fight),
        "11i": -sum(piece.factor("support") for piece in counted_assets(position, fight, fight.side)),
        "10f": -sum(position.pieces[name].factor("support") for name in fight.air(fight.side)),
    }
    return _wrong_sum(said, right, mistakes, "11e", fight)


@rules.on("defence total", clause="12b 12c 12d")
def what_is_added_to_the_defence_die(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None:
        return None
    right, said = defence_modifiers(position, fight), int(action.words[0])
    if said == (fight.defence_added if fight.rolled else total(right)):
        return None
    every = _all_support(position, fight, fight.enemy) - total(support(position, fight, fight.enemy, ""))
    mistakes = {
        "12d": every,
        "12b": sum(part.amount for part in terrain(position, fight.target, fight.stood)[:1]),
    }
    return _wrong_sum(said, right, mistakes, "12c", fight)


def _all_support(position: Position, fight: Fight, side: str) -> int:
    """What all the assets of the stack and all in the air would take off."""
    where = fight.stood if side == fight.side else fight.target
    ground = sum(piece.factor("support") for piece in assets_at(position, where, side))
    return ground + sum(position.pieces[name].factor("support") for name in fight.flown.get(side, ()))


def _own_terrain(position: Position, fight: Fight) -> int:
    """The difference that the terrain of the attacker's own hex would make."""
    if fight.stood not in position.game.map.grid:
        return 0
    own = [part.amount for part in terrain(position, fight.stood, fight.stood)[:1]]
    theirs = [part.amount for part in terrain(position, fight.target, fight.stood)[:1]]
    return max(sum(own) - sum(theirs), 0)


def _wrong_sum(
    said: int, right: tuple[Modifier, ...], mistakes: dict[str, int], otherwise: str, fight: Fight
) -> Breach:
    sum_ = total(right)
    clause = next(
        (name for name, difference in mistakes.items() if difference and said == sum_ + difference), otherwise
    )
    told = tuple(f"{part.amount:+d} {part.what}" for part in right)
    says = f"{sum_:+d} is added to the die, not {said:+d}"
    facts: Facts = {"target": fight.target, "announced": said, "right": sum_, "made of": told}
    grade = Grade.illegal if clause in ("11j", "12d") else Grade.slip
    return Breach(says, facts, grade, clause, CHART)


@rules.on("attack result", clause="11k 11l 11m")
def a_hit_up_to_the_combat_factor(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or not fight.rolled:
        return Breach("no attack die was thrown", {"announced": action.words[0]}, Grade.unproven)
    right = is_hit(position, fight.attack_die, fight.attack_added, fight.factor)
    return _wrong_result(position, action, fight.attack_die, fight.attack_added, fight.factor, right, "11")


@rules.on("defence result", clause="12e 12f 12g")
def a_defence_hits_up_to_the_combat_factor(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or not fight.defence_die:
        return Breach("no defence die was thrown", {"announced": action.words[0]}, Grade.unproven)
    right = is_hit(position, fight.defence_die, fight.defence_added, fight.defending)
    return _wrong_result(
        position, action, fight.defence_die, fight.defence_added, fight.defending, right, "12"
    )


@rules.on("attack result", "defence result", clause="11d 11k 12e")
def a_die_is_compared_with_the_units_own_factor(position: Position, action: Action) -> Breach | None:
    """A factor of another unit of the side, or one added to the own, is shared [11d]; else it is misread."""
    fight = fight_of(position, action)
    said = next((int(word.split()[1]) for word in action.words if word.startswith("factor ")), None)
    if fight is None or not fight.rolled or said is None:
        return None
    attacks = action.verb == "attack result"
    own, side = (fight.factor, fight.side) if attacks else (fight.defending, fight.enemy)
    if said == own:
        return None
    where = fight.stood if attacks else fight.target
    lenders = tuple(
        piece.id
        for near in position.game.map.grid.within(where, 2)
        for piece in units_at(position, near, side)
        if near != where and said in (piece.factor("combat"), piece.factor("combat") + own)
    )
    facts: Facts = {"announced": said, "factor": own, "others with it": lenders}
    says = f"the die is compared with {said}, the unit's own factor is {own}"
    if lenders:
        return Breach(says, facts, Grade.illegal, "11d", CHART)
    return Breach(says, facts, Grade.slip, "11k" if attacks else "12e", CHART)


def _wrong_result(
    position: Position, action: Action, die: int, added: int, factor: int, right: bool, section: str
) -> Breach | None:
    said = action.words[0]
    if said == (HIT if right else MISS):
        return None
    values = position.game.values["dice"].values
    always = {"11": ("11k", "11l", "11m"), "12": ("12e", "12f", "12g")}[section]
    natural = die in (values.integer("always"), values.integer("never"))
    clause = always[2] if natural else always[0] if right else always[1]
    facts: Facts = {"die": die, "added": added, "factor": factor, "announced": said}
    says = f"{die}{added:+d} against {factor} is a {HIT if right else MISS}"
    return Breach(says, facts, Grade.slip, clause, CHART)


@rules.does("attack result", "defence result")
def announce(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight = fight_of(position, action)
    if fight is None or action.words[0] not in (HIT, MISS) or not fight.rolled:
        return position
    hit = action.words[0] == HIT
    if action.verb == "attack result":
        return position.with_battle(evolve(fight, attack_hit=hit))
    return position.with_battle(evolve(fight, defence_hit=hit))
