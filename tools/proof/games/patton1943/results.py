"""Results broken: losses, battlegroups, retreats, advances and breakthroughs that go wrong."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.fighting import can_retreat
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import GROUND, UNITS, board_of, fight_after, on_map

breaker = Breaker()


def _settled(moment: Moment, fight: Fight) -> tuple[Action, ...]:
    return moment.action, Action("settle", battle=fight.number)


def _struck(moment: Moment) -> Fight | None:
    """The battle whose last die this step throws."""
    fight = fight_after(moment)
    return fight if fight is not None and fight.rolled and fight.defence_die else None


@breaker.breaks("11k", "roll defence")
def the_defender_loses_nothing(moment: Moment) -> Broken:
    fight = _struck(moment)
    if fight is not None and fight.attack_hit and fight.defence_hit:
        yield _settled(moment, fight)


@breaker.breaks("12e", "roll defence")
def the_attacker_loses_nothing(moment: Moment) -> Broken:
    fight = _struck(moment)
    if fight is not None and fight.defence_hit and not fight.attack_hit:
        yield _settled(moment, fight)


@breaker.breaks("14a", "lose")
def the_beaten_stay(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is None or not fight.attack_hit or fight.defence_hit or not fight.defence_die:
        return
    board = board_of(moment.step.after)
    for piece in board.at(fight.target, fight.enemy, *GROUND):
        near = [(fight.target, a, b) for a in board.around(fight.target) for b in board.around(a)]
        if any(can_retreat(board, piece, way) for way in near):
            yield _settled(moment, fight)
            return


@breaker.breaks("12a", "roll attack")
def nobody_strikes_back(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if (
        fight is not None
        and board_of(moment.position).at(fight.target, fight.enemy, *UNITS)
        and not fight.early
    ):
        yield _settled(moment, fight)


def _loss(moment: Moment, side: str) -> Broken:
    """A loss of a full piece of a side in the battle whose last die this is."""
    fight = _struck(moment)
    if fight is None:
        return
    where = fight.stood if side == fight.side else fight.target
    for piece in board_of(moment.step.after).at(where, side, *UNITS):
        if piece.counter.steps == 2 and piece.steps == 2:
            yield moment.action, Action("lose", (piece.id,), battle=fight.number)


@breaker.breaks("11l", "roll defence")
def a_loss_without_a_hit(moment: Moment) -> Broken:
    fight = _struck(moment)
    if fight is not None and not fight.attack_hit:
        yield from _loss(moment, fight.enemy)


@breaker.breaks("12f", "roll defence")
def an_attackers_loss_without_a_hit(moment: Moment) -> Broken:
    fight = _struck(moment)
    if fight is not None and not fight.defence_hit:
        yield from _loss(moment, fight.side)


@breaker.breaks("13h", "lose")
def two_losses_for_a_hit(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is None or not fight.rolled:
        return
    for name, where in ((fight.side, fight.stood), (fight.enemy, fight.target)):
        for piece in board_of(moment.step.after).at(where, name, *GROUND):
            if fight.suffered.get(name) and piece.counter.steps == 2 and piece.steps == 2:
                yield moment.action, Action("lose", (piece.id,), battle=fight.number)


@breaker.breaks("13a", "lose")
def a_full_unit_is_eliminated(moment: Moment) -> Broken:
    fight, piece = fight_after(moment), moment.position.pieces[moment.action.piece]
    if fight is not None and piece.counter.kind in GROUND and piece.id == fight.unit:
        yield (Action("eliminate", (piece.id,), battle=fight.number),)


@breaker.breaks("13b", "battlegroup")
def no_battlegroup_comes(moment: Moment) -> Broken:
    yield (Action("settle", battle=moment.action.battle),)


@breaker.breaks("13f", "lose")
def aircraft_take_a_loss_on_the_ground(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is None or not fight.rolled:
        return
    for where, side in ((fight.target, fight.enemy), (fight.stood, fight.side)):
        for piece in board_of(moment.position).at(where, side, "air"):
            if piece.counter.steps == 2 and piece.steps == 2:
                yield (Action("lose", (piece.id,), battle=fight.number),)


def _retreats(moment: Moment, length: int) -> Broken:
    """Ways of so many hexes for the piece that retreats in this step, and to where no legal way leads."""
    action, board = moment.action, board_of(moment.position)
    piece, start = moment.position.pieces[action.piece], action.path[0]
    if len(action.pieces) > 1:
        return
    near = [(start, a, b) for a in board.around(start) for b in board.around(a)]
    legal = {way[-1] for way in near if can_retreat(board, piece, way)}
    for way in near:
        path = way if length == 2 else way[:2]
        far = board.distance(start, path[-1]) == length
        if (
            far
            and path[-1] not in legal
            and board.is_ground(path[-1])
            and not board.is_enemy_there(path[-1], piece.side)
        ):
            ends = (path[0], path[-1])
            yield (Action("retreat", (piece.id,), ends, dragged=True, battle=action.battle),)


@breaker.breaks("14b", "retreat")
def a_retreat_of_one_hex(moment: Moment) -> Broken:
    return _retreats(moment, 1)


@breaker.breaks("14e", "retreat")
def a_retreat_through_zones(moment: Moment) -> Broken:
    board, side = board_of(moment.position), moment.position.pieces[moment.action.piece].side
    piece = moment.position.pieces[moment.action.piece]
    for (action,) in _retreats(moment, 2):
        if board.is_controlled(side, action.end) and board.room(action.end, piece):
            yield (action,)


@breaker.breaks("14d", "retreat")
def a_retreat_to_a_full_hex(moment: Moment) -> Broken:
    board, side = board_of(moment.position), moment.position.pieces[moment.action.piece].side
    piece = moment.position.pieces[moment.action.piece]
    for (action,) in _retreats(moment, 2):
        start = action.path[0]
        free = [
            middle
            for middle in board.around(start)
            if action.end in board.around(middle)
            and not board.is_enemy_there(middle, side)
            and not board.is_controlled(side, middle)
            and board.is_passable(start, middle)
            and board.is_passable(middle, action.end)
        ]
        if free and not board.is_controlled(side, action.end) and not board.room(action.end, piece):
            yield (action,)


@breaker.breaks("14l", "roll defence")
def a_retreat_without_cause(moment: Moment) -> Broken:
    fight = _struck(moment)
    if fight is None or fight.attack_hit:
        return
    board = board_of(moment.step.after)
    for piece in board.at(fight.target, fight.enemy, *UNITS):
        for way in [(fight.target, a, b) for a in board.around(fight.target) for b in board.around(a)]:
            if can_retreat(board, piece, way):
                yield moment.action, Action("retreat", (piece.id,), way, battle=fight.number)


@breaker.breaks("7.5a", "advance")
def another_unit_advances(moment: Moment) -> Broken:
    position, board, end = moment.position, board_of(moment.position), moment.action.end
    for where in board.around(end):
        for piece in board.at(where, position.side, *UNITS):
            fought = {name for one in position.battles for name in one.attackers}
            if piece.id not in fought and where != moment.action.path[0]:
                yield (Action("advance", (piece.id,), (where, end), battle=moment.action.battle),)


@breaker.breaks("7.5c", "advance")
def an_advance_to_another_hex(moment: Moment) -> Broken:
    board, start = board_of(moment.position), moment.action.path[0]
    side = moment.position.pieces[moment.action.piece].side
    for end in board.around(start):
        if end != moment.action.end and board.is_passable(start, end) and not board.is_enemy_there(end, side):
            yield (Action("advance", (moment.action.piece,), (start, end), battle=moment.action.battle),)


@breaker.breaks("14j", "roll defence")
def an_advance_into_the_enemy(moment: Moment) -> Broken:
    fight = _struck(moment)
    if fight is not None and not fight.attack_hit and fight.unit:
        way = (fight.stood, fight.target)
        yield moment.action, Action("advance", (fight.unit,), way, battle=fight.number)


@breaker.breaks("15a", "advance")
def a_breakthrough_without_a_general(moment: Moment) -> Broken:
    position = moment.step.after
    board, piece = board_of(position), position.pieces[moment.action.piece]
    generals = [
        one.id for one in on_map(position, piece.side, "support") if one.counter.extra.flag("general", False)
    ]
    if piece.counter.kind != "unit" or any(position.pieces[name].where == piece.where for name in generals):
        return
    for end in board.around(piece.where):
        if board.is_passable(piece.where, end) and not board.is_enemy_there(end, piece.side):
            way = (piece.where, end)
            yield moment.action, Action("break through", (piece.id,), way, battle=moment.action.battle)
