"""Steps and tables in plain words, without the markup of HTML and of VASSAL's chat."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from referee.table.events import (
    Added,
    Chatted,
    Contradicted,
    Event,
    GlobalChanged,
    Labelled,
    MarkedMoved,
    Moved,
    PropertyChanged,
    Removed,
    Reported,
    Rotated,
    Spot,
    StateChanged,
    Step,
    Subject,
    TurnChanged,
    Undone,
    path,
)
from referee.table.table import Table
from referee.table.things import Deck, Piece, Stack, Thing
from vassalgen.announcements import CLERKS_NOTES

_QUICK_COLOUR = re.compile(r"^([*-] ?)[|!?~`]")
_TAG = re.compile(
    r"</?(b|i|u|s|em|strong|big|small|font|span|div|p|br|hr|img|a|sub|sup|table|tr|td|th)\b[^<>]*>", re.I
)
_SPEAKER = re.compile(r"^(<.*?>|&lt;.*?&gt;) - ")
_UNDO = "* UNDO:"
LONGEST = 10_000
"""The maximum length of a chat line in reports; players do not write more."""


def plain(text: str) -> str:
    """A report as people read it: no entities, no tags, no colour mark. [module.Chatter,
    tools.QuickColors]
    """
    bare = _QUICK_COLOUR.sub(r"\1", text)
    return html.unescape(_TAG.sub("", bare) if "<" in bare else bare).strip()


def words(text: str) -> str:
    """A player's message, without the name that VASSAL puts in front."""
    return html.unescape(_SPEAKER.sub("", text)).strip()


def said(event: Event) -> str:
    """An event as a line."""
    match event:
        case Chatted():
            return f"“{words(_cut(event.text))}”"
        case Reported():
            return plain(_cut(event.text))
        case TurnChanged() if ";" in event.new:  # as saves hold it: no module says what it says
            return "the turn track was advanced"
    return str(event)


def _cut(text: str) -> str:
    more = len(text) - LONGEST
    return f"{text[:LONGEST]} … ({more:,} letters more)" if more > 0 else text


def lines_of(step: Step, *, everything: bool = False) -> Iterator[str]:
    """A step as lines: its number and player with the first event, then the others.

    Bookkeeping is left out if anything else happened, and changes without effect always; a step without
    events has no lines. ``everything`` shows all events.
    """
    who = f" {step.player}" if step.player else ""
    lines = list(_lines(step.events if everything else essential(step.events)))
    if not lines and not everything:
        return
    yield f"{step.number}{who}: {lines[0] if lines else 'nothing that shows'}"
    yield from (f"    {line}" for line in lines[1:])


@attrs.frozen(kw_only=True)
class Replaced(Event):
    """A piece replaced another one."""

    piece: Subject
    by: Subject
    at: Spot

    def __str__(self) -> str:
        other = "its other side" if str(self.by) == str(self.piece) else str(self.by)
        return f"{self.piece} was replaced by {other} at {self.at}"


def essential(happened: Sequence[Event]) -> list[Event]:
    """The events that a person wants to read; bookkeeping only if nothing else happened.

    What counters and the clerk of our own modules exchange is never included.
    """
    net = [event for event in _net(_replaced(list(_placed(happened)))) if not _is_clerks(event)]
    shown = [event for event in net if not _keeps_books(event)]
    return shown or net


def _placed(happened: Sequence[Event]) -> Iterator[Event]:
    """Events in which a piece that appears off the maps and is placed at once appears in its place."""
    put = {
        event.piece.id: event.target
        for event in happened
        if isinstance(event, Moved) and event.origin.map is None
    }
    new: set[str] = set()
    for event in happened:
        if isinstance(event, Added) and event.at.map is None and event.piece.id in put:
            new.add(event.piece.id)
            yield attrs.evolve(event, at=put[event.piece.id])
        elif not (isinstance(event, Moved) and event.origin.map is None and event.piece.id in new):
            yield event


def _replaced(happened: Sequence[Event]) -> Sequence[Event]:
    """Events in which a piece that appears where another disappears in the same step replaces it."""
    added = [event for event in happened if isinstance(event, Added)]
    removed = [event for event in happened if isinstance(event, Removed)]
    if len(added) != 1 or len(removed) != 1 or added[0].at != removed[0].at:
        return happened
    one = Replaced(piece=removed[0].piece, by=added[0].piece, at=added[0].at)
    return [one if event is added[0] else event for event in happened if event is not removed[0]]


def _net(happened: Sequence[Event]) -> Iterator[Event]:
    """Events in which changes of the same value are combined; there is none if it ends as it began."""
    last = {
        key: event.new
        for event in happened
        if isinstance(event, GlobalChanged | PropertyChanged) and (key := _value_of(event))
    }
    first: set[tuple[str, str]] = set()
    for event in happened:
        key = _value_of(event)
        if isinstance(event, Undone):
            yield attrs.evolve(event, events=tuple(essential(event.events)))
        elif isinstance(event, Labelled | Rotated) and event.old == event.new:
            continue
        elif not key:
            yield event
        elif key not in first and isinstance(event, GlobalChanged | PropertyChanged):
            first.add(key)
            if last[key] != event.old:
                yield attrs.evolve(event, new=last[key])


def _value_of(event: Event) -> tuple[str, str] | None:
    """The property that an event changes, and its owner."""
    match event:
        case GlobalChanged():
            return event.container, event.name
        case PropertyChanged():
            return event.piece.id, event.name
    return None


def _keeps_books(event: Event) -> bool:
    """Whether an event concerns values that players do not see."""
    match event:
        case PropertyChanged():
            return not event.shows
    return isinstance(event, GlobalChanged | MarkedMoved | StateChanged)


def _is_clerks(event: Event) -> bool:
    """Whether an event is an exchange between counters and the clerk."""
    return isinstance(event, GlobalChanged) and event.name in CLERKS_NOTES


def _lines(happened: Sequence[Event]) -> Iterator[str]:
    """Events as lines: identical moves are combined, and "moved" marks on moved pieces are left out."""
    moved = {event.piece.id for event in happened if isinstance(event, Moved)}
    shown = (event for event in happened if not (isinstance(event, MarkedMoved) and event.piece.id in moved))
    for _, alike in groupby(shown, key=_kind):
        group = list(alike)
        first = group[0]
        pieces = [event.piece for event in group if isinstance(event, Moved | MarkedMoved | Contradicted)]
        names = ", ".join(map(str, pieces))
        if isinstance(first, Moved):
            yield f"{names} moved {path(first.origin, first.target)}"
        elif isinstance(first, MarkedMoved):
            verb = "was" if len(group) == 1 else "were"
            yield f"{names} {verb} marked {'' if first.moved else 'not '}moved"
        elif isinstance(first, Contradicted):
            yield str(attrs.evolve(first, piece=Subject(first.piece.id, names)))
        else:
            yield said(first)
        if isinstance(first, Undone):
            inner = [event for event in first.events if not _is_undo_report(event)]
            yield from (f"  {line}" for line in _lines(inner))


def _kind(event: Event) -> object:
    """What events on one line have in common."""
    match event:
        case Moved():
            return event.origin, event.target
        case MarkedMoved():
            return event.moved
        case Contradicted():
            return event.part, event.stated, event.found
    return id(event)


def _is_undo_report(event: Event) -> bool:
    return isinstance(event, Reported) and event.text.startswith(_UNDO)


def layout(table: Table) -> Iterator[str]:
    """The contents of the table, map by map: stacks from bottom to top, face-down decks by
    number of cards.
    """
    places: dict[str, list[tuple[tuple[int, int], str]]] = {name: [] for name in table.maps}
    off: list[str] = []
    for thing in table.things.values():
        text = "" if isinstance(thing, Piece) and thing.parent is not None else _names(table, thing)
        if text and thing.map is None:
            off.append(text)
        elif text and thing.map is not None:
            places[thing.map.name].append((thing.position, f"{table.spot(thing).place}: {text}"))
    for name, found in places.items():
        if found:
            yield f"On {name}:"
            yield from (f"  {line}" for _, line in sorted(found))
    if off:
        yield "Off the maps:"
        yield from (f"  {line}" for line in off)


def _names(table: Table, thing: Thing) -> str:
    """The names of the pieces in one place, empty if there are none."""
    if isinstance(thing, Deck) and thing.face_down:
        name = "" if thing.name == table.location_of(thing) else f"{thing.name}, "
        return f"{name}{len(thing.members)} cards face down"
    pieces = thing.members if isinstance(thing, Stack) else [thing]
    return ", ".join(table.sight.name(piece) or "?" for piece in pieces)
