"""Which units attack which, and how the column of the table is found."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from attrs import field, frozen

from vassalgen.game.families.ids import (
    ANYBODY,
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

DefenceOf: TypeAlias = Literal["sum", "best", "worst"]
"""Which of several defenders count."""


@frozen(kw_only=True)
class FaceDown(Part):
    """Units of hidden kinds are turned face up before the dice of their first battle.

    ``early``: not before it; ``again``: they are not turned face down again. Those that are ``lost`` are
    eliminated when they are turned up: dummies, divisions without strength.
    """

    early: ClauseId = NO_CLAUSE
    again: ClauseId = NO_CLAUSE
    lost: Who = NOBODY
    lost_clause: ClauseId = NO_CLAUSE


@frozen(kw_only=True)
class Captured(Part):
    """Units ``who`` are lost if an enemy enters their hex, which they alone do not keep closed."""

    who: Who


@frozen(kw_only=True)
class ByHand:
    """A term of a battle that players enter, as no modifier can say when it holds: with it or without it.

    It may be entered where one of the attackers, one of the defenders and the target are such. A store that
    has a price for it is charged once for the first of the ``values``, twice for the second, and so on.
    """

    clause: ClauseId
    to: Literal["die", "columns", "attack", "defence"]
    values: tuple[int, ...]
    attacker: Who = ANYBODY
    defender: Who = ANYBODY
    hexes: Where = ANYWHERE


@frozen(kw_only=True)
class Term(Part):
    """A term of a battle that players enter, and that the referee works out.

    It holds if one of the attackers fulfils ``attacker`` (with ``all_attackers`` each does), one of the
    defenders ``defender``, and the target is in such a ``hexes``. ``also_attacker`` is what another one of
    the attackers must be beside the first, such as its comrade. ``opposite``: attackers are in hexes
    opposite each other; ``from_hexes``: they attack from so many. It adds ``worth``, and the best ``factor``
    of attackers, less the best ``less`` of defenders, within ``least`` and ``most``; with ``times`` it
    multiplies the strengths of ``attacker`` or ``defender``. Of the terms of one ``group`` only that which
    changes most counts. With ``near`` the factors are those of friends of the attackers, and of the
    defenders, within ``near_hexes`` of one of them, such as leaders.
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
    also_attacker: Near = NOBODY_NEAR
    defender: Who = ANYBODY
    all_defenders: bool = False
    also_defender: Near = NOBODY_NEAR
    hexes: Where = ANYWHERE
    opposite: bool = False
    from_hexes: int = 0


@frozen(kw_only=True)
class Partner(Part):
    """Attackers ``who`` attack such ``hexes`` only together with ``one`` such."""

    who: Who
    one: Who
    hexes: Where = ANYWHERE


@frozen(kw_only=True)
class Led(Part):
    """Attackers ``who`` need a leader: ``by`` says who is one, within so many ``hexes`` of each of them.

    It may say what the leader is to each of them, such as their superior.

    At ``most`` so many of them attack together, by a number or a factor of the leader; ``without`` one at
    most so many.
    """

    who: Who = ANYBODY
    by: Near
    hexes: FactorAmount = 0
    most: FactorAmount
    without: int = 0


@frozen(kw_only=True)
class AtRange:
    """What an attack counts at a range: so many times, with so much added to the die or the columns.

    It holds for those ``who``; die and columns, if one of the farthest attackers is such.
    """

    who: Who = ANYBODY
    times: Fraction = Fraction(1)
    die: int = 0
    columns: int = 0


@frozen(kw_only=True)
class Combat(Part):
    """A kind of combat: which units attack which, and how the column is found.

    ``odds`` is the clause of the column and the modifiers, if it has one of its own. ``per_hex`` is added to
    the die for each hex of range beyond the first. ``sight`` is the clause of the line of sight, which hexes
    that are ``blocked_by`` something, those with a marker of ``marked_block``, and with ``units_block``
    those with units break; ``sight_not`` are those who see over all of it. With ``levels`` these stand a
    level above the ground, and a hex breaks a line if it is higher than both ends, or than one to which it
    is as near as to the other. Those that fire
    ``indirect`` need not see a target that one of their ``spotters`` sees.

    The attack counts ``multiply`` times. ``several``: hexes may be attacked together. ``one_hex``: attackers
    are in one hex, or in ``from_most`` so many. ``parts`` is the sign in cells between what happens to the
    attackers and to the defenders. ``automatic``: a column with one result alone needs no dice. It costs
    ``points`` of movement.
    Attackers that move in the phase go on ``never``, or once the target is ``cleared`` of enemies.
    ``range_of`` are the ranges of some, the first that fits, none above ``range_most``.
    Only units that ``moved`` in the phase are attacked.
    All shifts of columns together are ``columns_within`` two numbers, the lowest and the highest, what is
    added to the dice ``die_within``. With ``lower`` attackers may choose a lower column.
    Attackers ``unharmed_from`` so many hexes or more suffer nothing by its results.
    ``at_range`` says what ranges such as ``3-4`` change. An ``observer`` near it sees the target for those
    who are not next to it. ``natural`` is what follows from dice that show so much by themselves.
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
    not_after: tuple[Activity, ...] = ()
    not_after_clause: ClauseId = NO_CLAUSE
    odds: ClauseId = NO_CLAUSE
    by_hand: Mapping[str, ByHand] = field(factory=dict, hash=False)
    per_hex: int = 0
    per_hex_clause: ClauseId = NO_CLAUSE
    sight: ClauseId = NO_CLAUSE
    sight_not: Who = NOBODY
    blocked_by: Where = NOWHERE
    marked_block: tuple[MarkerId, ...] = ()
    units_block: bool = False
    levels: bool = False
    indirect: Who = NOBODY
    spotters: Who = ANYBODY
    state_after: StateId = StateId("")
    multiply: Fraction = Fraction(1)
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
    natural: Mapping[str, Outcome] = field(factory=dict, hash=False)
