"""Lists what a map leaves open, and what an audit with it cannot know."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.games import find_idiom
from referee.mapping.mapped_view import MappedPlaces
from referee.mapping.modulemap import ANY, FACE_DOWN, STEPS, ModuleMap, phases_of, wrong_names
from referee.mapping.places import is_on_hexes
from referee.mapping.proposing import boxes_of_track, said_of, tracker_words
from referee.mapping.survey import Survey, layers_of
from referee.table.table import Table
from vassalgen.game.game import Game


@frozen
class Check:
    """The gaps in a map, and what cannot be known with it."""

    missing: tuple[str, ...]
    unknowable: tuple[str, ...]


def check_map(names: ModuleMap, game: Game, seen: Survey) -> Check:
    """Check a map against its module and its game."""
    return Check(tuple(_missing(names, game, seen)), tuple(_unknowable(names, game)))


def _missing(names: ModuleMap, game: Game, seen: Survey) -> Iterator[str]:
    for problem in wrong_names(names, game):
        yield str(problem)
    if seen.plan.name != names.module:
        yield f"the map is of the module {names.module!r}, not of {seen.plan.name!r}"
    elif seen.plan.version != names.version:
        yield f"the map is of version {names.version}; the module is of version {seen.plan.version}"
    for table in ("counters", "layers", "places", "dice"):
        for key, meaning in getattr(names, table).items():
            if not meaning.settled:
                yield f"{table}: {key!r} is not settled: {', '.join(meaning.ids) or 'no candidate'}"
    known = {piece.key for piece in seen.pieces}
    yield from (
        f"counters: {key!r} is not a piece of the module" for key in names.counters if key not in known
    )
    for piece in seen.pieces:
        if piece.key not in names.counters:
            yield f"counters: the map has no entry for {piece.key!r}"
    units = [piece for piece in seen.pieces if _is_unit(names, game, piece.key)]
    for key, found in layers_of(units).items():
        several = len(found[0][1].images) > 1 or not found[0][1].always_active
        if several and not any(one == key or one.startswith(f"{key}/") for one in names.layers):
            yield f"layers: the map has no entry for {key!r}"
    places = MappedPlaces(game, names, Table(seen.plan))
    if not places.are_fitted:
        yield "hexes: the positions of the hexes are not known; name three that are not in a line"
    of_track = {*boxes_of_track(seen, names.turn), *(names.phases if names.phase else ())}
    for place in seen.places:
        if place in of_track:
            continue
        if place not in names.places and not is_on_hexes(seen, place, places.laid):
            yield f"places: the map has no entry for {place!r}"
    for words in tracker_words(seen):
        if words not in names.phases:
            yield f"phases: the map does not say which phase {words!r} is"


def _is_unit(names: ModuleMap, game: Game, key: str) -> bool:
    ids = names.counters[key].ids if key in names.counters else ()
    return any(name in game.counters and not game.kinds[game.counters[name].kind].marker for name in ids)


def _unknowable(names: ModuleMap, game: Game) -> Iterator[str]:
    meant = {word for meaning in names.counters.values() for word in meaning.ids}
    absent = [
        said_of(game, one.id)
        for one in game.counters.values()
        if one.id not in meant and not game.kinds[one.kind].marker
    ]
    if absent:
        yield f"where these are, because no piece represents them: {', '.join(absent)}"
    shown = {word for meaning in names.layers.values() for word in meaning.ids} | meant
    idiom = find_idiom(game.id)
    for state in game.states.values():
        used = state.id in idiom.states or state.id in idiom.by_hand
        if used and state.id not in shown and state.marker not in meant:
            yield f"which units are {state.title}: nothing in the module shows it"
        elif used and state.id not in shown:
            yield f"in a stack, which unit is {state.title}: only a marker shows it"
    several = [one for one in game.counters.values() if one.steps > 1 and one.id in meant]
    steps = STEPS in shown or any(meaning.steps is not None for meaning in names.counters.values())
    steps = steps or any(meaning.steps is not None for meaning in names.layers.values())
    if several and not steps:
        yield "how many steps units have left: no layer and no other side of a piece shows it"
    if any(kind.hidden for kind in game.kinds.values()) and FACE_DOWN not in shown:
        yield "which units are face down, unless they are masked"
    shown_phases = {value.lower() for value in names.phases.values()}
    stops = game.sequence.stops()
    words = phases_of(game)
    unseen = [
        words[2 * place]
        for place, _ in enumerate(stops)
        if not shown_phases & set(words[2 * place : 2 * place + 2])
    ]
    if not names.phases:
        yield "the phase of an action: the map names no phases, so nothing will be proved"
    elif unseen:
        yield f"when these phases begin: {', '.join(dict.fromkeys(unseen))}"
    if any(ANY in meaning.ids for meaning in names.dice.values()) or not names.dice:
        yield "what a die is rolled for: battles are inferred, and findings in their phases are unproven"
    if game.declarations:
        titles = ", ".join(one.title for one in game.declarations.values())
        yield f"what players say and do not show: {titles}"
