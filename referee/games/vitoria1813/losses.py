"""Results: steps lost, units destroyed."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, name_of, names_of
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, lost_by, party, share
from referee.games.vitoria1813.facts import SIDES, combat_at, is_general, is_on_map, is_waiting
from referee.games.vitoria1813.movement import CHANGES_OF_HEX, GONE
from referee.games.vitoria1813.notes import (
    FELL_IN,
    FELL_NOW,
    LEFT_ZONE,
    LOST_NOW,
    LOST_STEPS,
    PAID,
    PAID_FOR,
    SPENT,
    SPENT_NOW,
    STEP_MAY_BE_DUE,
    STEPS_DUE,
)
from referee.games.vitoria1813.outcomes import by_result, duty
from referee.games.vitoria1813.paths import may_be_hemmed_in, open_paths, walks
from referee.games.vitoria1813.stacking import has_to_make_room
from vassalgen.game.provenance import Provenance

rules = Section("Losses", Provenance("rulebook", "7.4"))


@by_result(rules, "lose", clause="7.4a 6.1f")
def steps_are_lost_to_a_result(position: Position, action: Action) -> Breach | None:
    """No more than the result requires; in fire, none by the firing units [6.1f]."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled:
        return None
    if _has_step_due(position, piece):
        return None
    facts: Facts = {"unit": piece.id, "result": fight.given}
    if fight.is_fire and piece.side == fight.side:
        says = (
            f"{name_of(position, piece.id)} fired and loses a step; results against the firing side are "
            "ignored."
        )
        return Breach(says, facts, clause="6.1f")
    wanted = share(position, fight, piece.side)
    amount, lost = int(action.words[0]), lost_by(fight, piece.side)
    if wanted.eliminated or lost + amount <= wanted.steps:
        return None
    says = (
        f"{name_of(position, piece.id)} loses {counted(amount, 'step')}; the result costs its side"
        f" {counted(wanted.steps, 'step')}, and that makes {lost + amount}."
    )
    return Breach(says, facts, clause="7.4a")


def _has_step_due(position: Position, piece: Piece) -> bool:
    """Return whether a unit must lose a step for leaving a zone of control, or for a retreat into one."""
    left = position.note(LEFT_ZONE, piece.id) is not None
    retreated = position.note(STEPS_DUE, piece.id) is not None
    return left or retreated or (STEP_MAY_BE_DUE, piece.id) in position.notes


def _paid(position: Position, piece: Piece, amount: int) -> tuple[Position, int]:
    """The steps that were due are lost; if none was certainly due, those of a unit that moved with it.

    Also returns the number of steps that may have been lost for something else: all but those certainly due.
    """
    sure = (position.note(LEFT_ZONE, piece.id) is not None) + (position.note(STEPS_DUE, piece.id) or 0)
    if sure:
        steps = (position.note(LEFT_ZONE, piece.id) or "", position.note(STEPS_DUE, piece.id) or 0)
        position = position.with_note(PAID_FOR, piece.id, steps)
    position = position.without_note(LEFT_ZONE, piece.id).without_note(STEP_MAY_BE_DUE, piece.id)
    mates = (mate.id for mate in combat_at(position, piece.where, piece.side))
    due = {name: position.note(STEPS_DUE, name) or 0 for name in (piece.id, *mates)}
    name = next((name for name, steps in due.items() if steps), "")
    if name:
        position, still = position.without_note(STEPS_DUE, name), due[name] - amount
        if name != piece.id:
            position = position.with_note(STEP_MAY_BE_DUE, name, True)  # both may
        if still > 0:
            position = position.with_note(STEPS_DUE, name, still)
    return position, max(amount - sure, 0)


def _lost_perhaps(fight: Fight, side: str) -> int:
    return sum(amount for name, amount in fight.perhaps.items() if name in party(fight, side))


def _lost_beyond(position: Position, fight: Fight, side: str) -> int:
    """How many steps units of a side lost beyond the results of their other combats.

    Units that pursued, or were attacked again, may have lost them for this one.
    """
    names, found = {*party(fight, side)}, 0
    for other in fights(position):
        if other.number != fight.number and names & {*party(other, side)}:
            beyond = lost_by(other, side) - share(position, other, side).steps
            found += max(min(beyond, sum(other.lost.get(name, 0) for name in names)), 0)
    return found


@by_result(rules, "eliminate", clause="6.1f 7.4a 7.5f")
def a_beaten_unit_is_not_destroyed(position: Position, action: Action) -> Breach | None:
    """Unless by a result of E, with its last step, or because it has no path."""
    piece = position.pieces[action.piece]
    mine = [one for one in fights(position) if one.rolled and piece.id in party(one, piece.side)]
    if not mine or is_general(piece) or (SPENT, piece.id) in position.notes:
        return None
    for fight in mine:
        breach = _destroyed_by(position, piece, fight)
        if breach is None:
            return None
    return breach


def _destroyed_by(position: Position, piece: Piece, fight: Fight) -> Breach | None:
    """What is wrong if a combat destroys a unit that took part in it."""
    wanted, lost = share(position, fight, piece.side), lost_by(fight, piece.side)
    facts: Facts = {"unit": piece.id, "steps": piece.steps, "result": fight.given}
    if fight.is_fire and piece.side == fight.side:
        says = (
            f"{name_of(position, piece.id)} fired and is removed; results against the firing side are "
            "ignored."
        )
        return Breach(says, facts, clause="6.1f")
    due = (position.note(STEPS_DUE, piece.id) or 0) + ((STEP_MAY_BE_DUE, piece.id) in position.notes)
    if wanted.eliminated or piece.steps <= max(wanted.steps - lost, 0) + due:
        return None
    hemmed = has_to_make_room(position, piece, piece.where) and not open_paths(position, piece, 1)
    goes = wanted.goes and piece.id not in fight.gone
    if goes and wanted.rout:
        hemmed = hemmed or may_be_hemmed_in(position, fight, piece)
    elif goes:
        hemmed = hemmed or not walks(position, piece, wanted.retreat)
    if hemmed:
        return None
    if goes:
        says = (
            f"{name_of(position, piece.id)} is removed with {counted(piece.steps, 'step')} left although "
            "a path of retreat was open; it must retreat."
        )
        return Breach(says, facts, clause="7.5f")
    paid = f", of which {lost} {'is' if lost == 1 else 'are'} lost already" if lost else ""
    says = (
        f"{name_of(position, piece.id)} is removed with {counted(piece.steps, 'step')} left; the result"
        f" costs its side {counted(wanted.steps, 'step')} in all{paid}."
    )
    return Breach(says, facts, clause="7.4a")


@rules.on("exit", clause="7.5f")
def who_is_beaten_leaves_the_map_only_where_it_must(position: Position, action: Action) -> Breach | None:
    """It is no choice while a path of retreat or rout is open."""
    piece = position.pieces[action.piece]
    mine = [one for one in fights(position) if one.rolled and piece.id in party(one, piece.side)]
    found = [_destroyed_by(position, piece, fight) for fight in mine if piece.id not in fight.gone]
    if not found or not all(breach is not None and breach.clause == "7.5f" for breach in found):
        return None
    says = (
        f"{name_of(position, piece.id)} leaves the map although a path of retreat was open; it must retreat."
    )
    return Breach(says, {"unit": piece.id, "hex": piece.where})


@rules.on("lose", clause="7.4e")
def steps_are_lost_before_retreats(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled or _has_step_due(position, piece):
        return None
    gone = tuple(name for name, path in fight.gone.items() if path and name in party(fight, piece.side))
    if not gone or piece.id in gone:
        return None
    wanted = share(position, fight, piece.side)
    if lost_by(fight, piece.side) + int(action.words[0]) > wanted.steps:
        return None
    says = (
        f"{name_of(position, piece.id)} loses steps only after {names_of(position, gone)} retreated; "
        "losses come first."
    )
    return Breach(says, {"unit": piece.id, "gone": gone})


@rules.on(*CHANGES_OF_HEX, "exit", "attack", "fire", "lead", "support", clause="7.4f")
def a_unit_without_steps_is_destroyed(position: Position, action: Action) -> Breach | None:
    for name in action.pieces:
        if (SPENT, name) in position.notes:
            says = f"{name_of(position, name)} acts, but has no steps left; it must be removed."
            return Breach(says, {"unit": name})
        lost = position.pieces[name].where == f"{position.pieces[name].side}-lost"
        if lost and not (action.verb == "deploy" and _waits_in_its_box(position, name)):
            says = (
                f"{name_of(position, name)} acts, but was destroyed earlier; a destroyed unit never returns."
            )
            return Breach(says, {"unit": name})
    return None


@rules.leaving("movement", "fire", "combat", clause="7.4f")
def who_lost_the_last_step_is_removed(position: Position) -> Iterator[Breach]:
    for name in position.noted(SPENT_NOW):
        piece = position.pieces[name]
        if (SPENT, name) in position.notes and is_on_map(position, piece):
            says = (
                f"{name_of(position, name)} lost its last step and must be removed;"
                f" it is still in {piece.where}."
            )
            yield Breach(says, {"unit": name, "hex": piece.where})


def _waits_in_its_box(position: Position, name: str) -> bool:
    """Return whether a counter may be in the box of the losses as one that its side still sets up."""
    zones = (placement for placement in position.scenario.setup if placement.zone)
    return any(name in placement.counters for placement in zones)


@rules.does("lose")
def lose(position: Position, action: Action) -> Position:
    """Take steps off the roster; without any left the unit must be removed."""
    piece, amount = position.pieces[action.piece], int(action.words[0])
    fight = fight_for(position, action)
    if _has_step_due(position, piece):
        position, left_over = _paid(position, piece, amount)
        if left_over and fight is not None and fight.rolled:
            perhaps = {**fight.perhaps, piece.id: fight.perhaps.get(piece.id, 0) + left_over}
            position = position.with_battle(evolve(fight, perhaps=perhaps))
    elif fight is not None and fight.rolled:
        lost = {**fight.lost, piece.id: fight.lost.get(piece.id, 0) + amount}
        position = position.with_battle(evolve(fight, lost=lost))
    elif position.phase == "movement":
        position = position.with_note(PAID, piece.id, piece.steps)  # before it leaves the zone of control
    for kind in (LOST_STEPS, LOST_NOW):
        position = position.with_note(kind, piece.id, (position.note(kind, piece.id) or 0) + amount)
    left = piece.steps - amount
    if left <= 0:
        position = position.with_note(SPENT, piece.id, True).with_note(SPENT_NOW, piece.id, True)
        return position.with_piece(piece.id, steps=1)
    return position.with_piece(piece.id, steps=left)


@rules.does("eliminate")
def eliminate(position: Position, action: Action) -> Position:
    """Take off the map; its steps are lost. A counter that waits to arrive goes on waiting."""
    piece = position.pieces[action.piece]
    if piece.where in GONE or is_waiting(position, piece):
        return position
    fight = fight_for(position, action)
    if fight is not None and fight.rolled:
        lost = {**fight.lost, piece.id: fight.steps.get(piece.id, piece.steps)}
        position = position.with_battle(evolve(fight, lost=lost, gone={**fight.gone, piece.id: ()}))
    if is_general(piece):
        position = position.with_note(FELL_IN, piece.id, piece.where).with_note(FELL_NOW, piece.id, True)
    position = position.without_note(LEFT_ZONE, piece.id)
    return position.with_piece(piece.id, where=f"{piece.side}-lost", states={})


@duty(rules, clause="7.4a")
def so_many_steps_are_lost(position: Position, fight: Fight) -> Iterator[Breach]:
    """Units that fought again since may have lost steps in the later combat that were meant for this one."""
    for side in SIDES:
        wanted = share(position, fight, side)
        names = party(fight, side)
        most = sum(_to_lose(position, fight, name) for name in names)
        due = min(wanted.steps, most)
        lost = lost_by(fight, side) + _lost_perhaps(fight, side) + _lost_beyond(position, fight, side)
        if due > lost and not wanted.eliminated:
            taken = counted(due, "step")
            says = f"The result takes {taken} from {names_of(position, names)}; {_so_few(lost)} lost."
            later = sum(_lost_later(position, fight, name) for name in names)
            grade = Grade.illegal if due > lost + later else Grade.unproven
            yield Breach(says, {"result": fight.given, "units": names}, grade)


def _so_few(lost: int) -> str:
    """Return a text for how many steps were lost if more are due."""
    return "none was" if not lost else f"only {lost} {'was' if lost == 1 else 'were'}"


def _to_lose(position: Position, fight: Fight, name: str) -> int:
    """The steps that a unit had when the die was rolled, without those that it has lost in later combats."""
    return max(fight.steps.get(name, 0) - _lost_later(position, fight, name), 0)


def _lost_later(position: Position, fight: Fight, name: str) -> int:
    """The steps that a unit has lost in combats after this one."""
    return sum(other.lost.get(name, 0) for other in fights(position) if other.order > fight.order)


@SETTLING.rule(rules, clause="7.4a")
def losses_are_shared_evenly(position: Position, fight: Fight) -> Iterator[Breach]:
    """In one interpretation: no unit loses two more than another one that had steps to lose."""
    if position.game.adopted("shared-loss") == "owner":
        return
    for side in SIDES:
        names = [name for name in party(fight, side) if name in fight.steps]
        lost = {name: fight.lost.get(name, 0) for name in names}
        spared = [name for name in names if lost[name] < fight.steps[name]]
        least, most = min((lost[name] for name in spared), default=0), max(lost.values(), default=0)
        if spared and most > least + 1 and not share(position, fight, side).eliminated:
            one = next(name for name in names if lost[name] == most)
            other = next(name for name in spared if lost[name] == least)
            says = (
                f"{name_of(position, one)} loses {counted(most, 'step')} and {name_of(position, other)}"
                f" {least};"
                " losses must be shared evenly, with no more than 1 step between them."
            )
            yield Breach(says, {"units": tuple(names), "result": fight.given})


@duty(rules, clause="7.4d")
def all_are_eliminated(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        if not share(position, fight, side).eliminated:
            continue
        left = tuple(name for name in party(fight, side) if is_on_map(position, position.pieces[name]))
        if left:
            says = (
                f"{names_of(position, left)} must be eliminated by the result {fight.given}, but"
                f" {is_or_are(left)} still on the map."
            )
            yield Breach(says, {"units": left, "result": fight.given})


@rules.proposes
def casualties(position: Position, piece: Piece) -> Iterator[Action]:
    """Steps that a result or a zone of control costs; a unit that loses the last one is destroyed."""
    if not is_on_map(position, piece):
        return
    if _has_step_due(position, piece):
        yield _loss(piece, 1, 0)
    for fight in SETTLING.open(position):
        wanted = share(position, fight, piece.side)
        if piece.id not in party(fight, piece.side):
            continue
        if wanted.eliminated:
            yield Action("eliminate", (piece.id,), battle=fight.number)
        elif piece.id in fight.steps and piece.id not in fight.lost:
            still = still_to_lose(position, fight, piece.side)
            for amount in range(1, min(still, piece.steps) + 1):
                if still - amount <= _left_to(position, fight, piece):
                    yield _loss(piece, amount, fight.number)


def _loss(piece: Piece, amount: int, battle: int) -> Action:
    if amount >= piece.steps:
        return Action("eliminate", (piece.id,), battle=battle)
    return Action("lose", (piece.id,), words=(str(amount),), battle=battle)


def _left_to(position: Position, fight: Fight, piece: Piece) -> int:
    """How many steps the other units of a side have that have not lost any yet."""
    others = [name for name in party(fight, piece.side) if name != piece.id and name not in fight.lost]
    return sum(position.pieces[name].steps for name in others if name in fight.steps)


def still_to_lose(position: Position, fight: Fight, side: str) -> int:
    """Return how many steps a side must still lose for a result."""
    names = party(fight, side)
    most = sum(fight.steps.get(name, 0) for name in names)
    return max(
        min(share(position, fight, side).steps, most) - lost_by(fight, side) - _lost_perhaps(fight, side), 0
    )
