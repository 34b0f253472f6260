"""Victory: points, and which side has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted, listed
from referee.standard.facts import allowed, box_of_losses, clauses_of, fits, holder, on_map, rules_of
from referee.standard.notes import SCORED, STEPS_LOST
from referee.standard.sequence import titled_turns
from referee.standard.setting import the_setting
from referee.standard.track import entry_of_turn
from referee.standard.verbs import claims_of
from vassalgen.game.families import NOBODY, Families, Points, Scored, Victory, Win

DRAW = "draw"
Scores = TypeVar("Scores", bound=Scored)


def section(rules: Families) -> Section:
    """Return the rules of victory."""
    found, rule = Section("Victory", rules.provenance), rules.victory
    if rule is None:
        return found
    clauses = clauses_of(rule.clause, *(win.clause for win in rule.wins.values()))

    @found.on("claim", clause=clauses)
    def a_side_that_claims_victory_has_won(position: Position, action: Action) -> Iterator[Breach]:
        named = claims_of(rule).get(action.words[0])
        side = named.side if named else action.words[0]
        wins = [win for win in _in_play(position, rule.wins) if (win == named if named else win.side == side)]
        if side not in position.game.sides or any(not tuple(missing(position, win)) for win in wins):
            return
        title = action.words[0].removeprefix(f"{side}-").replace("-", " ").replace("_", " ")
        claims = f"The {position.game.sides[side].adjective} side claims victory"
        claims = f"{claims} ({title})" if named else claims
        if not wins:
            says = f"{claims}; the rules give it no condition of victory."
            yield Breach(says, {"side": side}, clause=rule.clause)
            return
        win = min(wins, key=lambda one: len(tuple(missing(position, one))))
        facts: Facts = {"side": side, "points": points_of(position, side)}
        says = f"{claims}, but {listed(tuple(missing(position, win)))}."
        yield Breach(says, facts, clause=win.clause)

    @found.does("claim")
    def claim(position: Position, action: Action) -> Position:
        return position

    @found.proposes
    def claims(position: Position, piece: Piece) -> Iterator[Action]:
        first = next(iter(position.pieces))
        if piece.id == first and position.turn >= position.world.calendar.last_turn:
            for side in position.game.sides:
                yield Action("claim", words=(side,))
            for word in claims_of(rule) if len(rule.wins) > len(position.game.sides) else ():
                yield Action("claim", words=(word,))

    _turn_by_turn(found, rules, rule)
    return found


def _turn_by_turn(found: Section, rules: Families, rule: Victory) -> None:
    """Register what is scored at the end of each turn; for the last turn, when the game is over."""
    each = {name: points for name, points in rule.points.items() if points.every_turn}
    if not each:
        return

    @found.following(*rules.sequence)
    def a_turn_is_scored(position: Position) -> Position:
        if position.clock.stop:
            return position
        for name, points in each.items():
            before = position.note(SCORED, name) or 0
            position = position.with_note(SCORED, name, before + _places(position, points))
        return position


def _in_play(position: Position, entries: Mapping[str, Scores]) -> list[Scores]:
    """The entries that hold in the scenario."""
    scenario = position.scenario.id
    return [one for one in entries.values() if not one.scenarios or scenario in one.scenarios]


def points_of(position: Position, side: str) -> int:
    """Return the victory points of a side."""
    rule = rules_of(position).victory
    in_play = _in_play(position, rule.points) if rule else []
    entries = rule.points.items() if rule else ()
    return sum(
        _points(position, name, points)
        for name, points in entries
        if points in in_play and points.side == side
    )


def _places(position: Position, points: Points) -> int:
    return sum(value for place, value in points.places.items() if holder(position, place) == points.side)


def _points(position: Position, name: str, points: Points) -> int:
    total = _places(position, points)
    if points.every_turn:
        over = position.world.calendar.is_over(position.clock)
        total = (total if over else 0) + (position.note(SCORED, name) or 0)
    setting, index = the_setting(position), position.game.map.grid.index
    lost = out = here = 0
    for piece in position.pieces.values():
        if not fits(position, piece, points.who):
            continue
        enemy = piece.side not in ("", points.side)
        if enemy and piece.where and piece.where == box_of_losses(position, piece.side):
            lost += _printed(piece, points.of) if points.of else 1
        if points.exits and piece.where == points.exits:
            out += _printed(piece, points.of) if points.of else 1
        chosen = setting.hexes(points.hexes) if points.hexes else -1
        here += piece.id in setting.units and piece.where in index and bool(chosen >> index[piece.where] & 1)
    enemies = [side for side in position.game.sides if side != points.side]
    steps = sum(position.note(STEPS_LOST, side) or 0 for side in enemies)
    counts = ((lost, points.losses), (steps, points.steps), (out, points.worth), (here, points.units))
    return total + sum(count // points.each * worth for count, worth in counts)


def _printed(piece: Piece, factor: str) -> int:
    printed = piece.counter.printed(factor)
    return printed if isinstance(printed, int) else 0


def missing(position: Position, win: Win) -> Iterator[str]:
    """Say what a side lacks for a victory, one text for each thing; nothing if it has won."""
    calendar, rule = position.world.calendar, rules_of(position).victory
    if win.when == "end" and position.turn < calendar.last_turn and not _has_ended(position):
        yield f"the game ends with turn {calendar.last_turn}"
    if win.turns and position.turn not in win.turns:
        yield f"it is turn {position.turn}, and this victory is only for {titled_turns(win.turns)}"
    own = points_of(position, win.side)
    if win.points and own < win.points:
        yield f"it has {counted(own, 'point')} and needs {win.points}"
    if win.lead or win.ratio:
        best = max((points_of(position, name) for name in position.game.sides if name != win.side), default=0)
        if win.lead and own - best < win.lead:
            yield f"it leads by {own - best} and must lead by {win.lead}"
        if own < win.ratio * best:
            yield f"it has {own} to {best} and needs {win.ratio} times as many"
    lacking = [place for place in win.places if holder(position, place) != win.side]
    held_places = len(win.places) - len(lacking)
    if win.some and held_places < win.some:
        yield f"it holds {held_places} of {listed(win.places)} and needs {win.some}"
    if win.units != NOBODY:
        count = _units(position, win)
        if not win.at_least <= count <= win.at_most:
            least = f"at least {win.at_least}" if count < win.at_least else f"at most {win.at_most}"
            yield f"{counted(count, 'unit')} ({allowed(position, win.units)}) count, and it must be {least}"
    if lacking and not win.some:
        yield f"it does not hold {listed(lacking)}"
    if win.otherwise and rule:
        others = [one for one in _in_play(position, rule.wins) if not one.otherwise]
        for side in dict.fromkeys(one.side for one in others if not [*missing(position, one)]):
            yield f"the {position.game.sides[side].adjective} side has won"


def _has_ended(position: Position) -> bool:
    """Return whether a roll has ended the game before its last turn."""
    rule = rules_of(position).victory
    ends = rule.ends.items() if rule else ()
    return any(entry_of_turn(position, entry) == says for entry, says in ends)


def _units(position: Position, win: Win) -> int:
    """How many of the units that a win requires are on the map."""
    setting = the_setting(position)
    chosen = setting.hexes(win.hexes) if win.hexes else -1
    return sum(
        1
        for side in position.game.sides
        for at, piece in on_map(position, side)
        if chosen >> at & 1 and fits(position, piece, win.units)
    )


def winner(position: Position) -> str:
    """Return the side that has won, ``draw``, or nothing while the game is undecided.

    A game that is over with no winner is a draw if each side could have won.
    """
    rule = rules_of(position).victory
    over = position.world.calendar.is_over(position.clock) or _has_ended(position)
    wins = _in_play(position, rule.wins) if rule else []
    won = {win.side for win in wins if (over or win.when == "any") and not [*missing(position, win)]}
    if len(won) == 1:
        return won.pop()
    return DRAW if won or (over and {win.side for win in wins} == {*position.game.sides}) else ""
