"""Which counter of the game each piece of a module is, and how sure that is."""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Mapping, Sequence
from heapq import nlargest

from attrs import frozen

from referee.mapping.assigning import assign
from referee.mapping.likeness import Likeness, Names, factors_in, words_of
from referee.mapping.survey import PieceSeen
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

SURE, CLEAR, LITTLE = 0.5, 0.1, 0.3
"""How much like its counter a piece must be, how much more than any other, and what is no likeness."""
CANDIDATES = 3
ABSENT = 0.25
"""What speaks against a piece being a unit that is not set up where units are: most such are markers."""
SHARED, PURE = 3, 0.8
"""How many pieces a word must be around for it to indicate a side, and which part of them must be of one."""


@frozen
class Match:
    """A piece with the counters that it may be, the likeliest first, each with its likeness."""

    piece: PieceSeen
    candidates: tuple[tuple[str, float], ...]
    is_sure: bool

    @property
    def best(self) -> str:
        """The likeliest counter, empty for none."""
        return self.candidates[0][0] if self.candidates else ""

    @property
    def likeness(self) -> float:
        """How much it is like it."""
        return self.candidates[0][1] if self.candidates else 0.0


def match_counters(game: Game, pieces: Sequence[PieceSeen], starts: Mapping[str, str]) -> tuple[Match, ...]:
    """Match pieces and counters. ``starts`` are the places of the game where pieces are set up, by key.

    Twice: what is clear at first shows of which side or nation the words are that many pieces share.
    """
    asked = [piece for piece in pieces if not piece.other_side_of]
    counters = list(game.counters.values())
    names = [_names(game, counter) for counter in counters]
    likeness = Likeness(tuple(names))
    plain = [
        [
            _alike(likeness, piece, name) + _printed(piece, counter)
            for counter, name in zip(counters, names, strict=True)
        ]
        for piece in asked
    ]
    plain = [[value if value > LITTLE / 2 else 0.0 for value in row] for row in plain]
    scores = plain
    for _ in range(2):
        clear = _settled(scores, assign(scores))
        groups = _groups(asked, counters, clear)
        units = [asked[row] for row, column in clear.items() if counters[column].side]
        set_up = bool(units) and sum(one.start is not None for one in units) >= PURE * len(units)
        scores = [
            [
                value
                + _belongs(piece, counter, groups)
                + _stands(game, counter, starts.get(piece.key, ""))
                - (ABSENT if set_up and piece.start is None and counter.side else 0.0)
                if value > LITTLE / 2
                else value
                for counter, value in zip(counters, row, strict=True)
            ]
            for piece, row in zip(asked, plain, strict=True)
        ]
    found = assign(scores)
    sure = _settled(scores, found)
    taken = set(sure.values())
    left = [
        place for place, one in enumerate(counters) if place not in taken and not game.kinds[one.kind].marker
    ]
    return tuple(
        _match(piece, row, counters, found[place], place in sure, taken, left)
        for place, (piece, row) in enumerate(zip(asked, scores, strict=True))
    )


def _match(
    piece: PieceSeen,
    row: Sequence[float],
    counters: Sequence[Counter],
    chosen: int,
    is_sure: bool,
    taken: set[int],
    left: Sequence[int],
) -> Match:
    """The candidates for a piece; one that is set up may be any of the few that no other piece is."""
    others = sorted(
        (
            place
            for place, value in enumerate(row)
            if value > LITTLE and place not in taken and place != chosen
        ),
        key=lambda place: -row[place],
    )
    places = [chosen, *([] if is_sure else others)] if chosen >= 0 and row[chosen] > LITTLE else others
    if not places and piece.start is not None and len(left) <= CANDIDATES:
        places = list(left)
    found = tuple((counters[place].id, max(0.0, min(row[place], 1.0))) for place in places[:CANDIDATES])
    return Match(piece, found, is_sure)


def _names(game: Game, counter: Counter) -> Names:
    """What a counter may be called, and the words that go with it: side, nation, formation, kind, size."""
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


def _alike(likeness: Likeness, piece: PieceSeen, names: Names) -> float:
    name = likeness.of(piece.name, names)
    image = likeness.of(re.sub(r"\.[A-Za-z]{3,4}$", "", piece.image).replace("_", " "), names)
    return 0.9 * max(name, 0.85 * image) + 0.1 * min(name, image)


def _printed(piece: PieceSeen, counter: Counter) -> float:
    """What the factors in a name say: little, for the printed ones may differ from those of the data."""
    groups = factors_in(piece.name) + [one for text in piece.around for one in factors_in(text)]
    numbers = [value for value in counter.face().factors.values() if isinstance(value, int)]
    if not groups or not numbers:
        return 0.0
    said = groups[0]
    if list(said) == numbers:
        return 0.12
    without_repeats = [
        number for place, number in enumerate(numbers) if place == 0 or number != numbers[place - 1]
    ]
    if list(said) == without_repeats:
        return 0.12
    return 0.0 if not Count(said) - Count(numbers) else -0.08


def _settled(scores: Sequence[Sequence[float]], found: Sequence[int]) -> dict[int, int]:
    """The pairs that are sure: much alike, and clearly more than either is like anything that is left.

    What is sure is left out, until nothing more becomes sure.
    """
    sure: dict[int, int] = {}
    while True:
        rows = [row for row in range(len(scores)) if row not in sure]
        columns = sorted(set(range(len(scores[0]) if scores else 0)) - set(sure.values()))
        likest = {column: nlargest(2, (scores[row][column] for row in rows)) for column in columns}
        more = {}
        for row in rows:
            column, values = found[row], scores[row]
            if column < 0 or values[column] < SURE:
                continue
            value = values[column]
            rivals = [values[other] for other in columns if other != column]
            rivals += likest[column][1:] if value == likest[column][0] else likest[column][:1]
            if value - max(rivals, default=0.0) >= CLEAR:
                more[row] = column
        if not more:
            return sure
        sure |= more


def shared_words(piece: PieceSeen) -> tuple[str, ...]:
    """What a piece may share with its side: tabs, prototypes, markers, how names and pictures begin."""
    stem = re.sub(r"\.[A-Za-z]{3,4}$", "", piece.image)
    begins = re.match(r"[A-Za-z]+", stem)
    first = words_of(piece.name)[:1]
    return (
        *piece.around,
        f"picture {begins[0].lower()}" if begins else "",
        *(f"name {word}" for word in first),
    )


def _groups(
    pieces: Sequence[PieceSeen], counters: Sequence[Counter], clear: Mapping[int, int]
) -> dict[str, tuple[str, str]]:
    """Words that are around pieces of one side or nation: that side and nation, empty for several."""
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


def _belongs(piece: PieceSeen, counter: Counter, groups: Mapping[str, tuple[str, str]]) -> float:
    """What the words around a piece say of its side and nation."""
    known = [groups[word] for word in shared_words(piece) if word in groups]
    score = 0.0
    for place, weight, mine in ((0, 0.3, counter.side), (1, 0.15, counter.nation)):
        values = [one[place] for one in known if one[place]]
        if values and mine:
            score += weight / 3 if mine in values else -weight
    return score


def _stands(game: Game, counter: Counter, start: str) -> float:
    """What the place says where a piece is set up."""
    if not start:
        return 0.0
    expected = {
        place
        for scenario in game.scenarios.values()
        for group in (scenario.setup, scenario.arrivals)
        for one in group
        if counter.id in one.counters
        for place in ((one.at,) if hasattr(one, "at") else (one.waiting, one.entry))
    }
    if start in expected:
        return 0.2 if start in game.map.grid else 0.1
    return -0.1 if expected and (start in game.map.grid or expected & set(game.map.boxes)) else 0.0
