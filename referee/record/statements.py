"""The contents of a record: statements, the rulings expected for them, and cases."""

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
from vassalgen.problems import Problem

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
        """Return the verdict that a ruling's verdict meets, None if it meets none.

        If two clauses of a ``game`` say the same, either may be cited.
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
    """A verdict in which clauses that say the same are replaced by the first of them."""
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
    """Choose an interpretation of an open question from here on."""

    ruling: str
    reading: str


@frozen
class Place:
    """Put pieces somewhere, with any states; nothing is judged. ``where`` is None to leave them where they
    are.

    ``as_found``: the position is accepted although the rules do not lead to it, because a log may show it.
    """

    pieces: tuple[str, ...]
    where: str | None = None
    steps: int | None = None
    states: Mapping[str, Mark] = field(factory=dict, hash=False)
    face: Face = ""
    as_found: bool = False


@frozen
class PlaceMarkers:
    """Put markers that have an effect in their hex there, or nowhere on the map if ``where`` is empty."""

    markers: tuple[str, ...]
    where: str


@frozen
class SetTerrain:
    """Give a hex other terrain than on the map."""

    hex: str
    terrain: str


@frozen
class SetBridge:
    """Make the bridge between two hexes destroyed or standing."""

    hexes: tuple[str, str]
    destroyed: bool


@frozen
class Spend:
    """Let pieces have spent movement points in this phase."""

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
    Verb("spent", "spent PIECES NUMBER", "counters have spent movement points in this phase"),
    Verb("terrain", "terrain HEX TERRAIN", "a hex has other terrain than on the map"),
    Verb("bridge", "bridge BRIDGE destroyed", "the bridge between two hexes is destroyed (or standing)"),
    Verb("adopt", "adopt QUESTION INTERPRETATION", "choose an interpretation of an open question"),
)
"""The statements that set up a case and are not actions."""


@frozen
class Statement:
    """A statement: its content, the expected ruling if there is one, and a comment.

    Without content it is only a comment. ``line`` is its line in the file.
    """

    content: Content | None = None
    expected: Expectation | None = None
    comment: str = ""
    line: int = field(default=0, eq=False)


@frozen
class Case:
    """Statements that begin with an empty table. ``clauses`` are the clauses that the case is about.

    ``unread``: what cannot be read, so that the case is not judged.
    """

    clauses: tuple[str, ...] = ()
    title: str = ""
    statements: tuple[Statement, ...] = ()
    line: int = field(default=0, eq=False)
    unread: tuple[Problem, ...] = ()


@frozen
class Record:
    """A record: the game and scenario, what was done (all before the first case), and cases.

    ``unread``: what cannot be read before the first case.
    """

    game: str
    scenario: str
    main: tuple[Statement, ...] = ()
    cases: tuple[Case, ...] = ()
    world: World | None = field(default=None, eq=False, repr=False)
    file: str = field(default="", eq=False)
    unread: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that cannot be read."""
        return (*self.unread, *(problem for case in self.cases for problem in case.unread))
