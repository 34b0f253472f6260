"""Battles: attackers and defenders, and how a battle is declared, joined and cancelled."""

from __future__ import annotations

from attrs import evolve

from referee.corrections import DECLARED_AGAIN
from referee.engine.actions import Action
from referee.engine.rulings import Breach, Grade
from referee.scribe import facts, undeclared_rolls
from referee.scribe.attempts import Attempt
from referee.scribe.choosing import always, choose, now, settings
from referee.scribe.draft import NOT_MADE, Draft
from referee.scribe.engagements import Battle
from referee.scribe.missing_dice import has_results
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene
from referee.scribe.undeclared_battles import has_losses

JOINED_BY_MISTAKE = "a unit joined another attack than it was meant for; the die was rolled without a command"
MISDECLARED = "it was called off before any roll: it may have been declared by mistake"


def over(scene: Scene, target: str) -> Battle | None:
    """Return the battle about a hex in the current phase, or else the battle fought from it; None if there is
    none.
    """
    battles = {
        place: one for place, one in scene.story.battles.items() if scene.story.ends[place] == scene.end
    }
    attacked = [one for one in battles.values() if one.target == target]
    left = [one for one in battles.values() if target in one.attackers.values()]
    return next(reversed(attacked or left), None)


def may_be_attacked_later(scene: Scene, target: str) -> bool:
    """Return whether a hex is attacked at any later time, or generic dice are rolled in this phase."""
    attacked = any(
        place >= scene.place and one.target == target for place, one in scene.story.battles.items()
    )
    return attacked or any(undeclared_rolls.is_generic(fact) for _, fact in scene.following())


def declare(draft: Draft, scene: Scene, battle: Battle | None) -> bool:
    """Write a battle down with all its final participants, unless it has been written already.

    Return whether it is in the draft.
    """
    if battle is None or not battle.attackers or battle.target not in draft.game.map.grid:
        return False
    if battle not in draft.battles.declared:
        names = tuple(name for name in draft.game.counters if name in battle.attackers)
        action = _attack(draft, scene, battle, names)
        if _is_declared_ahead(draft, scene, battle, action):
            return False
        for other in sorted(draft.battles.declared - draft.battles.cancelled, key=lambda one: one.first):
            if other.called_off and not other.dice and other.attackers.keys() & battle.attackers.keys():
                _cancel(draft, scene, other)  # declared again before it was cancelled
        draft.battles.declared.add(battle)
        draft.settle_if_done(
            scene.fact, [other for other in draft.battles.settling if other.last < scene.place]
        )
        first, steps = len(draft.readings), tuple(battle.steps)
        mistaken = draft.cautious and battle.called_off and not (battle.dice or battle.said)
        kinds = always(action, *_other_kinds(draft, scene, battle, action))
        choose(draft, scene, kinds, steps, announced=bool(steps), mistaken=mistaken)
        if mistaken and len(draft.readings) == first:
            draft.battles.cancelled.add(battle)
            return False
        for further in _further(draft, battle):
            choose(draft, scene, always(further), steps, announced=True)
        is_accused = draft.cautious and any(one.broken for one in draft.readings[first:])
        if mistaken:
            draft.doubt(first, MISDECLARED)
        elif is_accused and _is_rolled_barely(scene, battle):
            draft.doubt(first, JOINED_BY_MISTAKE)
            draft.lose_track()
        elif is_accused and _is_never_made(draft, scene, battle):
            draft.doubt(first, NOT_MADE)
    return True


def _is_rolled_barely(scene: Scene, battle: Battle) -> bool:
    """Whether dice are rolled by a button alone in the phase of an attack, and none by a command for it."""
    found, end = scene.story.facts, scene.story.ends[battle.first]
    is_bare = any(map(facts.is_bare, found[battle.first : end]))
    return is_bare and all(facts.is_bare(found[place]) for place in battle.dice)


def _is_never_made(draft: Draft, scene: Scene, battle: Battle) -> bool:
    """Whether the phase of an attack ends without its die, which it needs, and without losses."""
    is_over = scene.story.ends[battle.first] < len(scene.story.facts)
    is_open = battle.dice or has_losses(draft.game, scene.story, battle)
    declared = draft.position.battle(battle.number)
    return is_over and not is_open and declared is not None and not declared.rolled


def _is_declared_ahead(draft: Draft, scene: Scene, battle: Battle, action: Action) -> bool:
    """Whether an attack that is not legal yet is rolled after others that may make it legal.

    Nothing else is declared in it before.
    """
    until = battle.dice[0] if battle.dice else -1
    others = (one for one in scene.story.battles.values() if one is not battle)
    if not draft.cautious or not battle.said <= draft.idiom.attacks.keys():
        return False
    if not any(scene.place < die < until for one in others for die in one.dice[:1]):
        return False
    attempts = (draft.attempt(action, setting.position) for setting in settings(draft, scene))
    return not any(
        one.is_legal and all(draft.is_legal(further, one.after) for further in _further(draft, battle))
        for one in attempts
        if one is not None
    )


def _further(draft: Draft, battle: Battle) -> list[Action]:
    """The attack on the other hexes of a battle."""
    also = draft.idiom.also
    return [Action(also, target=place, battle=battle.number) for place in battle.further] if also else []


def _attack(draft: Draft, scene: Scene, battle: Battle, names: tuple[str, ...]) -> Action:
    """An attack: of another kind if that was declared, or is legal and the dice are those of that kind."""
    kinds = (verb for declaration, verb in draft.idiom.attacks.items() if declaration in battle.said)
    action = Action(draft.idiom.attack, names, target=battle.target, battle=battle.number)
    if kind := next(kinds, ""):
        return evolve(action, verb=kind)
    die = scene.story.facts[battle.dice[0]] if battle.dice else None
    rolled = draft.idiom.dice.get(getattr(die, "dice", ""), "")
    attempt = draft.attempt(action, now(draft)) if rolled and draft.idiom.rolls else None
    declared = attempt.after.battle(battle.number) if attempt is not None else None
    if declared is not None and draft.idiom.roll_of(declared) == rolled:
        return action
    for kind, verb in draft.idiom.rolls.items() if rolled else ():
        other = evolve(action, verb=kind)
        if verb == rolled and any(draft.is_legal(other, one.position) for one in settings(draft, scene)):
            return other
    return action


def _other_kinds(draft: Draft, scene: Scene, battle: Battle, action: Action) -> list[Action]:
    """Attacks of other kinds, if none was declared: players may join any attack with the same command.

    Not those who have declared an attack of another kind before in the same phase.
    """
    attacks = draft.idiom.attacks
    if action.verb != draft.idiom.attack or battle.said & attacks.keys():
        return []
    before = (one for at, one in scene.story.battles.items() if scene.story.ends[at] == scene.end)
    before = (one for one in before if one.first < battle.first and not one.called_off)
    if any(one.said & attacks.keys() and one.attackers.keys() & battle.attackers.keys() for one in before):
        return []
    return [evolve(action, verb=verb) for verb in attacks.values()]


def join(draft: Draft, scene: Scene) -> None:
    """Read a battle when the last counter has joined it, if it has any consequences."""
    battle = scene.battle
    if battle is None or battle.joined != scene.place:
        return
    if _lacks_its_die(draft, scene, battle):
        draft.battles.undiced.add(battle)
    if draft.left_out.all_dice and battle.attackers:
        draft.lose_track()
        draft.leave_open(battle)
        if not _is_given_up(scene, battle):
            draft.dice.wrong = (*draft.dice.wrong, *_wrong_with(draft, scene, battle))
    if (
        battle.meant
        or _is_fought_without_dice(draft, scene, battle)
        or _is_left_before_the_dice(draft, scene, battle)
    ):
        declare(draft, scene, battle)


def _is_fought_without_dice(draft: Draft, scene: Scene, battle: Battle) -> bool:
    """Whether an attack has its result as soon as it is declared, and was not declared again differently."""
    if _is_given_up(scene, battle) or not battle.attackers:
        return False
    attempt = _attempt(draft, scene, battle)
    fought = attempt.after.battle(battle.number) if attempt is not None and attempt.is_legal else None
    return fought is not None and fought.rolled


def _lacks_its_die(draft: Draft, scene: Scene, battle: Battle) -> bool:
    """Whether a battle has results, but no die, although by the rules it needs one."""
    if battle.dice or not (battle.attackers and battle.defenders):
        return False
    if battle.called_off or battle.is_given_up or not has_results(draft, scene.story, battle):
        return False
    attempt = _attempt(draft, scene, battle)
    declared = attempt.after.battle(battle.number) if attempt is not None else None
    return declared is not None and not declared.rolled


def _is_given_up(scene: Scene, battle: Battle) -> bool:
    """Whether an attack was called off, or declared again differently in its phase."""
    return battle.called_off or any(
        one.target == battle.target or one.attackers.keys() & battle.attackers.keys()
        for one in _later(scene, battle)
    )


def _later(scene: Scene, battle: Battle) -> list[Battle]:
    """The battles that are declared after one in its phase."""
    battles = scene.story.battles.values()
    return [one for one in battles if one.first > battle.first and scene.story.ends[one.first] == scene.end]


def _attempt(draft: Draft, scene: Scene, battle: Battle) -> Attempt | None:
    """The declaration of an attack, tried now; None if it makes no sense."""
    if battle.target not in draft.game.map.grid:
        return None
    names = tuple(name for name in draft.game.counters if name in battle.attackers)
    return draft.attempt(_attack(draft, scene, battle, names), now(draft))


def _wrong_with(draft: Draft, scene: Scene, battle: Battle) -> list[Breach]:
    """What an attack breaks if it is made as it is declared."""
    attempt = _attempt(draft, scene, battle)
    return [one for one in attempt.ruling.breaches if one.grade > Grade.slip] if attempt is not None else []


def _is_left_before_the_dice(draft: Draft, scene: Scene, battle: Battle) -> bool:
    """Whether an attack is not rolled, and a defender leaves its hex in a way that only the attack allows."""
    if battle.called_off or battle.dice or not battle.attackers:
        return False
    grid, before, attempt = draft.game.map.grid, now(draft), _attempt(draft, scene, battle)
    if attempt is None or not attempt.is_legal:
        return False
    verbs = [one.verb for one in draft.idiom.move_verbs.get(before.phase, ())]
    again = [one.first for one in _later(scene, battle) if one.target == battle.target]
    until = min(again, default=scene.end)  # from then on the attack that is declared again allows it
    shifts = (one for place, one in scene.following() if place < until and isinstance(one, facts.Shifted))
    left = (one for one in shifts if one.origin == battle.target and one.target in grid)
    ways = (
        Action(verb, (one.counter,), (one.origin, one.target), dragged=True) for one in left for verb in verbs
    )
    return any(draft.is_legal(way, attempt.after) and not draft.is_legal(way, before) for way in ways)


def call_off(draft: Draft, scene: Scene) -> None:
    """Read the cancellation of a battle."""
    battle = scene.battle
    if battle is not None and not battle.dice and declare(draft, scene, battle):
        _cancel(draft, scene, battle)


def _cancel(draft: Draft, scene: Scene, battle: Battle) -> None:
    if battle not in draft.battles.cancelled:
        draft.battles.cancelled.add(battle)
        draft.act(Action(draft.idiom.call_off, battle=battle.number), scene.fact, Certainty.announced)
        declared = (one for one in scene.story.battles.values() if scene.place < one.first < scene.end)
        if any(one.side == battle.side and one.target == battle.target for one in declared):
            draft.doubt(len(draft.readings) - 1, DECLARED_AGAIN, only=True)


def filled(
    draft: Draft, verb: str, counter: str, battle: Battle | None, faces: tuple[int, ...]
) -> Action | None:
    """An action, filled in according to the form of its verb; None if something is missing for it."""
    slots = draft.slots(verb)
    target = battle.target if battle is not None else ""
    needs_counter, needs_dice = bool({"PIECE", "PIECES"} & slots), bool({"DIE", "DICE"} & slots)
    if (needs_counter and not counter) or (needs_dice and not faces):
        return None
    return Action(
        verb,
        (counter,) if needs_counter else (),
        target=target if "HEX" in slots else "",
        dice=faces if "DICE" in slots else faces[:1] if needs_dice else (),
        battle=draft.numbered(verb, battle),
    )
