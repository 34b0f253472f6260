"""What results of combat do: losses, checks, retreats and advances."""

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
    """What a result does to a side.

    Of the steps that a side loses, the first is one of those ``first``, if it has one, and of them the one
    with most of the factor ``first_by``, as printed: the strongest.
    Steps that any of a side loses in place of hexes count for all of it if they are lost ``together``.
    ``check``: each unit makes it, with ``one`` a single one, and what follows is the check's.
    ``abandoned``: only those are meant who stayed where they fought while all friends there have gone.
    In place of its retreat a unit may lose ``or_lose`` steps, or get into ``or_state``.
    The ``clause`` is that of the result, if it is not said.
    """

    clause: ClauseId = NO_CLAUSE

    lose: Amount = 0
    by: Literal["factors", "steps"] = "factors"
    each: bool = False
    first: Who = NOBODY
    first_by: FactorId = FactorId("")
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
    """A roll of a unit against a number: morale, cohesion, a leader in danger.

    It is passed with ``need`` (a number or factor) or less, or with ``at_least`` that much or more. It is
    easier by ``adds``, the best such factor of another unit in its hex, or ``adds_within`` so many hexes, and
    by ``changes``, what each of them is worth to those who fulfil it. Who fails has what ``failed`` says;
    who fails by so much or more, what the highest ``failed_by`` says in its place. ``after_losses``: who is
    in a hex with a unit that lost steps in a battle makes it.

    Without ``dice`` no roll is made: all who must make it have failed it.

    ``must``: the phase in which each of ``who`` makes it; ``may``: phases in which they may.
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
    must: PhaseId = PhaseId("")
    may: tuple[PhaseId, ...] = ()


@frozen(kw_only=True)
class Outcome(Part):
    """What a code of a combat table means: what happens to either side, or to several groups of it."""

    attacker: tuple[Consequence, ...] = ()
    defender: tuple[Consequence, ...] = ()

    def of(self, side: str) -> tuple[Consequence, ...]:
        """Return what happens to the ``attacker`` or the ``defender``."""
        return self.attacker if side == "attacker" else self.defender


@frozen(kw_only=True)
class Retreat(Part):
    """How units retreat.

    ``toward``: each step leads no farther from the hexes that ``home`` names by side. Zones of control may
    be entered for ``zoc_loses`` steps a hex. With ``displaces`` friends make room: they may be moved.
    ``disorders`` is the state of friends that are passed through, but those ``disorders_not``.
    ``state`` is that of units that have retreated ``state_from`` hexes or more.

    ``before``: units ``before_who`` that are attacked may retreat up to ``before_hexes`` before the dice, in
    kinds of combat ``before_in``, all if none is named, from attackers that are all ``before_from``.
    """

    by: Literal["owner", "enemy"] = "owner"
    away: ClauseId = NO_CLAUSE
    each_step: ClauseId = NO_CLAUSE
    zoc: ClauseId = NO_CLAUSE
    stacking: ClauseId = NO_CLAUSE
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
    state_clause: ClauseId = NO_CLAUSE
    before: ClauseId = NO_CLAUSE
    before_who: Who = ANYBODY
    before_hexes: int = 1
    before_in: tuple[CombatId, ...] = ()
    before_from: Who = ANYBODY


@frozen(kw_only=True)
class Advance(Part):
    """How units advance after combat, of the kinds that ``after`` names, or of all.

    ``hexes`` by who; the first that fits holds, else one.

    ``along``: they may follow the path of a retreat, as far as that led, and go no other way beyond the first
    hex. They advance ``into`` such hexes only, ``far_after`` says after a retreat of how many hexes they may
    go beyond the first. With ``defenders`` those who were attacked may advance, too, into a hex from which
    they were. ``state`` is that of units ``state_who`` that have advanced.
    Units that are ``free``, such as leaders, go with the others from their hex and do not count.
    """

    who: Who = ANYBODY
    after: tuple[CombatId, ...] = ()
    hexes: Mapping[Who, int] = field(factory=dict, hash=False)
    along: ClauseId = NO_CLAUSE
    far_after: int = 0
    units: int = 0
    free: Who = NOBODY
    units_clause: ClauseId = NO_CLAUSE
    must: ClauseId = NO_CLAUSE
    must_except: Who = NOBODY
    zoc: ClauseId = NO_CLAUSE
    into: Where = ANYWHERE
    into_clause: ClauseId = NO_CLAUSE
    defenders: bool = False
    state: StateId = StateId("")
    state_who: Who = ANYBODY
    state_clause: ClauseId = NO_CLAUSE
