"""Phase 3, air support, and air combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of
from referee.games.patton1943.battle import (
    FIGHTS,
    Fight,
    defending_unit,
    fight_for,
    fight_of,
    fights,
    flown,
    grade_of_winner,
    is_alone,
    losers,
    may_be_put_back,
    must_retreat,
    winner_of,
    without_flight,
)
from referee.games.patton1943.facts import (
    FLYING,
    SIDES,
    adjective,
    box,
    escapes_to_the_box,
    in_phase,
    is_air,
    is_airfield,
    is_friendly_airfield,
    is_on_map,
    where_it_is,
)
from referee.games.patton1943.notes import FLOWN, RETURNED, STEP_DUE
from referee.games.patton1943.retreats import grade_of_retreat
from vassalgen.game.provenance import Provenance

rules = Section("Air support and air combat", Provenance("rulebook", "7.3, 10"))


@FIGHTS.on(rules, "fly", clause="7.3a 7.3d")
def a_flight_is_within_range(position: Position, action: Action, fight: Fight) -> Breach | None:
    """Measured from the attacker's own hex for the attacker, from the attacked hex for the defender."""
    piece = position.pieces[action.piece]
    if not is_on_map(position, piece) or _is_still_in_the_air(position, piece):
        return None
    attacks = piece.side == fight.side
    goal = fight.stood if attacks and position.game.adopted("air-range") == "attacker" else fight.target
    grid = position.game.map.grid
    if goal not in grid:
        return None
    distance, most = grid.distance(piece.where, goal), piece.factor("range")
    if distance <= most:
        return None
    facts: Facts = {"unit": piece.id, "from": piece.where, "to": goal, "distance": distance, "range": most}
    says = (
        f"{name_of(position, piece.id)} flies {counted(distance, 'hex')}, from {piece.where} to {goal};"
        f" its range is {most}."
    )
    return Breach(says, facts, clause="7.3a" if attacks else "7.3d")


@rules.on("fly", clause="7.3a 7.3d")
def a_flight_belongs_to_a_battle(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_of(position, action), position.pieces[action.piece]
    if fight is not None and not fight.rolled and not fight.called_off:
        return None
    clause = "7.3a" if piece.side == position.side else "7.3d"
    says = (
        f"{name_of(position, piece.id)} flies {in_phase(position)};"
        " air assets fly only to a declared attack that is not rolled yet."
    )
    return Breach(says, {"unit": piece.id}, Grade.unproven, clause)


@FIGHTS.on(rules, "fly", clause="7.3b 7.3h")
def one_air_asset_of_each_side(position: Position, action: Action, fight: Fight) -> Breach | None:
    piece = position.pieces[action.piece]
    if fight.called_off:
        return None
    there = tuple(name for name in fight.flown.get(piece.side, ()) if name != piece.id)
    if not there:
        return None
    facts: Facts = {"unit": piece.id, "there": there}
    says = (
        f"{name_of(position, piece.id)} is the second {adjective(position, piece.side)} air asset"
        f" in the battle for {fight.target}; the limit is 1."
    )
    return Breach(says, facts, clause="7.3b" if piece.side == fight.side else "7.3h")


@FIGHTS.on(rules, "fly", clause="7.3f")
def the_attacker_flies_first(position: Position, action: Action, fight: Fight) -> Breach | None:
    piece = position.pieces[action.piece]
    if fight.called_off or piece.side != fight.side:
        return None
    if not (fight.flown.get(fight.enemy) or fight.enemy in fight.waived):
        return None
    if any(name != piece.id for name in fight.flown.get(fight.side, ())):
        return None  # he decided first; it is one too many [7.3b]
    says = (
        f"{name_of(position, piece.id)} flies to {fight.target} after the defender decided;"
        " the attacker decides first."
    )
    return Breach(says, {"unit": piece.id, "target": fight.target})


@rules.on("fly", clause="7.3j")
def a_flight_starts_on_an_airfield_once_a_player_turn(position: Position, action: Action) -> Breach | None:
    """An aircraft whose attack was called off may fly again, also from where it is."""
    piece = position.pieces[action.piece]
    before = flown(position, piece.id)
    facts: Facts = {"unit": piece.id, "from": piece.where or "none"}
    name = name_of(position, piece.id)
    this = fight_of(position, action)
    if _is_still_in_the_air(position, piece) or (this and piece.id in this.flown.get(piece.side, ())):
        return None
    if before:
        says = f"{name} flies again; it flies once in a player turn and has already flown to {before}."
        return Breach(says, {**facts, "before": before})
    if is_on_map(position, piece) and is_airfield(position, piece.where):
        return None
    return Breach(f"{name} flies; it must start on an airfield and is {where_it_is(position, piece)}.", facts)


@FIGHTS.does(rules, "fly")
def fly(position: Position, action: Action, fight: Fight) -> Position:
    """The asset is flying over the battle."""
    piece = position.pieces[action.piece]
    before = fight.flown.get(piece.side, ())
    there = {**fight.flown, piece.side: tuple(dict.fromkeys((*before, piece.id)))}
    return position.with_battle(evolve(fight, flown=there)).with_state(piece.id, FLYING, Mark())


def _is_still_in_the_air(position: Position, piece: Piece) -> bool:
    """Whether an aircraft is where players put it for an attack that was called off before any die."""
    return piece.is_(FLYING) and not flown(position, piece.id)


@rules.does("land")
def land(position: Position, action: Action) -> Position:
    """The flight is taken back; an aircraft that has flown stays in the air until it is in the box [7.4d]."""
    after = without_flight(position, action.piece)
    return after if flown(after, action.piece) else after.with_state(action.piece, FLYING, None)


@rules.on("no air", clause="7.3f")
def a_side_does_without_air(position: Position, action: Action) -> Breach | None:
    if action.words[0] in SIDES:
        return None
    says = f"{action.words[0]!r} does without air support; there is no such side."
    return Breach(says, {"said": action.words[0]}, Grade.slip)


@FIGHTS.does(rules, "no air")
def waive(position: Position, action: Action, fight: Fight) -> Position:
    """The side has chosen."""
    if action.words[0] not in SIDES:
        return position
    return position.with_battle(evolve(fight, waived=(*fight.waived, action.words[0])))


@FIGHTS.on(rules, "roll attack", clause="7.3i 10a")
def air_combat_comes_first(position: Position, action: Action, fight: Fight) -> Breach | None:
    """If both sides fly, the dice of air combat come first: without any of them 7.3i is broken, with only one
    10a.
    """
    if not fight.both_fly or fight.rolled:
        return None
    if len(fight.air_dice) >= len(SIDES):
        return None
    facts: Facts = {"target": fight.target, "in the air": _in_the_air(fight)}
    if fight.air_dice:
        missing = next(name for name in _in_the_air(fight) if name not in fight.air_dice)
        says = (
            f"The attack on {fight.target} is rolled;"
            f" {name_of(position, missing)} must roll for air combat first."
        )
        return Breach(says, facts, clause="10a")
    says = f"The attack on {fight.target} is rolled before the air combat, which comes first."
    return Breach(says, facts, clause="7.3i")


def _in_the_air(fight: Fight) -> tuple[str, ...]:
    return tuple(name for side in SIDES for name in fight.flown.get(side, ())[:1])


@rules.on("roll air", clause="10a")
def an_asset_that_rolls_is_in_the_air(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight and fight.both_fly and action.piece in _in_the_air(fight):
        again = fight.air_dice.get(action.piece)
        if again is None:
            return None
        says = (
            f"{name_of(position, action.piece)} rolls again for air combat; its first roll, {again}, counts."
        )
        return Breach(says, {"unit": action.piece, "first": again}, Grade.unproven)
    says = f"{name_of(position, action.piece)} rolls for air combat; no enemy air asset is in the battle."
    return Breach(says, {"unit": action.piece}, Grade.unproven)


@FIGHTS.does(rules, "roll air")
def roll(position: Position, action: Action, fight: Fight) -> Position:
    """After the second die the loser is known; an asset that rolls for air combat has flown."""
    if action.piece in fight.air_dice:
        return position
    fight = evolve(fight, air_dice={**fight.air_dice, action.piece: action.dice[0]})
    if len(fight.air_dice) == len(SIDES):
        fight = evolve(
            fight, beaten=losers({name: modified(position, fight, name) for name in fight.air_dice})
        )
    for name in _in_the_air(fight):
        position = position.with_note(FLOWN, name, fight.target)
    return position.with_battle(fight)


def modified(position: Position, fight: Fight, name: str) -> int:
    """Return a die of air combat, less the asset's support [10b]."""
    return fight.air_dice[name] + position.pieces[name].factor("support")


@rules.on("air result", clause="10b")
def a_result_is_the_die_less_the_own_support(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or action.piece not in fight.air_dice:
        says = f"An air combat result of {name_of(position, action.piece)} is announced; it must roll first."
        return Breach(says, {"unit": action.piece}, Grade.unproven)
    right = modified(position, fight, action.piece)
    if int(action.words[0]) == right:
        return None
    die = fight.air_dice[action.piece]
    facts: Facts = {"die": die, "support": position.pieces[action.piece].factor("support"), "right": right}
    says = (
        f"{name_of(position, action.piece)} rolls {die}, modified to {right};"
        f" {action.words[0]} was announced."
    )
    return Breach(says, facts, Grade.slip)


@FIGHTS.does(rules, "air result")
def announce(position: Position, action: Action, fight: Fight) -> Position:
    """Remember the announced result of a die."""
    return position.with_battle(evolve(fight, results={**fight.results, action.piece: int(action.words[0])}))


@rules.on("air winner", clause="10c")
def the_lower_result_wins(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or len(fight.air_dice) < len(SIDES):
        return Breach("A winner of air combat is announced; both sides must roll first.", {}, Grade.unproven)
    right = winner_of(position, fight)
    if action.words[0] == right:
        return None
    played = tuple(f"{name} {modified(position, fight, name)}" for name in fight.air_dice)
    results = listed(
        [f"{name_of(position, name)} {modified(position, fight, name)}" for name in fight.air_dice]
    )
    who = (
        "both sides lose"
        if right == "none"
        else f"the lower result wins, that of the {position.game.sides[right].title}"
    )
    says = f"The wrong winner of air combat is announced. Results: {results}; {who}."
    return Breach(says, {"results": played, "right": right}, Grade.slip)


@rules.does("air winner")
def declare_the_winner(position: Position, action: Action) -> Position:
    """Remember which side was announced as the winner, or none."""
    fight = fight_of(position, action)
    return position if fight is None else position.with_battle(evolve(fight, winner=action.words[0]))


@rules.on("to box", clause="7.4d 13g")
def an_asset_in_the_box_has_flown_or_was_missed(position: Position, action: Action) -> Breach | None:
    """On the ground only aircraft without a unit in their hex are sent there, if the attack missed.

    Aircraft that were taken off by mistake are put back there.
    """
    piece, facts = position.pieces[action.piece], {"unit": action.piece}
    name = name_of(position, piece.id)
    if may_be_put_back(position, piece):
        return None
    if piece.where == box(piece.side, "dead"):
        says = (
            f"{name} is put in the Return to Base box; only a surviving air asset is, and it was eliminated."
        )
        return Breach(says, facts, clause="7.4d")
    if flown(position, piece.id) or piece.is_(FLYING) or piece.where == box(piece.side, "returning"):
        return None
    lone = [
        each
        for each in fights(position)
        if each.rolled and piece.id in each.defenders and defending_unit(position, each) is None
    ]
    if any(not each.hit(each.enemy) or each.is_disputed(each.enemy) for each in lone):
        return None  # perhaps sent there late, after the next attack on the hex
    if any(is_alone(position, each) for each in lone):
        says = f"{name} is put in the Return to Base box; it was hit on the ground and must be eliminated."
        return Breach(says, facts, grade_of_retreat(position, lone[-1], attack=True), "13g")
    this = fight_for(position, action)
    if this is not None and piece.id in this.defenders and must_retreat(position, this):
        return None  # it is driven off its base [14i]
    says = (
        f"{name} is put in the Return to Base box; only an air asset that has flown in this player turn is."
    )
    return Breach(says, facts, clause="7.4d")


@rules.does("to box")
def send(position: Position, action: Action) -> Position:
    """Put it into the box of its side."""
    piece = position.pieces[action.piece]
    after = without_flight(position, piece.id)
    return after.with_piece(piece.id, where=box(piece.side, "returning"), states={})


@rules.on("return", clause="7.4d 7.6a")
def aircraft_return_from_the_box(position: Position, action: Action) -> Breach | None:
    piece, name = position.pieces[action.piece], name_of(position, action.piece)
    if piece.where == box(piece.side, "returning") or position.note(RETURNED, piece.id):
        return None
    if not is_on_map(position, piece):
        says = (
            f"{name} returns to {action.target};"
            f" it must come from the Return to Base box and is {where_it_is(position, piece)}."
        )
        grade = Grade.illegal if piece.where else Grade.unproven
        return Breach(says, {"unit": piece.id, "from": piece.where or "none"}, grade, "7.6a")
    if _is_still_in_the_air(position, piece):
        return None  # the flight is taken back
    why = (
        "it must go to the Return to Base box first"
        if piece.is_(FLYING)
        else "only aircraft that have flown do"
    )
    stays = action.target == piece.where
    what = f"stays in {piece.where}" if stays else f"returns from {piece.where} to {action.target}"
    return Breach(f"{name} {what}; {why}.", {"unit": piece.id, "from": piece.where or "none"})


@rules.on("move", clause="7.4d")
def aircraft_do_not_skip_the_box(position: Position, action: Action) -> Breach | None:
    """From the hex of a battle to an airfield, unless the battle is there."""
    piece = position.pieces[action.piece]
    battle = {where for fight in fights(position) for where in (fight.stood, fight.target)}
    if not piece.is_(FLYING) or action.end in battle or not is_airfield(position, action.end):
        return None
    if position.note(FLOWN, piece.id) is None:
        return None  # the flight is taken back
    says = (
        f"{name_of(position, piece.id)} goes from {piece.where} straight back to {action.end};"
        " it must be put in the Return to Base box first."
    )
    return Breach(says, {"unit": piece.id, "from": piece.where, "to": action.end})


@rules.entering("replacement")
def all_aircraft_are_at_their_bases(position: Position) -> Position:
    """Aircraft that players left on the map count as being at their bases again."""
    for piece in position.pieces.values():
        if piece.is_(FLYING):
            position = position.with_state(piece.id, FLYING, None)
    return position


@rules.leaving("battles", clause="7.4d")
def all_that_flew_is_in_the_box(position: Position) -> Iterator[Breach]:
    for piece in position.pieces.values():
        if is_air(piece) and piece.is_(FLYING) and is_on_map(position, piece):
            says = (
                f"{name_of(position, piece.id)} has flown and must be put in the Return to Base box;"
                " it is not."
            )
            yield Breach(says, {"unit": piece.id, "hex": piece.where}, Grade.unproven)


@rules.leaving("return", clause="7.4d")
def none_is_left_in_the_air(position: Position) -> Iterator[Breach]:
    """An aircraft on a friendly airfield is where it may have returned, and was reported after
    the battles.
    """
    for piece in position.pieces.values():
        aloft = is_air(piece) and piece.is_(FLYING) and is_on_map(position, piece)
        if aloft and not is_friendly_airfield(position, piece.where, piece.side):
            says = (
                f"{name_of(position, piece.id)} has flown and is still in {piece.where}; it must go to the"
                " Return to Base box and from there to an airfield."
            )
            yield Breach(says, {"unit": piece.id, "hex": piece.where})


@rules.on("roll attack", clause="10d 10e")
def the_beaten_are_reduced_before_the_ground_fight(position: Position, action: Action) -> Iterator[Breach]:
    fight = fight_of(position, action)
    if fight is not None and not fight.rolled:
        yield from _not_reduced(position, fight)


@rules.leaving("battles", clause="10d 10e")
def the_beaten_are_reduced_without_a_ground_fight(position: Position) -> Iterator[Breach]:
    """If the attack was called off after the air combat, or its die was never rolled."""
    for fight in fights(position):
        if not fight.rolled:
            yield from _not_reduced(position, fight)


def _not_reduced(position: Position, fight: Fight) -> Iterator[Breach]:
    """The aircraft that lost in the air and are still there at full strength."""
    both = len(fight.beaten) == len(SIDES)
    for name in fight.beaten if not _has_wrong_loser(fight) else ():
        piece = position.pieces[name]
        if is_on_map(position, piece) and name not in fight.suffered.get("air", ()):
            says = (
                f"{name_of(position, name)} lost the air combat and must be reduced and put in"
                " the Return to Base box; neither was done."
            )
            yield Breach(says, {"unit": name}, _grade_of_unreduced(position, fight), "10e" if both else "10d")


def _has_wrong_loser(fight: Fight) -> bool:
    """Return whether the winner of air combat was reduced: that was reported at the time [10c]."""
    return any(name not in fight.beaten for name in fight.suffered.get("air", ()))


def _grade_of_unreduced(position: Position, fight: Fight) -> Grade:
    """Return how certain it is that a beaten asset had to be reduced: proved if neither of the two lost."""
    return grade_of_winner(position, fight) if fight.suffered.get("air") else Grade.illegal


@rules.on("to box", clause="10d 10e")
def the_beaten_go_to_the_box_reduced(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    fight = next((each for each in reversed(fights(position)) if piece.id in each.beaten), None)
    if fight is None or piece.id in fight.suffered.get("air", ()) or escapes_to_the_box(position, piece):
        return None
    if _has_wrong_loser(fight) or piece.where == box(piece.side, "dead"):
        return None
    clause = "10e" if len(fight.beaten) == len(SIDES) else "10d"
    says = (
        f"{name_of(position, piece.id)} lost the air combat and must lose a step;"
        " it is put in the Return to Base box without a loss."
    )
    return Breach(says, {"unit": piece.id}, _grade_of_unreduced(position, fight), clause)


@rules.follows("to box")
def a_step_that_is_due_is_noted(before: Position, after: Position, action: Action) -> Position:
    """It may be lost later."""
    due = the_beaten_go_to_the_box_reduced(before, action) is not None
    return after.with_note(STEP_DUE, action.piece, True) if due else after


@rules.follows("lose", "eliminate")
def a_step_that_was_due_is_lost(before: Position, after: Position, action: Action) -> Position:
    return after.without_note(STEP_DUE, action.piece)


@rules.proposes
def flights(position: Position, piece: Piece) -> Iterator[Action]:
    """To the battles that have not been rolled for; then the air combat, and the move to the box."""
    if not is_air(piece) or not is_on_map(position, piece):
        return
    for fight in fights(position):
        if not fight.rolled and not fight.called_off and not piece.is_(FLYING):
            yield Action("fly", (piece.id,), battle=fight.number)
        elif piece.id in _in_the_air(fight) and fight.both_fly and piece.id not in fight.air_dice:
            faces = range(1, position.game.dice["air"].sides + 1)
            yield from (Action("roll air", (piece.id,), dice=(face,), battle=fight.number) for face in faces)
        over = fight.rolled or fight.called_off or piece.id in fight.beaten
        if over and piece.id in fight.flown.get(piece.side, ()):
            yield Action("to box", (piece.id,), battle=fight.number)


@rules.proposes
def waivers(position: Position, piece: Piece) -> Iterator[Action]:
    """Declared by the attacking unit, and by an attacked piece on the ground."""
    for fight in fights(position):
        is_attacked = piece.side == fight.enemy and piece.where == fight.target and not is_air(piece)
        is_open = (
            not fight.rolled
            and not fight.called_off
            and piece.side not in fight.waived
            and not fight.flown.get(piece.side)
        )
        if is_open and (fight.unit == piece.id or is_attacked):
            yield Action("no air", words=(piece.side,), battle=fight.number)
