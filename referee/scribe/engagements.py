"""Battles as a log shows them: participants, dice, and the extent of their consequences."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from attrs import define, field

from referee.scribe.facts import (
    CalledOff,
    Changed,
    Contested,
    CounterFact,
    Declared,
    Fact,
    JoinedBattle,
    LeftBattle,
    Mentioned,
    Remark,
    Resolved,
    Rolled,
    Shifted,
    Turned,
    is_bare,
)
from vassalgen.game.game import Game


@define(eq=False)
class Battle:
    """A battle as the log shows it, from its first participant to its last consequence.

    ``first`` is the place of the first fact about it, ``last`` that of the last fact about any participant.
    ``steps`` are those in which counters joined it, ``dice`` the places of the rolls that resolved it,
    several if it was rolled again. ``joined`` is the place where the last counter joined it, ignoring hexes
    that were added to the attack after one of the attacked units was removed, or an attacker went elsewhere
    (``thinned``); ``meant``: something was declared or rolled for it, or one of the attacked units was
    removed. ``replacing`` are units that entered one of its hexes from a box after the roll, ``sent`` those
    that a declaration sent to it and that are in none of its hexes. ``said`` are the declarations made in it.
    ``is_given_up``: all participants left it before any roll.
    """

    number: int
    first: int = 0
    side: str = ""
    attackers: dict[str, str] = field(factory=dict)
    defenders: dict[str, str] = field(factory=dict)
    steps: list[int] = field(factory=list)
    dice: list[int] = field(factory=list)
    called_off: bool = False
    meant: bool = False
    thinned: bool = False
    replacing: set[str] = field(factory=set)
    sent: set[str] = field(factory=set)
    said: set[str] = field(factory=set)
    is_given_up: bool = False
    joined: int = -1
    last: int = -1

    @property
    def target(self) -> str:
        """The attacked hex."""
        return next(iter(self.defenders.values()), "")

    @property
    def further(self) -> tuple[str, ...]:
        """The other attacked hexes."""
        return tuple(place for place in dict.fromkeys(self.defenders.values()) if place != self.target)

    @property
    def participants(self) -> set[str]:
        """All participants."""
        return {*self.attackers, *self.defenders, *self.replacing}


def battles_in(
    game: Game, found: Sequence[Fact], opening: Mapping[str, str], rolling: frozenset[str]
) -> dict[int, Battle]:
    """Return battles by the places of the facts about them.

    ``opening`` says where counters are at the beginning of the log, ``rolling`` are the dice that resolve
    battles. A battle may be fought with a die that was rolled before it was declared, for nothing named or as
    an extra one for the previous battle. If all its attackers have joined other battles since, events of the
    defenders do not belong to it: it was declared again.
    """
    at: dict[int, Battle] = {}
    going: dict[int, Battle] = {}
    places = dict(opening)
    ending = {(fact.step, fact.battle) for fact in found if isinstance(fact, CalledOff)}
    gone = {
        (fact.step, fact.counter) for fact in found if isinstance(fact, Shifted) and is_taken_off(game, fact)
    }
    attacking: dict[str, int] = {}  # the battle that each attacker joined last
    taken_off: set[str] = set()
    rolled_before = False
    for place, fact in enumerate(found):
        if isinstance(fact, Rolled) and fact.dice in rolling and is_bare(fact):
            current = going.get(fact.battle)
            rolled_before |= not fact.battle or (current is not None and bool(current.dice))
        if isinstance(fact, Shifted):
            places[fact.counter] = fact.target
            (taken_off.add if is_taken_off(game, fact) else taken_off.discard)(fact.counter)
            for one in going.values():
                if fact.counter in one.defenders and is_taken_off(game, fact):
                    one.meant |= not one.attackers or one.number in map(attacking.get, one.attackers)
                    one.thinned = bool(one.attackers)
                one.thinned |= fact.counter in one.attackers and bool(one.defenders)
                if not one.dice and fact.counter in one.defenders and fact.target in one.defenders.values():
                    one.defenders[fact.counter] = fact.target  # it was put back next to the others
        if isinstance(fact, Turned):
            going, rolled_before = {}, False
            continue
        number = getattr(fact, "battle", 0)
        if not number or not isinstance(
            fact, JoinedBattle | LeftBattle | CalledOff | Resolved | Declared | Rolled | Contested
        ):
            continue
        if isinstance(fact, LeftBattle) and (number not in going or (fact.step, fact.counter) in gone):
            continue
        if isinstance(fact, LeftBattle) and fact.counter in taken_off & going[number].attackers.keys():
            continue  # it was in the attack when that was declared
        if isinstance(fact, JoinedBattle) and fact.role == "A":
            attacking[fact.counter] = number
        battle = going.get(number)
        if battle is None or (isinstance(fact, JoinedBattle) and (battle.called_off or battle.dice)):
            battle = going[number] = Battle(number, place)
        at[place] = battle
        battle.meant |= rolled_before or not isinstance(fact, JoinedBattle | LeftBattle)
        known = game.declarations.get(fact.declaration) if isinstance(fact, Declared) else None
        if known is not None and known.to_battle and isinstance(fact, Declared):
            battle.sent.add(fact.counter)
        _note(battle, place, fact, ending)
        if isinstance(fact, Resolved) or (isinstance(fact, Rolled) and fact.dice in rolling):
            battle.dice.append(place)
            _join(game, battle, places)
    return at


def is_taken_off(game: Game, fact: Shifted) -> bool:
    """Return whether a counter is taken off the hexes, or put into one that no unit may enter."""
    hex_ = game.map.hexes.get(fact.target)
    return hex_ is None or game.terrain[hex_.terrain].closed


def _join(game: Game, battle: Battle, places: Mapping[str, str]) -> None:
    """A unit that has entered the attacked hex by the time of the roll also defends."""
    counters = game.counters
    alike = {(counters[name].side, counters[name].kind) for name in battle.defenders}
    for name, place in places.items():
        if place == battle.target and (counters[name].side, counters[name].kind) in alike:
            battle.defenders.setdefault(name, place)


def _note(battle: Battle, place: int, fact: Fact, ending: Container[tuple[int, int]]) -> None:
    """``ending`` are the steps that cancel battles, each with the number of the battle."""
    match fact:
        case JoinedBattle() if fact.counter not in battle.sent:
            battle.attackers.pop(fact.counter, None)
            battle.defenders.pop(fact.counter, None)
            (battle.attackers if fact.role == "A" else battle.defenders)[fact.counter] = fact.place
            battle.side = fact.side or battle.side
            battle.is_given_up = False
            if fact.role == "A" or not battle.thinned:
                battle.joined = place
            if fact.step not in battle.steps:
                battle.steps.append(fact.step)
        case LeftBattle():
            with_it = (fact.step, battle.number) in ending
            if not battle.dice and not battle.called_off and not with_it:
                battle.attackers.pop(fact.counter, None)
                battle.defenders.pop(fact.counter, None)
                battle.is_given_up = not battle.participants
        case CalledOff():
            battle.called_off = True
        case Declared():
            battle.said.add(fact.declaration)


def reach_of_consequences(
    game: Game, found: Sequence[Fact], battles: dict[int, Battle], ends: Sequence[int]
) -> None:
    """Find for each battle the last fact about it or its participants after its roll, and the units that
    replaced them.

    It is within the phase, or later as long as only units that fought in it act.
    """
    fought = {id(battle): battle for battle in battles.values() if battle.dice}
    fighters: dict[int, set[str]] = {}
    for battle in fought.values():
        fighters.setdefault(ends[battle.dice[0]], set()).update(battle.participants)
    for battle in fought.values():
        first = battle.dice[0]
        battle.last = battle.dice[-1]
        for place in range(first + 1, len(found)):
            fact = found[place]
            if place >= ends[first] and not may_be_late(fact, fighters[ends[first]]):
                break
            if isinstance(fact, Shifted) and _replaces(game, fact, battle):
                battle.replacing.add(fact.counter)
            answers = battles.get(place) is battle and isinstance(fact, Declared | Rolled) and fact.faces
            touches = isinstance(fact, CounterFact) and fact.counter in battle.participants
            if answers or touches:
                battle.last = place


def _replaces(game: Game, fact: Shifted, battle: Battle) -> bool:
    """Whether a counter moves from a box to a hex where a unit fought."""
    fought = {*battle.attackers.values(), *battle.defenders.values()}
    return fact.origin in game.map.boxes and fact.target in fought


def may_be_late(fact: Fact, fighters: set[str]) -> bool:
    """Return whether a fact after a phase allows results of its battles still to be carried out."""
    if isinstance(fact, Turned | Remark | Mentioned) or is_housekeeping(fact):
        return True
    return isinstance(fact, CounterFact) and fact.counter in fighters


def is_housekeeping(fact: Fact) -> bool:
    """Changes made by the turn track itself: it ends battles and removes states without an announcement."""
    if isinstance(fact, Changed):
        return fact.new == 0 and not fact.announced
    return isinstance(fact, LeftBattle)
