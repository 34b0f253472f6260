"""Steps and tables in plain words, with the marks of HTML and of VASSAL's chat taken out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.table.events import Chatted, Event, MarkedMoved, Moved, Reported, Step, Undone, way
from referee.table.table import Table
from referee.table.things import Deck, Piece, Stack, Thing

_QUICK_COLOUR = re.compile(r"^([*-] ?)[|!?~`]")
_TAG = re.compile(
    r"</?(b|i|u|s|em|strong|big|small|font|span|div|p|br|hr|img|a|sub|sup|table|tr|td|th)\b[^<>]*>", re.I
)
_SPEAKER = re.compile(r"^(<.*?>|&lt;.*?&gt;) - ")
_UNDO = "* UNDO:"


def plain(text: str) -> str:
    """A report as it reads: no entities, no tags, no colour sign. [module.Chatter, tools.QuickColors]"""
    bare = _QUICK_COLOUR.sub(r"\1", text)
    return html.unescape(_TAG.sub("", bare) if "<" in bare else bare).strip()


def words(text: str) -> str:
    """What a player said, without the name that VASSAL puts in front."""
    return html.unescape(_SPEAKER.sub("", text)).strip()


def spoken(event: Event) -> str:
    """An event as a line."""
    match event:
        case Chatted():
            return f"“{words(event.text)}”"
        case Reported():
            return plain(event.text)
    return str(event)


def told(step: Step) -> Iterator[str]:
    """A step as lines: its number and player with the first thing that happened, the others below."""
    who = f" {step.player}" if step.player else ""
    first, *rest = [*_lines(step.events), ""]
    yield f"{step.number}{who}: {first or 'nothing that shows'}"
    yield from (f"    {line}" for line in rest if line)


def _lines(happened: Sequence[Event]) -> Iterator[str]:
    """Events as lines: those that move alike in one, and no word of moved marks on what did move."""
    moved = {event.piece.id for event in happened if isinstance(event, Moved)}
    shown = (event for event in happened if not (isinstance(event, MarkedMoved) and event.piece.id in moved))
    for _, alike in groupby(shown, key=_kind):
        group = list(alike)
        first = group[0]
        names = ", ".join(str(event.piece) for event in group if isinstance(event, Moved | MarkedMoved))
        if isinstance(first, Moved):
            yield f"{names} moved {way(first.origin, first.target)}"
        elif isinstance(first, MarkedMoved):
            verb = "was" if len(group) == 1 else "were"
            yield f"{names} {verb} marked {'' if first.moved else 'not '}moved"
        else:
            yield spoken(first)
        if isinstance(first, Undone):
            inner = [event for event in first.events if not _is_undo_report(event)]
            yield from (f"  {line}" for line in _lines(inner))


def _kind(event: Event) -> object:
    """What events have in common that are told in one line."""
    match event:
        case Moved():
            return event.origin, event.target
        case MarkedMoved():
            return event.moved
    return id(event)


def _is_undo_report(event: Event) -> bool:
    return isinstance(event, Reported) and event.text.startswith(_UNDO)


def lying(table: Table) -> Iterator[str]:
    """What is where, map by map: stacks from the bottom up, decks that are face down by their number."""
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
    """The names of what is in one place, empty for nothing."""
    if isinstance(thing, Deck) and thing.face_down:
        name = "" if thing.name == table.location_of(thing) else f"{thing.name}, "
        return f"{name}{len(thing.members)} cards face down"
    pieces = thing.members if isinstance(thing, Stack) else [thing]
    return ", ".join(table.sight.name(piece) or "?" for piece in pieces)
