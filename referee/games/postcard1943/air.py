"""Air power: bombing, interception, and close support."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Date
from referee.engine.position import Note, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of, names_of, player_turn
from referee.games.postcard1943.battle import (
    ATTACKS,
    Attack,
    attack_of,
    attack_on,
    attacks,
    bombed_on,
    defenders,
    disrupted_now,
)
from referee.games.postcard1943.disruption import is_disrupted_by_rule
from referee.games.postcard1943.facts import is_sound, the_field, units_at
from referee.games.postcard1943.notes import (
    BEATEN_OFF,
    BEATEN_OFF_LASTING,
    BOMBS,
    COMBAT_DICE,
    HIT_BY_BOMBS,
    INTERCEPTS,
)
from referee.games.postcard1943.swamps import says_yes
from vassalgen.game.maps import Box
from vassalgen.game.provenance import Provenance
from vassalgen.game.scenarios import Arrival

rules = Section("Airpower", Provenance("rulebook", "Airpower"))


@rules.on("bomb", "intercept", clause="setup.5")
def air_units_act_when_they_have_arrived(position: Position, action: Action) -> Breach | None:
    """A date that is missing in the rulebook proves nothing."""
    arrival = next((each for each in position.scenario.arrivals if action.piece in each.counters), None)
    since = _available(position, arrival, action.piece) if arrival else None
    calendar = position.world.calendar
    if arrival is None or since is None or calendar.number(position.date) >= calendar.number(since):
        return None
    name = name_of(position, action.piece)
    now, first = player_turn(position, position.date), player_turn(position, since)
    says = f"{name} acts in {now}; it is available from {first} on."
    facts: Facts = {"unit": action.piece, "now": calendar.say_date(position.date)}
    known = arrival.provenance.kind != "reconstruction"
    return Breach(says, facts, Grade.illegal if known else Grade.unproven, "", arrival.provenance)


def _available(position: Position, arrival: Arrival, unit: str) -> Date | None:
    """The first player turn in which an air unit can act; None for one that can from the start."""
    game = position.game
    if arrival.during and game.adopted("meaaf-start") == "next-allied":
        return Date(arrival.turn + 1, position.pieces[unit].side)
    if not arrival.during and game.adopted("desert-af-arrival") == "from-start":
        return None
    return Date(arrival.turn, arrival.during)


@rules.on("station", clause="air.1 air.2")
def air_units_act_over_attacked_hexes(position: Position, action: Action) -> Breach:
    """Elsewhere an air unit has no effect, so this is bookkeeping."""
    unit = position.pieces[action.piece]
    says = (
        f"{name_of(position, unit.id)} is placed on {action.target};"
        " air units fly only to a hex under attack."
    )
    clause = "air.1" if unit.side == position.side else "air.2"
    return Breach(says, {"unit": unit.id, "hex": action.target}, Grade.slip, clause)


@rules.on("put away", clause="setup.5 air.1 air.3")
def air_units_are_put_into_their_own_box(position: Position, action: Action) -> Breach | None:
    """They may act from any other one: this is bookkeeping."""
    unit, map_ = position.pieces[action.piece], position.game.map
    box = map_.boxes.get(action.words[0]) if action.words else None
    if box is None or box.id == unit.where or unit.id in the_field(position).units:
        return None
    facts: Facts = {"unit": unit.id, "box": box.id}
    put = f"{name_of(position, unit.id)} is put into “{box.title}”"
    if box.side != unit.side:
        return Breach(f"{put}, a box of the other side.", facts, Grade.slip, "air.1")
    if box.losses:
        if (BEATEN_OFF_LASTING, unit.id) in position.notes:
            return None
        says = f"{put}; an air unit is never eliminated, only beaten off for a time."
        return Breach(says, facts, Grade.slip, "air.3")
    return _not_its_own_box(position, unit, box, put)


def _not_its_own_box(position: Position, unit: Piece, box: Box, put: str) -> Breach | None:
    """What is wrong with an air unit in a box of its side: it arrives later, or belongs in another box."""
    facts: Facts = {"unit": unit.id, "box": box.id}
    boxes, number = position.game.map.boxes, position.world.calendar.number
    arrival = next((each for each in position.scenario.arrivals if unit.id in each.counters), None)
    set_up = [each.at for each in position.scenario.setup if unit.id in each.counters]
    own = [arrival.waiting, *arrival.entry] if arrival else set_up
    if box.id not in own:
        says = f"{put}; it belongs in {listed([f'“{boxes[one].title}”' for one in own if one], 'or')}."
        return Breach(says, facts, Grade.slip, "air.1")
    since = _available(position, arrival, unit.id) if arrival and box.id != arrival.waiting else None
    if since is None or number(position.date) >= number(since):
        return None
    says = f"{put}; it is available from {player_turn(position, since)} on."
    return Breach(says, facts, Grade.slip, "setup.5")


@rules.on("bomb", clause="air.1")
def the_attacker_bombs_hexes_under_attack(position: Position, action: Action) -> Iterator[Breach]:
    unit, attack = position.pieces[action.piece], attack_on(position, action.target)
    facts: Facts = {"unit": unit.id, "hex": action.target}
    name, target = name_of(position, unit.id), action.target
    if unit.side != position.side:
        yield Breach(f"{name} bombs {target}, but its side is not attacking; only the attacker bombs.", facts)
        return
    if attack is None:
        yield Breach(f"{name} bombs {target}; only a hex under attack may be bombed.", facts)
    elif attack.rolled:
        yield Breach(f"{name} bombs {target} after the combat die was rolled; bombing comes first.", facts)
    elsewhere = position.note(BOMBS, unit.id)
    if position.note(_beaten_off(position), unit.id) is not None:
        return  # it is out anyway [air.3]
    if elsewhere and elsewhere != action.target and position.game.adopted("bombing-range") == "once":
        says = f"{name} bombs {target}, but has already bombed {elsewhere}; it bombs 1 hex per player turn."
        yield Breach(says, facts)


@rules.on("intercept", clause="air.2")
def the_defender_intercepts_over_the_attacked_hex(position: Position, action: Action) -> Iterator[Breach]:
    unit, attack = position.pieces[action.piece], bombed_on(position, action.target)
    facts: Facts = {"unit": unit.id, "hex": action.target}
    name, target = name_of(position, unit.id), action.target
    if unit.side == position.side:
        says = f"{name} intercepts over {target}, but its side is attacking; only the defender intercepts."
        yield Breach(says, facts)
        return
    if attack is None:
        says = f"{name} intercepts over {target}; air units intercept only over a hex under attack."
        yield Breach(says, facts)
    elif attack.rolled:
        says = f"{name} intercepts over {target} after the combat die was rolled; interception comes first."
        yield Breach(says, facts)
    elif not attack.bombers and not _chooses_first(position, unit.side):
        says = f"{name} intercepts over {target}; only bombers are intercepted, and none are there."
        yield Breach(says, facts, Grade.slip)
    elsewhere = position.note(INTERCEPTS, unit.id)
    if elsewhere and elsewhere != action.target and position.game.adopted("interception") == "once":
        says = (
            f"{name} intercepts over {target}, but has already intercepted over {elsewhere}; it intercepts"
            " over 1 hex per player turn."
        )
        yield Breach(says, facts, Grade.unproven)


@rules.on("intercept", clause="air.3")
def no_interception_after_the_bombing(position: Position, action: Action) -> Breach | None:
    """Each bomber fights and bombs by itself: one that has not bombed yet can still be intercepted."""
    attack = bombed_on(position, action.target)
    if attack is None or attack.rolled or action.piece in attack.interceptors:
        return None
    bombed = max((attack.bombing_rolls.count(unit) for unit in attack.bombing_rolls), default=0)
    bombers = 1 if position.game.adopted("combined-air") == "joint" else len(attack.over)
    if not bombed or bombed < bombers:
        return None
    name = name_of(position, action.piece)
    says = f"{name} intercepts over {action.target} after it was bombed; the air battle comes first."
    return Breach(says, {"unit": action.piece, "hex": action.target, "rolled for": attack.bombing_rolls})


def _chooses_first(position: Position, side: str) -> bool:
    """Return whether a side says where it intercepts before the other says where it bombs."""
    return side == "allied" and position.game.adopted("air-order") == "allies-choose"


@rules.on("bomb", "intercept", clause="air.3")
def beaten_bombers_are_out(position: Position, action: Action) -> Breach | None:
    kind, reading = _beaten_off(position), position.game.adopted("beaten-bombers")
    beaten = position.note(kind, action.piece)
    if beaten is None:
        return None
    calendar = position.world.calendar
    if reading == "next-turn" and calendar.number(position.date) > calendar.number(
        calendar.following(beaten)
    ):
        return None
    turns = {"this-turn": "for the player turn", "next-turn": "for this player turn and the next"}
    out = turns.get(reading, "for the rest of the game")
    done = "bombs" if action.verb == "bomb" else "intercepts over"
    name = name_of(position, action.piece)
    says = f"{name} {done} {action.target}, but it was beaten off and is out {out}."
    return Breach(says, {"unit": action.piece})


def _beaten_off(position: Position) -> Note[Date]:
    """The note that a bomber was beaten off: for this player turn, or for longer."""
    this_turn = position.game.adopted("beaten-bombers") == "this-turn"
    return BEATEN_OFF if this_turn else BEATEN_OFF_LASTING


@rules.on("bomb", clause="air.3")
def all_missions_come_first(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted, all bombing comes before the first ground attack."""
    if position.game.adopted("air-order") != "all-missions":
        return None
    if not position.note(COMBAT_DICE, position.side):
        return None
    says = (
        f"{name_of(position, action.piece)} bombs {action.target} after the first ground attack;"
        " all air missions come before it."
    )
    return Breach(says, {"unit": action.piece})


@rules.on("bomb", "intercept", clause="air.3")
def the_allies_choose_first(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted, Allied missions are declared before those of the Axis."""
    attack = attack_on(position, action.target)
    if attack is None or position.game.adopted("air-order") != "allies-choose":
        return None
    flying = tuple(
        name for name in (*attack.bombers, *attack.interceptors) if position.pieces[name].side == "axis"
    )
    if position.pieces[action.piece].side == "axis" or not flying:
        return None
    says = (
        f"{name_of(position, action.piece)} is sent to {action.target} after {names_of(position, flying)};"
        " the Allies choose first where they fly."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target})


@rules.does("bomb")
def bomb(position: Position, action: Action) -> Position:
    """Place the bombers over the attack on the hex, if there is one."""
    position = position.with_note(BOMBS, action.piece, action.target)
    attack = attack_on(position, action.target)
    if attack is None or attack.rolled or action.piece in attack.bombers:
        return position
    return position.with_battle(evolve(attack, bombers=(*attack.bombers, action.piece), column=None))


@rules.does("intercept")
def intercept(position: Position, action: Action) -> Position:
    """Place the interceptor over the attack on the hex, if there is one."""
    position = position.with_note(INTERCEPTS, action.piece, action.target)
    attack = bombed_on(position, action.target)
    if attack is None or attack.rolled or action.piece in attack.interceptors:
        return position
    return position.with_battle(evolve(attack, interceptors=(*attack.interceptors, action.piece)))


@rules.on("roll air-battle", clause="air.3")
def one_air_battle_for_each_bomber(position: Position, action: Action) -> Breach | None:
    attack = _bombed_by(position, action.piece)
    facts: Facts = {"unit": action.piece}
    name = name_of(position, action.piece)
    if attack is None:
        says = f"{name} rolls for an air battle; it must be over a hex under attack."
        return Breach(says, facts, Grade.slip)
    over = f"{name} rolls for an air battle over {attack.target}"
    if not attack.interceptors:
        return Breach(f"{over}; only an intercepted air unit does.", facts, Grade.slip)
    if attack.rolled:
        return Breach(f"{over} after the combat die was rolled; the air battle comes first.", facts)
    if action.piece in (*attack.through, *attack.beaten):
        grade = Grade.unproven if len(attack.interceptors) > 1 else Grade.illegal
        return Breach(f"{over} a second time; each bomber has one air battle.", facts, grade)
    return None


@rules.does("roll air-battle")
def air_battle(position: Position, action: Action) -> Position:
    """The bombers get through, or are beaten off and out for this player turn."""
    unit, attack = action.piece, _bombed_by(position, action.piece)
    if (
        attack is None
        or attack.rolled
        or not attack.interceptors
        or unit in (*attack.through, *attack.beaten)
    ):
        return position
    if says_yes(position, "air-battle", action.dice[0]):
        return position.with_battle(evolve(attack, through=(*attack.through, unit)))
    position = position.with_battle(evolve(attack, beaten=(*attack.beaten, unit)))
    return position.with_note(_beaten_off(position), unit, position.date)


@rules.on("roll bombing", clause="air.3")
def the_air_battle_comes_before_the_bombing(position: Position, action: Action) -> Breach | None:
    attack = _attack_over(position, action)
    if attack is None or not attack.bombers or attack.rolled:
        return None
    facts: Facts = {"hex": attack.target, "bombers": attack.bombers}
    if not attack.over:
        return Breach(_beaten_off_over(position, attack, action.piece), facts)
    if attack.interceptors and not attack.through and not attack.bombing_rolls:
        says = (
            f"{names_of(position, attack.over)} bombs {name_of(position, action.piece)} in {attack.target}"
            f" before its air battle with {names_of(position, attack.interceptors)}."
        )
        return Breach(says, facts)
    return None


@rules.on("roll bombing", clause="air.4")
def one_roll_for_each_unit_and_bomber(position: Position, action: Action) -> Iterator[Breach]:
    attack, unit = _attack_over(position, action), action.piece
    facts: Facts = {"unit": unit}
    rolled_for = f"A bombing roll is made for {name_of(position, unit)}"
    if attack is None or not attack.bombers:
        yield Breach(f"{rolled_for}; only units in a bombed hex are rolled for.", facts)
        return
    if attack.rolled:
        yield Breach(f"{rolled_for} after the combat die; bombing comes first.", facts)
    if position.pieces[unit].where != attack.target or position.pieces[unit].side == attack.side:
        where = position.pieces[unit].where or "off the map"
        says = (
            f"{rolled_for} in {where}, but only units in {attack.target}, where the bombers are, are"
            " rolled for."
        )
        yield Breach(says, facts)
    rolls = attack.bombing_rolls.count(unit)
    bombers = 1 if position.game.adopted("combined-air") == "joint" else len(attack.over)
    if rolls >= bombers > 0:
        had = counted(rolls, "roll")
        says = f"{rolled_for} once too often: it has already had {had}, one for each bomber."
        yield Breach(says, {**facts, "rolls": rolls})


@rules.on("disrupt", clause="air.3")
def beaten_bombers_disrupt_no_unit(position: Position, action: Action) -> Breach | None:
    attack = _over_unit(position, action.piece)
    if attack is None or is_disrupted_by_rule(position, action.piece) or attack.over:
        return None
    return Breach(_beaten_off_over(position, attack, action.piece), {"unit": action.piece})


def _beaten_off_over(position: Position, attack: Attack, unit: str) -> str:
    """Say that a unit cannot be bombed because the bombers were beaten off."""
    bombers = names_of(position, attack.beaten)
    return f"{name_of(position, unit)} is not bombed: {bombers} lost the air battle over {attack.target}."


@rules.on("disrupt", clause="air.4")
def each_unit_has_a_roll_of_its_own(position: Position, action: Action) -> Breach | None:
    unit, attack = action.piece, _over_unit(position, action.piece)
    if attack is None or is_disrupted_by_rule(position, unit) or not attack.over:
        return None
    if the_field(position).is_(unit, "undisruptable"):
        return None
    rolled = "its bombing roll missed" if unit in attack.bombing_rolls else "no bombing roll was made for it"
    says = (
        f"{name_of(position, unit)} is marked Disrupted, but {rolled};"
        " only a bombing roll that hits does that."
    )
    return Breach(says, {"unit": unit, "rolls": attack.bombing_rolls.count(unit)})


@rules.does("roll bombing")
def bombing(position: Position, action: Action) -> Position:
    """Remember the roll, and whether it hit; players place the marker."""
    attack, unit = _attack_over(position, action), action.piece
    if attack is None or attack.rolled or not attack.over:
        return position
    position = position.with_battle(evolve(attack, bombing_rolls=(*attack.bombing_rolls, unit)))
    if not says_yes(position, "bombing", action.dice[0]):
        return position
    if the_field(position).is_(unit, "undisruptable"):
        return position
    if is_sound(position.pieces[unit]):
        position = position.with_note(HIT_BY_BOMBS, unit, True)
    elif position.game.adopted("fresh-disruption") != "all":
        return position
    return disrupted_now(position, (unit,))


@ATTACKS.on(rules, "roll combat", clause="air.4", stage="waiting")
def bombed_units_are_marked_before_the_attack(
    position: Position, action: Action, attack: Attack
) -> Iterator[Breach]:
    for piece in defenders(position, attack):
        if (HIT_BY_BOMBS, piece.id) in position.notes and is_sound(piece):
            yield _unmarked_by_bombs(position, piece.id)


@ATTACKS.on(rules, "roll combat", clause="air.3", stage="waiting")
def close_support_that_is_intercepted_fights_first(
    position: Position, action: Action, attack: Attack
) -> Iterator[Breach]:
    """A roll that is not recorded may have been made elsewhere."""
    if not attack.interceptors or attack.bombing_rolls:
        return
    for name in attack.over:
        if name not in attack.through and the_field(position).is_(name, "close-support"):
            says = (
                f"{name_of(position, name)} was intercepted over {attack.target} by"
                f" {names_of(position, attack.interceptors)} and must roll for an air battle;"
                " no roll was made."
            )
            yield Breach(says, {"unit": name, "interceptors": attack.interceptors}, Grade.unproven)


@rules.leaving("combat", clause="air.4")
def bombed_units_are_marked_though_the_attack_was_called_off(position: Position) -> Iterator[Breach]:
    for unit in position.noted(HIT_BY_BOMBS):
        piece = position.pieces[unit]
        if is_sound(piece) and piece.where in position.game.map.grid:
            yield _unmarked_by_bombs(position, unit)


def _unmarked_by_bombs(position: Position, unit: str) -> Breach:
    says = f"{name_of(position, unit)} was Disrupted by bombing and must be marked Disrupted; it is not."
    return Breach(says, {"unit": unit})


@rules.proposes
def missions(position: Position, piece: Piece) -> Iterator[Action]:
    """Bombing, interception, and their rolls."""
    if piece.id in the_field(position).units or position.phase != "combat":
        return
    for attack in attacks(position):
        if attack.rolled:
            continue
        yield Action("bomb", (piece.id,), target=attack.target)
        if attack.bombers:
            yield Action("intercept", (piece.id,), target=attack.target)
        if piece.id in attack.bombers:
            faces = range(1, position.game.dice["air-battle"].sides + 1)
            yield from (Action("roll air-battle", (piece.id,), dice=(face,)) for face in faces)
            for unit in units_at(position, attack.target):
                yield from (
                    Action("roll bombing", (unit.id,), dice=(face,), battle=attack.number) for face in faces
                )


def _bombed_by(position: Position, bomber: str) -> Attack | None:
    found = [attack for attack in attacks(position) if bomber in attack.bombers]
    return found[-1] if found else None


def _attack_over(position: Position, action: Action) -> Attack | None:
    """The attack that a bombing roll is for: the one named, the one on the unit's hex, or the current one."""
    if not action.battle:
        return bombed_on(position, position.pieces[action.piece].where) or attack_of(position, action)
    attack = attack_of(position, action)
    if attack is None or attack.bombers or attack.rolled:
        return attack
    return bombed_on(position, attack.target)


def _over_unit(position: Position, unit: str) -> Attack | None:
    """The attack with bombers on a unit's hex, before its combat die."""
    attack = bombed_on(position, position.pieces[unit].where)
    return attack if attack and attack.bombers and not attack.rolled else None
