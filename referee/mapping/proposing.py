"""A proposal for the map of a module: what is certain, and what a person should check."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from referee.engine.clock import Calendar
from referee.mapping.aligning import align
from referee.mapping.counters import LITTLE, Match, Matching
from referee.mapping.likeness import Likeness, Names, alike, words_of
from referee.mapping.mapped_view import hexes_of
from referee.mapping.modulemap import ANY, OF_MODULE, STEPS, Meaning, ModuleMap
from referee.mapping.places import AGREE, Box, Hexes, find_boxes, find_hexes, in_places
from referee.mapping.survey import PieceSeen, Survey, layers_of
from referee.mapping.tracks import number_in, words_of_levels
from referee.table.table import Table
from vassalgen.game.game import Game
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.turns import Level

_OF_DICE = {"die", "dice", "roll", "roller", "rolls"}
IS_STATE, IS_PHASE = 0.55, 0.45
"""The similarity from which on the words of a layer mean a state, and those of a phase its title."""
_OF_TURNS = {"turn", "date", "month", "week", "day", "hour", "time"}
_OF_STEPS = {"reduced", "steps", "loss", "eliminated"}
"""Words about steps, whether or not they are in the title of a state."""


@frozen
class Line:
    """A line of the file: a name and its meaning, a remark, and whether it is certain."""

    key: str
    value: str
    remark: str = ""
    is_sure: bool = True


@frozen
class Proposal:
    """A proposed map, section by section."""

    game: Game
    module: str
    version: str
    counters: tuple[Line, ...]
    layers: tuple[Line, ...]
    hexes: Hexes | None
    places: tuple[Line, ...]
    turn: str
    phases: tuple[Line, ...]
    dice: tuple[Line, ...]
    sides: tuple[Line, ...]
    main_map: str = ""
    phase: str = ""
    pictures: str = OF_MODULE

    @property
    def found(self) -> frozenset[str]:
        """The counters of the game, except markers, that have certainly been identified."""
        words = {word for line in self.counters if line.is_sure for word in line.value.split()}
        known = (one for one in self.game.counters.values() if not self.game.kinds[one.kind].marker)
        return frozenset(one.id for one in known if one.id in words)

    @property
    def missing(self) -> tuple[str, ...]:
        """The counters of the game, except markers, for which there is no candidate at all."""
        words = {word for line in self.counters for word in line.value.split()}
        known = (one for one in self.game.counters.values() if not self.game.kinds[one.kind].marker)
        return tuple(one.id for one in known if one.id not in words)

    @property
    def unsure(self) -> int:
        """The number of lines that a person must check."""
        lines = (*self.counters, *self.layers, *self.places, *self.phases, *self.dice, *self.sides)
        hexes = self.hexes is None or not self.hexes.is_sure
        return sum(not line.is_sure for line in lines) + hexes


def propose(game: Game, seen: Survey, known: ModuleMap | None = None) -> Proposal:
    """Propose the map of a module; entries of another version's map (``known``) are kept if they fit."""
    matching = Matching.of(game, seen.pieces)
    matches = matching.matches({})
    sure = {match.best: match.piece for match in matches if match.is_sure}
    hexes = find_hexes(game, seen, sure)
    boxes = find_boxes(game, seen, in_places(sure), hexes)
    starts = dict(_starts(seen.pieces, hexes, boxes))
    matches = matching.matches(starts)
    sure = {match.best: match.piece for match in matches if match.is_sure}
    hexes = find_hexes(game, seen, sure) or hexes
    boxes = find_boxes(game, seen, in_places(sure), hexes)
    calendar = Calendar.of(game, next(iter(game.scenarios.values())))
    turn, phase, phases = _track(game, calendar, seen)
    of_track = {*boxes_of_track(seen, turn), *(line.key for line in phases if phase)}
    layers = tuple(_layers(game, seen.pieces, sure))
    other_sides = tuple(_other_sides(game, seen.pieces, matches))
    shown = {word for line in (*layers, *other_sides) for word in line.value.split()}
    counters = _asking_for_markers(game, _counters(game, matches), shown, {turn, phase})
    proposal = Proposal(
        game=game,
        module=seen.plan.name,
        version=seen.plan.version,
        counters=(*counters, *other_sides),
        layers=layers,
        hexes=hexes,
        places=tuple(_places(game, [box for box in boxes if box.name not in of_track])),
        turn=turn,
        phases=phases,
        dice=tuple(_dice(game, seen)),
        sides=tuple(_sides(game, seen)),
        main_map=_main_map(seen),
        phase=phase,
    )
    return proposal if known is None else _kept(proposal, known, seen)


def _main_map(seen: Survey) -> str:
    """The largest map, for the question to the user where the hexes are."""
    boards = {
        one.name: sum(board.width * board.height for board in one.plan.boards) for one in seen.plan.maps
    }
    return max(boards, key=lambda name: boards[name], default="")


def _starts(
    pieces: Sequence[PieceSeen], hexes: Hexes | None, boxes: Sequence[Box]
) -> Iterator[tuple[str, str]]:
    """The positions of pieces in a new game, as places of the game."""
    named = {box.name: box.boxes[0] for box in boxes if box.is_sure and box.boxes}
    for piece in pieces:
        if piece.start is None:
            continue
        for name in (piece.start.location, piece.start.map):
            if name in named:
                yield piece.key, named[name]
                break
        else:
            if hexes is not None and piece.start.map == hexes.map:
                found = hexes.laid.hex_at(piece.start.x, piece.start.y)
                if found is not None:
                    yield piece.key, found


def _counters(game: Game, matches: Sequence[Match]) -> Iterator[Line]:
    order = {name: place for place, name in enumerate(game.counters)}
    for match in sorted(matches, key=lambda one: order.get(one.best, len(order))):
        if not match.candidates:
            value = "?" if match.may_be_unit else "nothing"
            yield Line(match.piece.key, value, "resembles no counter of the game", not match.may_be_unit)
            continue
        called = [(name, said_of(game, name), _alike(value)) for name, value in match.candidates]
        if match.is_sure:
            value = " ".join((match.best, *match.also))
            yield Line(match.piece.key, value, " ".join(called[0][1:]).strip())
            continue
        value = "? " + " ".join(name for name, _ in match.candidates)
        yield Line(match.piece.key, value, _in_short(match.piece, called), is_sure=False)


def _asking_for_markers(
    game: Game, lines: Iterable[Line], shown: Collection[str], of_track: Collection[str]
) -> Iterator[Line]:
    """The lines of counters; a piece similar to none may be a marker for a state that nothing else shows."""
    known = list(lines)
    taken = {word for line in known for word in line.value.split()}
    states = [one for one in game.states.values() if one.marker in game.counters and one.id not in shown]
    left = [one for one in states if one.marker not in taken]
    asked = "; ".join(f"{one.marker}: {one.title}" for one in left)
    for line in known:
        if line.key in of_track and (line.value == "nothing" or not line.is_sure):
            yield Line(line.key, "nothing", "the marker on the printed track")
        elif left and line.value == "nothing":
            value = "? " + " ".join(one.marker for one in left)
            yield Line(line.key, value, f"{asked}; or else nothing", is_sure=False)
        else:
            yield line


def _alike(value: float) -> str:
    return f"{round(100 * value)} %" if value > LITTLE else "left over"


def _in_short(piece: PieceSeen, called: Sequence[tuple[str, str, str]]) -> str:
    """The description of each candidate, and where the piece is in the module."""
    words = "; ".join(" ".join(f"{name}: {said} {likeness}".split()) for name, said, likeness in called)
    where = piece.start.location or piece.start.map if piece.start else next(iter(piece.around), "")
    return f"{words} (the piece is in {where})" if where else words


def said_of(game: Game, name: str) -> str:
    """The name of a counter, with its nation if several have the name."""
    counter = game.counters[name]
    alike = [one for one in game.counters.values() if one.name == counter.name]
    nation = game.nations.get(counter.nation)
    return f"{counter.name} ({nation.title})" if len(alike) > 1 and nation else counter.name


def _other_sides(game: Game, pieces: Sequence[PieceSeen], matches: Sequence[Match]) -> Iterator[Line]:
    """Pieces that replace others: with a step less, or with a state that is in their name."""
    front = {match.piece.exact_key: match for match in matches}
    for piece in pieces:
        match = front.get(piece.other_side_of) if piece.other_side_of else None
        if match is None or not match.candidates:
            continue
        counter = game.counters[match.best]
        state = _state_in(game, (piece.name, piece.slot, piece.stem))
        back = state or (f"{STEPS} {counter.steps - piece.turned}" if counter.steps > piece.turned else "")
        value = f"{match.best} {back}".strip()
        is_sure = match.is_sure and bool(back)
        remark = f"takes the place of {match.piece.key}"
        yield Line(piece.key, value if is_sure else f"? {value}", remark, is_sure)


def _state_in(game: Game, texts: Sequence[str]) -> str:
    """The state of the game that some words name, empty for none or several."""
    names = {one.id: Names.of([one.title, one.id.replace("-", " ")]) for one in game.states.values()}
    likeness = Likeness(tuple(names.values()))
    found: dict[str, float] = {}
    for text in texts:
        words = words_of(re.sub(r"\.[A-Za-z]{3,4}$", "", text).replace("_", " "))
        rows = [words[a:b] for a in range(len(words)) for b in range(a + 1, len(words) + 1)]
        spans = {" ".join(row) for row in rows if not _OF_STEPS.issuperset(row)}
        for name, one in names.items():
            found[name] = max(found.get(name, 0.0), *(likeness.of(span, one) for span in spans), 0.0)
    ranked = sorted(found, key=lambda name: -found[name])
    if not ranked or found[ranked[0]] < IS_STATE:
        return ""
    return "" if len(ranked) > 1 and found[ranked[1]] > found[ranked[0]] - 0.1 else ranked[0]


def _layers(game: Game, pieces: Sequence[PieceSeen], sure: Mapping[str, PieceSeen]) -> Iterator[Line]:
    """The meaning of the layers of units: a state, a step lost, or nothing in the game."""
    units = {
        piece.key: name for name, piece in sure.items() if not game.kinds[game.counters[name].kind].marker
    }
    for key, found in layers_of([piece for piece in pieces if piece.key in units]).items():
        layer = found[0][1]
        state = _state_in(game, (layer.name, layer.activate_text, layer.increase_text))
        if state:
            first = 1 if not layer.always_active else 2
            for level in range(first, len(layer.images) + 1):
                yield Line(f"{key}/{level}", state, _shown(layer, level))
            continue
        by_level = {
            level: _state_in(game, (image, *layer.level_names[level - 1 : level]))
            for level, image in enumerate(layer.images, 1)
        }
        if any(by_level.values()):
            for level, name in by_level.items():
                if name or level > 1 or not layer.always_active:
                    yield Line(f"{key}/{level}", name or "?", _shown(layer, level), bool(name))
            continue
        several = [game.counters[units[piece.key]].steps for piece, _ in found]
        if len(layer.images) > 1 and max(several) > 1:
            words = {
                word for text in (key, layer.increase_text, *layer.level_names) for word in words_of(text)
            }
            is_sure = bool(words & _OF_STEPS) or min(several) > 1
            yield Line(key, STEPS if is_sure else f"? {STEPS}", "each level a step less", is_sure)
        elif len(layer.images) > 1:
            yield Line(key, "nothing", _shown(layer, 2))


def _shown(layer: Embellishment, level: int) -> str:
    return f"shows {layer.images[level - 1]}" if layer.images[level - 1] else ""


def _places(game: Game, boxes: Sequence[Box]) -> Iterator[Line]:
    for box in boxes:
        if box.boxes:
            value = ("" if box.is_sure else "? ") + " ".join(box.boxes)
            titles = "; ".join(f"{name}: {game.map.boxes[name].title}" for name in box.boxes)
            yield Line(box.name, value, "" if box.is_sure else titles, box.is_sure)
        else:
            yield Line(box.name, "nothing", "resembles no box of the game")


def tracker_words(seen: Survey) -> tuple[str, ...]:
    """What the turn trackers of a module show besides the turn, in order."""
    turn = _turn_level(seen)
    found = (word for tracker in seen.plan.trackers for word in words_of_levels(tracker.levels, turn))
    return tuple(dict.fromkeys(word for word in found if word))


def _turn_level(seen: Survey) -> Level | None:
    """The level that shows the turn: one that counts, one of numbered words, or one with a fitting name."""
    levels = [level for tracker in seen.plan.trackers for top in tracker.levels for level in _all_in(top)]
    kinds = (
        lambda level: level.words is None,
        _are_numbered,
        lambda level: bool(_OF_TURNS & {*words_of(level.name), *words_of(level.property)}),
    )
    return next((level for is_turn in kinds for level in levels if is_turn(level)), None)


def _track(game: Game, calendar: Calendar, seen: Survey) -> tuple[str, str, tuple[Line, ...]]:
    """The level or marker that shows the turn, the marker that shows the phase, and the phases."""
    turn, words = _turn_level(seen), tracker_words(seen)
    shows_turn = (turn.name or turn.property) if turn is not None else _marker_on_track(seen, "turn")
    if words:
        return shows_turn, "", tuple(_phases(game, calendar, words))
    marker = _marker_on_track(seen, "phase")
    lines = tuple(_phases(game, calendar, boxes_of_track(seen, marker)) if marker else ())
    if sum(line.is_sure for line in lines) < AGREE:
        return shows_turn, "", ()
    return shows_turn, marker, tuple(line for line in lines if line.value != "?")


def _marker_on_track(seen: Survey, word: str) -> str:
    """The only counter with that word that is in a box of a printed track, empty if there is none."""
    markers = [
        piece
        for piece in seen.pieces
        if piece.start is not None
        and any(word in words_of(text) for text in (*piece.said, piece.stem))
        and boxes_of_track(seen, piece.key)
    ]
    return markers[0].key if len(markers) == 1 else ""


def boxes_of_track(seen: Survey, marker: str) -> tuple[str, ...]:
    """The boxes of the printed track that a marker is on: regions of its map with similar names.

    They differ in a number, or have none.
    """
    start = next((piece.start for piece in seen.pieces if piece.key == marker), None)
    places = seen.points.get(start.map, {}) if start is not None and start.map else {}
    if start is None or not start.location or start.location not in places:
        return ()
    plain = _without_numbers(start.location)
    if plain == start.location:
        return tuple(name for name in places if not number_in(name))
    return tuple(name for name in places if _without_numbers(name) == plain)


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _all_in(level: Level) -> Iterator[Level]:
    yield level
    for child in level.children:
        yield from _all_in(child)


def _are_numbered(level: Level) -> bool:
    return bool(level.words) and all(re.search(r"\d", word) for word in level.words or ())


def _phases(game: Game, calendar: Calendar, words: Sequence[str]) -> Iterator[Line]:
    """Phases of the module in the order of the game's, matched for the greatest similarity."""
    titles = []
    for stop in calendar.stops:
        side = game.sides[stop.side] if stop.side else None
        titles.append(
            (
                f"{side.adjective if side else ''} {stop.phase.title}".strip(),
                words_of(f"{side.title} {side.adjective}" if side else ""),
                words_of(f"{stop.phase.title} {stop.phase.id}"),
            )
        )
    value = [[_phase_likeness(words_of(word), side, phase) for _, side, phase in titles] for word in words]
    best: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())] * (len(titles) + 1)]
    for row, _ in enumerate(words):
        line: list[tuple[float, tuple[int, ...]]] = [(best[row][0][0], (*best[row][0][1], -1))]
        for column in range(1, len(titles) + 1):
            skip = best[row][column]
            take = best[row][column - 1]
            line.append(
                max(
                    (skip[0], (*skip[1], -1)),
                    (take[0] + value[row][column - 1], (*take[1], column - 1)),
                    line[column - 1],
                    key=lambda one: one[0],
                )
            )
        best.append(line)
    chosen = best[-1][-1][1]
    if len(words) == len(titles) and all(column in (-1, row) for row, column in enumerate(chosen)):
        rest = {row for row, column in enumerate(chosen) if column < 0 or value[row][column] < IS_PHASE}
        if len(rest) < len(words) / 2:
            for row, word in enumerate(words):
                yield Line(word, titles[row][0], "by its place among the others" if row in rest else "")
            return
    for word, column, likeness in zip(words, chosen, value, strict=True):
        if column < 0 or likeness[column] < 0.2:
            yield Line(word, "?", "resembles no phase of the game", is_sure=False)
        else:
            sure = likeness[column] >= IS_PHASE
            yield Line(word, ("" if sure else "? ") + titles[column][0], "", sure)


def _phase_likeness(words: Sequence[str], side: Sequence[str], phase: Sequence[str]) -> float:
    """The similarity of a module's words to a phase: half for the side, half for the activity."""
    whose = [word for word in words if any(alike(word, one) > 0.5 for one in side)]
    what = [word for word in words if word not in whose]
    done = max((alike(word, one) for word in what for one in phase), default=0.0)
    if not side:
        return done - 0.3 * bool(whose)
    return (0.5 if whose else 0.0) + 0.5 * done


def _dice(game: Game, seen: Survey) -> Iterator[Line]:
    """A button with the name of exactly one die of the game rolls that die; any other is a generic roller."""
    likeness = Likeness(tuple(Names.of([one.title, one.id]) for one in game.dice.values()))
    for button, sides in seen.dice.items():
        fitting = [one for one in game.dice.values() if sides in (0, one.sides)]
        said = " ".join(word for word in words_of(button) if word not in _OF_DICE and not word.isdigit())
        named = [one.id for one in fitting if likeness.of(said, Names.of([one.title, one.id])) > 0.6]
        if not fitting:
            yield Line(button, "nothing", f"no dice of the game have {sides} sides")
        elif len(named) == 1:
            yield Line(button, named[0])
        else:
            yield Line(button, fitting[0].id if len(fitting) == 1 else ANY)


def _sides(game: Game, seen: Survey) -> Iterator[Line]:
    names = {
        one.id: Names.of(
            [one.title, one.adjective, one.id], [n.title for n in game.nations.values() if n.side == one.id]
        )
        for one in game.sides.values()
    }
    likeness = Likeness(tuple(names.values()))
    for entry in seen.sides:
        ranked = sorted(names, key=lambda name: -likeness.of(entry, names[name]))
        if ranked and likeness.of(entry, names[ranked[0]]) > 0.3:
            yield Line(entry, ranked[0])


def _kept(proposal: Proposal, known: ModuleMap, seen: Survey) -> Proposal:
    """The proposal with the settled entries of another version's map; also its hexes, if none are certain."""

    def kept(lines: Sequence[Line], table: Mapping[str, object]) -> tuple[Line, ...]:
        return tuple(_settled(line, table.get(line.key)) for line in lines)

    return evolve(
        proposal,
        counters=kept(proposal.counters, known.counters),
        layers=kept(proposal.layers, known.layers),
        places=kept(proposal.places, known.places),
        dice=kept(proposal.dice, known.dice),
        phases=kept(proposal.phases, known.phases),
        sides=kept(proposal.sides, known.sides),
        turn=known.turn or proposal.turn,
        phase=known.phase or proposal.phase,
        pictures=known.pictures,
        hexes=proposal.hexes if _is_sure(proposal.hexes) else _known_hexes(proposal, known, seen),
    )


def _is_sure(hexes: Hexes | None) -> bool:
    return hexes is not None and hexes.is_sure


def _known_hexes(proposal: Proposal, known: ModuleMap, seen: Survey) -> Hexes | None:
    """The hexes of another version's map, on a map that the module still has."""
    for name, points in known.hexes.items():
        spots = dict(hexes_of(points, Table(seen.plan), name)) if seen.plan.map(name) else {}
        laid = align(proposal.game.map.grid, ((hex_, *spot) for hex_, spot in spots.items()))
        if laid is not None:
            return Hexes(name, spots, laid, is_sure=True, why="as in the map of the other version")
    return proposal.hexes


def _settled(line: Line, said: object) -> Line:
    if isinstance(said, str) and said:
        return Line(line.key, said, line.remark)
    if isinstance(said, Meaning) and said.settled:
        words = [*said.ids, *([STEPS, str(said.steps)] if said.steps is not None else [])]
        return Line(line.key, " ".join(words) or "nothing", line.remark)
    return line
