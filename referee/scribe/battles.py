"""Battles: attacks, declarations and dice, and what is inferred of them where players said too little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import evolve

from referee.corrections import DECLARED_AGAIN
from referee.engine.actions import Action
from referee.engine.rulings import Breach, Grade
from referee.scribe import facts, undeclared_rolls
from referee.scribe.choosing import always, can_be_legal, choose, now, settings
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene

Take: TypeAlias = Callable[[Draft, Scene], None]
"""Reads the fact of a scene: what the scribe does with every one."""
MISDECLARED = "it was called off before anything was rolled: it may have been declared by mistake"
NO_VALUE = "none"
"""What the module says for a column or a result off the table."""


def over(scene: Scene, target: str) -> Battle | None:
    """Return the battle about a hex in the current phase, or else from it, None if there is none."""
    battles = {
        place: one for place, one in scene.story.battles.items() if scene.story.ends[place] == scene.end
    }
    attacked = [one for one in battles.values() if one.target == target]
    left = [one for one in battles.values() if target in one.attackers.values()]
    return next(reversed(attacked or left), None)


def may_be_attacked_later(scene: Scene, target: str) -> bool:
    """Return whether a hex is attacked at any time from here on, or generic dice are rolled in this phase."""
    attacked = any(
        place >= scene.place and one.target == target for place, one in scene.story.battles.items()
    )
    return attacked or any(undeclared_rolls.is_generic(fact) for _, fact in scene.following())


def declare(draft: Draft, scene: Scene, battle: Battle | None) -> bool:
    """Write a battle down, with all who took part in it in the end, unless that was done.

    Return whether it stands in the draft.
    """
    if battle is None or not battle.attackers or battle.target not in draft.game.map.grid:
        return False
    if battle not in draft.declared:
        names = tuple(name for name in draft.game.counters if name in battle.attackers)
        action = _attack(draft, scene, battle, names)
        if _is_declared_ahead(draft, scene, battle, action):
            return False
        for other in sorted(draft.declared - draft.cancelled, key=lambda one: one.first):
            if other.called_off and not other.dice and other.attackers.keys() & battle.attackers.keys():
                _cancel(draft, scene, other)  # declared again before it was called off
        draft.declared.add(battle)
        draft.settle_if_done(scene.fact, [other for other in draft.settling if other.last < scene.place])
        first, steps = len(draft.readings), tuple(battle.steps)
        mistaken = draft.cautious and battle.called_off and not (battle.dice or battle.said)
        choose(draft, scene, always(action), steps, announced=bool(steps), mistaken=mistaken)
        if mistaken and len(draft.readings) == first:
            draft.cancelled.add(battle)
            return False
        for further in _further(draft, battle):
            choose(draft, scene, always(further), steps, announced=True)
        if mistaken:
            draft.doubt(first, MISDECLARED)
    return True


def _is_declared_ahead(draft: Draft, scene: Scene, battle: Battle, action: Action) -> bool:
    """Whether an attack that is not legal yet is rolled for after others, which may make it so.

    Nothing else is said in it before.
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
    """An attack: of another kind if somebody declared it, or if it is legal and the dice are those of one."""
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


def join(draft: Draft, scene: Scene) -> None:
    """Read a battle when the last counter has joined it, if anything comes of it at all."""
    battle = scene.battle
    if battle is None or battle.joined != scene.place:
        return
    if draft.diceless and battle.attackers:
        draft.lose_track()
        draft.leave_open(battle)
    if (
        battle.meant
        or _is_fought_without_dice(draft, scene, battle)
        or _is_left_before_the_dice(draft, scene, battle)
    ):
        declare(draft, scene, battle)


def _is_fought_without_dice(draft: Draft, scene: Scene, battle: Battle) -> bool:
    """Whether an attack has its result as it is declared, and was not declared again in another way."""
    if battle.called_off or not battle.attackers or battle.target not in draft.game.map.grid:
        return False
    for one in scene.story.battles.values():
        is_later = one.first > battle.first and scene.story.ends[one.first] == scene.end
        if is_later and (one.target == battle.target or one.attackers.keys() & battle.attackers.keys()):
            return False
    names = tuple(name for name in draft.game.counters if name in battle.attackers)
    action = _attack(draft, scene, battle, names)
    attempt = draft.attempt(action, now(draft))
    fought = attempt.after.battle(battle.number) if attempt is not None and attempt.is_legal else None
    return fought is not None and fought.rolled


def _is_left_before_the_dice(draft: Draft, scene: Scene, battle: Battle) -> bool:
    """Whether an attack is not rolled for, and a defender leaves its hex as only the attack allows."""
    grid = draft.game.map.grid
    if battle.called_off or battle.dice or not battle.attackers or battle.target not in grid:
        return False
    names = tuple(name for name in draft.game.counters if name in battle.attackers)
    before = now(draft)
    attempt = draft.attempt(_attack(draft, scene, battle, names), before)
    if attempt is None or not attempt.is_legal:
        return False
    verbs = [one.verb for one in draft.idiom.move_verbs.get(before.phase, ())]
    shifts = (fact for _, fact in scene.following() if isinstance(fact, facts.Shifted))
    left = (one for one in shifts if one.origin == battle.target and one.target in grid)
    ways = (
        Action(verb, (one.counter,), (one.origin, one.target), dragged=True) for one in left for verb in verbs
    )
    return any(draft.is_legal(way, attempt.after) and not draft.is_legal(way, before) for way in ways)


def _goes_on_setting_up(draft: Draft, scene: Scene, declaration: str) -> bool | None:
    """Whether others still set up when a side has; None if the log ends before they say, or play goes on."""
    later = (other for _, other in scene.following() if isinstance(other, facts.Declared))
    if any(other.declaration == declaration for other in later):
        return True
    contents = (one.statement.content for one in draft.readings)
    ready = sum(isinstance(one, Action) and one.verb == draft.idiom.begin for one in contents)
    return None if ready + 1 < len(draft.game.sides) and scene.turned_to is None else False


def read_declaration(draft: Draft, scene: Scene, fact: facts.Declared) -> None:
    """Read what a counter or a side declares; a retreat or an advance waits for the move itself."""
    declaration, battle = fact.declaration, scene.battle
    if fact.counter:
        draft.spoke[declaration] = fact.counter
    if declaration in draft.idiom.announced:
        if fact.counter:
            draft.hints[fact.counter] = (draft.idiom.announced[declaration], battle)
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
        if key in draft.said:
            return
        draft.said.add(key)
    if _said_before(scene, fact):
        return
    if "NUMBER" in draft.needs(verb) and fact.points is None:
        draft.remark(fact.step, f"{declaration} was declared without the number of points")
        return
    faces = fact.faces or _faces_beside(draft, scene, fact)
    action = _filled(draft, verb, fact.counter, battle, faces)
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
        choose(draft, scene, always(*sayings), announced=True)
        _write_check(draft, scene, fact, battle, Certainty.announced)


def _by_any_side(draft: Draft, action: Action) -> list[Action]:
    """What a side says, and the same said for another side: one player may press the button for both."""
    others = [name for name in draft.game.sides if (name,) != action.words]
    return [action, *(evolve(action, words=(name,)) for name in others)]


def _for_each_side(draft: Draft, action: Action, words: str) -> list[Action]:
    """What somebody says for one of the sides and does not say for which: the active one comes first."""
    sides = sorted(draft.game.sides, key=lambda side: side != draft.position.side)
    return [evolve(action, words=(words.format(side=side),)) for side in sides]


def _with_companion(draft: Draft, scene: Scene, fact: facts.Declared, action: Action) -> list[Action]:
    """The action with the other counter of the hex that has part in it: who said so last, else any."""
    there = [piece.id for piece in draft.position.at(draft.position.pieces[fact.counter].where)]
    speaker = draft.spoke.get(draft.idiom.beside[fact.declaration], "")
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
    """The action with what the declaration says besides: points, whose they are, who goes along, a hex."""
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
    """An action towards the hex that a counter makes for with its next moves, if one of them fits.

    If none does it is a hex that another leaves for it.
    """
    shifts = [other for _, other in scene.following() if isinstance(other, facts.Shifted)]
    targets = [shift.target for shift in shifts if shift.counter in action.pieces]
    left = [shift.origin for shift in shifts if shift.counter not in action.pieces]
    ways = (evolve(action, target=target) for target in dict.fromkeys((*targets, *left)))
    return next((way for way in ways if can_be_legal(draft, scene, always(way))), action)


def _is_rolled_again(draft: Draft, scene: Scene, action: Action) -> bool:
    """Whether a roll is wrong, and the last thing that was done is the same with another die."""
    if can_be_legal(draft, scene, always(action)):
        return False
    checking = {verb for checked in draft.idiom.checked.values() for verb in checked.verbs}
    contents = (one.statement.content for one in reversed(draft.readings))
    last = next((one for one in contents if not isinstance(one, Action) or one.verb not in checking), None)
    return isinstance(last, Action) and evolve(last, dice=action.dice) == action


def _faces_beside(draft: Draft, scene: Scene, fact: facts.Declared) -> tuple[int, ...]:
    """The dice rolled in the same step, for a declaration that does not say them."""
    wanted = draft.game.declarations.get(fact.declaration)
    for _, other in scene.following():
        if other.step != fact.step:
            break
        if isinstance(other, facts.Rolled) and wanted is not None and other.dice == wanted.dice:
            return other.faces
    return ()


def _filled(
    draft: Draft, verb: str, counter: str, battle: Battle | None, faces: tuple[int, ...]
) -> Action | None:
    """An action by the form of its verb; None if something is missing for it."""
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


def call_off(draft: Draft, scene: Scene) -> None:
    """Read that a battle is called off."""
    battle = scene.battle
    if battle is not None and not battle.dice and declare(draft, scene, battle):
        _cancel(draft, scene, battle)


def _cancel(draft: Draft, scene: Scene, battle: Battle) -> None:
    if battle not in draft.cancelled:
        draft.cancelled.add(battle)
        draft.act(Action(draft.idiom.call_off, battle=battle.number), scene.fact, Certainty.announced)
        declared = (one for one in scene.story.battles.values() if scene.place < one.first < scene.end)
        if any(one.side == battle.side and one.target == battle.target for one in declared):
            draft.doubt(len(draft.readings) - 1, DECLARED_AGAIN, only=True)


def resolve(draft: Draft, scene: Scene, fact: facts.Resolved | facts.Rolled, take: Take) -> None:
    """Read the die of a battle."""
    battle = scene.battle
    if facts.is_bare(fact):
        draft.lose_track()
    if battle is None:
        guessed = None
        if not _is_for_a_unit(draft, fact):
            guessed = undeclared_rolls.infer(
                draft, scene, lambda here, one, tests: _breaks(here, scene, one, tests, take)
            )
        if guessed is None:
            tests = _tests_of(draft, scene, fact)
            if len(tests) == 1:
                choose(draft, scene, always(tests[0]))
            else:
                draft.leave_test_open(one.piece for one in tests if one.pieces)
                _not_read(draft, fact)
        elif declare(draft, scene, guessed.battle):
            one_of_several = undeclared_rolls.is_generic(fact) or guessed.breaches
            sure = Certainty.ambiguous if one_of_several else Certainty.inferred
            _roll_tests(draft, scene, guessed.battle, guessed.tests)
            _roll(draft, scene, guessed.battle, scene.place, sure)
    elif battle.dice[0] != scene.place:
        rolled = "+".join(map(str, fact.faces))
        draft.remark(fact.step, f"the die of battle {battle.number} was rolled again: {rolled}")
    elif declare(draft, scene, battle):
        die = _die_that_counts(draft, scene, battle, take)
        _read_words(draft, scene, battle, die, take)
        _roll(draft, scene, battle, die, Certainty.announced)
        if facts.is_bare(scene.story.facts[die]):
            draft.leave_open(battle)
    else:
        draft.remark(fact.step, f"battle {battle.number} has no attackers or no attacked hex")
        draft.lose_track()


def _read_words(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take) -> None:
    """What players said in words of their own before the die, if only that explains what followed."""
    for fact in scene.story.facts[battle.first : die]:
        if not isinstance(fact, facts.Mentioned) or fact.declaration not in draft.idiom.once:
            continue
        verb, key = draft.idiom.declared.get(fact.declaration, ""), (battle, fact.declaration)
        if not verb or key in draft.said or _explains(draft, scene, battle, die, take):
            continue
        trial, action = draft.trial(), Action(verb, battle=battle.number)
        trial.act(action, fact, Certainty.inferred)
        if _explains(trial, scene, battle, die, take):
            draft.said.add(key)
            draft.act(action, fact, Certainty.inferred)


def _roll(draft: Draft, scene: Scene, battle: Battle, place: int, certainty: Certainty) -> None:
    """Write the die that stands at a place, with the odds and the result that were announced with it."""
    fact, numbered = scene.story.facts[place], battle.number
    if not isinstance(fact, facts.Resolved | facts.Rolled):
        return
    announced = fact if isinstance(fact, facts.Resolved) else None
    if announced and announced.column != NO_VALUE and draft.idiom.odds:
        strengths = (f"attack {announced.attack:g}", f"defence {announced.defence:g}")
        action = Action(draft.idiom.odds, words=(announced.column, *strengths), battle=numbered)
        draft.act(action, fact, certainty)
    if announced and announced.modifier is not None and draft.idiom.modifier:
        action = Action(draft.idiom.modifier, words=(str(announced.modifier),), battle=numbered)
        draft.act(action, fact, certainty)
    declared = next((one for one in draft.position.battles if one.number == numbered), battle)
    verb = draft.idiom.roll_of(declared)
    rolled = draft.idiom.dice.get(fact.dice, verb) if isinstance(fact, facts.Rolled) else verb
    verb = rolled if draft.idiom.rolls and rolled in draft.idiom.all_rolls else verb
    draft.act(Action(verb, dice=fact.faces[: _dice_of(draft, verb)], battle=numbered), fact, certainty)
    if isinstance(fact, facts.Rolled):
        _write_check(draft, scene, fact, battle, certainty)
    if announced and announced.result != NO_VALUE and draft.idiom.result:
        said = "+".join(announced.result.split())  # a word of a record has no blanks
        action = Action(draft.idiom.result, words=(said,), battle=numbered)
        draft.act(action, fact, certainty)
    draft.settling.append(battle)
    draft.fought = True


def _write_check(
    draft: Draft,
    scene: Scene,
    fact: facts.Rolled | facts.Declared,
    battle: Battle | None,
    certainty: Certainty,
) -> None:
    """Write what the module reported of a roll: what was added, what it made, and the result."""
    verbs, check = draft.idiom.checked.get(fact.declaration), fact.check
    if verbs is None or check is None:
        return
    stated: list[tuple[str, tuple[str, ...]]] = [(verbs.makes, (str(check.makes),))]
    if check.added is not None:
        stated.append((verbs.added, (str(check.added),)))
    if check.result:
        factor = () if check.factor is None else (f"factor {check.factor}",)
        stated.append((verbs.result, (check.result, *factor)))
    for verb, words in stated:
        if verb:
            pieces = (fact.counter,) if "PIECE" in draft.slots(verb) else ()
            action = Action(verb, pieces, words=words, battle=draft.numbered(verb, battle))
            draft.act(action, fact, certainty)


def read_contest(draft: Draft, scene: Scene, fact: facts.Contested) -> None:
    """Read who won of those who both rolled."""
    verbs = draft.idiom.checked.get(fact.declaration)
    if verbs is not None and verbs.winner:
        words = (fact.winner or "none",)
        action = Action(verbs.winner, words=words, battle=draft.numbered(verbs.winner, scene.battle))
        draft.act(action, fact, Certainty.announced)


def _die_that_counts(draft: Draft, scene: Scene, battle: Battle, take: Take) -> int:
    """The place of the die by which a battle was fought: of several the first that explains what followed.

    If none explains what followed at once, what happened later in the phase to those who fought counts as
    well. A die that was rolled for it by a command comes before those that were rolled by a button.
    """
    dice = [die for die in battle.dice if not facts.is_bare(scene.story.facts[die])] or battle.dice
    if len(dice) == 1:
        return dice[0]
    later = ((die, last) for last in (-1, scene.end - 1) for die in dice)
    return next((die for die, last in later if _explains(draft, scene, battle, die, take, last)), dice[0])


def _is_for_a_unit(draft: Draft, fact: facts.Resolved | facts.Rolled) -> bool:
    """Whether players have noted that a die was for a test of a counter."""
    return isinstance(fact, facts.Rolled) and fact.purpose in draft.position.pieces


def _explains(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take, last: int = -1) -> bool:
    """Whether what followed a die, up to some place, breaks nothing, tried in a draft of its own.

    What is wrong with the battle is found at its die whichever that is, and tells nothing here.
    """
    trial = draft.trial()
    _carry_out(trial, scene, battle, die, take, last)
    contents = ((one.statement.content, one.ruling) for one in trial.readings)
    return all(
        ruling is None or ruling.grade <= Grade.slip
        for content, ruling in contents
        if not (isinstance(content, Action) and content.dice)
    )


def _carry_out(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take, last: int = -1) -> None:
    """Read the die of a battle and what followed, until the battle is settled.

    What happens to those who fought in another one is left out. Up to a later place than the last that may be
    about it, only what befalls those who fought in it.
    """
    _roll(draft, scene, battle, die, Certainty.inferred)
    fought = {one for one in scene.story.battles.values() if scene.story.ends[one.first] == scene.end}
    others = {name for one in fought for name in one.participants} - battle.participants
    for place in range(battle.dice[-1] + 1, max(battle.last, last) + 1):
        fact = scene.story.facts[place]
        name = getattr(fact, "counter", "")
        is_of_it = name not in others if place <= battle.last else name in battle.participants
        if isinstance(fact, facts.CounterFact | facts.Declared | facts.Marked) and is_of_it:
            take(draft, evolve(scene, place=place))
    draft.settle(scene.fact, [one for one in draft.settling if one is battle])


def _dice_of(draft: Draft, verb: str) -> int:
    """How many dice are rolled for a battle."""
    known = (draft.game.dice[name].count for name, one in draft.idiom.dice.items() if one == verb)
    return next(known, 1)


def read_roll(draft: Draft, scene: Scene, fact: facts.Rolled, take: Take) -> None:
    """Read dice rolled by a button, without a declaration."""
    verb = draft.idiom.dice.get(fact.dice)
    if fact.dice in draft.idiom.alone and (scene.battle is None or verb is None):
        choose(draft, scene, always(Action(draft.idiom.alone[fact.dice], dice=fact.faces)), announced=True)
        return
    if verb is None or _is_declared(draft, scene, fact):
        return
    if verb in draft.idiom.all_rolls:
        resolve(draft, scene, fact, take)
        return
    declare(draft, scene, scene.battle)
    if {"PIECE", "PIECES"} & draft.slots(verb):
        names = (fact.purpose,) if fact.purpose in draft.position.pieces else draft.position.pieces
        actions = [_filled(draft, verb, name, scene.battle, fact.faces) for name in names]
        own = _with_a_die_of_their_own(draft, scene, verb)
        possible = [
            one for one in actions if one is not None and one.piece not in own and draft.is_legal(one)
        ]
    else:
        action = _filled(draft, verb, "", scene.battle, fact.faces)
        is_known = scene.battle is not None and not _is_commanded_later(draft, scene, verb)
        possible = [action] if action is not None and is_known else []
    if len(possible) == 1:
        choose(draft, scene, always(possible[0]), announced=not possible[0].pieces)
    else:
        draft.leave_test_open(action.piece for action in possible if action.pieces)
        _not_read(draft, fact)


def _is_commanded_later(draft: Draft, scene: Scene, verb: str) -> bool:
    """Whether a command rolls the same for the battle later: that die counts, not one rolled by a button."""
    return any(
        isinstance(fact, facts.Declared)
        and bool(fact.faces)
        and draft.idiom.declared.get(fact.declaration) == verb
        and scene.story.battles.get(place) is scene.battle
        for place, fact in scene.following()
    )


def _with_a_die_of_their_own(draft: Draft, scene: Scene, verb: str) -> set[str]:
    """The counters that announce a die for a test in this phase before anything else is done with them."""
    found, busy = set[str](), set[str]()
    for _, fact in scene.following():
        if isinstance(fact, facts.Declared) and fact.faces and fact.counter not in busy:
            found |= {fact.counter} if draft.idiom.declared.get(fact.declaration) == verb else set()
        elif isinstance(fact, facts.CounterFact):
            busy.add(fact.counter)
    return found


def _tests_of(draft: Draft, scene: Scene, fact: facts.Resolved | facts.Rolled) -> list[Action]:
    """The tests that dice with the wrong button can have been for."""
    if not isinstance(fact, facts.Rolled):
        return []
    verbs = {
        *(
            verb
            for dice, verb in (*draft.idiom.dice.items(), *draft.idiom.alone.items())
            if dice != fact.dice
        ),
        *(verb for one, verb in draft.idiom.declared.items() if draft.game.declarations[one].dice),
    } - draft.idiom.all_rolls
    found = []
    noted = (fact.purpose,) if fact.purpose in draft.position.pieces else ()
    for verb in sorted(verbs):
        names = noted or (draft.position.pieces if {"PIECE", "PIECES"} & draft.slots(verb) else ("",))
        for name in names:
            action = _filled(draft, verb, name, None, fact.faces)
            if action is not None and can_be_legal(draft, scene, always(action)):
                found.append(action)
    return found


def _is_declared(draft: Draft, scene: Scene, fact: facts.Rolled) -> bool:
    """Whether the dice belong to a declaration of the same step."""
    for place in range(scene.place - 1, -1, -1):
        other = scene.story.facts[place]
        if other.step != fact.step:
            return False
        known = draft.game.declarations.get(other.declaration) if isinstance(other, facts.Declared) else None
        if known is not None and known.dice == fact.dice:
            return True
    return False


def _not_read(draft: Draft, fact: facts.Resolved | facts.Rolled) -> None:
    title = draft.game.dice[fact.dice].title if isinstance(fact, facts.Rolled) else "die"
    faces = "+".join(map(str, fact.faces))
    if undeclared_rolls.is_generic(fact):
        title = "Die"
        if draft.track is not None and draft.position.clock < draft.track:
            draft.go_on(draft.track, fact, Certainty.seen)
    draft.remark(fact.step, f"{title}: {faces}; the log does not show what it was rolled for")
    draft.lose_track()


def _breaks(
    draft: Draft, scene: Scene, battle: Battle, tests: Sequence[int], take: Take
) -> Sequence[Breach] | None:
    """What a battle that nobody declared and all that followed its dice break, None if it makes no sense.

    What happened to those who fought may have come after the next die.
    """
    own = (at for at, fact in scene.following_twice() if getattr(fact, "counter", "") in battle.participants)
    found: Sequence[Breach] | None = None
    for last in dict.fromkeys((battle.last, max(own, default=battle.last))):
        trial = draft.trial()
        if (found is not None and not found) or not declare(trial, scene, battle):
            break
        _roll_tests(trial, scene, battle, tests)
        _carry_out(trial, scene, battle, scene.place, take, last)
        rulings = (one.ruling for one in trial.readings if one.ruling is not None)
        broken = [one for ruling in rulings for one in ruling.breaches if one.grade > Grade.slip]
        found = broken if found is None or len(broken) < len(found) else found
    return found


def _roll_tests(draft: Draft, scene: Scene, battle: Battle, tests: Sequence[int]) -> None:
    """Write the dice at some places as for tests in a battle."""
    for place in tests:
        fact = scene.story.facts[place]
        if isinstance(fact, facts.Rolled):
            action = _filled(draft, draft.idiom.dice[fact.dice], "", battle, fact.faces)
            if action is not None:
                draft.act(action, fact, Certainty.inferred)
