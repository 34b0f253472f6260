"""Checks of rules.toml: names of things that do not exist, and contradictions with the rest of the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, get_args, get_origin, get_type_hints

from attrs import AttrsInstance, fields, fields_dict, frozen, has

from vassalgen.game import families as of
from vassalgen.game.checking.called import called_problems
from vassalgen.game.checking.effects import effect_problems
from vassalgen.game.checking.idle_keys import idle_keys
from vassalgen.game.checking.naming import named, present
from vassalgen.game.checking.play import known
from vassalgen.game.checking.track_and_chart import chart_problems, entry_problems
from vassalgen.game.conditions import Condition
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game, unknown
from vassalgen.game.tables import ChartRow, span
from vassalgen.game.words import counter_words
from vassalgen.problems import Problem

OWN_PROGRAM = "rules.py"
"""The file with the rules that the families do not cover."""


def family_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistencies in the rules that are data, and effects that no rule reads."""
    if game.families:
        vocabulary = _Vocabulary(game, game.families)
        yield from vocabulary.names(of.Families, game.families, "rules")
        yield from _phases(game, game.families)
        yield from _without_clause(game, game.families)
        yield from _results(game, game.families)
        yield from _combats(game, game.families)
        yield from _amounts(game, game.families)
        yield from _bars(game, game.families)
        yield from _dice(game, game.families)
        yield from _rolls(game, game.families)
        yield from _activations(game, game.families)
        yield from _replacements(game, game.families)
        yield from _withdrawals(game, game.families)
        yield from _words_of_its_own(game, game.families)
        yield from called_problems(game, game.families, program=_is_program(game))
        yield from idle_keys(game, game.families)
        yield from _clauses(game, game.families)
        yield from entry_problems(game, game.families, program=_is_program(game))
        yield from chart_problems(game, game.families)
    yield from effect_problems(game, program=_is_program(game) or not game.families)


def _is_program(game: Game) -> bool:
    """Return whether the game has rules in Python, which may read any value."""
    return any((folder / OWN_PROGRAM).is_file() for folder in game.folders)


@frozen
class _Vocabulary:
    """The things that each kind of name in the rules may refer to."""

    game: Game
    rules: of.Families

    def names(self, hint: Any, value: Any, thing: str) -> Iterator[Problem]:
        """Find names that refer to nothing, in a value and everything inside it."""
        if has(type(value)) and not isinstance(value, Condition):
            hints = get_type_hints(type(value))
            for each in fields(type(value)):
                yield from self.names(hints[each.name], getattr(value, each.name), f"{thing}/{each.name}")
        elif isinstance(value, Mapping):
            key_hint, value_hint = get_args(present(hint))
            for key, entry in value.items():
                yield from self._name(key_hint, key, thing)
                yield from self.names(value_hint, entry, f"{thing}/{_text(key)}")
        elif isinstance(value, tuple):
            for entry in value:
                yield from self.names(get_args(hint)[0], entry, thing)
        else:
            yield from self._name(hint, value, thing)

    def _name(self, hint: Any, value: Any, thing: str) -> Iterator[Problem]:
        if hint in (of.Who, of.Where, of.Near):
            what, words = self._conditions[hint]
            if value and set("()") & set(value.text):
                right = (
                    '"a and b or a and c" in place of "a and (b or c)", "not a or not b" of "not (a and b)"'
                )
                yield self.game.problem(thing, f"is {value.text!r}; conditions have no brackets", right)
                return
            for word in value.words if value else ():
                several = word.split()
                if word not in words and len(several) > 1 and set(several) <= set(words):
                    right = f'join the words: "{" or ".join(several)}" or "{" and ".join(several)}"'
                    yield self.game.problem(thing, f"{word!r} is several words", right)
                elif word != "-":
                    yield from known(self.game, thing, word, what, words)
        elif not isinstance(value, int) and not _is_literal(hint, value):
            for kind in (hint, *get_args(hint)):
                if kind in self._kinds:
                    what, names = self._kinds[kind]
                    yield from known(self.game, thing, value, what, names)

    @cached_property
    def _kinds(self) -> dict[Any, tuple[str, tuple[str, ...]]]:
        game, rules = self.game, self.rules
        rows: tuple[ChartRow, ...] = (
            *game.terrain.values(),
            *game.features.values(),
            *game.road_kinds.values(),
        )
        turns = [*game.turns, *(turn for one in game.scenarios.values() for turn in one.turns)]
        entries = {entry for turn in turns for entry in turn.values} | {
            entry for one in rules.rolls.values() for entry in (one.sets, *one.also)
        }
        placed = (name for name, one in rules.markers.items() if one.laid_by.text)
        activities = (*rules.movement, *rules.transfers, *rules.combat, *of.ACTIVITIES, "move", "attack")
        return {
            of.ClauseId: ("clause", tuple(game.clauses)),
            of.MarkerId: (
                "marker",
                tuple(one.id for one in game.counters.values() if _is_marker(game, one)),
            ),
            of.ColumnId: ("column of counters.csv", ("nation", "formation", "kind", *game.columns)),
            of.FactorId: ("factor", tuple(game.factors)),
            of.StateId: ("state", tuple(game.states)),
            of.PhaseId: ("phase", tuple(phase.id for phase in game.sequence.phases)),
            of.TableId: ("table", tuple(game.tables)),
            of.DiceId: ("dice", tuple(game.dice)),
            of.ModifierId: ("modifier", tuple(game.modifiers)),
            of.EffectId: (
                "effect in the terrain chart",
                tuple(sorted({name for row in rows for name in row.effect_names})),
            ),
            of.EntryId: ("entry of the turn track", tuple(sorted(entries))),
            of.BoxId: ("box", tuple(game.map.boxes)),
            of.SideId: ("side", tuple(game.sides)),
            of.FeatureId: ("feature of hexsides", tuple(game.features)),
            of.RoadKindId: ("kind of road", tuple(game.road_kinds)),
            of.PlaceId: ("place", tuple(game.map.places)),
            of.KindId: ("kind of counter", tuple(game.kinds)),
            of.ScenarioId: ("scenario", tuple(game.scenarios)),
            of.CheckId: ("check", tuple(rules.checks)),
            of.CombatId: ("kind of combat", tuple(rules.combat)),
            of.Spending: (
                "kind of movement or of combat, or term entered by hand",
                tuple(
                    dict.fromkeys(
                        (
                            *(*rules.movement, *rules.transfers, *rules.combat),
                            *(term for one in rules.combat.values() for term in one.by_hand),
                        )
                    )
                ),
            ),
            of.Activity: ("kind of movement or of combat", tuple(dict.fromkeys(activities))),
            of.Doing: (
                "kind of movement or of combat, or entry of [markers]",
                tuple(dict.fromkeys((*activities, *placed))),
            ),
        }

    @cached_property
    def _conditions(self) -> dict[Any, tuple[str, tuple[str, ...]]]:
        game = self.game
        columns = game.columns.values()
        said = {
            word
            for column in columns
            if column.type in ("words", "text")
            for counter in game.counters.values()
            for word in _words(counter.extra.get(column.id))
        }
        who = (
            *(*game.kinds, *game.sides, *game.nations, *game.formations, *game.states, "reduced"),
            *(column.id for column in columns if column.type == "flag"),
            *(word for column in columns for word in column.one_of),
            *(*sorted(said), *self.rules.words),
            *(each for one in game.counters.values() for each in (one.size, one.symbol) if each),
            *game.counters,
        )
        places = game.map.places
        where = (
            *(*game.terrain, *places, *game.map.zones, *game.map.grid.names),
            *sorted({place.kind for place in places.values()}),
            *sorted({one.country for one in game.map.hexes.values() if one.country}),
        )
        return {
            of.Who: (
                "kind, side, nation, formation, flag, word, state or counter",
                tuple(dict.fromkeys(who)),
            ),
            of.Near: (
                "kind, side, nation, formation, flag, word or state, friend, enemy or comrade",
                tuple(dict.fromkeys((*who, *of.RELATIONS))),
            ),
            of.Where: ("terrain, place, kind of place, zone, country or hex", tuple(dict.fromkeys(where))),
        }


def _is_marker(game: Game, counter: Counter) -> bool:
    return counter.kind in game.kinds and game.kinds[counter.kind].marker


def _is_literal(hint: Any, value: Any) -> bool:
    """Whether a value is one of the fixed words that are allowed instead of a name."""
    return any(get_origin(part) is Literal and value in get_args(part) for part in (hint, *get_args(hint)))


def _text(key: Any) -> str:
    return key.text if isinstance(key, Condition) else str(key)


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),) if value else ()


def _phases(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find phases that the rules do not mention, and movement and combat that no phase allows."""
    for phase in game.sequence.phases:
        if phase.id not in rules.sequence:
            right = f"add [sequence.{phase.id}] with its clause and what it does, if anything"
            yield game.problem("rules/sequence", f"has no entry for the phase {phase.id}", right)
    done = {activity for rule in rules.sequence.values() for activity in (*rule.does, *rule.passive)}
    families = (
        ("movement", rules.movement),
        ("transfers", rules.transfers),
        ("combat", rules.combat),
    )
    for family, names in families:
        for name in names:
            if name not in done:
                wrong = "is not done in any phase"
                yield game.problem(f"rules/{family}/{name}", wrong, f'does = "{name}" in [sequence]')
    if "recover" in done and not any(rule.recovers for rule in rules.states.values()):
        yield game.problem("rules/states", "does not say when the state ends", "write recovers = a phase")


def _without_clause(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find values that only a clause of their own can judge, if that clause is missing."""
    entries: list[tuple[str, AttrsInstance | None, str]] = [
        ("face_down", rules.face_down, "lost"),
        ("retreat", rules.retreat, "disorders"),
        ("advance", rules.advance, "units into"),
        ("supply", rules.supply, "lasting"),
    ]
    for name, movement in rules.movement.items():
        entries.append((f"movement/{name}", movement, "most distance not_through road_bonus"))
    entries += [(f"transfers/{name}", transfer, "most") for name, transfer in rules.transfers.items()]
    entries += [(f"combat/{name}", combat, "observer") for name, combat in rules.combat.items()]
    for thing, entry, keys in entries:
        if entry is None:
            continue
        for key in keys.split():
            usual = getattr(fields_dict(type(entry))[key], "default", None)
            if getattr(entry, key) != usual and not getattr(entry, f"{key}_clause"):
                wrong = "has no clause, so nothing judges it"
                yield game.problem(f"rules/{thing}/{key}", wrong, f'{key}_clause = "…"')


def _results(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find result codes without a meaning, and meanings for codes that do not exist."""
    used = {combat.table for combat in rules.combat.values()}
    for table in (game.tables[name] for name in game.tables if name in used):
        given = rules.results.get(of.TableId(table.id), {})
        for code in table.results:
            if code not in given:
                right = f"add [results.{table.id}.{_quoted(code)}] with its clause and what happens"
                yield game.problem("rules/results", f"has no entry for {code} of {table.id}", right)
        for code in given:
            if code not in table.results:
                thing = f"rules/results/{table.id}/{code}"
                yield game.problem(thing, f"{table.id} has no result {code!r}", unknown(code, table.results))
    for name, outcomes in rules.results.items():
        if name in game.tables and name not in used:
            right = f"use one of {', '.join(sorted(used))}" if used else "remove it"
            yield game.problem(f"rules/results/{name}", "is not used by any combat", right)
        retreats = any(part.retreat for one in outcomes.values() for part in (*one.attacker, *one.defender))
        if retreats and rules.retreat is None:
            yield game.problem(
                "rules", "makes units retreat, but there is no [retreat]", "add [retreat] with its clause"
            )


def _quoted(code: str) -> str:
    return code if code.replace("-", "").replace("_", "").isalnum() and code.isascii() else f'"{code}"'


def _combats(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find combats with the wrong kind of table, and modifiers that no combat uses."""
    for name, combat in rules.combat.items():
        thing = f"rules/combat/{name}"
        table = game.tables.get(combat.table)
        if table and table.columns:
            ratios = all(":" in label or "/" in label for label in table.columns)
            if ratios != (combat.kind == "odds"):
                right = (
                    "expected columns such as 2:1"
                    if combat.kind == "odds"
                    else "expected numbers or ranges such as 3-4"
                )
                wrong = f"is {combat.kind}, but the columns of {table.id} are {', '.join(table.columns[:3])}"
                yield game.problem(f"{thing}/kind", wrong, right)
        if table and table.dice and combat.dice != table.dice:
            wrong = f"rolls {combat.dice}, but {table.id} is read with {table.dice}"
            yield game.problem(f"{thing}/dice", wrong, f'dice = "{table.dice}"')
        if table and combat.parts and not all(combat.parts in cell for row in table.cells for cell in row):
            lacking = next(cell for row in table.cells for cell in row if combat.parts not in cell)
            wrong = f"{table.id} has the cell {lacking!r} without {combat.parts!r}"
            yield game.problem(f"{thing}/parts", wrong, f'"-{combat.parts}-" where nothing happens')
        codes = rules.results.get(of.TableId(combat.table), {}).values()
        if table and not combat.parts and any(one.attacker and one.defender for one in codes):
            cells = [cell for row in table.cells for cell in row]
            for sign in table.between[:1]:
                divided = [cell for cell in cells if len([*filter(None, cell.split(sign))]) == 2]
                if len(divided) == len(cells) or any(len(re.findall(r"\d+", cell)) > 1 for cell in divided):
                    wrong = f'does not say whose the parts of "{divided[0]}" are'
                    yield game.problem(f"{thing}/parts", wrong, f'parts = "{sign}"')
        if table and combat.automatic and not any(len(set(c)) == 1 for c in zip(*table.cells, strict=True)):
            right = "it needs a column with the same result in every row, such as DE from 1 to 6"
            yield game.problem(f"{thing}/automatic", f"{table.id} has no certain result", right)
        for key, within in (("columns_within", combat.columns_within), ("die_within", combat.die_within)):
            if within and (len(within) != 2 or within[0] > within[1]):
                right = "expected the lowest and the highest, such as [-3, 3]"
                yield game.problem(f"{thing}/{key}", f"is {list(within)}", right)
        for kind in _attacked_without_a_part(game, combat):
            right = f'write attacked = true for it in game.toml, or against = "not {kind}" here'
            wrong = f"{kind} has no {combat.defence or combat.attack}, so the module leaves it out of battles"
            yield game.problem(f"{thing}/against", wrong, right)
        if combat.kind != "fire" and not combat.defence:
            yield game.problem(thing, "has no factor for the defence", "write defence = a factor")
    counted = {modifier for combat in rules.combat.values() for modifier in combat.modifiers}
    for modifier in game.modifiers:
        if rules.combat and modifier not in counted:
            right = "add a line to [combat.NAME.modifiers] of rules.toml, with its clause"
            yield game.problem(f"modifier/{modifier}", "is not used by any combat of rules.toml", right)


def _attacked_without_a_part(game: Game, combat: of.Combat) -> Iterator[str]:
    """Yield the kinds of counters that may be attacked although they have no factor for it and no role in
    battles.
    """
    factors = {combat.attack, combat.defence} - {""}
    for kind in game.kinds.values():
        counters = [one for one in game.counters.values() if one.kind == kind.id]
        meant = [one for one in counters if combat.against.holds({*counter_words(game, one)})]
        if meant and not (kind.marker or kind.attacked or kind.roster or factors & {*kind.factors}):
            yield kind.id


def _bars(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find bars that name neither hexes nor an activity."""
    for name, bar in rules.bars.items():
        if bar.is_ban and (bar.stops or not bar.to):
            wrong = "names neither hexes (into) nor hexsides (across)"
            right = "give into, across, or to: what may not be done at all"
            yield game.problem(f"rules/bars/{name}", wrong, right)


def _replacements(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find points for places that can never be saved."""
    rule = rules.replacements
    if rule and rule.saves and rule.places:
        right = "use only one of the two: which places a side held in earlier turns is not known"
        yield game.problem("rules/replacements/saves", "is given together with places", right)
    does = {activity for phase in rules.sequence.values() for activity in phase.activities}
    if rule and "replace" not in does:
        right = 'write does = "replace" in the [sequence.PHASE] in which steps are regained'
        yield game.problem("rules/replacements", "is not done in any phase", right)


def _withdrawals(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find units that are withdrawn although the only box for them is that of losses."""
    for name, rule in rules.withdrawals.items():
        mine = [one for one in game.counters.values() if rule.who.holds({*counter_words(game, one)})]
        for side in dict.fromkeys(one.side for one in mine):
            if not any(box.side in ("", side) and not box.losses for box in game.map.boxes.values()):
                right = f'add a box to map.toml with side = "{side}" and no losses'
                wrong = f"takes units of {side} off the map, but there is no box for them except for losses"
                yield game.problem(f"rules/withdrawals/{name}", wrong, right)


def _rolls(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find rolls of a phase whose dice have another purpose too, or totals without a meaning."""
    others = {combat.dice for combat in rules.combat.values()}
    others |= {rule.dice for rule in rules.states.values()} | {check.dice for check in rules.checks.values()}
    for name, roll in rules.rolls.items():
        thing, dice = f"rules/rolls/{name}", game.dice.get(roll.dice)
        if roll.dice in others:
            wrong = f"are also rolled for something else: {roll.dice}"
            yield game.problem(f"{thing}/dice", wrong, "give it dice of its own in [dice] of game.toml")
        groups = {"values": roll.values, **{f"values_of/{word}": own for word, own in roll.values_of.items()}}
        for group, values in groups.items():
            ranges = [span(label) for label in values]
            for label in values:
                low, high = span(label)
                if low > high:
                    right = "expected a total or a range, such as 2, 3-4 or 5+"
                    yield game.problem(f"{thing}/{group}/{label}", "is not a range", right)
            totals = range(dice.count, dice.count * dice.sides + 1) if dice else ()
            lacking = [total for total in totals if not any(low <= total <= high for low, high in ranges)]
            if lacking and (values or not roll.values_of):
                right = "add a range for it, such as " + f'"{lacking[0]}" = "clear"'
                yield game.problem(f"{thing}/{group}", f"do not cover {lacking[0]}", right)
        for modifier in game.modifiers.values():
            if modifier.season and modifier.season == roll.sets:
                wrong = f"depends on {roll.sets}, which is a roll that the module does not know"
                right = "use a term of [combat.NAME.terms] with a word of your own that says track"
                yield game.problem(f"modifier/{modifier.id}/season", wrong, right)


def _dice(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find dice of checks that have another purpose too, and rolls for which the module has no command."""
    used = {combat.dice for combat in rules.combat.values()}
    recovered = {rule.dice for rule in rules.states.values() if rule.dice}
    declared = {one.dice for one in game.declarations.values() if one.dice}
    used |= recovered
    for name, check in rules.checks.items():
        if not check.dice and (not check.must or not (check.failed or check.failed_by)):
            right = "give dice, or must = a phase and failed = what happens to all of who in it"
            yield game.problem(f"rules/checks/{name}", "has no dice", right)
        if check.dice and check.dice in used:
            wrong = f"are also rolled for something else: {check.dice}"
            yield game.problem(
                f"rules/checks/{name}/dice", wrong, "give it dice of its own in [dice] of game.toml"
            )
        used.add(check.dice)
    for dice in sorted({*recovered, *(check.dice for check in rules.checks.values() if check.dice)}):
        if dice in game.dice and dice not in declared:
            wrong = f"no command of the module rolls {dice} for a unit"
            right = f'add [declarations.{dice}] to game.toml with about = "counter" and dice = "{dice}"'
            yield game.problem(f"dice/{dice}", wrong, right)


def _words_of_its_own(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find the game's own words that already have another meaning, are empty, or refer to each other."""
    taken = {*game.kinds, *game.sides, *game.nations, *game.formations, *game.states, *game.counters}
    for name, word in rules.words.items():
        thing = f"rules/words/{name}"
        if name in (*taken, *of.RELATIONS, "reduced"):
            yield game.problem(
                thing, "is a word that means something else in this game", "choose another word"
            )
        said = (word.who, word.near.text != "-", word.within, word.zoc, word.did, word.turns, word.track)
        more = (word.passed, word.failed, word.lost, word.out_of_supply, word.factor, word.marked)
        if not any((*said, *more)):
            right = (
                "give who, near, within, zoc, marked, did, turns, track, out_of_supply, lost, factor, passed"
            )
            yield game.problem(thing, "does not say when it is true", right)
        if word.hexes and word.near.text == "-":
            yield game.problem(thing, "gives hexes, but not near what", 'near = "leader"')
        met, waiting = set[str](), list(_named(word))
        while waiting:
            one = waiting.pop()
            if one in rules.words and one not in met:
                met.add(one)
                waiting += _named(rules.words[of.WordId(one)])
        if name in met:
            yield game.problem(thing, "depends on itself", "use words that do not depend on each other")
        zones = any(one in rules.words and rules.words[of.WordId(one)].zoc for one in (name, *met))
        if rules.zoc and name in rules.zoc.who.words and zones:
            wrong = f"depends on zones of control, which themselves depend on {name!r}"
            yield game.problem("rules/zoc/who", wrong, "use words without zones of control")


def _activations(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find states of activations that do not end with their phase and would still be on in the next turn."""
    rule = rules.activations
    if rule and rule.state in game.states and game.states[rule.state].ends != rule.phase:
        wrong = f"does not end with the phase {rule.phase!r}, in which its units are active"
        yield game.problem(f"state/{rule.state}", wrong, f'ends = "{rule.phase}" in game.toml')
    if rule and rule.state in game.states and rule.state not in rules.states:
        wrong = f"is the state of activations, but no [states.{rule.state}] says when it begins"
        yield game.problem(
            "rules/activations/state", wrong, f'[states.{rule.state}] with begins = "{rule.phase}"'
        )


def _named(word: of.Word) -> tuple[str, ...]:
    return (*word.who.words, *word.near.words)


def _amounts(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find words used as numbers that have no meaning, and invalid ranges."""
    for thing, value, words in _words_for_numbers(game, rules):
        if isinstance(value, str) and value and value not in words:
            right = unknown(value, words)
            if not right.startswith("did you mean"):
                right = f"expected {' or '.join(['a number', *words])}"
            yield game.problem(thing, f"is {value!r}", right)
    for name, combat in rules.combat.items():
        for part, labels in (("at_range", combat.at_range), ("natural", combat.natural)):
            for label in labels:
                low, high = span(label)
                if low > high:
                    thing = f"rules/combat/{name}/{part}/{label}"
                    yield game.problem(thing, "is not a range", "expected a range such as 2, 3-4 or 5+")


def _words_for_numbers(game: Game, rules: of.Families) -> Iterator[tuple[str, of.Amount, tuple[str, ...]]]:
    """Yield values that may be a number or a word: the place, the value, the valid words."""
    for name, limit in rules.zoc.limits.items() if rules.zoc else ():
        yield f"rules/zoc/limits/{name}/does", limit.does, ("stop", "forbid")
    for name, laid in rules.markers.items():
        yield f"rules/markers/{name}/does", laid.does, ("stop", "forbid")
    for table, codes in rules.results.items():
        for code, outcome in codes.items():
            for side in ("attacker", "defender"):
                thing = f"rules/results/{table}/{code}/{side}"
                for what in outcome.of(side):
                    yield f"{thing}/lose", what.lose, ("all", "half", "#", "equal", "exchange")
                    yield f"{thing}/retreat", what.retreat, ("#",)
    for name, check in rules.checks.items():
        for label, failed in (("failed", check.failed), *check.failed_by.items()):
            if failed is not None:
                yield f"rules/checks/{name}/{label}/lose", failed.lose, ("all", "half")
                yield f"rules/checks/{name}/{label}/retreat", failed.retreat, ()
    for state, rule in rules.states.items():
        yield f"rules/states/{state}/again", rule.again, ("eliminated", "lose", *rules.states)
        yield f"rules/states/{state}/points", rule.points, ("all",)
    for name, laid in rules.markers.items():
        yield f"rules/markers/{name}/points", laid.points, ("half", "all")
    if rules.retreat:
        yield "rules/retreat/blocked_loses", rules.retreat.blocked_loses, ("all",)
    if rules.supply:
        phases = tuple(phase.id for phase in game.sequence.phases)
        for when in rules.supply.when:
            yield "rules/supply/when", when, (*phases, "always")
        yield "rules/supply/lasting_loses", rules.supply.lasting_loses, ("all",)


def _clauses(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find judged clauses without a rule, and rules for clauses that are not judged."""
    bound = set(named(of.ClauseId, of.Families, rules))
    for clause in game.clauses.values():
        if clause.judged == "advisory" and clause.id in bound:
            wrong = "is advisory, but rules.toml judges by it"
            yield game.problem(f"clause/{clause.id}/judged", wrong, "expected enforced, scored or definition")
    if _is_program(game):
        return
    for clause in game.clauses.values():
        if clause.judged == "enforced" and clause.id not in bound:
            wrong = "is enforced, but no rule of rules.toml has this clause"
            right = "write a rule for it; or judged = definition, if other clauses build on it; or advisory"
            yield game.problem(f"clause/{clause.id}/judged", wrong, right)
