"""Dice that were rolled without a declaration: for which attack they can have been, if only one fits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Breach, Grade
from referee.scribe import facts
from referee.scribe.choosing import now
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.story import Scene
from referee.scribe.undeclared_battles import is_answer

Breaks: TypeAlias = Callable[[Draft, Battle, Sequence[int]], Sequence[Breach] | None]
"""Returns what an attack and everything its dice led to break, None if it makes no sense.

The dice of tests in it are given by place.
"""
FIRST = 100
"""Undeclared battles are numbered from here."""
MOST_MISSES = 3
"""An attack with more points against it cannot be the one for which the die was rolled."""
MOST_TRIED = 100
"""The search for an attack ends after so many."""
MANY = 6
"""If more units than this may have attacked, some combination always fits."""


@frozen
class Guess:
    """An attack for which a die may have been rolled, the places of other dice in it, and its breaches.

    ``others`` are counters to which something happened after the die although they did not take part. With
    ``no_trace`` nothing happened to anybody; with ``several`` another attack would do as well.
    """

    battle: Battle
    tests: tuple[int, ...] = ()
    breaches: Sequence[Breach] = ()
    others: Collection[str] = ()
    no_trace: bool = False
    several: bool = False

    @property
    def misses(self) -> int:
        """How many points there are against it."""
        return len(self.breaches) + len(self.others)


def infer(draft: Draft, scene: Scene, breaks: Breaks) -> Guess | None:
    """Return an attack that a die can have been for, None if there is none or nothing came of it.

    Attacks that were declared in this phase and not yet rolled for come first. Then those are tried that
    players spoke of, that are possible in the phase that the track shows, and in the one that the position
    has not left yet. Of those mentioned the last will do, of others the first: the one with fewest attackers,
    or with most for a generic die, which proves nothing. If each of them breaks a rule, it is the one against
    which least speaks.
    """
    touched, last = _led_to(draft, scene)
    noted = _noted(scene)
    if attack := _noted_attack(draft, scene, last):
        return Guess(attack)
    waiting = [one for one in _waiting(scene) if not noted or one.target in noted]
    fought = {evolve(battle, dice=[scene.place], last=last): battle for battle in waiting}
    draft.battles.declared |= {
        battle for battle, declared in fought.items() if declared in draft.battles.declared
    }
    mentioned, tests = _mentioned(draft, scene), _tests_before(draft, scene)
    generic, here = is_generic(scene.fact), now(draft)
    positions = (here,) if here is draft.position else (here, draft.position)
    named = [_possible(draft, scene, one, mentioned) for one in positions if mentioned.hexes]
    groups = (fought, *named, *(_possible(draft, scene, one) for one in positions))
    misfits: Sequence[Guess] = ()
    fits = generic
    for battles in groups:
        found: list[Guess] = []
        others: list[Guess] = []
        for guess in islice(_tried(draft, battles, touched, tests, breaks), MOST_TRIED):
            fits |= not guess.misses
            if guess.misses:
                others.append(guess)
            elif touched or not _leaves_no_trace(scene, guess.battle):
                found.append(guess)
            if len(found) == 2 or (found and generic):
                break
        if found:
            return evolve(found[0], several=len(found) > 1 and battles not in named)
        misfits = misfits or [one for one in others if one.misses <= MOST_MISSES]
    best = min(misfits, key=lambda one: (one.misses, len(one.others)), default=None)
    return None if fits or best is None else evolve(best, no_trace=not touched)


def _leaves_no_trace(scene: Scene, battle: Battle) -> bool:
    """Whether nothing happens in the phase to any unit in an attack."""
    return not any(getattr(one, "counter", "") in battle.participants for _, one in scene.following())


def wrong_with_a_test(draft: Draft, scene: Scene, action: Action) -> Sequence[Breach]:
    """Return what is wrong with dice for a test of an attack in the one for which least is wrong."""
    mentioned, found = _mentioned(draft, scene), list[Sequence[Breach]]()
    names = mentioned if mentioned.hexes else None
    for battle in islice(_possible(draft, scene, now(draft), names), MOST_TRIED):
        attackers, number = tuple(battle.attackers), battle.number
        attack = Action(draft.idiom.attack, attackers, target=battle.target, battle=number)
        declared = draft.attempt(attack, now(draft))
        attempt = draft.attempt(evolve(action, battle=number), declared.after) if declared else None
        if declared is not None and attempt is not None:
            breaches = (*declared.ruling.breaches, *attempt.ruling.breaches)
            found.append([one for one in breaches if one.grade > Grade.slip])
    return min(found, key=len, default=())


def _tried(
    draft: Draft, battles: Iterable[Battle], touched: Iterable[str], tests: tuple[int, ...], breaks: Breaks
) -> Iterator[Guess]:
    """Attacks that make sense, with their breaches together with other dice, or else without these."""
    for battle in battles:
        breaches = breaks(draft, battle, tests)
        without = breaks(draft, battle, ()) if tests and breaches else None
        open_ = {name for one in (battle, *draft.battles.settling) for name in one.participants}
        others = tuple(name for name in touched if name not in open_)
        if breaches is not None and without is not None and len(without) < len(breaches):
            yield Guess(battle, (), without, others=others)
        elif breaches is not None:
            yield Guess(battle, tests, breaches, others=others)


def _noted_attack(draft: Draft, scene: Scene, last: int) -> Battle | None:
    """The attack that players have noted with its attackers, None if they have not."""
    fact, pieces = scene.fact, now(draft).pieces
    if not isinstance(fact, facts.Rolled) or not fact.attackers:
        return None
    number, side = FIRST + len(draft.battles.declared), pieces[fact.attackers[0]].side
    attackers = {name: pieces[name].where for name in fact.attackers}
    defenders = {piece.id: fact.purpose for piece in now(draft).at(fact.purpose)}
    return Battle(number, scene.place, side, attackers, defenders, dice=[scene.place], last=last)


def is_generic(fact: facts.Fact) -> bool:
    """Return whether a fact is a roll of dice that may be any of the game's."""
    return isinstance(fact, facts.Rolled) and fact.generic


def _waiting(scene: Scene) -> Iterable[Battle]:
    """The attacks declared in this phase, before this place, that were not yet rolled for."""
    story = scene.story
    before = (battle for place, battle in story.battles.items() if place < scene.place)
    this_phase = {battle: None for battle in before if story.ends[battle.first] == scene.end}
    return [one for one in this_phase if one.attackers and not one.dice and not one.called_off]


def _possible(
    draft: Draft, scene: Scene, position: Position, mentioned: facts.Mentioned | None = None
) -> Iterator[Battle]:
    """All attacks by units that could make them here, and must have if the die had results for them.

    If players mention attacks, only those on hexes and by units that they name, if they name any.
    """
    touched, last = _led_to(draft, scene)
    counters, side = draft.game.counters, position.side
    own = {name for name in (*touched, *_roller(scene)) if counters[name].side == side}
    number = FIRST + len(draft.battles.declared)
    named_hexes = _defended(position, mentioned.hexes) if mentioned is not None else _noted(scene)
    targets: Collection[str] = named_hexes or _targets(position, (*touched, *_roller(scene)))
    if is_generic(scene.fact) and len(targets) > 1:
        return  # such dice may be for all of them, one after the other
    for target in sorted(targets):
        far = [name for name in (*own, *_named(mentioned)) if counters[name].side == side]
        able = dict.fromkeys((*_next_to(position, target), *far))  # those further away fire
        near = [name for name in able if _may_attack(draft, position, name, target)]
        named = [name for name in near if name in _named(mentioned)]
        others = [] if named else [name for name in near if name not in own]
        if not set(named) <= set(near) or len(others) > MANY:
            continue
        defenders = {piece.id: target for piece in position.at(target)}
        some = _some(others) if is_generic(scene.fact) else reversed(list(_some(others)))
        for idle in some:
            attackers = {name: position.pieces[name].where for name in near if name not in idle}
            attackers = {name: position.pieces[name].where for name in named} or attackers
            if attackers:
                yield Battle(number, scene.place, side, attackers, defenders, dice=[scene.place], last=last)


def _named(mentioned: facts.Mentioned | None) -> tuple[str, ...]:
    return mentioned.counters if mentioned is not None else ()


def _defended(position: Position, hexes: Iterable[str]) -> list[str]:
    """Those of some hexes that contain an enemy of the active side."""
    return [hex_ for hex_ in hexes if any(piece.side != position.side for piece in position.at(hex_))]


def _mentioned(draft: Draft, scene: Scene) -> facts.Mentioned:
    """The hexes and counters that players have named since the last die of a battle in the phase."""
    said = [one for one in _since_the_last_die(draft, scene) if isinstance(one[1], facts.Mentioned)]
    hexes = (hex_ for _, fact in reversed(said) for hex_ in getattr(fact, "hexes", ())[::-1])
    counters = (name for _, fact in said for name in getattr(fact, "counters", ()))
    return facts.Mentioned(step=scene.fact.step, hexes=tuple(dict.fromkeys(hexes)), counters=tuple(counters))


def _tests_before(draft: Draft, scene: Scene) -> tuple[int, ...]:
    """The places of dice rolled with a button since then that only need a battle.

    Of several of a kind the last.
    """
    found: dict[str, int] = {}
    for place, fact in _since_the_last_die(draft, scene):
        if isinstance(fact, facts.Rolled) and facts.is_bare(fact) and scene.story.battles.get(place) is None:
            verb = draft.idiom.dice.get(fact.dice, "")
            is_before = verb and fact.dice not in draft.idiom.answers
            if is_before and not {"PIECE", "PIECES"} & draft.slots(verb):
                found[fact.dice] = place
    return tuple(sorted(found.values()))


def _since_the_last_die(draft: Draft, scene: Scene) -> Sequence[tuple[int, facts.Fact]]:
    """The events of the phase since the last die of a battle, with the places."""
    found: list[tuple[int, facts.Fact]] = []
    for place in reversed(range(scene.place)):
        fact = scene.story.facts[place]
        if isinstance(fact, facts.Turned | facts.Resolved) or is_of_a_battle(draft, fact):
            break
        found.append((place, fact))
    return found[::-1]


def is_of_a_battle(draft: Draft, fact: facts.Fact) -> bool:
    """Return whether a fact is a roll of the dice of a battle, by their button."""
    return isinstance(fact, facts.Rolled) and draft.idiom.dice.get(fact.dice, "") in draft.idiom.all_rolls


def _roller(scene: Scene) -> tuple[str, ...]:
    """The counter that rolled the die, if one did."""
    fact = scene.fact
    return (fact.counter,) if isinstance(fact, facts.Rolled) and fact.counter else ()


def _noted(scene: Scene) -> tuple[str, ...]:
    """The hex for which the die was rolled according to a player's note, if there is one."""
    fact = scene.fact
    return (fact.purpose,) if isinstance(fact, facts.Rolled) and fact.purpose else ()


def _some(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Any number of names, fewest first."""
    for count in range(len(names) + 1):
        yield from combinations(names, count)


def _targets(position: Position, touched: Sequence[str]) -> set[str]:
    """The hexes of the enemies that were affected; else those of all enemies next to the others."""
    grid, pieces = position.game.map.grid, position.pieces
    enemies = {pieces[name].where for name in touched if pieces[name].side != position.side}
    if enemies := enemies & set(grid.names):
        return enemies
    own = touched or [piece.id for piece in position.of_side(position.side)]
    places = [pieces[name].where for name in own]
    around = {near for place in places if place in grid for near in grid.neighbours(place)}
    return {hex_ for hex_ in around if any(piece.side != position.side for piece in position.at(hex_))}


def _next_to(position: Position, target: str) -> Iterator[str]:
    for hex_ in position.game.map.grid.neighbours(target):
        yield from (piece.id for piece in position.at(hex_) if piece.side == position.side)


def _may_attack(draft: Draft, position: Position, name: str, target: str) -> bool:
    action = Action(draft.idiom.attack, (name,), target=target, battle=FIRST)
    attempt = draft.attempt(action, position)
    return attempt is not None and attempt.grade <= Grade.slip


def _led_to(draft: Draft, scene: Scene) -> tuple[list[str], int]:
    """The counters to which something happened before the next die, and the place of the last event."""
    touched: dict[str, None] = {}
    last, moved = scene.place, dict[str, str]()
    for place, fact in scene.following():
        if is_answer(draft, fact):
            last = place
        elif isinstance(fact, facts.Resolved) or is_of_a_battle(draft, fact):
            break
        elif isinstance(fact, facts.CounterFact) and _may_be_of(draft, scene, fact.counter):
            touched[fact.counter] = None
            last = place
            if isinstance(fact, facts.Shifted):
                moved[fact.counter] = fact.target
        elif isinstance(fact, facts.Marked) and fact.alone and fact.laid:
            under = _under(draft, fact, moved)
            if len(under) == 1 and not touched.keys() & under:
                touched[under.pop()] = None
            last = place
    return list(touched), last


def _under(draft: Draft, fact: facts.Marked, moved: Mapping[str, str]) -> set[str]:
    """The counters whose state a marker may show; ``moved`` are those that have gone to other places."""
    state = next((one for one in draft.game.states.values() if one.marker == fact.marker), None)
    return {
        name
        for name, piece in draft.position.pieces.items()
        if state is not None
        and moved.get(name, piece.where) == fact.place
        and piece.counter.kind in state.kinds
        and not piece.is_(state.id)
    }


def _may_be_of(draft: Draft, scene: Scene, counter: str) -> bool:
    """Whether a counter may take part in the battle for which a die was rolled: for a noted one
    it is near.
    """
    grid, where = draft.game.map.grid, draft.position.pieces[counter].where
    return all(where == hex_ or where in grid.neighbours(hex_) for hex_ in _noted(scene))
