"""What a record holds: statements, what ruling is expected of each, and cases."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen

from referee.engine.actions import Action, Verb
from referee.engine.clock import Clock
from referee.engine.position import Face, Mark, World
from referee.engine.rulings import Grade
from vassalgen.game.game import Game

Verdict: TypeAlias = "frozenset[tuple[Grade, str]]"


@frozen
class Expectation:
    """Which rulings are right: those with exactly the breaches of one of several verdicts.

    ``more``: other breaches beside them do not matter. A grade without a clause stands for any breaches of
    which that is the worst grade.
    """

    verdicts: frozenset[Verdict]
    more: bool = False

    def met(self, verdict: Verdict, game: Game | None = None) -> Verdict | None:
        """Return the verdict that a ruling's meets, None if it meets none.

        Of clauses of a ``game`` that say the same either may be cited.
        """
        found = _by_first(verdict, game)
        for one in self.verdicts:
            wanted = _by_first(one, game)
            if any_clause := {grade for grade, clause in wanted if not clause}:
                wanted = found if any_clause == {max((grade for grade, _ in found), default=None)} else wanted
            if wanted == found or (self.more and wanted <= found):
                return one
        return None


def _by_first(verdict: Verdict, game: Game | None) -> Verdict:
    """A verdict with the first clause in the place of another that says the same."""
    clauses = game.clauses if game is not None else {}
    return frozenset((grade, clauses[one].same or one if one in clauses else one) for grade, one in verdict)


def exactly(*breaches: tuple[Grade, str]) -> Expectation:
    """Return the expectation of these breaches and no others."""
    return Expectation(frozenset({frozenset(breaches)}))


@frozen
class At:
    """Set the clock; nothing is judged. The phase begins, unless it is ``underway``."""

    clock: Clock
    underway: bool = False


@frozen
class SetUp:
    """Set up the scenario."""


@frozen
class Adopt:
    """Read a question that the rules leave open in a certain way, from here on."""

    ruling: str
    reading: str


@frozen
class Place:
    """Put pieces somewhere, in any states; nothing is judged. ``where`` is None to leave them in place.

    ``as_found``: so it is, though the rules do not lead there, as a log may show it.
    """

    pieces: tuple[str, ...]
    where: str | None = None
    steps: int | None = None
    states: Mapping[str, Mark] = field(factory=dict, hash=False)
    face: Face = ""
    as_found: bool = False


@frozen
class PlaceMarkers:
    """Let markers that mean something in their hex be in one, or nowhere on the map if ``where`` is empty."""

    markers: tuple[str, ...]
    where: str


@frozen
class SetTerrain:
    """Let a hex be of another terrain than the map says."""

    hex: str
    terrain: str


@frozen
class SetBridge:
    """Let the bridge between two hexes be destroyed, or stand."""

    hexes: tuple[str, str]
    destroyed: bool


@frozen
class Spend:
    """Let pieces have spent points of movement already in this phase."""

    pieces: tuple[str, ...]
    points: Fraction


Content: TypeAlias = "At | SetUp | Adopt | Place | PlaceMarkers | SetTerrain | SetBridge | Spend | Action"
STATEMENTS = (
    Verb("at", "at PHASE", "a phase begins"),
    Verb("during", "during PHASE", "a phase is under way; what has happened in it is not known"),
    Verb("set up", "set up", "set up the counters of the scenario"),
    Verb("place", "place PIECES on HEX", "put counters in a hex"),
    Verb("place", "place PIECES in BOX", "put counters in a box"),
    Verb("place", "place PIECES off", "take counters off the map"),
    Verb("place", "place PIECES STATE", "change the states of counters, which stay where they are"),
    Verb("spent", "spent PIECES NUMBER", "counters have spent points of movement in this phase"),
    Verb("terrain", "terrain HEX TERRAIN", "a hex has other terrain than on the map"),
    Verb("bridge", "bridge BRIDGE destroyed", "the bridge between two hexes is destroyed (or standing)"),
    Verb("adopt", "adopt QUESTION INTERPRETATION", "choose an interpretation of an open question"),
)
"""The statements that set up a case and are not actions."""


@frozen
class Statement:
    """One statement: what is done, what ruling is expected of it if any is, and a comment.

    Without content it is a comment of its own. ``line`` is where it was read.
    """

    content: Content | None = None
    expected: Expectation | None = None
    comment: str = ""
    line: int = field(default=0, eq=False)


@frozen
class Case:
    """Statements that begin with an empty table. ``clauses`` are those it is about."""

    clauses: tuple[str, ...] = ()
    title: str = ""
    statements: tuple[Statement, ...] = ()
    line: int = field(default=0, eq=False)


@frozen
class Record:
    """A record: the game and scenario, what was done (all before the first case), and cases."""

    game: str
    scenario: str
    main: tuple[Statement, ...] = ()
    cases: tuple[Case, ...] = ()
    world: World | None = field(default=None, eq=False, repr=False)
    file: str = field(default="", eq=False)
