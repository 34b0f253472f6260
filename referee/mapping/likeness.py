"""The similarity of two names of a unit: abbreviations, initials, numbers, spellings."""

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
    "panzergrenadier pzgr pzg pzgren",
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
    "combat cbt fight attack battle attacks melee assault battles",
    "leaders leader generals general",
    "recovery rec rally recover",
    "stuck bogged mired mud",
    "supply oos unsupplied",
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
_SAYS_NOTHING = _EMPTY | {"st", "nd", "rd", "th"}
_ROMAN = re.compile(r"[ivx]+")
_WORDS, _LETTERS = re.compile(r"\d+|[a-z]+"), re.compile(r"[A-Za-z]+")
_ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th|e)(?![a-z])")
_RUN_TOGETHER = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""The positions where joined words begin: ``DivVonBroich``, ``XIXFrCorps``."""
FACTORS = re.compile(r"(?<![\w.])\(?(\d{1,2}(?:[-/]\d{1,2}){1,4})\)?(?![\w.])")
"""Numbers as counters print them: ``4-6``, ``3-4-5``."""
SHORTEST = 4
"""The length from which on words are split."""
LIKE, DIFFER = 0.4, 0.5
"""The similarity from which on words count as the same; the penalty for different numbers."""


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a name: in lower case, without accents and without meaningless words."""
    plain = unicodedata.normalize("NFKD", FACTORS.sub(" ", text)).encode("ascii", "ignore").decode()
    apart = _LETTERS.sub(_words_apart, re.sub(r"\b[dlDL](?=')|'", "", plain))
    found = [word.lstrip("0") or "0" for word in _WORDS.findall(_ORDINAL.sub(r"\1 ", apart.lower()))]
    if len(found) > 1 and found[0] == "de":  # a nation; within a name it has no meaning
        found[0] = _WORD["de"]
    return tuple(_WORD.get(word, word) for word in found if word not in _EMPTY) or tuple(found)


def _words_apart(letters: re.Match[str]) -> str:
    """Consecutive letters split where words begin, except in known abbreviations."""
    return letters[0] if letters[0].lower() in _WORD else _RUN_TOGETHER.sub(" ", letters[0])


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> float:
    """The similarity of two words, from 0 to 1."""
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
    """Whether the letters of an abbreviation occur in a word in this order."""
    letters = iter(long)
    return all(letter in letters for letter in short)


@frozen
class Names:
    """The names of one thing: its own, and words that may accompany them."""

    own: tuple[tuple[str, ...], ...]
    beside: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """All words of the names and their accompanying words."""
        return self.beside.union(*self.own)

    @classmethod
    def of(cls, own: Iterable[str], beside: Iterable[str] = ()) -> Names:
        """Split names into words."""
        parts = tuple(dict.fromkeys(words for text in own if (words := words_of(text))))
        return cls(parts, frozenset(word for text in beside for word in words_of(text)))


@frozen
class Likeness:
    """Compares names; rare words have more weight than words that many names share.

    ``alone`` is the weight of a similarity that consists only of accompanying words.
    """

    known: tuple[Names, ...]
    alone: float = 1.0
    _weights: dict[str, float] = field(factory=dict, init=False)
    _alike: dict[str, dict[str, float]] = field(factory=dict, init=False)
    _near: dict[str, frozenset[int]] = field(factory=dict, init=False)
    _beside: dict[tuple[str, frozenset[str]], bool] = field(factory=dict, init=False)
    _holders: dict[str, list[int]] = field(factory=dict, init=False)
    _parts: dict[str, tuple[str, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Count words, and record which names contain them."""
        for place, names in enumerate(self.known):
            for word in {word for words in names.own for word in words}:
                self._holders.setdefault(word, []).append(place)

    def weight(self, word: str) -> float:
        """The weight of a word."""
        found = self._weights.get(word)
        if found is None:
            often = len(self._holders.get(word, ()))
            found = self._weights[word] = math.log(1.5 + len(self.known) / (1 + often))
        return found

    def of(self, text: str, names: Names) -> float:
        """The similarity of a text to the most similar of the names, from 0 to 1; less if their numbers
        differ.
        """
        return self._of_names(self.words_in(text), names)

    def _of_names(self, words: Sequence[str], names: Names) -> float:
        return max((self._of(words, own, names.beside) for own in names.own), default=0.0) if words else 0.0

    def words_in(self, text: str) -> tuple[str, ...]:
        """The words of a text; joined words are split."""
        return tuple(part for word in words_of(text) for part in self._taken_apart(word))

    def holders(self, word: str) -> int:
        """The number of known names that may contain a word."""
        return len(self._names_near(word))

    def _taken_apart(self, word: str) -> tuple[str, ...]:
        """An unknown word split into as few known words as possible: ``pzdiv``, ``vonbroich``."""
        found = self._parts.get(word)
        if found is None:
            found = (word,)
            if len(word) >= SHORTEST and word.isalpha() and not self._is_known(word):
                best: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
                for end in range(2, len(word) + 1):
                    for start in range(end - 1):
                        before, part = best[start], word[start:end]
                        if before is None or not self._is_known(part):
                            continue
                        known = best[end]
                        if known is None or len(before) + 1 < len(known):
                            best[end] = (*before, part)
                parts = best[-1] or (word,)
                found = tuple(_WORD.get(part, part) for part in parts if part not in _SAYS_NOTHING) or (word,)
            self._parts[word] = found
        return found

    def of_all(self, text: str) -> list[float]:
        """The similarity of a text to each of the known names.

        If a text shares no word with a name, not even partly, it is similar only to the accompanying words.
        """
        words = self.words_in(text)
        near = frozenset().union(*map(self._names_near, words))
        numbered = any(word.isdigit() for word in words)
        only_beside: dict[frozenset[str], float] = {}
        found = []
        for place, names in enumerate(self.known):
            if place in near:
                found.append(self._of_names(words, names))
                continue
            if names.beside not in only_beside:
                only_beside[names.beside] = self._of(words, ("",), names.beside) if words else 0.0
            differ = numbered and all(any(word.isdigit() for word in own) for own in names.own)
            found.append(max(only_beside[names.beside] - DIFFER * differ, 0.0))
        return found

    def _is_known(self, word: str) -> bool:
        return word in self._holders or word in _WORD or word in _SAYS_NOTHING

    def _words_alike(self, word: str) -> dict[str, float]:
        """The words of known names that may be meant by this one, with their similarities."""
        found = self._alike.get(word)
        if found is None:
            rated = ((one, alike(word, one)) for one in self._holders)
            found = self._alike[word] = {one: value for one, value in rated if value > LIKE}
        return found

    def _names_near(self, word: str) -> frozenset[int]:
        """The known names with a word similar to this one, or with words whose initials it is."""
        found = self._near.get(word)
        if found is None:
            near = {place for one in self._words_alike(word) for place in self._holders[one]}
            near |= {
                place for place, one in enumerate(self.known) if any(_initials(word, own) for own in one.own)
            }
            found = self._near[word] = frozenset(near)
        return found

    def _is_beside(self, word: str, beside: frozenset[str]) -> bool:
        """Whether a word is one of those that accompany a name."""
        found = self._beside.get((word, beside))
        if found is None:
            found = self._beside[word, beside] = any(alike(word, one) > 0.8 for one in beside)
        return found

    def _of(self, words: Sequence[str], own: Sequence[str], beside: frozenset[str]) -> float:
        left = list(own)
        said = matched = 0.0
        is_named = False
        for word in words:
            weight, value, best = self.weight(word), 0.0, ""
            values = self._words_alike(word)
            for one in left:
                if values.get(one, 0.0) > value:
                    value, best = values[one], one
            initials = _initials(word, left)
            if len(initials) > 1 and value < 0.9:
                matched += 0.9 * max(weight, *(self.weight(one) for one in initials))
                said += max(weight, *(self.weight(one) for one in initials))
                left = [one for one in left if one not in initials]
                is_named = True
            elif best:
                matched += value * weight
                said += weight
                left.remove(best)
                is_named = True
            elif self._is_beside(word, beside):
                said += 0.3 * weight
                matched += 0.3 * weight
            else:
                said += weight
        whole = sum(map(self.weight, own))
        missing = sum(map(self.weight, left))
        score = 0.6 * matched / said + 0.4 * (whole - missing) / whole if said and whole else 0.0
        numbers, others = {w for w in words if w.isdigit()}, {w for w in own if w.isdigit()}
        if numbers and others and not numbers & others:
            score -= DIFFER
        return max(score if is_named else score * self.alone, 0.0)


def _initials(word: str, names: Sequence[str]) -> list[str]:
    """The consecutive words whose initials form an abbreviation such as CFA; the last may be complete, as in
    DAF.
    """
    if not 2 <= len(word) <= 4 or not word.isalpha():
        return []
    for first in range(len(names)):
        for last in range(first + 1, min(first + len(word), len(names))):
            initials = "".join(one[0] for one in names[first:last])
            if word in (initials + names[last][0], initials + names[last]):
                return list(names[first : last + 1])
    return []


def factors_in(text: str) -> list[tuple[int, ...]]:
    """All groups of factors in a text."""
    return [tuple(map(int, re.split(r"[-/]", found))) for found in FACTORS.findall(text)]
