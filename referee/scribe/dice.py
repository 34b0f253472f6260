"""Dice of battles and dice rolled by a button, and what is inferred if players said too little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.rulings import Breach, Grade
from referee.scribe import facts, undeclared_rolls
from referee.scribe.battles import declare, filled
from referee.scribe.choosing import always, can_be_legal, choose
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene

Take: TypeAlias = Callable[[Draft, Scene], None]
"""Reads the fact of a scene, as the scribe does with every fact."""
NO_VALUE = "none"
"""The module's text for a column or a result off the table."""


def resolve(draft: Draft, scene: Scene, fact: facts.Resolved | facts.Rolled, take: Take) -> None:
    """Read the die of a battle, unless it was read earlier."""
    if scene.place in draft.moves.ahead:
        draft.moves.ahead.discard(scene.place)
        return
    battle = scene.battle
    if facts.is_bare(fact):
        draft.lose_track()
    if battle is None:
        guessed = None
        if not _is_for_a_unit(draft, fact):
            guessed = undeclared_rolls.infer(
                draft, scene, lambda here, one, tests: _breaks(here, scene, one, tests, take)
            )
        if guessed is None or guessed.no_trace:
            tests = _tests_of(draft, scene, fact)
            if len(tests) == 1:
                choose(draft, scene, always(tests[0]))
            else:
                if guessed is not None and not tests and not _is_any_declared(scene):
                    draft.dice.wrong = (*draft.dice.wrong, *guessed.breaches)
                draft.leave_test_open(one.piece for one in tests if one.pieces)
                _not_read(draft, fact)
        elif declare(draft, scene, guessed.battle):
            one_of_several = undeclared_rolls.is_generic(fact) or guessed.breaches or guessed.several
            sure = Certainty.ambiguous if one_of_several else Certainty.inferred
            _roll_tests(draft, scene, guessed.battle, guessed.tests)
            _roll(draft, scene, guessed.battle, scene.place, sure)
            if guessed.several:
                draft.leave_open(guessed.battle)
                draft.lose_track()
    elif battle.dice[0] != scene.place:
        rolled = "+".join(map(str, fact.faces))
        draft.remark(fact.step, f"the die of battle {battle.number} was rolled again: {rolled}")
    elif declare(draft, scene, battle):
        die = _die_that_counts(draft, scene, battle, take)
        _read_words(draft, scene, battle, die, take)
        if draft.cautious and _are_odds_worded(draft, scene, battle, die):
            draft.battles.worded.add(battle.number)
        _roll(draft, scene, battle, die, Certainty.announced)
        if facts.is_bare(scene.story.facts[die]):
            draft.leave_open(battle)
    else:
        draft.remark(fact.step, f"battle {battle.number} has no attackers or no attacked hex")
        draft.lose_track()


def _read_words(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take) -> None:
    """Read what players said in their own words before the die, if only that explains what followed."""
    for fact in scene.story.facts[battle.first : die]:
        if not isinstance(fact, facts.Mentioned) or fact.declaration not in draft.idiom.once:
            continue
        verb, key = draft.idiom.declared.get(fact.declaration, ""), (battle, fact.declaration)
        if not verb or key in draft.battles.said or _explains(draft, scene, battle, die, take):
            continue
        trial, action = draft.trial(), Action(verb, battle=battle.number)
        trial.act(action, fact, Certainty.inferred)
        if _explains(trial, scene, battle, die, take):
            draft.battles.said.add(key)
            draft.act(action, fact, Certainty.inferred)


def _are_odds_worded(draft: Draft, scene: Scene, battle: Battle, die: int) -> bool:
    """Whether players named before the die, only in their own words, something that changes the odds."""
    found = scene.story.facts[battle.first : die]
    named = {one.declaration for one in found if isinstance(one, facts.Mentioned)}
    named -= {one.declaration for one in found if isinstance(one, facts.Declared)}
    declared = draft.game.declarations
    return any(declared[one].columns or declared[one].die for one in named if one)


def _roll(draft: Draft, scene: Scene, battle: Battle, place: int, certainty: Certainty) -> None:
    """Write the die at a place, with the odds and the result that were announced with it."""
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
        write_check(draft, scene, fact, battle, certainty)
    if announced and announced.result != NO_VALUE and draft.idiom.result:
        said = "+".join(announced.result.split())  # a word in a record has no spaces
        action = Action(draft.idiom.result, words=(said,), battle=numbered)
        draft.act(action, fact, certainty)
    draft.battles.settling.append(battle)
    draft.battles.fought = True


def write_check(
    draft: Draft,
    scene: Scene,
    fact: facts.Rolled | facts.Declared,
    battle: Battle | None,
    certainty: Certainty,
) -> None:
    """Write what the module reported about a roll: the modifiers, the total, and the result."""
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
    """Read which of the two sides that rolled has won."""
    verbs = draft.idiom.checked.get(fact.declaration)
    if verbs is not None and verbs.winner:
        words = (fact.winner or "none",)
        action = Action(verbs.winner, words=words, battle=draft.numbered(verbs.winner, scene.battle))
        draft.act(action, fact, Certainty.announced)


def _die_that_counts(draft: Draft, scene: Scene, battle: Battle, take: Take) -> int:
    """The place of the die with which a battle was fought: of several, the first that explains what followed.

    If none explains what followed at once, later events of the phase concerning the participants count as
    well; if that does not help, it is the die with the fewest breaches. A die rolled for the battle by a
    command takes precedence over those rolled by a button.
    """
    dice = [die for die in battle.dice if not facts.is_bare(scene.story.facts[die])] or battle.dice
    if len(dice) == 1:
        return dice[0]
    later = ((die, last) for last in (-1, scene.end - 1) for die in dice)
    wrong = dict.fromkeys(dice, 0)
    for die, last in later:
        wrong[die] = _wrong_by(draft, scene, battle, die, take, last)
        if not wrong[die]:
            return die
    return min(dice, key=lambda die: wrong[die])


def _is_for_a_unit(draft: Draft, fact: facts.Resolved | facts.Rolled) -> bool:
    """Whether players have noted that a die was for a test of a counter."""
    return isinstance(fact, facts.Rolled) and fact.purpose in draft.position.pieces


def _explains(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take) -> bool:
    """Return whether the facts after a die break no rule, tried in a draft of their own."""
    return not _wrong_by(draft, scene, battle, die, take)


def _wrong_by(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take, last: int = -1) -> int:
    """How many breaches follow a die, up to some place, tried in a draft of its own.

    Breaches of the battle itself are found at every die and do not count.
    """
    trial = draft.trial()
    _carry_out(trial, scene, battle, die, take, last)
    contents = ((one.statement.content, one.ruling) for one in trial.readings)
    return sum(
        ruling is not None and ruling.grade > Grade.slip
        for content, ruling in contents
        if not (isinstance(content, Action) and content.dice)
    )


def _carry_out(draft: Draft, scene: Scene, battle: Battle, die: int, take: Take, last: int = -1) -> None:
    """Read the die of a battle and what followed, until the battle is settled.

    Events of another battle, or concerning its participants, are left out. Up to a place later than the
    battle's last fact, only events of the units that fought in it count.
    """
    _roll(draft, scene, battle, die, Certainty.inferred)
    fought = {one for one in scene.story.battles.values() if scene.story.ends[one.first] == scene.end}
    others = {name for one in fought for name in one.participants} - battle.participants
    for place in range(battle.dice[-1] + 1, max(battle.last, last) + 1):
        fact = scene.story.facts[place]
        name = getattr(fact, "counter", "")
        is_theirs = not name or name in battle.participants
        if place <= battle.last and battle.number < undeclared_rolls.FIRST:
            is_theirs = name not in others
        is_of_it = is_theirs and scene.story.battles.get(place) in (None, battle)
        is_read = isinstance(fact, facts.CounterFact | facts.Declared | facts.Marked)
        if battle.number >= undeclared_rolls.FIRST:
            is_read |= isinstance(fact, facts.Rolled) and fact.dice in draft.idiom.answers
        if is_read and is_of_it:
            take(draft, evolve(scene, place=place))
    draft.settle(scene.fact, [one for one in draft.battles.settling if one is battle])


def _dice_of(draft: Draft, verb: str) -> int:
    """The number of dice rolled for a battle."""
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
        actions = [filled(draft, verb, name, scene.battle, fact.faces) for name in names]
        own = _with_a_die_of_their_own(draft, scene, verb)
        possible = [
            one for one in actions if one is not None and one.piece not in own and draft.is_legal(one)
        ]
    else:
        guessed = (one for one in reversed(draft.battles.settling) if one.number >= undeclared_rolls.FIRST)
        answered = next(guessed, None) if fact.dice in draft.idiom.answers else None
        action = filled(draft, verb, "", scene.battle or answered, fact.faces)
        is_known = answered is not None or (
            scene.battle is not None and not _is_commanded_later(draft, scene, verb)
        )
        possible = [action] if action is not None and is_known else []
    if len(possible) == 1:
        choose(draft, scene, always(possible[0]), announced=not possible[0].pieces)
    else:
        test = Action(verb, dice=fact.faces[:1])
        if not {"PIECE", "PIECES"} & draft.slots(verb) and not possible and not _is_any_declared(scene):
            wrong = undeclared_rolls.wrong_with_a_test(draft, scene, test)
            draft.dice.wrong = (*draft.dice.wrong, *wrong)
        draft.leave_test_open(action.piece for action in possible if action.pieces)
        _not_read(draft, fact)


def _is_any_declared(scene: Scene) -> bool:
    """Whether any attack is declared in the phase, so that a die without one may be for nothing."""
    story = scene.story
    return any(story.ends[one.first] == scene.end for one in story.battles.values())


def _is_commanded_later(draft: Draft, scene: Scene, verb: str) -> bool:
    """Whether a command makes the same roll for the battle later: that die counts, not one rolled by a
    button.
    """
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
    """The tests for which dice with the wrong button may have been rolled."""
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
            action = filled(draft, verb, name, None, fact.faces)
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
    draft.lose_track(generic=undeclared_rolls.is_generic(fact))


def _breaks(
    draft: Draft, scene: Scene, battle: Battle, tests: Sequence[int], take: Take
) -> Sequence[Breach] | None:
    """What an undeclared battle and all that followed its dice break, None if it makes no sense.

    Events concerning its participants may come after the next die.
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
    """Write the dice at some places as tests in a battle."""
    for place in tests:
        fact = scene.story.facts[place]
        if isinstance(fact, facts.Rolled):
            action = filled(draft, draft.idiom.dice[fact.dice], "", battle, fact.faces)
            if action is not None:
                draft.act(action, fact, Certainty.inferred)
