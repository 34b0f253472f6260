"""Losses: who is reduced, who becomes a battlegroup, who is gone."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.patton1943.air_losses import lost_in_the_air
from referee.games.patton1943.battle import (
    SETTLING,
    Fight,
    based,
    defending_unit,
    fight_for,
    fights,
    involved,
    is_natural,
    is_spared,
    must_retreat,
    targets,
)
from referee.games.patton1943.facts import (
    FLYING,
    battlegroup_waits,
    box,
    is_air,
    is_battlegroup,
    is_on_map,
    is_reduced,
    is_unit,
    occupied,
    stays_reduced,
)
from referee.games.patton1943.lines import ways_out
from vassalgen.game.provenance import Provenance

rules = Section("Losses", Provenance("rulebook", "13"))


def _hit(fight: Fight, side: str) -> bool:
    """Tell whether a side owes a loss to a die."""
    return bool(fight.attack_hit if side == fight.enemy else fight.defence_hit)


def _decides(position: Position, fight: Fight, side: str) -> bool:
    """Tell whether a natural 1 or 12 of the enemy decides whether a side owes a loss [11m, 12g]."""
    if side == fight.enemy:
        return is_natural(position, fight.attack_die, fight.attack_added, fight.factor)
    return is_natural(position, fight.defence_die, fight.defence_added, fight.defending)


def _by_die(position: Position, fight: Fight, side: str, attacked: str, attacking: str) -> str:
    """The clause of a die that a side suffers from: of natural 1 and 12 if they decide it."""
    if _decides(position, fight, side):
        return "11m" if side == fight.enemy else "12g"
    return attacked if side == fight.enemy else attacking


@rules.on("lose", "eliminate", clause="13h 11l 11m 12f 12g")
def one_hit_costs_one_loss(position: Position, action: Action) -> Breach | None:
    """A loss needs a hit; eliminations for want of a retreat are not counted."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if is_air(piece) or fight is None or not fight.rolled or piece.id not in involved(position, fight):
        return None
    facts: Facts = {"unit": piece.id, "target": fight.target}
    if not _hit(fight, piece.side):
        if action.verb == "eliminate" and _may_be_gone(position, fight, piece):
            return None
        clause = _by_die(position, fight, piece.side, "11l", "12f")
        return Breach(f"{piece.id} takes a loss, and nobody hit", facts, clause=clause)
    before = fight.suffered.get(piece.side, ())
    due_to_leave = piece.id in fight.defenders and must_retreat(position, fight)
    if not before or (action.verb == "eliminate" and due_to_leave):
        return None  # whether it could retreat is asked by clause 14f
    says = f"{piece.id} takes a loss after {', '.join(before)}: one hit costs one loss"
    return Breach(says, {**facts, "before": before}, clause="13h")


@rules.on("lose", "eliminate", clause="13h")
def losses_need_a_cause(position: Position, action: Action) -> Breach | None:
    """In the battles; replacements and supply have their own verbs."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if is_air(piece) or (fight and fight.rolled and piece.id in involved(position, fight)):
        return None
    named = action.battle and fight is not None and fight.rolled
    if not is_on_map(position, piece) or position.phase == "supply" or named:
        return None
    if position.note("came in", piece.id, bool):
        return None  # turned to its reduced side, as it stands for a damaged one [16f]
    says = f"{piece.id} takes a loss without a battle"
    return Breach(says, {"unit": piece.id}, Grade.unproven)


@rules.on("lose", clause="13a 13b 13c 13d")
def only_a_full_piece_of_two_sides_is_flipped(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "steps": piece.steps}
    if is_battlegroup(piece):
        return Breach(f"{piece.id} is a battlegroup and is eliminated", facts, clause="13d")
    if piece.counter.steps == 1:
        return Breach(f"{piece.id} has one side and is eliminated", facts, clause="13c")
    if is_reduced(piece):
        return Breach(f"{piece.id} is reduced already: a battlegroup replaces it", facts, clause="13b")
    return None


@rules.on("eliminate", clause="13a")
def a_full_piece_is_flipped_first(position: Position, action: Action) -> Breach | None:
    """Unless it has one side, or could not retreat."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if piece.counter.steps == 1 or is_reduced(piece) or not is_on_map(position, piece):
        return None
    if is_air(piece) or (fight and _may_be_gone(position, fight, piece)):
        return None
    if fight and not _hit(fight, piece.side):
        return None  # told by the clause of the missing hit
    return Breach(f"{piece.id} is at full strength and is flipped", {"unit": piece.id})


@rules.on("eliminate", clause="13b")
def a_unit_stays_reduced(position: Position, action: Action) -> Breach | None:
    """If no battlegroup is left, by a reading that is not adopted; not if it could not retreat [14f]."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if not stays_reduced(position, piece) or fight is None or not _hit(fight, piece.side):
        return None
    if _may_be_gone(position, fight, piece):
        return None
    return Breach(f"no battlegroup is left for {piece.id}: it stays reduced", {"unit": piece.id})


@rules.on("lose", "eliminate", clause="13e")
def the_loss_falls_in_the_hex_that_was_hit(position: Position, action: Action) -> Breach | None:
    """Any ground piece of it, at its owner's choice, and no other."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if is_air(piece) or fight is None or not fight.rolled or piece.id in involved(position, fight):
        return None
    if not is_on_map(position, piece) or not action.battle:
        return None
    says = f"{piece.id} in {piece.where} had no part in the battle of {fight.target}"
    return Breach(says, {"unit": piece.id, "hex": piece.where, "target": fight.target})


@rules.on("lose", "eliminate", "battlegroup", clause="12h")
def losses_wait_for_the_defence_die(position: Position, action: Action) -> Breach | None:
    """Bookkeeping, as the defence is reckoned with the factor from before."""
    fight = fight_for(position, action)
    if fight is None or not fight.rolled or fight.defence_die or action.verb == "battlegroup":
        return None
    piece = position.pieces[action.piece]
    if piece.id not in fight.defenders or defending_unit(position, fight) is None or is_air(piece):
        return None
    if not fight.attack_hit:
        return None
    says = f"{piece.id} takes its loss before the defence die is thrown"
    return Breach(says, {"unit": piece.id, "target": fight.target}, Grade.slip)


@rules.on("roll defence", clause="12h")
def a_destroyed_defender_still_strikes_back(position: Position, action: Action) -> Breach | None:
    """A die with the reduced factor announced would be told by the total; here, a defence thrown too late."""
    fight = next((each for each in fights(position) if each.number == action.battle), None)
    if fight is None or not fight.rolled or fight.defence_die:
        return None
    later = tuple(each.target for each in fights(position) if each.order > fight.order)
    if not later:
        return None
    says = f"the defence of {fight.target} strikes back after the next attack"
    return Breach(says, {"target": fight.target, "since": later})


@rules.does("lose")
def lose(position: Position, action: Action) -> Position:
    """Turn the piece to its reduced side and count the loss."""
    piece = position.pieces[action.piece]
    position = _counted(position, action)
    return position.with_piece(piece.id, steps=max(piece.steps - 1, 1))


@rules.does("eliminate")
def eliminate(position: Position, action: Action) -> Position:
    """Send the piece to the dead pile of its side and count the loss."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    counts = fight is None or not _may_be_gone(position, fight, piece) or not _has_lost(fight, piece)
    position = _counted(position, action) if counts else position
    if is_on_map(position, piece):
        position = position.with_note("died in", piece.id, piece.where, "never")
    return position.with_piece(piece.id, where=box(piece.side, "dead"), states={})


def _has_lost(fight: Fight, piece: Piece) -> bool:
    return bool(fight.suffered.get(piece.side))


def _counted(position: Position, action: Action) -> Position:
    piece = position.pieces[action.piece]
    aloft = lost_in_the_air(position, piece.id)
    fight = aloft or fight_for(position, action)
    if fight is None:
        return position
    key = "air" if aloft else piece.side
    if not aloft and (is_air(piece) or piece.id not in involved(position, fight)):
        return position
    suffered = {**fight.suffered, key: (*fight.suffered.get(key, ()), piece.id)}
    return position.with_battle(evolve(fight, suffered=suffered))


def _may_be_gone(position: Position, fight: Fight, piece: Piece) -> bool:
    """Tell whether a piece of the attacked hex may be eliminated for want of a retreat [14f, 14i]."""
    if piece.id not in fight.defenders or not must_retreat(position, fight) or piece.where != fight.target:
        return False
    if is_air(piece):
        return bool(fight.attack_hit)
    return not ways_out(position, fight, piece)


@rules.on("battlegroup", clause="13b 13c 13d")
def a_battlegroup_replaces_a_reduced_unit(position: Position, action: Action) -> Breach | None:
    """In the hex where a reduced unit of its side has just been eliminated by a loss."""
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "hex": action.target}
    if is_on_map(position, piece):
        says = f"{piece.id} stands in {piece.where} and takes nobody's place"
        return Breach(says, facts, clause="13b")
    gone = replaceable(position, piece.side, action.target)
    if gone is None:
        dead = [
            each
            for each in position.pieces.values()
            if each.side == piece.side
            and is_unit(each)
            and each.id not in position.noted("battlegroup of").values()
            and position.note("died in", each.id, str) == action.target
        ]
        lost = [each for each in dead if _fell(position, each)] or dead
        if lost and all(is_battlegroup(each) for each in lost):
            says = f"{piece.id} replaces a battlegroup, which leaves none"
            return Breach(says, facts, clause="13d")
        if any(each.counter.steps == 1 for each in dead):
            says = f"{piece.id} replaces a unit of one side, which leaves no battlegroup"
            return Breach(says, facts, clause="13c")
        return Breach(f"no reduced unit was eliminated in {action.target}", facts, clause="13b")
    if piece.counter.nation != gone.counter.nation and _others_wait(position, gone):
        strict = position.game.adopted("battlegroup-nation") == "nation"
        says = f"{piece.id} replaces {gone.id} of another nation"
        return Breach(says, {**facts, "for": gone.id}, Grade.illegal if strict else Grade.unproven, "13b")
    return None


def _fell(position: Position, piece: Piece) -> bool:
    """Tell whether a piece paid for a hit in a battle of this phase."""
    return any(piece.id in fight.suffered.get(piece.side, ()) for fight in fights(position))


def _others_wait(position: Position, gone: Piece) -> bool:
    """Tell whether a battlegroup of a unit's own nation is left for it."""
    return any(
        is_battlegroup(piece) and piece.counter.nation == gone.counter.nation
        for piece in position.at(box(gone.side, "pool"))
    )


def replaceable(position: Position, side: str, where: str) -> Piece | None:
    """Return the reduced unit of a side that was eliminated in a hex and has no battlegroup yet."""
    taken = set(position.noted("battlegroup of").values())
    found = [
        piece
        for piece in position.pieces.values()
        if piece.side == side
        and position.note("died in", piece.id, str) == where
        and piece.counter.kind == "unit"
        and is_reduced(piece)
        and piece.id not in taken
    ]
    return found[-1] if found else None


@rules.does("battlegroup")
def replace(position: Position, action: Action) -> Position:
    """Put the battlegroup into the hex and remember whose it is [16f]."""
    piece = position.pieces[action.piece]
    gone = replaceable(position, piece.side, action.target)
    after = position.with_piece(piece.id, where=action.target, steps=piece.counter.steps, states={})
    if gone is None:
        return occupied(after, piece, action.target)
    for fight in fights(position):
        if gone.id in involved(position, fight):
            after = after.with_battle(evolve(fight, replaced=(*fight.replaced, piece.id)))
            if gone.id in fight.attackers:
                after = after.with_note("attacked", piece.id, fight.target, "player turn")
    after = after.with_note("battlegroup of", piece.id, gone.id, "never")
    return occupied(after, piece, action.target)


@rules.proposes
def losses(position: Position, piece: Piece) -> Iterator[Action]:
    """What the dice of the battles at hand cost a piece, in the air as well."""
    for fight in SETTLING.open(position):
        struck_back = fight.defence_die or defending_unit(position, fight) is None
        if not struck_back or not is_on_map(position, piece) or piece.is_(FLYING):
            continue
        owes = _hit(fight, piece.side) and not fight.suffered.get(piece.side)
        if piece.id in involved(position, fight) and (owes or _may_be_gone(position, fight, piece)):
            yield from (Action(verb, (piece.id,), battle=fight.number) for verb in ("lose", "eliminate"))
        if piece in based(position, fight) and must_retreat(position, fight) and not fight.attack_hit:
            yield Action("to box", (piece.id,), battle=fight.number)
    if lost_in_the_air(position, piece.id) is not None and is_on_map(position, piece):
        yield from (Action(verb, (piece.id,)) for verb in ("lose", "eliminate"))


@rules.proposes
def battlegroups(position: Position, piece: Piece) -> Iterator[Action]:
    """A battlegroup from the pool for each reduced unit that a battle has just cost; what is settled."""
    for fight in SETTLING.open(position):
        if is_battlegroup(piece) and piece.where == box(piece.side, "pool"):
            for where in (fight.stood, fight.target):
                if replaceable(position, piece.side, where) is not None:
                    yield Action("battlegroup", (piece.id,), target=where, battle=fight.number)
        if piece.id == fight.unit:
            yield Action("settle", battle=fight.number)


@SETTLING.rule(rules, clause="11k 11m 12e 12g 13b")
def hits_are_paid(position: Position, fight: Fight) -> Iterator[Breach]:
    """Each hit costs the other side a loss; a reduced unit that took it leaves a battlegroup."""
    if fight.attack_hit and not fight.suffered.get(fight.enemy):
        ground = [piece for piece in targets(position, fight) if not is_air(piece)]
        if any(is_on_map(position, piece) for piece in ground) and not is_spared(
            position, fight, fight.enemy
        ):
            says = f"the attack on {fight.target} hit, and nobody there takes a loss"
            clause = _by_die(position, fight, fight.enemy, "11k", "12e")
            yield Breach(says, {"target": fight.target, "die": fight.attack_die}, clause=clause)
    if (
        fight.defence_hit
        and not fight.suffered.get(fight.side)
        and not is_spared(position, fight, fight.side)
    ):
        says = f"the defence of {fight.target} hit, and nobody in {fight.stood} takes a loss"
        clause = _by_die(position, fight, fight.side, "11k", "12e")
        yield Breach(says, {"hex": fight.stood, "die": fight.defence_die}, clause=clause)
    for side in (fight.side, fight.enemy):
        for name in fight.suffered.get(side, ()):
            piece = position.pieces[name]
            where = position.note("died in", name, str)
            if where is None or replaceable(position, side, where) != piece:
                continue
            if battlegroup_waits(position, side):
                says = f"{name} was reduced already, and no battlegroup takes its place"
                yield Breach(says, {"unit": name, "hex": where}, Grade.unproven, "13b")


@SETTLING.rule(rules, clause="12a")
def the_attacked_unit_strikes_back(position: Position, fight: Fight) -> Iterator[Breach]:
    """A die that was not thrown is a waiver, by the reading adopted."""
    if fight.defence_die or defending_unit(position, fight) is None:
        return
    grade = Grade.unproven if position.game.adopted("defence-waived") == "failed" else Grade.illegal
    yield Breach(f"no defence die is thrown for {fight.target}", {"target": fight.target}, grade)
