"""The course of a game: turns, phases, dice, and what players declare."""

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
    """A phase of a turn or of a player turn."""

    id: str
    title: str
    text: str = ""


@frozen
class Stop:
    """A phase as the turn track comes to it, with the side whose player turn it is, if it is anybody's."""

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
        """Return one whole turn, phase by phase. ``first`` is the side that begins, if not the usual one."""
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
    """Dice rolled for one purpose. ``yes`` are the faces that mean yes, for a roll of yes or no.

    A roll may be checked: it succeeds if it is not above the factor ``against`` of the counter that
    rolls. The factor ``adds`` is added to it, of all on its side in the battle, or with ``alone`` of who
    rolls; if it is ``modified``, so is what the game's modifiers of battles do to a die. ``always`` and
    ``never`` are faces that succeed and fail whatever is added. In a ``contest`` both sides roll, and
    the low or the high total wins; neither does if they are equal, or if both are ``neither`` or less.
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
        """Whether a total is made of the roll."""
        return bool(self.against or self.adds or self.contest)


@frozen
class Declaration:
    """What players say aloud at a table, and with a command in the module: bombing, pressing, no retreat.

    ``kinds`` of counters carry it. It is ``about`` a battle, the counter itself, a hex or the whole game.
    ``by`` whom: the active side, the passive one, the counter's owner, anyone; in which ``phases`` and
    ``turns``, if not in all. ``dice`` are rolled with it, ``state`` is set by it, ``clears`` is a state that
    is over with it, and ``key`` the key proposed for it. With ``joins`` the counter joins the attack of the
    current battle.

    It may be made with one of several numbers of ``points``, which a state that counts has then less;
    with ``whole`` all that is left. ``towards``: it names a neighbouring hex. ``secret``: each side
    chooses its points for the current battle, and all are shown when all have chosen. Each point gives
    the side that makes it ``columns`` or moves the ``die`` in its favour, in the current battle; a
    column in place of the number takes it from the counter. A roll of yes or no gives them or takes them.

    ``to`` is the box that the counter goes to with it, or a box for each side; ``away``: to the turn
    track, so many turns on; ``to_battle``: to the hex of its side in the battle. ``steps`` are regained
    with it, or lost if they are below 0; ``reduced``: only who has lost steps can make it; ``boxed``: also
    who is in a box, other than one of losses; ``lost``: who is in any box. ``sides`` and ``counters`` name
    those of the kinds that alone can.

    ``fetches`` brings another counter of its side to where it stands, out of one of the boxes ``out_of``: the
    first of a kind, or the one that names it in a column.
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
