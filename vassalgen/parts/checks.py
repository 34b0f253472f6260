"""Rolls that are checked: against a factor of the counter that rolls, or against the opponent's roll.

The counter that rolls has the clerk add up the modifiers of its side in the battle; its announcement contains
the die, the modifiers, the total and whether that is a hit. In a contest the totals of both sides are stored,
and the second roll decides who has won.
"""

from __future__ import annotations

from attrs import frozen

from vassalgen.announcements import (
    CheckMade,
    ContestDecided,
    declaration_property,
    dice_property,
    identifier,
    state_property,
)
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration, Dice
from vassalgen.parts.dice import faces
from vassalgen.parts.face_down import counted, here
from vassalgen.parts.names import ACTIVE, CURRENT_BATTLE, OF_CLERK, OUR_BATTLE, PRESSER, RESULT
from vassalgen.parts.odds import ATTACK, counted_property, factor_of
from vassalgen.parts.trait_shorthand import Part, call, command, global_, on, report, signed
from vassalgen.templates import Named, quoted
from vassalgen.vassal.components import GlobalProperty

COLLECT = "gCollS"
"""The key with which the clerk asks the counters that count in battle only in a certain state."""
SUM = "ckSum"
"""The key with which the clerk adds up the current battle without an announcement."""
SET_RESULT = "setRes"
"""The key with which all participants store the result."""
RESULT_OF_BATTLE = "BRes"
"""The property of the module with the result for them."""
HIT, MISS, NEITHER = "hit", "miss", "neither side"
_SUPPORT = {"A": "BSupA", "D": "BSupD"}
_ASKED = "appS"
_OPEN = "-999"
"""The total of a side that has not rolled yet."""


def checked_dice(game: Game) -> tuple[Dice, ...]:
    """The dice whose rolls are checked."""
    return tuple(dice for dice in game.dice.values() if dice.is_checked)


def has_results(game: Game) -> bool:
    """Whether rolls in the game hit or miss."""
    return any(dice.against for dice in checked_dice(game))


def factors(game: Game) -> tuple[str, ...]:
    """The factors that checks use."""
    found = (factor for dice in checked_dice(game) for factor in (dice.against, dice.adds) if factor)
    return tuple(dict.fromkeys(found))


def factor_property(game: Game, factor: str) -> str:
    """The property of a counter with the current value of a factor."""
    if factor == factor_of(game, ATTACK):
        return counted_property(game, ATTACK)
    return "Factor_" + identifier(factor)


def is_checked(game: Game, one: Declaration) -> bool:
    """Whether a declaration rolls dice that are checked."""
    return one.dice in game.dice and game.dice[one.dice].is_checked


def properties(game: Game) -> tuple[GlobalProperty, ...]:
    """The properties of the module that checks set."""
    found = dict.fromkeys(_SUPPORT.values() if _added(game) else (), "0")
    found |= {_rolled(dice, side): _OPEN for dice in _contests(game) for side in game.sides}
    return tuple(
        GlobalProperty(name=name, initial_value=value, is_numeric=True, min="-9999", max="9999")
        for name, value in found.items()
    )


def keeping_sums(game: Game) -> tuple[Part, ...]:
    """What the clerk needs: clearing, collecting, and ending a contest with its battle."""
    if not checked_dice(game):
        return ()
    return (
        *(call(COLLECT, _ASKED, when=_in_battle(game, kind)) for kind in _supporters(game)),
        *(global_(name, on("gClr", "0")) for name in _SUPPORT.values() if _added(game)),
        *(global_(_rolled(dice, side), on("gNew", _OPEN)) for dice in _contests(game) for side in game.sides),
    )


def collecting(game: Game) -> tuple[str, ...]:
    """The keys with which the clerk collects the modifiers of checks."""
    return (COLLECT,) if _supporters(game) else ()


def supporting(game: Game, kind: str) -> tuple[Part, ...]:
    """What counters of a kind add to the rolls of their side in a battle."""
    found: list[Part] = []
    for factor in _added(game):
        value = counted(game, factor_property(game, factor))
        for role, name in _SUPPORT.items():
            if game.kinds[kind].counts_in:
                mine = f"Side=={ACTIVE}" if role == "A" else f"Side!={ACTIVE}"
                found.append(global_(name, on(_ASKED, f"{{{name}+({mine}?{value}:0)}}")))
            else:
                found.append(global_(name, on(f"app{role}", f"{{{name}+{value}}}")))
    return tuple(found)


def _added(game: Game) -> tuple[str, ...]:
    return tuple(dict.fromkeys(dice.adds for dice in checked_dice(game) if dice.adds and not dice.alone))


def _contests(game: Game) -> tuple[Dice, ...]:
    return tuple(dice for dice in checked_dice(game) if dice.contest)


def _supporters(game: Game) -> tuple[str, ...]:
    """The kinds that count in battle only in a state that a declaration sets."""
    if not _added(game):
        return ()
    return tuple(kind.id for kind in game.kinds.values() if kind.counts_in and _rolled_in(game, kind.id))


def _rolled_in(game: Game, kind: str) -> str:
    """The property with the number of the battle in which a counter of such a kind counts."""
    state = game.kinds[kind].counts_in
    said = (one for one in game.declarations.values() if one.state == state and kind in one.kinds)
    return next((declaration_property(one.id) for one in said if one.about == "battle"), "")


def _in_battle(game: Game, kind: str) -> str:
    state = state_property(game.kinds[kind].counts_in)
    return f"Kind=={quoted(kind)}&&{state}>0&&{_rolled_in(game, kind)}=={CURRENT_BATTLE}"


@frozen
class Check:
    """A declaration whose roll is checked, as traits of the counters that make it."""

    game: Game
    declaration: Declaration
    battle: str
    modifier: str = ""

    @property
    def dice(self) -> Dice:
        """What is rolled."""
        return self.game.dice[self.declaration.dice]

    @property
    def before(self) -> tuple[str, ...]:
        """The keys to be sent before the roll."""
        return (f"chk_at_{self.declaration.id}", f"chk_sum_{self.declaration.id}")

    @property
    def after(self) -> tuple[str, ...]:
        """The keys to be sent when the roll has been reported."""
        id_, found = self.declaration.id, []
        if self.dice.against:
            found += [f"chk_res_{id_}", f"chk_tell_{id_}"]
        if self.dice.contest:
            found += [f"chk_keep_{id_}", f"chk_end_{id_}"]
        return tuple(found)

    def say(self, said: str) -> Part:
        """The line that is shown."""
        parts = {
            "counter": here(self.game),
            "declaration": quoted(str(Named(self.declaration.id, self.declaration.title))),
            "battle": self.battle,
            "faces": faces(self.dice),
            "total": self._total,
            "side": PRESSER,
        }
        if self.dice.modified and self.modifier:
            parts["modifier"] = signed(self.modifier)
        if self.dice.adds:
            parts["support"] = signed(self._added)
        if self.dice.against:
            parts |= {"factor": self._factor(self.dice.against), "result": self._result}
        return report(said, CheckMade.expression(**parts))

    def traits(self) -> tuple[Part, ...]:
        """The other traits that counters need for it."""
        id_ = self.declaration.id
        found: list[Part] = [
            global_(CURRENT_BATTLE, on(f"chk_at_{id_}", f"{{{self.battle}}}")),
            call(f"chk_sum_{id_}", SUM, where=OF_CLERK),
        ]
        if self.dice.against:
            so_far = f'({RESULT}=="-"||{RESULT}==""?"":{RESULT}+"/")'
            found += [
                call(f"chk_tell_{id_}", SET_RESULT, where=OUR_BATTLE),
                global_(
                    RESULT_OF_BATTLE, on(f"chk_res_{id_}", f"{{{so_far}+{self._result}}}"), numeric=False
                ),
            ]
        return (*(self._contest() if self.dice.contest else ()), *found)

    def _factor(self, factor: str) -> str:
        return counted(self.game, factor_property(self.game, factor))

    @property
    def _die(self) -> str:
        return f"{dice_property(self.dice.id)}_total"

    @property
    def _added(self) -> str:
        if self.dice.alone:
            return self._factor(self.dice.adds)
        return f"(Side=={ACTIVE}?{_SUPPORT['A']}:{_SUPPORT['D']})"

    @property
    def _total(self) -> str:
        parts = [self._die]
        if self.dice.modified and self.modifier:
            parts.append(self.modifier)
        if self.dice.adds:
            parts.append(self._added)
        return f"({'+'.join(parts)})"

    @property
    def _result(self) -> str:
        found = f"({self._total}<={self._factor(self.dice.against)}?{quoted(HIT)}:{quoted(MISS)})"
        for listed, result in ((self.dice.never, MISS), (self.dice.always, HIT)):
            if listed:
                among = "||".join(f"{self._die}=={face}" for face in listed)
                found = f"({among}?{quoted(result)}:{found})"
        return found

    def _contest(self) -> tuple[Part, ...]:
        id_ = self.declaration.id
        first, second = self.game.sides.values()
        mine, yours = _rolled(self.dice, first.id), _rolled(self.dice, second.id)
        both = f"{mine}!={_OPEN}&&{yours}!={_OPEN}"
        decided = ContestDecided.expression(
            battle=CURRENT_BATTLE,
            declaration=quoted(str(Named(id_, self.declaration.title))),
            owner=quoted(first.title),
            points=mine,
            other=quoted(second.title),
            others=yours,
            winner=self._winner(mine, yours, first.title, second.title),
            side=PRESSER,
        )
        return (
            report(f"chk_won_{id_}", decided),
            command("", f"chk_end_{id_}", f"chk_won_{id_}", f"chk_drop_{id_}", when=both),
            *(
                global_(
                    _rolled(self.dice, side.id),
                    on(
                        f"chk_keep_{id_}",
                        f"{{Side=={quoted(side.title)}?{self._total}:{_rolled(self.dice, side.id)}}}",
                    ),
                    on(f"chk_drop_{id_}", _OPEN),
                )
                for side in (first, second)
            ),
        )

    def _winner(self, mine: str, yours: str, first: str, second: str) -> str:
        sign = "<" if self.dice.contest == "low" else ">"
        nobody = f"{mine}=={yours}"
        if self.dice.neither is not None:
            nobody = f"({nobody}||({mine}<={self.dice.neither}&&{yours}<={self.dice.neither}))"
        return f"({nobody}?{quoted(NEITHER)}:({mine}{sign}{yours}?{quoted(first)}:{quoted(second)}))"


def _rolled(dice: Dice, side: str) -> str:
    """The property of the module with a side's total in a contest, empty until it has rolled."""
    return f"contest_{identifier(dice.id)}_{identifier(side)}"
