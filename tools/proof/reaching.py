"""What can be done in a position, as numbers: hexes within reach, and legal actions one and two deep.

The numbers for fixed positions are kept beside their records. If a rule changes, so do some of them, and the
line that differs names the piece or action.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from referee.engine.position import Position
from referee.judge import judge_record
from referee.record import Record, Vocabulary

HEAD = "# Written by tools/reach.py: hexes by piece, and by legal action how many are legal after it."


@frozen
class Counts:
    """What can be done: the hexes that each piece can reach, and for each action how many are
    legal after it.
    """

    hexes: dict[str, int]
    actions: dict[str, int]

    @classmethod
    def of(cls, position: Position) -> Counts:
        """Count."""
        words, ends = Vocabulary(position.world), dict[str, set[str]]()
        actions: dict[str, int] = {}
        for played in position.options():
            action = played.ruling.action
            for piece in action.pieces if action.path else ():
                ends.setdefault(piece, set()).add(action.end)
            actions[words.say(action)] = len({each.ruling.action for each in played.position.options()})
        return cls({piece: len(found) for piece, found in ends.items()}, actions)

    def lines(self) -> Iterator[str]:
        """Return it as text, one line for each piece and each action."""
        yield f"depth 1: {len(self.actions)}"
        yield f"depth 2: {sum(self.actions.values())}"
        yield from (f"hexes for {piece}: {count}" for piece, count in sorted(self.hexes.items()))
        yield from (f"{count:6} after {action}" for action, count in sorted(self.actions.items()))


def describe(record: Record) -> str:
    """Return the numbers for the positions at the end of a record's cases, in the form in which they are
    kept.
    """
    lines = [HEAD]
    for case, statements in judge_record(record):
        if all(each.statement.content is None for each in statements):
            continue
        lines += ["", f"case {case.title}".rstrip(), *Counts.of(statements[-1].after).lines()]
    return "\n".join(lines) + "\n"


def beside(record: Path) -> Path:
    """Return the file in which the numbers of a record are kept."""
    return record.with_suffix(".reach")
