"""The sequence of play: turns, phases, dice, and declarations of players."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from vassalgen.game.values import Values

Speaker = Literal["active", "passive", "owner", "any"]
SPEAKERS: tuple[Speaker, ...] = ("active", "passive", "owner", "any")
About = Literal["battle", "counter", "hex", "game"]
SUBJECTS: tuple[About, ...] = ("battle", "counter", "hex", "game")


@frozen
class Turn:
    """One game turn of the turn track. ``values`` are the track's other entries: weather, points to spend."""

    number: int
    label: str = ""
    note: str = ""
    values: Values = Values()


@frozen
class Phase:
    """A phase of a turn or of a player turn. ``also`` are other names that records may call it by."""

    id: str
    title: str
    text: str = ""
    also: tuple[str, ...] = ()


@frozen
class Stop:
    """A phase in the order of the turn track, with the side whose player turn it is, if any."""

    phase: Phase
    side: str = ""


@frozen
class Sequence:
    """The phases of a turn: ``opening``, then ``player_turn`` for each side in turn, then ``closing``."""

    order: tuple[str, ...]
    opening: tuple[Phase, ...] = ()
    player_turn: tuple[Phase, ...] = ()
    closing: tuple[Phase, ...] = ()

    @property
    def phases(self) -> tuple[Phase, ...]:
        """All phases once each, in order."""
        return (*self.opening, *self.player_turn, *self.closing)

    def stops(self, first: str = "") -> tuple[Stop, ...]:
        """Return one complete turn, phase by phase. ``first`` is the side that begins, if unusual."""
        at = self.order.index(first) if first else 0
        order = self.order[at:] + self.order[:at]
        return (
            *(Stop(phase) for phase in self.opening),
            *(Stop(phase, side) for side in order for phase in self.player_turn),
            *(Stop(phase) for phase in self.closing),
        )


Contest = Literal["", "low", "high"]
CONTESTS: tuple[Contest, ...] = ("", "low", "high")


@frozen
class Dice:
    """Dice rolled for one purpose. ``yes`` are the faces that mean yes, for a yes/no roll.

    A roll may be checked: it succeeds if it is at most the factor ``against`` of the counter that rolls. The
    factor ``adds`` of all units of its side in the battle, or with ``alone`` only of the counter that rolls,
    is added to it; if it is ``modified``, so are the game's die roll modifiers of battles. ``always`` and
    ``never`` are faces that succeed and fail regardless of modifiers. In a ``contest`` both sides roll, and
    the low or the high total wins; neither side wins if the totals are equal, or if both are ``neither`` or
    less.
    """

    id: str
    title: str
    count: int = 1
    sides: int = 6
    yes: tuple[int, ...] = ()
    against: str = ""
    adds: str = ""
    alone: bool = False
    modified: bool = False
    always: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    contest: Contest = ""
    neither: int | None = None

    @property
    def is_checked(self) -> bool:
        """Whether the roll is checked."""
        return bool(self.against or self.adds or self.contest)


@frozen
class Declaration:
    """Something that players announce, in the module with a command: bombing, pressing, no retreat.

    Counters of the ``kinds`` have it. It is ``about`` a battle, the counter itself, a hex or the whole game.
    ``by`` says who may make it: the active side, the passive side, the counter's owner, anyone; ``phases``
    and ``turns`` say when (default: always). ``dice`` are rolled with it, it sets ``state``, it ends the
    state ``clears``, and ``key`` is its suggested key. With ``joins`` the counter joins the attack of the
    current battle.

    It may be made with one of several numbers of ``points``, which are subtracted from a state that counts;
    with ``whole`` all that are left. ``towards``: it names a neighbouring hex. ``secret``: each side chooses
    its points for the current battle, and they are shown when both have chosen. In the current battle, each
    point shifts ``columns`` or modifies the ``die`` in favour of the side that makes it; a column of
    counters.csv instead of the number takes it from the counter. A yes/no roll decides whether they apply.

    ``to`` is the box to which it sends the counter, or a box for each side; ``away``: to the turn track, so
    many turns ahead; ``to_battle``: to the hex of its side in the battle. ``steps`` are regained with it, or
    lost if negative; ``reduced``: only counters that have lost steps can make it; ``boxed``: also counters in
    a box other than one of losses; ``lost``: counters in any box. ``sides`` and ``counters`` limit which
    counters of the kinds can make it. ``fetches`` brings another counter of its side to its place from one of
    the boxes ``out_of``: the first of a kind, or the one that names this counter in a column.
    """

    id: str
    title: str
    about: About = "counter"
    by: Speaker = "any"
    kinds: tuple[str, ...] = ()
    dice: str = ""
    state: str = ""
    key: str = ""
    text: str = ""
    points: tuple[int, ...] = ()
    whole: bool = False
    towards: bool = False
    to: tuple[str, ...] = ()
    away: int = 0
    secret: bool = False
    columns: int = 0
    die: int | str = 0
    clears: str = ""
    joins: bool = False
    to_battle: bool = False
    steps: int = 0
    reduced: bool = False
    boxed: bool = False
    lost: bool = False
    sides: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    fetches: str = ""
    out_of: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
