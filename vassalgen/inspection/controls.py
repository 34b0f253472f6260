"""The parts of a module around its maps and pieces: sides, turn trackers, dice, properties, charts, help."""

from __future__ import annotations

from collections import Counter

from vassalgen.inspection.facts import (
    DiceFacts,
    DocumentFacts,
    FindingKind,
    LevelFacts,
    PropertyFacts,
    TrackerFacts,
)
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.survey import Part, Survey
from vassalgen.vassal.components import (
    AboutScreen,
    BrowserHelpFile,
    BrowserPDFFile,
    Chart,
    CounterTurnLevel,
    DiceButton,
    Entry,
    GlobalProperty,
    HelpFile,
    HtmlChart,
    ListTurnLevel,
    Map,
    MapWidget,
    PlayerRoster,
    RandomTextButton,
    ScenarioProperty,
    SpecialDiceButton,
    SpecialDie,
    SpecialDieFace,
    TurnLevel,
    TurnTracker,
    Tutorial,
    Zone,
)
from vassalgen.vassal.components import decode as decode_component


def sides_of(survey: Survey) -> tuple[str, ...]:
    """The sides that players may take."""
    return tuple(side.content for roster, _ in survey.all(PlayerRoster) for side in roster.children_of(Entry))


def turn_trackers_of(survey: Survey) -> tuple[TrackerFacts, ...]:
    """The turn trackers and their levels."""
    return tuple(TrackerFacts(tracker.name, _levels(tracker)) for tracker, _ in survey.all(TurnTracker))


def _levels(around: TurnTracker | TurnLevel) -> tuple[LevelFacts, ...]:
    found = []
    for level in around.children_of(TurnLevel):
        match level:
            case ListTurnLevel():
                found.append(LevelFacts(level.name, level.list, levels=_levels(level)))
            case CounterTurnLevel():
                last = level.loop_limit if level.loop else None
                found.append(LevelFacts(level.name, None, level.start, last, _levels(level)))
    return tuple(found)


def dice_of(survey: Survey) -> tuple[DiceFacts, ...]:
    """The dice buttons: plain ones, those with texts on their faces, and those with symbols."""
    found = []
    for part in survey.parts:
        match part.component:
            case RandomTextButton() as button:
                found.append(DiceFacts(button.name, button.n_dice, faces=(button.faces,)))
            case DiceButton() as button:
                found.append(DiceFacts(button.name, button.n_dice, button.n_sides))
            case SpecialDiceButton() as button:
                dice = button.children_of(SpecialDie)
                faces = tuple(tuple(face.text for face in die.children_of(SpecialDieFace)) for die in dice)
                found.append(DiceFacts(button.name, len(dice), faces=faces))
    return tuple(found)


def properties_of(survey: Survey, findings: Gathering) -> tuple[PropertyFacts, ...]:
    """The global properties, with what they belong to, and the scenario's options."""
    found = []
    for part in survey.parts:
        match part.component:
            case GlobalProperty() as one:
                found.append(PropertyFacts(one.name, one.initial_value, _container(part)))
            case ScenarioProperty() as one:
                found.append(PropertyFacts(one.name, one.initial_value))
    for (container, name), count in Counter((one.container, one.name) for one in found).items():
        if count > 1:
            what = f"global property {name}" + (f" of {container}" if container else "")
            findings.add(FindingKind.DUPLICATE_NAME, what, serious=False)
    return tuple(found)


def _container(part: Part) -> str | None:
    """The map, or map and zone, that a property belongs to; None for the module."""
    names = [above.name for above in map(decode_component, part.path[:-1]) if isinstance(above, Map | Zone)]
    return ":".join(names) or None


def charts_of(survey: Survey) -> tuple[DocumentFacts, ...]:
    """The charts in the windows of charts."""
    found = []
    for part in survey.parts:
        match part.component:
            case Chart() as chart:
                found.append(DocumentFacts(chart.name, "picture", f"images/{chart.file_name}"))
            case HtmlChart() as chart:
                found.append(DocumentFacts(chart.name, "page", chart.file_name))
            case MapWidget() as chart:
                found.append(DocumentFacts(chart.name, "map"))
    return tuple(found)


def help_of(survey: Survey) -> tuple[DocumentFacts, ...]:
    """The entries of the help menu."""
    found = []
    for part in survey.parts:
        match part.component:
            case HelpFile() as entry:
                file = entry.file_name if entry.file_type == "archive" else None
                found.append(DocumentFacts(entry.title, "page", file))
            case BrowserHelpFile() as entry:
                found.append(DocumentFacts(entry.title, "site", f"help/{entry.contents}"))
            case BrowserPDFFile() as entry:
                found.append(DocumentFacts(entry.title, "PDF", entry.pdf_file))
            case AboutScreen() as entry:
                found.append(DocumentFacts(entry.title, "picture", f"images/{entry.file_name}"))
            case Tutorial() as entry:
                found.append(DocumentFacts(entry.name, "tutorial", entry.logfile))
    return tuple(found)
