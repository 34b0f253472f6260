"""Victory: points, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted, listed
from referee.standard.facts import box_of_losses, clauses_of, fits, rules_of
from referee.standard.notes import HELD, STEPS_LOST
from vassalgen.game.families import Families, Points, Scored, Win

DRAW = "draw"
Scores = TypeVar("Scores", bound=Scored)


def section(rules: Families) -> Section:
    """Return the rules of victory."""
    found, rule = Section("Victory", rules.provenance), rules.victory
    if rule is None:
        return found
    clauses = clauses_of(rule.clause, *(win.clause for win in rule.wins.values()))

    @found.on("claim", clause=clauses)
    def who_claims_victory_has_won(position: Position, action: Action) -> Iterator[Breach]:
        side = action.words[0]
        wins = [win for win in _in_play(position, rule.wins) if win.side == side]
        if side not in position.game.sides or any(not tuple(missing(position, win)) for win in wins):
            return
        title = position.game.sides[side].title
        if not wins:
            yield Breach(
                f"{title} claims victory; the rules know no victory for this side.",
                {"side": side},
                clause=rule.clause,
            )
            return
        win = min(wins, key=lambda one: len(tuple(missing(position, one))))
        facts: Facts = {"side": side, "points": points_of(position, side)}
        yield Breach(
            f"{title} claims victory: {listed(tuple(missing(position, win)))}.", facts, clause=win.clause
        )

    @found.does("claim")
    def claim(position: Position, action: Action) -> Position:
        return position

    @found.proposes
    def claims(position: Position, piece: Piece) -> Iterator[Action]:
        first = next(iter(position.pieces))
        if piece.id == first and position.turn >= position.world.calendar.last_turn:
            for side in position.game.sides:
                yield Action("claim", words=(side,))

    return found


def _in_play(position: Position, entries: Mapping[str, Scores]) -> list[Scores]:
    """The entries that hold in the scenario."""
    scenario = position.scenario.id
    return [one for one in entries.values() if not one.scenarios or scenario in one.scenarios]


def holder(position: Position, place: str) -> str:
    """Return the side that holds a place: whose unit entered it last, or the one there at the start."""
    if held := position.note(HELD, place):
        return held
    where = position.game.map.places[place].hex
    sides = {position.pieces[piece.id].side for piece in position.at(where)} - {""}
    if len(sides) == 1:
        return sides.pop()
    start = [placement for placement in position.scenario.setup if placement.at == where]
    return next((position.game.counters[name].side for one in start for name in one.counters), "")


def points_of(position: Position, side: str) -> int:
    """Return the victory points of a side."""
    rule = rules_of(position).victory
    mine = [points for points in _in_play(position, rule.points) if points.side == side] if rule else []
    return sum(_points(position, points) for points in mine)


def _points(position: Position, points: Points) -> int:
    total = sum(value for place, value in points.places.items() if holder(position, place) == points.side)
    lost = out = 0
    for piece in position.pieces.values():
        if not fits(position, piece, points.who):
            continue
        enemy = piece.side not in ("", points.side)
        lost += enemy and bool(piece.where) and piece.where == box_of_losses(position, piece.side)
        out += bool(points.exits) and piece.where == points.exits
    enemies = [name for name in position.game.sides if name != points.side]
    steps = sum(position.note(STEPS_LOST, name) or 0 for name in enemies)
    counts = ((lost, points.losses), (steps, points.steps), (out, points.worth))
    return total + sum(count // points.each * worth for count, worth in counts)


def missing(position: Position, win: Win) -> Iterator[str]:
    """Say what a side lacks for a victory, one text for each thing; nothing if it has won."""
    calendar, rule = position.world.calendar, rules_of(position).victory
    if win.when == "end" and position.turn < calendar.last_turn:
        yield f"the game ends with turn {calendar.last_turn}"
    own = points_of(position, win.side)
    if win.points and own < win.points:
        yield f"it has {counted(own, 'point')} and needs {win.points}"
    if win.lead:
        best = max((points_of(position, name) for name in position.game.sides if name != win.side), default=0)
        if own - best < win.lead:
            yield f"it leads by {own - best} and must lead by {win.lead}"
    lacking = [place for place in win.places if holder(position, place) != win.side]
    if lacking:
        yield f"it does not hold {listed(lacking)}"
    if win.otherwise and rule:
        others = [one for one in _in_play(position, rule.wins) if not one.otherwise]
        for side in dict.fromkeys(one.side for one in others if not [*missing(position, one)]):
            yield f"{position.game.sides[side].title} has won"


def winner(position: Position) -> str:
    """Return the side that has won, ``draw``, or nothing as long as it is open.

    A game that is over with no winner is a draw if each side could have won.
    """
    rule, over = rules_of(position).victory, position.world.calendar.is_over(position.clock)
    wins = _in_play(position, rule.wins) if rule else []
    won = {win.side for win in wins if (over or win.when == "any") and not [*missing(position, win)]}
    if len(won) == 1:
        return won.pop()
    return DRAW if won or (over and {win.side for win in wins} == {*position.game.sides}) else ""
