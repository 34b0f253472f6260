"""What was counted, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tools.proof.judging import EXACT, MISSED, OTHERWISE
from vassalgen.game.game import Game

Found = dict[str, Any]
MOST = 120
"""How many lines are told of a kind."""

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

A mutation counts as found at its step if the audit finds something at the steps of the log in which the rule
was broken, and with the very clause if that is among it. What a slow reading finds legal after all (another
road leads to the same hex) does not count, nor what the module has no way to say.
"""


def report(game: Game, found: Sequence[Found]) -> Iterator[str]:
    """Tell what was counted."""
    games = [one for one in found if one["kind"] == "game"]
    broken = [one for one in found if one["kind"] == "broken"]
    yield f"# Proof of the referee for {game.id}"
    yield ""
    yield from (line.format(name=game.id) for line in WHAT.strip().splitlines())
    yield ""
    yield from _summary(games, broken)
    yield ""
    yield from _table(game, games, broken)
    for title, lines in (
        ("False accusations", [line for one in found for line in one["wrong"]]),
        ("Stuck", [f"seed {one['seed']}: {one['stuck']}" for one in games if one["stuck"]]),
        ("Doubtful findings in legal games", [line for one in games for line in one["doubtful"]]),
        ("Records that differ", [line for one in games for line in one["differs"]]),
        ("Mutations not found with their clause", [line for one in broken for line in one["missed"]]),
    ):
        if lines:
            yield ""
            yield f"## {title}"
            yield ""
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
    total = sum(sum(counts.values()) for one in broken for counts in one["broken"].values())
    yield f"- {total} mutations in {len(broken)} games and as many short ones from special openings"
    yield f"- {sum(len(one['wrong']) for one in broken)} false accusations before the rule was broken"


def _table(game: Game, games: Sequence[Found], broken: Sequence[Found]) -> Iterator[str]:
    head = (
        "clause",
        "legal actions judged",
        "mutations",
        "very clause",
        "found otherwise",
        "missed",
        "at its step",
    )
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    totals = [0, 0, 0]
    for clause in game.clauses.values():
        if clause.judged not in ("enforced", "scored"):
            continue
        legal = sum(one["legal"].get(clause.id, 0) for one in games)
        counts = [
            sum(one["broken"].get(clause.id, {}).get(outcome, 0) for one in broken)
            for outcome in (EXACT, OTHERWISE, MISSED)
        ]
        totals = [before + more for before, more in zip(totals, counts, strict=True)]
        yield _row(clause.id, legal, counts)
    yield _row("all", sum(one["actions"] for one in games), totals)


def _row(name: str, legal: int, counts: Sequence[int]) -> str:
    exact, otherwise, missed = counts
    total = exact + otherwise + missed
    share = f"{100 * (exact + otherwise) / total:.1f} %" if total else ""
    return f"| {' | '.join(map(str, (name, legal, total, exact, otherwise, missed, share)))} |"
