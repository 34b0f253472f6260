"""HTML pages in a form that VASSAL can display: tables, a few colours, and CSS 1 styles.

Java's viewer supports HTML 3.2: it cannot draw lines around cells, so a table has a dark background and light
cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from vassalgen.game.provenance import Provenance

INK, PAPER, LINE, HEAD, SMALL = "#2b2618", "#fbf7ea", "#b9ad8c", "#6b6250", "#7a705a"
_STYLE = f"""\
body {{ font-family: SansSerif; font-size: 12pt; color: {INK}; background-color: {PAPER}; margin: 12px; }}
h1 {{ font-size: 20pt; color: {INK}; margin-bottom: 4px; }}
h2 {{ font-size: 15pt; color: {HEAD}; margin-top: 14px; margin-bottom: 4px; }}
h3 {{ font-size: 12pt; color: {INK}; margin-top: 10px; margin-bottom: 2px; }}
p, li {{ margin-top: 3px; margin-bottom: 3px; }}
"""


def page(title: str, *parts: str) -> bytes:
    """A whole page, its title as the first heading."""
    head = f"<head><title>{text(title)}</title>\n<style>\n{_STYLE}</style></head>"
    body = "\n".join((heading(title, 1), *parts))
    return f"<html>{head}\n<body>\n{body}\n</body></html>\n".encode("ascii", "xmlcharrefreplace")


def text(words: object) -> str:
    """A text with HTML's special characters escaped."""
    return escape(str(words), quote=False)


def heading(words: str, level: int = 2) -> str:
    """A heading."""
    return f"<h{level}>{text(words)}</h{level}>"


def paragraph(words: str) -> str:
    """A paragraph; lines may break anywhere in it."""
    return f"<p>{text(' '.join(words.split()))}</p>" if words.strip() else ""


def items(lines: Iterable[str]) -> str:
    """A list."""
    found = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f"<ul>{found}</ul>" if found else ""


def small(words: str) -> str:
    """A remark in small grey type."""
    return f'<font size="2" color="{SMALL}">{text(words)}</font>'


def source(provenance: Provenance) -> str:
    """A provenance, as a remark."""
    return small(str(provenance))


def cell(content: str, colour: str = "#ffffff", *, align: str = "left", bold: bool = False) -> str:
    """A cell of a table; the content is HTML."""
    inner = f"<b>{content}</b>" if bold else content
    return f'<td bgcolor="{colour}" align="{align}" valign="top">{inner or "&nbsp;"}</td>'


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells, with a heading row if there are titles."""
    head = "".join(
        f'<td bgcolor="{HEAD}" align="center"><font color="#ffffff"><b>{text(title)}</b></font></td>'
        for title in titles
    )
    lines = [f"<tr>{head}</tr>"] if titles else []
    lines += [f"<tr>{''.join(row)}</tr>" for row in rows]
    return (
        f'<table bgcolor="{LINE}" cellspacing="1" cellpadding="5" border="0">' + "\n".join(lines) + "</table>"
    )
