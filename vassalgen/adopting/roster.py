"""The counters of a module: identical pieces, their sides, factors, steps and states."""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from vassalgen.adopting.source import Found, Module, Position, labels
from vassalgen.adopting.words import Ids, slug
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.traits.embellishment import Embellishment

MARKER = "marker"
UNIT = "unit"
NEUTRAL = ("marker", "status", "information", "admin", "game turn", "chit", "control")
"""Words in the palette that distinguish markers from units."""
_STEP = re.compile(
    r"flip|step|reduc|loss|lose|damag|back|spent|strength|hit|side 2|reverse|cadre", re.IGNORECASE
)
_FACTORS = re.compile(r"(?<![\d.])\(?(\d{1,2})\)?[-–](\d{1,2})(?:[-–](\d{1,2}))?(?![\d.])")
_NAMED = {
    "attack": "attack", "attackfactor": "attack", "attackstrength": "attack", "atk": "attack",
    "att": "attack",
    "defence": "defence", "defense": "defence", "defencefactor": "defence", "defensefactor": "defence",
    "defensestrength": "defence", "defencestrength": "defence", "def": "defence",
    "combat": "combat", "combatfactor": "combat", "combatstrength": "combat", "cf": "combat",
    "strength": "combat", "movement": "movement", "move": "movement", "movementallowance": "movement",
    "movementfactor": "movement", "movementpoints": "movement", "ma": "movement", "mf": "mf", "mp": "mp",
    "range": "range", "morale": "morale", "quality": "quality", "efficiency": "efficiency",
}  # fmt: skip
"""Names of properties that are factors, without spaces and punctuation."""
_BY_NUMBER = {2: ("combat", "movement"), 3: ("attack", "defence", "movement")}
_PEOPLES = {
    "allied": ("american", "british", "us", "uk", "french", "canadian", "commonwealth", "polish", "soviet",
               "russian", "greek", "anzac", "entente"),
    "axis": ("german", "italian", "japanese", "romanian", "hungarian", "finnish", "vichy", "wehrmacht"),
}  # fmt: skip
"""Nationalities on either side in many games, for palettes that are organised by nationality."""


@frozen
class Row:
    """A counter, or ``count`` identical markers."""

    id: str
    kind: str
    side: str
    name: str
    label: str
    formation: str
    factors: Mapping[str, str]
    steps: int
    count: int
    found: Found = field(repr=False)


@frozen(slots=False)
class Roster:
    """All counters, and which counter each placed piece is."""

    module: Module
    positions: tuple[Position, ...]
    sides: Mapping[str, str]
    """Ids of the sides, by name."""

    @cached_property
    def alike(self) -> dict[tuple[str, str, str], list[Found]]:
        """Groups of pieces that are the same counter, in the order of the module."""
        groups: dict[tuple[str, str, str], list[Found]] = {}
        for one in self.module.found:
            if _has_look(one):
                groups.setdefault(one.key, []).append(one)
        for position in self.positions:
            for placed in position.placed:
                if _has_look(placed.piece):
                    groups.setdefault(placed.piece.key, [placed.piece])
        return groups

    @cached_property
    def most(self) -> Count[tuple[str, str, str]]:
        """How many copies of each counter there are: in the palette, or in the position with the most."""
        found = Count({key: sum(one.in_palette for one in ones) for key, ones in self.alike.items()})
        for position in self.positions:
            found |= Count(placed.piece.key for placed in position.placed)
        return found

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The counters."""
        return tuple(row for rows in self.by_key.values() for row in rows)

    @cached_property
    def by_key(self) -> dict[tuple[str, str, str], tuple[Row, ...]]:
        """The counters that belong to each kind of piece."""
        ids = Ids()
        return {
            key: tuple(self._rows(self._best(ones), max(1, self.most[key]), ids))
            for key, ones in self.alike.items()
        }

    def _best(self, ones: Sequence[Found]) -> Found:
        """The first of several identical pieces whose side is known: pieces on maps are in no palette."""
        return next((one for one in ones if self.side_of(one)), ones[0])

    def _rows(self, one: Found, number: int, ids: Ids) -> Iterator[Row]:
        side = self.side_of(one)
        marker = not side
        factors = {} if marker else self.factors_of(one)
        name = one.name.strip() or one.image.rpartition(".")[0]
        wanted = labels(one.piece).get("CID", "") or name
        for copy in range(1 if marker else number):
            numbered = wanted if number == 1 or marker else f"{wanted} {copy + 1}"
            yield Row(
                id=ids.new(numbered),
                kind=MARKER if marker else UNIT,
                side=self.sides.get(side, ""),
                name=name,
                label=self._label(name, side),
                formation="" if marker else self._formation(one, side),
                factors=factors,
                steps=1 if marker else steps_of(one.piece),
                count=number if marker else 1,
                found=one,
            )

    def _label(self, name: str, side: str) -> str:
        """The text printed on the counter: its name without side and factors."""
        text = _FACTORS.sub(" ", name).replace("_", " ")
        words = [word for word in text.split() if word.lower() != side.lower()]
        return " ".join(words).strip(" -") or name

    def _formation(self, one: Found, side: str) -> str:
        """The formation of a unit: the part of the palette below that of its side."""
        inner = [name for name in one.headings[1:] if not _alike(name, side) and not _is_plain(name)]
        return inner[-1] if inner and self._in_part[inner[-1]] else ""

    @cached_property
    def _in_part(self) -> Count[str]:
        return Count(one.headings[-1] for one in self.module.found if one.headings and one.in_palette)

    def side_of(self, one: Found) -> str:
        """The side of a piece according to its markers, prototypes, palette or name; '' if none of them names
        one.
        """
        if any(word in heading.lower() for heading in one.headings for word in NEUTRAL):
            return ""
        found = [value for value in labels(one.piece).values() if value in self.sides]
        if found:
            return found[0]
        for texts in (one.prototypes, one.headings[::-1], (one.name,)):
            for text in texts:
                side = next((side for side in self.sides if _alike(text, side)), None)
                if side is not None:
                    return side
        for text in one.headings[::-1]:
            for side in self.sides:
                peoples = next((names for word, names in _PEOPLES.items() if _stem(side) == _stem(word)), ())
                if any(word in peoples for word in text.lower().split()):
                    return side
        return ""

    @cached_property
    def factor_names(self) -> tuple[str, ...]:
        """The factors of the units, from names of properties, or else from numbers in names and labels."""
        units = [one for one in map(self._best, self.alike.values()) if self.side_of(one)]
        named: Count[str] = Count()
        numbered: Count[int] = Count()
        for one in units:
            named.update(
                {_factor(name): 1 for name, value in labels(one.piece).items() if _is_factor(name, value)}
            )
            found = _numbers(one)
            numbered.update([len(found)] if found else [])
        often = [name for name, count in named.items() if count * 3 >= len(units)]
        if often:
            order = list(dict.fromkeys(_NAMED.values()))
            return tuple(sorted(often, key=order.index))
        if numbered:
            return _BY_NUMBER[max(numbered, key=lambda count: (numbered[count], count))]
        return ()

    @property
    def written_factors(self) -> tuple[str, ...]:
        """The factors that get columns in counters.csv: those that were found, or else two for the user to
        fill in.
        """
        return self.factor_names or ("combat", "movement")

    def factors_of(self, one: Found) -> dict[str, str]:
        """The factors of a unit by name, as far as they can be read."""
        found = {_factor(name): value for name, value in labels(one.piece).items() if _is_factor(name, value)}
        if any(name in found for name in self.factor_names):
            return {name: found[name] for name in self.factor_names if name in found}
        numbers = _numbers(one)
        if len(numbers) == len(self.factor_names):
            return dict(zip(self.factor_names, numbers, strict=True))
        return {}

    @cached_property
    def states(self) -> dict[str, int]:
        """Layers of units that are not steps: their names and numbers of levels."""
        found: dict[str, int] = {}
        for row in self.rows:
            for layer in layers_of(row.found.piece) if row.kind == UNIT else ():
                if not is_step(layer) and layer.name.strip() and not layer.always_active:
                    found[layer.name.strip()] = max(layer.count, found.get(layer.name.strip(), 1))
        return found


def _has_look(one: Found) -> bool:
    """Whether a piece has a name or a picture; without either it cannot be recognised."""
    return bool(one.name.strip() or one.image.strip())


def layers_of(piece: Piece) -> list[Embellishment]:
    """The layers of a piece."""
    return [trait for trait in piece.traits if isinstance(trait, Embellishment)]


def is_step(layer: Embellishment) -> bool:
    """Whether a layer shows steps, judging by its name, its commands and the names of its levels."""
    texts = (layer.name, layer.activate_text, layer.increase_text, layer.decrease_text, *layer.level_names)
    commands = any((layer.activate_text, layer.increase_text, layer.decrease_text, layer.follow_expression))
    pictured = [image for image in layer.images if image.strip()]
    return bool(pictured) and commands and any(_STEP.search(text) for text in texts)


def steps_of(piece: Piece) -> int:
    """The number of steps of a counter: the levels of its step layer, plus its front if it is not a level."""
    for layer in layers_of(piece):
        if is_step(layer):
            return min(layer.count + (not layer.always_active), 9)
    return 1


def _factor(name: str) -> str:
    return _NAMED.get(re.sub(r"[^a-z]", "", name.lower()), "")


def _is_factor(name: str, value: str) -> bool:
    return bool(_factor(name)) and bool(re.fullmatch(r"\d{1,3}(/\d{1,3})*", value.strip()))


def _numbers(one: Found) -> Sequence[str]:
    """Numbers joined by hyphens in a label, a property or the name of a piece."""
    for text in (*labels(one.piece).values(), one.name):
        matches = list(_FACTORS.finditer(text))
        if len(matches) == 1:
            return [number for number in matches[0].groups() if number is not None]
    return ()


def _stem(text: str) -> str:
    """The common stem of words for a side: German for Germans and German, Alli for Allies and Allied."""
    word = slug(text)
    return word[:-2] if word.endswith(("es", "ed")) else word.removesuffix("s")


def _alike(text: str, side: str) -> bool:
    """Whether a text contains a word for a side."""
    stem = _stem(side)
    return any(_stem(word) == stem for word in re.findall(r"[^\W_]+", text)) or slug(text) == slug(side)


def _is_plain(name: str) -> bool:
    """Whether the name of a part of a palette says nothing about its contents."""
    return slug(name) in ("units", "counters", "pieces", "panel", "tabs", "all", "ground-units", "forces")


def images_of(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The pictures of counters by id: the front, and one for each further step."""
    found: dict[str, list[str]] = {}
    for row in rows:
        pictures = [row.found.image]
        for layer in layers_of(row.found.piece):
            if row.steps > 1 and is_step(layer):
                levels = [image for image in layer.images if image.strip()]
                pictures = levels[: row.steps] if layer.always_active else [row.found.image, *levels]
                break
        if not pictures[0]:
            layered = [
                image for layer in layers_of(row.found.piece) for image in layer.images if image.strip()
            ]
            pictures = layered[:1]
        found[row.id] = [picture for picture in pictures if picture]
    return found
