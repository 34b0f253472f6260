"""The site: pages that need no server, and every table as CSV and JSON, in a folder that may be published.

The database is beside that folder and not in it: it contains the names of players.
"""

from __future__ import annotations

import csv
import html
import io
import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from referee.archive.corrections import Corrections
from referee.archive.database import Database
from referee.archive.tables import Names, Row, Tables
from referee.report.artwork import DrawnArtwork
from referee.report.page import policy, read_part, script_json
from referee.report.pictures import pictures
from referee.versions import data_version, program_version
from vassalgen.commandline import write_file
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.problems import BadInput

PUBLIC = "www"
GAMES = "games"
_MARK = "site"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def names_of(database: Database, corrections: Corrections, redact: bool) -> Names:
    """The names of players on the site."""
    if not redact:
        return Names(corrections)
    return Names(corrections, database.pseudonyms(map(corrections.player, database.players())))


def page_name(number: int) -> str:
    """The path of a game's page, relative to the overview."""
    return f"{GAMES}/{number}.html"


def begin_site(site: Path, database: Database, redact: bool) -> None:
    """Delete the pages of a redacted site if this one is not redacted, and vice versa."""
    state = "redacted" if redact else "named"
    if database.note(_MARK) not in ("", state):
        if (site / PUBLIC).exists():
            shutil.rmtree(site / PUBLIC)  # a page that could not be deleted would still name players
        database.forget_pages()
    database.remember(_MARK, state)


def write_site(
    site: Path, database: Database, names: Names, folders: Sequence[Path], command: str = ""
) -> Tables:
    """Write the overview, the maps and the tables."""
    tables = Tables(database, names, tuple(folders))
    tables.make()
    home = site / PUBLIC
    (home / "data").mkdir(parents=True, exist_ok=True)
    pages = {number: page_name(number) for number in database.pages() if (home / page_name(number)).exists()}
    for row in tables.games:
        row["page"] = pages.get(row["number"], "")
    for name, rows in tables.all.items():
        write_file(home / "data" / f"{name}.json", json.dumps(rows, ensure_ascii=False, indent=0) + "\n")
        write_file(home / "data" / f"{name}.csv", as_csv(rows))
    heat = {"sides": tables.sides, "heat": tables.heat}
    write_file(home / "data" / "maps.json", json.dumps(heat, ensure_ascii=False) + "\n")
    write_file(home / "data" / "maps.csv", as_csv(_heat_rows(tables)))
    made = f"Made by referee archive {program_version()} on {datetime.now(UTC):%d %B %Y}."
    maps = _write_maps(home, database, tables, made)
    seasons = sorted({row["season"] for row in tables.games if row["season"]})
    data = {
        "title": "Archive",
        "subtitle": " · ".join(
            filter(None, (", ".join(sorted(set(tables.titles.values()))), _span(seasons)))
        ),
        "made": made,
        "page_command": command,
        "pages": pages,
        "maps": maps,
        "tables": tables.all,
    }
    write_file(home / "index.html", page_of("Archive", data, ("elements.js",), "archive.js"))
    return tables


def _span(seasons: Sequence[str]) -> str:
    return f"{seasons[0]} to {seasons[-1]}" if len(seasons) > 1 else "".join(seasons)


def _write_maps(home: Path, database: Database, tables: Tables, made: str) -> list[dict[str, str]]:
    """The maps of the games that are installed: their titles and pages."""
    found = []
    for name in sorted(tables.heat):
        try:
            game = open_game(name)
        except BadInput:
            continue
        title = tables.titles[name]
        data = {
            "title": title,
            "subtitle": "Where units were, attacked and were lost, over all games of the archive",
            "made": made,
            "sides": tables.sides[name],
            "heat": tables.heat[name],
            **_board(database, game),
        }
        page = f"map-{game.id}.html"
        write_file(home / page, page_of(title, data, ("elements.js",), "map.js"))
        found.append({"title": title, "href": page})
    for page in {path.name for path in home.glob("map-*.html")} - {one["href"] for one in found}:
        (home / page).unlink()  # of a game that is no longer in the archive
    return found


def _board(database: Database, game: Game) -> Mapping[str, Any]:
    """The board of a game, drawn once for each version of its data."""
    mark, version = f"board {game.id}", data_version(game)
    known = database.note(mark)
    if known:
        board: dict[str, Any] = json.loads(known)
        if board.pop("version") == version:
            return board
    table, _ = pictures(game, {}, DrawnArtwork(game))
    board = {name: table[name] for name in ("width", "height", "image", "hexes", "corners")}
    database.remember(mark, json.dumps({**board, "version": version}))
    return board


def page_of(title: str, data: Mapping[str, Any], shared: Sequence[str], own: str) -> str:
    """A page as HTML: its data, and the scripts that display them, the common ones and its ``own``."""
    style = read_part("page.css") + _own("archive.css")
    script = "".join(map(read_part, shared)) + _own(own)
    return Template(_own("site.html")).substitute(
        policy=policy(style, script),
        title=html.escape(title),
        style=style,
        data=script_json(data),
        script=script,
    )


def _own(name: str) -> str:
    return (files("referee.archive") / "web" / name).read_text(encoding="utf-8")


def as_csv(rows: Sequence[Row]) -> str:
    """A table as CSV; text that a spreadsheet would interpret as a formula is quoted with an apostrophe.
    [OWASP]
    """
    stream = io.StringIO()
    if rows:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _harmless(_cell(value)) for name, value in row.items()} for row in rows)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    match value:
        case None:
            return ""
        case list() if value and isinstance(value[0], dict):
            return "; ".join(
                f"{one['name']} ({one['side']})" if one["side"] else one["name"] for one in value
            )
        case list():
            return " ".join(map(str, value))
        case dict():
            return "; ".join(f"{name} {one}" for name, one in value.items())
    return value


def _harmless(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _heat_rows(tables: Tables) -> list[Row]:
    return [
        {"game": tables.titles[game], "kind": kind, "side": side, "hex": name, "count": count}
        for game, kinds in tables.heat.items()
        for kind, sides in kinds.items()
        for side, hexes in sides.items()
        for name, count in sorted(hexes.items())
    ]
