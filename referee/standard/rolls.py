"""Rolls of a phase: weather, replacements, events, and what they set an entry of the turn track to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.standard.combat import faces_of
from referee.standard.facts import clauses_of, on_map
from referee.standard.notes import ROLLED_FOR, ROLLS_MADE
from referee.standard.setting import the_setting
from referee.standard.track import entry_of_turn, key_of, rolled_for
from vassalgen.game.families import DiceId, Families, Roll


def section(rules: Families) -> Section:
    """Return the rules of rolls that belong to a phase."""
    found = Section("Rolls of a phase", rules.provenance)
    for dice in dict.fromkeys(rule.dice for rule in rules.rolls.values()):
        _rolling(found, dice, {name: rule for name, rule in rules.rolls.items() if rule.dice == dice})
    for name, rule in rules.rolls.items():
        if not rule.may:
            _due(found, name, rule)
    return found


def unknown(position: Position, action: Action) -> Iterator[Position]:
    """Yield the positions that are equally likely if an earlier roll was not seen: one for each of its
    values.
    """
    yield from _with_each_value(position, lambda rule: True)


def unrolled(position: Position, action: Action) -> Iterator[Position]:
    """Yield those that are as likely where a roll that was due is not in the log: players may have made it
    without the module.
    """
    yield from _with_each_value(position, lambda rule: not rule.may and _was_due(position, rule))


def _was_due(position: Position, rule: Roll) -> bool:
    """Return whether the phase of a roll is over in this turn, or was in an earlier one with this roll."""
    calendar = position.world.calendar
    stops = [at for at, one in enumerate(calendar.stops) if one.phase.id == rule.phase]
    over = any(calendar.stops[at].side in ("", position.side) and at < position.clock.stop for at in stops)
    turns = range(calendar.first_turn, position.turn + over)
    return any(not rule.turns or turn in rule.turns for turn in turns)


def _with_each_value(position: Position, likely: Callable[[Roll], bool]) -> Iterator[Position]:
    for rule in the_setting(position).rules.rolls.values():
        unseen = rolled_for(position, rule.sets, position.turn, position.side) is None
        if unseen and likely(rule):
            for value in dict.fromkeys(_values(rule)):
                yield position.with_note(ROLLED_FOR, key_of(rule.sets, position.side, position.turn), value)


def _values(rule: Roll) -> Iterator[str]:
    for values in (rule.values, *rule.values_of.values()):
        yield from map(str, values.values())


def _is_due(position: Position, rule: Roll) -> bool:
    return position.phase == rule.phase and (not rule.turns or position.turn in rule.turns)


def _title(position: Position, dice: DiceId) -> str:
    return position.game.dice[dice].title.lower()


def _rolling(found: Section, dice: DiceId, rolls: Mapping[str, Roll]) -> None:
    verb, clauses = f"roll {dice}", clauses_of(*(rule.clause for rule in rolls.values()))
    first = next(iter(rolls.values())).clause

    def meant(position: Position) -> tuple[str, Roll] | None:
        return next(((name, rule) for name, rule in rolls.items() if _is_due(position, rule)), None)

    @found.on(verb, clause=clauses)
    def it_is_rolled_once_in_its_phase(position: Position, action: Action) -> Breach | None:
        due = meant(position)
        if due is None:
            says = f"The {_title(position, dice)} is rolled; no rule asks for it in this phase."
            return Breach(says, {}, Grade.slip, first)
        name, rule = due
        if (before := position.note(ROLLS_MADE, name)) is not None:
            says = f"The {_title(position, dice)} is rolled a second time; the first roll was {before}."
            return Breach(says, {"roll": name}, Grade.unproven, rule.clause)
        return None

    @found.does(verb)
    def set_the_entry(position: Position, action: Action) -> Position:
        """The first roll of a phase counts."""
        due = meant(position)
        if due is None or position.note(ROLLS_MADE, due[0]) is not None:
            return position
        name, rule = due
        total = sum(action.dice)
        season = entry_of_turn(position, rule.season) if rule.season else ""
        key = key_of(rule.sets, position.side, position.turn)
        position = position.with_note(ROLLS_MADE, name, total)
        return position.with_note(ROLLED_FOR, key, rule.meaning(total, season))

    @found.proposes
    def rolls_of_the_phase(position: Position, piece: Piece) -> Iterator[Action]:
        due = meant(position)
        if due is None or position.note(ROLLS_MADE, due[0]) is not None:
            return
        leader = next((one.id for side in position.game.sides for _, one in on_map(position, side)), "")
        count, sides = position.game.dice[dice].count, position.game.dice[dice].sides
        for total in range(count, count * sides + 1) if piece.id == leader else ():
            yield Action(verb, dice=faces_of(total, count, sides))


def _due(found: Section, name: str, rule: Roll) -> None:
    @found.leaving(rule.phase, clause=rule.clause)
    def it_has_been_rolled(position: Position) -> Iterator[Breach]:
        if _is_due(position, rule) and position.note(ROLLS_MADE, name) is None:
            grade = Grade.unproven if position.note(UNDERWAY) else Grade.illegal
            says = f"The {_title(position, rule.dice)} must be rolled in this phase; it was not."
            yield Breach(says, {"roll": name}, grade)
