"""Actions of a record that undo, correct or continue an earlier one, and actions that come late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, starmap

from attrs import evolve, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rulings import Grade, Ruling

TAKEN_BACK = "the previous action is taken back"
TAKEN_BACK_LATER = "the previous actions of the same counters are taken back"
PUT_RIGHT = "this corrects the previous action and is judged in its place"
GOES_ON = "the same pieces continue, and both actions are judged as one"
DECLARED_AGAIN = "the attack is declared again in its phase, so it was not given up"
DONE_LATE = "this makes up for something that was missing when a phase ended; it is judged as if done in time"
LAST_STEP = "that was its last step, so it is taken off the map"
LEFT_AT_THAT = "nothing follows the declaration, so the attack is judged as it stands"
FOLLOWS = "what was missing is done first in the next phase, which is in time"
ACCUSED = (Grade.illegal, Grade.unproven)
BACK = ("retreat", "rout", "withdraw", "pursue")
"""Verbs for moving back as far as a result says, in one action or in several; a move ends with its action."""


@frozen
class Corrected:
    """An action that corrects an earlier one: its ruling, the position after it, and how it corrects it.

    ``whole`` is what a next action may continue: the ruling on both as one, and the position before them.
    ``done`` are the actions as they are then regarded, each with the position before it, if that has changed.
    """

    ruling: Ruling
    position: Position
    remark: str
    whole: tuple[Position, Ruling] | None = None
    done: tuple[tuple[Position, Ruling], ...] = ()


def corrected(before: Position, last: Ruling, now: Position, ruling: Ruling) -> Corrected | None:
    """Return the ruling on an action that corrects the last one; None if it corrects nothing.

    It is by the same pieces in the same phase. It goes on, hex by hex, with an illegal one, and both are
    judged as one, but for a drag that corrects what is illegal so; or it is in breach itself. Then it takes
    the last one back if all pieces are as they were before that; a legal one only by the same verb or if it
    cost steps, which are due again. It puts an illegal one right if it would have been legal in its place.
    """
    action, first = ruling.action, last.action
    if NEXT.name in (action.verb, first.verb) or before.clock != now.clock or not action.pieces:
        return None
    if action.pieces != first.pieces:
        return None
    whole = _joined(before, first, action) if last.grade is Grade.illegal else None
    going_on = _as_one(before, whole, action) if whole is not None else None
    if going_on is not None and (going_on.ruling.grade is not Grade.illegal or not action.dragged):
        return going_on
    is_wrong = going_on is not None or ruling.grade in ACCUSED or _is_only_reduced(now, first, action)
    return (_undone(before, last, now, action) if is_wrong else None) or going_on


def _as_one(before: Position, whole: Action, action: Action) -> Corrected:
    """The ruling on an action that continues the one before it, on both as one."""
    played = before.play(whole)
    joined = evolve(played.ruling, action=action)
    return Corrected(joined, played.position, GOES_ON, (before, played.ruling))


def _undone(before: Position, last: Ruling, now: Position, action: Action) -> Corrected | None:
    """The ruling on an action that undoes or corrects the last one; None if it does neither."""
    first = last.action
    goes_back = last.grade is Grade.illegal and action.path[::-1] == first.path
    is_known = bool(action.path) and not action.dragged and not goes_back
    may_be = action.verb == first.verb or last.grade is Grade.illegal or _lost_steps(before, first, now)
    if may_be and not is_known and now.play(action).position.pieces == before.pieces != now.pieces:
        return Corrected(Ruling(action), before, TAKEN_BACK)
    for instead in _instead(before, first, now, action) if last.grade is Grade.illegal else ():
        played = before.play(instead)
        if played.ruling.grade is Grade.legal:
            return Corrected(evolve(played.ruling, action=action), played.position, PUT_RIGHT)
    return None


def taken_off(before: Position, ruling: Ruling, after: Position, later: Iterable[object]) -> Corrected | None:
    """Return the ruling on the loss of a last step as an elimination; None if it is not, or nothing remains.

    Players say the loss and mean both. If the rest of the phase says more about the counters, that decides.
    """
    action, rulebook = ruling.action, before.world.rulebook
    idiom, grid = rulebook.idiom, before.game.map.grid
    if action.verb != idiom.steps[0] or not idiom.eliminate:
        return None
    steps = int(action.words[0]) if "NUMBER" in rulebook.verbs[action.verb].needs else 1
    is_last = all(before.pieces[name].steps <= steps for name in action.pieces)
    if not is_last or not all(after.pieces[name].where in grid for name in action.pieces):
        return None
    for then in later:
        if not isinstance(then, Action) or then.verb == NEXT.name:
            break
        if {*then.pieces} & {*action.pieces}:
            return None
    is_wrong = ruling.grade in ACCUSED
    gone = (before if is_wrong else after).play(Action(idiom.eliminate, action.pieces, battle=action.battle))
    if gone.ruling.breaches or not (is_wrong or _has_less_due(gone.position, after)):
        return None
    return Corrected(evolve(gone.ruling if is_wrong else ruling, action=action), gone.position, LAST_STEP)


def _has_less_due(position: Position, other: Position) -> bool:
    """Return whether less is missing at the end of the phase in a position than in another."""
    end = Action(NEXT.name)
    return len(position.play(end).ruling.breaches) < len(other.play(end).ruling.breaches)


def gone_on(before: Position, ruling: Ruling, later: Iterable[object]) -> Corrected | None:
    """Return the ruling on an illegal action if later ones continue it, hex by hex.

    The very next one, with which it is judged as one; or a later one, if all is not illegal then and between
    them only the same is done, as where a stack retreats. None if nothing goes on with it so.
    """
    whole, follows = ruling.action, False
    for place, action in enumerate(later if ruling.grade is Grade.illegal and whole.verb in BACK else ()):
        if not isinstance(action, Action) or action.verb != whole.verb:
            break
        if action.pieces != whole.pieces:
            continue
        joined = _joined(before, whole, action)
        if joined is None:
            break
        whole, played, follows = joined, before.play(joined), follows or place == 0
        if played.ruling.grade is not Grade.illegal:
            follows = True
            break
    return Corrected(Ruling(ruling.action), before, GOES_ON) if follows else None


def declared_again(before: Position, ruling: Ruling, later: Iterable[object]) -> Corrected | None:
    """Return the ruling on a cancelled attack that must be made, if it is declared again in its phase.

    It is another attack on the same hex, legal at once: its attackers or its air support were changed.
    """
    action, idiom = ruling.action, before.world.rulebook.idiom
    battle = before.battle(action.battle)
    if ruling.grade is not Grade.illegal or action.verb != idiom.call_off or battle is None:
        return None
    after = before.play(action).position
    for then in later:
        if not isinstance(then, Action) or then.verb == NEXT.name:
            break
        attacks = then.verb in (idiom.attack, *idiom.attacks.values()) and then.target == battle.target
        if attacks and after.play(then).ruling.grade is Grade.legal:
            return Corrected(Ruling(action), before, DECLARED_AGAIN)
    return None


def left_at_that(after: Position, ruling: Ruling, later: Iterable[object]) -> Corrected | None:
    """Return the ruling on the declaration of an attack with which a record ends; None if it is legal.

    Otherwise some clauses are judged only when the attack is fixed, because it may still be called off.
    """
    rulebook = after.world.rulebook
    idiom, clauses = rulebook.idiom, rulebook.once_fixed
    attacks = ruling.action.verb in (idiom.attack, *idiom.attacks.values())
    if not (attacks and clauses and idiom.roll) or ruling.breaches or ruling.failure:
        return None
    if any(isinstance(then, Action) for then in later):
        return None
    fixed = after.play(Action(idiom.roll, dice=(1,))).ruling
    breaches = tuple(breach for breach in fixed.breaches if breach.clause in clauses)
    return Corrected(evolve(ruling, breaches=breaches), after, LEFT_AT_THAT) if breaches else None


def followed(before: Position, ruling: Ruling, later: Iterable[object]) -> Corrected | None:
    """Return the ruling on the end of a phase if what was missing is done first in the next phase."""
    position, may_follow = before, before.world.rulebook.may_follow
    for action in later if ruling.action.verb == NEXT.name and may_follow else ():
        if not isinstance(action, Action) or action.verb not in may_follow:
            break
        position = position.play(action).position
    if position is before:
        return None
    ended = position.play(ruling.action).ruling
    return Corrected(ended, before, FOLLOWS) if len(ended.breaches) < len(ruling.breaches) else None


def _joined(position: Position, first: Action, then: Action) -> Action | None:
    """Return two actions as one, if the second goes on, hex by hex, where the first has ended."""
    path, grid = (*first.path, *then.path[1:]), position.game.map.grid
    goes_on = first.verb in BACK and then.verb == first.verb and then.path[:1] in (first.path[-1:], ("",))
    if not goes_on or not all(where in grid for where in path):
        return None
    stepwise = all(starmap(grid.are_neighbours, pairwise(path)))
    return evolve(first, path=path, dragged=False) if stepwise else None


def taken_back(done: Sequence[tuple[Position, Ruling]], now: Position, ruling: Ruling) -> Corrected | None:
    """Return the ruling on an illegal action that takes back an earlier one, with others in between.

    ``done`` is what was done before, each with the position before it. All pieces must be as if that
    action had not been done, and what was done since must break the same clauses without it.
    """
    action = ruling.action
    if ruling.grade is not Grade.illegal or not action.path or not action.dragged:
        return None
    for place in range(len(done) - 1, -1, -1):
        before, first = done[place]
        if first.action.verb == NEXT.name:
            return None
        if first.action.pieces != action.pieces or first.action.verb != action.verb:
            continue
        position = before
        for _, since in done[place + 1 :]:
            played = position.play(since.action)
            if _clauses(played.ruling) != _clauses(since):
                return None
            position = played.position
        same = now.play(action).position.pieces == position.pieces
        return Corrected(Ruling(action), position, TAKEN_BACK_LATER) if same else None
    return None


def done_late(done: Sequence[tuple[Position, Ruling]], now: Position, ruling: Ruling) -> Corrected | None:
    """Return the ruling on a late result of a battle or a roll that was missing when a phase ended.

    ``done`` is what was done in the last turns, each with the position before it. The action must have been
    legal before that phase ended, and less missing with it; and the counters are as if it had been in time.
    """
    action, may_be_late = ruling.action, now.world.rulebook.may_be_late
    for place in range(len(done) - 1, -1, -1) if ruling.grade in ACCUSED else ():
        before, end = done[place]
        verbs = may_be_late.get(before.phase, ())
        if end.action.verb != NEXT.name or not end.breaches or action.verb not in verbs:
            continue
        played = before.play(action)
        if played.ruling.breaches or not _missing(end) - _missing(played.position.play(end.action).ruling):
            continue
        seen, position = [*done[:place], (before, played.ruling)], played.position
        for _, since in done[place:]:
            played = position.play(since.action)
            seen.append((position, played.ruling))
            position = played.position
        if _undated(position) == _undated(now.play(action).position):
            return Corrected(Ruling(action), position, DONE_LATE, done=tuple(seen))
    return None


def _undated(position: Position) -> dict[str, Piece]:
    """The pieces, without the dates of their states."""
    return {
        name: evolve(piece, states=dict.fromkeys(piece.states, Mark()))
        for name, piece in position.pieces.items()
    }


def _missing(end: Ruling) -> set[tuple[str, str]]:
    return {(breach.clause, breach.says) for breach in end.breaches}


def _clauses(ruling: Ruling) -> set[str]:
    return {breach.clause for breach in ruling.breaches}


def _lost_steps(before: Position, first: Action, now: Position) -> bool:
    """Return whether an action cost its pieces steps, and they are on the map."""
    pieces, grid = ((before.pieces[name], now.pieces[name]) for name in first.pieces), now.game.map.grid
    return all(then.steps > piece.steps and piece.where in grid for then, piece in pieces)


def _instead(before: Position, first: Action, now: Position, action: Action) -> Iterator[Action]:
    """What would have been done instead of the first action, from the place of its pieces before it."""
    if action.verb == first.verb and first.path and action.path:
        yield evolve(action, path=(first.path[0], action.end), dragged=True)
    is_gone = now.pieces[action.piece].where not in now.game.map.grid
    if action.path and is_gone and before.pieces[action.piece].where == action.path[0]:
        yield action
    if is_gone and _is_only_reduced(now, first, action):
        yield action


def _is_only_reduced(position: Position, first: Action, action: Action) -> bool:
    """Return whether counters that were eliminated lose a step instead."""
    idiom = position.world.rulebook.idiom
    return (first.verb, action.verb) == (idiom.eliminate, idiom.steps[0])
