"""Keys of rules.toml that do nothing, as the key that they depend on is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import fields_dict, has

from vassalgen.game import families as of
from vassalgen.game.conditions import Condition
from vassalgen.game.game import Game
from vassalgen.game.words import counter_words
from vassalgen.problems import Problem

NEEDS: Mapping[type, Mapping[str, str]] = {
    of.Word: {
        "at_least": "factor",
        "at_most": "factor",
        "count": "near",
        "hexes": "near",
        "traced": "near",
        "stays": "judged",
        "lost_of": "lost",
    },
    of.Movement: {
        "season_clause": "season",
        "road_bonus_clause": "road_bonus",
        "road_bonus_who": "road_bonus",
        "minimum_who": "minimum",
        "distance_clause": "distance",
        "not_through_clause": "not_through",
        "ends_clause": "start or end",
        "most_clause": "most",
        "most_of": "most",
        "after_clause": "after",
        "not_after_clause": "not_after",
        "carried_clause": "carried_by",
        "carries": "carried_by",
        "must_who": "must",
        "homeward": "must",
    },
    of.Zoc: {"cancelled_by": "cancelled_for"},
    of.Marker: {
        "laid_clause": "laid or laid_by or into or most or most_side or most_each",
        "laid_within": "laid_by",
        "laid_seen": "laid_within",
        "points": "laid_by",
        "side": "laid or gone",
        "most_each": "laid_by",
        "most_clause": "most or most_side or most_each",
        "gone_of": "gone",
        "gone_clause": "gone",
        "placer": "laid_by",
        "placer_stays": "laid_by",
        "kept_clause": "kept_by or placer or placer_stays",
        "removed_clause": "removed_by or gone or kept_by or placer or placer_stays",
    },
    of.Combat: {
        "within_clause": "columns_within or die_within",
        "must_attack_who": "must_attack",
        "must_attack_whom": "must_attack",
        "must_attack_not_in": "must_attack",
        "must_be_attacked_whom": "must_be_attacked",
        "not_after_clause": "not_after",
        "per_hex_clause": "per_hex",
        "blocked_by": "sight",
        "units_block": "sight",
        "blocked_across": "sight",
        "marked_block": "sight",
        "blind": "sight",
        "sight_not": "sight",
        "levels": "sight",
        "indirect": "sight",
        "spotters": "indirect or blind",
        "from_most_clause": "from_most",
        "points_clause": "points",
        "goes_on_clause": "goes_on",
        "at_range_clause": "at_range",
        "observer_clause": "observer",
        "observer_hexes": "observer",
        "alike_clause": "alike",
        "most_clause": "most",
        "against_most_clause": "against_most",
    },
    of.Reinforcements: {"most_clause": "most", "hex_most_clause": "hex_most"},
    of.Term: {"near_hexes": "near", "near": "factor or less"},
    of.FaceDown: {"lost_clause": "lost"},
    of.Consequence: {
        "first": "lose or or_lose or or_lose_each",
        "first_by": "lose or or_lose or or_lose_each",
        "first_clause": "first or first_by",
        "each": "lose",
        "or_lose_in": "or_lose or or_lose_each",
    },
    of.Check: {
        "adds_within": "adds",
        "after_losses_in": "after_losses",
        "before_by": "before",
        "before_against": "before",
    },
    of.Retreat: {
        "further": "stacking",
        "home": "toward",
        "zoc_loses": "zoc",
        "blocked_loses": "blocked",
        "disorders_not": "disorders",
        "disorders_clause": "disorders",
        "state_from": "state",
        "state_who": "state",
        "state_clause": "state",
        "before_who": "before",
        "before_hexes": "before",
        "before_in": "before",
        "before_from": "before",
        "before_always": "before",
    },
    of.Advance: {
        "far_after": "hexes",
        "hexes_clause": "hexes",
        "units_clause": "units",
        "free": "units",
        "must_who": "must",
        "must_except": "must",
        "must_into": "must",
        "must_after": "must",
        "into_clause": "into",
        "defenders_who": "defenders",
        "defenders_clause": "defenders_who",
        "state_who": "state",
        "state_clause": "state",
    },
    of.SupplyRule: {
        "only_through": "through",
        "to_own": "through",
        "reach": "through",
        "by": "roads",
        "lasting_clause": "lasting",
        "lasting_loses": "lasting",
        "lasting_last": "lasting_loses",
    },
    of.Line: {"only_through": "through", "to_own": "through", "reach": "through", "by": "roads"},
    of.StateRule: {
        "again_clause": "again",
        "recovery": "recovers",
        "recovers_by": "recovers",
        "dice": "recovers",
        "need": "dice",
        "at_least": "dice",
        "automatic": "recovers",
        "adds": "dice",
        "adds_within": "adds",
        "changes": "dice",
        "near": "dice",
        "becomes": "recovers",
        "fatal": "dice",
        "fatal_not": "fatal",
        "fatal_clause": "fatal",
        "unrolled": "dice",
        "begins_who": "begins",
        "begins_who_clause": "begins",
        "begins_clause": "begins",
        "given_up_clause": "given_up",
        "forbids_clauses": "forbids",
        "most": "begins",
        "reacts_who": "reacts",
    },
    of.Store: {"keeps": "saves", "each": "costs", "who": "costs"},
    of.Replacements: {
        "keeps": "saves",
        "hexes": "rebuild",
        "rebuild_who": "rebuild",
        "rebuild_most": "rebuild",
        "rebuild_most_clause": "rebuild_most",
        "beside": "rebuild",
        "beside_hexes": "beside",
        "rebuild_costs": "rebuild",
        "rebuild_costs_of": "rebuild",
    },
    of.Points: {
        "of": "losses or exits",
        "each": "losses or steps or exits",
        "worth": "exits",
        "every_turn": "places",
    },
    of.Win: {"some": "places", "at_least": "units", "at_most": "units", "hexes": "units"},
}
"""By kind of entry: keys that do nothing without another, or one of several."""


def idle_keys(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find keys without the key that they depend on, and entries that change nothing."""
    yield from _in(game, rules, "rules")
    yield from _beyond_the_track(game, rules)
    yield from _whose_phase(game, rules)
    for name, bar in rules.bars.items():
        if bar.against and not {"attack", *rules.combat} & {*bar.to}:
            right = f'to = "{" ".join(rules.combat) or "attack"}"'
            yield game.problem(f"rules/bars/{name}/against", "is for attacks, and to names none", right)
    for name, state in rules.states.items():
        known = game.states[name].counts if name in game.states else {}
        for factor in (factor for factor in state.counts_clauses if factor not in known):
            thing = f"rules/states/{name}/counts_clauses/{factor}"
            right = f"counts = {{ {factor} = ... }} of the state in game.toml"
            yield game.problem(thing, "is a factor that the state does not change", right)
        for which, moving in state.by_moving.items():
            if moving.into == of.NOWHERE and not moving.across:
                thing = f"rules/states/{name}/by_moving/{which}"
                yield game.problem(thing, "does not say where", "into or across")
    yield from _named_beside_all(game, rules)
    for name, movement in rules.movement.items():
        for which, one in movement.allowances.items():
            if one.points == "" and one.times == 1 and not one.add:
                right = "points, times or add"
                thing = f"rules/movement/{name}/allowances/{which}"
                yield game.problem(thing, "changes nothing about the allowance", right)
    for name, combat in rules.combat.items():
        for which, term in combat.terms.items():
            if not (term.worth or term.factor or term.less) and term.times == 1:
                thing = f"rules/combat/{name}/terms/{which}"
                yield game.problem(thing, "changes nothing about the battle", "worth, factor, less or times")
        for kind in _attacking_with_nothing(game, combat):
            wrong = f"lets {kind} attack, which has no {combat.attack}"
            yield game.problem(
                f"rules/combat/{name}/who", wrong, f'who = "not {kind}", and others if need be'
            )


def _named_beside_all(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find kinds of combat and movement that are named beside the word for all of them."""
    named = [(f"bars/{name}/to", bar.to) for name, bar in rules.bars.items()]
    named += [(f"states/{name}/forbids", state.forbids) for name, state in rules.states.items()]
    for thing, words in named:
        for every, family, kinds in (
            ("attack", "combat", rules.combat),
            ("move", "movement", rules.movement),
        ):
            more = [word for word in words if word in kinds and word != every]
            if every in words and more:
                wrong = f"{every!r} means all kinds, so {more[0]!r} adds nothing"
                right = f'"{every}" alone, or another name than "{every}" for [{family}.{every}]'
                yield game.problem(f"rules/{thing}", wrong, right)


def _attacking_with_nothing(game: Game, combat: of.Combat) -> Iterator[str]:
    """Yield the kinds of counters that may attack although they have no factor for it and no role in
    battles.
    """
    for kind in game.kinds.values():
        fights = kind.marker or kind.attacked or kind.along or kind.roster or combat.attack in kind.factors
        mine = (one for one in game.counters.values() if one.kind == kind.id)
        if not fights and any(combat.who.holds({*counter_words(game, one)}) for one in mine):
            yield kind.id


def _whose_phase(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find phases that belong to a side although an entry of the turn track is to say whose they are."""
    of_sides = {phase.id for phase in game.sequence.player_turn}
    turns = [*game.turns, *(turn for one in game.scenarios.values() for turn in one.turns)]
    for name, phase in rules.sequence.items():
        entry = phase.side or phase.not_side
        thing = f"rules/sequence/{name}/{'side' if phase.side else 'not_side'}"
        if entry and name in of_sides:
            right = "put the phase into [[sequence.opening]] of game.toml"
            yield game.problem(thing, "does nothing in a phase of a player turn", right)
        said = {str(turn.values.get(entry)) for turn in turns if entry in turn.values}
        said |= {
            str(value)
            for roll in rules.rolls.values()
            if roll.sets == entry
            for value in roll.values.values()
        }
        for other in sorted(said - {*game.sides}) if entry else ():
            right = f"expected one of {', '.join(game.sides)}"
            yield game.problem(thing, f"is an entry that says {other!r}, which is no side", right)
    for word, own in rules.words.items():
        if own.out_of_supply > 1 and rules.supply and "always" in rules.supply.when:
            right = "1, or when = a phase in [supply]"
            thing = f"rules/words/{word}/out_of_supply"
            yield game.problem(thing, "counts turns, but supply is not judged in a phase", right)
    if rules.supply and rules.supply.lasting and "always" in rules.supply.when:
        wrong, right = "counts turns, but supply is not judged in a phase", "when = a phase in [supply]"
        yield game.problem("rules/supply/lasting", wrong, right)


def _beyond_the_track(game: Game, rules: of.Families) -> Iterator[Problem]:
    """Find turns that no scenario has."""
    tracks = [scenario.turns or game.turns for scenario in game.scenarios.values()] or [game.turns]
    known = {turn.number for track in tracks for turn in track}
    named: list[tuple[str, tuple[int, ...]]] = []
    for name, phase in rules.sequence.items():
        named += [(f"sequence/{name}/turns", phase.turns)]
        named += [(f"sequence/{name}/turns_of", turns) for turns in phase.turns_of.values()]
    named += [(f"words/{name}/turns", word.turns) for name, word in rules.words.items()]
    named += [(f"rolls/{name}/turns", roll.turns) for name, roll in rules.rolls.items()]
    named += [(f"withdrawals/{name}/turn", (one.turn,)) for name, one in rules.withdrawals.items()]
    if rules.victory:
        named += [(f"victory/wins/{name}/turns", win.turns) for name, win in rules.victory.wins.items()]
    for thing, turns in named if known else ():
        for turn in turns:
            if turn not in known:
                right = f"a turn from {min(known)} to {max(known)}"
                yield game.problem(f"rules/{thing}", f"there is no turn {turn}", right)


def _in(game: Game, value: Any, thing: str) -> Iterator[Problem]:
    if isinstance(value, Condition):
        return
    if isinstance(value, Mapping):
        for key, entry in value.items():
            text = key.text if isinstance(key, Condition) else key
            yield from _in(game, entry, f"{thing}/{text}")
    elif isinstance(value, tuple):
        for entry in value:
            yield from _in(game, entry, thing)
    elif has(type(value)):
        for key, needed in NEEDS.get(type(value), {}).items():
            if _is_said(value, key) and not any(_holds(value, one) for one in needed.split(" or ")):
                yield game.problem(f"{thing}/{key}", f"does nothing without {needed}", needed)
        for key in fields_dict(type(value)):
            yield from _in(game, getattr(value, key), f"{thing}/{key}")


def _is_said(value: Any, key: str) -> bool:
    """Whether a key has another value than without it."""
    return bool(getattr(value, key) != _usual(value, key))


def _holds(value: Any, key: str) -> bool:
    """Whether there is what a key says; some flags are on unless they are taken off."""
    said = getattr(value, key)
    return said if isinstance(said, bool) else _is_said(value, key)


def _usual(value: Any, key: str) -> Any:
    usual: Any = fields_dict(type(value))[key].default
    return {} if callable(getattr(usual, "factory", None)) else usual
