"""Kinds of combat by phase, if the rules are data: conditions on the turn track."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from vassalgen.game.game import Game
from vassalgen.game.track import stop_name
from vassalgen.parts.names import ACTIVE, STOP
from vassalgen.templates import quoted


def stops_of(game: Game, kinds: Collection[str]) -> tuple[str, ...]:
    """Return the phases of some kinds of combat, with their names on the turn track."""
    rules = game.families
    if rules is None:
        return ()
    phases = {phase for phase, rule in rules.sequence.items() if set(kinds) & set(rule.activities)}
    return tuple(name for name, phase in _stops(game) if phase in phases)


def is_stop(stops: Collection[str]) -> str:
    """The expression that is true in certain phases."""
    listed = quoted("|" + "|".join(stops) + "|")
    return f'{listed}.contains("|"+{STOP}+"|")'


def only_in(game: Game, modifier: str) -> str:
    """The expression that is true in the phases of the combats that count a modifier; empty if all do."""
    combats = game.families.combat if game.families else {}
    kinds = [name for name, combat in combats.items() if modifier in combat.modifiers]
    if not kinds or len(kinds) == len(combats):
        return ""
    mine, others = stops_of(game, kinds), stops_of(game, set(combats) - set(kinds))
    return "" if set(mine) & set(others) else is_stop(mine)


def attacks_now(game: Game, *, denied: bool = False) -> str:
    """The expression that is true of counters whose side may attack or, if ``denied``, of the others."""
    return _side(game, "!=" if denied else "==", denied=denied)


def is_attacked_now(game: Game, *, denied: bool = False) -> str:
    """The expression that is true of counters whose side may be attacked or, if ``denied``, of the others."""
    return _side(game, "==" if denied else "!=", denied=denied)


def _side(game: Game, usual: str, *, denied: bool) -> str:
    """Compare a counter's side with the side that attacks: by default the one whose player turn it is."""
    passive, either = _stops_of_the_others(game)
    found = f"Side{usual}{ACTIVE}"
    if passive:
        found = f"({is_stop(passive)}?Side{'!=' if usual == '==' else '=='}{ACTIVE}:{found})"
    if either:
        found = f"(!{is_stop(either)}&&{found})" if denied else f"({is_stop(either)}||{found})"
    return found


def _stops_of_the_others(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The phases in which only the other side attacks, and those in which both do."""
    rules = game.families
    passive: set[str] = set()
    either: set[str] = set()
    for phase, rule in rules.sequence.items() if rules else ():
        fought = set(rules.combat) if rules else set()
        if fought & set(rule.does) and rule.by == "passive":
            passive.add(phase)
        elif fought & set(rule.does) and (rule.by == "both" or fought & set(rule.passive)):
            either.add(phase)
        elif fought & set(rule.passive):
            passive.add(phase)
    return (
        tuple(dict.fromkeys(name for name, phase in _stops(game) if phase in passive)),
        tuple(dict.fromkeys(name for name, phase in _stops(game) if phase in either)),
    )


def _stops(game: Game) -> Iterator[tuple[str, str]]:
    return ((stop_name(game, stop), stop.phase.id) for stop in game.sequence.stops())
