"""Logs of players who lay their counters open, in games in which these are face down."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import evolve

from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Faced, Standing
from vassalgen.game.game import Game


def played_openly(log: LoggedFacts, game: Game) -> Collection[str]:
    """The sides that turn more than half of their counters face up and none of them down again.

    Of the counters on the map when the log begins; of all if none is there.
    """
    turned = [fact for step in log.steps for fact in step.facts if isinstance(fact, Faced)]
    up, down = ({fact.counter for fact in turned if fact.face == face} for face in ("up", "down"))
    sides = {game.counters[name].side for name in up} - {game.counters[name].side for name in down}
    found = set[str]()
    for side in sides:
        own = [name for name, one in log.opening.items() if one.face and game.counters[name].side == side]
        on_map = [name for name in own if log.opening[name].place in game.map.grid]
        if 2 * len(up.intersection(on_map or own)) > len(on_map or own):
            found.add(side)
    return found


def with_nothing_turned(log: LoggedFacts, game: Game, sides: Collection[str]) -> LoggedFacts | None:
    """The log in which no counter of some sides is turned; None if there are no such sides."""
    if not sides:
        return None
    names = {name for name in log.opening if game.counters[name].side in sides}
    steps = (_without(step, names) for step in log.steps)
    return evolve(log, opening=_face_down(log.opening, names), steps=tuple(steps))


def _without(step: StepFacts, names: Collection[str]) -> StepFacts:
    left = tuple(one for one in step.facts if not (isinstance(one, Faced) and one.counter in names))
    return evolve(step, facts=left, after=_face_down(step.after, names))


def _face_down(seen: Mapping[str, Standing], names: Collection[str]) -> dict[str, Standing]:
    return {
        name: evolve(one, face="down") if one.face and name in names else one for name, one in seen.items()
    }
