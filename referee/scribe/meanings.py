"""The possible meanings of a drag: the verbs of a game that fit it, as a move, an entry, a loss."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.idiom import MoveVerb
from referee.engine.position import Position
from referee.scribe.choosing import Readings
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle


def move_verbs(draft: Draft, position: Position, name: str, end: str) -> tuple[MoveVerb, ...]:
    """Return the possible verbs of a move in a phase; those for the other side or without a battle come last.

    A move belongs to a battle if the counter is in one, or enters a hex that was attacked. An attacker that
    goes on beyond that hex advances too far rather than retreats. Aircraft and other units that fight from
    above neither retreat nor advance. Verbs for a state of the counter come first.
    """
    piece = position.pieces[name]
    is_overhead = piece.counter.kind in draft.idiom.overhead
    passive = piece.side != position.side
    attacked = any(one.target == end or _goes_beyond(draft, one, name, end) for one in draft.battles.settling)
    in_battle = draft.battles_of(name) != (None,) or attacked

    def is_strange(verb: MoveVerb) -> tuple[bool, bool, bool]:
        strange = verb.passive not in (None, passive) or (
            "NUMBER" in draft.slots(verb.verb) and not in_battle
        )
        return strange, attacked and not verb.into, not (verb.state and piece.is_(verb.state))

    all_verbs = draft.idiom.move_verbs.get(position.phase, ())
    possible = [one for one in all_verbs if not (is_overhead and "NUMBER" in draft.slots(one.verb))]
    verbs = tuple(sorted(possible, key=is_strange))
    if position.clock == draft.beginning and draft.idiom.deploy and draft.setting_up is not False:
        deploy = (MoveVerb(draft.idiom.deploy),)
        if draft.setting_up:
            return deploy
        return (*verbs, *deploy) if draft.idiom.begin else (*deploy, *verbs)
    return verbs or tuple({verb: None for group in draft.idiom.move_verbs.values() for verb in group})


def _goes_beyond(draft: Draft, battle: Battle, name: str, end: str) -> bool:
    """Return whether an attacker is dragged across the hex that it attacked, and enemies have left."""
    grid, start = draft.game.map.grid, battle.attackers.get(name, "")
    if any(place not in grid for place in (start, battle.target, end)):
        return False
    held = any(draft.position.pieces[one].where == battle.target for one in battle.defenders)
    return not held and grid.distance(battle.target, end) < grid.distance(start, end)


def move_action(
    draft: Draft, name: str, verb: MoveVerb, path: tuple[str, ...], battle: Battle | None, *, dragged: bool
) -> Action:
    """Return a move with a verb, with its path or only its end, as the verb requires."""
    number = draft.numbered(verb.verb, battle)
    if "PATH" in draft.slots(verb.verb):
        return Action(verb.verb, (name,), path, dragged=dragged, words=verb.words, battle=number)
    return Action(verb.verb, (name,), target=path[-1], words=verb.words, battle=number)


def onward(draft: Draft, name: str, path: tuple[str, str]) -> Readings:
    """Return the possible meanings of a drag from a hex to another: only its ends are known."""

    def readings(position: Position) -> list[Action]:
        battle = draft.battles_of(name)[0]
        verbs = move_verbs(draft, position, name, path[-1])
        return [move_action(draft, name, verb, path, battle, dragged=True) for verb in verbs]

    return readings


def first_moves(draft: Draft, name: str, path: tuple[str, str], entry: Action) -> Readings:
    """Return the possible meanings of the first move of a counter that has entered.

    It cannot be driven out at once, unless it enters in a battle: then its first move is a result of that.
    """
    driven = tuple(dict.fromkeys(draft.idiom.announced.values()))
    if "NUMBER" in draft.slots(entry.verb):
        beaten = [
            move_action(draft, name, verb, path, battle, dragged=True)
            for battle in reversed(draft.battles.settling)
            for verb in driven
        ]
        return lambda position: beaten
    moves, verbs = onward(draft, name, path), {one.verb for one in driven}
    return lambda position: [one for one in moves(position) if one.verb not in verbs]


def entries(draft: Draft, name: str, place: str, origin: str) -> Readings:
    """Return the possible meanings of a move from a box to a hex."""
    anywhere = entries_from(draft, name, origin)
    return lambda position: [evolve(one, target=place) for one in anywhere(position)]


def entries_from(draft: Draft, name: str, origin: str) -> Readings:
    """Return the possible meanings of an entry from a box, in a hex still to be named."""
    box = origin if origin in draft.game.map.boxes else draft.position.pieces[name].where
    known = draft.idiom.out_of
    verbs = known.get(f"{box} {name}", known.get(box, draft.idiom.entries))

    def readings(position: Position) -> list[Action]:
        first = position.clock == draft.beginning and draft.setting_up is not False
        deploys = (draft.idiom.deploy,) if draft.idiom.deploy and first else ()
        return [Action(verb, (name,)) for verb in (*deploys, *verbs)]

    return readings


def in_a_battle(draft: Draft, action: Action) -> Readings:
    """Return the possible meanings of an action on a counter: for each battle that it is in, the last first.

    In some phases a loss has no battle, and another name; then it costs one step, and does not remove a
    counter with more steps.
    """
    numbers = [draft.numbered(action.verb, battle) for battle in draft.battles_of(action.piece)]
    found = tuple(dict.fromkeys(evolve(action, battle=number) for number in numbers))

    def readings(position: Position) -> tuple[Action, ...]:
        verb = draft.idiom.instead.get(position.phase, {}).get(action.verb)
        is_whole = action.verb == draft.idiom.eliminate and position.pieces[action.piece].steps > 1
        return found if verb is None or is_whole else (evolve(action, verb=verb),)

    return readings


def battles_for(draft: Draft, name: str, said: Battle | None) -> tuple[Battle | None, ...]:
    """Return the battle with which a move was announced, then those that the counter is in.

    The module announces the current battle, even if the move belongs to an earlier one.
    """
    known = draft.battles_of(name)
    return (
        tuple(dict.fromkeys((said, *known))) if said is not None and said in draft.battles.settling else known
    )
