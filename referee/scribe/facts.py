"""What a log holds, in the words of the game: facts, without a judgement and before any reading.

Facts come from what the table shows before and after a step; what the module announces explains them.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from referee.engine.clock import Clock, Date
from referee.engine.position import Face
from referee.table.sight import Hiding

UNKNOWN = "?"
"""A place that is none of the game's, or whose name is not known."""
NOWHERE = ""
"""Where a counter is that is on no map, or surely on no hex."""


@frozen
class Condition:
    """A state of a counter as the table shows it: its level, and when it came if the counter says so."""

    level: int = 1
    since: Date | None = None


@frozen
class Standing:
    """How a counter stands on the table. ``steps`` is None where the counter does not say.

    ``hiding``: those who have no right to do not see it at all, or not which counter it is. ``face``:
    which way up it is, if it can be turned at all. ``unseen`` are the states that it would not show.
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
    """Something that a step holds. ``side`` is who did it, empty if the log does not say.

    ``sure``: players have noted in which phase it was done.
    """

    step: int
    side: str = ""
    sure: bool = False


@frozen(kw_only=True)
class Shifted(Fact):
    """A counter is elsewhere than before."""

    counter: str
    origin: str
    target: str


@frozen(kw_only=True)
class Changed(Fact):
    """A state of a counter has another level, 0 for none. What the turn track does is not ``announced``."""

    counter: str
    state: str
    old: int
    new: int
    since: Date | None = None
    announced: bool = False


@frozen(kw_only=True)
class Corrected(Fact):
    """A state that was set and taken off again in one phase of the turn track: a correction, it seems."""

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
    """A marker, known by its ``piece``, was laid somewhere by hand, or taken off (``laid`` is false).

    ``alone``: nothing but the marker shows the state that it stands for.
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
    """A counter takes part in no battle any more."""

    counter: str
    battle: int


@frozen(kw_only=True)
class CalledOff(Fact):
    """A battle was called off."""

    battle: int


@frozen(kw_only=True)
class Resolved(Fact):
    """A battle's die, with the column and result that the module found; ``dice``: which die it was."""

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
    """What the module calculated of a roll: what is added to it, what it makes, against what, and the result.

    None and nothing for what it does not say.
    """

    makes: int
    added: int | None = None
    factor: int | None = None
    result: str = ""


@frozen(kw_only=True)
class Declared(Fact):
    """A declaration, of a counter or of a side, with its roll if it has one, and what that was checked for.

    ``points`` are what it was made with, ``target`` is the hex that it names.
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
    """A player's own words name a declaration, which may have been made so, or hexes and counters."""

    declaration: str = ""
    hexes: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()


@frozen(kw_only=True)
class Rolled(Fact):
    """Dice rolled by a button, or by a ``counter`` for its battle with a declaration.

    ``purpose`` is what players have noted that they were for: the hex of a battle, or a counter to test;
    ``attackers`` are those that they have noted as attacking that hex.
    ``generic``: they may be any dice of the game with as many sides.
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
    """The turn track shows another phase. ``begun``: before anything else was done in the step."""

    clock: Clock
    begun: bool = False


@frozen(kw_only=True)
class Remark(Fact):
    """Something worth saying that is not a fact of the game: a foreign counter, a roll taken back.

    ``hidden``: it is about a piece that not everybody may see.
    """

    text: str
    hidden: bool = False


@frozen(kw_only=True)
class UnreadStep(Fact):
    """A step of which nothing is known but how the counters stand after it: the referee failed at it."""


def is_bare(fact: Fact) -> bool:
    """Return whether a die was rolled by a button without a command: its purpose is unknown."""
    return isinstance(fact, Rolled) and not fact.declaration and not fact.purpose


def has_dice(fact: Fact) -> bool:
    """Return whether dice were rolled, with a button or a command."""
    return isinstance(fact, Rolled | Resolved) or (isinstance(fact, Declared) and bool(fact.faces))
