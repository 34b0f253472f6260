"""Which verb of a game is meant by what players do in the module.

A game's idiom is beside its verbs, in ``referee/games/<game>/verbs.py``, as ``IDIOM``. It names verbs of the
rulebook and ids of the game's data, nothing of VASSAL; how an action is filled depends on the form of its
verb: a HEX is the hex of the current battle, PIECES are the counters that act, a DIE is the roll.
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
"""Stages with the same name in all games that have them."""
RETREAT = "retreat"
"""The name of a retreat in all games."""
ADD, REMOVE = "add", "remove"
"""The names, in all games, of placing a marker in a hex and of removing it."""


@frozen
class MoveVerb:
    """A verb for a counter that changes place, with its labels: ``retreat`` and ``by choice``.

    ``passive`` says whether it is for the inactive side; None if for both. ``into``: it leads into a hex that
    was attacked. ``state``: it is used by counters in that state, before other verbs.
    """

    verb: str
    words: tuple[str, ...] = ()
    passive: bool | None = None
    into: bool = False
    state: str = ""


@frozen
class Checked:
    """The verbs for the parts of a checked roll: its modifiers, its result, its total, and the winner if both
    sides roll. Empty names are not used.
    """

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
    """The verbs of a game for the things that players do. Empty names are not used.

    ``declared``: the verb for a declaration. ``announced``: the verb that a declaration gives to the
    counter's next move. ``once``: declarations that count once for a battle, however many counters make them.
    ``entering``: declarations with a roll that counters make in a hex that they enter. ``dice``: the verb for
    a roll by a button. ``states``: the verbs for setting and removing a state; ``implied`` states result from
    an action and end by themselves, so that players need not mark them. ``by_hand``: the same for a state
    that belongs to a declaration or a roll, if a player sets or removes it directly; the position keeps the
    state required by the rules. ``points``: the verb for a state that counts points, if a player sets a
    number by hand that is neither none nor all; ``chosen`` are states that players may set, and remove in the
    same phase, freely. ``tested``: what units may do can depend on an earlier roll of theirs. ``hex_markers``
    are markers that have an effect in the hex in which they are placed. ``move_verbs``: the possible verbs
    for a change of hex in a phase, the most likely first; a drag does not show which of those ``alike`` it
    is. ``entries``: from a box to a hex, ``out_of``: from a certain box, or of a counter in it; ``deploy``:
    before the first turn; ``overhead``: aircraft and other kinds that fight from above, to a hex, by the
    active side and by the other, ``idle`` if that hex is not attacked. ``away``: to a box without another
    reason, ``between``: from one box to another. ``lost`` are the boxes of eliminated units; ``exits`` are
    the verbs for moves to other boxes. ``steps`` are the verbs for a step lost and one regained, ``faces``
    those for a counter turned face up and face down; ``alone`` is the verb for a roll without a current
    battle, ``answers`` are the dice of the defenders' return fire, ``checked`` are the verbs for a
    declaration's checked roll. ``instead``: in a phase, the verb that replaces one for a loss; ``losses``:
    the verb for a loss that belongs to a declaration. ``back``: a counter was dragged away and back, so that
    it may have moved. ``begin``: set-up is complete and play begins; if it is announced, all changes of place
    before it are set-up, and none after it. ``words`` are the further words of a declaration, with ``{side}``
    for its side; ``beside`` names, for a declaration in which another counter of the hex takes part, the
    declaration with which that counter says so. ``attack`` and the following are the stages of a battle:
    ``attacks`` are the verbs of other kinds of attacks, by the declaration that makes an attack one of these;
    ``also`` is for an additional attacked hex. ``rolls`` are the verbs for the dice of kinds of combat that
    have their own dice. ``called`` are other names that players give a verb, besides those of all games;
    ``turned`` are patterns of statements that players put in another order than the forms, each with what is
    said in its place. ``helpers`` are verbs of which players say, too, which counters are helped.
    ``exchanged`` is the verb for a counter that is put in the place of another, and the column of
    counters.csv that names its counterpart.
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
    called: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    turned: tuple[tuple[str, str], ...] = ()
    helpers: tuple[str, ...] = ()
    exchanged: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, verbs: Iterable[Verb], **others: Any) -> Self:
        """Return the idiom of verbs that contain their declarations and dice, with the other parts."""
        by_name = {verb.name: verb for verb in verbs}
        stages = {field: name for field, name in STAGES.items() if name in by_name}
        declared = {one: verb.name for verb in by_name.values() for one in verb.declared}
        dice = {one: verb.name for verb in by_name.values() for one in verb.dice}
        return cls(**{**stages, "declared": declared, "dice": dice, **others})

    @property
    def all_attacks(self) -> frozenset[str]:
        """The verbs that declare attacks of all kinds."""
        return frozenset((self.attack, *self.attacks.values(), self.also)) - {""}

    @property
    def all_rolls(self) -> frozenset[str]:
        """The verbs for the dice of battles of all kinds."""
        return frozenset((self.roll, *self.rolls.values())) - {""}

    @property
    def rolling(self) -> frozenset[str]:
        """The dice that resolve battles."""
        return frozenset(dice for dice, verb in self.dice.items() if verb in self.all_rolls)

    @property
    def beginning(self) -> frozenset[str]:
        """The declarations that set-up is complete."""
        return frozenset(name for name, verb in self.declared.items() if verb == self.begin)

    def roll_of(self, battle: object) -> str:
        """Return the verb for the dice of a battle, depending on its kind if kinds have their own dice."""
        return self.rolls.get(getattr(battle, "kind", ""), self.roll)

    @property
    def other_losses(self) -> tuple[str, ...]:
        """The names of losses in the phases in which they differ."""
        return tuple(dict.fromkeys(verb for verbs in self.instead.values() for verb in verbs.values()))
