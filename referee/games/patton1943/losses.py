"""Losses: reduced units, battlegroups, eliminated pieces."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.patton1943.air_losses import fought_in_the_air, lost_in_the_air
from referee.games.patton1943.battle import (
    HIT,
    MISS,
    SETTLING,
    Fight,
    based,
    decides,
    defenders,
    defending_unit,
    fight_for,
    fights,
    grade_of_hit,
    involved,
    is_alone,
    may_stay_unhurt,
    must_retreat,
    table_of,
    targets,
)
from referee.games.patton1943.facts import (
    FLYING,
    battlegroup_waits,
    box,
    in_phase,
    is_air,
    is_battlegroup,
    is_being_replaced,
    is_on_map,
    is_reduced,
    is_unit,
    occupied,
    stays_reduced,
)
from referee.games.patton1943.notes import (
    ATTACKED,
    BATTLEGROUP_OF,
    CAME_IN,
    FALLEN,
    LOST_SUPPLY,
    Fallen,
)
from referee.games.patton1943.retreat_paths import retreat_paths
from referee.games.patton1943.stacking import too_many_with
from referee.games.patton1943.supply_paths import is_out_of_supply
from vassalgen.game.provenance import Provenance

rules = Section("Losses", Provenance("rulebook", "13"))

ATTACK_MISTAKEN = "7.4a 10f 11e 11g 11h 11i"
"""The clauses that can explain why players took another result from an attack die."""
DEFENCE_MISTAKEN = "7.4b 12b 12c 12h"
"""The same for a defence die."""


def _clause_of(position: Position, fight: Fight, side: str, plain: str) -> str:
    """The clause of the die against a side: of a natural 1 or 12 if it decides, or of a mistake."""
    disputed = fight.is_disputed(side) or side not in fight.said
    mistake = fight.mistakes.get(side, "") if disputed else ""
    if decides(position, fight, side) and side not in fight.again:
        return "11m" if side == fight.enemy else "12g"
    return mistake or plain


def _because(fight: Fight, side: str, clause: str) -> str:
    """The sentence that explains a wrong announcement, if the breach is of its clause."""
    return f" {fight.reasons[side]}" if clause and fight.mistakes.get(side) == clause else ""


def _roll(fight: Fight, side: str) -> str:
    """Return a text for the die against a side, with the number that it was compared with."""
    what = "attack" if side == fight.enemy else "defence"
    with_what = f"DRM {fight.added(side):+d}, combat factor {fight.compared_with(side)}"
    return f"{what} roll of {fight.die(side)} ({with_what})"


def _is_reported(fight: Fight, side: str) -> bool:
    """Return whether the mistake that made a result wrong was reported as illegal when it was announced."""
    return fight.mistakes.get(side) == ""


def _outcomes(fight: Fight, side: str) -> Facts:
    """Both outcomes of the die against a side, if the wrong one was carried out."""
    right = fight.right(side)
    return {"die": fight.die(side), "right": HIT if right else MISS, "played": MISS if right else HIT}


@rules.on("lose", "eliminate", clause=f"11l 11m {ATTACK_MISTAKEN}")
def a_loss_of_the_defender_needs_a_hit_of_the_attack(position: Position, action: Action) -> Breach | None:
    """A natural 12 never hits."""
    fight = _battle_of_a_loss(position, action)
    if fight is None or not _defends(position, action, fight):
        return None
    return _without_a_hit(position, action, fight, "11l")


@rules.on("lose", "eliminate", clause=f"12f 12g {DEFENCE_MISTAKEN}")
def a_loss_of_the_attacker_needs_a_hit_of_the_defence(position: Position, action: Action) -> Breach | None:
    """A natural 12 never hits."""
    fight = _battle_of_a_loss(position, action)
    if fight is None or _defends(position, action, fight):
        return None
    return _without_a_hit(position, action, fight, "12f")


def _defends(position: Position, action: Action, fight: Fight) -> bool:
    return position.pieces[action.piece].side == fight.enemy


def _without_a_hit(position: Position, action: Action, fight: Fight, plain: str) -> Breach | None:
    """A loss by a die that missed: by the clause on misses, or by that of the mistake about it."""
    piece = position.pieces[action.piece]
    if fight.right(piece.side):
        return None
    if _is_reported(fight, piece.side) and fight.is_disputed(piece.side):
        return None
    clause = _clause_of(position, fight, piece.side, plain)
    says = (
        f"{name_of(position, piece.id)} takes a loss; the {_roll(fight, piece.side)} missed."
        f"{_because(fight, piece.side, clause)}"
    )
    grade = grade_of_hit(position, fight, piece.side)
    facts: Facts = {"unit": piece.id, "target": fight.target, **_outcomes(fight, piece.side)}
    return Breach(says, facts, grade, clause, table_of(position, fight, piece.side))


@rules.on("lose", "eliminate", clause="13h")
def one_hit_costs_one_loss(position: Position, action: Action) -> Breach | None:
    piece, fight = position.pieces[action.piece], _battle_of_a_loss(position, action)
    before = fight.suffered.get(piece.side, ()) if fight is not None else ()
    if fight is None or not fight.right(piece.side) or not before or _is_replaced(position, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} takes a loss after {names_of(position, before)};"
        " one hit causes only 1 loss."
    )
    return Breach(says, {"unit": piece.id, "target": fight.target, "before": before})


def _battle_of_a_loss(position: Position, action: Action) -> Fight | None:
    """The battle in whose dice a ground piece takes a loss.

    None if it is eliminated because it cannot retreat: clause 14f checks whether it could.
    """
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if is_air(piece) or fight is None or not fight.rolled or piece.id not in involved(position, fight):
        return None
    return None if _goes_without_a_loss(position, action, fight) else fight


def _goes_without_a_loss(position: Position, action: Action, fight: Fight) -> bool:
    """Return whether a piece that must retreat is eliminated, and not for a hit: another piece took it."""
    piece = position.pieces[action.piece]
    due_to_leave = piece.id in defenders(position, fight) and must_retreat(position, fight)
    return action.verb == "eliminate" and due_to_leave and not _has_losses_left(fight, piece.side)


@rules.on("lose", "eliminate", clause="13h")
def losses_need_a_cause(position: Position, action: Action) -> Breach | None:
    """A hit in a battle; losses in the Supply Phase are checked there."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if is_air(piece) or (fight and fight.rolled and piece.id in involved(position, fight)):
        return None
    named = action.battle and fight is not None and fight.rolled and is_on_map(position, piece)
    if named or piece.where in ("", box(piece.side, "dead")):
        return None
    if action.verb == "lose" and not is_on_map(position, piece):
        return None  # which side of a piece is up in a box does not matter
    if is_being_replaced(position, action):
        return None
    if position.note(CAME_IN, piece.id):
        return None  # turned to its reduced side, as it stands for a damaged one [16f]
    if position.phase == "supply" and is_on_map(position, piece):
        return None  # it is lost for supply
    says = f"{name_of(position, piece.id)} takes a loss {in_phase(position)}; only pieces in a battle do."
    # Otherwise a battle may be undeclared, or the piece may be put aside.
    proved = is_on_map(position, piece) and position.phase in ("movement", "return", "replacement", "end")
    grade = Grade.illegal if proved else Grade.unproven
    return Breach(says, {"unit": piece.id, "phase": position.phase}, grade)


@rules.on("lose", clause="13a 13b 13c 13d")
def only_a_full_piece_of_two_sides_is_flipped(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "steps": piece.steps}
    name = name_of(position, piece.id)
    if is_battlegroup(piece):
        return Breach(
            f"{name} is reduced; a battlegroup that takes a loss must be eliminated.", facts, clause="13d"
        )
    if piece.counter.steps == 1:
        return Breach(f"{name} is reduced; it has only 1 step and must be eliminated.", facts, clause="13c")
    if is_reduced(piece) and not is_air(piece) and not _came_in_reduced(position, piece):
        says = f"{name} is already reduced; a battlegroup must replace it."
        return Breach(says, facts, clause="13b")
    return None


def _came_in_reduced(position: Position, piece: Piece) -> bool:
    """Return whether a two-star piece has just entered reduced, which may be written again."""
    return position.phase == "end" and position.note(CAME_IN, piece.id) is True


@rules.on("eliminate", clause="13a")
def a_full_piece_is_flipped_first(position: Position, action: Action) -> Breach | None:
    """Unless it has only one side, or could not retreat."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if piece.counter.steps == 1 or is_reduced(piece) or not is_on_map(position, piece):
        return None
    if is_air(piece) or (fight and _may_be_gone(position, fight, piece)):
        return None
    if fight and (not fight.may_be_hit(piece.side) or _goes_without_a_loss(position, action, fight)):
        return None  # reported by the clause of the missing hit, or of retreats
    says = f"{name_of(position, piece.id)} is eliminated at full strength; it may only be reduced."
    return Breach(says, {"unit": piece.id})


@rules.on("eliminate", clause="13b")
def a_unit_stays_reduced(position: Position, action: Action) -> Breach | None:
    """If no battlegroup is left, in an interpretation that is not adopted; not if it could not
    retreat [14f].
    """
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if not stays_reduced(position, piece) or fight is None or not fight.may_be_hit(piece.side):
        return None
    if _may_be_gone(position, fight, piece):
        return None
    says = f"{name_of(position, piece.id)} is eliminated; as no battlegroup is left, it stays reduced."
    return Breach(says, {"unit": piece.id})


@rules.on("lose", "eliminate", clause="13e")
def the_loss_falls_in_the_hex_that_was_hit(position: Position, action: Action) -> Breach | None:
    """Any ground piece in it, at its owner's choice, and no other."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if is_air(piece) or fight is None or not fight.rolled or piece.id in involved(position, fight):
        return None
    if not is_on_map(position, piece) or not action.battle:
        return None
    says = (
        f"{name_of(position, piece.id)} in {piece.where} takes a loss from the battle for {fight.target};"
        " only pieces in that battle do."
    )
    return Breach(says, {"unit": piece.id, "hex": piece.where, "target": fight.target})


@rules.on("lose", "eliminate", "battlegroup", clause="12h")
def losses_wait_for_the_defence_roll(position: Position, action: Action) -> Breach | None:
    """Bookkeeping, because the defence is rolled with the factor before the loss."""
    fight = fight_for(position, action)
    if fight is None or not fight.rolled or fight.defence_die or action.verb == "battlegroup":
        return None
    piece = position.pieces[action.piece]
    if piece.id not in fight.defenders or defending_unit(position, fight) is None or is_air(piece):
        return None
    if not fight.may_be_hit(fight.enemy):
        return None
    says = f"{name_of(position, piece.id)} takes its loss before the defence roll, which comes first."
    return Breach(says, {"unit": piece.id, "target": fight.target}, Grade.slip)


@rules.on("roll defence", clause="12h")
def a_destroyed_defender_still_strikes_back(position: Position, action: Action) -> Breach | None:
    """A defence rolled too late; a wrong factor is reported where it is announced."""
    fight = next((each for each in fights(position) if each.number == action.battle), None)
    if fight is None or not fight.rolled or fight.defence_die:
        return None
    later = tuple(each.target for each in fights(position) if each.order > fight.order)
    if not later:
        return None
    says = (
        f"The defence roll for {fight.target} is made after the attack on {later[0]};"
        " it must come before the next attack."
    )
    return Breach(says, {"target": fight.target, "since": later})


@rules.does("lose")
def lose(position: Position, action: Action) -> Position:
    """Turn the piece to its reduced side and count the loss."""
    piece = position.pieces[action.piece]
    position = _counted(position, action)
    again = _came_in_reduced(position, piece)
    if is_on_map(position, piece) and leaves_a_battlegroup(piece) and not again:
        position = position.with_note(FALLEN, piece.id, Fallen(piece.where))
    return position.with_piece(piece.id, steps=max(piece.steps - 1, 1))


@rules.does("eliminate")
def eliminate(position: Position, action: Action) -> Position:
    """Move the piece to the dead pile of its side and count the loss; one that waits in a box stays there."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if piece.where in (box(piece.side, "pool"), box(piece.side, "out")):
        return position
    if _is_replaced(position, piece):
        return position  # its battlegroup came first
    counts = fight is None or not _may_be_gone(position, fight, piece) or not _has_lost(fight, piece)
    position = _counted(position, action) if counts else position
    if counts and is_on_map(position, piece) and leaves_a_battlegroup(piece):
        position = position.with_note(FALLEN, piece.id, Fallen(piece.where))
    return position.with_piece(piece.id, where=box(piece.side, "dead"), states={})


def leaves_a_battlegroup(piece: Piece) -> bool:
    """Return whether a battlegroup replaces a piece that is reduced once more [13b, 13c, 13d]."""
    return piece.counter.kind == "unit" and is_reduced(piece)


def _is_replaced(position: Position, piece: Piece) -> bool:
    """Return whether a battlegroup has replaced a unit already."""
    return piece.id in position.noted(BATTLEGROUP_OF).values() and not is_on_map(position, piece)


def _has_lost(fight: Fight, piece: Piece) -> bool:
    return bool(fight.suffered.get(piece.side))


def _has_losses_left(fight: Fight, side: str) -> bool:
    """Return whether a hit on a side is still to be paid."""
    return fight.right(side) and not fight.suffered.get(side)


def _counted(position: Position, action: Action) -> Position:
    piece = position.pieces[action.piece]
    aloft = lost_in_the_air(position, piece.id) or fought_in_the_air(position, piece.id)
    fight = aloft or fight_for(position, action)
    if fight is None:
        return position
    key = "air" if aloft else piece.side
    alone = piece in based(position, fight) and is_alone(position, fight)
    if not aloft and ((is_air(piece) and not alone) or piece.id not in involved(position, fight)):
        return position
    suffered = {**fight.suffered, key: (*fight.suffered.get(key, ()), piece.id)}
    return position.with_battle(evolve(fight, suffered=suffered))


def _may_be_gone(position: Position, fight: Fight, piece: Piece) -> bool:
    """Return whether a piece of the attacked hex may be eliminated because it has no retreat [14f, 14i]."""
    if piece.where != fight.target or not must_retreat(position, fight):
        return False
    if piece.id not in defenders(position, fight):
        return False
    if is_air(piece):
        return fight.may_be_hit(fight.enemy)
    return not retreat_paths(position, fight, piece)


@rules.on("battlegroup", clause="7.7d 13b 13c 13d")
def a_battlegroup_replaces_a_reduced_unit(position: Position, action: Action) -> Breach | None:
    """In the hex where a reduced unit of its side has just been eliminated by a loss."""
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "hex": action.target}
    name = name_of(position, piece.id)
    if is_on_map(position, piece):
        says = (
            f"{name} comes in as a battlegroup in {action.target};"
            f" it is already on the map, in {piece.where}."
        )
        return Breach(says, facts, clause="13b")
    if piece.where == box(piece.side, "dead"):
        says = (
            f"{name} comes back from the dead pile to {action.target};"
            " an eliminated battlegroup never returns."
        )
        return Breach(says, facts, clause="7.7d")
    gone = to_be_replaced(position, piece.side, action.target)
    if gone is None:
        lost = [each for each in _lost_in(position, action.target) if each.side == piece.side]
        if lost and all(is_battlegroup(each) for each in lost):
            says = (
                f"{name} replaces a battlegroup in {action.target};"
                " a battlegroup is eliminated without replacement."
            )
            return Breach(says, facts, clause="13d")
        if any(is_unit(each) and each.counter.steps == 1 for each in lost):
            says = (
                f"{name} replaces a unit with only 1 step in {action.target};"
                " such a unit leaves no battlegroup."
            )
            return Breach(says, facts, clause="13c")
        says = (
            f"{name} comes in as a battlegroup in {action.target};"
            " a reduced unit must have been eliminated there."
        )
        return Breach(says, facts, clause="13b")
    if own := () if piece.counter.nation == gone.counter.nation else _of_its_nation(position, gone):
        strict = position.game.adopted("battlegroup-nation") == "nation"
        says = f"{name} replaces {name_of(position, gone.id)}, although {name_of(position, own[0])} is left."
        return Breach(says, {**facts, "for": gone.id}, Grade.illegal if strict else Grade.unproven, "13b")
    return None


def _lost_in(position: Position, where: str) -> list[Piece]:
    """The units lost in a hex in this phase, by a hit or for supply, that no battlegroup has replaced."""
    replaced = set(position.noted(BATTLEGROUP_OF).values())
    fallen = [
        name
        for fight in fights(position)
        for side, hex_ in ((fight.side, fight.stood), (fight.enemy, fight.target))
        if hex_ == where
        for name in fight.suffered.get(side, ())
    ]
    fallen += [name for name, hex_ in position.noted(LOST_SUPPLY).items() if hex_ == where]
    lost = [position.pieces[name] for name in fallen if name not in replaced]
    return [piece for piece in lost if is_unit(piece) and not is_on_map(position, piece)]


def _of_its_nation(position: Position, gone: Piece) -> tuple[str, ...]:
    """Return the waiting battlegroups of a unit's nation."""
    waiting = position.at(box(gone.side, "pool"))
    own = (each for each in waiting if each.counter.nation == gone.counter.nation)
    return tuple(each.id for each in own if is_battlegroup(each))


def to_be_replaced(position: Position, side: str, where: str) -> Piece | None:
    """Return the unit that a battlegroup of a side replaces in a hex: it was eliminated there, or must be.

    A battlegroup may enter before its unit is taken off, or alone: then it takes the unit off.
    """
    if (gone := replaceable(position, side, where)) is not None:
        return gone
    hit = [fight for fight in SETTLING.open(position) if fight.rolled and fight.may_be_hit(side)]
    for piece in position.at(where):
        if piece.side == side and leaves_a_battlegroup(piece):
            unpaid = (fight for fight in hit if not fight.suffered.get(side))
            if any(piece.id in involved(position, fight) for fight in unpaid):
                return piece
            if is_lost_for_supply(position, piece):
                return piece
    return None


def is_lost_for_supply(position: Position, piece: Piece) -> bool:
    """Return whether a reduced unit is on the map and must be eliminated in the Supply Phase of its side."""
    if position.phase != "supply" or position.side != piece.side or not is_on_map(position, piece):
        return False
    due = (LOST_SUPPLY, piece.id) not in position.notes and leaves_a_battlegroup(piece)
    return due and is_out_of_supply(position, piece)


def replaceable(position: Position, side: str, where: str) -> Piece | None:
    """Return the reduced unit of a side that was eliminated in a hex and has no battlegroup yet."""
    names = [name for name, fallen in position.noted(FALLEN).items() if fallen.where == where]
    found = [position.pieces[name] for name in names if position.pieces[name].side == side]
    return found[-1] if found else None


@rules.on("battlegroup", clause="6a")
def a_battlegroup_comes_in_the_place_of_its_unit(position: Position, action: Action) -> Iterator[Breach]:
    """A battlegroup that replaces no unit is reported by its own clause only [13b]."""
    piece = position.pieces[action.piece]
    gone = to_be_replaced(position, piece.side, action.target)
    if gone is not None and piece.where != action.target:
        without = position.with_piece(gone.id, where=box(gone.side, "dead"), states={})
        yield from too_many_with(without, piece, action.target)


@rules.does("battlegroup")
def replace(position: Position, action: Action) -> Position:
    """Put the battlegroup into the hex and remember which unit it replaced [16f]."""
    piece = position.pieces[action.piece]
    gone = to_be_replaced(position, piece.side, action.target)
    if gone is not None and is_on_map(position, gone):
        if (FALLEN, gone.id) not in position.notes:
            position = _counted(position, Action("eliminate", (gone.id,), battle=action.battle))
        position = position.with_piece(gone.id, where=box(gone.side, "dead"), states={})
    after = position.with_piece(piece.id, where=action.target, steps=piece.counter.steps, states={})
    if gone is None:
        return occupied(after, piece, action.target)
    for fight in fights(position):
        if gone.id in involved(position, fight):
            after = after.with_battle(evolve(fight, replaced=(*fight.replaced, piece.id)))
            if gone.id in fight.attackers:
                after = after.with_note(ATTACKED, piece.id, fight.target)
    after = after.with_note(BATTLEGROUP_OF, piece.id, gone.id).without_note(FALLEN, gone.id)
    return occupied(after, piece, action.target)


@rules.proposes
def losses(position: Position, piece: Piece) -> Iterator[Action]:
    """What the dice of the current battles cost a piece, including air combat."""
    for fight in SETTLING.open(position):
        struck_back = fight.defence_die or defending_unit(position, fight) is None
        if not struck_back or not is_on_map(position, piece) or piece.is_(FLYING):
            continue
        due = fight.hit(piece.side) and not fight.suffered.get(piece.side)
        if piece.id in involved(position, fight) and (due or _may_be_gone(position, fight, piece)):
            yield from (Action(verb, (piece.id,), battle=fight.number) for verb in ("lose", "eliminate"))
        if piece in based(position, fight) and must_retreat(position, fight) and not fight.hit(fight.enemy):
            yield Action("to box", (piece.id,), battle=fight.number)
    if lost_in_the_air(position, piece.id) is not None and is_on_map(position, piece):
        yield from (Action(verb, (piece.id,)) for verb in ("lose", "eliminate"))


@rules.proposes
def battlegroups(position: Position, piece: Piece) -> Iterator[Action]:
    """A battlegroup for each reduced unit that a battle has just eliminated, and the end of a battle."""
    for fight in SETTLING.open(position):
        if is_battlegroup(piece) and piece.where == box(piece.side, "pool"):
            for where in (fight.stood, fight.target):
                if replaceable(position, piece.side, where) is not None:
                    yield Action("battlegroup", (piece.id,), target=where, battle=fight.number)
        if piece.id == fight.unit:
            yield Action("settle", battle=fight.number)


@SETTLING.rule(rules, clause=f"11k 11m {ATTACK_MISTAKEN}")
def a_hit_of_the_attack_is_paid(position: Position, fight: Fight) -> Iterator[Breach]:
    """By a piece in the attacked hex; a natural 1 is a hit."""
    if any(not is_air(piece) and is_on_map(position, piece) for piece in targets(position, fight)):
        yield from _unpaid(position, fight, fight.enemy, fight.target, "11k")


@SETTLING.rule(rules, clause=f"12e 12g {DEFENCE_MISTAKEN}")
def a_hit_of_the_defence_is_paid(position: Position, fight: Fight) -> Iterator[Breach]:
    """By a piece in the attacker's hex; a natural 1 is a hit."""
    return _unpaid(position, fight, fight.side, fight.stood, "12e")


def _unpaid(position: Position, fight: Fight, side: str, where: str, plain: str) -> Iterator[Breach]:
    """A hit that cost a side nothing, by the clause on hits or by that of the mistake about it."""
    if not fight.right(side) or fight.suffered.get(side) or may_stay_unhurt(position, fight, side):
        return
    if _is_reported(fight, side) and fight.is_disputed(side):
        return
    clause = _clause_of(position, fight, side, plain)
    says = (
        f"The {_roll(fight, side)} in the battle for {fight.target} hit;"
        f" no piece in {where} took a loss.{_because(fight, side, clause)}"
    )
    facts: Facts = {"hex": where, **_outcomes(fight, side)}
    table = table_of(position, fight, side)
    yield Breach(says, facts, grade_of_hit(position, fight, side), clause, table)


@SETTLING.rule(rules, clause="13b")
def a_reduced_unit_leaves_a_battlegroup(position: Position, fight: Fight) -> Iterator[Breach]:
    """If it took the hit, unless its battlegroup would have to retreat and could not [14f]."""
    for side in (fight.side, fight.enemy):
        for name in fight.suffered.get(side, ()):
            fallen = position.note(FALLEN, name)
            if fallen is None or is_on_map(position, position.pieces[name]):
                continue  # reported when it was flipped
            if not battlegroup_waits(position, side):
                continue
            if side == fight.enemy and _is_trapped(position, fight):
                continue
            says = (
                f"{name_of(position, name)} was already reduced and is eliminated;"
                " no battlegroup replaces it."
            )
            yield Breach(says, {"unit": name, "hex": fallen.where})


def _is_trapped(position: Position, fight: Fight) -> bool:
    """Return whether a battlegroup in the attacked hex would have to retreat and has no path.

    As the position was before the attackers advanced.
    """
    for name in fight.advanced:
        position = position.with_piece(name, where=fight.stood)
    groups = [piece for piece in position.at(box(fight.enemy, "pool")) if is_battlegroup(piece)]
    return must_retreat(position, fight) and not any(
        retreat_paths(position, fight, piece) for piece in groups
    )


@SETTLING.rule(rules, clause="12a")
def the_attacked_unit_makes_a_defence(position: Position, fight: Fight) -> Iterator[Breach]:
    """A die that was not rolled is a waiver, in the adopted interpretation."""
    if fight.defence_die or defending_unit(position, fight) is None:
        return
    grade = Grade.unproven if position.game.adopted("defence-waived") == "failed" else Grade.illegal
    says = f"No defence roll is made for {fight.target}; one must follow each attack on a unit."
    yield Breach(says, {"target": fight.target}, grade)
