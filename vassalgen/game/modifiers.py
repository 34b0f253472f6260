"""Modifiers of battles that can be calculated from the board: terrain, hexsides, cities, units involved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

Modified = Literal["die", "columns", "attack", "defence"]
MODIFIED: tuple[Modified, ...] = ("die", "columns", "attack", "defence")
Across = Literal["all", "most"]
ACROSS: tuple[Across, ...] = ("all", "most")


@frozen
class Test:
    """A roll of ``dice`` that defenders pass with at most their ``factor``; it fails if no defender passes.

    Units with the flag ``passes`` always pass. The factor is modified by a ``state`` of the tested unit, by a
    flag that one of the ``attackers`` has, and by the entry ``turn`` of the turn track for the nation of the
    tested unit.
    """

    dice: str
    factor: str
    passes: str = ""
    state: Mapping[str, int] = field(factory=dict, hash=False)
    attackers: Mapping[str, int] = field(factory=dict, hash=False)
    turn: str = ""


@frozen
class BattleModifier:
    """A modifier of the ``die``, the ``columns``, the ``attack`` or the ``defence`` of a battle.

    It is the sum of the terrain chart effects that ``terrain`` and ``hexside`` name, for the attacked hex and
    for the sides across which ``all`` attackers, or those with ``most`` of the attack factors, attack; of the
    values of kinds of ``places`` in the hex; and of its own ``worth``. With ``highest`` only the highest of
    these counts. The sum is limited to between ``least`` and ``most``. ``season`` names an entry of the turn
    track: its word names the group of effects that replaces the usual ones.

    It applies if one of the attackers matches ``attacker`` and one of the defenders ``defender``: a flag, a
    state, a kind or a word of a column of words; ``not armour`` matches a unit without it, and ``not armour
    or scouts`` either. It applies if the ``test`` failed. ``best`` is a factor of attackers, ``less`` one of
    defenders: the highest of the former is added, the highest of the latter subtracted. Against
    ``twice_against`` or more defenders, the factors of attackers of the ``kinds`` are doubled. ``halved``
    names an effect in the terrain chart that lists the kinds whose factors are halved, rounded up, in the
    terrain they occupy.

    It does not apply if one of the attackers matches ``no_attacker``, or one of the defenders
    ``no_defender``. ``halved_into`` is ``halved`` by the terrain of the attacked hex.

    ``also_attacker`` and ``also_defender`` are further conditions that one of them must match.
    ``halved_across`` names an effect of hexsides: the kinds whose attack is halved across them. No unit is
    halved twice. With ``times`` (of attack or defence), ``places`` multiply the factors of the units in them,
    of the named ``kinds`` or of all. ``terrain`` of the attacked hex multiplies them too, and ``hexside``
    those of the defence; several multipliers are multiplied with each other, unless only the highest counts.
    """

    id: str
    title: str
    to: Modified
    terrain: str = ""
    hexside: str = ""
    across: Across = "all"
    season: str = ""
    places: Mapping[str, int] = field(factory=dict, hash=False)
    worth: int = 0
    highest: bool = False
    least: int | None = None
    most: int | None = None
    attacker: str = ""
    defender: str = ""
    test: Test | None = None
    times: bool = False
    kinds: tuple[str, ...] = ()
    best: str = ""
    less: str = ""
    twice_against: int = 0
    halved: str = ""
    no_attacker: str = ""
    no_defender: str = ""
    halved_into: str = ""
    also_attacker: str = ""
    also_defender: str = ""
    halved_across: str = ""

    @property
    def halves(self) -> bool:
        """Whether it halves factors."""
        return bool(self.halved or self.halved_into or self.halved_across)

    @property
    def multiplies_all(self) -> bool:
        """Whether it multiplies the whole defence, by terrain or hexsides."""
        return self.times and self.to == "defence" and bool(self.terrain or self.hexside)


def conditions(text: str) -> tuple[tuple[str, bool], ...]:
    """Return the alternatives of a condition, each with whether it is required or excluded."""
    parts = [part.strip() for part in text.split(" or ")]
    return tuple((part.removeprefix("not ").strip(), not part.startswith("not ")) for part in parts)
