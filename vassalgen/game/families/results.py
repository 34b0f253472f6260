"""The effects of combat results: losses, checks, retreats and advances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from vassalgen.game.families.ids import (
    ANYBODY,
    ANYWHERE,
    NO_CLAUSE,
    NOBODY,
    Amount,
    CheckId,
    ClauseId,
    CombatId,
    DiceId,
    FactorAmount,
    FactorId,
    Part,
    PhaseId,
    SideId,
    StateId,
    Where,
    Who,
)


@frozen(kw_only=True)
class Consequence:
    """The effect of a result on a side.

    One of the units ``first``, if the side has any, takes the first step loss; among them (or all) it is
    the one with the highest printed factor ``first_by``: the strongest; ``first_clause`` is the clause of
    this. With ``together``, steps that any unit loses instead of retreating count for the whole side.
    ``check``: each unit makes it, with ``one`` only a single unit, and units that fail suffer what the
    check says. ``abandoned``: only units that are still where they fought after all other units of their
    side have left that hex. Instead of retreating, a unit may lose ``or_lose`` steps, or ``or_lose_each``
    for each hex, or enter ``or_state``. ``or_lose_in`` are the hexes in which it may lose ``or_lose`` or,
    without that, ``or_lose_each``. The default for ``clause`` is that of the result.
    """

    clause: ClauseId = NO_CLAUSE

    lose: Amount = 0
    by: Literal["factors", "steps"] = "factors"
    each: bool = False
    first: Who = NOBODY
    first_by: FactorId = FactorId("")
    first_clause: ClauseId = NO_CLAUSE
    retreat: Amount = 0
    state: StateId = StateId("")
    one: bool = False
    or_lose: int = 0
    or_lose_each: int = 0
    or_lose_in: Where = ANYWHERE
    or_state: StateId = StateId("")
    together: bool = False
    abandoned: bool = False
    who: Who = ANYBODY
    check: CheckId = CheckId("")


@frozen(kw_only=True)
class Check(Part):
    """A die roll of a unit against a number: morale, cohesion, a leader under fire.

    It is passed with a roll of at most ``need`` (a number or factor) or, with ``at_least``, of at least
    ``need``. The best factor ``adds`` of another unit in its hex, or within ``adds_within`` hexes, makes it
    easier, as do ``changes``, with the modifier for each matching condition. Units that fail suffer
    ``failed``; if they fail by so much or more, the highest matching ``failed_by`` instead. ``after_losses``:
    a unit in a hex with a unit that lost steps in a battle makes it, in the kinds of combat
    ``after_losses_in`` (all if empty). Without ``dice`` no roll is made: all
    units that must make it fail. ``must``: the phases in which each of ``who`` makes it; ``may``: phases in
    which they may. ``before``: each attacker, or ``before_by`` each defender, makes it for an attack of these
    kinds of combat if one of the enemies is ``before_against``.
    """

    dice: DiceId = DiceId("")
    need: FactorAmount = 0
    at_least: bool = False
    adds: FactorId = FactorId("")
    adds_within: FactorAmount = 0
    changes: Mapping[Who, int] = field(factory=dict, hash=False)
    who: Who = ANYBODY
    failed: Consequence | None = None
    failed_by: Mapping[str, Consequence] = field(factory=dict, hash=False)
    after_losses: bool = False
    after_losses_in: tuple[CombatId, ...] = ()
    must: tuple[PhaseId, ...] = ()
    may: tuple[PhaseId, ...] = ()
    before: tuple[CombatId, ...] = ()
    before_by: Literal["attacker", "defender"] = "attacker"
    before_against: Who = ANYBODY


@frozen(kw_only=True)
class Outcome(Part):
    """The meaning of a code of a combat table: the effects on each side, or on several groups of a side."""

    attacker: tuple[Consequence, ...] = ()
    defender: tuple[Consequence, ...] = ()

    def of(self, side: str) -> tuple[Consequence, ...]:
        """Return the effects on the ``attacker`` or the ``defender``."""
        return self.attacker if side == "attacker" else self.defender


@frozen(kw_only=True)
class Retreat(Part):
    """How units retreat.

    ``toward``: no step leads farther from the hexes that ``home`` names for each side. Zones of control may
    be entered at a loss of ``zoc_loses`` steps for each hex. ``empty_first``: a unit retreats to a hex with
    friends only if there is no empty one. With ``displaces`` friendly units make room:
    they may be moved. ``disorders`` is the state of friendly units whose hex is passed through, except
    ``disorders_not``. ``state`` is the state of units ``state_who`` that have retreated ``state_from`` hexes
    or more. ``before``: units ``before_who`` that are attacked may retreat up to ``before_hexes`` before the
    dice are rolled, in kinds of combat ``before_in`` (all if empty), if all attackers are ``before_from``;
    units ``before_always`` may do so before all attackers.
    """

    by: Literal["owner", "enemy"] = "owner"
    away: ClauseId = NO_CLAUSE
    each_step: ClauseId = NO_CLAUSE
    zoc: ClauseId = NO_CLAUSE
    stacking: ClauseId = NO_CLAUSE
    empty_first: ClauseId = NO_CLAUSE
    further: bool = False
    blocked: ClauseId = NO_CLAUSE
    blocked_loses: Amount = "all"
    toward: ClauseId = NO_CLAUSE
    home: Mapping[SideId, Where] = field(factory=dict, hash=False)
    zoc_loses: int = 0
    displaces: ClauseId = NO_CLAUSE
    disorders: StateId = StateId("")
    disorders_not: Who = NOBODY
    disorders_clause: ClauseId = NO_CLAUSE
    state: StateId = StateId("")
    state_from: int = 1
    state_who: Who = ANYBODY
    state_clause: ClauseId = NO_CLAUSE
    before: ClauseId = NO_CLAUSE
    before_who: Who = ANYBODY
    before_hexes: int = 1
    before_in: tuple[CombatId, ...] = ()
    before_from: Who = ANYBODY
    before_always: Who = NOBODY


@frozen(kw_only=True)
class Advance(Part):
    """How units advance after combat, after the kinds of combat in ``after``, or all.

    ``hexes`` by who; the first that matches applies, otherwise 1. ``along``: units may follow the path of a
    retreat as far as it led, and may not leave it beyond the first hex. They advance only ``into`` such
    hexes; ``far_after`` says how many hexes the defenders must have retreated for an advance beyond the
    first hex. With ``defenders``, units that were attacked (``defenders_who``) may also
    advance, into a hex that attackers have
    left. ``state`` is the state of units ``state_who`` that have advanced. Units that are ``free``, such as
    leaders, accompany others from their hex and do not count. One ``must`` advance into ``must_into``,
    after these kinds of combat (``must_after``) or all: one of the attackers ``must_who``, if there are any.
    """

    who: Who = ANYBODY
    after: tuple[CombatId, ...] = ()
    hexes: Mapping[Who, int] = field(factory=dict, hash=False)
    hexes_clause: ClauseId = NO_CLAUSE
    along: ClauseId = NO_CLAUSE
    far_after: int = 0
    units: int = 0
    free: Who = NOBODY
    units_clause: ClauseId = NO_CLAUSE
    must: ClauseId = NO_CLAUSE
    must_who: Who = ANYBODY
    must_except: Who = NOBODY
    must_into: Where = ANYWHERE
    must_after: tuple[CombatId, ...] = ()
    zoc: ClauseId = NO_CLAUSE
    into: Where = ANYWHERE
    into_clause: ClauseId = NO_CLAUSE
    defenders: bool = False
    defenders_who: Who = ANYBODY
    defenders_clause: ClauseId = NO_CLAUSE
    state: StateId = StateId("")
    state_who: Who = ANYBODY
    state_clause: ClauseId = NO_CLAUSE
