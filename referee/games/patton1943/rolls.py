"""Phase 4, combat: the attack die and the defence die."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import Modifier
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.games.patton1943.battle import (
    CHART,
    FIGHTS,
    HIT,
    MISS,
    Fight,
    attack_modifiers,
    counted_assets,
    defence_modifiers,
    defending_unit,
    earned,
    fight_of,
    fights,
    force,
    is_hit,
    is_natural,
    spent_assets,
    support,
    terrain,
    total,
)
from referee.games.patton1943.facts import air_at, assets_at, of_side, units_at
from referee.games.patton1943.notes import ATTACKED, FLOWN
from vassalgen.game.counters import Counter
from vassalgen.game.provenance import Provenance

rules = Section("Combat", Provenance("rulebook", "7.4, 11, 12"))


@rules.on("roll attack", clause="7.4a")
def one_attack_die_for_each_attack(position: Position, action: Action) -> Iterator[Breach]:
    fight = fight_of(position, action)
    if fight is None or fight.called_off:
        says = f"An attack roll of {action.dice[0]} is made; an attack must be declared first."
        yield Breach(says, {"die": action.dice[0]}, Grade.unproven)
    elif fight.rolled:
        facts: Facts = {"first": fight.attack_die, "second": action.dice[0]}
        says = f"A second attack roll is made for {fight.target}; the first, {fight.attack_die}, counts."
        yield Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)
    sides = position.game.dice["attack"].sides
    if not 1 <= action.dice[0] <= sides:
        yield Breach(f"The attack roll is {action.dice[0]}; a d{sides} is rolled.", {"die": action.dice[0]})


@rules.on("roll defence", clause="7.4b")
def one_defence_die_for_each_attack(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    first = (fight.defence_die or fight.early) if fight else 0
    if fight is None or not first:
        return None
    facts: Facts = {"first": first, "second": action.dice[0]}
    says = f"A second defence roll is made for {fight.target}; the first, {first}, counts."
    return Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)


@rules.on("roll defence", clause="12a")
def a_defence_follows_an_attack(position: Position, action: Action) -> Breach | None:
    """Both dice may be rolled at once: the other order is untidy, if there is an attack die."""
    fight = fight_of(position, action)
    if fight is not None and fight.rolled:
        return None
    says = (
        "The defence roll is made before the attack roll; it comes after it."
        if fight
        else "A defence roll is made; it must follow an attack roll, and none was made."
    )
    return Breach(says, {"die": action.dice[0]}, Grade.slip if fight else Grade.unproven)


@rules.leaving("battles", clause="12a")
def a_defence_roll_had_its_attack_roll(position: Position) -> Iterator[Breach]:
    for fight in fights(position):
        if fight.early and not fight.rolled:
            says = (
                f"A defence roll is made for {fight.target};"
                " it must follow an attack roll, and none was made."
            )
            yield Breach(says, {"target": fight.target, "die": fight.early})


@FIGHTS.on(rules, "roll defence", clause="12i", stage="rolled")
def lone_assets_make_no_defence(position: Position, action: Action, fight: Fight) -> Breach | None:
    if defending_unit(position, fight) is not None:
        return None
    says = f"A defence roll is made for {fight.target}; support assets without a unit make none."
    return Breach(says, {"hex": fight.target, "pieces": fight.defenders})


@FIGHTS.does(rules, "roll attack")
def roll_attack(position: Position, action: Action, fight: Fight) -> Position:
    """Fix the participants and the result of the die. A second die does not count, but players may use it."""
    if fight.rolled:
        return _rolled_again(position, action, fight, fight.enemy)
    if fight.called_off:
        return position
    there = tuple(piece.id for piece in of_side(position, fight.target, fight.enemy))
    added = total(attack_modifiers(position, fight))
    factor = position.pieces[fight.unit].factor("combat") if fight.unit else 0
    defender = defending_unit(position, fight)
    orders = [each.order for each in fights(position)]
    rolled = evolve(
        fight,
        defenders=there,
        attack_die=action.dice[0],
        attack_added=added,
        factor=factor,
        defending=defender.factor("combat") if defender else 0,
        defence_added=total(defence_modifiers(position, fight)),
        attack_hit=is_hit(position, action.dice[0], added, factor),
        order=max(orders, default=0) + 1,
        second=fight.second or earned(position, fight.unit) is not None,
    )
    for name in force(position, fight):
        if name not in fight.left_out:
            position = position.with_note(ATTACKED, name, fight.target)
    for name in (name for names in fight.flown.values() for name in names):
        position = position.with_note(FLOWN, name, fight.target)
    return position.with_battle(_struck_back(position, rolled, fight.early) if fight.early else rolled)


def _rolled_again(position: Position, action: Action, fight: Fight, side: str) -> Position:
    """Note a second die against the same side, as if another result had been announced."""
    die = action.dice[0]
    hit = is_hit(position, die, fight.added(side), fight.compared_with(side))
    if hit is fight.right(side):
        return position
    confirmed = (side,) if side in fight.said and not fight.is_disputed(side) else ()
    what, clause = ("attack", "7.4a") if side == fight.enemy else ("defence", "7.4b")
    says = f"It was rolled again, a {die}; only the first {what} roll counts."
    fight = evolve(
        fight,
        again={**fight.again, side: die},
        said={**fight.said, side: hit},
        confirmed=(*fight.confirmed, *confirmed),
        mistakes={**fight.mistakes, side: "" if action.battle else clause},
        reasons={**fight.reasons, side: says},
    )
    return position.with_battle(fight)


@FIGHTS.does(rules, "roll defence")
def roll_defence(position: Position, action: Action, fight: Fight) -> Position:
    """The defence with the factor before any loss [12h]."""
    die = action.dice[0]
    if fight.defence_die:
        return _rolled_again(position, action, fight, fight.side)
    if fight.early:
        return position
    fight = _struck_back(position, fight, die) if fight.rolled else evolve(fight, early=die)
    return position.with_battle(fight)


def _struck_back(position: Position, fight: Fight, die: int) -> Fight:
    hit = is_hit(position, die, fight.defence_added, fight.defending)
    return evolve(fight, defence_die=die, defence_hit=hit)


@rules.proposes
def dice(position: Position, piece: Piece) -> Iterator[Action]:
    """The dice of the current battles, proposed by the attacking unit."""
    for fight in fights(position):
        if fight.unit != piece.id or fight.defence_die:
            continue
        verb = "roll defence" if fight.rolled else "roll attack"
        if fight.rolled and defending_unit(position, fight) is None:
            continue
        faces = range(1, position.game.dice["attack"].sides + 1)
        yield from (Action(verb, dice=(face,), battle=fight.number) for face in faces)


@rules.on("attack total", clause="10d 10f 11e 11g 11h 11i 11j")
def what_is_added_to_the_attack_die(position: Position, action: Action) -> Breach | None:
    fight, said = fight_of(position, action), int(action.words[0])
    return None if fight is None else _wrong_attack_total(position, _as_counted(position, fight, said), said)


def _as_counted(position: Position, fight: Fight, said: int) -> Fight:
    """The battle without the assets that have attacked already, if the sum is right without them."""
    spent = tuple(piece.id for piece, _ in spent_assets(position, fight))
    without = evolve(fight, left_out=(*fight.left_out, *spent))
    is_right = not fight.rolled and spent and said == total(attack_modifiers(position, without))
    return without if is_right else fight


def _wrong_attack_total(position: Position, fight: Fight, said: int) -> Breach | None:
    """A wrong sum is attributed to the clause that explains it if neglected, to 11e if none does."""
    right = attack_modifiers(position, fight)
    due = fight.attack_added if fight.rolled else total(right)
    if said == due:
        return None
    highest, *others = [part.amount for part in terrain(position, fight.target, fight.stood)]
    own = _own_terrain(position, fight)
    ground = sum(piece.factor("support") for piece in counted_assets(position, fight, fight.side))
    mistakes = [
        ("10d", _beaten_support(position, fight, fight.side)),
        ("11j", {_all_support(position, fight, fight.side)}),
        ("11g", {sum_ - highest for sum_ in _sums([highest, *others]) if any(others)} - {-highest}),
        ("11h", {own}),
        ("11i", {-ground}),
        ("10f", {-sum(position.pieces[name].factor("support") for name in fight.air(fight.side))}),
        ("11i", _other_support(position, fight, fight.side)),
    ]
    return _wrong_sum(said, due, right, mistakes, "11e", fight)


@rules.on("defence total", clause="10d 12b 12c 12d")
def what_is_added_to_the_defence_die(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    return None if fight is None else _wrong_defence_total(position, fight, int(action.words[0]))


def _wrong_defence_total(position: Position, fight: Fight, said: int) -> Breach | None:
    right = defence_modifiers(position, fight)
    due = fight.defence_added if fight.rolled else total(right)
    if said == due:
        return None
    hexes, grid = (fight.target, fight.stood), position.game.map.grid
    ways = [(at, from_) for at, from_ in (hexes, hexes[::-1]) if at in grid]
    ground = {part.amount for at, from_ in ways for part in terrain(position, at, from_)}
    mistakes = [
        ("10d", _beaten_support(position, fight, fight.enemy)),
        ("12d", {_all_support(position, fight, fight.enemy)}),
        ("12b", ground),
    ]
    return _wrong_sum(said, due, right, mistakes, "12c", fight)


@FIGHTS.does(rules, "attack total", "defence total")
def add_up(position: Position, action: Action, fight: Fight) -> Position:
    """Remember the clause by which the sum is wrong: the outcome is judged when it is carried out."""
    said = int(action.words[0])
    if action.verb == "defence total":
        return _mistaken(position, fight, fight.side, _wrong_defence_total(position, fight, said))
    counted = _as_counted(position, fight, said)
    position = position.with_battle(counted)
    return _mistaken(position, counted, fight.enemy, _wrong_attack_total(position, counted, said))


def _mistaken(position: Position, fight: Fight, side: str, wrong: Breach | None) -> Position:
    """Note a mistake about the die against a side; the first one counts."""
    if wrong is None or side in fight.mistakes:
        return position
    clause = "" if wrong.grade is Grade.illegal else wrong.clause
    mistakes, reasons = {**fight.mistakes, side: clause}, {**fight.reasons, side: wrong.says}
    return position.with_battle(evolve(fight, mistakes=mistakes, reasons=reasons))


def _sums(amounts: list[int]) -> set[int]:
    """All sums of some or none of several amounts."""
    found = {0}
    for amount in amounts:
        found |= {sum_ + amount for sum_ in found}
    return found


def _all_support(position: Position, fight: Fight, side: str) -> int:
    """What the assets that do not count, on the ground and in the air, would subtract in addition."""
    where = fight.stood if side == fight.side else fight.target
    there, most = assets_at(position, where, side), position.game.values["limits"].values
    over = len(there) > most.integer("ground_support")
    ground = sum(
        piece.factor("support") for piece in (there if over else counted_assets(position, fight, side))
    )
    flying = sum(position.pieces[name].factor("support") for name in fight.air(side))
    return ground + flying - total(support(position, fight, side, ""))


def _beaten_support(position: Position, fight: Fight, side: str) -> set[int]:
    """The differences that an aircraft beaten in the air would make, reduced or at full strength [10d]."""
    beaten = [position.pieces[name] for name in fight.flown.get(side, ()) if name in fight.beaten]
    faces = [face for piece in beaten for face in piece.counter.faces]
    return {int(face.factors["support"]) for face in faces if "support" in face.factors}


def _other_support(position: Position, fight: Fight, side: str) -> set[int]:
    """The differences that omitted ground assets, parked aircraft or assets in other hexes would make."""
    where = fight.stood if side == fight.side else fight.target
    counted = [piece.factor("support") for piece in counted_assets(position, fight, side)]
    grid = position.game.map.grid
    near = grid.neighbours(where) if where in grid else ()
    left_out = [one for one in assets_at(position, where, side) if one.id in fight.left_out]
    elsewhere = [one for at in near for one in assets_at(position, at, side)]
    strange = [*air_at(position, where, side), *left_out, *elsewhere]
    less = {-sum_ for sum_ in _sums(counted)}
    return less | {piece.factor("support") for piece in strange}


def _own_terrain(position: Position, fight: Fight) -> int:
    """The difference that the terrain of the attacker's own hex would make."""
    if fight.stood not in position.game.map.grid:
        return 0
    own = [part.amount for part in terrain(position, fight.stood, fight.stood)[:1]]
    theirs = [part.amount for part in terrain(position, fight.target, fight.stood)[:1]]
    return max(sum(own) - sum(theirs), 0)


_LIMIT = "At most 2 ground assets and 1 air asset count."
_COUNTS = {
    "10d": "An aircraft that was beaten in the air does not count.",
    "10f": "The aircraft in the battle counts.",
    "11g": "Only the highest terrain modifier counts.",
    "11h": "The terrain of the attacker's own hex does not count.",
    "11i": "Assets stacked with the attacking unit count unless they are left out; no others do.",
    "11j": _LIMIT,
    "12b": "Terrain does not count in defence.",
    "12c": "Assets stacked with the defending unit count unless they are left out; no others do.",
    "12d": _LIMIT,
}
"""What counts in a sum, by clause."""


def _wrong_sum(
    said: int,
    due: int,
    right: tuple[Modifier, ...],
    mistakes: list[tuple[str, set[int]]],
    default: str,
    fight: Fight,
) -> Breach:
    clause = next((name for name, made in mistakes if said - due in made), default)
    parts = tuple(f"{part.amount:+d} {part.what}" for part in right)
    what = "attack on" if default == "11e" else "defence of"
    made = f" ({', '.join(parts)})" if parts else ""
    says = f"The DRM of the {what} {fight.target} is {due:+d}{made}; {said:+d} was announced."
    says = f"{says} {_COUNTS[clause]}" if clause in _COUNTS else says
    facts: Facts = {"target": fight.target, "announced": said, "right": due, "made of": parts}
    grade = Grade.illegal if clause in ("10d", "11j", "12d") else Grade.slip
    return Breach(says, facts, grade, clause, CHART)


@rules.on("attack result", "defence result", clause="11k 11l 11m 12e 12f 12g")
def a_die_hits_up_to_the_combat_factor(position: Position, action: Action) -> Breach | None:
    """A 1 always and a 12 never. The result of a die that was rolled again is not announced wrongly."""
    attacks, fight = action.verb == "attack result", fight_of(position, action)
    hit, miss, natural = ("11k", "11l", "11m") if attacks else ("12e", "12f", "12g")
    side = fight.enemy if fight and attacks else fight.side if fight else ""
    if fight is None or not fight.die(side):
        what, roll = ("an attack", "attack") if attacks else ("a defence", "defence")
        says = f"A result of {what} is announced; the {roll} roll must be made first."
        return Breach(says, {"announced": action.words[0]}, Grade.unproven, hit)
    right = HIT if fight.right(side) else MISS
    if side in fight.again or action.words[0] == right:
        return None
    die, added, factor = fight.die(side), fight.added(side), fight.compared_with(side)
    facts: Facts = {"die": die, "added": added, "factor": factor, "announced": action.words[0]}
    if is_natural(position, die):
        what, clause = f"an unmodified {die}", natural
    else:
        what = f"{die} with a DRM of {added:+d}, against a combat factor of {factor},"
        clause = hit if fight.right(side) else miss
    says = f"A roll of {what} is a {right}; a {action.words[0]} was announced."
    return Breach(says, facts, Grade.slip, clause, CHART)


@rules.on("attack result", "defence result", clause="11d 11k 12e 12h")
def a_die_is_compared_with_the_units_own_factor(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    return None if fight is None or not fight.rolled else _wrong_factor(position, fight, action)


def _faces(counter: Counter) -> tuple[int, ...]:
    """The combat factors on the faces of a counter."""
    return tuple(counter.factor("combat", steps) for steps in range(1, counter.steps + 1))


def _wrong_factor(position: Position, fight: Fight, action: Action) -> Breach | None:
    """The factor of another unit of the side, or the sum of both, is shared [11d]; any other is a misreading.

    So is the factor of the unit's other side: perhaps a step was lost or regained and is not marked yet.
    """
    said = next((int(word.split()[1]) for word in action.words if word.startswith("factor ")), None)
    attacks = action.verb == "attack result"
    own, side = (fight.factor, fight.side) if attacks else (fight.defending, fight.enemy)
    if said is None or said == own:
        return None
    unit = position.pieces.get(fight.unit) if attacks else defending_unit(position, fight)
    other_face = unit is not None and said in _faces(unit.counter)
    where, grid = fight.stood if attacks else fight.target, position.game.map.grid
    lenders = tuple(
        piece.id
        for near in (grid.within(where, 2) if where in grid and not other_face else ())
        for piece in units_at(position, near, side)
        if near != where and said in (piece.factor("combat"), piece.factor("combat") + own)
    )
    facts: Facts = {"announced": said, "factor": own, "others with it": lenders}
    roll, name = "attack" if attacks else "defence", name_of(position, unit.id) if unit else "the unit"
    says = f"The {roll} roll of {name} is compared with a combat factor of {said}; its own is {own}."
    if lenders:
        return Breach(says, facts, Grade.illegal, "11d", CHART)
    if not attacks and other_face and unit is not None and unit.id in fight.suffered.get(side, ()):
        says += " Its loss counts only after the defence roll."
        return Breach(says, facts, Grade.slip, "12h", CHART)
    return Breach(says, facts, Grade.slip, "11k" if attacks else "12e", CHART)


@FIGHTS.does(rules, "attack result", "defence result")
def announce(position: Position, action: Action, fight: Fight) -> Position:
    """Remember the announcement, and the clause by which it is wrong."""
    if action.words[0] not in (HIT, MISS) or not fight.rolled:
        return position
    side = fight.enemy if action.verb == "attack result" else fight.side
    fight = evolve(fight, said={**fight.said, side: action.words[0] == HIT})
    return _mistaken(position.with_battle(fight), fight, side, _wrong_factor(position, fight, action))
