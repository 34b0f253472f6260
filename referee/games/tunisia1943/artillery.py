"""Artillery: the points of headquarters for their own units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Date
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.tunisia1943.battle import (
    ATTACKS,
    Attack,
    attack_of,
    attacks,
    defenders,
    divisional,
)
from referee.games.tunisia1943.facts import (
    ARTILLERY,
    artillery_left,
    controlled,
    division_of,
    is_em,
    is_on_map,
    is_out_of_supply,
    is_turned_down_without_supply,
    other,
    points_said,
)
from referee.games.tunisia1943.notes import ARTILLERY_USED, OVERRUN, TURNED_IN_ERROR
from vassalgen.game.provenance import Provenance

rules = Section("Artillery", Provenance("rulebook", "6.2"))


def _placed(position: Position, action: Action) -> tuple[Attack, Piece, int] | None:
    """The attack, the EM and the points of an action that places some."""
    attack, count = attack_of(position, action), points_said(action.words[0])
    return None if attack is None or count == 0 else (attack, position.pieces[action.piece], count)


@rules.on("artillery", clause="6.2a 6.2f 6.2k")
def artillery_serves_its_own_units(position: Position, action: Action) -> Breach | None:
    attack, em = attack_of(position, action), position.pieces[action.piece]
    facts: Facts = {"EM": em.id}
    if points_said(action.words[0]) == 0:
        return None
    if attack is None:
        return Breach(
            f"{name_of(position, em.id)} places artillery; an attack must be declared first.",
            facts,
            Grade.unproven,
            "6.2a",
        )
    if not is_on_map(position, em):
        says = f"{name_of(position, em.id)} places artillery, but is not on the map."
        return Breach(says, facts, clause="6.2a")
    if divisional(position, attack, em.id):
        return None
    ours = em.side == attack.side
    mine = attack.attackers if ours else tuple(piece.id for piece in defenders(position, attack))
    if not any(division_of(position, name) for name in mine):
        says = (
            f"{name_of(position, em.id)} places artillery, but no unit"
            f" of a division {'attacks' if ours else 'is attacked'}."
        )
        return Breach(says, {**facts, "units": mine}, clause="6.2k")
    if ours:
        return Breach(
            f"{name_of(position, em.id)} places artillery;"
            " a unit of its division must be attacking, and none is.",
            facts,
            clause="6.2a",
        )
    says = (
        f"{name_of(position, em.id)} places artillery;"
        f" a unit of its division must be in {attack.target}, and none is."
    )
    return Breach(says, {**facts, "hex": attack.target}, clause="6.2f")


@rules.on("artillery", clause="6.2e")
def artillery_is_placed_in_whole_points(position: Position, action: Action) -> Breach | None:
    if action.words[0].isdecimal():
        return None
    says = (
        f"{name_of(position, action.piece)} places {action.words[0]}"
        " artillery points; the number must be 0 or more."
    )
    return Breach(says, {"EM": action.piece}, Grade.slip)


@rules.on("artillery", clause="0.1l 6.2b 6.2d 6.2e")
def each_point_serves_once_a_turn(position: Position, action: Action) -> Breach | None:
    """Points that an EM lacks were used in this player phase or the other one, or it is face down."""
    em, count = position.pieces[action.piece], points_said(action.words[0])
    has, all_ = artillery_left(position, em), em.factor("artillery")
    if count and _is_in_zoc(position, em):
        return Breach(
            f"{name_of(position, em.id)} places artillery, but is in an enemy ZOC and has none.",
            {"EM": em.id},
            clause="0.1l",
        )
    if count <= has or position.note(OVERRUN, em.id):
        return None
    used = spent(position, em.id)
    earlier = sum(amount for date, amount in used.items() if date != position.date)
    facts: Facts = {"EM": em.id, "points": all_, "left": has, "placed": count}
    if has == 0 and sum(used.values()) < all_:
        says = (
            f"{name_of(position, em.id)} places artillery, but is face down and has none until the end"
            " of the turn."
        )
        mistaken = position.note(TURNED_IN_ERROR, em.id)
        return Breach(says, facts, Grade.unproven if mistaken else Grade.illegal, "0.1l")
    if earlier or em.side != position.side:
        says = (
            f"{name_of(position, em.id)} places {counted(count, 'artillery point')}; it has {has} of {all_}"
            " left this turn"
        )
        says += f", after {earlier} in the other player phase." if earlier else "."
        return Breach(says, {**facts, "used before": earlier}, clause="6.2b")
    if has == 0:
        says = (
            f"{name_of(position, em.id)} places {counted(count, 'artillery point')}; it has used all {all_}"
            " of this turn."
        )
        return Breach(says, facts, clause="6.2d")
    return Breach(
        f"{name_of(position, em.id)} places {counted(count, 'artillery point')}; it has {has} left.",
        facts,
        clause="6.2e",
    )


def _is_in_zoc(position: Position, em: Piece) -> bool:
    """Whether enemy zones put an EM out of action, which they do only in another interpretation."""
    index = position.game.map.grid.index
    if position.game.adopted("inactive-em") != "zoc" or em.where not in index:
        return False
    return bool(controlled(position, em.side) >> index[em.where] & 1)


def spent(position: Position, em: str) -> Mapping[Date, int]:
    """Return the points that an EM has used this turn, by player turn."""
    return position.note(ARTILLERY_USED, em) or {}


@rules.on("artillery", clause="6.2h")
def no_raise_after_the_reply(position: Position, action: Action) -> Breach | None:
    found = _placed(position, action)
    if found is None:
        return None
    attack, em, _ = found
    if em.side != attack.side or attack.side not in attack.answered or attack.rolled:
        return None
    if other(attack.side) not in attack.answered:
        return None
    says = (
        f"{name_of(position, em.id)} adds artillery after the defender has placed or declined his;"
        " it may no longer do so."
    )
    return Breach(says, {"EM": em.id, "target": attack.target})


@rules.on("artillery", clause="6.2j")
def three_points_in_a_combat(position: Position, action: Action) -> Breach | None:
    found = _placed(position, action)
    if found is None:
        return None
    attack, em, count = found
    most = position.game.values["artillery"].values.integer("per_combat")
    total = count + attack.points(position, em.side)
    who = f"The {position.game.sides[em.side].adjective} side places"
    if position.game.adopted("artillery-cap") == "both":
        total += attack.points(position, other(em.side))
        who = "Both sides together place"
    if total <= most:
        return None
    says = f"{who} {counted(total, 'artillery point')} in one combat; the limit is {most}."
    return Breach(says, {"side": em.side})


@rules.on("artillery", clause="6.2l")
def one_point_far_from_the_headquarters(position: Position, action: Action) -> Breach | None:
    """One participant of the division within reach lifts the limit for all [6.2m]."""
    found = _placed(position, action)
    if found is None:
        return None
    attack, em, count = found
    units, grid = divisional(position, attack, em.id), position.game.map.grid
    if position.game.adopted("unit-in-reach") == "any":
        units = attack.attackers if em.side == attack.side else attack.defenders or units
    values = position.game.values["artillery"].values
    standing = [position.pieces[name] for name in units if position.pieces[name].where in grid]
    if em.where not in grid or not standing:
        return None
    distances = [grid.distance(em.where, piece.where) for piece in standing]
    total, each = count + attack.artillery.get(em.id, 0), values.integer("beyond")
    if min(distances) <= values.integer("reach") or total <= each:
        return None
    facts: Facts = {"EM": em.id, "hexes": min(distances), "points": total, "units": units}
    says = (
        f"{name_of(position, em.id)} places {counted(total, 'artillery point')};"
        f" its nearest unit is {min(distances)} hexes away, so the limit is {each}."
    )
    unproven = total <= each * len(standing) and position.game.adopted("distant-artillery") == "unproven"
    return Breach(says, facts, Grade.unproven if unproven else Grade.illegal)


@rules.on("artillery", clause="9.2a 9.2h")
def no_artillery_without_supply(position: Position, action: Action) -> Iterator[Breach]:
    """If one of several units is in supply that is enough, except in a stricter interpretation."""
    found = _placed(position, action)
    if found is None:
        return
    attack, em, _ = found
    if not is_on_map(position, em):
        return  # which is reported
    if is_out_of_supply(position, em):
        yield Breach(
            f"{name_of(position, em.id)} places artillery, but is out of supply and has none.",
            {"EM": em.id},
            clause="9.2h",
        )
        return
    units = divisional(position, attack, em.id)
    short = tuple(name for name in units if is_out_of_supply(position, position.pieces[name]))
    strict = position.game.adopted("artillery-of-mixed-groups") == "no"
    if short and (strict or short == units):
        be, they_take = ("is", "it takes") if len(short) == 1 else ("are", "they take")
        says = f"{names_of(position, short)} {be} out of supply"
        if short == units:
            says += f" and cannot receive artillery from {name_of(position, em.id)}."
        else:
            says += f"; {name_of(position, em.id)} may not support a combat in which {they_take} part."
        yield Breach(says, {"EM": em.id, "units": short}, clause="9.2a")


@rules.on("face down", clause="6.2d 6.3d")
def an_em_with_points_stays_face_up(position: Position, action: Action) -> Breach | None:
    """A retreat with its units costs an EM nothing [6.3d]."""
    em = position.pieces[action.piece]
    left = artillery_left(position, em)
    if left == 0 or (is_out_of_supply(position, em) and is_turned_down_without_supply(position)):
        return None
    facts: Facts = {"EM": em.id, "left": left}
    if any(em.id in attack.retreated for attack in attacks(position)):
        return Breach(
            f"{name_of(position, em.id)} is turned face down, but a retreat does not cost it its artillery.",
            facts,
            Grade.slip,
            "6.3d",
        )
    return Breach(
        f"{name_of(position, em.id)} is turned face down but has {counted(left, 'artillery point')} left.",
        facts,
        Grade.slip,
        "6.2d",
    )


@rules.on("mark artillery", clause="6.2b 6.2e")
def an_em_shows_the_points_it_has(position: Position, action: Action) -> Breach | None:
    """Points restored before the turn ends may correct a mistake; points removed are bookkeeping."""
    em, shown = position.pieces[action.piece], points_said(action.words[0])
    left = artillery_left(position, em)
    if shown == left or (position.phase == "end" and shown > left):
        return None
    has = counted(left, "artillery point")
    says = f"{name_of(position, em.id)} has {has} left; its marker shows {shown}."
    facts: Facts = {"EM": em.id, "left": left, "shown": shown}
    if shown < left:
        return Breach(says, facts, Grade.slip, "6.2e")
    return Breach(says, facts, Grade.unproven, "6.2b")


@rules.does("mark artillery")
def mark(position: Position, action: Action) -> Position:
    """Show a number of points."""
    shown = points_said(action.words[0])
    if shown < artillery_left(position, position.pieces[action.piece]):
        position = position.with_note(TURNED_IN_ERROR, action.piece, True)
    return position.with_state(action.piece, ARTILLERY, Mark(shown))


@rules.leaving("supply", clause="9.2h")
def ems_without_supply_are_turned_face_down(position: Position) -> Iterator[Breach]:
    """In another interpretation, only."""
    for em in position.pieces.values() if is_turned_down_without_supply(position) else ():
        mine = is_em(em) and em.side == position.side and is_on_map(position, em)
        if mine and is_out_of_supply(position, em) and artillery_left(position, em):
            yield Breach(
                f"{name_of(position, em.id)} is out of supply and must be turned face down; it is not.",
                {"EM": em.id},
                Grade.slip,
            )


@rules.does("artillery")
def place(position: Position, action: Action) -> Position:
    """Use the points in the attack; the side has answered."""
    attack, em = attack_of(position, action), position.pieces[action.piece]
    count = points_said(action.words[0])
    position = _used(position, em, count)
    if attack is None or attack.rolled:
        return position
    artillery = {**attack.artillery, em.id: attack.artillery.get(em.id, 0) + count}
    return position.with_battle(_answered(evolve(attack, artillery=artillery), em.side))


@ATTACKS.does(rules, "no artillery", stage="waiting")
def decline(position: Position, action: Action, attack: Attack) -> Position:
    """The side places none; an attack for which artillery is declared is fixed."""
    return position.with_battle(_answered(attack, action.words[0]))


def _used(position: Position, em: Piece, count: int) -> Position:
    """The position with points of an EM used; after the last one it is turned face down [6.2d]."""
    left = max(artillery_left(position, em) - count, 0)
    by_phase = spent(position, em.id)
    by_phase = {**by_phase, position.date: by_phase.get(position.date, 0) + count}
    position = position.with_note(ARTILLERY_USED, em.id, by_phase)
    return position.with_state(em.id, ARTILLERY, Mark(left)) if count else position


def _answered(attack: Attack, side: str) -> Attack:
    answered = attack.answered if side in attack.answered else (*attack.answered, side)
    return evolve(attack, answered=answered, modifier=None)


@rules.proposes
def possible_artillery(position: Position, piece: Piece) -> Iterator[Action]:
    """The points of an EM for the current attacks in which its units fight."""
    if not is_em(piece):
        return
    for attack in attacks(position):
        if attack.rolled or not divisional(position, attack, piece.id):
            continue
        for count in range(1, artillery_left(position, piece) + 1):
            yield Action("artillery", (piece.id,), words=(str(count),), battle=attack.number)
