"""Players' own corrections: facts that cancel each other, and facts that came too early."""

from __future__ import annotations

from bisect import bisect
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from attrs import define, evolve, field

from referee.engine.clock import Clock
from referee.scribe.engagements import Battle, is_taken_off, may_be_late
from referee.scribe.facts import (
    NOWHERE,
    UNKNOWN,
    Changed,
    Corrected,
    Declared,
    Fact,
    JoinedBattle,
    LeftBattle,
    Marked,
    Mentioned,
    Remark,
    Resolved,
    Rolled,
    Shifted,
    Stepped,
    Turned,
)
from vassalgen.game.game import Game

FEWEST_PUT_AWAY = 4
"""From how many counters on, taking them off the map may mean that the game is over."""


def without_corrections(game: Game, found: Sequence[Fact], chosen: Collection[str] = ()) -> tuple[Fact, ...]:
    """Return the facts of a log, with states that were set and removed, or the other way round, as
    corrections.

    Both happen in one phase, also if the track was set back to it, with the counter in one place, and not at
    the end of the phase, when the module removes states; but states that came off when the track was advanced
    too far, and were set again when it was set back, were never off. A step that is lost, given back and lost
    again without a die in between is lost once, and only the last place of a marker that is dragged about is
    kept: the rest is left out. States that are ``chosen``, which players set and remove freely, are not
    corrections once anything else was done in between.
    """
    corrected: set[int] = set()
    ending = _as_the_phase_ends(game, found)
    gone = _set_again_as_the_track_was_set_back(found, ending)
    standing: dict[tuple[str, str], list[int]] = {}
    in_phases: dict[Clock | None, dict[tuple[str, str], list[int]]] = {}  # what stood as they were left
    shown: Clock | None = None
    moved: dict[str, int] = {}
    meant: set[tuple[str, str]] = set()
    markers: dict[str, int] = {}
    steps: dict[str, list[int]] = {}
    for place, fact in enumerate(found):
        match fact:
            case Turned():
                in_phases[shown] = standing
                is_back = shown is not None and fact.clock < shown
                stood = in_phases.get(fact.clock, in_phases[None]) if is_back else {}
                standing = {mark: at for mark, at in stood.items() if at and at[-1] > moved.get(mark[0], -1)}
                markers, steps, meant, shown = {}, {}, set(), fact.clock
            case Resolved() | Rolled():
                markers, steps = {}, {}
            case Declared(faces=faces) if faces:
                steps = {}
            case Stepped() if not fact.meant:
                last = [*steps.get(fact.counter, ()), place][-3:]
                if len(last) == 3 and _is_lost_once([found[one] for one in last]):
                    gone |= set(last[:2])
                    last = last[2:]
                steps[fact.counter] = last
            case Shifted():
                steps.pop(fact.counter, None)
                moved[fact.counter] = place
                for counter, state in tuple(standing):
                    if counter == fact.counter:
                        del standing[counter, state]
            case Changed() if place not in ending:
                marked = (fact.counter, fact.state)
                earlier = standing.setdefault(marked, [])
                between = found[earlier[-1] : place] if earlier and fact.state in chosen else ()
                if fact.meant or marked in meant or any(not isinstance(one, Changed) for one in between):
                    meant.add(marked)
                    standing[marked] = [place]
                elif earlier and _reverses(fact, found[earlier[-1]]):
                    corrected |= {earlier.pop(), place}
                else:
                    earlier.append(place)
            case Marked():
                if fact.piece in markers:
                    gone.add(markers[fact.piece])
                markers[fact.piece] = place
    return tuple(
        Corrected(step=fact.step, side=fact.side, fact=fact)
        if place in corrected and isinstance(fact, Changed)
        else fact
        for place, fact in enumerate(found)
        if place not in gone
    )


def _as_the_phase_ends(game: Game, found: Sequence[Fact]) -> set[int]:
    """The places of states that come off, and points that are restored, just before the track is advanced."""
    places: set[int] = set()
    stops = game.sequence.stops()
    phase = ""
    for place in range(len(found) - 1, -1, -1):
        fact = found[place]
        if isinstance(fact, Changed) and phase:
            state = game.states[fact.state]
            if state.ends == phase and (fact.new > fact.old if state.is_count else not fact.new):
                places.add(place)
                continue
        phase = stops[fact.clock.stop - 1].phase.id if isinstance(fact, Turned) else ""
    return places


def _set_again_as_the_track_was_set_back(found: Sequence[Fact], ending: set[int]) -> set[int]:
    """The places of states that came off when the track was advanced, and were set again once it was set
    back.

    Or just before, if the next change of the track sets it back.
    """
    places: set[int] = set()
    turns = [(at, one.clock) for at, one in enumerate(found) if isinstance(one, Turned)]
    off: dict[tuple[str, str], int] = {}
    shown, turned, is_back = None, -1, False
    for place, fact in enumerate(found):
        if isinstance(fact, Turned):
            is_back = shown is not None and fact.clock < shown
            off = {state: at for state, at in off.items() if is_back or at > turned}
            shown, turned = fact.clock, place
        elif isinstance(fact, Changed) and place in ending:
            off[fact.counter, fact.state] = place
        elif isinstance(fact, Changed) and (is_back or _is_set_back_next(turns, place, shown)):
            earlier = off.pop((fact.counter, fact.state), place)
            if _reverses(fact, found[earlier]):
                places |= {earlier, place}
    return places


@define
class _BattlesWithoutDice:
    """The counters that are aside while the dice of their battle are rolled, as facts are noted one after the
    other.

    ``joined`` are the battles of counters for which no die has been rolled yet, ``fighting`` the counters
    that were aside when the first die of their battle was rolled, each with the battle.
    """

    game: Game
    rolling: Collection[str]
    joined: dict[str, int] = field(factory=dict)
    fighting: dict[str, int] = field(factory=dict)

    def note(self, fact: Fact, aside: Collection[str]) -> None:
        """Note a fact, with the counters that are aside."""
        match fact:
            case Turned():
                self.joined, self.fighting = {}, {}
            case JoinedBattle():
                self.joined[fact.counter] = fact.battle
            case Shifted():
                if fact.counter not in aside:
                    self.fighting.pop(fact.counter, None)
            case Resolved() | Rolled() | Declared():
                known = self.game.declarations.get(fact.declaration) if isinstance(fact, Declared) else None
                dice = fact.dice if not isinstance(fact, Declared) else known.dice if known else ""
                if not fact.faces:
                    return
                mine = {one: number for one, number in self.joined.items() if number == fact.battle}
                self.fighting = {one: at for one, at in self.fighting.items() if at == fact.battle}
                self.fighting |= {one: number for one, number in mine.items() if one in aside}
                if isinstance(fact, Resolved) or dice in self.rolling:
                    self.joined = {one: at for one, at in self.joined.items() if one not in mine}


def _is_set_back_next(turns: Sequence[tuple[int, Clock]], place: int, shown: Clock | None) -> bool:
    """Whether the next change of the track, among those at some places, sets it back."""
    then = next((clock for at, clock in turns if at > place), None)
    return shown is not None and then is not None and then < shown


def without_outings(
    game: Game,
    found: Sequence[Fact],
    flying: Collection[str] = (),
    beginning: Collection[str] = (),
    out_of: Collection[str] = (),
    rolling: Collection[str] = (),
) -> Iterator[Fact]:
    """Yield facts with counters that were put off the hexes for a moment as if they had stayed on them.

    A counter that is taken from a hex and placed in one in the same phase, without another action on it and
    without a die in between, was put aside: it has not moved if it is back where it was. Kinds that are
    ``flying`` come from boxes and go there, unless they are back. If both sides have moved in the meantime,
    or one has declared that play begins (``beginning``), it was not for a moment; nor if it comes to another
    hex from a box of losses from which the rules return counters (``out_of``). A counter that fights in a
    battle may be aside while the battle's dice are rolled, those that resolve it (``rolling``) and others,
    and is then put back where it was.
    """
    gone: set[int] = set()
    battles = _BattlesWithoutDice(game, rolling)
    begun: dict[int, str] = {}
    aside: dict[str, list[int]] = {}
    homes: dict[str, str] = {}
    moved: dict[str, dict[str, int]] = {}  # by side, where each counter that is not back was moved last
    grid = game.map.grid
    for place, fact in enumerate(found):
        battles.note(fact, aside)
        if _ends_outings(fact, beginning):
            aside = {name: aside[name] for name in battles.fighting if name in aside}
            homes = {}
        elif isinstance(fact, Shifted) and not fact.meant:
            places = aside.pop(fact.counter, [])
            origin = getattr(found[places[0]], "origin", UNKNOWN) if places else UNKNOWN
            if fact.target in grid and fact.counter in battles.fighting and origin != fact.target:
                places = []
            if fact.origin in grid and fact.target in grid:
                mine = moved.setdefault(game.counters[fact.counter].side, {})
                mine.pop(fact.counter, None)
                home = homes.setdefault(fact.counter, fact.origin)
                if home != fact.target and not is_taken_off(game, fact):
                    mine[fact.counter] = place
            both = [max(one.values()) for one in moved.values() if one]
            if places and len(both) > 1 and min(both) > places[0]:
                places = []
            if fact.target not in grid:
                aside |= {fact.counter: [*places, place]} if places or fact.origin in grid else {}
            elif places and (origin := getattr(found[places[0]], "origin", UNKNOWN)) == fact.target:
                gone |= {*places, place}
            elif places and fact.origin in out_of and game.map.boxes[fact.origin].losses:
                pass
            elif places and (
                game.counters[fact.counter].kind not in flying
                or all(getattr(found[one], "target", "") not in game.map.boxes for one in places)
            ):
                begun[place] = origin
                gone |= {*places}
        elif not (isinstance(fact, JoinedBattle | LeftBattle) and fact.counter in battles.fighting):
            aside.pop(getattr(fact, "counter", ""), None)
    for place, fact in enumerate(found):
        if place not in gone:
            yield evolve(fact, origin=begun[place]) if place in begun and isinstance(fact, Shifted) else fact


def without_trials(game: Game, found: Sequence[Fact], beginning: Collection[str] = ()) -> Iterator[Fact]:
    """Yield facts without counters dragged from hex to hex and back while others continued to move.

    Those others are enemies, or any if the counter entered the map in this phase: tries between the moves of
    its own side are part of its move. A counter that is back in its first hex has not set out again. Nothing
    is left out if an enemy left its place in the meantime, which may have been a forced retreat; one that
    only followed and went back did not.
    """
    gone: set[int] = set()
    out: dict[str, tuple[int, bool]] = {}
    back: dict[str, int] = {}
    homes: dict[str, str] = {}
    came: set[str] = set()
    grid, counters = game.map.grid, game.counters
    for place, fact in enumerate(found):
        if _ends_outings(fact, beginning):
            out, back, homes, came = {}, {}, {}, came if isinstance(fact, Rolled) else set()
        elif isinstance(fact, Shifted):
            since, is_apart = out.pop(fact.counter, (-1, False))
            if is_apart and getattr(found[since], "origin", UNKNOWN) == fact.target:
                gone |= {since, place}
                back[fact.counter] = since
                continue
            first = back.pop(fact.counter, -1)
            if first >= 0 and getattr(found[first], "target", UNKNOWN) == fact.target:
                gone.remove(first)  # it went there at once, and was put back to where it had gone
                gone.add(place)
                out[fact.counter] = first, False
                continue
            if fact.target not in grid or fact.origin not in grid:
                came.add(fact.counter)
                continue
            goes_back = since >= 0 and getattr(found[since], "origin", UNKNOWN) == fact.target
            for name, (at, _) in tuple(out.items()):
                if goes_back and at < since:
                    continue
                is_enemy = counters[name].side != counters[fact.counter].side
                there = getattr(found[at], "target", UNKNOWN)
                if is_enemy and there in grid and grid.distance(there, fact.origin) <= 1:
                    del out[name]
                elif is_enemy or name in came:
                    out[name] = at, True
            if homes.setdefault(fact.counter, fact.origin) != fact.target and not fact.meant:
                out[fact.counter] = place, False
        else:
            for known in (out, back):
                known.pop(getattr(fact, "counter", ""), None)
    yield from (fact for place, fact in enumerate(found) if place not in gone)


def without_attackers_on_their_target(found: Sequence[Fact]) -> Iterator[Fact]:
    """Yield facts without attackers dragged onto the hex that they attack before its die, and back later.

    They are put there to show who attacks what; as the defenders hold the hex they have not moved. One
    that is attacked there has gone there.
    """
    gone: set[int] = set()
    fighting: dict[str, tuple[int, str]] = {}
    held: dict[int, set[str]] = {}
    there: dict[str, int] = {}
    for place, fact in enumerate(found):
        match fact:
            case Turned():
                fighting, held, there = {}, {}, {}
            case JoinedBattle():
                fighting[fact.counter] = fact.battle, fact.role
                if fact.role == "D":
                    held.setdefault(fact.battle, set()).add(fact.place)
                    there.pop(fact.counter, None)
            case Resolved() | Rolled() | Declared(faces=(_, *_)):
                held.pop(fact.battle, None)
            case Shifted():
                since, (battle, role) = there.pop(fact.counter, -1), fighting.get(fact.counter, (0, ""))
                if since >= 0 and getattr(found[since], "origin", UNKNOWN) == fact.target:
                    gone |= {since, place}
                elif role == "A" and fact.target in held.get(battle, ()):
                    there[fact.counter] = place
    yield from (fact for place, fact in enumerate(found) if place not in gone)


def without_packing_up(game: Game, places: Mapping[str, str], found: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts of a log without its last drags, if they take most counters of all sides off the map,
    or all if only one side is there.

    The game is over then, and the counters are put away. ``places`` is where they are when the log begins.
    """
    grid, counters, first = game.map.grid, game.counters, len(found)
    while first and _is_put_away(game, found[first - 1]):
        first -= 1
    now = dict(places)
    now |= {fact.counter: fact.target for fact in found[:first] if isinstance(fact, Shifted)}
    left = Tally(side for name, place in now.items() if place in grid and (side := counters[name].side))
    packed = {fact.counter for fact in found[first:] if isinstance(fact, Shifted) and fact.origin in grid}
    off = Tally(counters[name].side for name in packed)
    goes = off == left if len(left) == 1 else all(2 * off[side] > count for side, count in left.items())
    is_over = goes and len(packed) >= FEWEST_PUT_AWAY
    kept = (fact for fact in found[first:] if not (is_over and isinstance(fact, Shifted)))
    return (*found[:first], *kept)


def _is_put_away(game: Game, fact: Fact) -> bool:
    return isinstance(fact, Remark) or (isinstance(fact, Shifted) and fact.target not in game.map.grid)


def _ends_outings(fact: Fact, beginning: Collection[str]) -> bool:
    """Whether a move ends here at the latest: the track is advanced, a die is rolled, or play begins."""
    if isinstance(fact, Declared):
        return bool(fact.faces) or fact.declaration in beginning
    return isinstance(fact, Turned | Resolved | Rolled)


def without_advances_taken_back(
    game: Game, found: Sequence[Fact], shown: Clock | None, first: str = ""
) -> tuple[Fact, ...]:
    """Return the facts without advances of the track that were set back; ``shown`` is what it shows.

    ``first`` is the side that begins, if not the usual one. The track may have been advanced several times,
    and be set back to any of these phases, at once or after drags of counters of the side whose phase it is.
    Markers that came off in the meantime stay where they are, and a counter that left a battle when the phase
    seemed to be over is in it.
    """
    gone: set[int] = set()
    stops = game.sequence.stops(first)
    passed: list[tuple[int, Clock | None]] = [(-1, shown)]
    left: list[int] = []
    dragged: list[tuple[int, str]] = []
    for place, fact in enumerate(found):
        if isinstance(fact, Turned):
            known = next((at for at, (_, clock) in enumerate(passed) if clock == fact.clock), len(passed) - 1)
            since = passed[known + 1][0] if known < len(passed) - 1 else place
            sides = {side for at, side in dragged if at > since}
            if since < place and sides <= {stops[fact.clock.stop].side}:
                gone |= {place, *(at for at, _ in passed[known + 1 :]), *(at for at in left if at > since)}
                del passed[known + 1 :]
            else:
                passed = [*(passed if not sides else passed[-1:]), (place, fact.clock)]
        elif isinstance(fact, LeftBattle):
            left.append(place)
        elif isinstance(fact, Shifted):
            dragged.append((place, game.counters[fact.counter].side))
        elif not (isinstance(fact, Remark | Mentioned) or (isinstance(fact, Changed) and not fact.new)):
            passed, left, dragged = passed[-1:], [], []
    return tuple(fact for place, fact in enumerate(found) if place not in gone)


def from_where_they_were(before: Mapping[str, str], found: Iterable[Fact]) -> Iterator[Fact]:
    """Yield facts with every counter moved from where the previous facts left it, and fighting there.

    ``before`` gives the initial places. An undone step has no facts, but may leave a counter elsewhere:
    VASSAL removes a counter that was alone together with the stack that was made for it. If it comes back
    from there it has not moved.
    """
    places = dict(before)
    for fact in found:
        if isinstance(fact, JoinedBattle) and fact.place == NOWHERE:
            yield evolve(fact, place=places.get(fact.counter, NOWHERE))
            continue
        if not isinstance(fact, Shifted):
            yield fact
            continue
        origin = places.get(fact.counter, UNKNOWN)
        origin = fact.origin if origin == UNKNOWN else origin
        places[fact.counter] = fact.target
        if origin == UNKNOWN or origin != fact.target:
            yield fact if origin == fact.origin else evolve(fact, origin=origin)


def _is_lost_once(found: Sequence[Fact]) -> bool:
    """Whether a step is lost, given back and lost again."""
    changes = [(fact.old, fact.new) for fact in found if isinstance(fact, Stepped)]
    old, new = changes[0]
    return new < old and changes == [(old, new), (new, old), (old, new)]


def _reverses(fact: Changed, earlier: Fact) -> bool:
    return isinstance(earlier, Changed) and (fact.old, fact.new) == (earlier.new, earlier.old)


def leaving_before_coming(game: Game, found: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts with counters that leave the map before those that replace them in the same step."""
    ordered: list[Fact] = []
    for _, group in groupby(found, lambda fact: fact.step):
        together = list(group)
        gone = (one for one in together if isinstance(one, Shifted) and is_taken_off(game, one))
        left = {one.origin for one in gone if one.origin in game.map.grid}
        ordered += sorted(together, key=lambda fact: isinstance(fact, Shifted) and fact.target in left)
    return tuple(ordered)


def on_their_way_first(found: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts with, among several counters dragged in one step, those first that have already moved
    in the phase.

    They were moved before the others set out; the drag together is the end of their moves, or a further one.
    Among several of these the one that set out first comes first.
    """
    ordered: list[Fact] = []
    moved: dict[str, int] = {}
    for _, group in groupby(found, lambda fact: fact.step):
        together = list(group)
        mine = [fact for fact in together if isinstance(fact, Shifted)]
        if len(mine) > 1 and len({fact.target for fact in mine}) == 1:
            shifts = iter(sorted(mine, key=lambda fact: moved.get(fact.counter, len(moved))))
            together = [next(shifts) if isinstance(fact, Shifted) else fact for fact in together]
        ordered += together
        for fact in together:
            if isinstance(fact, Shifted):
                moved.setdefault(fact.counter, len(moved))
            elif isinstance(fact, Turned):
                moved = {}
    return tuple(ordered)


def advances_after_retreats(
    game: Game, found: Sequence[Fact], battles: Mapping[int, Battle], leaving: Collection[str] = ()
) -> tuple[Fact, ...]:
    """Return the facts with units that advanced too early placed after the enemies who made room for them.

    They come after all enemies that left with these in one step, such as a stack, together with those dragged
    along with them, if these are dragged no further; and their rolls for the new hex come with them. If the
    track was advanced before, they come after a retreat, not after a casualty, and only as long as units that
    fought in the phase act. A casualty removed after the die of another battle was already out of play: it
    was not waited for. Defenders of whom one has retreated do not advance: if one enters an attacker's hex it
    retreats to it. ``leaving`` are the declarations that a counter makes room with its next move.
    """
    order = list(range(len(found)))
    rolled = [battle for battle in dict.fromkeys(battles.values()) if battle.dice]
    dice = sorted(die for battle in rolled for die in battle.dice)
    turns = [place for place, fact in enumerate(found) if isinstance(fact, Turned)]
    shifted: dict[int, set[str]] = {}
    for fact in found:
        if isinstance(fact, Shifted):
            shifted.setdefault(fact.step, set()).add(fact.counter)
    for battle in rolled:
        fighting, attacking = battle.participants - battle.sent, {*battle.attackers.values()}
        sides = {game.counters[name].side for name in battle.attackers}
        early: dict[str, int] = {}
        makes_room: set[str] = set()
        fighters, is_over = _fighters_of_the_phase(turns, rolled, battle.dice[0]), False
        beaten = False
        for place in range(battle.dice[0] + 1, len(found)):
            fact = found[place]
            if is_over and not may_be_late(fact, fighters):
                break
            if isinstance(fact, Turned):
                if is_over:
                    break
                is_over = True
            if isinstance(fact, Declared) and fact.declaration in leaving:
                makes_room.add(fact.counter)
            if not isinstance(fact, Shifted):
                continue
            early.pop(fact.counter, None)
            if fighting.isdisjoint(shifted[fact.step]) or _comes_back(found, place):
                continue
            attacks = game.counters[fact.counter].side in sides
            waiting = [
                name
                for name, at in early.items()
                if (game.counters[name].side in sides) is not attacks and _comes_to(found[at], fact.origin)
            ]
            if attacks and fact.counter not in makes_room and not _goes_away(game, fact, battle.target):
                waiting = []  # they advance themselves; a unit that entered their hex had retreated there
            if is_over and is_taken_off(game, fact):
                continue
            if is_taken_off(game, fact):
                last = max((die for die in dice if die < place), default=0)
                waiting = [name for name in waiting if early[name] > last]
            if waiting:
                moved = [one for name in waiting for one in _with_what_followed(found, early[name], place)]
                order = [one for one in order if one not in moved]
                after = max(at for at, one in enumerate(order) if found[one].step == fact.step) + 1
                while after < len(order) and _goes_on(found[order[after - 1]], found[order[after]]):
                    after += 1
                order[after:after] = moved
            beaten = beaten or (not attacks and _makes_way(game, fact, battle.target, attacking))
            if fact.target in ({battle.target} if attacks else attacking) and (attacks or not beaten):
                early[fact.counter] = place
    return tuple(found[place] for place in order)


def _fighters_of_the_phase(turns: Sequence[int], rolled: Iterable[Battle], die: int) -> set[str]:
    """The counters in battles that were rolled in the phase of a die, between two turns of the track."""
    phase = bisect(turns, die)
    fought = (one for one in rolled if any(bisect(turns, place) == phase for place in one.dice))
    return {name for battle in fought for name in battle.participants}


def _with_what_followed(found: Sequence[Fact], advance: int, until: int) -> Iterator[int]:
    """The place of an advance, and of its following marks, beginning with the counter's roll
    for its new hex.
    """
    yield advance
    name, rolled = getattr(found[advance], "counter", ""), False
    for place in range(advance + 1, until):
        fact = found[place]
        if not isinstance(fact, Declared | Changed) or fact.counter != name:
            continue
        rolled = rolled or (isinstance(fact, Declared) and bool(fact.faces))
        if rolled:
            yield place


def _comes_back(found: Sequence[Fact], place: int) -> bool:
    """Whether a counter is dragged back to where it was before another die and in the same phase."""
    fact = found[place]
    back = (fact.counter, fact.origin) if isinstance(fact, Shifted) else None
    for later in found[place + 1 :]:
        if isinstance(later, Turned | Resolved | Rolled):
            return False
        if isinstance(later, Shifted) and (later.counter, later.target) == back:
            return True
    return False


def _goes_on(fact: Fact, later: Fact) -> bool:
    """Whether a counter is dragged on from where it was dragged to."""
    return isinstance(fact, Shifted) and isinstance(later, Shifted) and later.counter == fact.counter


def _comes_to(fact: Fact, where: str) -> bool:
    return isinstance(fact, Shifted) and fact.target == where


def _makes_way(game: Game, fact: Shifted, target: str, attacking: Collection[str]) -> bool:
    """Whether a defender leaves its hex for another hex on the map that is not an attacker's."""
    return fact.origin == target and fact.target in game.map.grid and fact.target not in attacking


def _goes_away(game: Game, fact: Shifted, target: str) -> bool:
    """Whether a counter leaves the map, or ends farther from a hex than it was, or next to it by one hex."""
    grid = game.map.grid
    if fact.target not in grid or fact.origin not in grid or target not in grid:
        return True
    if target not in (fact.origin, fact.target) and grid.distance(fact.origin, fact.target) == 1:
        return True
    return grid.distance(fact.target, target) > grid.distance(fact.origin, target)
