"""Verbs that agree with the name of a unit: ``Sappers are``, where a rule says ``is``.

Rules word their findings for one unit: ``{unit} needs 5 MP to reach 8414; it has 4.`` If its name is a plural
(:attr:`vassalgen.game.counters.Counter.is_plural`), the verbs and pronouns of its sentence are changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_NO_VERBS = frozenset(("across", "as", "its", "this", "whereas"))
_FURTHER = (
    *("is", "was", "has", "does", "goes", "acts", "advances", "attacks", "charges", "ends", "enters"),
    *("fights", "fires", "joins", "keeps", "leaves", "loses", "moves", "needs", "passes", "pursues"),
    *("recovers", "retreats", "returns", "routs", "starts", "stays", "stops", "takes", "traces"),
)
"""Verbs that may follow ``and`` or ``but`` and still refer to the unit."""
_FIRST = re.compile(r"((?: in \S+)?(?: (?:already|also|still))? )([a-z]+)")
_AFTER_IT = re.compile(r"\bit ((?:already |also |still )?)([a-z]+)")
_JOINED = re.compile(rf"\b((?:and|but)(?: already| also| still)? )({'|'.join(_FURTHER)})\b")
_OF_IT = re.compile(r"\b(against|at|by|calls for|costs|for|from|into|makes|of|on|onto|to|with) it\b")
_SENTENCES = re.compile(r"(?<=[.:;]) (?=[A-Z0-9])")


def agreed(text: str, plurals: Sequence[str]) -> str:
    """Return a finding with plural verbs in the sentences that begin with one of the names."""
    if not any(name in text for name in plurals):
        return text
    return " ".join(_sentence(sentence, plurals) for sentence in _SENTENCES.split(text))


def _sentence(text: str, plurals: Sequence[str]) -> str:
    name = max((name for name in plurals if text.startswith(f"{name} ")), key=len, default="")
    first = _FIRST.match(text, len(name)) if name else None
    if first is None or first[2] in ("and", "or"):
        return text
    rest = text[first.end() :]
    rest = _OF_IT.sub(r"\1 them", rest)
    rest = _AFTER_IT.sub(lambda found: f"they {found[1]}{plural_verb(found[2])}", rest)
    rest = _JOINED.sub(lambda found: found[1] + plural_verb(found[2]), rest)
    rest = re.sub(r"\bits\b", "their", rest)
    return f"{name}{first[1]}{plural_verb(first[2])}{rest}"


def plural_verb(verb: str) -> str:
    """Return the plural of a verb in the present tense; any other word unchanged."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb in _NO_VERBS or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes")) else verb[:-1]
