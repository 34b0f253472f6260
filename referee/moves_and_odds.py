"""``referee moves`` and ``odds``: what units may do, at what cost, and what stops them; odds of an attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.idiom import Idiom
from referee.engine.position import Position
from referee.engine.rulebook import Played
from referee.engine.rulings import Breach, Grade
from referee.record import Vocabulary
from referee.record.forms import Names, with_names
from vassalgen.game.game import unknown
from vassalgen.problems import BadInput, FormatError, Problem


@frozen
class Choices:
    """The actions of a counter in a position: the given one, or the next in which it can act at all."""

    counter: str
    position: Position
    options: tuple[Played, ...]


def counters(position: Position, text: str) -> tuple[str, ...]:
    """Return the counters that a text names: ids or names separated by commas, or a hex for all in it.

    BadInput with suggestions.
    """
    return tuple(dict.fromkeys(name for part in text.split(",") for name in _named(position, part.strip())))


def _named(position: Position, text: str) -> tuple[str, ...]:
    known, places = position.game.counters, position.game.map.places
    if text in known:
        return (text,)
    called = [one.id for one in known.values() if text.lower() in (one.name.lower(), one.label.lower())]
    if len(called) == 1:
        return (called[0],)
    if called:
        raise BadInput(
            Problem(
                position.game.id, text, "several counters have this name", f"use an id: {', '.join(called)}"
            )
        )
    try:
        where = Names(position.world).hex(text)
    except FormatError:
        meant = unknown(text, (*known, *(one.name for one in known.values()), *places))
        raise BadInput(Problem(position.game.id, text, "no such counter or hex", meant)) from None
    stack = tuple(piece.id for piece in position.at(where))
    if not stack:
        raise BadInput(
            Problem(position.game.id, text, "there are no counters in that hex", "name a hex with counters")
        )
    return stack


def choices(position: Position, name: str) -> Choices:
    """Return what a counter can do: now, or else in the next phase in which it can act."""
    calendar, asked = position.world.calendar, position
    for _ in calendar.stops:
        if options := asked.options(name):
            return Choices(name, asked, options)
        asked = evolve(asked, clock=calendar.after(asked.clock))
    return Choices(name, position, ())


def able(position: Position) -> tuple[str, ...]:
    """Return the counters that can act in the current phase."""
    found = (played.ruling.action.pieces for played in position.options())
    return tuple(dict.fromkeys(name for pieces in found for name in pieces))


def list_choices(position: Position, name: str, *, refusals: bool = True) -> Iterator[str]:
    """Return lines: what a counter can do, cheapest first, and what keeps it from the hexes next to those in
    reach.
    """
    found, calendar = choices(position, name), position.world.calendar
    counter, where = position.pieces[name].counter, position.pieces[name].where
    boxes = position.game.map.boxes
    place = f"in {boxes[where].title if where in boxes else where}" if where else "off the map"
    yield f"{counter.name} [{name}] {place}; {calendar.say(position.clock)}"
    if not found.options:
        yield "  No legal action in any phase, as things stand."
        return
    if found.position.clock != position.clock:
        yield f"  No legal action now; in {calendar.say(found.position.clock)}, as things stand:"
    words = Vocabulary(position.world)
    for played in sorted(found.options, key=lambda played: _cost(found.position, played.ruling.action)):
        action = played.ruling.action
        move = position.world.rulebook.moves.get(action.verb)
        price = move(found.position, action).says_price() if move else ""
        yield f"  {words.say(action)}{f': {price}' if price else ''}"
    if refusals:
        yield from _refusals(found)


def _cost(position: Position, action: Action) -> tuple[Fraction, str]:
    """The cost of a move, to put the cheapest first; other actions stay in their order."""
    move = position.world.rulebook.moves.get(action.verb)
    cost = move(position, action).price() if move else None
    return cost or Fraction(0), action.end if action.path else ""


def _refusals(found: Choices) -> Iterator[str]:
    """Why the hexes next to those within reach cannot be reached."""
    position, name = found.position, found.counter
    game, where = position.game, position.pieces[name].where
    verb = next((one.ruling.action.verb for one in found.options if one.ruling.action.path), "")
    if not verb or where not in game.map.grid:
        return
    reached = {played.position.pieces[name].where for played in found.options} & set(game.map.grid.names)
    border = {near for place in {*reached, where} for near in game.map.grid.neighbours(place)}
    closed = {end for end in border if game.terrain[game.map.hexes[end].terrain].closed}
    for end in sorted(border - reached - closed - {where}):
        ruling = position.judge(Action(verb, (name,), (where, end), dragged=True))
        for breach in ruling.breaches[:1]:
            yield f"  not {end}: {breach.says} [{breach.clause}]"


def list_odds(position: Position, idiom: Idiom, target: str, units: Sequence[str]) -> Iterator[str]:
    """Return lines: the odds of units against a hex with all components, and what forbids the attack.

    BadInput if the game has no odds, a unit is not on the map, or no enemy is in the hex.
    """
    game = position.game
    calculate = position.world.rulebook.odds
    if calculate is None:
        raise BadInput(
            Problem(game.id, "", "the rules of this game have no odds", "name a game with a combat table")
        )
    try:
        where = Names(position.world).hex(target)
    except FormatError as error:
        raise error.within(file=game.id) from None
    missing = [name for name in units if position.pieces[name].where not in game.map.grid]
    if missing:
        raise BadInput(
            [Problem(game.id, name, "is not on the map", "name a unit on the map") for name in missing]
        )
    side = position.pieces[units[0]].side
    if all(piece.side == side for piece in position.at(where)):
        raise BadInput(
            Problem(game.id, target, "there is no enemy unit in that hex", "name a hex with an enemy unit")
        )
    fighting = _next_fight(position, units[0], idiom)
    moment = fighting.world.calendar.say(fighting.clock)
    attackers = ", ".join(position.pieces[name].counter.name for name in units)
    yield f"{attackers} against {where}; as things stand, in {moment}"
    for line in calculate(fighting, where, tuple(units)).lines():
        yield with_names(game, line)
    declared = fighting.play(Action(idiom.attack, tuple(units), target=where))
    for breach in (*declared.ruling.breaches, *_of_the_die(declared.position, idiom)):
        yield f"{breach.grade.name} {breach.clause}: {with_names(game, breach.says)}"


def _of_the_die(position: Position, idiom: Idiom) -> Iterator[Breach]:
    """What forbids the combat roll of an attack that may be declared and cancelled again."""
    for breach in position.judge(Action(idiom.roll, dice=(1,))).breaches:
        if breach.grade is Grade.illegal:
            yield breach


def _next_fight(position: Position, name: str, idiom: Idiom) -> Position:
    """The position in the next phase in which a unit may attack, unchanged if there is none."""
    calendar, asked = position.world.calendar, position
    for _ in calendar.stops:
        if any(played.ruling.action.verb == idiom.attack for played in asked.options(name)):
            return asked
        asked = evolve(asked, clock=calendar.after(asked.clock))
    return position
