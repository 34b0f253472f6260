"""The contents of a log in the terms of the game: facts, without judgement and before any reading.

Facts come from what the table shows before and after a step; the module's announcements explain them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import field, frozen

from referee.engine.clock import Clock, Date
from referee.engine.position import Face
from referee.table.sight import Hiding

UNKNOWN = "?"
"""A place that does not exist in the game, or whose name is unknown."""
NOWHERE = ""
"""The place of a counter that is on no map, or certainly in no hex."""


@frozen
class Condition:
    """A state of a counter on the table: its level, and when it began if the counter shows it."""

    level: int = 1
    since: Date | None = None


@frozen
class Standing:
    """A counter on the table.

    ``steps`` is None if the counter does not show them. ``hiding``: other players do not see it at all, or
    not which counter it is. ``face``: which side is up, if it can be turned. ``unseen`` are the states that
    it would not show.
    """

    place: str = NOWHERE
    steps: int | None = None
    states: Mapping[str, Condition] = field(factory=dict, hash=False)
    battle: int = 0
    role: str = ""
    hiding: Hiding = ""
    face: Face = ""
    unseen: frozenset[str] = frozenset()


@frozen(kw_only=True)
class Fact:
    """An event in a step.

    ``side`` is the acting side, empty if the log does not say. ``sure``: players have noted in which phase it
    happened. ``meant``: it was done in earnest, even if it was taken back.
    """

    step: int
    side: str = ""
    sure: bool = False
    meant: bool = False


@frozen(kw_only=True)
class Shifted(Fact):
    """A counter has changed its place."""

    counter: str
    origin: str
    target: str


@frozen(kw_only=True)
class Changed(Fact):
    """A state of a counter has another level, 0 for none. Changes made by the turn track are not
    ``announced``.
    """

    counter: str
    state: str
    old: int
    new: int
    since: Date | None = None
    announced: bool = False


@frozen(kw_only=True)
class Corrected(Fact):
    """A state that was set and removed again in one phase of the turn track: apparently a correction."""

    fact: Changed


@frozen(kw_only=True)
class Faced(Fact):
    """A counter was turned face up or face down."""

    counter: str
    face: Face


@frozen(kw_only=True)
class Stepped(Fact):
    """A counter has lost or regained steps."""

    counter: str
    old: int
    new: int


CounterFact = Shifted | Changed | Stepped
"""What may happen to a counter in the course of a battle."""


@frozen(kw_only=True)
class Marked(Fact):
    """A marker, identified by its ``piece``, was placed by hand, or removed (``laid`` is false).

    ``alone``: nothing but the marker shows its state.
    """

    piece: str
    marker: str
    place: str
    laid: bool
    alone: bool = False


@frozen(kw_only=True)
class JoinedBattle(Fact):
    """A counter takes part in a battle as attacker (``A``) or defender (``D``)."""

    counter: str
    battle: int
    role: str
    place: str


@frozen(kw_only=True)
class LeftBattle(Fact):
    """A counter has left its battle."""

    counter: str
    battle: int


@frozen(kw_only=True)
class CalledOff(Fact):
    """A battle was cancelled."""

    battle: int


@frozen(kw_only=True)
class Resolved(Fact):
    """A battle's die, with the column and result from the module; ``dice``: which die it was."""

    battle: int
    attack: float
    defence: float
    column: str
    faces: tuple[int, ...]
    result: str
    modifier: int | None = None
    dice: str = ""


@frozen
class Check:
    """The module's calculation for a roll: the modifiers, the total, the number to roll against, and the
    result.

    Unknown values are None or empty.
    """

    makes: int
    added: int | None = None
    factor: int | None = None
    result: str = ""


@frozen(kw_only=True)
class Declared(Fact):
    """A declaration of a counter or a side, with its roll if it has one, and the check of that roll.

    ``points`` are the points spent, ``target`` is the hex that it names.
    """

    declaration: str
    counter: str = ""
    place: str = ""
    battle: int = 0
    faces: tuple[int, ...] = ()
    points: int | None = None
    target: str = ""
    check: Check | None = None


@frozen(kw_only=True)
class Mentioned(Fact):
    """A player's own words name a declaration, which may have been made that way, or hexes and counters."""

    declaration: str = ""
    hexes: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()


@frozen(kw_only=True)
class Rolled(Fact):
    """Dice rolled by a button, or by a ``counter`` for its battle with a declaration.

    ``purpose`` is the purpose noted by players: the hex of a battle, or a counter to test; ``attackers`` are
    those that they have noted as attacking that hex. ``generic``: they may be any dice of the game with the
    same number of sides.
    """

    dice: str
    faces: tuple[int, ...]
    battle: int = 0
    counter: str = ""
    declaration: str = ""
    check: Check | None = None
    purpose: str = ""
    attackers: tuple[str, ...] = ()
    generic: bool = False


@frozen(kw_only=True)
class Contested(Fact):
    """Both sides have rolled for something; ``winner`` is the side that won, empty for neither."""

    declaration: str
    battle: int
    winner: str


@frozen(kw_only=True)
class Turned(Fact):
    """The turn track shows another phase. ``begun``: before anything else in the step."""

    clock: Clock
    begun: bool = False


@frozen(kw_only=True)
class Remark(Fact):
    """Something to report that is not a fact of the game: a foreign counter, an undone roll.

    ``hidden``: it is about a piece that some players cannot see.
    """

    text: str
    hidden: bool = False


@frozen(kw_only=True)
class UnreadStep(Fact):
    """A step of which only the resulting counters are known: the referee failed at it."""


def is_bare(fact: Fact) -> bool:
    """Return whether a die was rolled by a button without a command: its purpose is unknown."""
    return isinstance(fact, Rolled) and not fact.declaration and not fact.purpose


def has_dice(fact: Fact) -> bool:
    """Return whether dice were rolled, with a button or a command."""
    return isinstance(fact, Rolled | Resolved) or (isinstance(fact, Declared) and bool(fact.faces))


def differences(step: int, side: str, counter: str, old: Standing, new: Standing) -> Iterator[Fact]:
    """Yield what a step changed about a counter."""
    if new.battle and (new.battle, new.role) != (old.battle, old.role) and new.role:
        yield JoinedBattle(
            step=step, side=side, counter=counter, battle=new.battle, role=new.role, place=new.place
        )
    if old.battle and not new.battle:
        yield LeftBattle(step=step, side=side, counter=counter, battle=old.battle)
    if new.place != old.place:
        yield Shifted(step=step, side=side, counter=counter, origin=old.place, target=new.place)
    if new.steps is not None and old.steps is not None and new.steps != old.steps:
        yield Stepped(step=step, side=side, counter=counter, old=old.steps, new=new.steps)
    if old.face and new.face and new.face != old.face:
        yield Faced(step=step, side=side, counter=counter, face=new.face)
    none = Condition(0)
    for state in dict.fromkeys((*old.states, *new.states)):
        before, after = old.states.get(state, none), new.states.get(state, none)
        if before != after:
            yield Changed(
                step=step,
                side=side,
                counter=counter,
                state=state,
                old=before.level,
                new=after.level,
                since=after.since,
            )
