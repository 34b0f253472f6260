"""Sorting logs into games: by module, players and continuation, with branches and duplicates.

A log that begins as another ended continues it. If two logs continue the same one the game branches: the
longest line is the game, and any other is a game of its own, counted from where it leaves the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from attrs import define, field, frozen

from referee.archive.corrections import Corrections, Given
from referee.archive.file_facts import FileFacts, begins_as, distance, names

NEAR = 0.1
"""The maximum share of pieces that may be elsewhere when a log continues, if everything else agrees: at most
a third of those that the previous log moved.
"""
_MANY = 400
"""If there are more logs of the same players than this, they are joined only if the tables are identical."""

COPY, PART = "copy", "part"


@frozen
class SetAside:
    """A log that is in no game: a ``copy`` of another, or a ``part`` of a longer one."""

    log: str
    why: str
    of: str


@frozen
class GameLogs:
    """A game: its logs in order, by hash.

    The first ``shared`` logs are counted with another game, from which this one branches. ``moved`` gives for
    each log after the first the number of pieces moved since the previous log ended. ``given`` is what the
    corrections say about it.
    """

    logs: tuple[str, ...]
    shared: int = 0
    moved: tuple[int, ...] = ()
    given: Given | None = None

    @property
    def own(self) -> tuple[str, ...]:
        """The logs that are counted."""
        return self.logs[self.shared :]


@frozen
class Sorted:
    """All games, and the logs that are in none."""

    lines: tuple[GameLogs, ...]
    aside: tuple[SetAside, ...]


def sort_logs(
    file_facts: Mapping[str, FileFacts], corrections: Corrections, hash_at: Callable[[str], str]
) -> Sorted:
    """Sort logs, given by hash in the order in which they were found, into games.

    ``hash_at`` returns the hash of the log at a path named in the corrections.
    """
    hashes = [(tuple(map(hash_at, one.logs)), one) for one in corrections.games]
    given = [
        GameLogs(logs, 0, _moved(logs, file_facts), one)
        for logs, one in hashes
        if all(log in file_facts for log in logs)
    ]
    taken = {log for line in given for log in line.logs}
    aside: list[SetAside] = []
    first: dict[str, str] = {file_facts[log].stream: log for log in taken}
    left: list[str] = []
    for log, one in file_facts.items():
        if log in taken:
            continue
        if one.stream in first:
            aside.append(SetAside(log, COPY, first[one.stream]))
        else:
            first[one.stream] = log
            left.append(log)
    parts = _parts(left, file_facts)
    aside += parts
    put_away = {one.log for one in parts}
    groups: dict[str, list[str]] = defaultdict(list)
    for log in left:
        if log not in put_away:
            groups[file_facts[log].module].append(log)
    lines = [line for group in groups.values() for line in _Group(group, file_facts, corrections).lines()]
    return Sorted((*given, *lines), tuple(aside))


def _parts(logs: Sequence[str], file_facts: Mapping[str, FileFacts]) -> list[SetAside]:
    """The logs that are the beginning of another one: a session that was saved before it ended."""
    alike: dict[tuple[str, bytes], list[str]] = defaultdict(list)
    for log in logs:
        one = file_facts[log]
        if one.chain:
            alike[one.module, one.chain[:4]].append(log)
    found = []
    for group in alike.values():
        group.sort(key=lambda log: len(file_facts[log].chain))
        for place, log in enumerate(group):
            longer = (
                other
                for other in reversed(group[place + 1 :])
                if begins_as(file_facts[log].chain, file_facts[other].chain)
            )
            whole = next(longer, None)
            if whole:
                found.append(SetAside(log, PART, whole))
    return found


def _moved(logs: Sequence[str], file_facts: Mapping[str, FileFacts]) -> tuple[int, ...]:
    return tuple(distance(file_facts[one].ending, file_facts[next_].opening) for one, next_ in pairwise(logs))


@define
class _Group:
    """The logs of one module, each with the log that it continues."""

    logs: Sequence[str]
    file_facts: Mapping[str, FileFacts]
    corrections: Corrections
    before: dict[str, str] = field(factory=dict)
    after: dict[str, list[str]] = field(factory=lambda: defaultdict(list))
    length: dict[str, tuple[int, int, int]] = field(factory=dict)

    def lines(self) -> Iterable[GameLogs]:
        """The games, main lines before their branches."""
        self._join()
        for log in reversed(self._from_the_roots()):
            one = self.file_facts[log]
            ahead = [self.length[later] for later in self.after[log]]
            best = max(ahead, default=(0, 0, 0))
            self.length[log] = (best[0] + 1, best[1] + one.steps, max(one.saved, best[2]))
        for log in self.logs:
            if log not in self.before:
                yield from self._line((), log)

    def _line(self, trunk: tuple[str, ...], log: str) -> Iterable[GameLogs]:
        waiting = [(trunk, log)]
        while waiting:
            trunk, log = waiting.pop(0)
            logs = (*trunk, log)
            while self.after[log]:
                later = sorted(self.after[log], key=lambda one: self.length[one], reverse=True)
                waiting += [(logs, branch) for branch in later[1:]]
                log = later[0]
                logs = (*logs, log)
            yield GameLogs(logs, len(trunk), _moved(logs, self.file_facts))

    def _from_the_roots(self) -> list[str]:
        found = [log for log in self.logs if log not in self.before]
        for log in found:
            found += self.after[log]
        return found

    def _join(self) -> None:
        players = {log: self._players(log) for log in self.logs}
        endings: dict[bytes, list[str]] = defaultdict(list)
        of_player: dict[str, list[str]] = defaultdict(list)
        for log in self.logs:
            endings[self.file_facts[log].ending].append(log)
            for name in players[log] or ("",):
                of_player[name].append(log)
        moving = {self.file_facts[log].ending for log in self.logs if self._changes(log)}
        for log in self.logs:
            one = self.file_facts[log]
            same = [
                other
                for other in endings[one.opening]
                if self._may_go_on(other, log, players)
                and (self._changes(other) or self._rests(other, log, moving))
            ]
            found = same or list(self._near(log, of_player, players))
            if not found:
                continue
            found.sort(key=lambda other: self._fit(other, log, players), reverse=True)
            for other in found:
                if not self._leads_to(log, other):
                    self.before[log] = other
                    self.after[other].append(log)
                    break

    def _players(self, log: str) -> frozenset[str]:
        return frozenset(map(self.corrections.player, names(self.file_facts[log].players)))

    def _changes(self, log: str) -> bool:
        return self.file_facts[log].opening != self.file_facts[log].ending

    def _rests(self, other: str, log: str, moving: set[bytes]) -> bool:
        """Whether a log in which nothing moved is between another log and one that begins as both ended."""
        before, now = self.file_facts[other], self.file_facts[log]
        return before.opening in moving and 0 < before.saved < now.saved

    def _may_go_on(self, other: str, log: str, players: Mapping[str, frozenset[str]]) -> bool:
        ours, theirs = players[other], players[log]
        return other != log and bool(ours & theirs or not (ours and theirs))

    def _near(
        self, log: str, of_player: Mapping[str, list[str]], players: Mapping[str, frozenset[str]]
    ) -> Iterable[str]:
        """Logs after which a few pieces were moved before this one began.

        Such tables may be similar by chance, so the players of one log must be among those of the other.
        """
        one = self.file_facts[log]
        near = dict.fromkeys(other for name in players[log] or ("",) for other in of_player[name])
        if len(near) > _MANY or not one.opening:
            return
        for other in near:
            before = self.file_facts[other]
            if other == log or before.opening == one.opening or before.saved > one.saved > 0:
                continue
            if not (players[other] <= players[log] or players[log] <= players[other]):
                continue
            found = distance(before.ending, one.opening)
            changed = distance(before.opening, before.ending)
            if found <= NEAR * len(one.opening) / 4 and 3 * found <= changed:
                yield other

    def _fit(self, other: str, log: str, players: Mapping[str, frozenset[str]]) -> tuple[int, int, bool, int]:
        """How well one log continues another: fewest pieces moved, same players, saved last."""
        before, now = self.file_facts[other], self.file_facts[log]
        return (
            -distance(before.ending, now.opening),
            len(players[other] & players[log]),
            before.saved <= now.saved,
            before.saved,
        )

    def _leads_to(self, log: str, other: str) -> bool:
        """Whether a log continues another one, directly or through those between."""
        while other in self.before and other != log:
            other = self.before[other]
        return other == log


def numbered(lines: Sequence[GameLogs], before: Mapping[int, tuple[str, ...]]) -> list[int]:
    """Return a number for each game: that of the previous game with most of its logs, or else a new one."""
    of_log = {log: number for number, logs in before.items() for log in logs}
    wishes = []
    for place, line in enumerate(lines):
        counts: dict[int, int] = defaultdict(int)
        for log in line.own:
            if log in of_log:
                counts[of_log[log]] += 1
        wishes += [(-count, number, place) for number, count in counts.items()]
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, number, place in sorted(wishes):
        if place not in found and number not in taken:
            found[place] = number
            taken.add(number)
    last = max(before, default=0)
    for place in range(len(lines)):
        if place not in found:
            last += 1
            found[place] = last
    return [found[place] for place in range(len(lines))]
