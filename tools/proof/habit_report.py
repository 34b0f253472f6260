"""The results of the trials of careless habits, as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tools.proof.carelessness import MIXED, OUTCOMES
from tools.proof.habits import HABITS
from tools.proof.reporting import MOST
from vassalgen.game.game import Game

Found = dict[str, Any]
NOT_PLAYED = "not played"
"""Of a habit for which no game had an occasion."""

WHAT = """ Written by `tools/prove.py {name} --habits`. Legal games were played at random, once each, and
logged once for each habit: short games of two to four turns, and whole games. They were also logged once
with several habits at random, together with chat, undo and stray drags. Anything found illegal in them is
a false accusation. A game that has no occasion for a habit does not count for it; a habit for which no
game had one is "not played".

Then, in other short games, the mutators of the proof broke one rule in each game, once for each habit. A
breach counts if it is found in an orderly log. It is *found* if there is any finding in its steps that is
not unproven, or one with its clause in a later step; *unproven* if a clause that it breaks is found
unproven; *otherwise* if something else in its steps is unproven, or something in its phase that is not
when the same game is logged without the breach. It is *hidden by the habit* if none of these holds, and a
game without the breach is the same log when it is logged with the same habit, command by command except
for chat: such a game is looked for with the rules, not with the audit (`tools/proof/twins.py`). All other
breaches are *gone*. Excuses off: the same log is audited without alternative readings of phases and
casualties, without leaving open what a bare die was for, and without a move right after entry.
Assumptions of the plain reading remain: that a counter off the hexes has left the map, and that a turn
track may be late.

Independent are the habits (`tools/proof/habits/`), which are written from what players do and know nothing
of how logs are read, and the breaches, which are made by literal readings of the clauses. Not independent
are the authors: the same people wrote both, and habits that they did not think of are not counted. What
`docs/proof.md` says of all figures applies here too.
"""


def report(game: Game, found: Sequence[Found]) -> Iterator[str]:
    """Write the page."""
    short, whole = ([one for one in found if one["kind"] == kind] for kind in ("habits", "habits, whole"))
    broken = [one for one in found if one["kind"] == "careless"]
    yield f"# Careless habits: proof of the referee for {game.id}"
    yield ""
    yield from WHAT.strip().format(name=game.id).splitlines()
    yield ""
    yield f"- short games: {len(short)}, whole games: {len(whole)}, each logged once for each habit"
    games = (*short, *whole)
    logged = [
        habit
        for habit in _all()
        if any(habit in one["told"] or habit in one.get("idle", ()) for one in games)
    ]
    wrong = sum(_accused([*short, *whole], habit)[2] for habit in logged)
    yield f"- {wrong} false accusations"
    breaches = [tuple(one) for each in broken for one in each["breaches"]]
    yield f"- {len(breaches)} breaches logged with a habit"
    yield ""
    yield "| habit | short games: accused / all | whole games: accused / all | false findings | unproven |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for habit in logged:
        few, many = _accused(short, habit), _accused(whole, habit)
        cells = [f"{one[0]} / {one[1]}" if one[1] else NOT_PLAYED for one in (few, many)]
        yield _row([HABITS.get(habit, habit), *cells, few[2] + many[2], few[3] + many[3]])
    yield from ("", "## Breaches by habit", "")
    yield from _breaches("habit", [(HABITS.get(one[0], one[0]), *one[2:]) for one in breaches])
    yield from ("", "## Breaches by clause", "")
    known = list(game.clauses)
    by_clause = sorted((one[1:] for one in breaches), key=lambda one: known.index(one[0]))
    yield from _breaches("clause", by_clause)
    accused = [line for one in (*short, *whole) for line in one["wrong"]]
    gone = [f"{habit}: {line}" for one in broken for habit, line in one["gone"]]
    for title, lines in (("False accusations", accused), ("Breaches that are gone", gone)):
        if lines:
            yield from ("", f"## {title}", "", *(f"- {line}" for line in lines[:MOST]))
            if len(lines) > MOST:
                yield f"- and {len(lines) - MOST} more"


def _all() -> tuple[str, ...]:
    return (*HABITS, MIXED)


def _accused(games: Sequence[Found], habit: str) -> tuple[int, int, int, int]:
    """How many of the games logged with a habit have an accusation, and how many illegal and unproven
    findings they have.
    """
    counts = [one["told"][habit] for one in games if habit in one["told"]]
    return (
        sum(bool(one[0]) for one in counts),
        len(counts),
        sum(one[0] for one in counts),
        sum(one[1] for one in counts),
    )


def _breaches(head: str, breaches: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """What became of the breaches, grouped by the first column."""
    careless = " / ".join(OUTCOMES)
    yield _row([head, "breaches", "orderly: found / unproven", f"careless: {careless}", "excuses off"])
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name in (*dict.fromkeys(one[0] for one in breaches), ""):
        mine = [one for one in breaches if name in ("", one[0])]
        counts = [Counter(one[place] for one in mine) for place in (1, 2, 3)]
        shown = (OUTCOMES[:2], OUTCOMES, OUTCOMES)
        cells = [" / ".join(str(each[how]) for how in hows) for each, hows in zip(counts, shown, strict=True)]
        yield _row([name or "all", len(mine), *cells])


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
