"""Which units attack which, and how the column of the table is found."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from attrs import field, frozen

from vassalgen.game.families.ids import (
    ANYBODY,
    ANYBODY_NEAR,
    ANYWHERE,
    NO_CLAUSE,
    NOBODY,
    NOBODY_NEAR,
    NOWHERE,
    Activity,
    ClauseId,
    ColumnId,
    DiceId,
    FactorAmount,
    FactorId,
    FeatureId,
    KindId,
    MarkerId,
    ModifierId,
    Near,
    Part,
    StateId,
    TableId,
    Times,
    Where,
    Who,
)
from vassalgen.game.families.results import Outcome

DefenceOf: TypeAlias = Literal["sum", "best", "worst", "one"]
"""Which of several defenders counts; ``one``: a single one, which the attacker chooses and which alone is
harmed.
"""

ANY_NUMBER = 999
"""More attackers than any game has."""


@frozen(kw_only=True)
class FaceDown(Part):
    """Units of hidden kinds are turned face up before the dice of their first battle.

    ``early``: not before it; ``again``: they are never turned face down again. Those that are ``lost`` are
    eliminated when they are turned up: dummies, divisions without strength.
    """

    early: ClauseId = NO_CLAUSE
    again: ClauseId = NO_CLAUSE
    lost: Who = NOBODY
    lost_clause: ClauseId = NO_CLAUSE


@frozen(kw_only=True)
class Captured(Part):
    """Units ``who`` are eliminated if an enemy ``by`` enters their hex; alone they do not keep enemies out.

    ``more`` are others that are captured by a clause of their own.
    """

    who: Who
    by: Who = ANYBODY
    more: Mapping[str, Captured] = field(factory=dict, hash=False)

    @property
    def all(self) -> tuple[Captured, ...]:
        """This and the others."""
        return (self, *self.more.values())


@frozen(kw_only=True)
class ByHand:
    """A term of a battle that players enter, because no modifier can determine when it applies.

    A battle may be fought with it or without it. It may be entered if one of the attackers, one of the
    defenders and the target match. A store that has a price for it is charged once for the first of the
    ``values``, twice for the second, and so on.
    """

    clause: ClauseId
    to: Literal["die", "columns", "attack", "defence"]
    values: tuple[int, ...]
    attacker: Who = ANYBODY
    defender: Who = ANYBODY
    hexes: Where = ANYWHERE


@frozen(kw_only=True)
class Term(Part):
    """A term of a battle that players enter, and that the referee calculates.

    It applies if one of the attackers matches ``attacker`` (with ``all_attackers`` each does), one of the
    defenders ``defender``, none of them ``no_attacker`` or ``no_defender``, and the target is in one of
    the ``hexes``. ``also_attacker`` is a condition for another attacker besides the first, such as its
    comrade, or for ``also_count`` others; ``attacker_kinds``: the attackers are of all these kinds.
    ``opposite``: attackers are in hexes opposite each other; ``from_hexes``: they attack from so many.
    Attackers match ``attacker`` only if they attack ``across`` one of these hexsides, and ``not_across``
    any of these. It
    adds ``worth``, plus the best ``factor`` of the attackers, minus the best ``less`` of the defenders,
    within ``least`` and ``most``; with ``times`` it multiplies the strengths of ``attacker`` or
    ``defender``. Of the terms of one ``group`` only the one with the greatest effect counts. With
    ``near`` the factors are those of units near the attackers and the defenders, such as leaders: friends
    within ``near_hexes`` of one of them.
    """

    to: Literal["die", "columns", "attack", "defence"]
    worth: int = 0
    factor: FactorId = FactorId("")
    less: FactorId = FactorId("")
    near: Who = NOBODY
    near_hexes: FactorAmount = 0
    least: int | None = None
    most: int | None = None
    group: str = ""
    times: Times = Times(Fraction(1))
    round: Literal["down", "up", "exact"] = "up"
    attacker: Who = ANYBODY
    all_attackers: bool = False
    no_attacker: Who = NOBODY
    attacker_kinds: tuple[KindId, ...] = ()
    also_attacker: Near = NOBODY_NEAR
    defender: Who = ANYBODY
    all_defenders: bool = False
    no_defender: Who = NOBODY
    also_defender: Near = NOBODY_NEAR
    also_count: int = 1
    hexes: Where = ANYWHERE
    across: tuple[FeatureId, ...] = ()
    not_across: tuple[FeatureId, ...] = ()
    opposite: bool = False
    from_hexes: int = 0


@frozen(kw_only=True)
class Partner(Part):
    """Attackers ``who`` attack such ``hexes``, or hexes with a unit that they may not attack ``against``
    alone, only together with ``one`` of these, ``each`` with one of its own.
    """

    who: Who
    one: Who
    each: bool = False
    hexes: Where = ANYWHERE
    against: Who = ANYBODY


@frozen(kw_only=True)
class Led(Part):
    """Attackers ``who`` need a leader ``by`` within so many ``hexes`` of each of them. ``by`` may require a
    relation between the leader and each of them, such as superior. At ``most`` so many of them attack
    together, a number or a factor of the leader; ``without`` a leader at most so many.
    """

    who: Who = ANYBODY
    by: Near
    hexes: FactorAmount = 0
    most: FactorAmount = ANY_NUMBER
    without: int = 0


@frozen(kw_only=True)
class AtRange:
    """Changes to an attack at a range: its strength multiplied, the die or the columns modified.

    It applies to attackers ``who``; die and columns change if one of the farthest attackers matches.
    """

    who: Who = ANYBODY
    times: Fraction = Fraction(1)
    die: int = 0
    columns: int = 0


@frozen(kw_only=True)
class Combat(Part):
    """A kind of combat: which units attack which, and how the column is found. ``odds`` is the clause of the
    column and the modifiers, if these have one. ``per_hex`` is added to the die for each hex of range
    beyond the first. ``sight`` is the clause of the line of sight, which is blocked by hexes that match
    ``blocked_by``, by those with a ``marked_block`` marker and, with ``units_block``, by those with units,
    and by hexsides ``blocked_across`` except those of its first and last hex;
    units ``sight_not`` see over all of these. With ``levels`` the level of hexes counts, and what blocks
    the line adds 1 to the level of its hex: a hex blocks the line if it is higher than both ends, or
    higher than the lower end and no farther from it than from the higher one. Units that fire ``indirect``
    need not see a target that one of their ``spotters`` sees; those that are ``blind`` see nothing without
    them.

    The attack is multiplied by ``multiply``; ``halved_once``: no unit is halved twice. With ``totals``
    the fractions of units are added up, and the total of a side is rounded ``down`` or ``up``.
    ``several``: several hexes may be attacked together. ``one_hex``: attackers are in one hex, or in
    ``from_most`` so many. ``parts`` is the sign in cells between the results for the attackers and for
    the defenders. ``automatic``: a column with a single result needs no dice. It costs ``points`` of
    movement. Attackers that move in the phase ``never`` continue to move, or only after the target is
    ``cleared`` of enemies. ``range_of`` are ranges by who, of which the first that matches applies, up to
    ``range_most``. Only units that ``moved`` in the phase may be attacked. The sum of all column shifts
    is limited to ``columns_within`` (lowest and highest), the sum of all die roll modifiers to
    ``die_within``. With ``lower`` attackers may choose a lower column. Attackers ``unharmed_from`` so
    many hexes or more are not affected by the result. ``at_range`` are the changes at ranges such as
    ``3-4``. An ``observer`` near the target sees it for attackers that are not next to it. ``natural``
    are the effects of unmodified rolls. Hexes with more than ``against_most`` defenders are not attacked.
    """

    kind: Literal["odds", "differential", "fire"]
    columns_within: tuple[int, ...] = ()
    die_within: tuple[int, ...] = ()
    within_clause: ClauseId = NO_CLAUSE
    lower: bool = False
    table: TableId
    dice: DiceId
    attack: FactorId
    defence: FactorId = FactorId("")
    defence_of: DefenceOf = "sum"
    rounding: Literal["defender", "nearest", "attacker"] = "defender"
    who: Who = ANYBODY
    against: Who = ANYBODY
    range: FactorAmount = 1
    range_of: Mapping[Who, FactorAmount] = field(factory=dict, hash=False)
    range_most: int = 0
    range_clause: ClauseId = NO_CLAUSE
    below: ClauseId = NO_CLAUSE
    automatic: ClauseId = NO_CLAUSE
    parts: str = ""
    modifiers: Mapping[ModifierId, ClauseId] = field(factory=dict, hash=False)
    unit_once: ClauseId = NO_CLAUSE
    target_once: ClauseId = NO_CLAUSE
    whole_stack: ClauseId = NO_CLAUSE
    must_attack: ClauseId = NO_CLAUSE
    must_attack_who: Who = ANYBODY
    must_attack_whom: Who = ANYBODY
    must_be_attacked: ClauseId = NO_CLAUSE
    must_be_attacked_whom: Who = ANYBODY
    not_after: tuple[Activity, ...] = ()
    not_after_clause: ClauseId = NO_CLAUSE
    odds: ClauseId = NO_CLAUSE
    by_hand: Mapping[str, ByHand] = field(factory=dict, hash=False)
    per_hex: int = 0
    per_hex_clause: ClauseId = NO_CLAUSE
    sight: ClauseId = NO_CLAUSE
    sight_not: Who = NOBODY
    blocked_by: Where = NOWHERE
    blocked_across: tuple[FeatureId, ...] = ()
    marked_block: tuple[MarkerId, ...] = ()
    units_block: bool = False
    levels: bool = False
    indirect: Who = NOBODY
    blind: Who = NOBODY
    spotters: Near = ANYBODY_NEAR
    state_after: StateId = StateId("")
    multiply: Fraction = Fraction(1)
    halved_once: ClauseId = NO_CLAUSE
    totals: Literal["", "down", "up"] = ""
    several: ClauseId = NO_CLAUSE
    one_hex: ClauseId = NO_CLAUSE
    from_most: int = 0
    from_most_clause: ClauseId = NO_CLAUSE
    must_attack_not_in: Where = NOWHERE
    points: int = 0
    points_clause: ClauseId = NO_CLAUSE
    goes_on: Literal["", "cleared", "never"] = ""
    goes_on_clause: ClauseId = NO_CLAUSE
    moved: ClauseId = NO_CLAUSE
    at_range: Mapping[str, AtRange] = field(factory=dict, hash=False)
    at_range_clause: ClauseId = NO_CLAUSE
    unharmed_from: int = 0
    observer: Who = NOBODY
    observer_hexes: int = 1
    observer_clause: ClauseId = NO_CLAUSE
    terms: Mapping[str, Term] = field(factory=dict, hash=False)
    partners: Mapping[str, Partner] = field(factory=dict, hash=False)
    led: Mapping[str, Led] = field(factory=dict, hash=False)
    alike: Literal["", "nation", "formation", "kind"] | ColumnId = ""
    alike_clause: ClauseId = NO_CLAUSE
    most: int = 0
    most_clause: ClauseId = NO_CLAUSE
    against_most: int = 0
    against_most_clause: ClauseId = NO_CLAUSE
    natural: Mapping[str, Outcome] = field(factory=dict, hash=False)
