"""The counters: what is printed on them, what they may become, how many may stand in a hex."""

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
"""What a factor may count for in a state, besides a number."""
TURN_ENDS = "turn"
"""In place of a phase: the state is over with the turn."""
COLUMN_TYPES: tuple[ColumnType, ...] = ("flag", "integer", "number", "text", "words", "counter", "zone")


@frozen
class Factor:
    """A number printed on counters. ``special`` are texts that may stand in its place, with their meaning."""

    id: str
    title: str
    special: Mapping[str, str] = field(factory=dict, hash=False)


@frozen
class Column:
    """One more column of the counters' file: facts of this game alone. ``one_of`` limits texts and words."""

    id: str
    type: ColumnType
    title: str = ""
    one_of: tuple[str, ...] = ()


@frozen
class Kind:
    """A kind of counter: ground unit, headquarters, leader, air unit, marker.

    ``factors`` are those that every counter of the kind must have. ``roster`` names the factor whose value
    is the number of steps and falls with each step lost, kept on paper instead of the counter's back.
    ``hidden`` counters may lie face down. ``attacked`` ones take part in battles though they have no factors.
    Those that have ``counts_in`` count in battle only in that state. ``along``: they join an attack with
    others of their side in the same hex.
    Markers are not units: they do not stack, and need no place.
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
    """A condition of a counter, apart from its steps: disrupted, stuck, out of supply, its artillery spent.

    ``kinds`` may have it. ``levels`` is 1 for a state that is or is not; a number above counts (points left);
    the name of a factor or column takes the number from the counter. ``dated`` states remember the turn and
    player turn in which they came. ``back``: the counter's other face shows it. ``marker`` is the counter
    that shows it on a table of wood. ``ends`` is the phase with whose end it is over, or ``turn``. ``counts``
    says what factors above 0 count for meanwhile: a number, or one of WORTH. ``unless`` is a state of which
    this one is a part: no declaration lays it on who is in that.
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
        """Whether it is a number of points, and not on or off."""
        return self.levels != 1

    def most(self, counter: Counter) -> int:
        """Return the level that a counter begins with if the state counts, 0 if it has no points."""
        if isinstance(self.levels, int):
            return self.levels
        printed = counter.printed(self.levels)
        value = counter.extra.get(self.levels) if printed is None else printed
        return value if isinstance(value, int) else 0


@frozen
class StackingLimit:
    """At most ``limit`` in a hex, counting the weight of the ``kinds``; none of them beside ``not_with``.

    Holds for one ``side`` or, if empty, for each; in the given ``turns`` or, if empty, always. ``one_free``
    names a flag among the columns: one counter that has it does not count. Holds in the ``hexes`` that a
    condition names, in all if it is empty.
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
    """What a counter shows with a number of steps left: its factors by name."""

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
"""Words at the end of a unit's name that are plurals, and no names of persons such as Barnes."""


@frozen
class Counter:
    """One counter, or for markers several alike (``count``).

    ``faces`` are the steps from full strength down, at least one; ``pieces`` is the number of pieces of
    cardboard they are printed on (two for a unit of four steps). ``stack`` is its weight in stacking.
    ``label`` is the short name printed on it, ``symbol`` and ``size`` name the drawing. ``extra`` holds the
    game's own columns.
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
    def is_plural(self) -> bool:
        """Whether the name takes a plural verb: ``Sappers``, ``88mm guns``, ``Court and ministers``."""
        name = self.name.partition(" (")[0]
        return " and " in name or name.rpartition(" ")[2].lower() in PLURALS

    def face(self, steps_left: int | None = None) -> Face:
        """Return the face shown with so many steps left, the full one if not said."""
        steps = self.steps if steps_left is None else steps_left
        if not 1 <= steps <= self.steps:
            raise ValueError(f"{self.id} has {self.steps} steps, not {steps}")
        return self.faces[self.steps - steps]

    def printed(self, factor: str, steps_left: int | None = None) -> Printed | None:
        """Return what is printed for a factor, None where there is nothing."""
        return self.face(steps_left).factors.get(factor)

    def factor(self, factor: str, steps_left: int | None = None) -> int:
        """Return a factor that is a whole number; BadInput where it is none or missing."""
        return Values(self.face(steps_left).factors, f"counter {self.id}").integer(factor)
