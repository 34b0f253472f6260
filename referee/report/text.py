"""An audit told in plain text, which reads well in a mail."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.audit import Report
from referee.engine.rulings import Grade
from referee.judge import NOT_JUDGED, say_fact
from referee.report.plain import report_json
from referee.report.veil import ANYBODY, Onlooker
from referee.scribe.reading import Certainty
from vassalgen.game.provenance import RECONSTRUCTION

WIDTH = 78
"""Columns that a mail shows without breaking lines."""
_UNSURE = (Certainty.inferred.value, Certainty.ambiguous.value)


def lines(report: Report, onlooker: Onlooker = ANYBODY) -> Iterator[str]:
    """Tell an audit: each finding, what was not read, what else is worth knowing, and a summary."""
    yield from tell(report_json(report, onlooker, whole=False))


def unjudged(told: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """Say of what could not be judged where it is and why."""
    what = one["action"] or ("this" if one["step"] else "something in this log")
    why = f" ({one['error']})" if one["error"] else ""
    return f"{_where(told, one['at'])}: {what} {NOT_JUDGED}{why}"


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """Tell an audit that is given as plain values."""
    yield from _opening(told)
    moment = ""
    for finding in told["findings"]:
        if finding["moment"] != moment:
            moment = finding["moment"]
            yield _heading(moment[:1].upper() + moment[1:])
        yield from _finding(told, finding)
        yield ""
    yield from _list("Could not be judged", [unjudged(told, one) for one in told["unjudged"]])
    noted = [f"{_where(told, one['at'])}: {one['text']}" for one in told["unread"]]
    yield from _list("Noted besides", noted)
    trusted = [f"{_where(told, one['at'])}: {one['kind']}: {one['text']}" for one in told["trust"]]
    yield from _list("How the logs came about", trusted)
    yield from _list("Battles", [_battle(told, battle) for battle in told["battles"]])
    yield from _list("Losses", _losses(told))
    yield from _list("Dice", [_dice(one) for one in told["dice"]])
    yield from summary(told)


def _opening(told: Mapping[str, Any]) -> Iterator[str]:
    """What was audited, who played, and in one line what was found."""
    logs = ", ".join(log["name"] for log in told["logs"])
    yield from _wrapped(f"{told['title']}, {told['scenario_title']}: audit of {logs}", "")
    players = [
        f"{one['name']} ({told['sides'][one['side']]})" if one["side"] else one["name"]
        for one in told["players"]
    ]
    if players:
        yield from _wrapped(f"Played by {' and '.join(players)}", "")
    yield _counts(told)
    yield ""


def _counts(told: Mapping[str, Any]) -> str:
    found = ", ".join(f"{told['summary'][grade.name]} {grade.name}" for grade in reversed(Grade) if grade)
    return f"Findings: {found}"


def _heading(text: str) -> str:
    return f"--- {text} {'-' * (WIDTH - len(text) - 5)}"


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    )


def _list(title: str, items: list[str]) -> Iterator[str]:
    if items:
        yield f"{title}:"
        for item in items:
            yield from _wrapped(item, "  ")
        yield ""


def _finding(told: Mapping[str, Any], finding: Mapping[str, Any]) -> Iterator[str]:
    who = finding["player"] or told["sides"].get(finding["side"], "")
    steps = _steps(told, finding["log"], finding["steps"])
    yield f"{steps[:1].upper()}{steps[1:]}{f', {who}' if who else ''}: [{finding['id']}]"
    if finding["action"]:
        sure = f"  ({finding['read']})" if finding["read"] in _UNSURE else ""
        yield from _wrapped(f"{finding['action']}{sure}", "  ")
    yield from _wrapped(f"{finding['grade']} {finding['clause']}: {finding['says']}", "  ")
    units = ", ".join(f"{told['counters'][unit]['name']} [{unit}]" for unit in finding["units"])
    if units:
        yield from _wrapped(f"units: {units}", "  ")
    facts = ", ".join(f"{name} {say_fact(value)}" for name, value in finding["facts"].items())
    if facts:
        yield from _wrapped(f"facts: {facts}", "  ")
    if finding["odds"]:
        yield from _wrapped(f"odds by the rules: {'; '.join(map(str.strip, finding['odds']['lines']))}", "  ")
    yield from _wrapped(f"rule: {finding['rule']}", "  ")
    yield from _wrapped(f"data: {finding['provenance']}", "  ")


def _steps(told: Mapping[str, Any], log: str, steps: list[int]) -> str:
    numbers = ", ".join(map(str, steps))
    place = f"step{'s' if len(steps) > 1 else ''} {numbers}" if steps != [0] else "at the start"
    return f"{log}, {place}" if len(told["logs"]) > 1 else place


def _where(told: Mapping[str, Any], at: int) -> str:
    entry = told["steps"][at]
    place = _steps(told, entry["log"], [entry["step"]])
    return f"{place[:1].upper()}{place[1:]}" if len(told["logs"]) == 1 else place


def _names(told: Mapping[str, Any], ids: list[str]) -> str:
    return ", ".join(told["counters"][name]["name"] for name in ids) or "nobody"


def _battle(told: Mapping[str, Any], battle: Mapping[str, Any]) -> str:
    stated, computed = battle["stated"], battle["computed"]
    odds = [f"stated {stated['column']}"] if stated else []
    odds += [f"by the rules {computed['column']}"] if computed else []
    die = [f"die {'+'.join(map(str, battle['dice']))}"] if battle["dice"] else []
    result = [battle["result"]] if battle["result"] else []
    who = f"{_names(told, battle['attackers'])} on {battle['target']} ({_names(told, battle['defenders'])})"
    return f"{_where(told, battle['at'])}: {', '.join([who, *odds, *die, *result])}"


def _losses(told: Mapping[str, Any]) -> list[str]:
    """A line for each turn and side: who was lost, and of the others the steps."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for one in told["losses"]:
        if one["back"] is not None:
            continue
        steps = found.setdefault((one["turn"], one["side"]), {})
        gone = not one["steps"] or steps.get(one["counter"]) == 0
        steps[one["counter"]] = 0 if gone else steps.get(one["counter"], 0) + one["steps"]
    return [
        f"Turn {turn}, {told['sides'].get(side, 'nobody')}: "
        + ", ".join(told["counters"][name]["name"] + _lost_steps(count) for name, count in steps.items())
        for (turn, side), steps in sorted(found.items())
    ]


def _lost_steps(count: int) -> str:
    return f" ({count} step{'s' if count > 1 else ''})" if count else ""


def _dice(one: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{face}: {count}" for face, count in enumerate(one["counts"], 1))
    chance = f"chance lies as far off, or farther, in {one['as_far']:g} of 100 such series"
    mean = f"mean {one['mean']:g}, of fair dice {one['fair_mean']:g}"
    who = one["player"] or "somebody"
    dice = "die" if one["thrown"] == 1 else "dice"
    return f"{who}: {one['thrown']} {dice} of {one['sides']} sides; {counts}; {mean}; {chance}"


def summary(told: Mapping[str, Any]) -> Iterator[str]:
    """Tell what was read and what was found, in a few lines."""
    logs = ", ".join(f"{log['name']} ({log['steps']} steps)" for log in told["logs"])
    yield from _wrapped(f"{told['title']}: {logs}", "")
    actions = [one for one in told["readings"] if one["grade"] is not None]
    read = Counter(one["read"] for one in actions)
    ways = "; ".join(f"{read[way.value]} {way.value}" for way in Certainty if read[way.value])
    yield from _wrapped(f"{len(actions)} actions read: {ways}" if actions else "No actions read", "")
    yield _counts(told)
    if told["withheld"]:
        yield f"Withheld until the game is over, as concealed counters are concerned: {told['withheld']}"
    weak = sorted({one["provenance"] for one in told["findings"] if _is_reconstruction(one["provenance"])})
    if weak:
        yield from _wrapped(f"They lean in part on reconstructed data: {'; '.join(weak)}", "")


def _is_reconstruction(provenance: str) -> bool:
    return provenance.startswith(RECONSTRUCTION.kind)
