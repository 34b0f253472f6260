"""Breaches in results: not carried out, carried out wrongly, wrong retreats and advances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.postcard1943.battle import Attack
from referee.games.postcard1943.notes import DISRUPTION_DUE
from tools.oracles.games.postcard1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, land, stack, units
from tools.proof.games.postcard1943.fighting import battle_of, factor
from tools.proof.games.postcard1943.odds import sums

breaker = Breaker()
IMMUNE = "broich"
CHURCHILLS = "nih"
DIE = 6


def _rolled(moment: Moment) -> Attack | None:
    """The attack whose die this step rolls, with the result of the table, read literally."""
    battle = battle_of(moment.position, moment.action)
    if not isinstance(battle, Attack) or battle.result or not moment.action.dice:
        return None
    return resolved(moment.position, battle, moment.action.dice[0])


def resolved(position: Position, attack: Attack, die: int) -> Attack | None:
    """An attack with the result of its die at the literal odds; None if there is no unit to attack."""
    defenders = tuple(piece.id for piece in stack(position, attack.target, enemy(attack.side)))
    if not defenders or not 1 <= die <= DIE:
        return None
    table = position.game.tables["crt"]
    literal = table.columns.index(sums(position, attack).words[0])
    column = literal if attack.column is None else attack.column
    printed = table.cells[table.rows.index(str(die))][column]
    result = {"Dr": "D", "DR": "DE"}.get(printed, printed) if attack.no_retreat else printed
    return evolve(
        attack, defenders=defenders, column=column, die=die, printed=printed, result=result, right=result
    )


def with_any_die(mutate: Callable[..., Broken]) -> Callable[..., Broken]:
    """Return a mutator that breaks the result of a battle with each possible die."""

    @wraps(mutate)
    def mutate_all(moment: Moment, *given: str) -> Broken:
        for face in range(1, DIE + 1):
            action = evolve(moment.action, dice=(face,))
            step = evolve(moment.step, action=action, after=moment.position)
            game = (*moment.game[: moment.place], step, *moment.game[moment.place + 1 :])
            yield from mutate(Moment(game, moment.place, moment.rng), *given)

    return mutate_all


def _left_undone(moment: Moment, result: str) -> Iterator[Attack]:
    attack = _rolled(moment)
    if attack is not None and attack.result == result and attack.defenders != (CHURCHILLS,):
        yield attack


def _settled(moment: Moment) -> tuple[Action, ...]:
    return moment.action, Action("settle", battle=moment.action.battle)


def _can_be_marked(position: Position, names: Iterable[str]) -> bool:
    return any(
        name not in (IMMUNE, CHURCHILLS) and not position.pieces[name].is_("disrupted") for name in names
    )


@breaker.breaks("crt.2", "roll combat")
@with_any_die
def no_attacker_is_lost(moment: Moment) -> Broken:
    for attack in _left_undone(moment, "AE"):
        pieces = moment.position.pieces
        worth = sum(factor(pieces[name], "defence") for name in attack.defenders)
        others = [name for name in attack.attackers if name != CHURCHILLS]
        if any(0 < factor(pieces[name], "attack") <= worth for name in others):
            yield _settled(moment)


@with_any_die
def _not_marked(moment: Moment, result: str, *who: str) -> Broken:
    """No unit is marked after a result, of the attackers, the defenders or both."""
    for attack in _left_undone(moment, result):
        if _can_be_marked(moment.position, [name for each in who for name in getattr(attack, each)]):
            yield _settled(moment)


breaker.alike(
    _not_marked,
    ("roll combat",),
    attackers_are_not_marked=("crt.3", "AD", "attackers"),
    no_unit_is_marked=("crt.4", "BD", "attackers", "defenders"),
    defenders_are_not_marked=("crt.5", "D", "defenders"),
)


def _no_unit_retreats(moment: Moment, result: str) -> Broken:
    """There is a path, because in the legal game a defender retreats.

    After Dr only to the next hex: no unit has to go farther if the next hexes are full.
    """
    near = moment.position.game.map.grid.are_neighbours
    for attack in _left_undone(moment, result):
        for step in moment.later("retreat"):
            other = battle_of(step.before, step.action)
            if other is not None and other.number == attack.number:
                if result == "DR" or near(step.action.path[0], step.action.end):
                    yield _settled(moment)
                break


breaker.alike(
    _no_unit_retreats,
    ("roll combat",),
    nobody_retreats_by_dr=("crt.6", "Dr"),
    nobody_runs=("crt.7", "DR"),
)


@breaker.breaks("crt.8", "roll combat")
@with_any_die
def no_defender_is_lost(moment: Moment) -> Broken:
    for _ in _left_undone(moment, "DE"):
        yield _settled(moment)


@breaker.breaks("crt.6", "retreat")
def retreating_units_are_not_marked(moment: Moment) -> Broken:
    attack = battle_of(moment.step.after, moment.action)
    if not isinstance(attack, Attack) or attack.result != "Dr" or len(attack.defenders) > 1:
        return
    if attack.advanced or moment.action.pieces != attack.defenders or moment.action.battle != attack.number:
        return
    if _can_be_marked(moment.position, moment.action.pieces):
        yield moment.action, Action("settle", battle=moment.action.battle)


def _is_open_besides(position: Position, attack: Attack) -> bool:
    """Return whether a loss may belong to another battle that has been rolled and not carried out."""
    others = (one for one in position.battles if isinstance(one, Attack) and one.number != attack.number)
    return any(one.rolled and not one.settled for one in others)


def _wrong_loss(moment: Moment, result: str) -> Broken:
    attack = _rolled(moment)
    if attack is None or attack.result != result or _is_open_besides(moment.step.after, attack):
        return
    for piece in units(moment.step.after):
        if piece.id not in (*attack.attackers, *attack.defenders):
            number = moment.action.battle or attack.number
            yield moment.action, Action("eliminate", (piece.id,), battle=number)


@breaker.breaks("crt.8", "roll combat")
@with_any_die
def a_unit_that_did_not_defend_is_lost(moment: Moment) -> Broken:
    for actions in _wrong_loss(moment, "DE"):
        if moment.position.pieces[actions[-1].piece].side != moment.position.side:
            yield actions


@breaker.breaks("crt.2", "roll combat")
@with_any_die
def a_unit_that_did_not_attack_is_lost(moment: Moment) -> Broken:
    for actions in _wrong_loss(moment, "AE"):
        if moment.position.pieces[actions[-1].piece].side == moment.position.side:
            yield actions


def _retreats_unasked(moment: Moment, result: str) -> Broken:
    attack, after = _rolled(moment), moment.step.after
    if attack is None or attack.result != result:
        return
    if attack.no_retreat and attack.printed in ("Dr", "DR"):
        return
    for name in attack.defenders:
        where = after.pieces[name].where
        for there in after.game.map.grid.neighbours(where):
            if there in land(after) and not stack(after, there, attack.side):
                yield moment.action, Action("retreat", (name,), (where, there), battle=attack.number)


breaker.alike(
    with_any_die(_retreats_unasked),
    ("roll combat",),
    retreats_after_ae=("crt.2", "AE"),
    retreats_after_ad=("crt.3", "AD"),
    retreats_after_bd=("crt.4", "BD"),
    retreats_after_de=("crt.8", "DE"),
)


@breaker.breaks("retreat.5", "roll combat")
@with_any_die
def retreats_after_no_retreat(moment: Moment) -> Broken:
    attack, after = _rolled(moment), moment.step.after
    if attack is not None and attack.no_retreat and attack.printed == "DR":
        for name in attack.defenders:
            where = after.pieces[name].where
            for there in after.game.map.grid.neighbours(where):
                if there in land(after) and not stack(after, there, attack.side):
                    yield moment.action, Action("retreat", (name,), (where, there), battle=attack.number)


def _retreat(moment: Moment) -> Attack | None:
    """The attack from which a single unit retreats at this step."""
    attack = battle_of(moment.position, moment.action)
    own = moment.action.battle or len(moment.position.battles) == 1
    if not isinstance(attack, Attack) or not own or len(moment.action.pieces) > 1:
        return None
    return attack


@breaker.breaks("retreat.1", "retreat")
def retreats_next_to_the_attackers(moment: Moment) -> Broken:
    attack, position = _retreat(moment), moment.position
    if attack is None:
        return
    unit = position.pieces[moment.action.piece]
    stood = position
    for name in attack.attackers:
        stood = stood.with_piece(name, where=attack.stood[name], states={})
    board = Board(stood)
    for there in position.game.map.grid.neighbours(unit.where):
        enemies = stack(position, there, attack.side)
        left = (stood.pieces[name] for name in attack.attackers if name not in attack.lost)
        near = any(board.threatens(piece, there) for piece in left)
        if (near or enemies) and board.crosses(unit, unit.where, there):
            yield (evolve(moment.action, path=(unit.where, there), dragged=False),)


def _too_far(moment: Moment, result: str) -> Broken:
    attack, position = _retreat(moment), moment.position
    if attack is None or attack.result != result or moment.action.dragged:
        return
    path = moment.action.path
    for there in position.game.map.grid.neighbours(path[-1]):
        if there in land(position) and there not in path and not stack(position, there, attack.side):
            longer = (*path, there)
            if len(longer) == 4:
                yield (evolve(moment.action, path=longer),)


breaker.alike(
    _too_far,
    ("retreat",),
    three_hexes_by_choice=("retreat.3", "D"),
    two_hexes_more=("retreat.4", "Dr"),
    runs_three_hexes=("crt.7", "DR"),
)
breaker.alike(
    _too_far,
    ("retreat",),
    in_parts=True,
    three_hexes_by_choice_in_parts=("retreat.3", "D"),
    two_hexes_more_in_parts=("retreat.4", "Dr"),
    runs_three_hexes_in_parts=("crt.7", "DR"),
)


@breaker.breaks("advance.1", "advance")
def a_unit_that_did_not_attack_advances(moment: Moment) -> Broken:
    attack, position = battle_of(moment.position, moment.action), moment.position
    if not isinstance(attack, Attack) or not (moment.action.battle or len(position.battles) == 1):
        return
    board = Board.of(position)
    room = 3 - sum(piece.counter.stack for piece in stack(position, attack.target))
    for piece in units(position, attack.side):
        idle = piece.id not in attack.attackers and not piece.states and piece.counter.stack <= room
        if idle and board.crosses(piece, piece.where, attack.target):
            path = (piece.where, attack.target)
            yield (Action("advance", (piece.id,), path, battle=attack.number),)


@breaker.breaks("advance.1", "roll combat")
def advances_into_a_hex_that_is_held(moment: Moment) -> Broken:
    attack, after = _rolled(moment), moment.step.after
    if attack is not None and attack.result in ("AE", "AD", "BD"):
        for name in attack.attackers:
            path = (after.pieces[name].where, attack.target)
            yield moment.action, Action("advance", (name,), path, battle=attack.number)


@breaker.breaks("advance.2", "advance")
def no_unit_advances(moment: Moment) -> Broken:
    attack, position = battle_of(moment.position, moment.action), moment.position
    if not isinstance(attack, Attack) or not (moment.action.battle or len(position.battles) == 1):
        return
    farther = any(len(path) > 1 for path in attack.retreated.values())
    forced = attack.result in ("DR", "DE") or (attack.result == "Dr" and not farther)
    if (
        forced
        and not attack.advanced
        and not attack.settled
        and len(moment.action.path) == 2
        and not moment.action.dragged
    ):
        yield (Action("settle", battle=attack.number),)


def _second_hexes(moment: Moment) -> Iterator[tuple[Position, Attack, str, str]]:
    attack, position, action = battle_of(moment.position, moment.action), moment.position, moment.action
    if not isinstance(attack, Attack) or not (action.battle or len(position.battles) == 1):
        return
    if action.dragged or len(action.path) != 2 or len(action.pieces) > 1:
        return
    for beyond in position.game.map.grid.neighbours(attack.target):
        if beyond in land(position) and beyond != action.path[0] and not stack(position, beyond):
            yield position, attack, action.piece, beyond


@breaker.breaks("advance.3", "advance")
def a_second_hex_for_infantry_or_into_hills(moment: Moment) -> Broken:
    for position, attack, name, beyond in _second_hexes(moment):
        map_ = position.game.map
        armour = position.pieces[name].counter.extra.flag("armour", False)
        rough = map_.hexes[beyond].terrain != "clear" and not map_.roads_across(attack.target, beyond)
        if not armour or rough:
            yield (evolve(moment.action, path=(*moment.action.path, beyond)),)


@breaker.breaks("advance.4", "advance")
def a_second_hex_next_to_the_enemy(moment: Moment) -> Broken:
    """Next to other enemies than the defenders: those may be Disrupted by the result, and marked later."""
    for position, attack, name, beyond in _second_hexes(moment):
        board, piece = Board.of(position), position.pieces[name]
        armour = piece.counter.extra.flag("armour", False)
        others = [one for one in board.against(attack.side) if one.id not in attack.defenders]
        if (
            armour
            and any(board.threatens(other, attack.target) for other in others)
            and board.crosses(piece, attack.target, beyond)
        ):
            yield (evolve(moment.action, path=(*moment.action.path, beyond)),)


@breaker.breaks("church.2", "roll combat")
@with_any_die
def churchills_outlive_a_bad_result(moment: Moment) -> Broken:
    attack = _rolled(moment)
    if attack is not None and CHURCHILLS in attack.attackers and attack.result in ("AE", "AD", "BD"):
        yield _settled(moment)


@breaker.breaks("church.3", "roll combat")
@with_any_die
def lone_churchills_outlive_an_attack(moment: Moment) -> Broken:
    attack = _rolled(moment)
    if attack is not None and attack.defenders == (CHURCHILLS,):
        yield _settled(moment)


@breaker.breaks("crt.1", "roll combat")
def a_wrong_result_is_announced(moment: Moment) -> Broken:
    attack = _rolled(moment)
    if attack is not None:
        for code in moment.position.game.tables["crt"].results:
            if code not in (attack.result, attack.printed):
                yield moment.action, Action("result", words=(code,), battle=attack.number)


@breaker.breaks("crt.1", "roll combat")
@with_any_die
def an_attacker_is_marked_instead_of_the_defenders(moment: Moment) -> Broken:
    attack = _rolled(moment)
    if attack is not None and attack.result in ("D", "Dr", "DR", "DE") and CHURCHILLS not in attack.defenders:
        for name in attack.attackers:
            if name not in (IMMUNE, CHURCHILLS) and not moment.position.pieces[name].states:
                yield moment.action, Action("disrupt", (name,), battle=attack.number)


@breaker.breaks("crt.1", "roll combat")
@with_any_die
def a_defender_is_removed_instead_of_marked(moment: Moment) -> Broken:
    attack = _rolled(moment)
    if attack is not None and attack.result in ("D", "AD", "BD") and CHURCHILLS not in attack.defenders:
        for name in attack.defenders:
            yield moment.action, Action("eliminate", (name,), battle=attack.number)


@breaker.breaks("advance.2", "attack")
def lone_churchills_are_removed_and_no_unit_advances(moment: Moment) -> Broken:
    """Without a die: none is needed."""
    battle = battle_of(moment.step.after, moment.action)
    defenders = [piece.id for piece in stack(moment.position, moment.action.target)]
    if battle is not None and defenders == [CHURCHILLS]:
        able = (moment.position.pieces[name] for name in moment.action.pieces)
        board = Board.of(moment.position)
        if any(board.threatens(piece, moment.action.target) for piece in able if not piece.states):
            number = battle.number
            yield moment.action, Action("eliminate", (CHURCHILLS,), battle=number), Action("next")


@breaker.breaks("terrain.7", "roll swamp")
def stuck_in_the_vacated_swamp_it_advances(moment: Moment) -> Broken:
    position = moment.position
    unit = position.pieces[moment.action.piece]
    map_ = position.game.map
    if position.phase != "combat" or unit.side != position.side:
        return
    for beyond in map_.grid.neighbours(unit.where):
        if beyond in land(position) and not stack(position, beyond):
            for battle in position.battles:
                if battle.target == unit.where and unit.id in battle.attackers:
                    stuck = evolve(moment.action, dice=(1,))
                    path = (unit.where, beyond)
                    yield stuck, Action("advance", (unit.id,), path, battle=battle.number)


@breaker.breaks("crt.1", "roll combat")
def an_immune_unit_is_marked(moment: Moment) -> Broken:
    attack, after = _rolled(moment), moment.step.after
    if attack is None:
        return
    for piece in units(after, enemy(attack.side)):
        bombed = after.note(DISRUPTION_DUE, piece.id)
        if piece.id not in (*attack.defenders, IMMUNE) and bombed is None and not piece.states:
            yield moment.action, Action("disrupt", (piece.id,), battle=attack.number)
