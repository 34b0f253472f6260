"""The text report of an audit, formatted for sending by mail."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from attrs import frozen

from referee.audit import Report
from referee.engine.rulings import Grade
from referee.engine.wording import counted
from referee.report.as_json import AGREED, report_json
from referee.report.breaches import NOT_JUDGED
from referee.report.visibility import ANYBODY, Viewer
from referee.scribe.reading import Certainty
from vassalgen.game.provenance import RECONSTRUCTION

WIDTH = 78
"""The number of columns that fit into a mail without line breaks."""
_UNSURE = (Certainty.inferred.value, Certainty.ambiguous.value)


def lines(report: Report, viewer: Viewer = ANYBODY) -> Iterator[str]:
    """Return the text report of an audit: findings, notes, battles, losses, dice, and a summary."""
    yield from text_report(report_json(report, viewer, whole=False))


def text_report(audit: Mapping[str, Any]) -> Iterator[str]:
    """Return the text report of an audit from its plain values."""
    names = Names.of(audit)
    yield from _opening(audit)
    for moment, findings in groupby(audit["findings"], key=lambda one: str(one["moment"])):
        yield _heading(moment[:1].upper() + moment[1:])
        for same in _alike(names, list(findings)):
            yield from _finding(audit, names, same)
            yield ""
    yield from _list("Taken as fact", [_note(names, one) for one in audit["notes"]])
    yield from _list("Could not be judged", [unjudged(audit, one) for one in audit["unjudged"]])
    notes = [(int(one["at"]), sentence(names.named(one["text"]))) for one in audit["unread"]]
    yield from _list("Notes", _folded(audit, names, notes))
    facts = [(int(one["at"]), sentence(f"{one['kind']}: {one['text']}")) for one in audit["unusual"]]
    yield from _list("About the logs", _folded(audit, names, facts))
    yield from _list("Battles", [_battle(audit, battle) for battle in audit["battles"]])
    yield from _list("Losses", _losses(audit))
    yield from _list("Dice", [_dice(one) for one in audit["dice"]])
    yield from summary(audit)


def unjudged(audit: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """Return what could not be judged, with its step and the error."""
    what = Names.of(audit).listed(one["action"]) or ("this" if one["step"] else "something in this log")
    why = f" ({one['error']})" if one["error"] else ""
    return f"{_where(audit, [one['at']])}: {what} {NOT_JUDGED}{why}"


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter and ends with a full stop.

    >>> sentence("a fourth HQ is sustained; the limit is 3")
    'A fourth HQ is sustained; the limit is 3.'
    """
    ended = text if text[-1:] in (".", "!", "?") else f"{text}."
    return ended[:1].upper() + ended[1:]


@frozen
class Names:
    """The names of the counters, to replace ids and to find sentences that differ only in a name."""

    by_id: Mapping[str, str]
    any_name: re.Pattern[str]

    @classmethod
    def of(cls, audit: Mapping[str, Any]) -> Names:
        """The names of the counters in an audit."""
        by_id = {name: str(one["name"]) for name, one in audit["counters"].items()}
        longest_first = sorted({*by_id.values()}, key=len, reverse=True)
        return cls(by_id, re.compile("|".join(map(re.escape, longest_first)) or r"(?!)"))

    def named(self, text: str) -> str:
        """Return a text with names in place of ids."""
        return re.sub(r"[\w-]+", lambda match: self.by_id.get(match[0], match[0]), text)

    def listed(self, action: str) -> str:
        """Return an action with names in place of ids, those of several units as a list.

        >>> Names({"hg": "Hermann Göring", "koch": "Koch"}, re.compile("x")).listed("attack A4 with hg koch")
        'attack A4 with Hermann Göring and Koch'
        """
        runs = groupby(action.split(" "), key=self.by_id.__contains__)
        return " ".join(
            _and([self.by_id[word] for word in words]) if known else " ".join(words)
            for known, words in ((known, list(words)) for known, words in runs)
        )

    def without_first(self, text: str) -> tuple[str, str]:
        """Return a text without the first name in it, and that name."""
        found = self.any_name.search(text)
        return (text, "") if found is None else (text[: found.start()] + "\0" + text[found.end() :], found[0])


def _alike(names: Names, findings: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Findings in groups: the same action by the same rule, in sentences that differ only in a name."""

    def key(one: Mapping[str, Any]) -> tuple[object, ...]:
        text, _ = names.without_first(names.named(one["says"]))
        same = ("log", "steps", "grade", "agreed", "clause", "provenance")
        return (*(str(one[name]) for name in same), text)

    for _, same in groupby(findings, key=key):
        yield list(same)


def _folded(audit: Mapping[str, Any], names: Names, items: Iterable[tuple[int, str]]) -> list[str]:
    """Sentences with their steps; those of a step that differ only in a name, or are the same,
    are combined.
    """
    found: list[str] = []
    for (at, _), same in groupby(items, key=lambda one: (one[0], names.without_first(one[1])[0])):
        texts = [text for _, text in same]
        others = dict.fromkeys(names.without_first(text)[1] for text in texts[1:])
        likewise = f" Likewise: {', '.join(others)}." if len({*texts}) > 1 else ""
        found.append(f"{at}\0{texts[0]}{likewise}")
    by_text: dict[str, list[int]] = {}
    for one in found:
        step, _, text = one.partition("\0")
        by_text.setdefault(text, []).append(int(step))
    return [f"{_where(audit, steps)}: {text}" for text, steps in by_text.items()]


def _opening(audit: Mapping[str, Any]) -> Iterator[str]:
    """The beginning: the logs, the players, the findings, and how much was judged; first a warning if it was
    too little.
    """
    if audit["judged"]["warning"]:
        yield from _wrapped(audit["judged"]["warning"], "")
        yield ""
    yield from _wrapped(f"{audit['title']}: {audit['scenario_title']}", "")
    logs = ", ".join(f"{log['name']} ({counted(log['steps'], 'step')})" for log in audit["logs"])
    players = [
        f"{one['name']} ({audit['sides'][one['side']]})" if one["side"] else one["name"]
        for one in audit["players"]
    ]
    yield from _wrapped(f"Audit of {logs}{f', played by {_and(players)}' if players else ''}", "")
    yield from _found_and_judged(audit)
    yield ""


def _found_and_judged(audit: Mapping[str, Any]) -> Iterator[str]:
    yield counts(audit)
    yield from _wrapped(audit["judged"]["says"], "")


def counts(audit: Mapping[str, Any]) -> str:
    """Return how many findings there are; "none" of a grade is stated only if none is withheld."""
    plural = {Grade.slip: "slips"}
    found = [
        f"{count} {plural.get(grade, grade.name) if count != 1 else grade.name}"
        for grade in reversed(Grade)
        if grade
        for count in [audit["summary"][grade.name]]
        if count or not audit["withheld"]
    ]
    found += [f"{count} {AGREED}" for count in [audit["summary"][AGREED]] if count]
    found += [f"{audit['withheld']} withheld until the game is over"] if audit["withheld"] else []
    found += [f"{len(audit['unjudged'])} not judged"] if audit["unjudged"] else []
    return f"Findings: {', '.join(found)}"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


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


def _finding(audit: Mapping[str, Any], names: Names, same: list[Mapping[str, Any]]) -> Iterator[str]:
    """A finding, or several that differ only in the unit."""
    finding = same[0]
    who = finding["player"] or audit["sides"].get(finding["side"], "")
    steps = _capital(audit, _steps(audit, finding["log"], finding["steps"]))
    ids = f"[{finding['id']}]" + (f" and {len(same) - 1} more" if len(same) > 1 else "")
    yield f"{steps}{f', {who}' if who else ''}: {ids}"
    says = sentence(names.named(finding["says"]))
    agreed = finding["agreed"]
    grade = f"agreed ({agreed['by']}; otherwise {agreed['grade']})" if agreed else finding["grade"]
    yield from _wrapped(f"{grade} {finding['clause']}: {says}", "  ")
    if len(same) > 1:
        others = [names.without_first(names.named(one["says"]))[1] for one in same[1:]]
        yield from _wrapped(f"Likewise: {', '.join(others)}.", "  ")
    facts = "; ".join(f"{name}: {value}" for name, value in finding["facts_in_words"])
    if facts:
        yield from _wrapped(f"Facts: {facts}", "  ")
    if finding["odds"]:
        odds = "; ".join(names.named(line.strip()) for line in finding["odds"]["lines"])
        yield from _wrapped(f"Odds by the rules: {odds}", "  ")
    yield from _wrapped(f"Rule: {finding['rule']}", "  ")
    yield from _wrapped(f"Data: {finding['provenance']}", "  ")
    if finding["action"]:
        sure = f"  ({finding['read']})" if finding["read"] in _UNSURE else ""
        yield from _wrapped(f"Action: {names.listed(finding['action'])}{sure}", "  ")


def _note(names: Names, note: Mapping[str, Any]) -> str:
    """A note, its author, and what depends on it."""

    def listed(title: str, findings: Sequence[Mapping[str, Any]]) -> list[str]:
        found = [
            f"{one['grade']} {one['clause']} [{one['id']}]: {sentence(names.named(one['says']))}"
            for one in findings
        ]
        return [f"{title}: {' '.join(found)}"] if found else []

    rests = listed("Reported as agreed", note["agreed"])
    rests += listed("Not found because of it", note["gone"])
    rests += listed("Found because of it", note["new"])
    where = f"{note['where'][:1].upper()}{note['where'][1:]}"
    return f"{where}: {note['says']} ({note['by']}). {' '.join(rests) or 'No finding depends on it.'}"


def _steps(audit: Mapping[str, Any], log: str, steps: list[int]) -> str:
    numbers = ", ".join(map(str, steps))
    place = f"step{'s' if len(steps) > 1 else ''} {numbers}" if steps != [0] else "at the start"
    return f"{log}, {place}" if len(audit["logs"]) > 1 else place


def _where(audit: Mapping[str, Any], entries: Sequence[int]) -> str:
    """The steps of some entries, log by log."""
    found = []
    for log, same in groupby((audit["steps"][at] for at in entries), key=lambda one: str(one["log"])):
        found.append(_steps(audit, log, list(dict.fromkeys(int(one["step"]) for one in same))))
    return _capital(audit, "; ".join(found))


def _capital(audit: Mapping[str, Any], place: str) -> str:
    """Return a place with a capital letter, unless it begins with the name of a log."""
    return place[:1].upper() + place[1:] if len(audit["logs"]) == 1 else place


def _battle(audit: Mapping[str, Any], battle: Mapping[str, Any]) -> str:
    def listed(ids: Iterable[str]) -> str:
        return ", ".join(audit["counters"][name]["name"] for name in ids)

    announced = battle["stated"]["column"] if battle["stated"] else ""
    computed = battle["computed"]["column"] if battle["computed"] else ""
    parts = [f"odds {announced}"] if announced else []
    parts += [f"by the rules {computed}"] if computed and computed != announced else []
    parts += [f"die {'+'.join(map(str, battle['dice']))}"] if battle["dice"] else []
    parts += [f"result {battle['result']}"] if battle["result"] and battle["dice"] else []
    parts += [battle["result"]] if battle["result"] and not battle["dice"] else []
    defenders = listed(battle["defenders"])
    target = f"{battle['target']}{f' ({defenders})' if defenders else ''}"
    if battle["attackers"]:
        who = f"{listed(battle['attackers'])} against {target}"
    else:
        who = f"Attack on {target} declared; no attackers yet"
    return f"{_where(audit, [battle['at']])}: {'; '.join([who, *parts])}"


def _losses(audit: Mapping[str, Any]) -> list[str]:
    """A line for each turn and side: eliminated units, and the steps that others lost."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for one in audit["losses"]:
        if one["back"] is not None:
            continue
        steps = found.setdefault((one["turn"], one["side"]), {})
        gone = not one["steps"] or steps.get(one["counter"]) == 0
        steps[one["counter"]] = 0 if gone else steps.get(one["counter"], 0) + one["steps"]
    return [
        f"Turn {turn}, {audit['sides'].get(side, 'no side')}: "
        + ", ".join(audit["counters"][name]["name"] + _lost_steps(count) for name, count in steps.items())
        for (turn, side), steps in sorted(found.items())
    ]


def _lost_steps(count: int) -> str:
    return f" ({counted(count, 'step')})" if count else ""


def _dice(one: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{face}: {count}" for face, count in enumerate(one["counts"], 1))
    mean = f"average {one['mean']:g}, expected {one['fair_mean']:g}"
    chance = f"Fair dice would be this far from the expected average {one['as_far']:g}% of the time."
    rolls = counted(one["rolled"], f"d{one['sides']} roll")
    return f"{one['player'] or 'Unknown player'}: {rolls} ({counts}); {mean}. {chance}"


def summary(audit: Mapping[str, Any]) -> Iterator[str]:
    """Return a summary of a few lines: what was read and what was found."""
    actions = [one for one in audit["readings"] if one["grade"] is not None]
    read = Counter(one["read"] for one in actions)
    sources = [f"{one.value.partition(':')[0]} {read[one.value]}" for one in Certainty if read[one.value]]
    words = f". Sources: {', '.join(sources)}" if sources else ""
    yield from _wrapped(f"{counted(len(actions), 'action')} read{words}", "")
    yield from _found_and_judged(audit)
    if audit["withheld"]:
        kept = counted(audit["withheld"], "finding")
        about = "is about" if audit["withheld"] == 1 else "are about"
        yield from _wrapped(f"{kept} {about} hidden units and withheld until the game is over.", "")
    weak = sum(one["provenance"].startswith(RECONSTRUCTION.kind) for one in audit["findings"])
    if weak:
        rest = "rests" if weak == 1 else "rest"
        yield from _wrapped(
            f"{counted(weak, 'finding')} {rest} on reconstructed map, counter or chart values; "
            "--data DIR replaces them with printed ones.",
            "",
        )
