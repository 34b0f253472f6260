"""Turn track, dice, charts and help of a module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from vassalgen.adopting.source import Module
from vassalgen.adopting.words import FileNames
from vassalgen.vassal.components import (
    BrowserHelpFile,
    BrowserPDFFile,
    Chart,
    CounterTurnLevel,
    DiceButton,
    HelpFile,
    HtmlChart,
    ListTurnLevel,
    SpecialDiceButton,
    SpecialDie,
    TurnLevel,
    TurnTracker,
)

DEFAULT_TURNS = 10
_MOST_TURNS = 200


@frozen
class Track:
    """Turns, and the phases before, in and after the player turns. ``remarks`` say what could not be read."""

    last: int
    order: tuple[str, ...]
    opening: tuple[str, ...] = ()
    player_turn: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def track_of(module: Module, sides: Sequence[str], squares: int = 0) -> Track:
    """The sequence of play in the turn tracker: turns from its counter, phases from its lists.

    ``squares`` is the number of turns on a track drawn on a map; it is the last turn if the tracker has no
    end.
    """
    trackers = [one for one, _ in module.survey.all(TurnTracker)]
    levels = list(_levels(trackers[0])) if trackers else []
    last, known = DEFAULT_TURNS, False
    phases: tuple[str, ...] = ()
    order = tuple(sides)
    counted = False
    for level in levels:
        if isinstance(level, CounterTurnLevel) and not counted:
            counted = True
            if level.loop and 0 < level.loop_limit <= _MOST_TURNS:
                last, known = level.loop_limit, True
        elif isinstance(level, ListTurnLevel):
            entries = tuple(entry.strip() for entry in level.list if entry.strip())
            named = tuple(side for entry in entries for side in sides if _names(entry, side))
            if entries and len(entries) == len(named) == len(set(named)):
                order = named
            elif entries and not phases:
                phases = entries
            elif entries and not counted:
                last, known = len(entries), True
    owners = [side for phase in phases for side in sides if _names(phase, side)]
    order = tuple(dict.fromkeys((*owners, *order)))
    opening, player_turn, closing = _by_side(phases, order)
    if not known and squares:
        last, known = squares, True
    remarks = [] if trackers else ["the turns and phases: the module has no turn track"]
    if not known:
        why = "the turn track does not end; " if trackers else ""
        remarks.append(f"the number of turns: {why}{last} are written")
    if trackers and not phases:
        remarks.append("the phases: the turn track has none")
    return Track(
        last=last,
        order=order,
        opening=opening,
        player_turn=player_turn,
        closing=closing,
        remarks=tuple(remarks),
    )


def squares_of(titles: Iterable[str]) -> int:
    """The number of turns on a track of places named T1, T2 ... or Turn 1, Turn 2 ...; 0 if there is none."""
    named = (re.fullmatch(r"(?:turn track )?(?:turn |t)0*(\d{1,3})", title.strip(), re.I) for title in titles)
    numbers = {int(match[1]) for match in named if match}
    last = max(numbers, default=0)
    return last if last > 2 and set(range(1, last + 1)) <= numbers else 0


def _levels(tracker: TurnTracker) -> Iterator[TurnLevel]:
    """The levels of a tracker, outermost first; of several levels side by side only the first."""
    above: TurnTracker | TurnLevel = tracker
    while True:
        inner = above.children_of(TurnLevel)
        if not inner:
            return
        yield inner[0]
        above = inner[0]


def _names(entry: str, side: str) -> bool:
    words = [word.lower().removesuffix("s") for word in re.findall(r"[^\W_]+", entry)]
    stem = side.lower()
    stems = {stem.removesuffix("s"), re.sub(r"(es|ed)$", "", stem)}
    return any(word in stems or re.sub(r"(e|ed)$", "", word) in stems for word in words)


def _by_side(
    phases: Sequence[str], sides: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The phases of a player turn. If phase names contain sides: those of the first side, and the phases
    around them.
    """
    owners = [next((side for side in sides if _names(phase, side)), "") for phase in phases]
    if not any(owners):
        return (), tuple(dict.fromkeys(phases)), ()
    first, last = owners.index(next(filter(None, owners))), len(owners)
    while not owners[last - 1]:
        last -= 1
    whose = owners[first]
    own = [_without(phase, whose) for phase, owner in zip(phases, owners, strict=True) if owner == whose]
    return tuple(phases[:first]), tuple(dict.fromkeys(own)), tuple(phases[last:])


def _without(phase: str, side: str) -> str:
    words = [word for word in phase.split() if not _names(word, side)]
    return " ".join(words).strip(" -:,()") or phase


def dice_of(module: Module) -> dict[str, tuple[int, int]]:
    """The dice buttons: the number of dice and of their sides."""
    found: dict[str, tuple[int, int]] = {}
    for one, _ in module.survey.all(DiceButton):
        found[one.name or f"{one.n_dice}d{one.n_sides}"] = max(1, one.n_dice), max(2, one.n_sides)
    for special, _ in module.survey.all(SpecialDiceButton):
        dice = special.children_of(SpecialDie)
        faces = max((len(die.children) for die in dice), default=0)
        if dice and faces > 1:
            found[special.name] = len(dice), faces
    return found


def papers_of(module: Module) -> Mapping[str, Mapping[str, bytes]]:
    """Charts and help as the module has them: contents by folder and name."""
    parts = module.survey.all
    charts = [module.entry_of(chart.file_name) or "" for chart, _ in parts(Chart) if chart.file_name]
    charts += [page.file_name for page, _ in parts(HtmlChart)]
    pages = [page.file_name for page, _ in parts(HelpFile)]
    pages += [pdf.pdf_file for pdf, _ in parts(BrowserPDFFile)]
    pages += [f"help/{book.contents}" for book, _ in parts(BrowserHelpFile)]
    return {"charts": _contents(module, charts), "help": _contents(module, pages)}


def _contents(module: Module, entries: Iterable[str]) -> dict[str, bytes]:
    """The contents of the entries that exist, by new names for files of one folder."""
    names = FileNames()
    known = [entry for entry in dict.fromkeys(entries) if entry in module.archive]
    return {names.new(entry.rpartition("/")[2]): module.archive.read(entry) for entry in known}
