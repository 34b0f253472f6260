"""How the rules of the referee answer."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Position
from referee.engine.rulings import Grade, number
from referee.engine.supply import Supply
from referee.games.postcard1943 import facts
from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.postcard1943 import questions
from tools.oracles.games.postcard1943.fighting import fights_of
from tools.oracles.moving import ruled

SUPPLY = {Supply.supplied: "in supply", Supply.cut: "cut off", Supply.far: "too far"}


def allowed(position: Position, action: Action) -> str:
    """The grade of the ruling on an action; one carried out late is a slip, and allowed."""
    grade = position.judge(action).grade
    return Grade.legal.name if grade == Grade.slip else grade.name


def threats(scene: Scene) -> Answers:
    """Who threatens each hex."""
    position = scene.position
    found = {}
    for side in position.game.sides:
        near = set(facts.names(position, facts.threatened(position, side)))
        for where in questions.hexes(scene):
            who = facts.threats(position, side, where)
            text = " ".join(sorted(who)) or "nobody"
            found[f"{where} against the {side} side"] = text if bool(who) == (where in near) else "at odds"
    return found


def supply(scene: Scene) -> Answers:
    """How each unit stands with supply, and would stand elsewhere."""
    found = {}
    for unit in questions.units(scene):
        for where in {unit.where, *questions.hexes(scene)[:: 1 + len(unit.id)]}:
            found[f"{unit.id} in {where}"] = SUPPLY[facts.supply_at(scene.position, unit.id, where)]
    return found


def attacks(scene: Scene) -> Answers:
    """Whether each unit may attack each hex that the enemy holds."""
    position, found = scene.position, {}
    for unit in questions.fighters(scene):
        for target in sorted({enemy.where for enemy in questions.units(scene) if enemy.side != unit.side}):
            found[f"{unit.id} attacks {target}"] = ruled(
                position, Action("attack", (unit.id,), target=target)
            )
    return found


def odds(scene: Scene) -> Answers:
    """The odds of each battle, and the result of its die."""
    found = {}
    for fight in fights_of(scene.history):
        if not fight.die:
            odds_ = scene.position.play(Action("roll combat", dice=(6,), battle=fight.number))
            battle = odds_.position.battle(fight.number)
        else:
            battle = scene.position.battle(fight.number)
        column = getattr(battle, "column", None)
        found[f"battle {fight.number}: column"] = (
            "" if column is None else fight.then.game.tables["crt"].columns[column]
        )
        if fight.die:
            found[f"battle {fight.number}: result"] = str(getattr(battle, "result", ""))
    return found


def strengths(scene: Scene) -> Answers:
    """The strengths in each battle."""
    calculate, found = scene.position.world.rulebook.odds, {}
    assert calculate is not None
    for fight in fights_of(scene.history):
        right = calculate(fight.then, fight.target, fight.attackers)
        assert isinstance(right, Odds)
        found[f"battle {fight.number}"] = f"{number(right.attacking)} against {number(right.defending)}"
    return found


def to_be_attacked(scene: Scene) -> Answers:
    """The Germans who must still be attacked when combat ends."""
    if scene.position.phase != "combat":
        return {}
    breaches = scene.position.play(Action("next")).ruling.breaches
    names = {str(breach.facts["unit"]) for breach in breaches if breach.clause == "combat.5"}
    return {"to be attacked": " ".join(sorted(names)) or "nobody"}


def retreats(scene: Scene) -> Answers:
    """Whether retreats step by step are legal."""
    return {
        f"battle {fight.number}: {unit.id} {'-'.join(path)}": allowed(
            scene.position, Action("retreat", (unit.id,), path, battle=fight.number)
        )
        for fight, unit in questions.retreats(scene)
        for path in questions.walks(scene, unit)
    }


def retreat_drags(scene: Scene) -> Answers:
    """Whether dragged retreats are legal."""
    return {
        f"battle {fight.number}: {unit.id} {unit.where}..{end}": allowed(
            scene.position,
            Action("retreat", (unit.id,), (unit.where, end), dragged=True, battle=fight.number),
        )
        for fight, unit in questions.retreats(scene)
        for end in questions.hexes(scene)
        if end != unit.where
    }


def advances(scene: Scene) -> Answers:
    """Whether advances are legal."""
    return {
        f"battle {fight.number}: {unit.id} {'-'.join(path)}": allowed(
            scene.position, Action("advance", (unit.id,), path, battle=fight.number)
        )
        for fight, unit, path in questions.advances(scene)
    }


def undone(scene: Scene) -> Answers:
    """What each battle leaves undone."""
    found = {}
    for fight in questions.rolled(scene):
        graves: dict[str, Grade] = {}
        for breach in scene.position.judge(Action("settle", battle=fight.number)).breaches:
            graves[breach.clause] = max(breach.grade, graves.get(breach.clause, Grade.legal))
        text = [f"{clause} {graves[clause].name}" for clause in sorted(graves)]
        found[f"battle {fight.number}, {fight.result}"] = ", ".join(text) or "nothing"
    return found


def stacking(scene: Scene) -> Answers:
    """The hexes that are too full."""
    breaches = scene.position.status()
    full = [str(breach.facts["hex"]) for breach in breaches if breach.clause in ("stack.1", "stack.2")]
    return {"too full": " ".join(sorted(full)) or "none"}


def recovery(scene: Scene) -> Answers:
    """Whether units may recover now."""
    position = scene.position
    return {
        f"{unit.id} recovers": ruled(position, Action("recover", (unit.id,)))
        for unit in questions.units(scene)
    }


def victory(scene: Scene) -> Answers:
    """Whether the Allies have won."""
    if scene.position.phase != "end":
        return {}
    won = ruled(scene.position, Action("claim", words=("allied",))) == Grade.legal.name
    return {"the Allies have won": str(won)}
