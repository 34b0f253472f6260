"""Statements put more plainly: with the counters that a group stands for, without what adds nothing.

This is tried only if a statement cannot be read in other ways: ``both attackers lose a step``, ``Rey's men
retreat to 2817``, ``Rey (7) attacks 2617``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from referee.engine.actions import Verb
from referee.engine.idiom import Idiom
from referee.record.forms import Names
from vassalgen.problems import FormatError

_UNITS = "units?|brigades?|divisions?|regiments?|battalions?|counters?|pieces?"
_EACH = r"(?P<each>(?:(?:both|each|every)(?: of)? )?)(?:the |all )*"
_WHERE = r" (?:in|at|on) (?:hex )?(?P<hex>[\w-]+)"
_GROUPS = (
    (rf"{_EACH}(?P<who>attack|defend)(?P<many>ers?|ing (?:{_UNITS}))", "fighting"),
    (rf"{_EACH}(?:whole |entire )?(?P<who>stack)(?:{_WHERE})?", "stack"),
    (rf"{_EACH}(?P<who>units|brigades|divisions|regiments){_WHERE}", "stack"),
    (rf"(?P<each>both)(?: (?:the|these))? (?P<who>{_UNITS})", "pair"),
)
"""Groups of counters, each with how its members are found."""
_TOGETHER = r" (?:alone|as (?:a|one) stack|as one|(?:stacked )?together|stacked)\b"
_MODIFIED = r"(?<=\d)(?:,? \(?(?:adjusted|modified|net)(?: to| is)? \d+\)?| ?[-+] ?\d+ ?= ?\d+)$"
_FIRST = (
    r"^(?:then|now|afterwards|finally|next),? (?=\w+ )"
    r"|^(?:the )?(?:first|second|third|fourth|next|last) (?:attack|battle|combat|melee): "
)
_COST = (
    r",? \(?(?:(?:at|for|with) )?(?:(?:an?|the|its) )?(?:total )?"
    r"(?:cost(?:s|ing)?(?: of)?|pay(?:s|ing)|us(?:es|ing)|spend(?:s|ing)|for) \d+(?:\.\d+|½)?"
    r"(?: (?:mp|mf|mps|mfs|points?|movement (?:points?|factors?)))?\)?$"
)
_SUMS = r"^(?:the )?(?:odds |ratio )?(?:are |is |of )?(\d+) ?(?:to|:|-|against|vs\.?|versus) ?(\d+),?"
_MAKES = r"(?: ?= ?| is | i\.e\. | so | gives | makes | ?-> ?| = odds | that is )(?:odds )?"
_ASIDE = r" \((?:[\d.:+=,/ -]|\b(?:costs?|die|drm|is|mf|modified|mp|natural|of|points?|to|total|vs)\b)+\)$"
_NOT_DONE = (
    "advance|attack|charge|fight|fire|follow(?: up)?|help|intervene|lead|move|participate|pursue|react"
    "|retreat|rout|support|take part"
)
_IDLE = (
    rf"(?P<who>.+?) (?:(?:do|does|did|will) not|(?:decline|refuse)s? to) (?:{_NOT_DONE})"
    r"(?: after combat| further| at all| in it| it)?",
    r"(?P<who>.+?) (?:lose|suffer|take)s? (?:no (?:further )?(?:hits?|loss|losses|steps?)|nothing)",
    r"(?:nobody|no one|no unit|none(?: of them)?) (?:advances|attacks|charges|fires|moves|pursues|retreats)",
    r"no (?:further |more )?(?:advance|casualties|charge|loss|losses|pursuit|support)(?: after combat)?",
    r"neither (?:side|player) (?:adds|commits|uses)(?: any)? (?:air|artillery|aviation)(?: points?)?",
    r"(?P<who>.+?) (?:holds?|remains?|stays?)(?: fast| put| still| there| behind| in place"
    r"| where (?:it|he|they) (?:is|are|stands?)| (?:in|at|on) (?:hex )?(?P<hex>[\w-]+))?",
)
"""Statements that nothing is done."""


def reworded(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> str:
    """Return a statement in plainer words, the same one if there are none; FormatError if it is not clear
    which counters are meant.
    """
    if sums := re.match(f"{_SUMS}{_MAKES}(\\d+)[:/-](\\d+)$|{_SUMS}{_MAKES}(\\d+) to (\\d+)$", text):
        attack, defence, *odds = (one for one in sums.groups() if one)
        return f"{idiom.odds} {odds[0]}:{odds[1]} attack {attack} defence {defence}" if idiom.odds else text
    for superfluous in (_FIRST, _COST, _MODIFIED, _ASIDE, _TOGETHER):
        text = re.sub(superfluous, "", text, flags=re.IGNORECASE)
    text = re.sub(r"(?<=\w) also (?=\w+s\b)", " ", text)
    text = re.sub(r" both (?=(?:lose|take)s? )", " each ", text)
    text = _without_strengths(names, text)
    text = _without_possessives(names, verbs, idiom, text)
    return _by_members(names, verbs, idiom, text)


def is_idle(names: Names, text: str) -> bool:
    """Return whether a statement says that nothing is done: ``Cadogan does not advance``."""
    for form in _IDLE:
        if said := re.fullmatch(form, text.rstrip("."), re.IGNORECASE):
            parts = said.groupdict()
            return "who" not in parts or _stays(names, parts["who"].split(), parts.get("hex"))
    return False


def _stays(names: Names, words: list[str], where: str | None) -> bool:
    """Return whether words name counters, or those of a battle, that may be in a hex."""
    if " ".join(words).lower().removeprefix("the ") in ("attacker", "attackers", "defender", "defenders"):
        return where is None
    while words and (name := names.first(words)):
        if where and names.placed.get(name, where) != where:
            return False
        del words[: words[:1] == ["and"]]
    return not words


def _without_strengths(names: Names, text: str) -> str:
    """A text without the strengths in brackets after names of units: those of full units before the first
    action, which would otherwise be the steps left.
    """

    def kept(found: re.Match[str]) -> str:
        before = text[: found.start()].split()
        for start in range(len(before)):
            alone, with_it = before[start:], [*before[start:], found[0].strip()]
            named, whole = names.first(alone), names.first(with_it)
            if named and not alone:
                strengths = names.game.counters[named].strengths
                is_known = int(found[1]) in (strengths if names.begun else strengths[:1])
                return "" if is_known and whole == named and with_it else found[0]
        return found[0]

    return re.sub(r" \((\d+)(?:[-/]\d+)*(?: (?:steps?|sp|cf|strength))?\)", kept, text, flags=re.IGNORECASE)


def _without_possessives(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> str:
    """A text in which ``Rey's men`` are the counter, if it is a unit and not its commander."""

    def unit(found: re.Match[str]) -> str:
        words = found[1].split()
        name = names.first(words)
        return found[1] if name and not words and _fights(names, verbs, idiom, name) else found[0]

    return re.sub(rf"\b([\w.-]+)['’]s? (?:men|troops|soldiers|{_UNITS})\b", unit, text)


def _by_members(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> str:
    """A text with the counters that its groups stand for."""
    for form, how in _GROUPS:
        found = re.search(rf"(?<![\w-]){form}(?![\w-])", text, re.IGNORECASE)
        if found is None:
            continue
        parts = found.groupdict()
        members = _members(names, verbs, idiom, how, parts)
        is_one = parts.get("many") in ("er", "ing unit") and not parts["each"]
        if not members or (is_one and len(members) > 1):
            raise FormatError(
                f"it is not clear which counters are meant by {found[0].strip()!r}", "name them"
            )
        rest = text[found.end() :]
        each = " each" if parts["each"] and re.match(" (?:lose|take)", rest) and len(members) > 1 else ""
        return f"{text[: found.start()]}{' and '.join(members)}{each}{rest}"
    return text


def _members(
    names: Names, verbs: Mapping[str, Verb], idiom: Idiom, how: str, parts: Mapping[str, str | None]
) -> Sequence[str]:
    """The counters of a group; none if it is not clear which they are."""
    attackers = [one for one in names.attackers if _fights(names, verbs, idiom, one)]
    defenders = [one for one in names.defenders if _fights(names, verbs, idiom, one)]
    if how == "fighting":
        return attackers if (parts["who"] or "").lower() == "attack" else defenders
    if names.all_set_up:
        return ()
    stacks: dict[str, list[str]] = {}
    for name, where in names.placed.items():
        if where in names.game.map.grid:
            stacks.setdefault(where, []).append(name)
    if how == "pair":
        units = [[one for one in stack if _fights(names, verbs, idiom, one)] for stack in stacks.values()]
        pairs = [one for one in ((attackers, defenders) if names.attacked else units) if len(one) == 2]
        return pairs[0] if len(pairs) == 1 else ()
    if hex_ := parts.get("hex"):
        return stacks.get(hex_, stacks.get(hex_.upper(), ()))
    several = [stack for stack in stacks.values() if len(stack) > 1]
    return several[0] if len(several) == 1 else ()


def _fights(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, name: str) -> bool:
    """Return whether a counter is one of those that attack and lose steps."""
    kind = names.game.counters[name].kind
    needed = (verbs[one] for one in (idiom.attack, idiom.steps[0]) if one in verbs)
    return all(not verb.kinds or kind in verb.kinds for verb in needed)


def in_parts(verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> Iterator[tuple[str, str]]:
    """Yield a statement as two, divided at an "and"; the second may need the counters of the first."""
    for sign in re.finditer(r",? and (?:then )?|, (?:then )?", text):
        first, second = text[: sign.start()], text[sign.end() :]
        if second.partition("!")[0].strip().isdecimal() and idiom.also not in verbs:
            continue  # two dice of one roll, not two rolls
        if idiom.also in verbs:
            yield first, f"{idiom.also} {second}"
        if idiom.also in verbs and (further := re.fullmatch(r"(?:also )?([A-Z]?\d+( *!.*)?)", second)):
            second = f"{idiom.also} {further[1]}"
        yield first, second
        if done := re.fullmatch(r"(.+?)((?: each)? (?:lose|take)s? [^!]+)(!.*)?", second):
            does = done[2].replace(" each", "")
            if does != done[2]:
                yield f"{first}{does}", f"{done[1]}{does}{done[3] or ''}"
