"""Whatever happens to a counter has a cause in the rules: lost steps, removed counters, placed markers.

A marker may be placed before its cause. If there can still be one, it is checked again when the phase ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, party, share
from referee.games.vitoria1813.casualties import endangered, fallen, is_near_a_fall, is_surrounded
from referee.games.vitoria1813.convoy import is_pillaged, is_wild
from referee.games.vitoria1813.facts import (
    DISORDERED,
    NEUTRALISED,
    ROUTED,
    UNCONTROLLED,
    in_ezoc,
    is_cavalry,
    is_combat,
    is_general,
    is_neutralised,
    is_on_map,
    is_train,
    is_waiting,
)
from referee.games.vitoria1813.movement import GONE
from referee.games.vitoria1813.notes import (
    APPROACH_DIE,
    APPROACHED,
    CAME_BACK,
    CASUALTY_DIE,
    CROSSED,
    DISPLACED,
    DRIVEN_TO,
    GOES_WILD,
    LEFT_ZONE,
    LOST_NOW,
    LOST_STEPS,
    MARKED_EARLY,
    MARKED_WRONGLY,
    MATE,
    MAY_HAVE_PASSED,
    MUST_TEST,
    NEVER_ROLLED_FOR,
    PAID,
    PAID_FOR,
    PASSED,
    PILLAGE_DIE,
    RAN,
    SHOVED_ON,
    SPENT,
    STEP_MAY_BE_DUE,
    STEPS_DUE,
    TRAIL,
    WILD_IN,
)
from referee.games.vitoria1813.outcomes import by_result
from referee.games.vitoria1813.paths import open_paths
from referee.games.vitoria1813.stacking import has_to_make_room, was_crossed
from vassalgen.game.provenance import Provenance

rules = Section("What has a cause", Provenance("rulebook", "4.3 to 4.5, 7.4 to 7.8, 9.2"))


def _steps_due(position: Position, name: str) -> int:
    """How many steps a unit must lose for leaving a zone of control, or for a retreat into one."""
    return ((LEFT_ZONE, name) in position.notes) + (position.note(STEPS_DUE, name) or 0)


def _may_pay(position: Position, piece: Piece) -> bool:
    """Return whether a unit may pay a step before it leaves a zone of control, or after its flight [4.3b]."""
    moves = position.phase == "movement" and position.side == piece.side and is_combat(piece)
    trail = position.note(TRAIL, piece.id)
    start = piece.where if trail is None else trail.start if piece.is_(ROUTED) else ""
    leaves = bool(start) and in_ezoc(position, start, piece.side)
    return moves and leaves and not is_cavalry(piece) and (PAID, piece.id) not in position.notes


def _has_part(position: Position, action: Action) -> bool:
    """Whether a counter took part in the combat that caused its loss, or in a current one."""
    name, this = action.piece, fight_for(position, action)
    found = (*((this,) if this is not None and this.rolled else ()), *SETTLING.open(position))
    return any(name in party(fight, position.pieces[name].side) for fight in found)


def _is_spared(position: Position, name: str) -> bool:
    """Return whether a unit was left out of a combat at its hex, as one that was attacked before [7.1f]."""
    return any(name in fight.spared for fight in fights(position))


@rules.on("lose", clause="4.3b 7.4a 7.6")
def steps_are_lost_for_a_reason(position: Position, action: Action) -> Breach | None:
    """For a result, for leaving a zone of control, for a retreat into one; for results see 7.4a."""
    piece, amount = position.pieces[action.piece], int(action.words[0])
    if _has_part(position, action) or (STEP_MAY_BE_DUE, piece.id) in position.notes:
        return None
    due = _steps_due(position, piece.id)
    if amount <= (due or _may_pay(position, piece) or _may_have_made_room(position, piece)):
        return None
    facts: Facts = {"unit": piece.id, "steps": amount, "steps due": due}
    if due:
        clause = "4.3b" if (LEFT_ZONE, piece.id) in position.notes else "7.6"
        says = f"{name_of(position, piece.id)} loses {_steps(amount)}; only {due} is due."
        return Breach(says, facts, clause=clause)
    says = (
        f"{name_of(position, piece.id)} loses {_steps(amount)}, but nothing costs it any; a unit loses steps"
        " to a combat result, and for leaving an enemy zone of control or retreating into one."
    )
    grade = Grade.unproven if _is_spared(position, piece.id) else Grade.illegal
    return Breach(says, facts, grade, "7.4a")


def _steps(amount: int) -> str:
    return f"{amount} step{'s' if amount > 1 else ''}"


@rules.on("regain", clause="7.4a")
def lost_steps_do_not_come_back(position: Position, action: Action) -> Breach | None:
    """Except a step that was lost by mistake, in this phase or perhaps earlier in the game turn."""
    piece, amount = position.pieces[action.piece], int(action.words[0])
    lost, now = (position.note(kind, piece.id) or 0 for kind in (LOST_STEPS, LOST_NOW))
    if amount <= now:
        return None
    grade, when = (Grade.unproven, "phase") if amount <= lost else (Grade.illegal, "turn")
    before = now if grade is Grade.unproven else lost
    if position.note(UNDERWAY):
        grade = Grade.unproven  # it may have lost them in this phase, unseen
    says = (
        f"{name_of(position, piece.id)} regains {_steps(amount)}; steps lost in earlier {when}s never come"
        f" back, and it lost {f'only {_steps(before)}' if before else 'none'} in this {when}."
    )
    return Breach(says, {"unit": piece.id, "steps": amount, "lost": lost}, grade)


@rules.does("regain")
def regain(position: Position, action: Action) -> Position:
    """Give steps back; they must be lost again for whatever cost them."""
    piece, amount = position.pieces[action.piece], int(action.words[0])
    left, retreat = position.note(PAID_FOR, piece.id) or ("", 0)
    to_results = sum(fight.lost.get(piece.id, 0) for fight in fights(position))
    beyond = (position.note(LOST_NOW, piece.id) or 0) - to_results - bool(left) - retreat
    if (left or retreat) and amount <= beyond:  # more than was due had been taken
        return _given_back(position, piece, amount)
    if left:
        position = position.with_note(LEFT_ZONE, piece.id, left)
    if retreat:
        position = position.with_note(STEPS_DUE, piece.id, retreat)
    if not (left or retreat):
        for fight in fights(position):
            if taken := fight.lost.get(piece.id, 0):
                still = {**fight.lost, piece.id: max(taken - amount, 0)}
                position = position.with_battle(evolve(fight, lost=still))
                break
    position = position.without_note(PAID_FOR, piece.id).without_note(PAID, piece.id)
    return _given_back(position, piece, amount)


def _given_back(position: Position, piece: Piece, amount: int) -> Position:
    for kind in (LOST_STEPS, LOST_NOW):
        lost = position.note(kind, piece.id) or 0
        position = position.with_note(kind, piece.id, max(lost - amount, 0))
    position = position.without_note(SPENT, piece.id)
    return position.with_piece(piece.id, steps=min(piece.steps + amount, piece.counter.steps))


@rules.leaving("movement", clause="4.3b")
def a_unit_that_pays_leaves_the_zone(position: Position) -> Iterator[Breach]:
    """A unit lost a step for leaving a zone of control, but stays in it and has not got the step back.

    A unit that was dragged out and back may have left it.
    """
    for name, before in position.noted(PAID).items():
        piece = position.pieces[name]
        left = (TRAIL, name) in position.notes or (CAME_BACK, name) in position.notes
        if piece.steps < before and not left and is_on_map(position, piece):
            says = (
                f"{name_of(position, name)} loses {_steps(before - piece.steps)}, but leaves no enemy "
                "zone of control; only leaving one costs a step."
            )
            # where the phase was underway it may have left another zone, unseen
            grade = Grade.unproven if position.note(UNDERWAY) else Grade.illegal
            yield Breach(says, {"unit": name, "hex": piece.where}, grade)


@rules.on("eliminate", clause="7.4f 9.2b 9.2g")
def no_counter_is_taken_off_without_cause(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if is_waiting(position, piece):
        says = f"{name_of(position, piece.id)} is put among the losses; it has not yet arrived."
        clause = "9.2b" if is_general(piece) else "7.4f"
        return Breach(says, {"unit": piece.id}, Grade.unproven, clause)
    if is_general(piece):
        return _general_taken_off(position, piece)
    if _has_part(position, action) or (SPENT, piece.id) in position.notes:
        return None
    facts: Facts = {"unit": piece.id, "steps": piece.steps}
    if piece.where in GONE:
        says = f"{name_of(position, piece.id)} is put among the losses; it has left the map."
        return Breach(says, facts, Grade.slip, "7.4f")
    if is_train(piece):
        if is_pillaged(position, piece):
            return None
        says = (
            f"{name_of(position, piece.id)} is taken off the map;"
            " it must have been destroyed or pillaged, and was not."
        )
        return Breach(says, facts, clause="7.4f")
    due = _steps_due(position, piece.id) or _may_pay(position, piece)
    if piece.steps <= due or (piece.steps == 1 and (STEP_MAY_BE_DUE, piece.id) in position.notes):
        return None
    if has_to_make_room(position, piece, piece.where) or was_crossed(position, piece, piece.where):
        paths = open_paths(position, piece, 1)
        if piece.steps == 1 or not paths:
            return None
    grade = Grade.unproven if _is_spared(position, piece.id) else Grade.illegal
    says = (
        f"{name_of(position, piece.id)} is taken off the map with {_steps(piece.steps)} left; nothing has "
        "destroyed it."
    )
    return Breach(says, facts, grade, "7.4f")


def _general_taken_off(position: Position, general: Piece) -> Breach | None:
    """Because of a die, or because he is surrounded when he must retreat; what a die requires is checked
    elsewhere.
    """
    if (APPROACH_DIE, general.id) in position.notes or (CASUALTY_DIE, general.id) in position.notes:
        return None
    must_go = (APPROACHED, general.id) in position.notes or any(
        share(position, fight, general.side).goes for fight in fights(position)
    )
    if must_go and is_surrounded(position, general.where, general.side):
        return None
    says = (
        f"{name_of(position, general.id)} is taken off the map;"
        " only a die roll kills a general, and none has killed him."
    )
    return Breach(says, {"general": general.id}, clause=_clause_of_danger(position, general))


def _clause_of_danger(position: Position, general: Piece) -> str:
    """The clause by which a general would be killed or neutralised: in combat, or by an approaching enemy."""
    in_combat = any(general.id in endangered(position, fight) for fight in SETTLING.open(position))
    return "9.2g" if in_combat else "9.2b"


@rules.on("neutralise", clause="9.2b 9.2g")
def no_general_is_neutralised_without_cause(position: Position, action: Action) -> Breach | None:
    general = position.pieces[action.piece]
    if (APPROACH_DIE, general.id) in position.notes or (CASUALTY_DIE, general.id) in position.notes:
        return None
    says = (
        f"{name_of(position, general.id)} is marked Neutralised;"
        " only a die roll does that, and none calls for it."
    )
    return Breach(says, {"general": general.id}, clause=_clause_of_danger(position, general))


@rules.follows("neutralise")
def a_general_neutralised_without_a_die_is_noted(
    before: Position, after: Position, action: Action
) -> Position:
    name = action.piece
    dice = (before.note(APPROACH_DIE, name), before.note(CASUALTY_DIE, name))
    if before.game.values["generals"].values.integer("neutralised") not in dice:
        after = marked_wrongly(after, name, NEUTRALISED)
    return after if any(dice) else after.with_note(NEVER_ROLLED_FOR, name, True)


def marked_wrongly(position: Position, name: str, state: str) -> Position:
    """Note that a counter was marked with a state that no die required: the marker may be removed again."""
    return position.with_note(MARKED_WRONGLY, name, (*(position.note(MARKED_WRONGLY, name) or ()), state))


@rules.on("rouse", clause="9.2c")
def a_general_is_neutralised_for_the_turn(position: Position, action: Action) -> Breach | None:
    """A marker that no die required may be removed at any time.

    At the end of the turn the module removes it; a player who does may have forgotten the turn track.
    """
    general = position.pieces[action.piece]
    wrongly = NEUTRALISED in (position.note(MARKED_WRONGLY, general.id) or ())
    if wrongly or not is_neutralised(position, general):
        return None
    says = (
        f"{name_of(position, general.id)} stays neutralised until the end of the turn; his marker was "
        "taken off."
    )
    return Breach(says, {"general": general.id}, Grade.unproven)


rules.clears("rouse", state=NEUTRALISED)


@rules.on("mark uncontrolled", clause="11g")
def no_unit_is_out_of_control_without_cause(position: Position, action: Action) -> Breach | None:
    """Reported for a unit that no die put out of control, unless the effect of the die is unknown."""
    piece = position.pieces[action.piece]
    wild, was_rolled = is_wild(position, piece.id), (PILLAGE_DIE, piece.id) in position.notes
    if piece.is_(UNCONTROLLED) or wild or (wild is None and was_rolled):
        return None
    was_near = (MUST_TEST, piece.id) in position.notes or (DRIVEN_TO, piece.id) in position.notes
    grade = Grade.unproven if was_near and not was_rolled else Grade.illegal
    says = (
        f"{name_of(position, piece.id)} is marked Uncontrolled; only a failed pillage test does that, and"
        " it failed none."
    )
    return Breach(says, {"unit": piece.id}, grade)


rules.marks("mark uncontrolled", state=UNCONTROLLED)


@rules.follows("mark uncontrolled")
def a_unit_out_of_control_without_cause_is_noted(
    before: Position, after: Position, action: Action
) -> Position:
    return after if is_wild(before, action.piece) else marked_wrongly(after, action.piece, UNCONTROLLED)


@rules.on("control", clause="11h")
def a_unit_out_of_control_stays_so(position: Position, action: Action) -> Breach | None:
    """Unproven for a unit that was so before the record begins: the marker may have been a mistake."""
    piece = position.pieces[action.piece]
    wrongly = UNCONTROLLED in (position.note(MARKED_WRONGLY, piece.id) or ())
    if not piece.is_(UNCONTROLLED) or wrongly:
        return None
    grade = Grade.illegal if (WILD_IN, piece.id) in position.notes else Grade.unproven
    says = (
        f"{name_of(position, piece.id)} stays out of control for the rest of the game; its marker was "
        "taken off."
    )
    return Breach(says, {"unit": piece.id}, grade)


rules.clears("control", state=UNCONTROLLED)


@by_result(rules, "mark rout", clause="7.8a")
def no_unit_routs_without_cause(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    beaten = any(
        piece.id in party(fight, piece.side) and share(position, fight, piece.side).rout
        for fight in fights(position)
    )
    if beaten or (RAN, piece.id) in position.notes or piece.is_(ROUTED):
        return None
    grade = Grade.unproven if _is_spared(position, piece.id) else Grade.illegal
    says = (
        f"{name_of(position, piece.id)} is marked Routed;"
        " only a combat result routs a unit, and none routs it."
    )
    return Breach(says, {"unit": piece.id}, grade)


@rules.on("disorder", clause="4.5b 4.5e 7.8a 9.2k")
def no_unit_is_disordered_without_cause(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if is_shaken(position, piece) or _may_be_shaken_yet(position, piece):
        return None
    return _without_cause(position, piece)


@rules.leaving("movement", "fire", "combat", clause="4.5b 4.5e 7.8a 9.2k")
def no_unit_was_disordered_without_cause(position: Position) -> Iterator[Breach]:
    """Find units that were marked without a cause, if there was still none when the phase ended."""
    for name, unproven in position.noted(MARKED_EARLY).items():
        piece = position.pieces[name]
        marked = unproven and piece.is_(DISORDERED) and is_on_map(position, piece)
        if marked and not is_shaken(position, piece):
            yield _without_cause(position, piece)


def _without_cause(position: Position, piece: Piece) -> Breach:
    """Passing a train disorders in movement; being displaced or crossed by a rout does so in combat."""
    clause = "4.5b" if position.phase == "movement" else "7.8a"
    says = f"{name_of(position, piece.id)} is marked Disordered"
    why = "it has neither passed a train nor made room for a friend, and no rout crossed its hex"
    passed = position.phase == "movement" and _was_passed_by_a_train(position, piece)
    # where the phase was underway it may have had its cause, unseen
    grade = Grade.unproven if passed or position.note(UNDERWAY) else Grade.illegal
    for name in fallen(position, piece.side):
        clause, reach = "9.2k", position.pieces[name].factor("range")
        why = f"it is not within {counted(reach, 'hex')} of where {name_of(position, name)} fell"
    return Breach(f"{says}; {why}.", {"unit": piece.id}, grade, clause)


def _was_passed_by_a_train(position: Position, piece: Piece) -> bool:
    """Return whether a train of its side may have moved through a unit, or shares its hex.

    The rule does not say what happens then.
    """
    grid = position.game.map.grid
    if piece.where not in grid:
        return False
    for train in _trains(position, piece.side):
        trail = position.note(TRAIL, train.id)
        if train.where == piece.where:
            return True
        if trail is not None and trail.start in grid and piece.where != trail.start:
            gaps = grid.distance(trail.start, piece.where), grid.distance(piece.where, train.where)
            if sum(gaps) <= train.factor("mp"):
                return True
    return False


@rules.follows("disorder")
def a_unit_marked_early_is_noted(before: Position, after: Position, action: Action) -> Position:
    piece = before.pieces[action.piece]
    if is_shaken(before, piece):
        return after
    return after.with_note(MARKED_EARLY, piece.id, _may_be_shaken_yet(before, piece))


def is_shaken(position: Position, piece: Piece) -> bool:
    """Return whether something has happened in this phase that disorders a unit, or may have."""
    reasons = (PASSED, MAY_HAVE_PASSED, CROSSED, MATE, DISPLACED, RAN)
    if any((reason, piece.id) in position.notes for reason in reasons) or position.note(GOES_WILD, piece.id):
        return True
    routs = any(
        piece.id in party(fight, piece.side) and share(position, fight, piece.side).rout
        for fight in fights(position)
    )
    marked = piece.is_(DISORDERED) and (MARKED_EARLY, piece.id) not in position.notes
    shoved = position.note(SHOVED_ON, piece.id) == position.date  # reported there if it was needless
    return (
        routs
        or marked
        or shoved
        or piece.is_(UNCONTROLLED)
        or was_crossed(position, piece, piece.where)
        or _may_have_made_room(position, piece)
        or is_near_a_fall(position, piece)
        or _may_have_passed_a_train(position, piece)
    )


def _may_have_made_room(position: Position, piece: Piece) -> bool:
    """Return whether a rout may have led through a unit where it was before its move.

    A unit that makes room in its movement phase and moves on is dragged once: only the ends are known.
    """
    trail = position.note(TRAIL, piece.id)
    if trail is None or not trail.dragged or trail.start not in position.game.map.grid:
        return False
    return was_crossed(position, piece, trail.start)


def _may_have_passed_a_train(position: Position, piece: Piece) -> bool:
    """Return whether a unit was dragged so far that it may have passed a train of its side."""
    trail, grid = position.note(TRAIL, piece.id), position.game.map.grid
    if trail is None or not trail.dragged or trail.start not in grid or piece.where not in grid:
        return False
    most = 2 * piece.factor("mp")
    return any(
        grid.distance(trail.start, hex_) + grid.distance(hex_, piece.where) <= most
        for train in _trains(position, piece.side)
        for hex_ in _stood(position, train)
    )


def _stood(position: Position, train: Piece) -> Iterator[str]:
    """The hex of an element of the convoy, and the one before it moved in this phase."""
    yield train.where
    trail = position.note(TRAIL, train.id)
    if trail is not None and trail.start in position.game.map.grid:
        yield trail.start


def _trains(position: Position, side: str) -> Iterator[Piece]:
    """The elements of the convoy of a side on the map."""
    for piece in position.pieces.values():
        if piece.side == side and is_train(piece) and is_on_map(position, piece):
            yield piece


def _is_in_range(position: Position, piece: Piece, general: Piece) -> bool:
    if not (is_on_map(position, piece) and is_on_map(position, general)):
        return False
    return position.game.map.grid.distance(piece.where, general.where) <= general.factor("range")


CHAIN = 3
"""How many units in a row may have to make room for a retreating one."""


def _may_be_reached(position: Position, piece: Piece, fight: Fight) -> bool:
    """Return whether units that must retreat in a combat may reach a unit's hex, or drive others there."""
    wanted, grid = share(position, fight, piece.side), position.game.map.grid
    if not wanted.goes or piece.where not in grid:
        return False
    values = position.game.values["rout"].values
    most = CHAIN + (values.integer("hexes") if wanted.rout else wanted.retreat)
    hexes = [fight.stood.get(name, "") for name in party(fight, piece.side)]
    return any(where in grid and grid.distance(where, piece.where) <= most for where in hexes)


def _may_be_shaken_yet(position: Position, piece: Piece) -> bool:
    """Return whether something may still disorder a unit: a path past a train, a result, a general's
    elimination.
    """
    if position.phase == "movement" and piece.side == position.side:
        return any(True for _ in _trains(position, piece.side))
    if has_to_make_room(position, piece, piece.where):
        return True
    for fight in fights(position):
        friends = [position.pieces[name] for name in endangered(position, fight)]
        fall = any(one.side == piece.side and _is_in_range(position, piece, one) for one in friends)
        if fall or _may_be_reached(position, piece, fight):
            return True
    return any(
        position.pieces[name].side == piece.side and is_on_map(position, position.pieces[name])
        for name in position.noted(APPROACHED)
    )
