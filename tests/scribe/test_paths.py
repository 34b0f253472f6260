"""Units dragged hex by hex: the hexes between are the path only as long as that is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Shifted, Standing
from referee.scribe.scribe import Scribe
from tools.proof.proving import world_of

AXIS_MOVEMENT = Clock(2)
IMPERIALI, ALLIES = "it-imperiali", "us-34"


def judged(*drags: tuple[str, str, str]) -> Iterator[tuple[Grade, str]]:
    """What is found where counters are dragged one after the other in the Axis movement of Patton's game."""
    world = world_of("patton1943", "")
    places = {name: origin for name, origin, _ in reversed(drags)}
    steps = tuple(
        StepFacts(
            number,
            facts=(Shifted(step=number, counter=name, origin=origin, target=target),),
            after={name: Standing(target)},
        )
        for number, (name, origin, target) in enumerate(drags, 1)
    )
    scribe = Scribe(world, find_idiom(world.game))
    opening = {name: Standing(place) for name, place in places.items()}
    scribe.read(LoggedFacts("drags.vlog", opening, AXIS_MOVEMENT, steps, len(steps)))
    assert not scribe.draft.unjudged
    for reading in scribe.draft.readings:
        yield from ((one.grade, one.clause) for one in reading.ruling.breaches) if reading.ruling else ()


def by_turns(*hexes: str) -> list[tuple[str, str, str]]:
    """Imperiali is dragged from hex to hex; after two drags somebody tries how far an enemy could come."""
    legs = [(IMPERIALI, here, there) for here, there in pairwise(hexes)]
    return [*legs[:2], (ALLIES, "8511", "8512"), (ALLIES, "8512", "8511"), *legs[2:]]


def test_hexes_over_which_a_unit_was_dragged_are_not_its_path_if_it_goes_on_farther() -> None:
    assert list(judged(*by_turns("8306", "8206", "8207", "8107"))) == [(Grade.unproven, "8c")]


def test_a_move_that_is_too_long_by_any_path_is_illegal() -> None:
    found = list(
        judged(
            *by_turns("8306", "8206", "8207", "8107", "8007", "7907", "7807", "7707", "7607", "7507", "7407")
        )
    )
    assert (Grade.illegal, "8c") in found
