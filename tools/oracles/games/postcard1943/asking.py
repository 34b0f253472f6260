"""The questions about a scene, with the answers of the referee's rules and those of the clauses."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Piece
from referee.engine.rulings import Grade, number
from referee.engine.supply import Supply
from referee.engine.zones import hex_names
from referee.games.postcard1943 import facts
from referee.games.postcard1943.move import Move
from tools.oracles.asking import stacking, walks, zones
from tools.oracles.comparing import Scene, each
from tools.oracles.games.postcard1943.board import Board
from tools.oracles.games.postcard1943.fighting import Fight, fights_of
from tools.oracles.games.postcard1943.following import Aftermath
from tools.oracles.games.postcard1943.marching import March, before
from tools.oracles.games.postcard1943.recovering import allies_have_won, disrupted_since, recovers, too_full
from tools.oracles.moving import Moves, ruled

SUPPLY = {Supply.supplied: "in supply", Supply.cut: "cut off", Supply.far: "too far"}


def _mine(scene: Scene, phase: str) -> list[Piece]:
    """The units of the side that moves or attacks; none in other phases."""
    position = scene.position
    return Board.of(position).mine(position.side) if position.phase == phase else []


MOVES = Moves(
    Board,
    {"movement": "move"},
    lambda scene: _mine(scene, "movement"),
    Move.of,
    lambda position: facts.the_field(position).scale,
    lambda scene, name: March(scene.position, name, before=before(scene, name)),
    lengths=(3, 3, 4, 4, 5, 6),
)


def _allowed(scene: Scene, action: Action) -> str:
    """The grade of the ruling on an action; one carried out late is a slip, and allowed."""
    grade = scene.position.judge(action).grade
    return Grade.legal.name if grade == Grade.slip else grade.name


def _units(scene: Scene) -> Iterator[tuple[str, tuple[Piece, str]]]:
    """Units where they are, and as if they were elsewhere."""
    hexes = scene.position.game.map.grid.names
    for unit in Board.of(scene.position).standing:
        for where in {unit.where, *hexes[:: 1 + len(unit.id)]}:
            yield f"{unit.id} in {where}", (unit, where)


def _attacks(scene: Scene) -> Iterator[tuple[str, tuple[Piece, str]]]:
    """Attacks of each unit on each hex that the enemy holds."""
    for unit in _mine(scene, "combat"):
        for target in sorted({enemy.where for enemy in Board.of(scene.position).against(unit.side)}):
            yield f"{unit.id} attacks {target}", (unit, target)


def _may_attack(scene: Scene, subject: tuple[Piece, str]) -> str:
    (unit, target), board = subject, Board.of(scene.position)
    fights = fights_of(scene.history)
    again = any(unit.id in fight.attackers or fight.target == target for fight in fights)
    able = board.threatens(unit, target)
    return "illegal" if not able else "unproven" if again else "legal"


def _fights(scene: Scene) -> Iterator[tuple[str, Fight]]:
    yield from ((f"battle {fight.number}", fight) for fight in fights_of(scene.history))


def _rolled(scene: Scene) -> Iterator[tuple[str, Fight]]:
    yield from ((f"battle {fight.number}, {fight.result}", fight) for _, fight in _fights(scene) if fight.die)


def _column(scene: Scene, fight: Fight) -> str:
    """The column of a battle that the rules find, and the result of its die."""
    position = scene.position
    if not fight.die:
        position = position.play(Action("roll combat", dice=(6,), battle=fight.number)).position
    battle = position.battle(fight.number)
    column, result = getattr(battle, "column", None), getattr(battle, "result", "") if fight.die else ""
    return f"{'' if column is None else position.game.tables['crt'].columns[column]} {result}"


def _read_column(scene: Scene, fight: Fight) -> str:
    return f"{fight.words[0]} {fight.result if fight.die else ''}"


def _strengths(scene: Scene, fight: Fight) -> str:
    calculate = scene.position.world.rulebook.odds
    assert calculate is not None
    right = calculate(fight.then, fight.target, fight.attackers)
    assert isinstance(right, Odds)
    return f"{number(right.attacking)} against {number(right.defending)}"


def _left_alone(scene: Scene, _: object) -> str:
    """The Germans who must still be attacked when combat ends."""
    breaches = scene.position.play(Action("next")).ruling.breaches
    names = {str(breach.facts["unit"]) for breach in breaches if breach.clause == "combat.5"}
    return " ".join(sorted(names)) or "nobody"


def _to_be_attacked(scene: Scene, _: object) -> str:
    fights = [fight for _, fight in _rolled(scene)]
    due = {name for fight in fights for name in fight.coverers()}
    attacked = {name for fight in fights for name in fight.defenders}
    return " ".join(sorted(due - attacked)) or "nobody"


def _actions(scene: Scene, verb: str) -> Iterator[tuple[str, tuple[Fight, Action]]]:
    """Retreats of defenders who are still on the map, or advances of attackers and one who did not attack."""
    board = Board.of(scene.position)
    here = {unit.id: unit for unit in board.standing}
    for _, fight in _rolled(scene):
        idle = [unit.id for unit in board.mine(fight.side) if unit.id not in fight.attackers]
        names = fight.defenders if verb == "retreat" else (*fight.attackers, *idle[:1])
        for name in (name for name in names if name in here):
            paths = walks(board, here[name], MOVES.lengths if verb == "retreat" else ())
            for path in paths:
                through = len(path) < 3 or (path[1] == fight.target and name not in fight.advanced)
                if verb == "retreat" or (through and path[-1] != path[0]):
                    action = Action(verb, (name,), path, battle=fight.number)
                    yield f"battle {fight.number}: {name} {'-'.join(path)}", (fight, action)


def _drags(scene: Scene) -> Iterator[tuple[str, tuple[Fight, Action]]]:
    """Retreats of which only the ends are known, to any hex."""
    board = Board.of(scene.position)
    for _, fight in _rolled(scene):
        for unit in (one for one in board.standing if one.id in fight.defenders):
            for end in (name for name in board.map.grid.names if name != unit.where):
                path = (unit.where, end)
                action = Action("retreat", (unit.id,), path, dragged=True, battle=fight.number)
                yield f"battle {fight.number}: {unit.id} {unit.where}..{end}", (fight, action)


def _follows(scene: Scene, subject: tuple[Fight, Action]) -> str:
    (fight, action), after = subject, Aftermath.of(scene)
    fight = after.fight(fight.number)
    if action.dragged:
        return after.drag(fight, action.piece, action.end)
    ruling = after.retreat if action.verb == "retreat" else after.advance
    return ruling(fight, action.piece, action.path)


def _undone(scene: Scene, fight: Fight) -> str:
    """What a battle leaves undone, by clause with the gravest grade."""
    graves: dict[str, Grade] = {}
    for breach in scene.position.judge(Action("settle", battle=fight.number)).breaches:
        graves[breach.clause] = max(breach.grade, graves.get(breach.clause, Grade.legal))
    return ", ".join(f"{clause} {graves[clause].name}" for clause in sorted(graves)) or "nothing"


def _read_undone(scene: Scene, fight: Fight) -> str:
    after = Aftermath.of(scene)
    found = after.undone(after.fight(fight.number))
    return ", ".join(f"{clause} {grade}" for clause, grade in sorted(found.items())) or "nothing"


COMPARISONS = (
    zones(
        "move.12",
        facts.threats,
        lambda position, side: hex_names(position.game, facts.threatened(position, side)),
        lambda position, side, where: Board.of(position).threats(side, where),
        Board,
    ),
    each(
        "supply",
        "supply.1 to supply.4",
        _units,
        lambda scene, one: SUPPLY[facts.supply_at(scene.position, one[0].id, one[1])],
        lambda scene, one: Board.of(scene.position).supply(*one),
    ),
    *MOVES.comparisons(
        "move.1 to move.15, supply.5, supply.6", "move.1 to move.15, stack.1, terrain.6", "move.1 to move.15"
    ),
    each(
        "attacks",
        "combat.3, disrupt.2, terrain.7",
        _attacks,
        lambda scene, one: ruled(scene.position, Action("attack", (one[0].id,), target=one[1])),
        _may_attack,
    ),
    each("odds", "combat.3, terrain.1 to terrain.4, church.1", _fights, _column, _read_column),
    each(
        "strengths",
        "combat.3, terrain.1 to terrain.4",
        _fights,
        _strengths,
        lambda _, fight: f"{number(fight.attack)} against {number(fight.defence)}",
    ),
    each(
        "Germans to be attacked",
        "combat.5, combat.6",
        lambda scene: [("to be attacked", ())] if scene.position.phase == "combat" else [],
        _left_alone,
        _to_be_attacked,
    ),
    each(
        "retreats",
        "retreat.1 to retreat.4, crt.7",
        lambda scene: _actions(scene, "retreat"),
        lambda scene, one: _allowed(scene, one[1]),
        _follows,
    ),
    each(
        "dragged retreats",
        "retreat.1 to retreat.4",
        _drags,
        lambda scene, one: _allowed(scene, one[1]),
        _follows,
    ),
    each(
        "advances",
        "advance.1, advance.3, advance.4",
        lambda scene: _actions(scene, "advance"),
        lambda scene, one: _allowed(scene, one[1]),
        _follows,
    ),
    each("left undone", "crt.2 to crt.8, advance.2", _rolled, _undone, _read_undone),
    stacking(("stack.1", "stack.2"), "stack.1 to stack.3", too_full),
    each(
        "recovery",
        "disrupt.5, disrupt.6",
        lambda scene: ((f"{unit.id} recovers", unit) for unit in Board.of(scene.position).standing),
        lambda scene, unit: ruled(scene.position, Action("recover", (unit.id,))),
        lambda scene, unit: recovers(scene.position, unit, disrupted_since(unit)),
    ),
    each(
        "victory",
        "win.1",
        lambda scene: [("the Allies have won", ())] if scene.position.phase == "end" else [],
        lambda scene, _: str(ruled(scene.position, Action("claim", words=("allied",))) == Grade.legal.name),
        lambda scene, _: str(allies_have_won(scene.position)),
    ),
)
