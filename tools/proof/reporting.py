"""What was counted, as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from tools.proof.breaking import Breaker
from tools.proof.judging import EXACT, MISSED, OTHERWISE
from tools.proof.proving import WANTED, judged, to_break
from vassalgen.game.game import Game

Found = dict[str, Any]
MOST, FEW = 120, 5
"""How many lines are told of a kind, and how many of one mutator."""
ACCUSED = re.compile(r"illegal ([^\s:]+)")
"""The clause in a line about a false accusation."""

WHAT = """
Written by `tools/prove.py {name}`. Every game here went the whole way: it was played at random by the
rules, told as a log in the shape of VASSAL's own (drags, stacks, states, dice buttons, the turn track,
things undone, chat), replayed, read by the scribe and judged; in half of the games with the module at hand,
in half by one player for all sides.

Games are made by the same rules that judge them. That nothing in them is found illegal shows that logs are
read as they were played. It cannot show that a rule is too lenient or too strict: for that, mutations ask
slow literal readings of the rules and what lies on the table, and `tools/differ.py` compares the searches.

A record counts as equal if it is in the form that `tools/proof/comparing.py` describes: moves of a counter
are taken together, and what a log cannot hold, such as the order of declarations, is left out.

A clause is broken at a step of a game, and the players go on with what of the game is still legal until the
page has been turned twice. A mutation counts as found at its step if the audit finds something at the steps
of the log in which the rule was broken, and with the very clause if that is among it. What a slow reading
finds legal after all (another road leads to the same hex) does not count, nor what the module has no way to
say. Mutators keep away from where a log may always be read otherwise: the first move of a phase may belong
to the phase before, with the page turned too early. An accusation in a broken game is false if it is of
something before the breach, or of a clause that nothing in the game breaks; false accusations are counted by
the clause they name, those in legal games and those in broken ones together.

All of it can be repeated: `tools/prove.py {name} --keep FILE` counts anew, `tools/selfplay.py {name} --seed N
-o game.vlog` writes the game of a seed as a log, `tools/mutate.py game.vlog FOLDER` that log with rules
broken, and `referee audit` judges any of them. The same seed gives the same game.
"""


@frozen
class Share:
    """How mutations were found."""

    exact: int = 0
    otherwise: int = 0
    missed: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.exact + self.otherwise + self.missed

    def __add__(self, other: Share) -> Share:
        return Share(self.exact + other.exact, self.otherwise + other.otherwise, self.missed + other.missed)

    def percent(self, count: int) -> str:
        """Some of them in percent, nothing if there are none at all."""
        return f"{100 * count / self.total:.1f} %" if self.total else ""


def report(game: Game, breaker: Breaker, found: Sequence[Found]) -> Iterator[str]:
    """Tell what was counted."""
    games = [one for one in found if one["kind"] == "game"]
    broken = [one for one in found if one["kind"] == "broken"]
    yield f"# Proof of the referee for {game.id}"
    yield ""
    yield from (line.format(name=game.id) for line in WHAT.strip().splitlines())
    yield ""
    yield from _summary(games, broken)
    yield ""
    yield from _table(game, found)
    yield from _unbroken(game, breaker, broken)
    yield from _missed(breaker, broken)
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


def _summary(games: Sequence[Found], broken: Sequence[Found]) -> Iterator[str]:
    told = [one for one in games if not one["stuck"] and not one["untold"]]
    seeds = f"{games[0]['seed']} to {games[-1]['seed']}" if games else "none"
    yield f"- {len(games)} random games (seeds {seeds}), {sum(one['actions'] for one in games)} legal actions"
    yield f"- {len(told)} of them told as logs of {sum(one['steps'] for one in told)} steps"
    yield f"- {sum(len(one['wrong']) for one in games)} false accusations (illegal) in them"
    yield f"- {sum(len(one['doubtful']) for one in games)} doubtful findings (unproven or slips) in them"
    equal = sum(not one["differs"] for one in told)
    yield f"- {equal} of {len(told)} records read equal to those played"
    yield f"- {sum(bool(one['stuck']) for one in games)} games stuck"
    total = sum((_share(one) for one in broken), Share())
    found = total.exact + total.otherwise
    yield (
        f"- {total.total} mutations of {sum(_share(one).total > 0 for one in broken)} clauses: "
        f"{total.percent(found)} found at their step, {total.percent(total.exact)} with the very clause"
    )
    yield f"- {sum(len(one['wrong']) for one in broken)} false accusations in the broken games"


def _share(one: Found) -> Share:
    """How the mutations of a clause were found, by all its mutators together."""
    counts: Iterable[Mapping[str, int]] = one["broken"].values()
    return sum((Share(*(each.get(how, 0) for how in (EXACT, OTHERWISE, MISSED))) for each in counts), Share())


def _table(game: Game, found: Sequence[Found]) -> Iterator[str]:
    head = ("clause", "legal actions judged", "false accusations", "mutations", "very clause")
    yield f"| {' | '.join((*head, 'found otherwise', 'missed', 'at its step', 'very clause'))} |"
    yield f"| --- |{' ---: |' * (len(head) + 3)}"
    games = [one for one in found if one["kind"] == "game"]
    shares = {one["clause"]: _share(one) for one in found if one["kind"] == "broken"}
    wrong = [line for one in found for line in one["wrong"]]
    accused = Counter(match[1] for match in map(ACCUSED.search, wrong) if match)
    for clause in judged(game):
        legal = sum(one["legal"].get(clause, 0) for one in games)
        yield _row(clause, legal, accused[clause], shares.get(clause, Share()))
    yield _row("all", sum(one["actions"] for one in games), len(wrong), sum(shares.values(), Share()))


def _row(name: str, legal: int, accused: int, share: Share) -> str:
    found = share.percent(share.exact + share.otherwise), share.percent(share.exact)
    cells = (name, legal, accused, share.total, share.exact, share.otherwise, share.missed, *found)
    return f"| {' | '.join(map(str, cells))} |"


def _unbroken(game: Game, breaker: Breaker, broken: Sequence[Found]) -> Iterator[str]:
    """Say of each clause that was broken seldom or never why."""
    looked = {one["clause"]: one for one in broken}
    lines = []
    for clause in judged(game):
        if clause in breaker.unbroken:
            lines.append(f"{clause}: {breaker.unbroken[clause]}")
        elif clause not in to_break(game, breaker):
            lines.append(f"{clause}: nobody has written a mutator yet")
        elif clause not in looked:
            lines.append(f"{clause}: not broken in this run")
        else:
            lines += [f"{clause}: {why}" for why in _few(looked[clause])]
    if lines:
        yield from _section("Clauses broken seldom or never", lines)


def _few(one: Found) -> Iterator[str]:
    """Say why a clause was not broken as often as it should be by default."""
    total, untold = _share(one).total, sum(one["untold"].values())
    more = f"; {untold} more could not be told as a log" if untold else ""
    if total < one["wanted"]:
        yield f"came up {total} times in the games of {one['seeds']} seeds{more}"
    elif total < WANTED:
        yield f"no more than {one['wanted']} mutations were asked for in this run"


def _doubts(breaker: Breaker, games: Sequence[Found]) -> Iterator[str]:
    """Tell of doubtful findings by clause, and why they are found, if somebody knows."""
    lines = [line for one in games for line in one["doubtful"]]
    by_clause: dict[str, list[str]] = {}
    for line in lines:
        by_clause.setdefault(line.split(": ")[1].split()[1], []).append(line)
    for clause, mine in sorted(by_clause.items()):
        why = breaker.doubts.get(clause, "nobody has explained it yet")
        yield f"{clause}: {len(mine)}: {why}" + "".join(f"\n  - {line}" for line in mine)


def _missed(breaker: Breaker, broken: Sequence[Found]) -> Iterator[str]:
    """Tell of mutations not found with their clause, by mutator, and why, if somebody knows."""
    lines = []
    for one in broken:
        for how, counts in one["broken"].items():
            mine = [line for line in one["missed"] if f"({how})" in line]
            if mine:
                said = f"{len(mine)} of {sum(counts.values())} by `{how}`"
                why = breaker.explained.get(how, "nobody has explained it yet")
                shown = "".join(f"\n  - {line}" for line in mine[:FEW])
                lines.append(f"{one['clause']}: {said}: {why}{shown}")
    if lines:
        yield from _section("Mutations not found with their clause", lines)
