"""What the module calculates for a battle from the board: terrain, hexsides, cities, units involved, tests.

The clerk collects: defenders write down their hex, attackers whether they attack across a hexside, and both
what they are. From this it calculates every modifier of the game's data, and the sums of them. Hexes and
hexsides are looked up in one text for each terrain and feature, so that no expression nests deeply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from attrs import frozen

from vassalgen.announcements import HALF, ROLE, BattleModifiers, dice_property, identifier
from vassalgen.game.game import Game
from vassalgen.game.modifiers import BattleModifier, Modified, Test
from vassalgen.game.tables import ChartRow
from vassalgen.parts.face_down import counted
from vassalgen.parts.fighting_phases import only_in
from vassalgen.parts.lookups import (
    HERE,
    SCENARIO_TURN,
    TARGET,
    among,
    at_places,
    holds,
    listed,
    matters,
    turns_of,
    value_of,
)
from vassalgen.parts.names import CURRENT_BATTLE, OUR_BATTLE, PRESSER
from vassalgen.parts.trait_shorthand import Part, call, command, global_, number, on, report
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty

COLLECT_TESTS = "gCollT"
"""The key with which the clerk asks the defenders which of them pass."""
FOLD = "gFold"
"""The key with which the sums of factors are modified."""
EXPLAIN = "sayModifiers"
"""The key with which the clerk announces them."""
TAKE_TEST = "ckTest"
"""The key with which the clerk notes a test that was rolled for the current battle."""
TEST_FACTOR = "TestFactor"
"""The property of a counter with the factor for its tests."""
_FROM, _WHY = "BFrom", "BWhy"
_ROLLED, _PASSED, _OWN_TEST = "BTest", "BPassed", "MyTest"
_WORTH = {"die": "BModDie", "columns": "BModCols", "attack": "BModAtk", "defence": "BModDef"}
_MANY = "BMany"
_ABOVE = 100
"""What is added to factors of which the highest is sought, so that 0 means none."""
_WHOLE = {"all": f"{_FROM}", "most": "BAF"}


@frozen
class Modifiers:
    """The modifiers of a game, as traits and properties of its module. A game without modifiers gets none of
    these.
    """

    game: Game

    @property
    def all(self) -> tuple[BattleModifier, ...]:
        """All of them."""
        return tuple(self.game.modifiers.values())

    @property
    def test(self) -> Test | None:
        """The test on which a modifier depends."""
        return next((one.test for one in self.all if one.test), None)

    def changes(self, what: Modified) -> bool:
        """Whether any modifier affects this part of a battle."""
        return any(one.to == what and not (one.times or one.halves) for one in self.all)

    def times(self, what: Modified) -> str:
        """The expression for the multiplier of the whole attack or defence, with its sign."""
        mine = [one for one in self.all if one.to == what and one.multiplies_all]
        return "".join(f"*Math.max(1,{_amount(one)})" for one in mine)

    def worth(self, what: Modified) -> str:
        """The expression for the sum of all modifiers of the die or the columns, with a plus in front."""
        return f"+{_WORTH[what]}" if self.changes(what) else ""

    def chain(self, *collect: str) -> tuple[str, ...]:
        """The keys with which the clerk collects, and what it does before and after."""
        if not self.all:
            return collect
        before, asked = ((TAKE_TEST,), (COLLECT_TESTS,)) if self.test else ((), ())
        folds = self.changes("attack") or self.changes("defence") or bool(self.times("defence"))
        return (*before, *collect, *asked, "gMods", "gSums", *((FOLD,) if folds else ()))

    def factor(self, name: str, to: Modified, kind: str) -> str:
        """The expression for what a counter of a kind adds to attack or defence, depending on its hex."""
        halved = "||".join(self._halved(to, kind))
        worth = f"({halved}?({name}+1)/2:{name})" if halved else name
        times = "".join(
            self._times(one, at_places(one.places, self.game, here=True, kinds=one.kinds, default=1))
            for one in self.all
            if one.times and one.places and one.to == to and not one.multiplies_all
        )
        times += "".join(
            self._times(one, self._by_terrain(one))
            for one in self.all
            if one.times and one.terrain and to == one.to == "attack" and kind in (one.kinds or (kind,))
        )
        return f"(2-{HALF})*{worth}{times}"

    def _times(self, one: BattleModifier, times: str) -> str:
        """The expression for a multiplier, in the phases of the combats that count it."""
        phases = only_in(self.game, one.id)
        return f"*({phases}?{times}:1)" if phases else f"*{times}"

    def _halved(self, to: str, kind: str) -> Iterator[str]:
        """Expressions for whether a counter of a kind is halved, depending on its hex and its target."""
        for one in (each for each in self.all if each.to == to):
            phases = only_in(self.game, one.id)
            for where in self._halved_by(one, kind):
                yield f"({phases}&&{where})" if phases else where

    def _halved_by(self, one: BattleModifier, kind: str) -> Iterator[str]:
        """Expressions for whether a modifier halves a counter of a kind, by its hex and its target."""
        for effect, asked in ((one.halved, HERE), (one.halved_into, TARGET)):
            hexes = [
                where
                for where, of in self.game.map.hexes.items()
                if effect and kind in self.game.terrain[of.terrain].effects.words(effect, ())
            ]
            if hexes:
                yield among(hexes, asked)
        for row in self.game.features.values() if one.halved_across else ():
            if kind in row.effects.words(one.halved_across, ()):
                yield f'{_sides(row)}.contains("|"+{HERE}+"/"+{TARGET}+"|")'

    def _by_terrain(self, one: BattleModifier) -> str:
        """The expression for the multiplier of the attacked hex's terrain."""
        found = "1"
        for row in self.game.terrain.values():
            if matters(row, one.terrain, one.season, self.game):
                hexes = [name for name, of in self.game.map.hexes.items() if of.terrain == row.id]
                value = value_of(row, one.terrain, one.season, self.game)
                found = f"({among(hexes, TARGET)}?{value}:{found})"
        return found

    # what is in the module

    def properties(self) -> tuple[GlobalProperty, ...]:
        """The properties of the module that are set."""
        if not self.all:
            return ()
        return (
            *(
                GlobalProperty(name=name, initial_value="0", is_numeric=True, min="-9999", max="9999")
                for name in (*self._collected, *self._worked_out)
            ),
            GlobalProperty(name=TARGET, initial_value=""),
            GlobalProperty(name=_WHY, initial_value=""),
            *(GlobalProperty(name=name, initial_value=sides) for name, sides in self._hexsides().items()),
        )

    def _hexsides(self) -> dict[str, str]:
        """The hexsides of each relevant feature, in one text, which would be too long for every counter."""
        return {
            _sides(row): listed(
                f"{here}/{there}"
                for (first, second), side in self.game.map.hexsides.items()
                if row.id in side.features and not self._is_opened(row, side.features)
                for here, there in ((first, second), (second, first))
                if not row.effects.flag("uphill", False) or self._climbs(here, there)
            )
            for row in (*(row for _, row in self._crossings()), *self._halving())
        }

    def _halving(self) -> Iterator[ChartRow]:
        """Features of hexsides across which some kinds are halved in attack."""
        for one in self.all:
            for row in self.game.features.values() if one.halved_across else ():
                if row.effects.words(one.halved_across, ()):
                    yield row

    @property
    def _collected(self) -> tuple[str, ...]:
        """The numbers to which counters add."""
        found = [*self._counted, *(_across(one, row) for one, row in self._crossings())]
        found += [_noted("A", text) for text in self._of_attackers()]
        found += [_noted("D", text) for text in self._of_defenders()]
        found += [_amount(one) for one in self._by_places()]
        found += [_best(role, factor) for _, role, factor in self._bests()]
        found += [_doubled(one) for one in self.all if one.twice_against]
        found += [_MANY] if any(one.twice_against for one in self.all) else []
        return tuple(dict.fromkeys((*found, *((_ROLLED, _PASSED) if self.test else ()))))

    @property
    def _counted(self) -> tuple[str, ...]:
        """The number of attackers, if a modifier depends on where all of them attack from."""
        return (_FROM,) if any(one.across == "all" for one, _ in self._crossings()) else ()

    @property
    def _worked_out(self) -> tuple[str, ...]:
        """The numbers that the clerk calculates."""
        return (*(_amount(one) for one in self._added()), *_WORTH.values())

    def _added(self) -> tuple[BattleModifier, ...]:
        """The modifiers that are calculated when everything has been collected."""
        return tuple(one for one in self.all if one.multiplies_all or not (one.times or one.halves))

    def _by_places(self) -> tuple[BattleModifier, ...]:
        """The modifiers that multiply the factors of each counter, depending on its place."""
        return tuple(one for one in self.all if one.times and one.places and not one.multiplies_all)

    def _bests(self) -> Iterator[tuple[BattleModifier, str, str]]:
        """The highest factors that count: the modifier, the role, the factor."""
        for one in self.all:
            yield from ((one, role, name) for role, name in (("A", one.best), ("D", one.less)) if name)

    def _crossings(self) -> Iterator[tuple[BattleModifier, ChartRow]]:
        """The relevant features of hexsides, for each modifier."""
        for one in self.all:
            for row in self.game.features.values() if one.hexside else ():
                if matters(row, one.hexside, one.season, self.game):
                    yield one, row

    def _of_attackers(self) -> tuple[str, ...]:
        flags = self.test.attackers if self.test else ()
        asked = (
            text for one in self.all for text in (one.attacker, one.no_attacker, one.also_attacker) if text
        )
        return tuple(dict.fromkeys((*asked, *flags)))

    def _of_defenders(self) -> tuple[str, ...]:
        asked = (
            text for one in self.all for text in (one.defender, one.no_defender, one.also_defender) if text
        )
        return tuple(dict.fromkeys(asked))

    # what counters that fight do

    def fighter(self, kind: str) -> tuple[Part, ...]:
        """What counters of a kind that fights write down."""
        if not self.all:
            return ()
        return (
            global_(TARGET, on("appD", f"{{{HERE}}}"), numeric=False),
            *(global_(name, on("appA", f"{{{name}+1}}")) for name in self._counted),
            *(self._crosses(one, row) for one, row in self._crossings()),
            *self._what_they_are("A", kind, self._of_attackers()),
            *self._what_they_are("D", kind, self._of_defenders()),
            *(self._multiplies(one) for one in self._by_places()),
            *self._has_best(kind),
            *self._doubles(kind),
            *(self._tested(self.test, kind) if self.test else ()),
        )

    def _crosses(self, one: BattleModifier, row: ChartRow) -> Part:
        name, crossed = _across(one, row), f'{_sides(row)}.contains("|"+{HERE}+"/"+{TARGET}+"|")'
        share = "1" if one.across == "all" else f"(2-{HALF})*{counted(self.game, 'AttackFactor')}"
        return global_(name, on("appA", f"{{{name}+({crossed}?{share}:0)}}"))

    def _is_opened(self, row: ChartRow, features: Iterable[str]) -> bool:
        return any(row.id in self.game.features[name].opens for name in features)

    def _climbs(self, here: str, there: str) -> bool:
        return self.game.map.hexes[there].level > self.game.map.hexes[here].level

    def _has_best(self, kind: str) -> Iterator[Part]:
        for role, name in dict.fromkeys((role, name) for _, role, name in self._bests()):
            if _have(self.game, kind, name):
                kept = _best(role, name)
                value = counted(self.game, name, kind)
                yield global_(kept, on(f"app{role}", f"{{Math.max({kept},{_ABOVE}+{value})}}"))

    def _doubles(self, kind: str) -> Iterator[Part]:
        doubled = [one for one in self.all if one.twice_against]
        for one in doubled:
            if kind in one.kinds:
                sum_, factor = _doubled(one), counted(self.game, "AttackFactor")
                yield global_(sum_, on("appA", f"{{{sum_}+{self.factor(factor, 'attack', kind)}}}"))
        if doubled:
            yield global_(_MANY, on("appD", f"{{{_MANY}+1}}"))

    def _what_they_are(self, role: str, kind: str, texts: Iterable[str]) -> Iterator[Part]:
        for text in texts:
            name = _noted(role, text)
            yield global_(name, on(f"app{role}", f"{{{name}+({holds(self.game, kind, text)}?1:0)}}"))

    def _multiplies(self, one: BattleModifier) -> Part:
        role = {"attack": "A", "defence": "D"}[one.to]
        times = at_places(one.places, self.game, here=True, kinds=one.kinds, default=0)
        name = _amount(one)
        return global_(name, on(f"app{role}", f"{{Math.max({name},{times})}}"))

    def _tested(self, test: Test, kind: str) -> tuple[Part, ...]:
        if not is_tested(self.game, kind):
            return ()
        kept = (
            global_(_ROLLED, on("appD", f"{{{_OWN_TEST}}}")),
            number(
                _OWN_TEST,
                on("takeTest", f"{{{_OWN_TEST}>0?{_OWN_TEST}:{_total(test)}}}"),
                on("setD", f"{{{_ROLLED}}}"),
                on("clrB", "0"),
            ),
        )
        changes = [
            *(
                f"({holds(self.game, kind, state)}?{by}:0)"
                for state, by in test.state.items()
                if kind in self.game.states[state].kinds
            ),
            *(f"({_noted('A', flag)}>0?{by}:0)" for flag, by in test.attackers.items()),
            *self._by_nation(test.turn),
        ]
        passes = f"{_ROLLED}<={'+'.join((counted(self.game, TEST_FACTOR), *changes))}"
        if test.passes:
            passes = f"({holds(self.game, kind, test.passes)}||{passes})"
        return (*kept, global_(_PASSED, on("appT", f"{{{_PASSED}+({passes}?1:0)}}")))

    def _by_nation(self, entry: str) -> Iterator[str]:
        """Expressions for modifiers that depend on the turn track and the nation."""
        found: dict[tuple[str, int], list[str]] = {}
        for turn, values in turns_of(self.game):
            given = values.get(entry) if entry else None
            for nation, by in given.items() if isinstance(given, Mapping) else ():
                if isinstance(by, int):
                    found.setdefault((nation, by), []).append(turn)
        for (nation, by), turns in found.items():
            yield f"(Nation=={quoted(nation)}&&{among(turns, SCENARIO_TURN)}?{by}:0)"

    # what the clerk does

    def clerk(self) -> tuple[Part, ...]:
        """What the clerk calculates and announces."""
        if not self.all:
            return ()
        said = BattleModifiers.expression(battle=CURRENT_BATTLE, modifiers=_WHY, side=PRESSER)
        return (
            report("sayWhy", said),
            command("", EXPLAIN, "sayWhy", when=f'{_WHY}!=""'),
            *(self._take_test(self.test) if self.test else ()),
            *(global_(_amount(one), on("gMods", f"{{{self._amount_of(one)}}}")) for one in self._added()),
            *(global_(name, on("gSums", f"{{{self._sum_of(what)}}}")) for what, name in _WORTH.items()),
            global_(_WHY, on("gSums", f"{{{self._why()}}}"), on("gClr", ""), numeric=False),
            *(global_(name, on("gClr", "0")) for name in self._collected),
        )

    def _take_test(self, test: Test) -> tuple[Part, ...]:
        open_ = f"{CURRENT_BATTLE}>0&&{_total(test)}>0"
        return (
            command("", TAKE_TEST, "gTest", "gSpent", when=open_),
            call("gTest", "takeTest", when=f'{ROLE}=="D"', where=OUR_BATTLE),
            call(COLLECT_TESTS, "appT", when=f'{ROLE}=="D"', where=OUR_BATTLE),
            global_(_total(test), *(on(key, "0") for key in ("gSpent", "gZero", "gNew"))),
        )

    def _amount_of(self, one: BattleModifier) -> str:
        """The expression for the value of a modifier."""
        parts = [str(one.worth)] if one.worth else []
        for row in self.game.terrain.values() if one.terrain else ():
            if matters(row, one.terrain, one.season, self.game):
                hexes = [name for name, of in self.game.map.hexes.items() if of.terrain == row.id]
                value = value_of(row, one.terrain, one.season, self.game)
                parts.append(f"({among(hexes, TARGET)}?{value}:0)")
        for of, side in self._crossings():
            if of is one:
                value, whole = value_of(side, one.hexside, one.season, self.game), _WHOLE[one.across]
                crossed = _across(one, side)
                reached = f"{crossed}=={whole}&&{whole}>0" if one.across == "all" else f"2*{crossed}>{whole}"
                parts.append(f"({reached}?{value}:0)")
        if one.places:
            parts.append(at_places(one.places, self.game, here=False, default=0))
        for sign, role, factor in (("+", "A", one.best), ("-", "D", one.less)):
            if factor:
                best = _best(role, factor)
                parts.append(f"(0{sign}({best}>0?{best}-{_ABOVE}:0))")
        if one.twice_against:
            parts.append(f"({_MANY}>={one.twice_against}?{_doubled(one)}/2:0)")
        joined = "*".join(f"Math.max(1,{part})" for part in parts) if one.times else "+".join(parts)
        joined = reduce(lambda a, b: f"Math.max({a},{b})", parts) if one.highest else joined
        conditions = [
            *([f"{_noted('A', one.attacker)}>0"] if one.attacker else []),
            *([f"{_noted('D', one.defender)}>0"] if one.defender else []),
            *([f"{_noted('A', one.also_attacker)}>0"] if one.also_attacker else []),
            *([f"{_noted('D', one.also_defender)}>0"] if one.also_defender else []),
            *([f"{_noted('A', one.no_attacker)}==0"] if one.no_attacker else []),
            *([f"{_noted('D', one.no_defender)}==0"] if one.no_defender else []),
            *([f"{_ROLLED}>0&&{_PASSED}==0"] if one.test else []),
        ]
        found = f"({'&&'.join(conditions)}?{joined}:0)" if conditions else f"({joined})"
        found = found if one.least is None else f"Math.max({one.least},{found})"
        found = found if one.most is None else f"Math.min({one.most},{found})"
        phases = only_in(self.game, one.id)
        return f"({phases}?{found}:0)" if phases else found

    def _sum_of(self, what: str) -> str:
        """The expression for the sum of all modifiers of one kind; factors are counted in halves."""
        amounts = [_amount(one) for one in self._added() if one.to == what and not one.times]
        total = "+".join(amounts) or "0"
        return f"2*({total})" if what in ("attack", "defence") else total

    def _why(self) -> str:
        """The expression for the explanation: every modifier that is not 0."""
        parts = []
        shown_ones = (*self._by_places(), *self._added())
        for one in (each for each in self.all if each in shown_ones):
            amount, said = _amount(one), quoted(f", {one.title}: {one.to} ")
            shown = f'"x"+{amount}' if one.times else f'({amount}>0?"+":"")+{amount}'
            parts.append(f'({amount}{">1" if one.times else "!=0"}?{said}+{shown}:"")')
        return f'("#"+{"+".join(parts)}).replace("#, ","").replace("#","")'


def is_tested(game: Game, kind: str) -> bool:
    """Whether counters of a kind have the factor with which they are tested."""
    test = Modifiers(game).test
    return test is not None and any(
        counter.kind == kind and test.factor in face.factors
        for counter in game.counters.values()
        for face in counter.faces
    )


def _have(game: Game, kind: str, factor: str) -> bool:
    """Whether counters of a kind have a factor."""
    return any(factor in one.face().factors for one in game.counters.values() if one.kind == kind)


def _best(role: str, factor: str) -> str:
    return f"BBest{role}_{identifier(factor)}"


def _doubled(one: BattleModifier) -> str:
    return f"BTwice_{identifier(one.id)}"


def _amount(one: BattleModifier) -> str:
    return f"BMod_{identifier(one.id)}"


def _across(one: BattleModifier, row: ChartRow) -> str:
    return f"BX_{identifier(one.id)}_{identifier(row.id)}"


def _sides(row: ChartRow) -> str:
    return f"Sides_{identifier(row.id)}"


def _noted(role: str, text: str) -> str:
    return f"BIs{role}_{identifier(text)}"


def _total(test: Test) -> str:
    return f"{dice_property(test.dice)}_total"
