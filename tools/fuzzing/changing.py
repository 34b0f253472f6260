"""Changes in sensitive places: in the fields of a command, the words of an announcement, the cells of a
table.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Sequence

from attrs import evolve

from vassalgen.vassal import streams
from vassalgen.vassal.streams import Node

NUMBERS = ("0", "-1", "1", "2", "7", "99", "2147483648", "9" * 30, "9" * 5000, "1.5", "NaN", "²", "")
TEXTS = (
    "",
    "null",
    "\\",
    "'",
    "''",
    ";",
    "|",
    ",",
    "\t",
    "x" * 3000,
    "\u202e",
    "\ud800",
    "$x$",
    "{x}",
    "()",
    "[]",
    "\ufeff",
    "../x",
    "/dev/zero",
    "\x1b[2J",
)

VALUES = (
    re.compile(r'"[^"]*"'),
    re.compile(r"-?\b\d+(?:\.\d+)?\b"),
    re.compile(r"(?<=[ ,\[])[^\W\d][\w.-]*(?! *=)"),
)
"""A string, a number, a word."""


def changed_text(rng: random.Random, text: str) -> str:
    """A text with one field of one of VASSAL's lists changed, because the fields carry the meaning."""
    delimiter = rng.choice("\t/;|,: ()[]+")
    fields = text.split(delimiter)
    place = rng.randrange(len(fields))
    match rng.randrange(7):
        case 0:
            del fields[place]
        case 1:
            fields.insert(place, fields[place])
        case 2:
            other = rng.randrange(len(fields))
            fields[place], fields[other] = fields[other], fields[place]
        case 3:
            fields[place] = rng.choice(NUMBERS)
        case 4:
            fields[place] = rng.choice(TEXTS)
        case 5:
            words = fields[place].split(" ")
            del words[rng.randrange(len(words))]
            fields[place] = " ".join(words)
        case _:
            digits = [at for at, letter in enumerate(fields[place]) if letter.isdigit()]
            if digits:
                at = rng.choice(digits)
                fields[place] = fields[place][:at] + rng.choice(NUMBERS) + fields[place][at + 1 :]
    return delimiter.join(fields)


def mixed_text(rng: random.Random, text: str, other: str) -> str:
    """A text with one of its words replaced by a word of another text."""
    words, others = text.split(" "), other.split(" ")
    words[rng.randrange(len(words))] = rng.choice(others)
    return " ".join(words)


def changed_values(rng: random.Random, text: str, times: int) -> str:
    """A text of lines with some values changed: a string for a string, a number for a number."""
    lines = text.splitlines() or [""]
    for _ in range(times):
        kind = rng.choice(VALUES)
        here = [(at, found) for at, line in enumerate(lines) for found in kind.finditer(line)]
        if here:
            at, found = rng.choice(here)
            value = rng.choice(here)[1][0]
            lines[at] = lines[at][: found.start()] + value + lines[at][found.end() :]
    return "\n".join(lines)


def changed_node(rng: random.Random, node: Node, others: Sequence[Node] = ()) -> Node:
    """A command, or one that belongs to it, changed, doubled or removed.

    ``others`` are entries of the same stream, whose words may be used.
    """
    children = list(node.children)
    if children and rng.random() < 0.7:
        place = rng.randrange(len(children))
        match rng.randrange(4):
            case 0:
                del children[place]
            case 1:
                children.insert(place, children[place])
            case _:
                children[place] = changed_node(rng, children[place], others)
        return evolve(node, children=tuple(children))
    alike = _alike(rng, node, others) if others and rng.random() < 0.4 else None
    text = node.bare
    text = changed_text(rng, text) if alike is None else mixed_text(rng, text, alike.bare)
    prefix = streams.LOG if node.logged else ""
    return evolve(node, text=prefix + text.replace(streams.ESC, ""))


def _alike(rng: random.Random, node: Node, others: Sequence[Node]) -> Node | None:
    """A command of the same kind in another entry."""
    found = [one for one in rng.choice(others).walk() if one.bare[:4] == node.bare[:4]]
    return rng.choice(found) if found else None


def changed_tree(rng: random.Random, entries: Sequence[Node], setup: int, times: int) -> list[Node]:
    """The entries of a stream with some changes, most of them in what players did after the set-up."""
    found = list(entries)
    for _ in range(times):
        low = 0 if rng.random() < 0.3 else min(setup, len(found) - 1)
        place = rng.randrange(low, len(found))
        match rng.randrange(8):
            case 0:
                del found[place]
            case 1:
                found.insert(rng.randrange(low, len(found) + 1), found[place])
            case 2:
                other = rng.randrange(low, len(found))
                found[place], found[other] = found[other], found[place]
            case _:
                found[place] = changed_node(rng, found[place], found[low:])
        if not found:
            return list(entries[:1])
    return found


def changed_bytes(rng: random.Random, data: bytes) -> bytes:
    """Bytes with some of them changed, cut out or doubled."""
    found = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(found) or 1)
        match rng.randrange(4):
            case 0:
                found[place : place + 1] = bytes([rng.randrange(256)])
            case 1:
                del found[place : place + rng.randrange(1, 200)]
            case 2:
                found[place:place] = found[place : place + rng.randrange(1, 200)]
            case _:
                found[place : place + 4] = rng.choice((b"\0" * 4, b"\xff" * 4, b"\xff\xff\xff\x7f"))
    return bytes(found)


def changed_lines(rng: random.Random, text: str, times: int) -> str:
    """A text of lines with some changed, doubled, moved or removed; many with a value of another line."""
    lines = text.splitlines() or [""]
    for _ in range(times):
        place = rng.randrange(len(lines))
        match rng.randrange(12):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, rng.choice(lines))
            case 2 | 3 | 4 | 5 | 6 | 7:
                lines = changed_values(rng, "\n".join(lines), 1).splitlines()
            case 8:
                words = lines[place].split(" ")
                words[rng.randrange(len(words))] = rng.choice(
                    (*NUMBERS, *TEXTS, *rng.choice(lines).split(" "))
                )
                lines[place] = " ".join(words)
            case _:
                lines[place] = changed_text(rng, lines[place])
        lines = lines or [""]
    return "\n".join(lines)


def changed_tag(rng: random.Random, tag: str) -> str:
    """A tag, and the text after it, with one attribute or the text changed; still well-formed."""
    head, end, text = tag.partition(">")
    parts = head.split('"')
    if text.strip() and (len(parts) < 3 or rng.random() < 0.3):
        return f"{head}{end}{_escaped(changed_text(rng, html.unescape(text)))}"
    if len(parts) > 2:
        place = rng.randrange(1, len(parts) - 1, 2)
        parts[place] = _escaped(changed_text(rng, html.unescape(parts[place])))
    return '"'.join(parts) + end + text


def _escaped(text: str) -> str:
    plain = "".join(letter for letter in text if letter >= " " and not "\ud800" <= letter <= "\udfff")
    return html.escape(plain)
