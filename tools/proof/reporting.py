"""The figures of a proof as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from referee.engine.rulings import Grade
from tools.proof.breaking import Breaker
from tools.proof.changing import kinds_of_change
from tools.proof.judging import EXACT, MISSED, OTHERWISE
from tools.proof.proving import ASKED_IN, GONE, MOST_ASKED, WANTED, judged, to_break
from vassalgen.game.game import Game

Found = dict[str, Any]
MOST, FEW = 120, 5
"""How many lines of a kind are reported, and how many of one mutator."""
UNEXPLAINED = "not explained yet"
ACCUSED = re.compile(r"(?:illegal|unproven|slip) ([^\s:]+)")
"""The clause in the line of a false accusation."""

WHAT = """
Written by `tools/prove.py {name}`. Each game was played at random by the rules, written as a log in
VASSAL's format (drags, stacks, states, dice buttons, the turn track, undo, chat), replayed, read by the
scribe and judged. Half of the games were audited with the module, and in half one player played all sides.

Every accusation in a legal game is false, and so is one against odds or results announced correctly.

The games are made by the same rules that judge them. If nothing in them is found illegal, logs are read
correctly; this does not show whether a rule is too lenient or too strict. To show that, mutations use slow
literal readings of the rules and the position on the table, literal readings calculate the odds and sums in
the log, and `tools/differ.py` compares the searches. `docs/proof.md` says what both sides share.

Records are compared in the form that `tools/proof/comparing.py` describes: the moves of a counter are
combined, and anything that a log cannot contain, such as the order of declarations, is left out.

*Breakable* counts the legal actions at which the clause mattered: one of its mutators, a literal reading
of its condition, found a way to break it there. *Asked* counts the actions of its verbs that were tried: at
most {asked} in each of the first {games} games, until {enough} are found. A mutator may propose a different
action instead, so a clause may be breakable although no game came near it. Clauses with
a dash cannot be broken in a log, or no mutator breaks them; they are tested only with records.

A clause is broken at a step of a game, and the players then continue with whatever is still legal until the
turn track has been advanced twice. A mutation counts as found at its step if the audit finds anything at the
steps of the log in which the rule was broken, and under the right clause if that clause is among them.
A mutation does not count if a slow reading finds it legal after all (another road leads to the same hex), or
if the module cannot announce it. Mutators avoid actions that a log always leaves open: the first move of a
phase may belong to the phase before, with the track advanced too early. An accusation in a broken game is
false if it is about something before the breach, or about a clause that nothing in the game breaks. False
accusations in legal and in broken games are counted together, by the clause they name.

Everything can be repeated: `tools/prove.py {name} --keep FILE` counts again, `tools/selfplay.py {name}
--seed N -o game.vlog` writes the game of a seed as a log, `tools/mutate.py game.vlog FOLDER` writes that
log with rules broken, and `referee audit` judges any of them. The same seed gives the same game.
"""

CHANGES = """
At a random step of each phase, one counter that takes no part in the phase or its battles is changed by
hand: removed, moved, put in a box, brought back from the losses, or given or deprived of a step or a
state. There is no reason for the change, and the audit should find it at that step, under whatever clause.
Each cell counts changes found illegal / unproven or a slip / not found. Changes that the rules may require
at that step are left out, by the game's own literal reading.
"""


@frozen
class Share:
    """How many mutations were found, and how."""

    exact: int = 0
    elsewhere: int = 0
    missed: int = 0

    @property
    def total(self) -> int:
        """Their sum."""
        return self.exact + self.elsewhere + self.missed

    def __add__(self, other: Share) -> Share:
        return Share(self.exact + other.exact, self.elsewhere + other.elsewhere, self.missed + other.missed)

    def percent(self, count: int) -> str:
        """Some of them in percent; empty if there are none at all."""
        return f"{100 * count / self.total:.1f} %" if self.total else ""


def report(game: Game, breaker: Breaker, found: Sequence[Found]) -> Iterator[str]:
    """Return the page."""
    games = [one for one in found if one["kind"] == "game"]
    broken = [one for one in found if one["kind"] == "broken"]
    changed = [one for one in found if one["kind"] == "changed"]
    yield f"# Proof of the referee for {game.id}"
    yield ""
    words = {"name": game.id, "asked": MOST_ASKED, "games": ASKED_IN, "enough": WANTED}
    yield from WHAT.strip().format(**words).splitlines()
    yield ""
    yield from _summary(games, broken, changed)
    yield ""
    yield from _table(game, found)
    yield from _unbroken(game, breaker, broken)
    yield from _missed(breaker, broken)
    yield from _changes(game, breaker, changed)
    for title, lines in (
        ("False accusations", [line for one in found for line in one["wrong"]]),
        ("Stuck", [f"seed {one['seed']}: {one['stuck']}" for one in games if one["stuck"]]),
        ("Doubtful findings in legal games", list(_doubts(breaker, games))),
        ("Records that differ", [line for one in games for line in one["differs"]]),
    ):
        if lines:
            yield from _section(title, lines)


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    yield from (f"- {line}" for line in lines[:MOST])
    if len(lines) > MOST:
        yield f"- and {len(lines) - MOST} more"


def _summary(games: Sequence[Found], broken: Sequence[Found], changed: Sequence[Found]) -> Iterator[str]:
    logged = [one for one in games if not one["stuck"] and not one["untold"]]
    seeds = f"{games[0]['seed']} to {games[-1]['seed']}" if games else "none"
    yield f"- {len(games)} random games (seeds {seeds}), {sum(one['actions'] for one in games)} legal actions"
    yield f"- {len(logged)} of them written as logs of {sum(one['steps'] for one in logged)} steps"
    yield f"- {sum(len(one['wrong']) for one in games)} false accusations in them"
    yield f"- {sum(len(one['doubtful']) for one in games)} unproven findings or slips in them"
    equal = sum(not one["differs"] for one in logged)
    yield f"- {equal} of {len(logged)} records read equal to those played"
    yield f"- {sum(bool(one['stuck']) for one in games)} games stuck"
    total = sum((_share(one) for one in broken), Share())
    found = total.exact + total.elsewhere
    yield (
        f"- {total.total} mutations of {sum(_share(one).total > 0 for one in broken)} clauses: "
        f"{total.percent(found)} found at their step, {total.percent(total.exact)} under the right clause"
    )
    yield f"- {sum(len(one['wrong']) for one in broken)} false accusations in the broken games"
    yield from _summed_changes(changed)


def _summed_changes(changed: Sequence[Found]) -> Iterator[str]:
    grades = [counts for one in changed for phases in one["changes"].values() for counts in phases.values()]
    counts = sum(map(Counter, grades), Counter[str]())
    if total := counts.total():
        gone, proved = counts[GONE], counts[Grade.illegal.name]
        yield (
            f"- {total} changes without a reason, in {len(changed)} games: {proved} found illegal, "
            f"{total - proved - gone} unproven or a slip, {gone} not found at their step"
        )


def _share(one: Found) -> Share:
    """How the mutations of a clause were found, for all of its mutators together."""
    counts: Iterable[Mapping[str, int]] = one["broken"].values()
    return sum((Share(*(each.get(how, 0) for how in (EXACT, OTHERWISE, MISSED))) for each in counts), Share())


def _table(game: Game, found: Sequence[Found]) -> Iterator[str]:
    head = ("clause", "breakable", "asked", "false accusations", "mutations", "right clause")
    yield f"| {' | '.join((*head, 'another clause', 'missed', 'at its step', 'right clause'))} |"
    yield f"| --- |{' ---: |' * (len(head) + 3)}"
    broken = {one["clause"]: one for one in found if one["kind"] == "broken"}
    shares = {one["clause"]: _share(one) for one in found if one["kind"] == "broken"}
    wrong = [line for one in found for line in one["wrong"]]
    accused = Counter(match[1] for match in map(ACCUSED.search, wrong) if match)
    for clause in judged(game):
        asked = [broken[clause][key] for key in ("legal", "asked")] if clause in broken else ["–", "–"]
        yield _row(clause, asked, accused[clause], shares.get(clause, Share()))
    total = [sum(one[key] for one in broken.values()) for key in ("legal", "asked")]
    yield _row("all", total, len(wrong), sum(shares.values(), Share()))


def _row(name: str, asked: Sequence[object], accused: int, share: Share) -> str:
    found = share.percent(share.exact + share.elsewhere), share.percent(share.exact)
    cells = (name, *asked, accused, share.total, share.exact, share.elsewhere, share.missed, *found)
    return f"| {' | '.join(map(str, cells))} |"


def _changes(game: Game, breaker: Breaker, found: Sequence[Found]) -> Iterator[str]:
    """The changes without a cause, by kind and phase, and those that were not found."""
    if not found:
        return
    phases = [phase.id for phase in game.sequence.phases]
    yield from ("", "## Unexplained changes", "", *CHANGES.strip().splitlines(), "")
    yield f"| change | {' | '.join(phases)} | found |"
    yield f"| --- |{' ---: |' * (len(phases) + 1)}"
    for kind in kinds_of_change(game):
        counts = {phase: _graded(found, kind, phase) for phase in phases}
        graded = [sum(each) for each in zip(*counts.values(), strict=True)]
        if total := sum(graded):
            cells = [" / ".join(map(str, each)) if sum(each) else "" for each in counts.values()]
            share = f"{100 * (total - graded[-1]) / total:.0f} %"
            yield f"| {' | '.join((kind, *cells, share))} |"
    gone: dict[str, list[str]] = {}
    for kind, line in (each for one in found for each in one["gone"]):
        gone.setdefault(kind, []).append(line)
    if gone:
        lines = []
        for kind, mine in gone.items():
            shown = "".join(f"\n  - {line}" for line in mine[:FEW])
            lines.append(f"{kind}: {len(mine)}: {breaker.explained.get(kind, UNEXPLAINED)}{shown}")
        yield from _section("Changes not found at their step", lines)


def _graded(found: Sequence[Found], kind: str, phase: str) -> tuple[int, int, int]:
    """How many changes of a kind in a phase were found illegal, found with a lesser grade, and not found."""
    counts = sum((Counter(one["changes"].get(kind, {}).get(phase, {})) for one in found), Counter[str]())
    proved, gone = counts[Grade.illegal.name], counts[GONE]
    return proved, counts.total() - proved - gone, gone


def _unbroken(game: Game, breaker: Breaker, broken: Sequence[Found]) -> Iterator[str]:
    """The reason for each clause that was broken rarely or never."""
    looked = {one["clause"]: one for one in broken}
    lines = []
    for clause in judged(game):
        if clause in breaker.unbroken:
            lines.append(f"{clause}: {breaker.unbroken[clause]}")
        elif clause not in to_break(game, breaker):
            lines.append(f"{clause}: no mutator is written yet")
        elif clause not in looked:
            lines.append(f"{clause}: not broken in this run")
        else:
            lines += [f"{clause}: {why}" for why in _few(looked[clause])]
    if lines:
        yield from _section("Clauses seldom or never broken", lines)


def _few(one: Found) -> Iterator[str]:
    """The default reason for a clause that was not broken as often as it should be."""
    total, unlogged = _share(one).total, sum(one["untold"].values())
    more = f"; {unlogged} more could not be written as a log" if unlogged else ""
    if total < one["wanted"]:
        yield f"came up {total} times in the games of {one['seeds']} seeds{more}"
    elif total < WANTED:
        yield f"no more than {one['wanted']} mutations were asked for in this run"


def _doubts(breaker: Breaker, games: Sequence[Found]) -> Iterator[str]:
    """Report unproven findings and slips by clause, and why they are found, if that is known."""
    lines = [line for one in games for line in one["doubtful"]]
    by_clause: dict[str, list[str]] = {}
    for line in lines:
        by_clause.setdefault(line.split(": ")[1].split()[1], []).append(line)
    for clause, mine in sorted(by_clause.items()):
        why = breaker.doubts.get(clause, UNEXPLAINED)
        yield f"{clause}: {len(mine)}: {why}" + "".join(f"\n  - {line}" for line in mine)


def _missed(breaker: Breaker, broken: Sequence[Found]) -> Iterator[str]:
    """Report mutations not found with their clause, by mutator, with the reason if it is known."""
    lines = []
    for one in broken:
        for how, counts in one["broken"].items():
            mine = [line for line in one["missed"] if f"({how})" in line]
            if mine:
                said = f"{len(mine)} of {sum(counts.values())} by `{how}`"
                why = breaker.explained.get(how, UNEXPLAINED)
                shown = "".join(f"\n  - {line}" for line in mine[:FEW])
                lines.append(f"{one['clause']}: {said}: {why}{shown}")
    if lines:
        yield from _section("Mutations not found with their clause", lines)
