"""The commands that look things up in a game: ``referee rules``, ``rulings``, ``verbs`` and ``hex``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from referee.completion import complete_clauses, complete_hexes, complete_rulings
from referee.engine.rulebook import Rulebook
from referee.examples import example
from referee.games import find_rules
from referee.record import STATEMENTS
from referee.record.forms import find_hex
from vassalgen.commandline import complete_games, data_option
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game, unknown
from vassalgen.game.hexes import DIRECTIONS
from vassalgen.game.provenance import Provenance
from vassalgen.game.rules import Clause, Judged, Ruling
from vassalgen.game.tables import ChartRow
from vassalgen.problems import BadInput, FormatError, Problem

WIDTH = 90

JUDGED: Mapping[Judged, str] = {
    "enforced": "The referee reports breaches of it.",
    "scored": "The referee calculates the value and compares it with what was announced.",
    "definition": "A definition that other rules use; it is not judged by itself.",
    "advisory": "Left to the players; it is not judged.",
}
"""What the referee does with a clause, by how it is judged."""

COMPASS = {
    "N": "north",
    "NE": "northeast",
    "E": "east",
    "SE": "southeast",
    "S": "south",
    "SW": "southwest",
    "W": "west",
    "NW": "northwest",
}


def _of_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument and the option that say which game it is about."""
    game = click.argument("game", metavar="GAME|DIR", shell_complete=complete_games)
    return game(data_option(command))


@click.command()
@_of_game
@click.argument("clauses", nargs=-1, metavar="[CLAUSE]...", shell_complete=complete_clauses)
def rules(game: str, data: Sequence[Path], clauses: Sequence[str]) -> None:
    """Show the rules of GAME, in our own words.

    Without a CLAUSE: a list of all clauses by section. With one or more: their text, how the referee judges
    them, and the open questions about them. CLAUSE may also be a section, for all clauses in it.

    Example: referee rules postcard1943 move.11

    Exit code 0: the rules were shown; 2: there is no such game or clause.
    """
    found = open_game(game, data)
    lines = _clauses(found, clauses) if clauses else _contents(found)
    for line in lines:
        click.echo(line)


def _contents(game: Game) -> Iterator[str]:
    """The titles of all clauses, by section."""
    yield f"{game.title}: {len(game.clauses)} clauses"
    width = max(map(len, game.clauses), default=0)
    section = ""
    for clause in game.clauses.values():
        if game.section(clause.id) != section:
            section = game.section(clause.id)
            yield ""
            yield f"{game.sections.get(section, section)} ({section})"
        yield f"  {clause.id:{width}}  {clause.judged:10}  {clause.title}"


def _clauses(game: Game, names: Sequence[str]) -> Iterator[str]:
    """Some clauses in full, or those of sections; BadInput for names that the game does not have."""
    chosen: dict[str, Clause] = {}
    wrong = []
    for name in names:
        of_section = [one for one in game.clauses.values() if game.section(one.id) == name]
        if name in game.clauses:
            chosen[name] = game.clauses[name]
        elif of_section:
            chosen.update((one.id, one) for one in of_section)
        else:
            right = unknown(name, (*game.clauses, *game.sections))
            wrong.append(Problem(game.id, name, "there is no such clause", right))
    if wrong:
        raise BadInput(wrong)
    for place, clause in enumerate(chosen.values()):
        yield from [""] * bool(place)
        yield from _clause(game, clause)


def _clause(game: Game, clause: Clause) -> Iterator[str]:
    section = game.section(clause.id)
    yield f"{clause.id}  {clause.title} ({game.sections.get(section, section)})"
    yield from _wrapped(clause.text, "  ")
    yield from _wrapped(f"{clause.judged.capitalize()}: {JUDGED[clause.judged]}", "  ")
    for ruling in game.rulings.values():
        if clause.id in ruling.clauses:
            yield from _wrapped(f"Open question {ruling.id}: {ruling.question}", "  ", "    ")
            yield from _wrapped(f"Adopted: {ruling.reading.text} ({ruling.adopted})", "    ", "      ")


@click.command()
@_of_game
@click.argument("rulings", nargs=-1, metavar="[QUESTION]...", shell_complete=complete_rulings)
def rulings(game: str, data: Sequence[Path], rulings: Sequence[str]) -> None:
    """List the questions that the rules of GAME leave open, with all interpretations of each.

    The one that the referee follows is marked with *. QUESTION is the id of a question, or of a clause for
    all questions about it; without one, all are listed.

    Example: referee rulings postcard1943 even-chance

    Exit code 0: the questions were listed; 2: there is no such game or question.
    """
    found = open_game(game, data)
    rulebook = find_rules(found)
    chosen: dict[str, Ruling] = {}
    wrong = []
    for name in rulings:
        about = [one for one in found.rulings.values() if name == one.id or name in one.clauses]
        chosen.update((one.id, one) for one in about)
        if not about and name not in found.clauses:
            right = unknown(name, tuple(found.rulings))
            wrong.append(Problem(found.id, name, "there is no such question", right))
    if wrong:
        raise BadInput(wrong)
    listed = list(chosen.values()) if rulings else list(found.rulings.values())
    if not rulings:
        click.echo(f"{found.title}: {len(listed)} open questions\n")
    for ruling in listed:
        for line in _ruling(found, rulebook, ruling):
            click.echo(line)
        click.echo()
    if not listed:
        if rulings:
            click.echo(f"No open question is about {' or '.join(rulings)}.")
        return
    one = listed[0]
    other = next((name for name in one.readings if name != one.adopted), one.adopted)
    click.echo("To choose another interpretation:")
    click.echo(f"  for one audit     --ruling {one.id}={other}")
    click.echo(f"  in a record       adopt {one.id} {other}")
    click.echo(f"  for all audits    --data DIR, with DIR/rulings.toml: [{one.id}] adopted = {other!r}")


def _ruling(game: Game, rulebook: Rulebook, ruling: Ruling) -> Iterator[str]:
    yield f"{ruling.id}  (about {', '.join(ruling.clauses)})"
    yield from _wrapped(ruling.question, "  ")
    judged = rulebook.judged_readings(game, ruling.id)
    for name, reading in ruling.readings.items():
        mark = "*" if name == ruling.adopted else " "
        note = "" if name in judged else "; the referee does not support it"
        yield from _wrapped(f"{mark} {name}: {reading.text} ({reading.source}{note})", "  ", "      ")


@click.command()
@_of_game
def verbs(game: str, data: Sequence[Path]) -> None:
    """List the statements of a record of GAME, each with an example, and the phases of a turn.

    Replace words in capitals; words in brackets are optional. docs/record.md explains records.

    Exit code 0: the statements were listed; 2: there is no such game.
    """
    found = open_game(game, data)
    rulebook = find_rules(found)
    world = rulebook.world(found, "")
    for title, known in (("Setting up", STATEMENTS), ("Actions", rulebook.verbs.values())):
        click.echo(f"{title}:")
        for verb in known:
            shown = example(world, verb)
            if not shown:
                continue
            for line in _wrapped(f"{verb.form} - {verb.about}", "  ", "      "):
                click.echo(line)
            click.echo(f"      {shown}")
        click.echo()
    click.echo("Phases of a turn:")
    for line in _wrapped("; ".join(world.calendar.stop_names), "  "):
        click.echo(line)


@click.command(name="hex")
@_of_game
@click.argument("name", metavar="HEX", shell_complete=complete_hexes)
def show_hex(game: str, data: Sequence[Path], name: str) -> None:
    """Show what is in a HEX of the map of GAME: terrain, places, roads, zones, and each of its sides.

    HEX is a hex number or the name of a place.

    Example: referee hex postcard1943 Tunis

    Exit code 0: the hex was shown; 2: there is no such game or hex.
    """
    found = open_game(game, data)
    try:
        where = find_hex(found, name)
    except FormatError as error:
        raise error.within(file=found.id) from None
    for line in _hex(found, where):
        click.echo(line)


def _hex(game: Game, name: str) -> Iterator[str]:
    here, map_ = game.map.hexes[name], game.map
    places = ", ".join(f"{place.name} ({place.kind})" for place in map_.places_of(name))
    yield f"{name}{f'  {places}' if places else ''}"
    terrain = game.terrain[here.terrain]
    facts = [terrain.title, f"level {here.level}" if here.level else "", "on the coast" if here.coast else ""]
    facts += [here.country]
    yield f"  Terrain: {', '.join(filter(None, facts))}{_effects(terrain)}"
    for road in map_.roads.values():
        if name in road.path:
            exit_ = f"; it leaves the map to the {road.exits[name]}" if name in road.exits else ""
            yield f"  {game.road_kinds[road.kind].title}: {road.title}{exit_}"
    for zone in map(map_.zones.__getitem__, map_.zones_of(name)):
        supplies = f"; supply source of {', '.join(_supplied(game, zone.supplies))}"
        yield f"  Zone: {zone.title or zone.id}{supplies if zone.supplies else ''}"
    yield "  Sides:"
    for direction in DIRECTIONS[map_.grid.orientation]:
        yield from _wrapped(f"{COMPASS[direction]:9}  {_side(game, name, direction)}", "    ", " " * 15)
    yield f"  Source: {_source(here.provenance)}"


def _supplied(game: Game, names: Sequence[str]) -> Iterator[str]:
    """The names of sides and formations that a zone supplies."""
    for name in names:
        owner = game.sides.get(name) or game.formations.get(name)
        yield owner.title if owner else name


def _side(game: Game, name: str, direction: str) -> str:
    """What is in a direction: the neighbour, and the features of the hexside between."""
    other = game.map.grid.neighbour(name, direction)
    if other is None:
        return "off the map"
    side = game.map.hexside(name, other)
    between = [
        f"{side.names[one]} ({game.features[one].title.lower()})"
        if one in side.names
        else game.features[one].title.lower()
        for one in sorted(side.features)
    ]
    between += [game.road_kinds[one].title.lower() for one in sorted(game.map.roads_across(name, other))]
    terrain = game.terrain[game.map.hexes[other].terrain].title.lower()
    return f"{other}, {terrain}{': ' + ', '.join(between) if between else ''}"


def _effects(row: ChartRow) -> str:
    """The entries of the terrain chart for a terrain."""
    return f". {row.text}" if row.text else ""


def _source(provenance: Provenance) -> str:
    """The provenance of data, in words."""
    where = {"printed": "the printed game", "rulebook": "the rulebook", "reconstruction": "reconstruction"}
    words = f"{where[provenance.kind]} {provenance.reference}".strip()
    return f"{words} ({provenance.remark})" if provenance.remark else words


def _wrapped(text: str, first: str, rest: str | None = None) -> Iterator[str]:
    yield from wrap(
        " ".join(text.split()) if rest is None else text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
