"""Modifiers of battles that can be calculated from the board: terrain, hexsides, cities, who takes part."""

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
    """A roll of ``dice`` that defenders pass with their ``factor`` or less; it is failed if none passes.

    Who has the flag ``passes`` always does. The factor is changed by a ``state`` of who tests, by a flag that
    one of the ``attackers`` has, and by the entry ``turn`` of the turn track for the nation of who tests.
    """

    dice: str
    factor: str
    passes: str = ""
    state: Mapping[str, int] = field(factory=dict, hash=False)
    attackers: Mapping[str, int] = field(factory=dict, hash=False)
    turn: str = ""


@frozen
class BattleModifier:
    """What changes the ``die``, the ``columns``, the ``attack`` or the ``defence`` of a battle.

    It adds up what ``terrain`` and ``hexside`` name, effects in the terrain chart of the attacked hex and of
    the sides that ``all`` attackers, or those with ``most`` of the attack factors, attack across; what kinds
    of ``places`` in the hex are worth; and its own ``worth``. With ``highest`` only the highest counts. It is
    ``least`` at the least and ``most`` at the most. ``season`` names an entry of the turn track: the word
    there is the group of effects that holds in place of the usual ones.

    It holds if one of the attackers fulfils ``attacker`` and one of the defenders ``defender``: a flag, a
    state, a kind or a word of a column of words; ``not armour`` asks for one that has it not, and
    ``not armour or scouts`` is fulfilled by either. It holds if the ``test`` was failed.

    ``best`` is a factor of attackers, ``less`` one of defenders: the highest of the one is added, the highest
    of the other taken off. ``twice_against`` so many defenders, the factors of attackers of the ``kinds``
    count twice. ``halved`` names an effect in the terrain chart: the kinds whose factors count half, rounded
    up, where they stand.

    It does not hold if one of the attackers fulfils ``no_attacker``, or one of the defenders ``no_defender``.
    ``halved_into`` is ``halved`` by the terrain of the attacked hex.

    ``also_attacker`` and ``also_defender`` are conditions that one of them fulfils besides. ``halved_across``
    names an effect of hexsides: the kinds whose attack counts half across them. No unit is halved twice.

    With ``times``, which is of attack or defence, ``places`` multiply the factors of who stands in them, of
    the ``kinds`` named or of all. ``terrain`` of the attacked hex multiplies them too, and ``hexside`` those
    of the defence; several numbers are multiplied with each other, unless only the highest counts.
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
    """Return what a condition names, one of which is enough, and whether it is asked for or denied."""
    parts = [part.strip() for part in text.split(" or ")]
    return tuple((part.removeprefix("not ").strip(), not part.startswith("not ")) for part in parts)
