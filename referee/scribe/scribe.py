"""Reads the facts of logs as actions, and keeps the position that they lead to."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.idiom import Idiom
from referee.engine.position import World
from referee.record import At, Place
from referee.scribe import facts
from referee.scribe.alternatives import CautiousReader
from referee.scribe.book import Book
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.reader import standings
from referee.scribe.reading import Certainty, Unjudged
from referee.scribe.story import story_of
from vassalgen.problems import Failure


class Scribe:
    """Reads the logs of one game, one after the other, into his ``book``."""

    def __init__(self, world: World, idiom: Idiom, *, cautious: bool = True) -> None:
        self.book = Book(world, idiom, world.rulebook.empty(world), cautious=cautious)

    def read(self, log: LoggedFacts) -> None:
        """Read one more log."""
        self.book.log += 1
        self.book.unjudged += [Unjudged(self.book.log, step, failure) for step, failure in log.failures]
        try:
            self._read(log)
        except Exception as error:
            self.book.fail(0, Failure.of(error))

    def _read(self, log: LoggedFacts) -> None:
        book = self.book
        book.silent = log.silent
        book.players = {step.step: step.player for step in log.steps}
        rolling = frozenset(dice for dice, verb in book.idiom.dice.items() if verb in book.idiom.all_rolls)
        beginning = frozenset(name for name, verb in book.idiom.declared.items() if verb == book.idiom.begin)
        idiom = book.idiom
        story = story_of(book.game, log, rolling, beginning, idiom.entering, idiom.announced)
        _open(book, log)
        if book.setting_up is None and any(_is_declared(fact, beginning) for fact in story.facts):
            book.setting_up = True
        reader = CautiousReader(
            book, story, {step.step: tuple(step.after) for step in log.steps}, standings(log)
        )
        for place in range(len(story.facts) + 1):
            reader.read(place)
        self.book = reader.book
        self.book.suspect_early_marks()


def _open(book: Book, log: LoggedFacts) -> None:
    """Take over how things stand when a log begins: all of it for the first one, then what differs."""
    if book.log == 0:
        clock = log.clock or book.beginning
        book.state(At(clock, underway=clock != book.beginning), 0, Certainty.seen)
    elif log.clock is not None and log.clock != book.track:
        book.state(At(log.clock, underway=True), 0, Certainty.adopted)
    book.track = log.clock or book.track or book.position.clock
    begins = book.log == 0 and book.position.clock == book.beginning and book.world.scenario.face_down
    turned = [name for name, standing in log.opening.items() if begins and book.is_face_up(standing)]
    changed: list[tuple[Place, list[str]]] = []  # counters that stand alike, and how
    for name, seen in log.opening.items():
        standing = evolve(seen, face="down") if name in turned else seen
        place = book.adoption(name, standing, everything=book.log == 0)
        if place is None:
            continue
        stand = evolve(place, pieces=())
        alike = [names for other, names in changed if other == stand]
        if alike:
            alike[0].append(name)
        else:
            changed.append((stand, [name]))
    for place, names in changed:
        book.state(evolve(place, pieces=tuple(names)), 0, Certainty.adopted)
    for name in turned:
        book.act(Action(book.idiom.faces[0], (name,)), facts.Fact(step=0), Certainty.seen)
    if book.log > 0 and changed:
        moved = ", ".join(name for _, names in changed for name in names)
        book.remark(0, f"{log.log} does not begin where the log before it ended: {moved}")


def _is_declared(fact: facts.Fact, declarations: frozenset[str]) -> bool:
    return isinstance(fact, facts.Declared) and fact.declaration in declarations
