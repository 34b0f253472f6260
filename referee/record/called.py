"""Which counter, box or state of a game the words of a record name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from attrs import frozen

from referee.engine.actions import Part, Verb
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game, unknown
from vassalgen.problems import FormatError

NEVER = frozenset(
    (
        *("and", "as", "at", "by", "for", "from", "in", "into", "is", "of", "off", "on", "onto", "the", "to"),
        *("up", "down", "step", "steps", "turn", "with"),
    )
)
"""Words that join others, and never belong to a shortened name."""
_POSSESSIVE = re.compile(r"['’]s?$")
_SHORT = 3
"""From this length on, the beginning of a word is enough."""
LONG_NUMBER = 3
"""From this many digits on, a number that is no hex may be that of a counter wherever counters are named."""
_GONE = frozenset(("dead", "destroyed", "eliminated", "loss", "losses", "lost", "pile"))
"""What players call the box of eliminated counters."""
_SHORTENED = {
    "af": ("air", "force"),
    "armd": ("armoured",),
    "bde": ("brigade",),
    "bn": ("battalion",),
    "div": ("division",),
    "gds": ("guards",),
    "gren": ("grenadier",),
    "hq": ("em",),
    "inf": ("infantry",),
    "nz": ("new", "zealand"),
    "pz": ("panzer",),
    "pzg": ("panzergrenadier",),
    "pzgr": ("panzergrenadier",),
    "pzgren": ("panzergrenadier",),
    "regt": ("regiment",),
    "rgt": ("regiment",),
    "st": ("saint",),
}
"""Words that players shorten or spell in several ways, with the full words."""
_ORDINALS = frozenset(("first", "second", "third", "fourth"))
"""Words that name no counter alone: ``second roll 5``."""
_ENDINGS = ("s", "er", "ers")
"""Endings of a name used for its units: Churchills, New Zealanders."""
_OTHER_STATES = {"oos": "out of supply", "unsupplied": "out of supply", "out of control": "uncontrolled"}
"""What players call states apart from their titles."""


@lru_cache(maxsize=10_000)
def plain(text: str) -> tuple[str, ...]:
    """Return the words of a name in a simple spelling: lower case, no accents, 21 for 21st."""
    letters = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    letters = letters.replace("armored", "armoured")
    words = re.findall(r"[a-z0-9]+", letters)
    return tuple(
        re.sub(
            r"^(\d+)(st|nd|rd|th)$", r"\1", re.sub("([aou])e", r"\1", word) if len(word) > _SHORT else word
        )
        for word in words
    )


@frozen(eq=False)
class CounterNames:
    """The names of a game's counters: ids, names, and words that only one counter has.

    ``verbs`` are those of the game: the words of their forms do not belong to shortened names.
    """

    game: Game
    verbs: Iterable[Verb]

    def first(self, words: Sequence[str], placed: Collection[str] = ()) -> tuple[str, int]:
        """Return the counter named at the beginning of words, using as many words as possible, and their
        number. A name that is also the id of a counter without its side is that of the one that is placed.
        """
        if not words:
            return "", 0
        found, length, is_name = self._shortened(words)
        shortened = next(iter(found)) if len(found) == 1 and is_name else ""
        exact, exactly = self._exactly(words)
        if shortened and not exact and shortened not in placed:
            word = words[0].rstrip(",").lower()
            twin = next((name for name in placed if name.partition("-")[2] == word), "")
            shortened, length = (twin, 1) if twin else (shortened, length)
        if shortened and (not exact or (shortened == exact and length > exactly)):
            return shortened, length
        return exact, exactly

    def _exactly(self, words: Sequence[str]) -> tuple[str, int]:
        """The counter whose id or whole name the words begin with, and the number of those words."""
        lengths = (1,) if words[0].rstrip(",") in self.game.counters else range(len(words), 0, -1)
        for length in lengths:
            known = self._exact.get(" ".join(words[:length]).rstrip(",").lower())
            if known and length <= self._longest and not self._is_shared(words[0], known):
                return known, length
        return "", 0

    def _is_shared(self, word: str, known: str) -> bool:
        """Return whether a name, written as one, is an id without the side, and several counters have it in
        their names: ``Anson``, of G. Anson and W. Anson.
        """
        name = word.rstrip(",")
        if not name[:1].isupper() or plain(self.game.counters[known].name) == plain(name):
            return False
        said = {*plain(name)}
        return sum(said <= {*plain(one.name)} for one in self._named) > 1

    def numbered(self, word: str, digits: int = LONG_NUMBER) -> str:
        """Return the counter with a number of at least so many digits, which only it has as its label or
        as its id without the side; empty if there is none.
        """
        number = word.rstrip(",")
        return self._by_number.get(number, "") if len(number) >= digits else ""

    def labelled(self, text: str) -> str:
        """Return the only counter on which a text is printed; empty if there is none."""
        found = [one.id for one in self._named if one.label.lower() == text.lower()]
        return found[0] if len(found) == 1 else ""

    def several(self, words: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """Return the counters that the words may name if there are several, and the number of words."""
        found, length, is_name = self._shortened(words)
        several = is_name and len(found) > 1
        return tuple(name for name in self.game.counters if several and name in found), length

    def _shortened(self, words: Sequence[str]) -> tuple[set[str], int, bool]:
        """The counters with the first words in their names, the number of words, and whether they name any
        counter.

        A number or a town alone names none. Redundant words are included, but not numbers: ``EM 21st Panzer
        Division 2``.
        """
        fitting: set[str] = set()
        said: set[str] = set()
        length, is_name, is_owner = 0, False, False
        for word in words:
            parts = plain(_POSSESSIVE.sub("", word))
            if (
                not parts
                or said & {*parts}
                or {word.lower().strip(",."), *parts} & self._reserved
                or ".." in word
            ):
                break
            left = set.intersection(*map(self._with, parts))
            left = left & fitting if length else left
            if not left or (len(fitting) == 1 and "".join(parts).isdigit()):
                break
            fitting, length = left, length + 1
            is_owner = _POSSESSIVE.search(word) is not None
            said = said.union(parts, *(_SHORTENED.get(part, ()) for part in parts))
            is_name |= any(map(self._is_name, parts))
            if word.endswith(","):
                break
        if is_owner:  # what belongs to it is not known
            return set(), 0, False
        complete = {name for name in fitting if {*plain(self.game.counters[name].name)} <= said}
        return complete or fitting, length, is_name

    def _is_name(self, word: str) -> bool:
        """Return whether a word, or the one of which it is the plural, is more than a number, a letter or a
        town.
        """
        known = {word, word.removesuffix("s")} & self._by_word.keys() or word in _SHORTENED
        is_plain = word.isdigit() or word in self._places or word in _ORDINALS
        return bool(known) and len(word) > 1 and not is_plain

    def _with(self, word: str) -> set[str]:
        """The counters with a word, with the word for which it is short, or with one that begins with it."""
        found = self._by_word.get(word, set())
        if word in _SHORTENED:
            return found | set.intersection(*map(self._with, _SHORTENED[word]))
        if found or len(word) < _SHORT or word.isdigit():
            return found
        endings = tuple(word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
        begun = (
            one for one in self._by_word if one.startswith(word) or (len(one) > _SHORT and one in endings)
        )
        return set().union(*(self._by_word[one] for one in begun))

    @cached_property
    def _named(self) -> tuple[Counter, ...]:
        return tuple(one for one in self.game.counters.values() if not self.game.kinds[one.kind].marker)

    @cached_property
    def _exact(self) -> Mapping[str, str]:
        """The ids of counters by names that only one has: its id, its id without the side, its name, and
        a label with a point: ``R.H.A.``.

        All in lower case; a number alone is no name.
        """
        found: dict[str, set[str]] = {}
        for one in self._named:
            initials = one.label if "." in one.label else one.name
            for name in {one.id, one.id.partition("-")[2], one.name, initials}:
                if re.search("[a-z]", name.lower()):
                    found.setdefault(name.lower(), set()).add(one.id)
        alone = {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}
        return alone | {name.lower(): name for name in self.game.counters}

    @cached_property
    def _by_number(self) -> Mapping[str, str]:
        """The ids of counters by the numbers that only one of them has, other than those of hexes."""
        found: dict[str, set[str]] = {}
        for one in self._named:
            for name in {one.id.partition("-")[2], one.label}:
                if name.isdecimal() and name not in self.game.map.grid:
                    found.setdefault(name, set()).add(one.id)
        return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}

    @cached_property
    def _longest(self) -> int:
        return max((len(name.split()) for name in self._exact), default=1)

    @cached_property
    def _by_word(self) -> Mapping[str, set[str]]:
        """The counters by the words of their names, labels and ids, and of their formations and nations."""
        found: dict[str, set[str]] = {}
        for one in self._named:
            formation, nation = self.game.formations.get(one.formation), self.game.nations.get(one.nation)
            said = (
                one.name,
                one.label,
                one.id,
                one.nation,
                *(each.title for each in (formation, nation) if each),
            )
            for word in {word for text in said for word in plain(text)}:
                found.setdefault(word, set()).add(one.id)
        return found

    @cached_property
    def _places(self) -> frozenset[str]:
        return frozenset(word for place in self.game.map.places.values() for word in plain(place.name))

    @cached_property
    def _reserved(self) -> frozenset[str]:
        """The words of forms, states and sides, and those that join others."""
        forms = (word for verb in self.verbs for word in (*verb.name.split(), *_literals(verb.parts)))
        states = (word for state in self.game.states for word in state.split("-"))
        sides = (name for side, one in self.game.sides.items() for name in (side, one.title, one.adjective))
        return NEVER | {*forms} | {*states} | {name.lower() for name in sides}


def _literals(parts: Iterable[Part]) -> Iterable[str]:
    for part in parts:
        if part.kind == "literal":
            yield part.text
        yield from _literals(part.parts)


def take_box(game: Game, words: list[str], pieces: Sequence[str]) -> str:
    """Take the name of a box off words: its id, or its title or some words of it, if one side has only one
    such box.

    FormatError if there is none, or several.
    """
    boxes = game.map.boxes
    if words and words[0] in boxes:
        return words.pop(0)
    sides = {game.counters[name].side for name in pieces}
    near = {name: box for name, box in boxes.items() if not sides or box.side in (*sides, "")}
    for length in range(len(words), 0, -1):
        said = {*plain(" ".join(words[:length]))} - {"the", "box", "of", "to"}
        called = {name: plain(f"{box.title} {name} {box.side}") for name, box in near.items()}
        found = [name for name in near if said and all(_begins(word, called[name]) for word in said)]
        found = found or [name for name, box in near.items() if said and said <= _GONE and box.losses]
        if len(found) == 1:
            del words[:length]
            return found[0]
    name = words[0] if words else ""
    raise FormatError(f"no box {name!r}", unknown(name, boxes))


def _bare(text: str) -> tuple[str, ...]:
    return tuple(word for word in plain(text) if word not in ("a", "the"))


def _begins(word: str, words: Iterable[str]) -> bool:
    return any(one == word or (len(word) > _SHORT and one.startswith(word)) for one in words)


def take_state(game: Game, words: list[str]) -> str:
    """Take the name of a state off words: its id, its title or its beginning; empty if there is none."""
    called = {_bare(text): name for name, one in game.states.items() for text in (one.title, name)}
    for length in range(min(len(words), 4), 0, -1):
        said = " ".join(words[:length]).lower()
        name = called.get(_bare(_OTHER_STATES.get(said, said)), "")
        if name:
            del words[:length]
            return name
    word = words[0].lower() if words else ""
    begun = [name for name in game.states if name.startswith(word)]
    if len(word) > _SHORT and len(begun) == 1:
        words.pop(0)
        return begun[0]
    return ""
