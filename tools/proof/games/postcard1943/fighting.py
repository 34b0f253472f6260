"""Breaches in attacks: attackers and targets, calling off, No Retreat, pressing, and the compulsory attacks
of the Germans.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Battle, Piece, Position
from referee.games.postcard1943.battle import Attack
from tools.oracles.games.postcard1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, stack, units

breaker = Breaker()
FACTORS = ("attack", "defence")


def factor(piece: Piece, name: str) -> float:
    """Return a printed factor."""
    return float(piece.counter.factor(name, piece.steps))


def battle_of(position: Position, action: Action) -> Battle | None:
    """Return the battle that an action names, or the last one declared."""
    found = [battle for battle in position.battles if action.battle in (0, battle.number)]
    return found[-1] if found else None


def _attacks(position: Position, piece: Piece) -> Iterator[str]:
    """The adjacent hexes with enemies of a unit."""
    for where in position.game.map.grid.neighbours(piece.where):
        if stack(position, where, enemy(piece.side)):
            yield where


def _across(moment: Moment, clause: str) -> Broken:
    position = moment.position
    if position.phase == "combat":
        for piece in units(position, position.side):
            if not piece.states:
                for target in _attacks(position, piece):
                    if clause in Board.of(position).bars(piece, piece.where, target):
                        yield (Action("attack", (piece.id,), target=target),)


breaker.alike(
    _across,
    ("attack", "next"),
    armour_attacks_over_hills=("move.4", "move.4"),
    attacks_over_high_mountains=("move.15", "move.15"),
    new_zealanders_attack_over_hills=("terrain.8", "terrain.8"),
)


def _in_state(moment: Moment, state: str) -> Broken:
    position = moment.position
    if position.phase == "combat":
        for piece in units(position, position.side):
            if piece.is_(state):
                for target in _attacks(position, piece):
                    yield (Action("attack", (piece.id,), target=target),)


breaker.alike(
    _in_state,
    ("attack", "next"),
    a_disrupted_unit_attacks=("disrupt.2", "disrupted"),
    a_stuck_unit_attacks=("terrain.7", "stuck"),
)


@breaker.breaks("seq.2", "attack", "next")
def the_other_side_attacks(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "combat":
        for piece in units(position, enemy(position.side)):
            for target in _attacks(position, piece):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("seq.3", "next")
def attacks_out_of_phase(moment: Moment) -> Broken:
    """After a unit has recovered; before that, the turn track may have been advanced too early."""
    position = moment.position
    if position.phase == "recovery" and moment.did():
        for piece in units(position, position.side):
            if not piece.states:
                for target in _attacks(position, piece):
                    yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("combat.3", "attack", "next")
def attacks_from_afar(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "combat":
        for piece in units(position, position.side):
            for target in {other.where for other in units(position, enemy(position.side))}:
                if position.game.map.grid.distance(piece.where, target) > 1:
                    yield (Action("attack", (piece.id,), target=target),)


def coverers(position: Position, target: str, attackers: tuple[str, ...]) -> set[str]:
    """Return the undisrupted Germans next to the target and to an attacker that could attack them."""
    board, grid = Board.of(position), position.game.map.grid
    return {
        piece.id
        for piece in units(position, "axis")
        if piece.counter.nation == "de"
        and grid.are_neighbours(piece.where, target)
        and any(board.threatens(piece, position.pieces[name].where) for name in attackers)
    }


@breaker.breaks("combat.5", "roll combat")
def germans_are_not_attacked(moment: Moment) -> Broken:
    position = moment.position
    battle = battle_of(position, moment.action)
    if battle is None or position.side != "allied":
        return
    rolled = moment.did("roll combat")
    if not rolled and coverers(position, battle.target, battle.attackers):
        yield moment.action, Action("next")


@breaker.breaks("combat.7", "attack", "roll combat", "call off")
def a_compulsory_attack_on_germans_is_called_off(moment: Moment) -> Broken:
    """The first die of the phase makes it compulsory: a second attack, on the covering units, is then
    dropped.
    """
    position = moment.position
    if position.side != "allied" or moment.action.verb != "attack":
        return
    here = {piece.id for piece in stack(position, moment.action.target, "axis")}
    for step in moment.earlier("roll combat")[:1]:
        battle = battle_of(step.before, step.action)
        if (
            battle is not None
            and here & coverers(step.before, battle.target, battle.attackers)
            and here & {piece.id for piece in units(position) if not piece.is_("disrupted")}
        ):
            yield moment.action, Action("call off")


@breaker.breaks("combat.7", "roll combat")
def another_compulsory_attack_on_germans_is_called_off(moment: Moment) -> Broken:
    """The first die of the phase makes an attack compulsory that was already declared."""
    position = moment.position
    battle = battle_of(position, moment.action)
    first = not moment.did("roll combat")
    if battle is None or not first or position.side != "allied":
        return
    due = coverers(position, battle.target, battle.attackers)
    for other in position.battles:
        here = {piece.id for piece in stack(position, other.target, "axis")}
        if other.number != battle.number and here & due and not _others_on(position, other):
            yield moment.action, Action("call off", battle=other.number)


@breaker.breaks("combat.7", "attack")
def of_two_attacks_the_compulsory_one_is_called_off(moment: Moment) -> Broken:
    """The attack of the legal game, and another one on the units that cover its defenders, dropped after its
    die.
    """
    position, after = moment.position, moment.step.after
    battle = battle_of(after, moment.action)
    rolled = moment.did("roll combat")
    if battle is None or rolled or position.battles or position.side != "allied":
        return
    due = coverers(after, battle.target, moment.action.pieces)
    free = {piece.id for piece in units(after, position.side)} - {*moment.action.pieces}
    for where in sorted({after.pieces[name].where for name in due} - {battle.target}):
        for name in sorted(free):
            if where in _attacks(after, after.pieces[name]):
                attack = Action("attack", (name,), target=where, battle=battle.number + 1)
                die = Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=battle.number)
                yield moment.action, attack, die, Action("call off", battle=battle.number + 1)


def _others_on(position: Position, battle: Battle) -> bool:
    """Return whether the same hex is attacked twice."""
    return sum(other.target == battle.target for other in position.battles) > 1


@breaker.breaks("combat.4", "roll combat", shown=False)
def called_off_after_the_die(moment: Moment) -> Broken:
    yield moment.action, Action("call off", battle=moment.action.battle)


@breaker.breaks("retreat.5", "roll combat")
def no_retreat_after_the_die(moment: Moment) -> Broken:
    """In a battle in which it has not been declared: to declare it again changes nothing."""
    attack = battle_of(moment.position, moment.action)
    if isinstance(attack, Attack) and not attack.no_retreat:
        yield moment.action, Action("no retreat", battle=moment.action.battle)


@breaker.breaks("pressed.1", "attack")
def pressed_below_even_odds(moment: Moment) -> Broken:
    position, action = moment.position, moment.action
    attack = sum(factor(position.pieces[name], "attack") for name in action.pieces)
    defenders = stack(position, action.target, enemy(position.side))
    defence = sum(factor(piece, "defence") for piece in defenders)
    if attack < defence and not any(piece.is_("disrupted") for piece in defenders):
        yield action, Action("roll press", dice=(moment.rng.randint(1, 6),))


@breaker.breaks("pressed.2", "roll press", shown=False)
def pressed_twice(moment: Moment) -> Broken:
    yield moment.action, moment.action


@breaker.breaks("pressed.2", "roll combat")
def pressed_after_the_die(moment: Moment) -> Broken:
    yield moment.action, Action("roll press", dice=(moment.rng.randint(1, 6),), battle=moment.action.battle)
