"""What a game says of its own actions: which verb is meant by what players do in the module.

A game's idiom stands beside its verbs, in ``referee/games/<game>/verbs.py``, as ``IDIOM``. It names verbs of
the rulebook and ids of the game's data, nothing of VASSAL; how an action is filled follows from the form of
its verb: a HEX is the hex of the current battle, PIECES the counters that did it, a DIE what was rolled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from attrs import field, frozen

from referee.engine.actions import Verb

STAGES = {
    **{name.replace(" ", "_"): name for name in ("attack", "call off", "odds", "modifier", "result")},
    **{name: name for name in ("settle", "eliminate", "deploy")},
}
"""What is called alike in all games that have it."""
RETREAT = "retreat"
"""What a retreat is called in all games."""
ADD, REMOVE = "add", "remove"
"""What putting a marker into a hex, and taking it off, is called in all games."""


@frozen
class MoveVerb:
    """A verb that a shift of counters may stand for, with its labels: ``retreat`` and ``by choice``.

    ``passive`` says whether it is for the side whose player turn it is not; None if for either. ``into``: it
    leads into a hex that was attacked. ``state``: it is what counters in that state do, before other verbs.
    """

    verb: str
    words: tuple[str, ...] = ()
    passive: bool | None = None
    into: bool = False
    state: str = ""


@frozen
class Checked:
    """The verbs for what the module says of a roll: what is added to it, its result, what it makes in all,
    and who won if both sides roll. Names left empty are not used."""

    added: str = ""
    result: str = ""
    makes: str = ""
    winner: str = ""

    @property
    def verbs(self) -> frozenset[str]:
        """All of them."""
        return frozenset((self.added, self.result, self.makes, self.winner)) - {""}


@frozen
class Idiom:
    """The names, as actions of a game, of the things that players do. Names left empty are not used.

    ``declared``: what a declaration stands for. ``announced``: what it says the counter's next move will be.
    ``once``: declarations that count once for a battle, however many counters make them. ``entering``:
    declarations of a roll that who comes into a hex makes there. ``dice``: what a roll by a button stands
    for. ``states``: the verbs for a state that is set and one that is taken off; ``implied`` are those that
    an action gives and that are over by themselves, so that players need not mark them.
    ``by_hand``: the same for a state that goes with a declaration or a roll, where a player sets it or takes
    it off by itself; the position keeps what the rules say of it. ``points``: the verb for a state that
    counts points, where a player sets some number by hand, neither none nor all; ``chosen`` are states
    that players set, and take off in the same phase, as they like. ``tested``: what units may do can hang on
    a roll that they made before. ``hex_markers`` are markers
    that mean something in the hex where they are laid.
    ``move_verbs``: what a shift from hex to hex may be in a phase, the likeliest first; of those ``alike``
    a drag does not say which it is. ``entries``: one from a box to a hex, ``out_of`` one from a certain box,
    or of a counter in it; ``deploy``: a shift before the first turn;
    ``overhead``: a shift to a hex of kinds that fight from above, by the side whose turn it is and by the
    other, ``idle`` if that hex is not attacked. ``away``: a shift to a box that nothing else calls for,
    ``between``: one from a box to another.
    ``lost`` are the boxes of the eliminated; ``exits`` says what a shift to another box is. ``steps``
    are the verbs for a step lost and one regained, ``faces`` those for a counter turned up and one turned
    down; ``alone`` is what a roll stands for without a current battle, ``answers`` are the dice with which
    the attacked answer the die of a battle, ``checked`` what is shown of a declaration's roll. ``instead``:
    in a phase, what a verb for a loss is called there; ``losses``: what a loss is that goes with a
    declaration. ``back``: a counter was dragged out and back, so that it may have moved. ``begin`` says that
    set-up is complete and play begins: where it is said, all shifts before it are set-up, and none after it.
    ``words`` are what a declaration says besides, with ``{side}`` for whose it is; ``beside`` names for a
    declaration that another counter of the hex has part in the declaration by which that one says so.
    ``attack`` and the following are the stages of a battle: ``attacks`` are the verbs of attacks of another
    kind, by the declaration that makes one of it, ``also`` is for a further hex that is attacked. ``rolls``
    are the verbs for the dice by kinds of combat that have dice of their own.
    """

    declared: Mapping[str, str] = field(factory=dict, hash=False)
    announced: Mapping[str, MoveVerb] = field(factory=dict, hash=False)
    once: tuple[str, ...] = ()
    entering: tuple[str, ...] = ()
    dice: Mapping[str, str] = field(factory=dict, hash=False)
    states: Mapping[str, tuple[str, str]] = field(factory=dict, hash=False)
    implied: tuple[str, ...] = ()
    by_hand: Mapping[str, tuple[str, str]] = field(factory=dict, hash=False)
    points: Mapping[str, str] = field(factory=dict, hash=False)
    chosen: tuple[str, ...] = ()
    tested: bool = False
    hex_markers: tuple[str, ...] = ()
    move_verbs: Mapping[str, tuple[MoveVerb, ...]] = field(factory=dict, hash=False)
    alike: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    out_of: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    deploy: str = ""
    overhead: Mapping[str, tuple[str, str]] = field(factory=dict, hash=False)
    idle: str = ""
    away: str = ""
    between: str = ""
    lost: tuple[str, ...] = ()
    exits: Mapping[str, str] = field(factory=dict, hash=False)
    steps: tuple[str, str] = ("", "")
    faces: tuple[str, str] = ("", "")
    alone: Mapping[str, str] = field(factory=dict, hash=False)
    checked: Mapping[str, Checked] = field(factory=dict, hash=False)
    answers: tuple[str, ...] = ()
    instead: Mapping[str, Mapping[str, str]] = field(factory=dict, hash=False)
    losses: Mapping[str, str] = field(factory=dict, hash=False)
    back: str = ""
    begin: str = ""
    words: Mapping[str, str] = field(factory=dict, hash=False)
    beside: Mapping[str, str] = field(factory=dict, hash=False)
    eliminate: str = ""
    attack: str = ""
    attacks: Mapping[str, str] = field(factory=dict, hash=False)
    also: str = ""
    call_off: str = ""
    odds: str = ""
    roll: str = ""
    rolls: Mapping[str, str] = field(factory=dict, hash=False)
    modifier: str = ""
    result: str = ""
    settle: str = ""

    @classmethod
    def of(cls, verbs: Iterable[Verb], **others: Any) -> Self:
        """Return the idiom of verbs that say themselves what they stand for, with what is said besides."""
        by_name = {verb.name: verb for verb in verbs}
        stages = {field: name for field, name in STAGES.items() if name in by_name}
        declared = {one: verb.name for verb in by_name.values() for one in verb.declared}
        dice = {one: verb.name for verb in by_name.values() for one in verb.dice}
        return cls(**{**stages, "declared": declared, "dice": dice, **others})

    @property
    def all_rolls(self) -> frozenset[str]:
        """The verbs for the dice of battles, of whatever kind."""
        return frozenset((self.roll, *self.rolls.values())) - {""}

    def roll_of(self, battle: object) -> str:
        """Return the verb for the dice of a battle: by its kind, where kinds have dice of their own."""
        return self.rolls.get(getattr(battle, "kind", ""), self.roll)

    @property
    def other_losses(self) -> tuple[str, ...]:
        """What losses are called in the phases in which they have another name."""
        return tuple(dict.fromkeys(verb for verbs in self.instead.values() for verb in verbs.values()))
