"""Cavalry charges and the pursuit that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import paths
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import (
    SETTLING,
    Fight,
    barred_by,
    calculated_odds,
    fight_for,
    fights,
    forbids_charge,
    is_spent,
    share,
)
from referee.games.vitoria1813.facts import (
    CHARGING,
    ROUTED,
    combat_at,
    destroyed,
    held,
    in_ezoc,
    is_cavalry,
    is_on_map,
    is_ordered,
    other,
    phase_of,
    the_field,
    trains_at,
)
from referee.games.vitoria1813.notes import CAME_BACK, CROSSED, RUN, TRAIL
from referee.games.vitoria1813.outcomes import by_result, duty
from referee.games.vitoria1813.paths import Paths
from referee.games.vitoria1813.stacking import limit
from vassalgen.game.game import Game
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Cavalry charges", Provenance("rulebook", "7.5, 8"))


@rules.on("charge", clause="8a")
def only_cavalry_charges(position: Position, action: Action) -> Breach | None:
    if is_cavalry(position.pieces[action.piece]):
        return None
    says = f"{name_of(position, action.piece)} is marked as charging; only cavalry charges."
    return Breach(says, {"unit": action.piece})


@rules.on("charge", clause="8a")
def a_charge_needs_a_straight_run(position: Position, action: Action) -> Breach | None:
    """Of two hexes before the zone of control; with the hex in the zone included it is unproven.

    So is a unit dragged out and back, which may have been its move. Marking in another phase breaks 8c.
    """
    if position.phase != "movement" or not is_cavalry(position.pieces[action.piece]):
        return None
    run, trail = position.note(RUN, action.piece), position.note(TRAIL, action.piece)
    if run is None:
        may_have_moved = (trail and trail.entered) or position.note(CAME_BACK, action.piece)
        grade = Grade.unproven if may_have_moved else Grade.illegal
        says = (
            f"{name_of(position, action.piece)} is marked as charging, but has not moved in this phase;"
            " a charge needs a move first."
        )
        return Breach(says, {"unit": action.piece}, grade)
    needed = position.game.values["charge"].values.integer("run")
    if not _is_walk(position, run):
        return _after_a_drag(position, action.piece, needed)
    before = _straight(position, run[:-1])
    whole = _straight(position, run)
    counts = position.game.adopted("charge-run") == "counts"
    if before >= needed or (counts and whole >= needed):
        return None
    says = (
        f"{name_of(position, action.piece)} moved {counted(before, 'hex')} in a straight line before "
        f"entering the zone of control; a charge needs {needed}."
    )
    unproven = whole >= needed or _was_dragged(position, action.piece)
    return Breach(says, {"unit": action.piece, "run": run}, Grade.unproven if unproven else Grade.illegal)


def _is_walk(position: Position, run: tuple[str, ...]) -> bool:
    """Return whether a path is known hex by hex."""
    grid = position.game.map.grid
    return all(grid.are_neighbours(here, there) for here, there in pairwise(run))


def _was_dragged(position: Position, name: str) -> bool:
    """Return whether part of a run was a drag: one to an adjacent hex may have been a detour."""
    trail = position.note(TRAIL, name)
    return trail is not None and trail.dragged


def _after_a_drag(position: Position, name: str, needed: int) -> Breach | None:
    """Only the ends of a drag are known: one shorter than a run and the next hex is unproven."""
    trail, grid = position.note(TRAIL, name), position.game.map.grid
    where = position.pieces[name].where
    if trail is None or trail.start not in grid or where not in grid:
        return None
    distance = grid.distance(trail.start, where)
    if distance >= needed + (position.game.adopted("charge-run") == "before"):
        return None
    says = (
        f"{name_of(position, name)} charges {counted(distance, 'hex')} from where it started; a charge "
        f"needs a run of {needed} before the zone of control."
    )
    return Breach(says, {"unit": name, "from": trail.start, "to": where}, Grade.unproven)


def _straight(position: Position, run: tuple[str, ...]) -> int:
    """The number of steps in a straight line at the end of a path."""
    grid, count = position.game.map.grid, 0
    last = None
    for here, there in zip(reversed(run[:-1]), reversed(run[1:]), strict=True):
        direction = grid.direction(here, there)
        if last is not None and direction != last:
            break
        last, count = direction, count + 1
    return count


@rules.on("charge", clause="7.7a 7.8e")
def the_shaken_do_not_charge(position: Position, action: Action) -> Breach | None:
    """A charge is an attack, and nothing restores order before the combat phase."""
    piece = position.pieces[action.piece]
    if is_ordered(piece):
        return None
    what, clause = ("routed", "7.8e") if piece.is_(ROUTED) else ("disordered", "7.7a")
    says = (
        f"{name_of(position, piece.id)} is marked as charging, but is {what}; a {what} unit may not attack."
    )
    return Breach(says, {"unit": piece.id}, clause=clause)


@rules.on("charge", clause="5.3c 8b")
def a_charge_runs_over_open_ground(position: Position, action: Action) -> Iterator[Breach]:
    """No slope, stream or bridge on the run [5.3c]; no wood or built-up hex in it [8b].

    Those of the first of its two hexes are unproven, because the hex in the zone may count among the two.
    """
    run = position.note(RUN, action.piece) or ()
    game, needed = position.game, position.game.values["charge"].values.integer("run")
    length = needed + (game.adopted("charge-run") == "before")
    last = run[-(length + 1) :] if _is_walk(position, run) else ()
    dragged = bool(last) and _was_dragged(position, action.piece)
    first = last[:2] if len(last) > needed + 1 else ()
    for here, there in pairwise(last):
        if title := forbids_charge(game, here, there):
            says = (
                f"{name_of(position, action.piece)} charges across a {title.lower()} into {there};"
                " a charge may not cross one."
            )
            facts: Facts = {"unit": action.piece, "from": here, "to": there, "run": last}
            unproven = dragged or (here, there) == first
            grade = Grade.unproven if unproven else Grade.illegal
            yield Breach(says, facts, grade, "5.3c", RECONSTRUCTION)
    for where in last[1:] or (position.pieces[action.piece].where,):
        row = game.terrain[game.map.hexes[where].terrain] if where in game.map.grid else None
        if row is not None and not row.effects.flag("charge", True):
            says = (
                f"{name_of(position, action.piece)} charges through {row.title.lower()} in {where};"
                " a charge may not."
            )
            facts = {"unit": action.piece, "hex": where, "run": last}
            ends = where == position.pieces[action.piece].where
            unproven = not ends and (dragged or where in first[1:])
            grade = Grade.unproven if unproven else Grade.illegal
            yield Breach(says, facts, grade, "8b", RECONSTRUCTION)


@rules.on("charge", clause="8a 8b")
def a_charge_is_marked_where_it_can_be_made(position: Position, action: Action) -> Breach | None:
    """If a club wants that: a marker that doubles nothing is harmless."""
    piece, game = position.pieces[action.piece], position.game
    if game.adopted("vain-charge") == "harmless" or not is_cavalry(piece) or not is_on_map(position, piece):
        return None
    near = [
        where
        for where in game.map.grid.neighbours(piece.where)
        if combat_at(position, where, other(piece.side))
    ]
    gone = destroyed(position)
    dry = [where for where in near if not the_field(position).has_water(piece.where, where, gone)]
    if any(_is_open(game, where) for where in dry):
        return None
    missing = "no enemy in open terrain" if dry else "no enemy that it can attack"
    says = f"{name_of(position, piece.id)} is marked as charging, but {missing} is next to it."
    return Breach(says, {"unit": piece.id, "hex": piece.where}, clause="8b" if dry else "8a")


@rules.on("roll combat", clause="5.3c 8b")
def a_charge_is_not_made_into_difficult_ground(position: Position, action: Action) -> Breach | None:
    """The marker alone does not count: the charge is made if the announced column is that of a charge."""
    fight = position.battle(action.battle)
    if not isinstance(fight, Fight) or fight.rolled or not fight.charging or fight.is_fire or fight.pursuit:
        return None
    game = position.game
    bad = [where for where in fight.targets if not _is_open(game, where)]
    over = {name: title for name in fight.charging if (title := barred_by(position, fight, name))}
    said, charged = fight.column, calculated_odds(position, fight, "full charge").column
    harmless = {calculated_odds(position, fight, mistake).column for mistake in ("", "no terrain")}
    if not (bad or over) or said is None or said != charged or said in harmless:
        return None
    if not bad:
        title = next(iter(over.values())).lower()
        says = (
            f"{names_of(position, tuple(over))} counted as charging across a {title} at {fight.target};"
            " a charge may not cross one."
        )
        facts: Facts = {"units": tuple(over), "hex": fight.target}
        return Breach(says, facts, clause="5.3c", provenance=RECONSTRUCTION)
    title = game.terrain[game.map.hexes[bad[0]].terrain].title.lower()
    says = (
        f"{names_of(position, fight.charging)} counted as charging into the {title} in {bad[0]};"
        " a charge may not enter one."
    )
    facts = {"units": fight.charging, "hex": bad[0]}
    return Breach(says, facts, clause="8b", provenance=RECONSTRUCTION)


def _is_open(game: Game, where: str) -> bool:
    return game.terrain[game.map.hexes[where].terrain].effects.flag("charge", True)


@rules.on("charge", clause="8c")
def the_marker_stands_before_the_combat(position: Position, action: Action) -> Breach | None:
    """After the move that is the run; the rules do not say that the own fire phase is too late."""
    if position.phase == "movement":
        return None
    says = (
        f"{name_of(position, action.piece)} is marked as charging in the {phase_of(position)}; charges "
        "are marked in the movement phase."
    )
    in_time = position.phase == "fire" and position.side == position.pieces[action.piece].side
    # where the phase was underway it may have been taken off by mistake, unseen
    grade = Grade.unproven if in_time or position.note(UNDERWAY) else Grade.illegal
    return Breach(says, {"unit": action.piece, "phase": position.phase}, grade)


rules.marks("charge", state=CHARGING)


def pursuit_length(position: Position, fight: Fight) -> int:
    """Return how many hexes beyond the vacated hex charging cavalry must pursue [7.5m]."""
    if fight.is_fire or not fight.charging or fight.pursuit or is_spent(position, fight):
        return 0
    wanted = share(position, fight, fight.enemy)
    beaten = [name for name in fight.defenders if is_on_map(position, position.pieces[name])]
    if not beaten or wanted.eliminated:
        return 0
    values = position.game.values["charge"].values.group("pursuit")
    if wanted.rout:
        return values.integer("D")
    return values.integer(f"R{wanted.retreat}", 0) if wanted.retreat else 0


@duty(rules, clause="7.5m")
def charging_cavalry_pursues(position: Position, fight: Fight) -> Iterator[Breach]:
    """Unless the vacated hex, or those beyond it, cannot be entered."""
    length = pursuit_length(position, fight)
    for name in fight.charging if length else ():
        piece = position.pieces[name]
        if not is_on_map(position, piece) or name in fight.pursued or name in fight.gone:
            continue
        rider = evolve(piece, where=fight.stood.get(name, piece.where))
        paths = pursuit_paths(position, fight, rider, length)
        if any(_may_end(position, rider, path) for path in paths if _is_straight(position, path)):
            did = "only advanced" if name in fight.advanced else "not pursued"
            says = (
                f"{name_of(position, name)} charged and must pursue {counted(length, 'hex')}; it has {did}."
            )
            yield Breach(says, {"unit": name, "result": fight.given})


@by_result(rules, "pursue", clause="7.5m")
def a_pursuit_is_of_so_many_hexes(position: Position, action: Action) -> Breach | None:
    """Through the vacated hex, over open ground, and around the enemy."""
    fight, piece, grid = fight_for(position, action), position.pieces[action.piece], position.game.map.grid
    facts: Facts = {"unit": piece.id, "path": action.path}
    if fight is None or piece.id not in fight.charging:
        says = (
            f"{name_of(position, piece.id)} pursues, but did not charge; only cavalry that charged pursues."
        )
        return Breach(says, facts)
    if is_spent(position, fight):
        says = (
            f"{name_of(position, piece.id)} pursues although its charge into difficult terrain does not "
            "count."
        )
        return Breach(says, facts, Grade.unproven)
    if not (length := pursuit_length(position, fight)):
        says = f"{name_of(position, piece.id)} pursues; the result {fight.given} calls for no pursuit."
        return Breach(says, facts)
    if piece.where != action.path[0]:
        return None
    action = _from_the_start(position, fight, action)
    piece = evolve(piece, where=action.path[0])
    steps = grid.distance(action.path[0], action.end) if action.dragged else len(action.path) - 1
    paths = pursuit_paths(position, fight, piece, length)
    if any(path[-1] == action.end if action.dragged else path == action.path for path in paths):
        return None
    facts = {**facts, "hexes": steps - 1, "due": length}
    if steps != length + 1:
        says = (
            f"{name_of(position, piece.id)} pursues {counted(steps - 1, 'hex')} beyond the vacated hex; "
            f"it must pursue exactly {length}."
        )
    elif not action.dragged and action.path[1] not in _left(fight):
        says = (
            f"{name_of(position, piece.id)} pursues through {action.path[1]};"
            " it must first enter the vacated hex."
        )
    else:
        says = (
            f"{name_of(position, piece.id)} pursues to {action.end} through enemies or over impassable "
            "terrain; a pursuit may not."
        )
    return Breach(says, facts)


def _from_the_start(position: Position, fight: Fight, action: Action) -> Action:
    """A pursuit from the hex where the cavalry fought, if it has advanced, or moved part of the
    path, before.
    """
    stood, name = fight.stood.get(action.piece, ""), action.piece
    before = fight.pursued.get(name) or ((stood, action.path[0]) if name in fight.advanced else ())
    goes_on = stood and before[-1:] == action.path[:1] != before[:1]
    return evolve(action, path=(*before[:-1], *action.path)) if goes_on else action


def _left(fight: Fight) -> set[str]:
    """The hexes of the attacked units."""
    return {fight.stood[name] for name in fight.defenders if name in fight.stood}


def _is_straight(position: Position, path: tuple[str, ...]) -> bool:
    """Return whether each step of a path leads farther from its start."""
    return position.game.map.grid.distance(path[0], path[-1]) == len(path) - 1


def _may_end(position: Position, piece: Piece, path: tuple[str, ...]) -> bool:
    """Return whether a pursuit may take a path: not across a convoy, nor into a full hex [7.5n, 11k]."""
    room = len(combat_at(position, path[-1], piece.side)) < limit(position)
    return room and not any(trains_at(position, where) for where in path[1:])


def pursuit_paths(position: Position, fight: Fight, piece: Piece, length: int) -> Paths:
    """Return the paths of a pursuit: through the vacated hex, and a number of hexes beyond it."""
    grid, shut = position.game.map.grid, held(position, fight.enemy)
    links, left = the_field(position).links(destroyed(position), piece.counter.kind), _left(fight)
    if piece.where not in grid:
        return ()

    def is_open(here: int, there: int, after: int) -> bool:
        fits = after < length or grid.names[there] in left
        return fits and bool(links[here] >> there & 1) and not shut >> there & 1

    found = paths(grid.adjacent, grid.index[piece.where], length + 1, is_open)
    return tuple(tuple(grid.names[at] for at in path) for path in found)


@rules.on("pursue", clause="11k")
def no_unit_pursues_across_the_convoy(position: Position, action: Action) -> Breach | None:
    if action.dragged:
        return None
    passed = tuple(where for where in action.path[1:-1] if trains_at(position, where))
    if not passed:
        return None
    says = f"{name_of(position, action.piece)} pursues across the convoy in {passed[0]}; no pursuit may."
    return Breach(says, {"unit": action.piece, "hex": passed[0]})


@rules.does("pursue")
def pursue(position: Position, action: Action) -> Position:
    """Put the cavalry at the end of its path."""
    fight = fight_for(position, action)
    after = position.with_piece(action.piece, where=action.end)
    if fight is not None:
        path = _from_the_start(position, fight, action).path
        after = after.with_battle(evolve(fight, pursued={**fight.pursued, action.piece: path}))
    return after


@rules.on("attack", clause="7.5o")
def pursuers_attack_the_pursued(position: Position, action: Action) -> Iterator[Breach]:
    """Or units that the rout crossed [7.5q]; and only once."""
    for name in action.pieces:
        mine = [fight for fight in fights(position) if name in fight.pursued]
        if not mine:
            continue
        crossed = [one for one, (_, by) in position.noted(CROSSED).items() if by in mine[-1].defenders]
        prey = {*mine[-1].defenders, *crossed}
        there = {piece.id for piece in position.at(action.target) if piece.side == other(mine[-1].side)}
        again = [fight for fight in fights(position) if fight.pursuit and name in fight.attackers]
        if again:
            says = f"{name_of(position, name)} attacks a second time in its pursuit; it may attack only once."
            yield Breach(says, {"unit": name})
        elif there and not there & prey:
            says = (
                f"{name_of(position, name)} pursued {names_of(position, mine[-1].defenders)}, but attacks "
                f"{names_of(position, sorted(there))}; it may attack only units that it pursued."
            )
            yield Breach(says, {"unit": name, "target": action.target})


@rules.on("advance", clause="7.5p")
def an_advance_after_a_pursuit_is_of_one_hex(position: Position, action: Action) -> Breach | None:
    fight = fight_for(position, action)
    if fight is None or not fight.pursuit:
        return None
    steps = position.game.map.grid.distance(action.path[0], action.end)
    if steps == 1:
        return None
    says = (
        f"{name_of(position, action.piece)} advances {counted(steps, 'hex')} after the melee of its "
        "pursuit; the limit is 1 hex."
    )
    return Breach(says, {"unit": action.piece, "hexes": steps})


@rules.proposes
def charges(position: Position, piece: Piece) -> Iterator[Action]:
    """Cavalry next to the enemy after a run."""
    if position.phase != "movement" or not is_cavalry(piece) or piece.is_(CHARGING):
        return
    if position.note(RUN, piece.id) is not None and in_ezoc(position, piece.where, piece.side):
        yield Action("charge", (piece.id,))


@rules.proposes
def pursuits(position: Position, piece: Piece) -> Iterator[Action]:
    """The paths of cavalry that charged, through the vacated hex."""
    for fight in SETTLING.open(position):
        length = pursuit_length(position, fight) if piece.id in fight.charging else 0
        if not length or piece.id in fight.pursued or piece.id in fight.gone:
            continue
        for path in pursuit_paths(position, fight, piece, length):
            if _is_straight(position, path) and _may_end(position, piece, path):
                yield Action("pursue", (piece.id,), path, battle=fight.number)
