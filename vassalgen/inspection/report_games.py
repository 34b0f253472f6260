"""The contents of a saved game or log, for people."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from vassalgen.inspection.facts import Activity, GameFacts, MapInPlay, ModuleName, PlayerFacts, Versions
from vassalgen.inspection.wording import Lister, paragraph, printable
from vassalgen.plurals import count

_COLUMNS = ("steps", "moves", "changes", "added", "removed", "rolls", "turns", "chat", "reports", "undos")
_UNKNOWN = "unknown"


def game_lines(facts: GameFacts, lister: Lister) -> Iterator[str]:
    """The lines about a saved game or log, without its findings."""
    yield printable(f"{facts.entry or facts.file}: {facts.kind}{written(facts.made)}")
    if facts.made.comments:
        yield from paragraph(facts.made.comments, "  ", " ")
    yield from paragraph(f"Module: {named(facts.module)}", "")
    players = [_player(player) for player in facts.players]
    yield from paragraph(f"Players: {lister.sentence(players) or 'none has taken a side'}", "")
    yield from _maps(facts, lister)
    if facts.activity is not None:
        yield from _activity(facts, facts.activity)
    others = [count(facts.properties, "global property", "global properties")] if facts.properties else []
    others += [f"{kind} notes" for kind in facts.notes]
    if facts.extensions:
        others.append("extensions " + ", ".join(map(named, facts.extensions)))
    others.append(f"{count(facts.commands, 'command')} stored as {facts.stored}")
    yield from paragraph(f"Also: {lister.sentence(others)}", "")


def written(made: Versions) -> str:
    """The version of VASSAL and the date, as the end of a line."""
    by = f" written by VASSAL {made.vassal}" if made.vassal else ""
    on = f" on {made.saved.partition('T')[0]}" if made.saved else ""
    return by + on


def named(module: ModuleName) -> str:
    """A module or extension by name and version."""
    return " ".join(part for part in (module.name, module.version) if part) or "not named in this file"


def _player(player: PlayerFacts) -> str:
    joined = f", from step {player.step:,}" if player.step else ""
    return f"{player.name} ({player.side}{joined})"


def _maps(facts: GameFacts, lister: Lister) -> Iterator[str]:
    yield f"Pieces: {facts.pieces:,}"
    full = [one for one in facts.maps if one.pieces or one.decks]
    shown, others = lister.some(full)
    for one in shown:
        yield "  " + printable(_map(one))
    if others:
        yield f"  … and {count(others, 'more map')}"
    empty = [one.name for one in facts.maps if one.name is not None and not (one.pieces or one.decks)]
    if empty:
        yield from paragraph(f"nothing on {lister.sentence(empty)}", "  ")


def _map(one: MapInPlay) -> str:
    boards = f" ({', '.join(one.boards)})" if one.boards and one.boards != (one.name,) else ""
    parts = []
    if one.pieces > one.cards or not one.decks:
        stacks = f" in {count(one.stacks, 'stack')}" if one.stacks else ""
        parts.append(count(one.pieces - one.cards, "piece") + stacks)
    if one.decks:
        parts.append(cards_in(one.cards, one.decks))
    name = f"{one.name}{boards}" if one.name is not None else "on no map"
    return f"{name}: {', '.join(parts)}"


def cards_in(cards: int, decks: int) -> str:
    """``84 cards in 8 decks``, ``2 empty decks``."""
    if not cards:
        return count(decks, "empty deck")
    return f"{count(cards, 'card')} in {count(decks, 'deck')}"


def _activity(facts: GameFacts, all_activity: Activity) -> Iterator[str]:
    """A table with a line for each player, and one for all, without empty columns."""
    rows = [(one.player or _UNKNOWN, one.activity) for one in facts.by_player]
    if len(rows) > 1:
        rows.append(("all", all_activity))
    columns = [name for name in _COLUMNS if getattr(all_activity, name)]
    width = max(len(printable(name)) for name, _ in rows)
    yield f"Log: {count(all_activity.steps, 'step')}"
    yield " ".join(("  " + " " * width, *(f"{name:>8}" for name in columns)))
    for name, activity in rows:
        numbers = attrs.asdict(activity)
        yield " ".join((f"  {printable(name):{width}}", *(f"{numbers[column]:8,}" for column in columns)))
