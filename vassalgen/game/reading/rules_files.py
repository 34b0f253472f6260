"""Reading clauses.toml, rulings.toml and the pages of help."""

from __future__ import annotations

import re

from vassalgen.game.game import HelpPage
from vassalgen.game.reading.nodes import Node
from vassalgen.game.rules import JUDGED, Clause, Reading, Ruling


def read_clauses(root: Node) -> tuple[dict[str, str], dict[str, Clause]]:
    """Return the headings of the sections, and the clauses."""
    titles = root.node("sections")
    for name in titles:
        if not name.strip():
            titles.wrong(name, "has an empty name", "write what the ids of its clauses begin with")
    sections = {name: titles.text(name) for name in titles if name.strip()}
    clauses = {}
    for name, node in root.tables(kind="clause"):
        if len(name.split()) > 1:
            node.wrong("", f"its name {name!r} has several words", "use one word, as records do")
        title, text = node.text("title"), flowing(node.text("text"))
        clauses[name] = Clause(name, title, node.choice("judged", JUDGED), text, node.text("same", ""))
        node.finish("a clause")
    return sections, clauses


def read_rulings(root: Node) -> dict[str, Ruling]:
    """Return the rulings."""
    rulings = {}
    for name, node in root.tables(kind="ruling"):
        readings = {key: _reading(key, entry) for key, entry in node.tables("readings", f"reading/{name}")}
        adopted = node.text("adopted")
        if adopted and adopted not in readings:
            node.wrong(
                "adopted",
                f"there is no reading {adopted!r}",
                f"expected one of {', '.join(readings)}" if readings else "add a reading of that name",
            )
            readings[adopted] = Reading(adopted, "", "")
        question = flowing(node.text("question"))
        rulings[name] = Ruling(name, node.words("clauses"), question, adopted, readings)
        node.finish("a ruling")
    return rulings


def _reading(key: str, node: Node) -> Reading:
    reading = Reading(key, flowing(node.text("text")), node.text("source"))
    node.finish("a reading")
    return reading


def read_help(page: str, text: str) -> HelpPage:
    """Return a help page; its title is its first heading, or its name if it has none."""
    heading = re.search(r"^#+\s+(.+?)\s*$", text, re.MULTILINE)
    return HelpPage(page, heading[1] if heading else page, text)


def flowing(text: str) -> str:
    """Return a text with its lines joined; empty lines separate paragraphs."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
