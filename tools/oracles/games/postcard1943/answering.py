"""How the clauses answer, read literally."""

from __future__ import annotations

from referee.engine.rulings import number
from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.postcard1943 import questions
from tools.oracles.games.postcard1943.board import Board
from tools.oracles.games.postcard1943.fighting import fights_of
from tools.oracles.games.postcard1943.following import Aftermath
from tools.oracles.games.postcard1943.recovering import allies_have_won, disrupted_since, recovers, too_full


def threats(scene: Scene) -> Answers:
    """Who threatens each hex."""
    board = Board(scene.position)
    return {
        f"{where} against the {side} side": " ".join(sorted(board.threats(side, where))) or "nobody"
        for side in scene.position.game.sides
        for where in questions.hexes(scene)
    }


def supply(scene: Scene) -> Answers:
    """How each unit stands with supply, and would stand elsewhere."""
    board = Board(scene.position)
    return {
        f"{unit.id} in {where}": board.supply(unit, where)
        for unit in questions.units(scene)
        for where in {unit.where, *questions.hexes(scene)[:: 1 + len(unit.id)]}
    }


def attacks(scene: Scene) -> Answers:
    """Whether each unit may attack each hex that the enemy holds."""
    board, fights, found = Board(scene.position), fights_of(scene.history), {}
    for unit in questions.fighters(scene):
        has = any(unit.id in fight.attackers for fight in fights)
        for target in sorted({enemy.where for enemy in board.against(unit.side)}):
            able = board.is_sound(unit) and board.could_act(unit, target)
            again = has or any(fight.target == target for fight in fights)
            found[f"{unit.id} attacks {target}"] = "illegal" if not able else "unproven" if again else "legal"
    return found


def odds(scene: Scene) -> Answers:
    """The odds of each battle, and the result of its die."""
    found = {}
    for fight in fights_of(scene.history):
        columns = scene.position.game.tables["crt"].columns
        found[f"battle {fight.number}: column"] = columns[fight.column]
        if fight.die:
            found[f"battle {fight.number}: result"] = fight.result
    return found


def strengths(scene: Scene) -> Answers:
    """The strengths in each battle."""
    return {
        f"battle {fight.number}": f"{number(fight.attack)} against {number(fight.defence)}"
        for fight in fights_of(scene.history)
    }


def to_be_attacked(scene: Scene) -> Answers:
    """The Germans who must still be attacked when combat ends."""
    if scene.position.phase != "combat":
        return {}
    fights = questions.rolled(scene)
    due = {name for fight in fights for name in fight.coverers()}
    attacked = {name for fight in fights for name in fight.defenders}
    return {"to be attacked": " ".join(sorted(due - attacked)) or "nobody"}


def retreats(scene: Scene) -> Answers:
    """Whether retreats step by step are legal."""
    after = Aftermath(scene)
    return {
        f"battle {fight.number}: {unit.id} {'-'.join(path)}": after.retreat(
            after.fight(fight.number), unit.id, path
        )
        for fight, unit in questions.retreats(scene)
        for path in questions.walks(scene, unit)
    }


def retreat_drags(scene: Scene) -> Answers:
    """Whether dragged retreats are legal."""
    after = Aftermath(scene)
    return {
        f"battle {fight.number}: {unit.id} {unit.where}..{end}": after.drag(
            after.fight(fight.number), unit.id, end
        )
        for fight, unit in questions.retreats(scene)
        for end in questions.hexes(scene)
        if end != unit.where
    }


def advances(scene: Scene) -> Answers:
    """Whether advances are legal."""
    after = Aftermath(scene)
    return {
        f"battle {fight.number}: {unit.id} {'-'.join(path)}": after.advance(
            after.fight(fight.number), unit.id, path
        )
        for fight, unit, path in questions.advances(scene)
    }


def undone(scene: Scene) -> Answers:
    """What each battle leaves undone."""
    found = {}
    after = Aftermath(scene)
    for fight in after.fights:
        text = [f"{clause} {grade}" for clause, grade in sorted(after.undone(fight).items())]
        found[f"battle {fight.number}, {fight.result}"] = ", ".join(text) or "nothing"
    return found


def stacking(scene: Scene) -> Answers:
    """The hexes that are too full."""
    return {"too full": " ".join(sorted(too_full(scene.position))) or "none"}


def recovery(scene: Scene) -> Answers:
    """Whether units may recover now."""
    return {
        f"{unit.id} recovers": recovers(scene.position, unit, disrupted_since(unit))
        for unit in questions.units(scene)
    }


def victory(scene: Scene) -> Answers:
    """Whether the Allies have won."""
    if scene.position.phase != "end":
        return {}
    return {"the Allies have won": str(allies_have_won(scene.position))}
