"""Which counter of the game each piece of a module is, and how certain that is."""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import nlargest

from attrs import evolve, frozen

from referee.mapping.assigning import assign
from referee.mapping.likeness import Likeness, Names, factors_in, words_of
from referee.mapping.survey import PieceSeen
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

SURE, CLEAR, LITTLE = 0.5, 0.1, 0.3
"""Thresholds: how similar a piece must be to its counter, by how much more than to any other, and below which
similarity it is none.
"""
CANDIDATES = 3
ABSENT = 0.25
"""The penalty for identifying a piece as a unit although it is not set up where units are: most such pieces
are markers.
"""
SHARED, PURE = 3, 0.8
"""A word indicates a side if it occurs with at least so many pieces, and this share of them belongs to that
side.
"""

ALONE, OTHER_NATION = 0.4, 0.15
"""The weight of words that only accompany a counter's name; the penalty for a counter of another nation."""
RUNNING = 5
"""This many consecutive numbers after the same letters only count pieces and are not part of names."""
_COUNTED = re.compile(r"([^\d]+)(\d{1,9})|()(0\d{1,9}|\d{1,9}$)")

Scores = Sequence[Sequence[float]]
"""The similarity of each piece (row) to each counter (column)."""


@frozen
class Match:
    """A piece with the counters that it may be, the most likely first, each with its similarity.

    A piece without candidates may still be a unit if it is kept where units are. ``also`` are
    identical-looking counters, for the other pieces with the same name and picture.
    """

    piece: PieceSeen
    candidates: tuple[tuple[str, float], ...]
    is_sure: bool
    may_be_unit: bool = False
    also: tuple[str, ...] = ()

    @property
    def best(self) -> str:
        """The most likely counter, empty if there is none."""
        return self.candidates[0][0] if self.candidates else ""

    @property
    def likeness(self) -> float:
        """Its similarity."""
        return self.candidates[0][1] if self.candidates else 0.0


@frozen(slots=False)
class Matching:
    """Pieces of a module and counters of a game, with the similarity of each pair considered separately."""

    game: Game
    pieces: tuple[PieceSeen, ...]
    counters: tuple[Counter, ...]
    scores: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, game: Game, pieces: Sequence[PieceSeen]) -> Matching:
        """Compare names, pictures and factors."""
        asked = tuple(piece for piece in pieces if not piece.other_side_of)
        counters = tuple(game.counters.values())
        return cls(game, asked, counters, tuple(_plain_scores(game, asked, counters)))

    def matches(self, starts: Mapping[str, str]) -> tuple[Match, ...]:
        """Match them.

        ``starts`` are the places of the game where pieces are set up, by key. This is done twice: what is
        certain at first shows which side or nation is indicated by words that many pieces share.
        """
        scores: Scores = self.scores
        for _ in range(2):
            clear = _settled(scores, assign(scores), self.looks)
            scores = self._with_surroundings(clear, starts)
        found = self._in_order(assign(scores), scores)
        sure = _settled(scores, found, self.looks)
        taken = set(sure.values())
        left = [place for place, one in enumerate(self.counters) if place not in taken and self._is_unit(one)]
        of_units = self._words_of_units(sure)

        most_are_left = len(left) > sum(self._is_unit(one) for one in self.counters) / 2

        def may_be_unit(piece: PieceSeen) -> bool:
            stands = most_are_left or piece.key in starts
            return bool(left) and (stands or not of_units.isdisjoint(shared_words(piece)))

        matches = (
            _match(piece, row, self.counters, found[place], place in sure, taken, left, may_be_unit(piece))
            for place, (piece, row) in enumerate(zip(self.pieces, scores, strict=True))
        )
        return tuple(self._of_several(one, row, left) for one, row in zip(matches, scores, strict=True))

    def _of_several(self, match: Match, row: Sequence[float], left: Sequence[int]) -> Match:
        """A certain match of several pieces with the same name and picture: all are identical-looking
        counters.
        """
        if not match.is_sure or match.piece.count == 1:
            return match
        order = {one.id: place for place, one in enumerate(self.counters)}
        near = sorted((place for place in left if row[place] >= SURE), key=lambda place: -row[place])
        others = near[: match.piece.count - 1]
        if all(self.looks[place] == self.looks[order[match.best]] for place in others):
            return evolve(match, also=tuple(self.counters[place].id for place in others))
        found = tuple((self.counters[place].id, min(row[place], 1.0)) for place in others)
        return evolve(match, is_sure=False, candidates=(*match.candidates, *found)[:CANDIDATES])

    def _is_unit(self, counter: Counter) -> bool:
        return not self.game.kinds[counter.kind].marker

    def _in_order(self, found: Sequence[int], scores: Scores) -> list[int]:
        """An assignment in which the first of several indistinguishable pieces is the first of the
        corresponding counters.
        """
        kept = list(found)
        alike: dict[object, list[int]] = {}
        for row, column in enumerate(found):
            if column >= 0:
                alike.setdefault(self.looks[column], []).append(row)
        for rows in alike.values():
            columns = sorted(found[row] for row in rows)
            if all(
                max(values) - min(values) < CLEAR
                for row in rows
                if (values := [scores[row][c] for c in columns])
            ):
                for row, column in zip(rows, columns, strict=True):
                    kept[row] = column
        return kept

    def _words_of_units(self, sure: Mapping[int, int]) -> frozenset[str]:
        """The words that occur almost only with units."""
        seen: dict[str, list[bool]] = {}
        for row, column in sure.items():
            for word in shared_words(self.pieces[row]):
                seen.setdefault(word, []).append(self._is_unit(self.counters[column]))
        return frozenset(
            word for word, found in seen.items() if sum(found) >= max(SHARED, PURE * len(found)) and word
        )

    @cached_property
    def looks(self) -> tuple[tuple[object, ...], ...]:
        """What indistinguishable counters have in common."""
        return tuple(
            (one.name, one.side, one.nation, one.kind, one.steps, *one.face().factors.items())
            for one in self.counters
        )

    def _with_surroundings(self, clear: Mapping[int, int], starts: Mapping[str, str]) -> Scores:
        """The similarities, improved by what certain pairs reveal about all others, and by the places of
        set-ups.
        """
        places = _places_of_setups(self.game)
        groups = _groups(self.pieces, self.counters, clear)
        units = [self.pieces[row] for row, column in clear.items() if self.counters[column].side]
        set_up = bool(units) and sum(one.start is not None for one in units) >= PURE * len(units)
        found = []
        for piece, plain in zip(self.pieces, self.scores, strict=True):
            said = [groups[word] for word in shared_words(piece) if word in groups]
            start = starts.get(piece.key, "")
            absent = ABSENT if set_up and piece.start is None else 0.0
            row = list(plain)
            for place, counter in enumerate(self.counters):
                if row[place] > LITTLE / 2:
                    row[place] += _belongs(said, counter) - (absent if counter.side else 0.0)
                    row[place] += _stands(self.game, places.get(counter.id, frozenset()), start)
            found.append(row)
        return found


def _match(
    piece: PieceSeen,
    row: Sequence[float],
    counters: Sequence[Counter],
    chosen: int,
    is_sure: bool,
    taken: set[int],
    left: Sequence[int],
    may_be_unit: bool,
) -> Match:
    """The candidates for a piece; a piece that is set up may be any of a few counters that no
    other piece is.
    """
    others = sorted(
        (
            place
            for place, value in enumerate(row)
            if value > LITTLE and place not in taken and place != chosen
        ),
        key=lambda place: -row[place],
    )
    places = [chosen, *([] if is_sure else others)] if chosen >= 0 and row[chosen] > LITTLE else others
    if not places and may_be_unit and len(left) <= CANDIDATES:
        places = list(left)
    found = tuple((counters[place].id, max(0.0, min(row[place], 1.0))) for place in places[:CANDIDATES])
    return Match(piece, found, is_sure, may_be_unit)


def _names(game: Game, counter: Counter) -> Names:
    """The possible names of a counter, and the words that accompany it: side, nation,
    formation, kind, size.
    """
    nation = game.nations.get(counter.nation)
    formation = game.formations.get(counter.formation)
    side = game.sides.get(counter.side)
    beside = [counter.nation, counter.symbol, counter.size, game.kinds[counter.kind].title, counter.side]
    beside += [nation.title] if nation else []
    beside += [formation.title] if formation else []
    beside += [side.title, side.adjective] if side else []
    states = [state.title for state in game.states.values() if state.marker == counter.id]
    plain = re.sub(r"\(.*?\)", "", counter.name)
    return Names.of([counter.name, plain, counter.label, counter.id.replace("-", " "), *states], beside)


def _plain_scores(
    game: Game, pieces: Sequence[PieceSeen], counters: Sequence[Counter]
) -> Iterator[tuple[float, ...]]:
    """The similarity of each piece to each counter by name, picture and factors."""
    names_of = [_names(game, counter) for counter in counters]
    likeness = Likeness(tuple(names_of), alone=ALONE)
    nations = {
        word for one in game.nations.values() for text in (one.id, one.title) for word in words_of(text)
    }
    known: dict[str, list[float]] = {}
    factors = [
        [value for value in counter.face().factors.values() if isinstance(value, int)] for counter in counters
    ]

    def of_all(text: str) -> list[float]:
        if text not in known:
            known[text] = likeness.of_all(text)
        return known[text]

    unnamed = [LITTLE] * len(counters)
    texts = _telling([(*piece.said, piece.stem) for piece in pieces], likeness)
    for piece, (*called, stem) in zip(pieces, texts, strict=True):
        printed = next((one for text in (*piece.said, *piece.around) for one in factors_in(text)), ())
        by_names = [of_all(text) for text in called if text] or [of_all(stem) if stem else unnamed]
        said = nations & {word for text in ([*called] if any(called) else [stem]) for word in text.split()}
        row = [
            0.9 * max(by_name, 0.85 * by_image)
            + 0.1 * min(by_name, by_image)
            + _printed(printed, numbers)
            - OTHER_NATION * (bool(said) and said.isdisjoint(names.words))
            for by_name, by_image, numbers, names in zip(
                map(max, zip(*by_names, strict=True)), of_all(stem), factors, names_of, strict=True
            )
        ]
        yield tuple(value if value > LITTLE / 2 else 0.0 for value in row)


def _telling(texts: Sequence[Sequence[str]], likeness: Likeness) -> list[list[str]]:
    """The names and pictures of pieces in words, without words that many pieces share and few counters have,
    and without numbers that only count pieces, such as those of the pictures a01 to a19_us.
    """
    counted: dict[str, set[int]] = {}
    for text in {text for row in texts for text in row}:
        if (part := _COUNTED.match(text)) is not None:
            counted.setdefault(part[1] or "", set()).add(int(part[2] or part[4]))
    running = {
        before
        for before, numbers in counted.items()
        if len(numbers) >= RUNNING and max(numbers) - min(numbers) < len(numbers) / PURE
    }

    def plain(text: str) -> tuple[str, ...]:
        part = _COUNTED.match(text)
        is_running = part is not None and (part[1] or "") in running
        return likeness.words_in(text[part.end() :] if part is not None and is_running else text)

    rows = [[plain(text) for text in row] for row in texts]
    often = Count(word for row in rows for word in {word for words in row for word in words})
    idle = {word for word, count in often.items() if count > RUNNING + 2 * likeness.holders(word)}
    return [[" ".join(word for word in words if word not in idle) for words in row] for row in rows]


def _printed(said: Sequence[int], numbers: Sequence[int]) -> float:
    """The score of the factors in a name: small, because the printed ones may differ from those
    of the data.
    """
    if not said or not numbers:
        return 0.0
    if list(said) == numbers:
        return 0.12
    without_repeats = [
        number for place, number in enumerate(numbers) if place == 0 or number != numbers[place - 1]
    ]
    if list(said) == without_repeats:
        return 0.12
    return 0.0 if not Count(said) - Count(numbers) else -0.08


def _settled(scores: Scores, found: Sequence[int], looks: Sequence[object]) -> dict[int, int]:
    """The certain pairs: very similar, and clearly more than either is to any remaining one.

    Certain pairs are removed repeatedly until no more are found. Identical-looking counters do not compete.
    """
    sure: dict[int, int] = {}
    while True:
        rows = [row for row in range(len(scores)) if row not in sure]
        asked = [row for row in rows if found[row] >= 0 and scores[row][found[row]] >= SURE]
        columns = sorted(set(range(len(scores[0]) if scores else 0)) - set(sure.values()))
        closest = {
            found[row]: nlargest(
                2,
                (
                    scores[one][found[row]]
                    for one in rows
                    if one == row or found[one] < 0 or looks[found[one]] != looks[found[row]]
                ),
            )
            for row in asked
        }
        more = {}
        for row in asked:
            column, values = found[row], scores[row]
            value = values[column]
            rivals = [values[other] for other in columns if looks[other] != looks[column]]
            rivals += closest[column][1:] if value == closest[column][0] else closest[column][:1]
            if value - max(rivals, default=0.0) >= CLEAR:
                more[row] = column
        if not more:
            return sure
        sure |= more


def shared_words(piece: PieceSeen) -> tuple[str, ...]:
    """What a piece may share with its side: tabs, prototypes, markers, prefixes of names and pictures."""
    begins = re.match(r"[A-Za-z]+", piece.stem)
    first = words_of(next(iter(piece.said), ""))[:1]
    return (
        *piece.around,
        f"picture {begins[0].lower()}" if begins else "",
        *(f"name {word}" for word in first),
    )


def _groups(
    pieces: Sequence[PieceSeen], counters: Sequence[Counter], clear: Mapping[int, int]
) -> dict[str, tuple[str, str]]:
    """Words that occur with pieces of one side or nation: that side and nation, empty for several."""
    seen: dict[str, list[Counter]] = {}
    for row, column in clear.items():
        for word in shared_words(pieces[row]):
            if word and counters[column].side:
                seen.setdefault(word, []).append(counters[column])
    return {
        word: (_one([one.side for one in found]), _one([one.nation for one in found]))
        for word, found in seen.items()
        if len(found) >= SHARED
    }


def _one(values: Sequence[str]) -> str:
    value, count = Count(values).most_common(1)[0]
    return value if count >= PURE * len(values) else ""


def _belongs(said: Sequence[tuple[str, str]], counter: Counter) -> float:
    """The score for a counter from the sides and nations indicated by the words around a piece."""
    score = 0.0
    for place, weight, mine in ((0, 0.3, counter.side), (1, 0.15, counter.nation)):
        values = [one[place] for one in said if one[place]]
        if values and mine:
            score += weight / 3 if mine in values else -weight
    return score


def _places_of_setups(game: Game) -> dict[str, frozenset[str]]:
    """The places where each counter is set up or arrives in any scenario."""
    found: dict[str, set[str]] = {}
    for scenario in game.scenarios.values():
        for one in scenario.setup:
            for name in one.counters:
                found.setdefault(name, set()).add(one.at)
        for other in scenario.arrivals:
            for name in other.counters:
                found.setdefault(name, set()).update((other.waiting, *other.entry))
    return {name: frozenset(places) for name, places in found.items()}


def _stands(game: Game, expected: frozenset[str], start: str) -> float:
    """The score from the place where a piece is set up."""
    if not start:
        return 0.0
    if start in expected:
        return 0.2 if start in game.map.grid else 0.1
    return -0.1 if expected and (start in game.map.grid or expected & set(game.map.boxes)) else 0.0
