"""Declarations of counters and sides, and what a declaration leaves out."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.scribe import facts
from referee.scribe.battles import declare, filled
from referee.scribe.choosing import always, can_be_legal, choose
from referee.scribe.dice import write_check
from referee.scribe.draft import Draft
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene


def read_declaration(draft: Draft, scene: Scene, fact: facts.Declared) -> None:
    """Read a declaration of a counter or a side; a declared retreat or advance waits for the move itself."""
    declaration, battle = fact.declaration, scene.battle
    if fact.counter:
        draft.moves.spoke[declaration] = fact.counter
    if declaration in draft.idiom.announced:
        if fact.counter:
            draft.moves.hints[fact.counter] = (draft.idiom.announced[declaration], battle)
        return
    verb = draft.idiom.declared.get(declaration)
    if verb is None:
        return
    if battle is not None and battle.target == facts.UNKNOWN:
        draft.remark(
            fact.step, f"{declaration} was declared in battle {battle.number}, whose hex is not known"
        )
        draft.lose_track()
        return
    if not declare(draft, scene, battle) and battle is not None and battle.is_given_up:
        draft.remark(fact.step, f"{declaration} was declared in battle {battle.number}, which was called off")
        return
    if verb == draft.idiom.begin:
        draft.setting_up = _goes_on_setting_up(draft, scene, declaration)
    if declaration in draft.idiom.once:
        key = (battle, declaration)
        if key in draft.battles.said:
            return
        draft.battles.said.add(key)
    if _said_before(scene, fact):
        return
    if "NUMBER" in draft.needs(verb) and fact.points is None:
        draft.remark(fact.step, f"{declaration} was declared without the number of points")
        return
    faces = fact.faces or _faces_beside(draft, scene, fact)
    action = filled(draft, verb, fact.counter, battle, faces)
    if action is not None:
        action = _with_more(draft, scene, fact, action)
    if action is None or ("HEX" in draft.slots(verb) and not action.target):
        draft.remark(fact.step, f"{declaration} was declared without a hex")
    elif action.dice and _is_rolled_again(draft, scene, action):
        rolled = "+".join(map(str, action.dice))
        draft.remark(fact.step, f"{declaration} was rolled again: {rolled}; the first roll counts")
    elif declaration in draft.idiom.beside:
        choose(draft, scene, always(*_with_companion(draft, scene, fact, action)), announced=True)
    elif not fact.side and "{side}" in draft.idiom.words.get(declaration, ""):
        choose(draft, scene, always(*_for_each_side(draft, action, draft.idiom.words[declaration])))
    else:
        sayings = _by_any_side(draft, action) if verb == draft.idiom.begin else [action]
        sets_up = verb == draft.idiom.begin and draft.position.clock == draft.beginning
        choose(draft, scene, always(*sayings), announced=True, tidy=sets_up)
        write_check(draft, scene, fact, battle, Certainty.announced)


def _goes_on_setting_up(draft: Draft, scene: Scene, declaration: str) -> bool | None:
    """Whether the other side still sets up after one has; None if the log does not show when it has."""
    later = (other for _, other in scene.following() if isinstance(other, facts.Declared))
    if any(other.declaration == declaration for other in later):
        return True
    contents = (one.statement.content for one in draft.readings)
    ready = sum(isinstance(one, Action) and one.verb == draft.idiom.begin for one in contents)
    return None if ready + 1 < len(draft.game.sides) else False


def _by_any_side(draft: Draft, action: Action) -> list[Action]:
    """A declaration of a side, and the same for another side: one player may press the button for both."""
    others = [name for name in draft.game.sides if (name,) != action.words]
    return [action, *(evolve(action, words=(name,)) for name in others)]


def _for_each_side(draft: Draft, action: Action, words: str) -> list[Action]:
    """A declaration for one side that does not name the side: the active one comes first."""
    sides = sorted(draft.game.sides, key=lambda side: side != draft.position.side)
    return [evolve(action, words=(words.format(side=side),)) for side in sides]


def _with_companion(draft: Draft, scene: Scene, fact: facts.Declared, action: Action) -> list[Action]:
    """The action with the other counter of the hex that takes part in it: the one that said so last, or else
    any.
    """
    there = [piece.id for piece in draft.position.at(draft.position.pieces[fact.counter].where)]
    speaker = draft.moves.spoke.get(draft.idiom.beside[fact.declaration], "")
    names = [speaker] if speaker in there else [name for name in there if name != fact.counter]
    kinds = draft.game.declarations[draft.idiom.beside[fact.declaration]].kinds
    fitting = [name for name in names if draft.game.counters[name].kind in kinds]
    return [evolve(action, pieces=(*action.pieces, name)) for name in fitting] or [action]


def _said_before(scene: Scene, fact: facts.Declared) -> bool:
    """Whether another counter has declared the same towards the same hex in the same step, for both."""
    return bool(fact.target) and any(
        isinstance(other, facts.Declared)
        and (other.step, other.declaration, other.target) == (fact.step, fact.declaration, fact.target)
        for other in scene.story.facts[scene.place - 1 : scene.place]
    )


def _with_more(draft: Draft, scene: Scene, fact: facts.Declared, action: Action) -> Action:
    """The action with the other contents of the declaration: points, side, companions, a hex."""
    slots = draft.slots(action.verb)
    words: tuple[str, ...] = ()
    if "WORD" in slots:
        whose = draft.game.counters[fact.counter].side if fact.counter else fact.side
        words = (whose or draft.passive_side,)
    if fact.declaration in draft.idiom.words:
        words = (draft.idiom.words[fact.declaration].format(side=fact.side),)
    if "NUMBER" in slots and fact.points is not None:
        words = (*words, str(fact.points))
    along = [
        other.counter
        for _, other in scene.following()
        if isinstance(other, facts.Declared)
        and fact.target
        and (other.step, other.declaration, other.target) == (fact.step, fact.declaration, fact.target)
    ]
    pieces = (*action.pieces, *along) if "PIECES" in slots else action.pieces
    action = evolve(action, words=words or action.words, pieces=pieces, target=fact.target or action.target)
    return _on_its_way(draft, scene, action) if "HEX" in slots and not action.target else action


def _on_its_way(draft: Draft, scene: Scene, action: Action) -> Action:
    """An action towards the hex to which a counter goes with its next moves, if one of them fits; otherwise a
    hex that another counter leaves for it.
    """
    shifts = [other for _, other in scene.following() if isinstance(other, facts.Shifted)]
    targets = [shift.target for shift in shifts if shift.counter in action.pieces]
    left = [shift.origin for shift in shifts if shift.counter not in action.pieces]
    ways = (evolve(action, target=target) for target in dict.fromkeys((*targets, *left)))
    return next((way for way in ways if can_be_legal(draft, scene, always(way))), action)


def _is_rolled_again(draft: Draft, scene: Scene, action: Action) -> bool:
    """Whether a roll is wrong, and the last action is the same with another die."""
    if can_be_legal(draft, scene, always(action)):
        return False
    checking = {verb for checked in draft.idiom.checked.values() for verb in checked.verbs}
    contents = (one.statement.content for one in reversed(draft.readings))
    last = next((one for one in contents if not isinstance(one, Action) or one.verb not in checking), None)
    return isinstance(last, Action) and evolve(last, dice=action.dice) == action


def _faces_beside(draft: Draft, scene: Scene, fact: facts.Declared) -> tuple[int, ...]:
    """The dice rolled in the same step, for a declaration that does not contain them."""
    wanted = draft.game.declarations.get(fact.declaration)
    for _, other in scene.following():
        if other.step != fact.step:
            break
        if isinstance(other, facts.Rolled) and wanted is not None and other.dice == wanted.dice:
            return other.faces
    return ()
