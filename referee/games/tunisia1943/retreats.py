"""Retreats: how far, where to, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.tunisia1943.account import Account, company_of, demand, is_destroyed, paths_from
from referee.games.tunisia1943.attacks import makes_room
from referee.games.tunisia1943.battle import (
    Attack,
    attack_for,
    attacks,
    is_garrison,
    kept,
    late_attack,
    outcomes,
)
from referee.games.tunisia1943.facts import (
    has_room,
    held,
    held_by_ems,
    is_em,
    is_on_map,
    is_unit,
    other,
    the_field,
)
from referee.games.tunisia1943.losses import with_spared
from referee.games.tunisia1943.notes import FOUGHT
from referee.games.tunisia1943.outcomes import DUTIES
from referee.games.tunisia1943.retreat_paths import RetreatPath, exits
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Retreats", Provenance("rulebook", "7.5"))


def _attack(position: Position, action: Action) -> Attack | None:
    """The attack that makes a combat unit retreat, by the outcome that fits; for other pieces see the
    results.
    """
    attack = attack_for(position, action)
    if attack is None or not attack.rolled or action.piece not in attack.defenders:
        return None
    going = [one for one in outcomes(attack) if demand(one).retreat]
    return next((one for one in going if fitting(position, one, action)), going[0] if going else None)


def _road(attack: Attack, action: Action) -> tuple[str, ...]:
    """All known hexes of a unit's retreat, from the attacked hex on."""
    before = attack.retreated.get(action.piece, (attack.target,))
    return (*before, *action.path[1:])


def fitting(position: Position, attack: Attack, action: Action) -> tuple[RetreatPath, ...]:
    """The paths that a retreat may have been: the same hexes, or for a drag paths through its points."""
    points = _points(position, attack, action)
    found = paths_from(position, attack, position.pieces[action.piece])
    if _is_walked(position, action, points):
        return tuple(path for path in found if path.hexes == points)
    return tuple(path for path in found if path.end == points[-1] and _goes_through(path, points))


def _points(position: Position, attack: Attack, action: Action) -> tuple[int, ...]:
    return tuple(position.game.map.grid.index[name] for name in _road(attack, action))


def _is_walked(position: Position, action: Action, points: tuple[int, ...]) -> bool:
    """Whether all hexes of the path are known."""
    grid = position.game.map.grid
    return not action.dragged and all(grid.gap(here, there) == 1 for here, there in pairwise(points))


def _goes_through(path: RetreatPath, points: tuple[int, ...]) -> bool:
    rest = iter(path.hexes)
    return all(point in rest for point in points)


def _is_begun(position: Position, attack: Attack, action: Action) -> bool:
    """Return whether the hexes are the beginning of a longer path."""
    points = _points(position, attack, action)
    found = paths_from(position, attack, position.pieces[action.piece])
    if _is_walked(position, action, points):
        return any(path.hexes[: len(points)] == points for path in found)
    return any(_goes_through(path, points) for path in found)


@rules.on("retreat", clause="7.5b 7.5d 7.5f")
def retreats_go_where_they_may(position: Position, action: Action) -> Iterator[Breach]:
    attack = _attack(position, action)
    if attack is None:
        return
    paths = fitting(position, attack, action)
    facts: Facts = {"unit": action.piece, "path": action.path}
    if paths:
        if all(path.is_unproven for path in paths):
            says = (
                f"{name_of(position, action.piece)} retreats into an enemy ZOC although another path is"
                " free; a free path must be taken."
            )
            yield Breach(says, facts, Grade.unproven, "7.5b")
        return
    closed = tuple(_closed(position, attack, action))
    if closed:
        yield from closed
    elif not _is_begun(position, attack, action):
        length = demand(attack).retreat
        hexes = counted(length, "hex")
        says = (
            f"{name_of(position, action.piece)} must retreat exactly"
            f" {hexes} away from {attack.target} after {attack.code}."
        )
        yield Breach(says, facts, clause="7.5f")


def _closed(position: Position, attack: Attack, action: Action) -> Iterator[Breach]:
    """What bars the end of a retreat, whatever its path, and each hex of a known path."""
    grid = position.game.map.grid
    side = position.pieces[action.piece].side
    enemies = held(position, other(side)) | held_by_ems(position, other(side))
    land, links = the_field(position).land, the_field(position).links
    road = _road(attack, action)
    for here, there in pairwise(road):
        at, to = grid.index[here], grid.index[there]
        facts: Facts = {"unit": action.piece, "hex": there}
        if enemies >> to & 1:
            yield Breach(
                f"{name_of(position, action.piece)} retreats into {there}, where the enemy is;"
                " a retreat must avoid hexes with enemies.",
                facts,
                clause="7.5f",
            )
        elif not land >> to & 1 or (grid.gap(at, to) == 1 and not links[at] >> to & 1):
            yield Breach(
                f"{name_of(position, action.piece)} retreats from {here}"
                f" to {there}, which cannot be entered from there.",
                facts,
                Grade.illegal,
                "7.5d",
                RECONSTRUCTION,
            )


@DUTIES.rule(rules, "7.4e 7.4f 7.5f")
def units_that_can_retreat_do_so_in_full(position: Position, attack: Attack) -> Iterator[Breach]:
    """One that must be destroyed may stay: that it is not is reported."""
    length = demand(attack).retreat
    doomed = length and Account.of(position, attack, "defenders").takes_all()
    for name in attack.defenders if length else ():
        piece = position.pieces[name]
        if is_destroyed(position, name) or is_garrison(piece):
            continue
        gone = attack.retreated.get(name, (attack.target,))
        paths = paths_from(position, attack, piece)
        facts: Facts = {"unit": name, "result": attack.result, "hexes": len(gone) - 1}
        if name not in attack.retreated:
            if name not in attack.hemmed_in and piece.where == attack.target and not doomed:
                says = f"{name_of(position, name)} stays in {piece.where}; all defenders must retreat."
                yield Breach(says, facts, clause=demand(attack).clause)
        elif len(gone) <= length and name not in attack.path_costs and _is_begun_by(position, paths, gone):
            says = (
                f"{name_of(position, name)} retreats"
                f" {counted(len(gone) - 1, 'hex')}; it must retreat exactly {length}."
            )
            yield Breach(says, facts, clause="7.5f")


def _is_begun_by(position: Position, paths: tuple[RetreatPath, ...], gone: tuple[str, ...]) -> bool:
    points = [position.game.map.grid.index[where] for where in gone]
    return any(len(path.hexes) > len(points) and list(path.hexes[: len(points)]) == points for path in paths)


@DUTIES.rule(rules, "7.5a 7.5b 7.5c 7.5d")
def retreats_are_paid_for(position: Position, attack: Attack) -> Iterator[Breach]:
    """Two steps for units that cannot retreat, one for each hex in enemy zones of control only."""
    if not demand(attack).retreat:
        return
    account = Account.of(position, attack, "defenders")
    unpaid = account.unpaid()
    due = [name for name in attack.defenders if account.least[name] and not is_destroyed(position, name)]
    short = [name for name in due if account.lost[name] < account.least[name]]
    for name in (short or due) if unpaid else ():
        facts: Facts = {"unit": name, "steps missing": unpaid, "path": attack.retreated.get(name, ())}
        if name in attack.hemmed_in:
            loss, bar = attack.hemmed_in[name]
            says = (
                f"{name_of(position, name)} cannot retreat and must lose"
                f" {counted(loss, 'step')}; the defenders still have to lose {counted(unpaid, 'step')}."
            )
            yield Breach(says, facts, clause=bar)
        else:
            friends = name in attack.past_friends
            clause = "7.5c" if friends else "7.5b"
            where = "an enemy ZOC past a hex that a friendly unit held" if friends else "an enemy ZOC"
            says = (
                f"{name_of(position, name)} retreated into {where}, which costs each unit a step;"
                f" the defenders still have to lose {counted(unpaid, 'step')}."
            )
            yield Breach(says, facts, clause=clause)


@rules.on("retreat", clause="7.5e")
def who_was_there_does_not_make_room(position: Position, action: Action) -> Breach | None:
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    if attack is None or not attack.rolled or attack.settled or not makes_room(attack, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} leaves {piece.where} for units that retreated there;"
        " if the stack is too high, they must go on themselves."
    )
    return Breach(says, {"unit": piece.id, "hex": piece.where})


@DUTIES.rule(rules, "7.5e")
def retreats_go_on_until_there_is_room(position: Position, attack: Attack) -> Iterator[Breach]:
    ends = dict.fromkeys(path[-1] for path in attack.retreated.values())
    for where in ends:
        units = tuple(
            name
            for name, path in attack.retreated.items()
            if path[-1] == where and position.pieces[name].where == where and name in attack.defenders
        )
        if units and not has_room(position, where, position.pieces[units[0]].side):
            says = (
                f"The retreat exceeds the stacking limit in {where}: {names_of(position, units)} must go on."
            )
            yield Breach(says, {"hex": where, "units": units})


@rules.does("retreat")
def retreat(position: Position, action: Action) -> Position:
    """Put the piece at the end of its path; remember the path, and what it may have cost."""
    position = with_spared(position, action.piece)
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    if attack is not None and attack.rolled:
        going = _attack(position, action)
        paths = fitting(position, going, action) if going is not None else ()
        changed = evolve(attack, retreated={**attack.retreated, piece.id: _road(attack, action)})
        if paths:
            cost = min(path.least for path in paths), max(path.loss for path in paths)
            changed = evolve(changed, path_costs={**attack.path_costs, piece.id: cost})
            if all(_passed_friends(position, piece, path, company_of(attack)) for path in paths):
                changed = evolve(changed, past_friends=(*attack.past_friends, piece.id))
        position = kept(position, changed)
    elif (late := late_attack(position, piece.id)) is not None:
        gone = evolve(late, retreated={**late.retreated, piece.id: _road(late, action)})
        position = position.with_note(FOUGHT, str(gone.number), gone)
    return position.with_piece(piece.id, where=action.end)


def _passed_friends(position: Position, piece: Piece, path: RetreatPath, company: frozenset[str]) -> bool:
    """Whether a path went into an empty hex in enemy zones of control past one that a friend held [7.5c]."""
    for here, there in pairwise(path.hexes):
        found = exits(position, piece.side, here, company)
        if found.covered and not found.free >> there & 1:
            return True
    return False


@rules.proposes
def possible_retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """All paths that a defender, and an EM with it, may go."""
    names = position.game.map.grid.names
    for attack in attacks(position):
        length = demand(attack).retreat
        if not attack.rolled or attack.settled or not length or piece.id in attack.retreated:
            continue
        if piece.id not in (*attack.defenders, *attack.ems) or not is_on_map(position, piece):
            continue
        if is_em(piece) or is_unit(position, piece):
            for found in paths_from(position, attack, piece):
                if found.steps:
                    path = tuple(names[at] for at in found.hexes)
                    yield Action("retreat", (piece.id,), path, battle=attack.number)
