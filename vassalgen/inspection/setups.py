"""The set-ups of a module: saved games inside its archive, each read separately."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen

from vassalgen.inspection.facts import FindingKind, GameFacts, SetupFacts
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.games import game_facts
from vassalgen.inspection.reading import wrong
from vassalgen.inspection.survey import Part, Survey, definition_in, markers
from vassalgen.problems import FormatError
from vassalgen.vassal import savedgame
from vassalgen.vassal.components import PredefinedSetup, Tutorial
from vassalgen.vassal.components import decode as decode_component
from vassalgen.vassal.pieces import decode_type
from vassalgen.vassal.traits.base import Trait


@frozen
class Setup:
    """A set-up: its facts, the text of its stream, and the traits of its pieces, each once."""

    facts: SetupFacts
    place: str
    text: str = field(default="", repr=False)
    traits: frozenset[Trait] = field(default=frozenset(), repr=False)


def setups_of(survey: Survey, findings: Gathering) -> Iterator[Setup]:
    """The set-ups in the order of the menu, then tutorials; a file is read only when its turn comes.

    Missing or damaged files become findings.
    """
    for setup, part in survey.all(PredefinedSetup):
        if not setup.is_menu:
            menu = " > ".join(_menus(part))
            yield _read(survey, setup.name, menu, part, setup.file if setup.use_file else "", findings)
    for tutorial, part in survey.all(Tutorial):
        yield _read(survey, tutorial.name, "Help", part, tutorial.logfile, findings)


def _menus(part: Part) -> Iterator[str]:
    for element in part.path[:-1]:
        above = decode_component(element)
        if isinstance(above, PredefinedSetup):
            yield above.name


def _read(survey: Survey, name: str, menu: str, part: Part, file: str, findings: Gathering) -> Setup:
    place = part.place
    if not file:
        return Setup(SetupFacts(name, menu, None, None), place)
    if file not in survey.archive:
        findings.add(FindingKind.MISSING_FILE, file, place)
        return Setup(SetupFacts(name, menu, file, None), place)
    try:
        game = savedgame.read_setup(survey.archive, file)
        facts, start = game_facts(game)
    except FormatError as error:
        findings.add(FindingKind.BROKEN_SETUP, wrong(error.problem), place, right=error.problem.right)
        return Setup(SetupFacts(name, menu, file, None), place)
    _report(facts, place, findings)
    traits = _traits(thing.type for thing in start.placed.values())
    return Setup(SetupFacts(name, menu, file, facts), place, game.text, traits)


def _report(facts: GameFacts, place: str, findings: Gathering) -> None:
    """Report the findings in a set-up as findings in its module."""
    for one in facts.findings:
        for where in one.places or ("",):
            inside = " > ".join(part for part in (place, where) if part)
            findings.add(one.kind, one.what, inside, right=one.right, serious=one.serious)


def _traits(types: Iterable[str]) -> frozenset[Trait]:
    """The traits in types of pieces, including definitions nested in them."""
    found: set[Trait] = set()
    for text in set(types):
        try:
            waiting = [(decode_type(text), 0)]
        except FormatError:  # reported when the piece was set up
            continue
        while waiting:
            traits, depth = waiting.pop()
            found.update(traits)
            for trait in markers(traits):
                try:
                    piece = definition_in(trait, depth + 1)
                except FormatError:
                    continue
                if piece is not None:
                    waiting.append((piece.traits, depth + 1))
    return frozenset(found)
