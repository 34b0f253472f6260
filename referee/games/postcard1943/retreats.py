"""Retreats: which units, how far, and where to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Found, Section, of_clause
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of, names_of
from referee.games.postcard1943.battle import (
    ATTACKS,
    Attack,
    attack_for,
    attack_of,
    attacks,
    lone_churchills,
)
from referee.games.postcard1943.facts import put, the_field
from referee.games.postcard1943.notes import SWAMP_AFTER_COMBAT, SWAMP_ROLL_DUE
from referee.games.postcard1943.outcomes import by_either_result, duty
from referee.games.postcard1943.retreat_paths import Bar, bars, retreat_paths
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

BARS = ("retreat.1", "move.4", "move.5", "move.15", "terrain.8", "stack.1", "stack.2")
rules = Section("Retreats", Provenance("rulebook", "Retreats"))

WITHOUT_RETREAT = {"AE": "crt.2", "AD": "crt.3", "BD": "crt.4", "DE": "crt.8"}
"""Results after which no defender retreats, with their clauses."""
MOST = 2
"""No result makes a unit retreat farther."""
LENGTHS = {"D": "retreat.3", "BD": "retreat.3", "Dr": "retreat.4", "DR": "crt.7"}
"""The clause on how far a unit retreats, by result."""


@rules.on("no retreat", clause="retreat.5")
def no_retreat_is_declared_before_the_die(position: Position, action: Action) -> Breach | None:
    attack = attack_of(position, action)
    if attack is None:
        return Breach("No Retreat is declared; an attack must be declared first.", {}, Grade.unproven)
    if attack.rolled:
        says = f"No Retreat is declared for {attack.target} after the combat die; it must be declared before."
        return Breach(says, {"die": attack.die})
    return None


@ATTACKS.does(rules, "no retreat", stage="waiting")
def declare_no_retreat(position: Position, action: Action, attack: Attack) -> Position:
    """Remember the declaration; after the die it changes nothing."""
    return position.with_battle(evolve(attack, no_retreat=True))


@rules.on("retreat", clause="seq.2")
def only_defenders_that_a_result_lets_retreat(position: Position, action: Action) -> Breach | None:
    if _rolled_against(position, action) is not None:
        return None
    says = (
        f"{name_of(position, action.piece)} retreats; units retreat only on a combat result,"
        " and none makes it retreat."
    )
    return Breach(says, {"unit": action.piece})


@rules.on("retreat", clause="church.3")
def churchills_attacked_alone_do_not_retreat(position: Position, action: Action) -> Breach | None:
    attack = _rolled_against(position, action)
    if attack is None or not lone_churchills(position, attack):
        return None
    name = name_of(position, action.piece)
    says = f"{name} retreats; attacked alone in {attack.target}, it must be eliminated."
    return Breach(says, {"unit": action.piece, "hex": attack.target})


def _rolled_against(position: Position, action: Action) -> Attack | None:
    """The attack with a result in which the unit defended."""
    attack = attack_for(position, action)
    return attack if attack is not None and attack.rolled and action.piece in attack.defenders else None


def _calls_for_no_retreat(clause: str) -> None:
    @rules.on("retreat", clause=clause)
    def the_result_calls_for_no_retreat(position: Position, action: Action) -> Found:
        attack = _rolled_against(position, action)
        if attack is None or lone_churchills(position, attack):
            return None
        return of_clause(clause, _a_result_without_retreat(position, action))


for _clause in WITHOUT_RETREAT.values():
    _calls_for_no_retreat(_clause)


@by_either_result
def _a_result_without_retreat(position: Position, action: Action, attack: Attack) -> Breach | None:
    if attack.no_retreat and attack.printed in ("Dr", "DR"):
        return None
    if attack.result == "BD" and position.game.adopted("bd-retreat") == "allowed":
        return None
    if attack.result not in WITHOUT_RETREAT:
        return None
    name = name_of(position, action.piece)
    says = f"{name} retreats, but the {attack.result} at {attack.target} calls for no retreat."
    return Breach(
        says, {"unit": action.piece, "result": attack.result}, clause=WITHOUT_RETREAT[attack.result]
    )


@rules.on("retreat", clause=" ".join(BARS))
def no_retreat_is_barred(position: Position, action: Action) -> Iterator[Breach]:
    """Next to units that attacked, across a closed hexside, into a full hex; a drag may stand
    for any path.
    """
    attack = attack_for(position, action)
    if attack is None or _is_needless(position, action):
        return
    for bar in _barred(position, attack, action):
        if bar.clause in BARS:
            facts: Facts = {"unit": action.piece, "path": action.path}
            relies_on = RECONSTRUCTION if bar.clause.startswith(("move", "terrain")) else None
            yield Breach(bar.says, facts, clause=bar.clause, provenance=relies_on)


def _is_needless(position: Position, action: Action) -> bool:
    """Return whether no result lets the unit retreat, which is reported."""
    attack = _rolled_against(position, action)
    if attack is None or lone_churchills(position, attack):
        return True
    return any(_a_result_without_retreat(position, action))


def _barred(position: Position, attack: Attack, action: Action) -> list[Bar]:
    key = ("barred", action)
    if key not in position.memory:
        position.memory[key] = _barred_on(position, attack, action.piece, _path(position, attack, action))
    found: list[Bar] = position.memory[key]
    return found


def _path(position: Position, attack: Attack, action: Action) -> tuple[int, ...]:
    """The path of a retreat; for a drag, the path that breaks the fewest rules."""
    path = tuple(position.game.map.grid.index[name] for name in action.path)
    if not action.dragged or len(path) > 2:
        return path
    paths = _paths_of_a_drag(position, attack, action)
    return min(paths, key=lambda path: len(_barred_on(position, attack, action.piece, path)), default=path)


def _barred_on(position: Position, attack: Attack, unit: str, path: tuple[int, ...]) -> list[Bar]:
    """What bars a path step by step; the first hex of a rout needs no room, because the unit
    does not stay.
    """
    gone = len(attack.retreated.get(unit, ())) + len(path) - 1
    stays = attack.result != "DR" or gone >= MOST
    found: list[Bar] = []
    for place, (here, there) in enumerate(pairwise(path), 2):
        if position.game.map.grid.gap(here, there) == 1:  # a longer drag is too long whatever is between
            found += bars(position, attack, unit, here, there, ends=stays and place == len(path))
    return found


def _paths_of_a_drag(position: Position, attack: Attack, action: Action) -> list[tuple[int, ...]]:
    """The paths that a drag may stand for: straight to a neighbour, or through one hex between."""
    grid = position.game.map.grid
    here, there = (grid.index[name] for name in action.path)
    paths: list[tuple[int, ...]] = [(here, there)] if grid.gap(here, there) == 1 else []
    if not paths or not attack.retreated.get(action.piece):
        middles = [at for at in grid.adjacent[here] if at >= 0 and grid.gap(at, there) == 1]
        paths += [(here, middle, there) for middle in middles]
    return paths


def _length(position: Position, attack: Attack, action: Action) -> int:
    """The total number of hexes of a unit's retreat after this one."""
    gone = len(attack.retreated.get(action.piece, ()))
    gap = position.game.map.grid.gap
    return gone + sum(gap(here, there) for here, there in pairwise(_path(position, attack, action)))


@rules.on("retreat", clause="retreat.3 retreat.4 crt.7")
@by_either_result
def two_hexes_at_most(position: Position, action: Action, attack: Attack) -> Breach | None:
    clause = LENGTHS.get(attack.result)
    if clause is None or action.piece not in attack.defenders:
        return None
    length = _length(position, attack, action)
    if length <= MOST:
        return None
    limit = f"it must retreat exactly {MOST}" if attack.result == "DR" else f"the limit is {MOST}"
    says = (
        f"{name_of(position, action.piece)} retreats {counted(length, 'hex')} after {attack.result}; {limit}."
    )
    return Breach(says, {"unit": action.piece, "hexes": length}, clause=clause)


@rules.on("retreat", clause="retreat.3")
@by_either_result
def retreats_by_choice_come_before_the_advance(
    position: Position, action: Action, attack: Attack
) -> Breach | None:
    if attack.result not in ("D", "BD") or action.piece not in attack.defenders or not attack.advanced:
        return None
    name = name_of(position, action.piece)
    says = f"{name} retreats by choice after the attacker has advanced; it must do so before."
    return Breach(says, {"advanced": attack.advanced})


@duty(rules, clause="retreat.3")
def all_or_none_by_choice(position: Position, attack: Attack) -> Iterator[Breach]:
    """In an interpretation that is not adopted, a stack retreats by choice as a whole or not at all."""
    went = [name for name in attack.defenders if name in attack.retreated]
    if attack.result != "D" or position.game.adopted("voluntary-part") == "some":
        return
    if went and len(went) < len(attack.defenders):
        stayed = [name for name in attack.defenders if name not in attack.retreated]
        says = (
            f"{names_of(position, went)} retreated by choice from {attack.target} and"
            f" {names_of(position, stayed)} did not; a stack retreats as a whole or not at all."
        )
        yield Breach(says, {"units": tuple(went)})


@rules.on("retreat", clause="crt.7")
@by_either_result
def a_rout_ends_two_hexes_off(position: Position, action: Action, attack: Attack) -> Breach | None:
    if attack.result != "DR" or action.piece not in attack.defenders:
        return None
    grid, length = position.game.map.grid, _length(position, attack, action)
    facts: Facts = {"unit": action.piece, "hexes": length}
    name = name_of(position, action.piece)
    if length > MOST:
        return None  # which is reported
    off = grid.distance(attack.target, action.end)
    walked = not action.dragged and length == MOST
    if off == MOST or (walked and position.game.adopted("rout-end") == "path"):
        return None
    if length < MOST:
        return None  # it may continue; if it does not, that is reported when the battle is settled
    start = position.with_piece(action.piece, where=attack.target)
    far = retreat_paths(start, attack, action.piece, MOST)
    if any(grid.gap(path[0], path[-1]) == MOST for path in far):
        says = (
            f"{name} retreats after DR to {action.end}, {counted(off, 'hex')} from {attack.target}; it must"
            f" end {MOST} hexes away."
        )
        return Breach(says, facts)
    says = (
        f"{name} retreats after DR to {action.end}, {counted(off, 'hex')} from {attack.target}; no path ends"
        f" {MOST} hexes away, so this may be right."
    )
    return Breach(says, facts, Grade.unproven)


@rules.on("retreat", clause="retreat.5")
@by_either_result
def a_declared_no_retreat_is_kept(position: Position, action: Action, attack: Attack) -> Breach | None:
    if not attack.rolled or not attack.no_retreat:
        return None
    facts: Facts = {"unit": action.piece, "result": attack.printed}
    name = name_of(position, action.piece)
    if attack.printed == "DR":
        says = f"{name} retreats from {attack.target}, but No Retreat was declared: DR counts as DE."
        return Breach(says, facts)
    if attack.result == "D" and position.game.adopted("no-retreat-kept") == "kept":
        says = f"{name} retreats by choice from {attack.target}; after No Retreat was declared it must stay."
        return Breach(says, facts, Grade.unproven)
    return None


@duty(rules, clause="crt.6 crt.7")
def units_may_part(position: Position, attack: Attack) -> Iterator[Breach]:
    """In an interpretation that is not adopted, a stack retreats together."""
    if position.game.adopted("parting") == "apart" or attack.result not in ("Dr", "DR"):
        return
    ends = {path[-1] for path in attack.retreated.values() if path}
    if len(ends) > 1:
        clause = "crt.6" if attack.result == "Dr" else "crt.7"
        says = (
            f"The units that retreat from {attack.target} end in {listed(sorted(ends))}; a stack must retreat"
            " together."
        )
        yield Breach(says, {"hexes": tuple(sorted(ends))}, clause=clause)


@rules.does("retreat")
def retreat(position: Position, action: Action) -> Position:
    """Put the unit where it went, and remember its path; in a swamp a roll is due."""
    attack, unit, end = attack_for(position, action), action.piece, action.end
    position = put(position, unit, end)
    if attack and attack.rolled:
        gone = attack.retreated.get(unit, ())
        length = _length(position, attack, action) - len(gone)
        path = action.path[1:] if not action.dragged else (*[""] * (length - 1), end)
        position = position.with_battle(evolve(attack, retreated={**attack.retreated, unit: (*gone, *path)}))
    return into_swamp(position, unit, end)


def into_swamp(position: Position, unit: str, where: str) -> Position:
    """Note that a unit came into a swamp after combat, if that requires a roll [terrain.6]."""
    index = position.game.map.grid.index
    if position.game.adopted("swamp-after-combat") == "not" or where not in index:
        return position
    if the_field(position).swamps >> index[where] & 1:
        position = position.with_note(SWAMP_AFTER_COMBAT, unit, where)
        return position.with_note(SWAMP_ROLL_DUE, unit, where)
    return position


@rules.proposes
def possible_retreats(position: Position, piece: Piece) -> Iterator[Action]:
    """All paths by which a unit in a current battle may retreat."""
    names = position.game.map.grid.names
    for attack in attacks(position):
        if not attack.rolled or attack.settled or piece.id not in attack.defenders:
            continue
        if piece.id in attack.retreated or attack.result not in ("D", "Dr", "DR"):
            continue
        for length in (2,) if attack.result == "DR" else (1, 2):
            for found in retreat_paths(position, attack, piece.id, length):
                path = tuple(names[at] for at in found)
                by_choice = ("by choice",) if attack.result == "D" else ()
                yield Action("retreat", (piece.id,), path, words=by_choice, battle=attack.number)
