"""Breaches in the use of air power."""

from __future__ import annotations

from referee.engine.actions import Action
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, stack, units
from tools.proof.games.postcard1943.fighting import battle_of

breaker = Breaker()
SUPPORT = ("lw-afrika", "desert-af")
FIRST = {"lw-afrika": 1, "meaaf": 2, "desert-af": 4}
"""The turns from which air units are certainly in play."""
FORCES = {"allied": ("meaaf", "desert-af"), "axis": ("lw-afrika",)}


@breaker.breaks("air.1", "bomb", "attack", "next")
def bombs_a_hex_that_is_not_attacked(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "combat":
        targets = {battle.target for battle in position.battles}
        for piece in units(position, enemy(position.side)):
            if piece.where not in targets:
                for name in FORCES[position.side]:
                    yield (Action("bomb", (name,), target=piece.where),)


@breaker.breaks("air.1", "attack")
def the_defender_bombs(moment: Moment) -> Broken:
    for name in FORCES[enemy(moment.position.side)]:
        yield moment.action, Action("bomb", (name,), target=moment.action.target)


@breaker.breaks("air.1", "roll combat")
def bombs_after_the_die(moment: Moment) -> Broken:
    battle = battle_of(moment.position, moment.action)
    if battle is not None:
        for name in FORCES[moment.position.side]:
            yield moment.action, Action("bomb", (name,), target=battle.target)


@breaker.breaks("air.2", "bomb")
def the_attacker_intercepts(moment: Moment) -> Broken:
    for name in FORCES[moment.position.side]:
        yield moment.action, Action("intercept", (name,), target=moment.action.target)


@breaker.breaks("air.2", "roll combat")
def intercepts_after_the_die(moment: Moment) -> Broken:
    battle = battle_of(moment.position, moment.action)
    if battle is not None:
        for name in FORCES[enemy(moment.position.side)]:
            yield moment.action, Action("intercept", (name,), target=battle.target)


@breaker.breaks("air.3", "intercept")
def bombs_fall_before_the_air_battle(moment: Moment) -> Broken:
    fought = moment.did("roll air-battle")
    battle = next((each for each in moment.position.battles if each.target == moment.action.target), None)
    if not fought and battle is not None:
        for piece in stack(moment.position, battle.target):
            die = (moment.rng.randint(1, 6),)
            yield moment.action, Action("roll bombing", (piece.id,), dice=die, battle=battle.number)


@breaker.breaks("air.3", "roll air-battle", shown=False)
def a_second_air_battle(moment: Moment) -> Broken:
    yield moment.action, moment.action


@breaker.breaks("air.3", "roll air-battle")
def beaten_bombers_bomb_elsewhere(moment: Moment) -> Broken:
    if moment.action.dice[0] > 3:
        for battle in moment.position.battles:
            yield moment.action, Action("bomb", moment.action.pieces, target=battle.target)


@breaker.breaks("air.3", "roll bombing")
def intercepted_after_the_bombing(moment: Moment) -> Broken:
    battle, turn = battle_of(moment.position, moment.action), moment.position.turn
    flying = moment.did("bomb")
    met = moment.did("intercept")
    if battle is None or met or len([name for action in flying for name in action.pieces]) != 1:
        return
    for name in FORCES[enemy(moment.position.side)]:
        if turn >= FIRST[name]:
            yield moment.action, Action("intercept", (name,), target=battle.target)


@breaker.breaks("air.4", "roll bombing")
def a_hit_is_not_marked_as_the_attack_is_called_off(moment: Moment) -> Broken:
    """Before any combat die: then no German has to be attacked."""
    unit, battle = moment.position.pieces[moment.action.piece], battle_of(moment.position, moment.action)
    fought = moment.did("roll combat")
    if battle is None or fought or unit.states or unit.id == "broich" or len(moment.position.battles) > 1:
        return
    if moment.action.dice[0] <= 3 and unit.where == battle.target:
        yield moment.action, Action("call off", battle=battle.number), Action("next")


@breaker.breaks("air.4", "roll bombing")
def bombed_again_after_calling_off(moment: Moment) -> Broken:
    battle = battle_of(moment.position, moment.action)
    fought = moment.did("roll combat")
    flying = moment.did("bomb")
    if battle is None or fought or len(moment.position.battles) > 1 or len(flying) != 1:
        return
    if moment.action.dice[0] > 3 and len(flying[0].pieces) == 1:
        again = Action("attack", battle.attackers, target=battle.target, battle=battle.number + 1)
        yield (
            moment.action,
            Action("call off", battle=battle.number),
            again,
            flying[0],
            Action("roll bombing", moment.action.pieces, dice=(1,), battle=battle.number + 1),
        )


@breaker.breaks("air.3", "roll air-battle")
def no_air_battle_for_close_support(moment: Moment) -> Broken:
    rolled = moment.did("roll bombing")
    flying = moment.did("bomb")
    for battle in moment.position.battles:
        bombed = [action.piece for action in flying if action.target == battle.target]
        if moment.action.piece in SUPPORT and bombed == [moment.action.piece] and not rolled:
            yield (Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=battle.number),)


@breaker.breaks("air.4", "bomb")
def a_unit_elsewhere_is_bombed(moment: Moment) -> Broken:
    battle = next((each for each in moment.position.battles if each.target == moment.action.target), None)
    if battle is not None:
        for piece in units(moment.position, enemy(moment.position.side)):
            if piece.where != moment.action.target:
                yield moment.action, Action("roll bombing", (piece.id,), dice=(1,), battle=battle.number)


@breaker.breaks("air.4", "bomb")
def marked_without_a_roll(moment: Moment) -> Broken:
    """After another battle; otherwise the marker may be the result of an undeclared one."""
    if not moment.did("roll combat"):
        return
    for piece in stack(moment.position, moment.action.target):
        rolled = any(action.piece == piece.id for action in moment.did("roll bombing"))
        beaten = moment.did("roll air-battle")
        if not piece.is_("disrupted") and piece.id != "broich" and not rolled and not beaten:
            yield moment.action, Action("disrupt", (piece.id,))


@breaker.breaks("air.4", "roll bombing")
def a_hit_is_not_marked(moment: Moment) -> Broken:
    unit, battle = moment.position.pieces[moment.action.piece], battle_of(moment.position, moment.action)
    if moment.action.dice[0] <= 3 and not unit.states and unit.id != "broich" and battle is not None:
        yield moment.action, Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=battle.number)
