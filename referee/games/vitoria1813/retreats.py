"""Results: retreats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, fights, party, share
from referee.games.vitoria1813.facts import (
    FRENCH,
    ROUTED,
    SIDES,
    bodies_at,
    combat_at,
    coverings,
    in_ezoc,
    is_artillery,
    is_combat,
    is_general,
    is_on_map,
    other,
    phase_of,
    side_of,
    trains_at,
)
from referee.games.vitoria1813.losses import still_to_lose
from referee.games.vitoria1813.move import passes_train
from referee.games.vitoria1813.notes import (
    CAME_FROM,
    CAME_INTO,
    CROSSED,
    DISPLACED,
    MATE,
    MAY_HAVE_PASSED,
    PASSED,
    PUSHED_INTO,
    RAN,
    RETREAT_ENDED_IN,
    ROOM_MADE,
    ROUT_UNSEEN,
    SPENT,
    STEP_MAY_BE_DUE,
    STEPS_DUE,
    WENT_UNSEEN,
    ZONES_MET,
)
from referee.games.vitoria1813.outcomes import by_result, duty
from referee.games.vitoria1813.paths import (
    Paths,
    away,
    barred,
    causes,
    growth,
    is_short_of_straight,
    length_of,
    open_paths,
    reaches,
    rout_length,
    walks,
)
from referee.games.vitoria1813.stacking import has_to_make_room, limit
from vassalgen.game.provenance import Provenance

REASONS = ("outside enemy zones of control", "free of friendly units", "within the stacking limit")
"""Why a hex is better, by the third to the fifth priority of retreat [7.5i to 7.5k]."""
rules = Section("Retreats", Provenance("rulebook", "4.5, 7.5, 7.6"))


@duty(rules, clause="6.2b 7.4b 7.4c")
def all_that_must_retreat_have_gone(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        wanted = share(position, fight, side)
        if not wanted.goes or wanted.eliminated:
            continue
        if wanted.steps >= sum(fight.steps.get(name, 0) for name in party(fight, side)):
            continue  # all must be destroyed, which is reported [7.4a]
        for name in party(fight, side):
            piece = position.pieces[name]
            if not is_on_map(position, piece) or not is_combat(piece) or name in fight.gone:
                continue
            if piece.where != fight.stood.get(name) or (SPENT, name) in position.notes:
                continue
            facts: Facts = {"unit": name, "result": fight.given}
            clause = "7.4c" if wanted.rout else "7.4b"
            if is_artillery(piece) and any(mate in fight.gone for mate in party(fight, side)):
                clause = "6.2b"
            what = "rout" if wanted.rout else f"retreat {counted(wanted.retreat, 'hex')}"
            says = (
                f"{name_of(position, name)} must {what} by the result {fight.given}; it is still in "
                f"{piece.where}."
            )
            yield Breach(says, facts, clause=clause)


@by_result(rules, "retreat", clause="4.5c 6.1f 7.4b 2b")
def a_unit_retreats_for_a_reason(position: Position, action: Action) -> Breach | None:
    """The result of a combat in which it took part; not one against artillery that fired [6.1f].

    Out of a hex that no unit left or crossed it is only a move, and too late [2b].
    """
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "path": action.path}
    if is_general(piece):
        return None
    if fight is None or not fight.rolled or piece.id not in party(fight, piece.side):
        clause = needless(position, piece.where)
        does = "retreats although no combat result makes it; units retreat only on one"
        if clause == "2b":
            does = (
                f"moves in the {side_of(position)} {phase_of(position)};"
                " units move only in their own movement phase"
            )
        return Breach(f"{name_of(position, piece.id)} {does}.", facts, clause=clause)
    if fight.is_fire and piece.side == fight.side:
        says = (
            f"{name_of(position, piece.id)} fired and retreats; results against the firing side are ignored."
        )
        return Breach(says, facts, clause="6.1f")
    if share(position, fight, piece.side).goes:
        return None
    facts = {**facts, "result": fight.given}
    says = f"{name_of(position, piece.id)} retreats; the result {fight.given} does not make it retreat."
    return Breach(says, facts, clause="7.4b")


@by_result(rules, "retreat", clause="4.5c 7.4b")
def a_general_retreats_with_his_troops(position: Position, action: Action) -> Breach | None:
    """If units of his hex must retreat, and no farther than they."""
    piece, grid = position.pieces[action.piece], position.game.map.grid
    if not is_general(piece):
        return None
    facts: Facts = {"unit": piece.id, "path": action.path}
    lengths = [
        rout_length(position) if wanted.rout else wanted.retreat
        for fight in fights(position)
        for wanted in (share(position, fight, piece.side),)
        if fight.rolled and piece.where in {fight.stood.get(name) for name in party(fight, piece.side)}
    ]
    displaced = any(position.pieces[name].side == piece.side for name in position.noted(DISPLACED))
    most = max((*lengths, int(displaced)))
    if not most:
        says = f"{name_of(position, piece.id)} retreats, but no unit in his hex must."
        return Breach(says, facts, clause="4.5c")
    steps = grid.distance(action.path[0], action.end) if action.dragged else len(action.path) - 1
    if steps <= most:
        return None
    says = (
        f"{name_of(position, piece.id)} retreats {counted(steps, 'hex')}; the limit is"
        f" {counted(most, 'hex')}."
    )
    return Breach(says, facts, clause="7.4b")


@by_result(rules, "retreat", clause="7.4b 7.5f")
def a_retreat_is_of_so_many_hexes(position: Position, action: Action) -> Breach | None:
    """A unit without a path of that length is destroyed [7.5f]; a bend where a straight one is open is
    unproven.
    """
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    due = _hexes_due(position, action)
    if fight is None or not due:
        return None
    grid, before = position.game.map.grid, fight.gone.get(piece.id) or action.path[:1]
    gone = length_of(position, before) if len(before) > 1 else 0
    distance = grid.distance(before[0], action.end)
    steps = gone + (grid.distance(action.path[0], action.end) if action.dragged else len(action.path) - 1)
    facts: Facts = {"unit": piece.id, "path": action.path, "hexes": steps, "distance": distance, "due": due}
    says = (
        f"{name_of(position, piece.id)} retreats {counted(steps, 'hex')} and ends "
        f"{counted(distance, 'hex')} away; by R{due} it must retreat exactly {counted(due, 'hex')} and end"
        f" {counted(due, 'hex')} away."
    )
    if steps < due and not gone and not walks(position, piece, due):
        says = (
            f"{name_of(position, piece.id)} has no path to retreat {counted(due, 'hex')} and must be removed."
        )
        return Breach(says, facts, clause="7.5f")
    straight = bool(gone) or bool(open_paths(position, piece, due))
    if steps != due:
        bends = action.dragged and any(path[-1] == action.end for path in walks(position, piece, due))
        return None if bends and not straight else Breach(says, facts, clause="7.4b")
    if distance < due and straight:
        return Breach(says, facts, Grade.unproven, "7.4b")
    return None


def _hexes_due(position: Position, action: Action) -> int:
    """How many hexes a unit must retreat by the result of its combat, 0 if it need not."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled or piece.id not in party(fight, piece.side):
        return 0
    wanted = share(position, fight, piece.side)
    return 0 if wanted.rout else wanted.retreat


def needless(position: Position, where: str) -> str:
    """Return the clause of leaving a hex for no reason: 4.5c if others left or crossed it."""
    paths = (path for fight in fights(position) for path in fight.gone.values())
    return "4.5c" if any(where in path for path in paths) else "2b"


@rules.on("retreat", "rout", "displace", clause="7.5f")
def no_unit_retreats_over_closed_ground(position: Position, action: Action) -> Breach | None:
    """Nor through a hex with enemies: a unit that must is destroyed. A drag is legal if any path is."""
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "path": action.path}
    if piece.where != action.path[0]:
        return None
    if not action.dragged:
        where = barred(position, piece, action.path)
        if not where:
            return None
        enemies = bodies_at(position, where, other(piece.side))
        what = f"{where}, which the enemy occupies" if enemies else f"impassable terrain into {where}"
        says = f"{name_of(position, piece.id)} retreats through {what}; no retreat may."
        return Breach(says, {**facts, "hex": where})
    straight = position.game.map.grid.distance(piece.where, action.end)
    due = rout_length(position) if action.verb == "rout" else _hexes_due(position, action) or straight
    if reaches(position, piece, action.end, due):
        return None
    says = (
        f"{name_of(position, piece.id)} retreats to {action.end}; every path there is blocked by "
        "enemies or impassable terrain."
    )
    return Breach(says, {**facts, "hex": action.end})


@rules.on("retreat", "rout", "displace", clause="7.5i 7.5j 7.5k")
def a_retreat_takes_the_better_hex(position: Position, action: Action) -> Breach | None:
    """Only if another hex, as far back, is better by one priority and not worse by any.

    For a unit that was dragged into the combat the path back is not known, nor for one that did not move
    since a record begins in the middle of a game.
    """
    piece = position.pieces[action.piece]
    paths = _paths_open(position, action)
    longest = max((len(path) for path in paths), default=0)
    if is_general(piece) or len(action.path) > longest or (action.dragged and longest > 2):
        return None
    for place, (here, there) in enumerate(pairwise(action.path)):
        onward = {path[place + 1] for path in paths if path[: place + 1] == action.path[: place + 1]}
        if there not in onward:
            return None
        mine = _preference(position, action, here, there)
        for near in sorted(onward - {there}):
            merits = _preference(position, action, here, near)
            better = [at for at, (a, b) in enumerate(zip(merits[1:], mine[1:], strict=True)) if a and not b]
            worse = [at for at, (a, b) in enumerate(zip(merits[1:], mine[1:], strict=True)) if b and not a]
            if (
                merits[0] != mine[0]
                or not better
                or worse
                or _is_less_away(position, action, here, near, there)
            ):
                continue
            clause = ("7.5i", "7.5j", "7.5k")[better[0]]
            why = REASONS[better[0]]
            says = (
                f"{name_of(position, piece.id)} retreats into {there}; it must prefer {near}, which was "
                f"{why}."
            )
            grade = Grade.illegal if _knows_the_path_back(position, piece) else Grade.unproven
            return Breach(says, {"unit": piece.id, "into": there, "better": near}, grade, clause)
    return None


@rules.on("retreat", "rout", clause="7.5g 7.5h")
def a_retreat_leads_back(position: Position, action: Action) -> Breach | None:
    """To the hex that the unit came from; if that is closed, rather towards its own map edge than away.

    These directions are vague, so it is never more than unproven. For a unit that a record places somewhere,
    in the middle of a game, it is not known where it came from.
    """
    piece, came = position.pieces[action.piece], position.note(CAME_FROM, action.piece)
    paths = _paths_open(position, action)
    longest = max((len(path) for path in paths), default=0)
    if is_general(piece) or not 1 < len(action.path) <= longest or (action.dragged and longest > 2):
        return None
    facts: Facts = {"unit": piece.id, "path": action.path}
    if came and any(path[1] == came for path in paths):
        if action.path[1] == came:
            return None
        says = (
            f"{name_of(position, piece.id)} retreats into {action.path[1]}; it came from {came}, which was "
            "open."
        )
        return Breach(says, {**facts, "came from": came}, Grade.unproven, "7.5g")
    gains = [
        _nearer_home(position, piece, path[-1]) for path in paths if not _zones_entered(position, piece, path)
    ]
    away = _nearer_home(position, piece, action.end) < 0 < max(gains, default=0)
    if not away or not _knows_the_path_back(position, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} retreats to {action.end}, away from its own map edge in the "
        f"{'east' if piece.side == FRENCH else 'west'}; a path towards it was open."
    )
    return Breach(says, facts, Grade.unproven, "7.5h")


def _nearer_home(position: Position, piece: Piece, where: str) -> int:
    """How much nearer to its own edge of the map a hex is than a piece, in halves of a hex."""
    east = _across(position, where) - _across(position, piece.where)
    return east if piece.side == FRENCH else -east


@rules.on("retreat", "rout", "displace", clause="4.4c")
def no_retreat_ends_with_the_convoy(position: Position, action: Action) -> Breach | None:
    """In the movement phase it is reported when the phase ends; if no other path was open it is unproven."""
    piece = position.pieces[action.piece]
    trains = [train.id for train in trains_at(position, action.end) if train.side == piece.side]
    if not trains or not is_combat(piece) or position.phase == "movement":
        return None
    free = any(not trains_at(position, path[-1]) for path in _paths_open(position, action))
    says = f"{name_of(position, piece.id)} may not stack with {names_of(position, trains)}, in {action.end}."
    facts: Facts = {"unit": piece.id, "hex": action.end, "train": tuple(trains)}
    return Breach(says, facts, Grade.illegal if free else Grade.unproven)


def _paths_open(position: Position, action: Action) -> Paths:
    """The paths among which a retreating unit can choose."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    if action.verb == "displace":
        return open_paths(position, piece, 1) if has_to_make_room(position, piece, action.path[0]) else ()
    if action.verb == "rout":
        routs = fight is not None and piece.id in party(fight, piece.side)
        return (
            away(position, fight, piece)
            if fight and routs and share(position, fight, piece.side).rout
            else ()
        )
    due = _hexes_due(position, action)
    return open_paths(position, piece, due) if due else ()


def _is_less_away(position: Position, action: Action, here: str, near: str, there: str) -> bool:
    """Return whether a step of a rout leads less far from the enemy than another."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if action.verb != "rout" or fight is None:
        return False
    enemies = causes(position, fight, piece)
    return sum(growth(position, enemies, here, near)) < sum(growth(position, enemies, here, there))


def _knows_the_path_back(position: Position, piece: Piece) -> bool:
    """Return whether it is known where a unit came from last, or that it never moved."""
    came = position.note(CAME_FROM, piece.id)
    return bool(came) if came is not None else not position.note(UNSEEN)


def _preference(position: Position, action: Action, here: str, where: str) -> tuple[object, bool, bool, bool]:
    """How good a hex is for a retreat: direction, no zones, no friends, room [7.5g to 7.5k].

    Units that left the same hex in the same combat retreat together.
    """
    grid, piece, fight = position.game.map.grid, position.pieces[action.piece], fight_for(position, action)
    friends = [each.id for each in combat_at(position, where, piece.side) if each.id != piece.id]
    gone = fight.gone if fight is not None else {}
    strangers = [name for name in friends if name not in gone or gone[name][:1] != action.path[:1]]
    came = position.note(CAME_FROM, piece.id)
    back = grid.distance(where, came) if came else 0
    home = _nearer_home(position, piece, where) - _nearer_home(position, piece, here)
    return (back, home), not in_ezoc(position, where, piece.side), not strangers, len(friends) < 2


def _across(position: Position, where: str) -> int:
    """How far east a hex is, in halves of a hex."""
    grid = position.game.map.grid
    column, row = grid.places[grid.index[where]]
    return 2 * column + grid.is_shifted(row)


@rules.on("retreat", "rout", "displace", clause="7.5b")
def the_owner_moves_his_units(position: Position, action: Action) -> Breach | None:
    """Reported only if a record says that the enemy moved the unit."""
    if "by the enemy" not in action.words:
        return None
    says = f"{name_of(position, action.piece)} is moved by the enemy; the owner moves his own units."
    return Breach(says, {"unit": action.piece})


@rules.leaving("fire", "combat", "movement", clause="7.6")
def a_retreat_into_a_zone_costs_a_step(position: Position) -> Iterator[Breach]:
    for name, due in position.noted(STEPS_DUE).items():
        if due and is_on_map(position, position.pieces[name]):
            says = (
                f"{name_of(position, name)} retreated into an enemy zone of control; it must lose 1 step "
                "and lost none."
            )
            yield Breach(says, {"unit": name, "hex": position.pieces[name].where})


@rules.does("retreat", "rout", "displace")
def go_back(position: Position, action: Action) -> Position:
    """Put the unit at the end of its path; note the units that it crosses, and the step that it must lose."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    paths = _paths_taken(position, action)
    covered = min(len(_zones_entered(position, piece, path)) for path in paths)
    there = tuple(each.id for each in combat_at(position, action.end, piece.side))
    needless = _is_needless(position, action, fight)
    after = position.with_piece(piece.id, where=action.end)
    if needless and action.dragged:
        after = after.with_note(WENT_UNSEEN, piece.id, True)
    if len(there) >= limit(position):
        after = after.with_note(CAME_INTO, action.end, piece.id).with_note(RETREAT_ENDED_IN, action.end, True)
        after = after.with_note(ROOM_MADE, action.end, there)
    if is_combat(piece) and not covered:
        for name in _who_may_lose_a_step(position, action):
            after = after.with_note(STEP_MAY_BE_DUE, name, True)
    if covered and is_combat(piece) and not needless:
        every = position.game.adopted("retreat-step") == "each"
        due = (position.note(STEPS_DUE, piece.id) or 0) + covered if every else 1
        after = after.with_note(STEPS_DUE, piece.id, due)
        shortest = min(paths, key=lambda path: len(_zones_entered(position, piece, path)))
        met = _coverings(position, piece, shortest)
        after = after.with_note(ZONES_MET, piece.id, (*(position.note(ZONES_MET, piece.id) or ()), *met))
    if trains := _passed_by_all(paths, lambda path: passes_train(position, piece, path)):
        after = after.with_note(PASSED, piece.id, trains[0])
    elif any(passes_train(position, piece, path) for path in paths):
        after = after.with_note(MAY_HAVE_PASSED, piece.id, True)
    if action.verb == "displace":
        after = after.with_note(PUSHED_INTO, piece.id, action.end)
        return after if needless else after.with_note(DISPLACED, piece.id, action.end)
    if fight is not None:
        before = fight.gone.get(piece.id, ())
        path = (*before[:-1], *action.path) if before[-1:] == action.path[:1] else action.path
        after = after.with_battle(evolve(fight, gone={**fight.gone, piece.id: path}))
    return _disordered_on_the_path(after, action, paths) if action.verb == "rout" else after


def _paths_taken(position: Position, action: Action) -> Paths:
    """The paths by which a unit may have retreated: for a drag those that are legal, if there are any.

    A drag that ends too near, although a straight path was open, may have been too short.
    """
    if not action.dragged:
        return (action.path,)
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    found: Paths = ()
    due = _hexes_due(position, action)
    if action.verb == "rout" and fight is not None and fight.rolled:
        found, due = away(position, fight, piece), rout_length(position)
    elif action.verb == "retreat":
        found = walks(position, piece, due)
    taken = tuple(path for path in found if path[-1] == action.end)
    if not taken or is_short_of_straight(position, action, due, found):
        return (*taken, action.path)
    return taken


def _zones_entered(position: Position, piece: Piece, path: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes of a path in enemy zones of control without a friendly unit [3.2g, 7.6]."""
    return tuple(
        where
        for where in path[1:]
        if in_ezoc(position, where, piece.side) and not combat_at(position, where, piece.side)
    )


def _coverings(position: Position, piece: Piece, path: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """The hexes of a path in enemy zones of control, each with a unit that controls it and its hex."""
    for where in _zones_entered(position, piece, path):
        yield from coverings(position, where, piece.side)


def _passed_by_all(paths: Paths, passed: Callable[[tuple[str, ...]], Iterable[str]]) -> tuple[str, ...]:
    """What every one of several possible paths passes."""
    return tuple(sorted(set.intersection(*(set(passed(path)) for path in paths))))


def _disordered_on_the_path(position: Position, action: Action, paths: Paths) -> Position:
    """Note the units that a rout has crossed, and those that it left behind in its hex [4.5f, 7.8a]."""
    piece = position.pieces[action.piece]
    after = position.with_note(RAN, piece.id, True)
    if action.dragged:
        after = after.with_note(ROUT_UNSEEN, piece.id, (action.path[0], action.end))
    for where in _passed_by_all(paths, lambda path: path[1:-1]):
        for each in combat_at(position, where, piece.side):
            after = after.with_note(CROSSED, each.id, (where, piece.id))
    start, fight = action.path[0], fight_for(position, action)
    goes_on = fight is not None and fight.gone.get(piece.id, (start,))[0] != start
    for mate in combat_at(position, start, piece.side):
        if goes_on:
            after = after.with_note(CROSSED, mate.id, (start, piece.id))
        elif not mate.is_(ROUTED):
            after = after.with_note(MATE, mate.id, True)
    return after


def _is_needless(position: Position, action: Action, fight: Fight | None) -> bool:
    """Return whether nothing makes a unit retreat: then that is reported, and nothing else is due."""
    piece = position.pieces[action.piece]
    if action.verb == "displace":
        return not has_to_make_room(position, piece, action.path[0])
    return fight is None or piece.id not in party(fight, piece.side)


def _who_may_lose_a_step(position: Position, action: Action) -> Iterator[str]:
    """Yield the units that may have to lose a step: the first to enter a hex, or for a hex on its path.

    If several units entered a zone of control, the log does not say which was first: it may be the one that
    moves now, or any that was pushed there before. If a friend was there already, none has to.
    """
    piece, grid = position.pieces[action.piece], position.game.map.grid
    mates = combat_at(position, action.end, piece.side)
    pushed = [mate.id for mate in mates if position.note(PUSHED_INTO, mate.id) == action.end]
    due = [mate.id for mate in mates if (STEPS_DUE, mate.id) in position.notes]
    came_first = in_ezoc(position, action.end, piece.side) and all(
        mate.id in (*pushed, *due) for mate in mates
    )
    is_far = action.verb == "rout" or grid.distance(action.path[0], action.end) > 1
    if (mates and came_first) or (action.dragged and is_far):
        yield piece.id
    if came_first:
        yield from pushed


@rules.proposes
def retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """The paths of units that must retreat, once the steps are lost; a unit that cannot is destroyed."""
    for fight in SETTLING.open(position):
        wanted = share(position, fight, piece.side)
        goes = wanted.retreat and not wanted.rout and not still_to_lose(position, fight, piece.side)
        if not goes or not is_on_map(position, piece):
            continue
        if is_general(piece):
            yield from _rides_along(position, fight, piece)
        if piece.id not in party(fight, piece.side) or piece.id in fight.gone:
            continue
        found = open_paths(position, piece, wanted.retreat) or walks(position, piece, wanted.retreat)
        for path in found:
            yield Action("retreat", (piece.id,), path, battle=fight.number)
        if not found:
            yield Action("eliminate", (piece.id,), battle=fight.number)


def _rides_along(position: Position, fight: Fight, general: Piece) -> Iterator[Action]:
    """A general takes the path of a unit that left his hex."""
    for name in party(fight, general.side):
        path = fight.gone.get(name, ())
        if len(path) > 1 and path[0] == general.where:
            yield Action("retreat", (general.id,), path, battle=fight.number)
