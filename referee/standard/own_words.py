"""A game's own words: what is true of a counter because of where it is and what has happened."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import LAID, Piece, Position
from referee.engine.rules import Section
from referee.engine.supply import Supply, spread
from referee.engine.zones import bits
from referee.standard.notes import ASKED_FOR, CHECKED, CUT_OFF, DONE, STEPS_LOST, WORDS
from referee.standard.setting import the_setting
from referee.standard.track import entry_of_turn
from vassalgen.game.conditions import Condition
from vassalgen.game.families import NOBODY_NEAR, RELATIONS, Families, Word
from vassalgen.game.words import formations_of

ALWAYS = "always"
"""When supply is judged in games that have no phase for it."""
ZONES, SUPPLY = "zones", "supply"
"""What words ask for, and what asks for words itself."""


def section(rules: Families) -> Section:
    """Return what is noted when a phase begins: the units of which the words judged then are true."""
    found = Section("Words", rules.provenance)
    for phase in dict.fromkeys(phase for word in rules.words.values() for phase in word.judged):
        found.entering(phase)(judged_now)
    return found


def judged_now(position: Position) -> Position:
    """Note the units of which the words that are judged now, as the phase begins, are true."""
    rules = the_setting(position).rules
    for name, word in rules.words.items():
        if position.phase not in word.judged:
            continue
        known = position.note(WORDS, name) or ()
        units = [piece for side in position.game.sides for _, piece in _on_map(position, side)]
        mine = [piece for piece in units if position.side in ("", piece.side)]
        true = [one for one in known if position.pieces[one].side not in ("", position.side)]
        true = [] if not position.side else true
        true += [one for one in known if word.stays and one not in true]
        true += [piece.id for piece in mine if _holds(position, piece, rules, name, ())]
        position = position.with_note(WORDS, name, tuple(dict.fromkeys(true)))
    return position


def unknown(position: Position, action: Action) -> Iterator[Position]:
    """Yield the positions that are equally likely if the beginning of a phase was not seen.

    A word that is judged then may or may not have been true of the acting units.
    """
    words = the_setting(position).rules.words
    for name, word in words.items():
        if word.judged and position.note(WORDS, name) is None:
            yield position.with_note(WORDS, name, action.pieces)
            yield position.with_note(WORDS, name, ())


def true_of(position: Position, piece: Piece) -> frozenset[str]:
    """Return the words that are true of a piece now: what it is, its states, the game's own words."""
    setting = the_setting(position)
    known = setting.true_of[piece.id]
    if piece.states or piece.steps != piece.counter.steps:
        more = ("reduced",) if piece.steps < piece.counter.steps else ()
        known = known.union(piece.states, more)
    rules = setting.rules
    if not rules.words:
        return known
    key = ("words", piece.id, piece.where, piece.steps, tuple(piece.states))
    if key not in position.memory:
        true = (name for name in rules.words if _is_true(position, piece, rules, name, ()))
        position.memory[key] = known.union(true)
    found: frozenset[str] = position.memory[key]
    return found


def _is_true(position: Position, piece: Piece, rules: Families, name: str, asked: tuple[str, ...]) -> bool:
    if rules.words[name].judged:  # type: ignore[index]
        units = position.note(WORDS, name)
        if units is not None:
            return piece.id in units
    return _holds(position, piece, rules, name, asked)


def _holds(position: Position, piece: Piece, rules: Families, name: str, asked: tuple[str, ...]) -> bool:
    """Return whether a word is true of a unit now; ``asked`` are words whose answer depends on this one."""
    word: Word = rules.words[name]  # type: ignore[index]
    grid, setting = position.game.map.grid, the_setting(position)
    if word.who and not _fits(position, piece, rules, word.who, (*asked, name), ()):
        return False
    if word.turns and position.turn not in word.turns:
        return False
    done = position.note(DONE, piece.id) or ()
    if word.did and not any(activity in done for activity in word.did):
        return False
    if word.out_of_supply and rules.supply and ALWAYS in rules.supply.when:
        if not _is_out_of_supply(position, piece):
            return False
    elif word.out_of_supply:
        since = position.note(CUT_OFF, piece.id)
        if since is None or position.turn - since + 1 < word.out_of_supply:
            return False
    if word.factor and not _is_within(piece, word):
        return False
    if word.lost and _lost_by(position, piece.side, word.lost_of) < word.lost:
        return False
    if any(entry_of_turn(position, entry, side=piece.side) != says for entry, says in word.track.items()):
        return False
    for check, passed in ((word.passed, True), (word.failed, False)):
        if check and position.note(CHECKED, f"{check} {piece.id}") is not passed:
            return False
    if word.marked and word.marked not in (position.note(LAID, piece.where) or ()):
        return False
    if word.within or word.zoc or word.near != NOBODY_NEAR:
        if piece.where not in grid:
            return False
        at = grid.index[piece.where]
        if word.within and not setting.hexes(word.within) >> at & 1:
            return False
        if word.zoc and not _is_in_zone(position, piece.side, at):
            return False
        if word.near != NOBODY_NEAR:
            return sum(1 for _ in _near(position, piece, rules, word, (*asked, name))) >= word.count
    return True


def _is_within(piece: Piece, word: Word) -> bool:
    """Return whether a unit has a factor of the size that a word asks for."""
    printed = piece.counter.printed(word.factor, piece.steps)
    if not isinstance(printed, int):
        return False
    high = printed if word.at_most is None else word.at_most
    return (word.at_least is None or printed >= word.at_least) and printed <= high


def _lost_by(position: Position, side: str, factor: str) -> int:
    """Return how many steps a side has lost, or how much of a factor in units that are lost."""
    if not factor:
        return position.note(STEPS_LOST, side) or 0
    boxes = {box.id for box in position.game.map.boxes.values() if box.losses}
    lost = [one for one in position.pieces.values() if one.side == side and one.where in boxes]
    values = (one.counter.printed(factor, one.counter.steps) for one in lost)
    return sum(value for value in values if isinstance(value, int))


def _near(
    position: Position, piece: Piece, rules: Families, word: Word, asked: tuple[str, ...]
) -> Iterator[str]:
    """Yield the units near a piece that a word asks for."""
    grid, wanted = position.game.map.grid, set(word.near.words)
    at = grid.index[piece.where]
    for side in position.game.sides:
        if not wanted & {"friend", "enemy"} and side != piece.side:
            continue
        for there, other in _on_map(position, side):
            if other.id == piece.id:
                continue
            far = word.hexes if isinstance(word.hexes, int) else _radius(other, word.hexes)
            relations = relations_of(position, piece, other)
            near = grid.gap(at, there) <= far and _is_traced(position, piece, word, there, far)
            if near and _fits(position, other, rules, word.near, asked, relations):
                yield other.id


def _is_traced(position: Position, piece: Piece, word: Word, there: int, far: int) -> bool:
    """Return whether a path around the enemy leads to a unit within a distance, if a word asks for one."""
    if not word.traced:
        return True
    key = ("traced", piece.side, word.traced)
    if key not in position.memory:
        enemies = [side for side in position.game.sides if side != piece.side]
        blocked = bits(at for side in enemies for at, _ in _on_map(position, side))
        blocked |= _zones(position, piece.side) if word.traced == "zones" else 0
        position.memory[key] = blocked
    at = position.game.map.grid.index[piece.where]
    shut = position.memory[key] & ~(1 << at)  # the last hex may be where the enemy keeps others from
    return bool(spread(the_setting(position).lines(), 1 << there, shut, far) >> at & 1)


def _radius(piece: Piece, factor: str) -> int:
    printed = piece.counter.printed(factor, piece.steps)
    return printed if isinstance(printed, int) else 0


def relations_of(position: Position, piece: Piece, other: Piece) -> tuple[str, ...]:
    """Return what another unit is to a piece: its friend or enemy, its comrade, its compatriot."""
    friend, enemy, comrade, compatriot, superior = RELATIONS
    found = [friend if piece.side == other.side else enemy]
    formation, nation = piece.counter.formation, piece.counter.nation
    found += [comrade] if formation and formation == other.counter.formation else []
    found += [superior] if other.counter.formation in formations_of(position.game, piece.counter) else []
    found += [compatriot] if nation and nation == other.counter.nation else []
    return tuple(found)


def _fits(
    position: Position,
    piece: Piece,
    rules: Families,
    condition: Condition,
    asked: tuple[str, ...],
    relations: tuple[str, ...],
) -> bool:
    """Return whether a condition on counters is met, including other words of the game's own."""
    true = {*the_setting(position).true_of[piece.id], *piece.states, *relations}
    true |= {"reduced"} if piece.steps < piece.counter.steps else set()
    true |= {
        word
        for word in condition.words
        if word in rules.words and word not in asked and _is_true(position, piece, rules, word, asked)
    }
    return condition.holds(true)


def _is_in_zone(position: Position, side: str, at: int) -> bool:
    return bool(_zones(position, side) >> at & 1)


def _zones(position: Position, side: str) -> int:
    """The hexes that the enemies of a side control, as bits; none for words that zones depend on."""
    if position.note(ASKED_FOR, ZONES):  # whether a unit has a zone cannot depend on zones
        return 0
    return the_setting(position).controlled(_asked_for(position, ZONES), side)


def _is_out_of_supply(position: Position, piece: Piece) -> bool:
    """Return whether no line of supply reaches a unit now, in a game that looks at it at any time."""
    if position.note(ASKED_FOR, SUPPLY):  # who needs supply cannot depend on supply
        return False
    found = the_setting(position).supply_of(_asked_for(position, SUPPLY), piece.id)
    return found in (Supply.cut, Supply.far)


def _asked_for(position: Position, what: str) -> Position:
    """Return the position in which words that ask for the same again are not true."""
    key = (ASKED_FOR, what)
    if key not in position.memory:
        position.memory[key] = position.with_note(ASKED_FOR, what, True)
    found: Position = position.memory[key]
    return found


def _on_map(position: Position, side: str) -> tuple[tuple[int, Piece], ...]:
    return position.on_map(side, the_setting(position).units)
