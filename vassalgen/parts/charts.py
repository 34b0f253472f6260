"""The charts: every table of the game, terrain, sequence of play, values; each with its provenance."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from vassalgen.game.art import Style
from vassalgen.game.game import Game
from vassalgen.game.tables import NAMED, ChartRow, Feature, Table
from vassalgen.game.values import Value
from vassalgen.parts import keys
from vassalgen.parts.boxes import turns
from vassalgen.parts.html import cell, heading, items, page, paragraph, source, table, text
from vassalgen.vassal.components import ChartWindow, HtmlChart, TabWidget

_TINTS = {"A": "#f4cfc8", "B": "#f3e2b6", "E": "#f3e2b6", "D": "#cfe0c3"}
"""The colours of results by first letter: bad for the attacker, for both, for the defender."""
_NO_RESULT = "#ffffff"


@frozen
class Page:
    """A chart or page of help: its title, its file in the archive, and its content."""

    title: str
    file: str
    content: bytes


def charts(game: Game) -> tuple[Page, ...]:
    """All charts, the most frequently used first."""
    found = [Page(one.title, f"chart-table-{one.id}.html", _table(game, one)) for one in game.tables.values()]
    found.append(Page("Terrain", "chart-terrain.html", _terrain(game)))
    found.append(Page("Sequence of play", "chart-sequence.html", _sequence(game)))
    if game.values:
        found.append(Page("Limits and numbers", "chart-numbers.html", _values(game, _names(game))))
    return tuple(found)


def chart_window(game: Game) -> ChartWindow:
    """The window of charts, with a tab for each."""
    tabs = tuple(HtmlChart(name=one.title, file_name=one.file) for one in charts(game))
    return ChartWindow(
        name="Charts",
        text="Charts",
        tooltip="Tables, terrain, sequence of play",
        icon="",
        hotkey=keys.CHARTS,
        children=(TabWidget(name="Charts", children=tabs),),
    )


def _table(game: Game, one: Table) -> bytes:
    rows = [
        (
            cell(text(label), "#e9dfc4", align="center", bold=True),
            *(cell(text(result), _tint(one, result), align="center") for result in cells),
        )
        for label, cells in zip(one.rows, one.cells, strict=True)
    ]
    titles = (one.row_title, *one.columns)
    results = [
        (
            cell(text(result.code), _tint(one, result.code), align="center", bold=True),
            cell(text(result.title)),
            cell(text(result.text)),
            cell(source(result.provenance)),
        )
        for result in one.results.values()
    ]
    ends = [
        f"{where} the table: {what}" for where, what in (("Below", one.below), ("Above", one.above)) if what
    ]
    return page(
        one.title,
        paragraph(one.column_title),
        table(titles, rows),
        items(ends),
        heading("Columns") + items(one.shifts) if one.shifts else "",
        heading("Die") + items(one.modifiers) if one.modifiers else "",
        heading("Results") + table(("", "", "", "Source"), results) if results else "",
        paragraph(one.text),
        f"<p>{source(one.provenance)}</p>",
    )


def _tint(one: Table, result: str) -> str:
    return _TINTS.get(result[:1], _NO_RESULT) if result in one.results or result[:1].isalpha() else _NO_RESULT


def _terrain(game: Game) -> bytes:
    art, names = game.art, _names(game)
    return page(
        "Terrain",
        heading("Hexes"),
        _rows(game.terrain, art.terrain, names),
        heading("Hexsides") + _rows(game.features, art.hexsides, names) if game.features else "",
        heading("Roads") + _rows(game.road_kinds, art.roads, names) if game.road_kinds else "",
    )


def _rows(rows: Mapping[str, ChartRow], looks: Mapping[str, Style], names: Mapping[str, str]) -> str:
    """A section of the terrain chart, with a column for each effect of its rows, and its notes below.

    A column of notes beside those of the effects would be a word wide.
    """
    shown = {row.id: _effects(row, names) for row in rows.values()}
    columns = tuple(dict.fromkeys(column for effects in shown.values() for column in effects))
    notes = [f"{row.title}: {row.text}" for row in rows.values() if row.text]
    found = []
    for row in rows.values():
        style = looks.get(row.id, Style())
        found.append(
            (
                cell("&nbsp;&nbsp;&nbsp;", style.fill or style.line or "#ffffff"),
                cell(text(row.title), bold=True),
                *(cell(text(shown[row.id].get(column, "")), align="center") for column in columns),
                cell(source(row.provenance)),
            )
        )
    return table(("", "", *columns, "Source"), found) + items(notes)


def _effects(row: ChartRow, names: Mapping[str, str]) -> dict[str, str]:
    """The entries of a line of the chart by column; each effect of a season has a column of its own."""
    found = {"Closed": "yes"} if row.closed else {}
    if isinstance(row, Feature) and row.opens:
        found["Opens"] = _shown(row.opens, names)
    for name, value in row.effects.entries.items():
        if isinstance(value, Mapping):
            found |= {
                _title(f"{_words(name)}, {_words(part)}"): _shown(one, names) for part, one in value.items()
            }
        else:
            found[_title(_words(name))] = _shown(value, names)
    return found


def _sequence(game: Game) -> bytes:
    order = " and then the ".join(game.sides[side].title for side in game.sequence.order)
    parts = []
    for title, phases in (
        ("Both sides", game.sequence.opening),
        (f"Player turns: first the {order}", game.sequence.player_turn),
        ("Both sides", game.sequence.closing),
    ):
        if phases:
            parts.append(heading(title))
            rows = [(cell(text(phase.title), bold=True), cell(text(phase.text))) for phase in phases]
            parts.append(table((), rows))
    track = [
        (cell(text(turn.number), align="center", bold=True), cell(text(turn.label)), cell(text(turn.note)))
        for turn in turns(game)
    ]
    return page("Sequence of play", *parts, heading("Turns"), table((), track))


def _values(game: Game, names: Mapping[str, str]) -> bytes:
    parts = []
    for group in game.values.values():
        sentences = [
            NAMED.sub(lambda found: _shown(group.named(found[1]), names), one)  # noqa: B023
            for one in group.text
        ]
        rows = [
            (cell(text(_words(name))), cell(text(_shown(value, names)), align="right"))
            for name, value in group.values.entries.items()
        ]
        shown = items(sentences) if sentences else table((), rows)
        parts += [heading(group.title or _words(group.id)), shown, source(group.provenance)]
    return page("Limits and numbers", *parts)


def _names(game: Game) -> dict[str, str]:
    """The players' names for the things that values name by id."""
    titled = (game.sides, game.nations, game.terrain, game.features, game.road_kinds, game.map.zones)
    return {
        **{one.id: one.title for kind in titled for one in kind.values() if one.title},
        **{counter.id: counter.name for counter in game.counters.values()},
    }


def _title(words: str) -> str:
    return "ZOC" if words == "zoc" else words[:1].upper() + words[1:]


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _shown(value: Value, names: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(_shown(one, names) for one in value)
        case Mapping():
            return ", ".join(
                f"{names.get(name, _words(name))} {_shown(one, names)}" for name, one in value.items()
            )
        case str() if value and all(word in names for word in value.split()):
            return ", ".join(names[word] for word in value.split())
    return str(value)
