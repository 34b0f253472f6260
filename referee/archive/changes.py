"""What changed between two verdicts on a game: findings that are new or gone, or have another grade or
clause.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

FindingValues = Mapping[str, Any]
Judged = tuple[str, Mapping[str, Any], Sequence[FindingValues]]
"""What went wrong, the basis of a verdict, and its findings."""

APPEARED, WENT, GRADE, CLAUSE, WORDS, FAILED, FIXED = (
    "new finding",
    "finding gone",
    "another grade",
    "another clause",
    "other words",
    "cannot be judged",
    "can be judged",
)
_CAUSES = {
    "program": "the program",
    "rules": "the code of the rules",
    "data": "the data of the game",
    "game": "the game",
    "module": "the module",
    "map": "the map of the module",
    "logs": "the logs",
    "shared": "where the branch begins",
    "options": "the options",
    "form": "how verdicts are kept",
}


@frozen
class Change:
    """A difference: the ``old`` and the ``new`` finding, None if there is none, and ``why``: the differences
    in the basis of the two verdicts.
    """

    kind: str
    why: str
    old: FindingValues | None = None
    new: FindingValues | None = None


def compare(before: Judged, after: Judged) -> list[Change]:
    """Return what changed, in the order of the logs."""
    (failed, old_basis, old), (fails, new_basis, new) = before, after
    why = causes(old_basis, new_basis)
    if fails:
        return [] if failed else [Change(FAILED, why, None, {"says": fails})]
    if failed:
        return [Change(FIXED, why, {"says": failed}), *(Change(APPEARED, why, None, one) for one in new)]
    pairs, gone, come = _matched(
        [(one, old_basis["logs"][one["number"]]) for one in old],
        [(one, new_basis["logs"][one["number"]]) for one in new],
    )
    found = [change for one, other in pairs if (change := _changed(one, other, why))]
    found += [Change(WENT, why, one, None) for one in gone]
    found += [Change(APPEARED, why, None, one) for one in come]
    return sorted(found, key=_place)


def causes(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """The differences in the basis of two verdicts, in words."""
    return ", ".join(words for name, words in _CAUSES.items() if old.get(name) != new.get(name))


def _matched(
    old: list[tuple[FindingValues, str]], new: list[tuple[FindingValues, str]]
) -> tuple[list[tuple[FindingValues, FindingValues]], list[FindingValues], list[FindingValues]]:
    """Pairs of old and new findings: by clause and units, then by units, then if alone in their step."""
    pairs: list[tuple[FindingValues, FindingValues]] = []
    for keys in (("clause", "grade", "units"), ("clause", "units"), ("units",), ()):
        left: dict[Any, list[tuple[FindingValues, str]]] = defaultdict(list)
        for one, log in new:
            left[_key(one, log, keys)].append((one, log))
        others = []
        taken: list[int] = []
        alike = Counter(_key(one, log, keys) for one, log in old)
        for one, log in old:
            key = _key(one, log, keys)
            fitting = left[key]
            if fitting and (keys or len(fitting) == alike[key] == 1):
                other, _ = fitting.pop(0)
                pairs.append((one, other))
                taken.append(id(other))
            else:
                others.append((one, log))
        old = others
        new = [(one, log) for one, log in new if id(one) not in taken]
    return pairs, [one for one, _ in old], [one for one, _ in new]


def _key(one: FindingValues, log: str, names: Iterable[str]) -> Any:
    values = [tuple(one[name]) if isinstance(one[name], list) else one[name] for name in names]
    return (log, tuple(one["steps"]), *values)


def _changed(old: FindingValues, new: FindingValues, why: str) -> Change | None:
    for name, kind in (("clause", CLAUSE), ("grade", GRADE), ("says", WORDS)):
        if old[name] != new[name]:
            return Change(kind, why, old, new)
    return None


def _place(change: Change) -> tuple[int, int]:
    one = change.new or change.old or {}
    return one.get("number", 0), one.get("at", 0)


def in_words(change: Change) -> list[str]:
    """A change as lines: what happened to which finding, with the old and the new text."""
    one = change.new or change.old or {}
    if change.kind in (FAILED, FIXED):
        return [f"{change.kind}: {one.get('says', '')}"]
    where = f"{one['log']}, step {one['steps'][-1]}"
    old, new = change.old, change.new
    if old and new:
        lines = [f"{where}: {change.kind}"]
        return [*lines, f"  was {_short(old)}", f"  is  {_short(new)}"]
    return [f"{where}: {change.kind}", f"  {'was' if old else 'is '} {_short(one)}"]


def _short(one: FindingValues) -> str:
    return f"{one['grade']} {one['clause']}: {one['says']}"
