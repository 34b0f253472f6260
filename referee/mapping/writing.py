"""The file of a map, for people to read and edit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from referee.mapping.modulemap import OF_MODULE
from referee.mapping.proposing import Line, Proposal, said_of
from vassalgen.commandline import visible

HEADINGS = {
    "counters": "pieces of the module = counters of the game, and how similar they are",
    "layers": "what layers show: a state of the game, steps, or nothing",
    "places": "places of the module = boxes of the game",
    "phases": "what the turn track shows = phases of the game",
    "dice": "dice buttons; any: the log does not say what is rolled for",
    "sides": "sides that players take",
}


def write_map(proposal: Proposal) -> str:
    """Return the file of a proposed map."""
    return "\n".join(visible(" ".join(line.splitlines())) for line in _lines(proposal)) + "\n"


def _lines(found: Proposal) -> Iterator[str]:
    yield f"# What {found.module or 'a module'} calls the things of {found.game.title}; see docs/map.md."
    if found.unsure:
        yield f"# Not sure: {found.unsure}, with a question mark. Keep the right word, and remove the mark."
    yield ""
    yield f'game = "{found.game.id}"'
    yield f"module = {quoted(found.module)}"
    yield f"version = {quoted(found.version)}"
    yield f"turn = {quoted(found.turn)}".ljust(33) + (
        "# the level of the turn track, or the marker on a printed one, that shows the turn"
        if found.turn
        else "# no turn track was found"
    )
    if found.phase:
        yield (
            f"phase = {quoted(found.phase)}".ljust(33)
            + "# the marker on a printed track that shows the phase"
        )
    if found.pictures != OF_MODULE:
        yield f"pictures = {quoted(found.pictures)}"
    yield from _section("counters", found.counters)
    for name in found.missing:
        yield f"# like no piece: {name}, {said_of(found.game, name)}"
    yield from _section("layers", found.layers)
    yield from _hexes(found)
    for name in ("places", "phases", "dice", "sides"):
        yield from _section(name, getattr(found, name))


def _hexes(found: Proposal) -> Iterator[str]:
    yield ""
    if found.hexes is None:
        yield "# Name three hexes of the game, far from each other, and the pixels of their centres on a map:"
        yield f"# [hexes.{quoted(found.main_map)}]"
        names = found.game.map.grid.names
        yield from (f"# {quoted(name)} = [0, 0]" for name in (names[0], names[len(names) // 2], names[-1]))
        return
    sure = found.hexes.why if found.hexes.is_sure else f"not sure ({found.hexes.why}): look at these three"
    yield (
        f"[hexes.{quoted(found.hexes.map)}]".ljust(33) + f"# three hexes and their centres in pixels; {sure}"
    )
    for name, (x, y) in found.hexes.points.items():
        yield f"{quoted(name)} = [{x}, {y}]"


def _section(name: str, lines: Sequence[Line]) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield f"[{name}]".ljust(33) + f"# {HEADINGS[name]}"
    once: dict[str, Line] = {}
    for line in lines:
        once.setdefault(line.key, line)
    for line in sorted(once.values(), key=lambda one: (one.value == "nothing", one.is_sure)):
        text = f"{quoted(line.key)} = {quoted(line.value)}"
        yield f"{text:<44} # {line.remark}" if line.remark else text


def quoted(text: str) -> str:
    """A text as TOML, with invisible characters escaped."""
    letters = json.dumps(text, ensure_ascii=False)
    return "".join(one if one.isprintable() else f"\\U{ord(one):08x}" for one in letters)
