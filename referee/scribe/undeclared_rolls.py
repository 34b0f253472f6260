"""Dice that were rolled without a declaration: which attack they can have been for, if only one fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe import facts
from referee.scribe.choosing import now
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.story import Scene

Fits: TypeAlias = Callable[[Draft, Battle], bool]
"""Says, in a draft that may be spoiled, whether an attack and all that its die led to break nothing."""
FIRST = 100
"""Battles that nobody declared are numbered from here."""
MANY = 6
"""Of more units than this that may or may not have attacked, somebody will always fit as well."""


def infer(draft: Draft, scene: Scene, fits: Fits) -> Battle | None:
    """Return the one attack that a die can have been for, None if there is not just one.

    Attacks that were declared in this phase and not yet rolled for come first. Then those are tried that
    are possible in the phase that the track shows, and in the one that the position has not left yet. For a
    generic die, which proves nothing, the first of several will do: the one with most attackers.
    """
    last, noted = _led_to(draft, scene)[1], _noted(scene)
    if attack := _noted_attack(draft, scene, last):
        return attack
    waiting = [one for one in _waiting(scene) if not noted or one.target in noted]
    fought = {evolve(battle, dice=[scene.place], last=last): battle for battle in waiting}
    draft.declared |= {battle for battle, declared in fought.items() if declared in draft.declared}
    for battles in (fought, _possible(draft, scene, now(draft)), _possible(draft, scene, draft.position)):
        if (found := _only(draft, battles, fits, is_one_of_several=is_generic(scene.fact))) is not None:
            return found
    return None


def _noted_attack(draft: Draft, scene: Scene, last: int) -> Battle | None:
    """The attack that players have noted with its attackers, None if they have not."""
    fact, pieces = scene.fact, now(draft).pieces
    if not isinstance(fact, facts.Rolled) or not fact.attackers:
        return None
    number, side = FIRST + len(draft.declared), pieces[fact.attackers[0]].side
    attackers = {name: pieces[name].where for name in fact.attackers}
    defenders = {piece.id: fact.purpose for piece in now(draft).at(fact.purpose)}
    return Battle(number, scene.place, side, attackers, defenders, dice=[scene.place], last=last)


def is_generic(fact: facts.Fact) -> bool:
    """Return whether a fact is a roll of dice that may be any of the game's."""
    return isinstance(fact, facts.Rolled) and fact.generic


def _only(
    draft: Draft, battles: Iterable[Battle], fits: Fits, *, is_one_of_several: bool = False
) -> Battle | None:
    """The one that fits; None if several do, unless the first of them will do."""
    found = list(islice((battle for battle in battles if fits(draft.trial(), battle)), 2))
    return found[0] if len(found) == 1 or (found and is_one_of_several) else None


def _waiting(scene: Scene) -> Iterable[Battle]:
    """The attacks declared in this phase, before this place, that were not yet rolled for."""
    story = scene.story
    before = (battle for place, battle in story.battles.items() if place < scene.place)
    this_phase = {battle: None for battle in before if story.ends[battle.first] == scene.end}
    return [one for one in this_phase if one.attackers and not one.dice and not one.called_off]


def _possible(draft: Draft, scene: Scene, position: Position) -> Iterator[Battle]:
    """All attacks by units that could make them here, and must have if the die led to something for them."""
    touched, last = _led_to(draft, scene)
    counters, side = draft.game.counters, position.side
    own = {name for name in (*touched, *_roller(scene)) if counters[name].side == side}
    number = FIRST + len(draft.declared)
    for target in _noted(scene) or _targets(position, (*touched, *_roller(scene))):
        near = [name for name in _next_to(position, target) if _may_attack(draft, position, name, target)]
        others = [name for name in near if name not in own]
        if not own <= set(near) or len(others) > MANY:
            continue
        defenders = {piece.id: target for piece in position.at(target)}
        for idle in _some(others):
            attackers = {name: position.pieces[name].where for name in near if name not in idle}
            if attackers:
                yield Battle(number, scene.place, side, attackers, defenders, dice=[scene.place], last=last)


def _roller(scene: Scene) -> tuple[str, ...]:
    """The counter that rolled the die, if one did."""
    fact = scene.fact
    return (fact.counter,) if isinstance(fact, facts.Rolled) and fact.counter else ()


def _noted(scene: Scene) -> tuple[str, ...]:
    """The hex for which players have noted that the die was, if they have."""
    fact = scene.fact
    return (fact.purpose,) if isinstance(fact, facts.Rolled) and fact.purpose else ()


def _some(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Any number of names, fewest first."""
    for count in range(len(names) + 1):
        yield from combinations(names, count)


def _targets(position: Position, touched: Sequence[str]) -> set[str]:
    """The hex of the enemies to whom something happened; else those of all enemies next to the others."""
    grid, pieces = position.game.map.grid, position.pieces
    enemies = {pieces[name].where for name in touched if pieces[name].side != position.side}
    if enemies:
        return enemies if len(enemies) == 1 and enemies <= set(grid.names) else set()
    places = [pieces[name].where for name in touched]
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
    """The counters that something happened to before the next die, and the place of the last of it."""
    touched: dict[str, None] = {}
    last, moved = scene.place, dict[str, str]()
    for place, fact in scene.following():
        if _answers(draft, fact):
            last = place
        elif isinstance(fact, facts.Resolved | facts.Rolled):
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
    """Whether a counter may have part in the battle that a die was for: of one that is noted it is near."""
    grid, where = draft.game.map.grid, draft.position.pieces[counter].where
    return all(where == hex_ or where in grid.neighbours(hex_) for hex_ in _noted(scene))


def _answers(draft: Draft, fact: facts.Fact) -> bool:
    """Whether a fact is a die with which the attacked answer."""
    if isinstance(fact, facts.Declared):
        known = draft.game.declarations.get(fact.declaration)
        return bool(known and fact.faces and known.dice in draft.idiom.answers)
    return isinstance(fact, facts.Rolled) and fact.dice in draft.idiom.answers
