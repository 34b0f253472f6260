"""Counters: printed values, states, and stacking limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

from vassalgen.game.conditions import Condition
from vassalgen.game.provenance import RECONSTRUCTION, Provenance
from vassalgen.game.values import Values

Printed: TypeAlias = "int | float | str"
ColumnType = Literal["flag", "integer", "number", "text", "words", "counter", "zone"]
WORTH = ("half up", "half down", "half down to 1", "double")
"""Besides a number, what a factor may be worth in a state."""
TURN_ENDS = "turn"
"""Instead of a phase: the state ends with the turn."""
COLUMN_TYPES: tuple[ColumnType, ...] = ("flag", "integer", "number", "text", "words", "counter", "zone")


@frozen
class Factor:
    """A number printed on counters. ``special`` are texts that may replace it, with their meaning."""

    id: str
    title: str
    special: Mapping[str, str] = field(factory=dict, hash=False)


@frozen
class Column:
    """An additional column of counters.csv with facts of this game. ``one_of`` limits texts and words."""

    id: str
    type: ColumnType
    title: str = ""
    one_of: tuple[str, ...] = ()


@frozen
class Kind:
    """A kind of counter: ground unit, headquarters, leader, air unit, marker.

    Every counter of the kind must have the ``factors``. ``roster`` names the factor that is the number of
    steps; it falls with each step lost and is recorded on paper, not by flipping the counter. ``hidden``
    counters may be face down. ``attacked`` ones take part in battles although they have no factors. Counters
    with ``counts_in`` count in battle only in that state. ``along``: they join an attack together with other
    units of their side in the same hex. Markers are not units: they do not stack, and need no place.
    """

    id: str
    title: str
    factors: tuple[str, ...] = ()
    roster: str = ""
    hidden: bool = False
    marker: bool = False
    attacked: bool = False
    counts_in: str = ""
    along: bool = False


@frozen
class State:
    """A condition of a counter apart from its steps: disrupted, stuck, out of supply, artillery used.

    ``kinds`` are the kinds that may have it. ``levels`` is 1 for a state that is on or off; a higher number
    counts (points left); the name of a factor or column takes the number from the counter. ``dated`` states
    store the turn and player turn in which they began. ``back``: the counter's other face shows it.
    ``marker`` is the counter that shows it when the game is played with cardboard. The state ends with the
    phase ``ends``, or with the ``turn``. ``counts`` says what factors above 0 are worth in this state: a
    number, or one of WORTH. ``unless`` is a state that includes this one: no declaration puts a counter in
    that state into this one.
    """

    id: str
    title: str
    kinds: tuple[str, ...]
    levels: int | str = 1
    dated: bool = False
    back: bool = False
    marker: str = ""
    ends: str = ""
    counts: Mapping[str, str] = field(factory=dict, hash=False)
    unless: str = ""

    @property
    def is_count(self) -> bool:
        """Whether it is a number of points, as opposed to on or off."""
        return self.levels != 1

    def most(self, counter: Counter) -> int:
        """Return the level at which a counter starts if the state counts points, 0 if it has none."""
        if isinstance(self.levels, int):
            return self.levels
        printed = counter.printed(self.levels)
        value = counter.extra.get(self.levels) if printed is None else printed
        return value if isinstance(value, int) else 0


@frozen
class StackingLimit:
    """At most ``limit`` in a hex, counting the weights of the ``kinds``; none of them together with
    ``not_with``.

    It applies to one ``side`` or, if empty, to each; in the given ``turns`` or, if empty, always.
    ``one_free`` names a flag column: one counter with this flag does not count. It applies in the ``hexes``
    that match a condition, in all hexes if that is empty.
    """

    kinds: tuple[str, ...]
    limit: int
    side: str = ""
    turns: tuple[int, ...] = ()
    not_with: tuple[str, ...] = ()
    one_free: str = ""
    hexes: Condition = Condition()


@frozen
class Face:
    """The face of a counter with so many steps left: its factors by name."""

    factors: Mapping[str, Printed] = field(factory=dict, hash=False)


PLURALS = frozenset(
    {
        *("bombers", "carriers", "chasseurs", "commandos", "cossacks", "cuirassiers", "destroyers"),
        *("dragoons", "engineers", "fighters", "fusiliers", "grenadiers", "guards", "guns", "howitzers"),
        *("hussars", "lancers", "lightnings", "marines", "ministers", "mortars", "paratroopers"),
        *("paratroops", "partisans", "pioneers", "rangers", "rifles", "sappers", "scouts", "spahis"),
        *("tanks", "tirailleurs", "trucks", "uhlans", "voltigeurs", "volunteers"),
    }
)
"""Plural words at the end of a unit's name, as opposed to names of persons such as Barnes."""


@frozen
class Counter:
    """One counter or, for markers, several identical ones (``count``).

    ``faces`` are the steps from full strength down, at least one; ``pieces`` is the number of cardboard
    pieces on which they are printed (two for a unit of four steps). ``stack`` is its weight in stacking.
    ``label`` is the short name printed on it, ``symbol`` and ``size`` name the drawing. ``extra`` contains
    the game's own columns.
    """

    id: str
    kind: str
    name: str
    label: str = ""
    side: str = ""
    nation: str = ""
    formation: str = ""
    symbol: str = ""
    size: str = ""
    stack: int = 1
    count: int = 1
    pieces: int = 1
    faces: tuple[Face, ...] = (Face(),)
    extra: Values = Values()
    provenance: Provenance = RECONSTRUCTION
    note: str = ""

    @property
    def steps(self) -> int:
        """Steps at full strength."""
        return len(self.faces)

    @property
    def strengths(self) -> tuple[int, ...]:
        """The first number printed on each face, if there is one: of a unit its strength."""
        printed = (next(iter(face.factors.values()), None) for face in self.faces)
        return tuple(one for one in printed if isinstance(one, int))

    @property
    def is_plural(self) -> bool:
        """Whether the name takes a plural verb: ``Sappers``, ``88mm guns``, ``Court and ministers``."""
        name = self.name.partition(" (")[0].partition(" of ")[0]
        return " and " in name or name.rpartition(" ")[2].lower() in PLURALS

    def face(self, steps_left: int | None = None) -> Face:
        """Return the face with so many steps left, by default at full strength."""
        steps = self.steps if steps_left is None else steps_left
        if not 1 <= steps <= self.steps:
            raise ValueError(f"{self.id} has {self.steps} steps, not {steps}")
        return self.faces[self.steps - steps]

    def printed(self, factor: str, steps_left: int | None = None) -> Printed | None:
        """Return what is printed for a factor, None if nothing is."""
        return self.face(steps_left).factors.get(factor)

    def factor(self, factor: str, steps_left: int | None = None) -> int:
        """Return a factor that is a whole number; BadInput if it is not a number or is missing."""
        factors = self.face(steps_left).factors
        value = factors.get(factor)
        return value if type(value) is int else Values(factors, f"counter {self.id}").integer(factor)
