"""An audit as a page: one self-contained file, made from its plain values and the game's pictures.

The files in ``web`` are combined unchanged. Everything that players wrote is JSON in the page and is shown as
text; a content security policy forbids the page to load anything and to run any script but its own.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from referee.report.artwork import Artwork, DrawnArtwork
from referee.report.pictures import pictures
from vassalgen.game.game import Game

SCRIPTS = ("elements.js", "game.js", "board.js", "timeline.js", "findings.js", "tables.js", "page.js")
"""The parts of the page's script, in the order of their dependencies."""


def page(
    values: Mapping[str, Any], game: Game, log: str = "", home: str = "", artwork: Artwork | None = None
) -> str:
    """Return the page of an audit, or of logs alone, from plain values.

    ``artwork`` draws board and counters if they are not drawn from data. ``log`` is a hash of its log, by
    which the page can be recognised. ``home`` is the page with all games to which it links back.
    """
    table, symbols = pictures(game, _shown(values), artwork or DrawnArtwork(game))
    style, script = read_part("page.css"), "".join(map(read_part, SCRIPTS))
    return Template(read_part("page.html")).substitute(
        log=html.escape(log),
        title=html.escape(_title(values)),
        home=f'<nav id="home"><a href="{html.escape(home)}">All games</a></nav>' if home else "",
        policy=policy(style, script),
        style=style,
        script=script,
        symbols=symbols,
        audit=script_json(values),
        table=script_json(table),
    )


def log_of_page(path: Path) -> str | None:
    """The hash of the log in a page; None for a file that is not a page."""
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        found = _LOG.search(stream.read(_HEAD))
    return found[1].decode() if found else None


_HEAD = 4096
_LOG = re.compile(rb'<meta name="referee-log" content="(\w*)">')


def _shown(values: Mapping[str, Any]) -> dict[str, set[int | None]]:
    """The counters that are ever on the table, in the order of the game, with the numbers of steps that they
    had there.
    """
    there: dict[str, set[int | None]] = {}
    for step in values["steps"]:
        for name, standing in step.get("changes", {}).items():
            there.setdefault(name, set()).add(standing.get("steps"))
    return {name: there[name] for name in values["counters"] if name in there}


def _title(values: Mapping[str, Any]) -> str:
    logs = ", ".join(log["name"] for log in values["logs"])
    return f"{'Audit of ' if values['audited'] else ''}{logs}: {values['title']}"


def script_json(value: object) -> str:
    """Return JSON that cannot close the element that contains it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def policy(style: str, script: str) -> str:
    """Return the content security policy of a page that loads nothing and runs no script but its own."""
    return f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}"


def _hash(text: str) -> str:
    """The hash by which a content security policy identifies an element."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def read_part(name: str) -> str:
    """Return a part of the page from ``web``, unchanged."""
    return (files("referee.report") / "web" / name).read_text(encoding="utf-8")
