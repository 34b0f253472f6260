"""How much two names of a unit are alike: abbreviations, initials, numbers, spellings."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from attrs import field, frozen

_SAME = (
    "division div dv dn",
    "infantry inf",
    "armoured armored armd arm armor armour",
    "panzer pz pzr",
    "regiment regt rgt reg rct",
    "brigade bde brig bgde",
    "battalion bn btn bat abteilung abt",
    "corps cps korps",
    "parachute para airborne fallschirmjager fallschirm fjr fj pb prcht",
    "artillery art arty artl",
    "cavalry cav",
    "headquarters hq em staff",
    "motorised motorized mot mech mechanised",
    "luftwaffe lw",
    "british br brit uk gb english",
    "american us usa am amer",
    "german ge ger de",
    "italian it ital",
    "french fr fre",
    "zealand nz",
    "movement move mv moves moving",
    "combat cbt fight attack battle attacks",
    "recovery rec rally recover",
    "reinforcements reinf reinforce rein reinforcement",
    "disrupted disr dis disrupt disruption",
    "disordered disorder dsord",
    "reduced red half back reverse flipped flip rear weakened step",
    "eliminated dead lost losses killed graveyard casualties destroyed elim pile",
)
_WORD = {word: group.split()[0] for group in _SAME for word in group.split()}
_EMPTY = frozenset(
    re.findall(r"\w+", "the of von der de la le du and d png jpg gif svg counter unit in on to at a for")
)
_ROMAN = re.compile(r"[ivx]+")
FACTORS = re.compile(r"(?<![\w.])\(?(\d{1,2}(?:[-/]\d{1,2}){1,4})\)?(?![\w.])")
"""Numbers as counters print them: ``4-6``, ``3-4-5``."""


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a name: small, without accents and what says nothing."""
    plain = unicodedata.normalize("NFKD", FACTORS.sub(" ", text)).encode("ascii", "ignore").decode().lower()
    found = re.findall(
        r"\d+|[a-z]+", re.sub(r"(\d)(st|nd|rd|th|e)\b", r"\1", re.sub(r"\b[dl](?=')|'", "", plain))
    )
    return tuple(_WORD.get(word, word) for word in found if word not in _EMPTY) or tuple(found)


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> float:
    """How much two words are alike, from 0 to 1."""
    if one == other:
        return 1.0
    if one.isdigit() or other.isdigit() or _ROMAN.fullmatch(one) or _ROMAN.fullmatch(other):
        return 0.0
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return 0.5 if len(short) == 1 else 0.85 if len(short) == 2 else 0.95
    if len(short) > 1 and short[0] == long[0] and _is_within(short, long):
        return 0.6
    if len(short) > 3 and SequenceMatcher(None, one, other).ratio() > 0.79:
        return 0.85
    return 0.0


def _is_within(short: str, long: str) -> bool:
    """Whether the letters of an abbreviation stand in a word in their order."""
    letters = iter(long)
    return all(letter in letters for letter in short)


@frozen
class Names:
    """The names of one thing: those of its own, and words that may go with them."""

    own: tuple[tuple[str, ...], ...]
    beside: frozenset[str] = frozenset()

    @classmethod
    def of(cls, own: Iterable[str], beside: Iterable[str] = ()) -> Names:
        """Take names apart."""
        parts = tuple(dict.fromkeys(words for text in own if (words := words_of(text))))
        return cls(parts, frozenset(word for text in beside for word in words_of(text)))


@frozen
class Likeness:
    """Compares names of which rare words count more than those that many share."""

    known: tuple[Names, ...]
    _often: dict[str, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Count words."""
        for names in self.known:
            for word in {word for words in names.own for word in words}:
                self._often[word] = self._often.get(word, 0) + 1

    def weight(self, word: str) -> float:
        """How much weight a word has."""
        return math.log(1.5 + len(self.known) / (1 + self._often.get(word, 0)))

    def of(self, text: str, names: Names) -> float:
        """How much a text is like one of the names, from 0 to 1; less if their numbers differ."""
        words = words_of(text)
        if not words:
            return 0.0
        return max((self._of(words, own, names.beside) for own in names.own), default=0.0)

    def _of(self, words: Sequence[str], own: Sequence[str], beside: frozenset[str]) -> float:
        left = list(own)
        said = matched = 0.0
        for word in words:
            weight = self.weight(word)
            best = max(left, key=lambda one: alike(word, one), default="")
            value = alike(word, best) if best else 0.0
            initials = _initials(word, left)
            if len(initials) > 1 and value < 0.9:
                matched += 0.9 * max(weight, *(self.weight(one) for one in initials))
                said += max(weight, *(self.weight(one) for one in initials))
                left = [one for one in left if one not in initials]
            elif value > 0.4:
                matched += value * weight
                said += weight
                left.remove(best)
            elif any(alike(word, one) > 0.8 for one in beside):
                said += 0.3 * weight
                matched += 0.3 * weight
            else:
                said += weight
        whole = sum(map(self.weight, own))
        missing = sum(map(self.weight, left))
        score = 0.6 * matched / said + 0.4 * (whole - missing) / whole if said and whole else 0.0
        numbers, others = {w for w in words if w.isdigit()}, {w for w in own if w.isdigit()}
        if numbers and others and not numbers & others:
            score -= 0.5
        return max(score, 0.0)


def _initials(word: str, names: Sequence[str]) -> list[str]:
    """The words in a row whose initials an abbreviation is, such as those of CFA."""
    if not 2 <= len(word) <= 4 or not word.isalpha():
        return []
    for first in range(len(names) - len(word) + 1):
        row = names[first : first + len(word)]
        if "".join(one[0] for one in row) == word:
            return list(row)
    return []


def factors_in(text: str) -> list[tuple[int, ...]]:
    """All groups of factors in a text."""
    return [tuple(map(int, re.split(r"[-/]", found))) for found in FACTORS.findall(text)]
