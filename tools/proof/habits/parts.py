"""Games that are sent in several logs: by mail, kept by two people, or with some of them missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from referee.table import Log
from tools.proof.logs.opening import Opening
from tools.proof.logs.writer import LogWriter
from vassalgen.vassal.streams import Node

BY_MAIL, REPEATED, MISSING, ENDED, BEGUN = "by mail", "repeated", "missing", "ended", "begun"

PARTS: Mapping[str, str] = {
    BY_MAIL: "three logs, each begun where the one before ended, in the middle of a phase",
    REPEATED: "two logs, of which the second repeats the last steps of the first",
    MISSING: "two logs, and what was played between them is missing",
    ENDED: "one log that ends in the middle of a phase",
    BEGUN: "one log that begins in the middle of the game",
}
"""The ways to send a game in parts, by name."""


def in_parts(opening: Opening, writer: LogWriter, how: str, seed: int) -> list[Log]:
    """Return the log in parts; the writer must have ``kept`` the boards."""
    rng = Random(f"parts {how} {seed}")  # noqa: S311 - a game, not a secret
    last = writer.number
    here, there = sorted(rng.sample(range(1, last), 2))
    ranges = {
        BY_MAIL: [(0, here), (here, there), (there, last)],
        REPEATED: [(0, there), (here, last)],
        MISSING: [(0, here), (there, last)],
        ENDED: [(0, there)],
        BEGUN: [(here, last)],
    }
    return list(_logs(opening, writer, ranges[how]))


def _logs(opening: Opening, writer: LogWriter, ranges: Sequence[tuple[int, int]]) -> Iterator[Log]:
    for number, (begin, end) in enumerate(ranges, 1):
        yield writer.part(f"part-{number}.vlog", _setup(opening, writer, begin), begin, end)


def _setup(opening: Opening, writer: LogWriter, begin: int) -> Sequence[Node]:
    """The set-up with which a log begins after a step."""
    if not begin:
        return writer.setup
    assert writer.kept is not None
    board, clock = writer.kept[begin]
    now, writer.clock = writer.clock, clock
    setup = tuple(opening.setup(board, writer))
    writer.clock = now
    return setup
