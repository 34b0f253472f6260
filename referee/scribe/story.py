"""What a log tells in order: its facts with the drags of a counter taken together and battles as stories.

Both need to be known before the reading begins: a drag may be one of several, and who fought in a battle is
sure only when its die is thrown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve, field, frozen

from referee.scribe.facts import (
    CalledOff,
    Changed,
    Declared,
    Dismissed,
    Enlisted,
    Fact,
    Remark,
    Resolved,
    Shifted,
    Thrown,
    Turned,
)
from referee.scribe.witness import Witnessed
from vassalgen.game.game import Game


@define(eq=False)
class Battle:
    """A battle as the log tells it, from its first participant to its last consequence.

    ``steps`` are those in which counters joined it, ``dice`` the places of the throws that resolved it, more
    than one if it was thrown anew. ``last`` is the place of the last fact about anybody in it.
    """

    number: int
    side: str = ""
    attackers: dict[str, str] = field(factory=dict)
    defenders: dict[str, str] = field(factory=dict)
    steps: list[int] = field(factory=list)
    dice: list[int] = field(factory=list)
    called_off: bool = False
    last: int = -1

    @property
    def target(self) -> str:
        """The hex that is attacked."""
        return next(iter(self.defenders.values()), "")

    @property
    def participants(self) -> set[str]:
        """Everybody in it."""
        return {*self.attackers, *self.defenders}


@frozen
class Drag:
    """All shifts of a counter that are one move: their places in the story, and the points in order.

    ``plain`` tells that nothing else happened between them.
    """

    counter: str
    places: tuple[int, ...]
    points: tuple[str, ...]
    plain: bool


@frozen(eq=False)
class Story:
    """The facts of a log in order; battles by the places of the facts about them; drags by their last place.

    ``during`` holds the places of shifts that a later one continues. ``ends`` is for each place that of the
    next fact that turns the track, the length of the story if there is none.
    """

    facts: tuple[Fact, ...]
    battles: dict[int, Battle]
    drags: dict[int, Drag]
    during: dict[int, Drag]
    ends: tuple[int, ...]

    def parted(self, drag: Drag) -> Story:
        """The story with each drag of a move as a move of its own."""
        parts = {place: _drag(self.facts, drag.counter, [place]) for place in drag.places}
        during = {place: one for place, one in self.during.items() if one is not drag}
        return evolve(self, drags={**self.drags, **parts}, during=during)


@frozen(eq=False)
class Page:
    """The place in a story at which the scribe reads."""

    story: Story
    place: int

    @property
    def fact(self) -> Fact:
        """The fact that stands there."""
        return self.story.facts[self.place]

    @property
    def end(self) -> int:
        """The place of the next fact that turns the track, or the end of the story."""
        return self.story.ends[self.place]

    @property
    def turned_to(self) -> Turned | None:
        """That fact, the last of several that come together; None if the track is not turned any more."""
        last = None
        for fact in self.story.facts[self.end :]:
            if isinstance(fact, Turned):
                last = fact
            elif not _is_housekeeping(fact):
                break
        return last

    @property
    def battle(self) -> Battle | None:
        """The battle that the fact is about."""
        return self.story.battles.get(self.place)

    def following(self) -> Iterator[tuple[int, Fact]]:
        """The facts after this one, with their places, until the track is turned."""
        for place in range(self.place + 1, self.end):
            yield place, self.story.facts[place]


def tell(game: Game, log: Witnessed, rolling: frozenset[str]) -> Story:
    """Put the facts of a log in order. ``rolling`` are the dice that resolve battles."""
    found = _in_order(log)
    ends = _ends(found)
    battles = _battles(game, log, found, rolling)
    _consequences(found, battles, ends)
    drags, during = _drags(game, found)
    return Story(found, battles, drags, during, ends)


def _in_order(log: Witnessed) -> tuple[Fact, ...]:
    """All facts; what the turn track does by itself just before it is turned comes after it."""
    found: list[Fact] = []
    keeping: list[Fact] = []
    for step in log.steps:
        if step.facts and all(map(_is_housekeeping, step.facts)):
            keeping += step.facts
            continue
        turned = [fact for fact in step.facts if isinstance(fact, Turned)]
        if turned:
            found += [fact for fact in step.facts if fact not in turned]
            found += [turned[-1], *keeping]
            keeping = []
        elif step.facts:
            found += keeping
            keeping = []
            found += step.facts
    return (*found, *keeping)


def _is_housekeeping(fact: Fact) -> bool:
    """What the turn track does by itself: it silently ends battles and takes states off."""
    if isinstance(fact, Changed):
        return fact.new == 0 and not fact.announced
    return isinstance(fact, Dismissed)


def _ends(found: Sequence[Fact]) -> tuple[int, ...]:
    ends = [len(found)] * len(found)
    end = len(found)
    for place in range(len(found) - 1, -1, -1):
        if isinstance(found[place], Turned):
            end = place
        ends[place] = end
    return tuple(ends)


def _battles(game: Game, log: Witnessed, found: Sequence[Fact], rolling: frozenset[str]) -> dict[int, Battle]:
    """Battles by the places of the facts that speak of them."""
    at: dict[int, Battle] = {}
    going: dict[int, Battle] = {}
    lying = {name: standing.place for name, standing in log.opening.items()}
    for place, fact in enumerate(found):
        if isinstance(fact, Shifted):
            lying[fact.counter] = fact.target
        if isinstance(fact, Turned):
            going = {}
            continue
        number = getattr(fact, "battle", 0)
        if not number or not isinstance(
            fact, Enlisted | Dismissed | CalledOff | Resolved | Declared | Thrown
        ):
            continue
        if isinstance(fact, Dismissed) and number not in going:
            continue
        battle = going.get(number)
        if battle is None or (isinstance(fact, Enlisted) and (battle.called_off or battle.dice)):
            battle = going[number] = Battle(number)
        at[place] = battle
        _note(battle, place, fact, found)
        if isinstance(fact, Resolved) or (isinstance(fact, Thrown) and fact.dice in rolling):
            battle.dice.append(place)
            _join(game, battle, lying)
    return at


def _join(game: Game, battle: Battle, lying: Mapping[str, str]) -> None:
    """Whoever has come into the attacked hex by the time of the die defends as well."""
    counters = game.counters
    alike = {(counters[name].side, counters[name].kind) for name in battle.defenders}
    for name, place in lying.items():
        if place == battle.target and (counters[name].side, counters[name].kind) in alike:
            battle.defenders.setdefault(name, place)


def _note(battle: Battle, place: int, fact: Fact, found: Sequence[Fact]) -> None:
    match fact:
        case Enlisted():
            battle.attackers.pop(fact.counter, None)
            battle.defenders.pop(fact.counter, None)
            (battle.attackers if fact.role == "A" else battle.defenders)[fact.counter] = fact.place
            battle.side = fact.side or battle.side
            if fact.step not in battle.steps:
                battle.steps.append(fact.step)
        case Dismissed():
            with_it = any(
                isinstance(other, CalledOff) and other.battle == battle.number
                for other in found
                if other.step == fact.step
            )
            if not battle.dice and not battle.called_off and not with_it:
                battle.attackers.pop(fact.counter, None)
                battle.defenders.pop(fact.counter, None)
        case CalledOff():
            battle.called_off = True


def _consequences(found: Sequence[Fact], battles: dict[int, Battle], ends: Sequence[int]) -> None:
    """Find for each battle the last fact about anybody in it after its die.

    That is within the phase, or after the page was turned as long as nobody acts but those who fought in it.
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
            if place >= ends[first] and not _may_be_late(fact, fighters[ends[first]]):
                break
            if isinstance(fact, Shifted | Changed) and fact.counter in battle.participants:
                battle.last = place


def _may_be_late(fact: Fact, fighters: set[str]) -> bool:
    """Whether a fact after a phase leaves it open that the results of its battles are still carried out."""
    if isinstance(fact, Turned | Remark) or _is_housekeeping(fact):
        return True
    return isinstance(fact, Shifted | Changed) and fact.counter in fighters


def _drags(game: Game, found: Sequence[Fact]) -> tuple[dict[int, Drag], dict[int, Drag]]:
    """Take the shifts of each counter together that are one move."""
    drags: dict[int, Drag] = {}
    during: dict[int, Drag] = {}
    open_: dict[str, list[int]] = {}

    def close(counter: str) -> None:
        places = open_.pop(counter, [])
        if places:
            drag = _drag(found, counter, places)
            drags[places[-1]] = drag
            during.update(dict.fromkeys(places[:-1], drag))

    for place, fact in enumerate(found):
        if isinstance(fact, Shifted):
            if _on_map(game, fact):
                side = game.counters[fact.counter].side
                for counter in [name for name in open_ if game.counters[name].side != side]:
                    close(counter)
            elif fact.target not in game.map.grid:
                close(fact.counter)
            open_.setdefault(fact.counter, []).append(place)
        elif isinstance(fact, Turned | Resolved | Thrown):
            for counter in list(open_):
                close(counter)
        elif isinstance(fact, Declared | Changed | Enlisted) and fact.counter:
            close(fact.counter)
    for counter in list(open_):
        close(counter)
    return drags, during


def _on_map(game: Game, fact: Shifted) -> bool:
    return fact.origin in game.map.grid and fact.target in game.map.grid


def _drag(found: Sequence[Fact], counter: str, places: Sequence[int]) -> Drag:
    shifts = [found[place] for place in places]
    steps = {fact.step for fact in shifts}
    between = found[places[0] : places[-1]]
    plain = all(fact.step in steps or isinstance(fact, Remark) for fact in between)
    points = tuple(_without_loops(_points(shifts)))
    return Drag(counter, tuple(places), points, plain)


def _points(shifts: Sequence[Fact]) -> Iterator[str]:
    for number, fact in enumerate(shifts):
        assert isinstance(fact, Shifted)
        if number == 0:
            yield fact.origin
        yield fact.target


def _without_loops(points: Iterator[str]) -> list[str]:
    """The points without what was dragged back: a place that is come to again takes all between away."""
    found: list[str] = []
    for point in points:
        if point in found:
            del found[found.index(point) + 1 :]
        else:
            found.append(point)
    return found
