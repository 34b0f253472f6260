"""Counters dragged off the hexes or from box to box, read as losses, exits, or put away."""

from __future__ import annotations

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.scribe import facts
from referee.scribe.attempts import Attempt
from referee.scribe.choosing import (
    Readings,
    always,
    can_be_late,
    can_be_legal,
    choose,
    due_before,
    leaves_less,
    write_all,
)
from referee.scribe.draft import Draft
from referee.scribe.facts import NOWHERE
from referee.scribe.meanings import in_a_battle
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene


def read_leaving(
    draft: Draft, scene: Scene, name: str, ends: tuple[str, str], steps: tuple[int, ...]
) -> None:
    """Read a drag off the hexes, or from one box to another."""
    grid, (start, end) = draft.game.map.grid, ends
    if start in grid and (end in draft.idiom.lost or end == NOWHERE):
        loss = losses(draft, scene, name)
        if _must_be_put_away(draft, scene, name, loss):
            choose(draft, scene, always(Action(draft.idiom.away, (name,))), steps)
        elif not was_due(draft, scene, loss, steps):
            choose(draft, scene, loss, steps)
    elif start in draft.idiom.exits and end in draft.idiom.lost:
        choose(draft, scene, always(Action(draft.idiom.eliminate, (name,))), steps)
    elif (
        start in grid
        and end in draft.idiom.exits
        and draft.position.pieces[name].where != end
        and not draft.is_setting_up
    ):
        gone, loss = always(_exit(draft, draft.exit_verb(name, end), name, end)), losses(draft, scene, name)
        if draft.cautious and not can_be_legal(draft, scene, gone):
            _reduce_before(draft, scene, name, gone)
        if draft.cautious and _is_rather_lost(draft, scene, name, gone, loss):
            choose(draft, scene, loss, steps)
        else:
            choose(draft, scene, gone, steps)
            if not draft.is_lost_in(name, end):  # lost counters may be in any box
                draft.take_over(name, end, scene.fact.step)
    elif start in grid and _is_put_away(draft, name, end):
        _put_away(draft, scene, name, end, steps)
    elif verb := _between_boxes(draft, name, end):
        words = (end,) if "BOX" in draft.slots(verb) else ()
        choose(draft, scene, always(Action(verb, (name,), words=words)), steps)
    else:
        draft.take_over(name, end, scene.fact.step)


def _reduce_before(draft: Draft, scene: Scene, name: str, gone: Readings) -> None:
    """Read that a counter lost a step before it left the map, if that is marked later and makes it legal."""
    verb, now = draft.idiom.steps[False], draft.position
    marked = (one for _, one in scene.following_twice() if isinstance(one, facts.Stepped))
    first = next((one for one in marked if one.counter == name), None)
    if not verb or first is None or first.new >= now.pieces[name].steps or "NUMBER" in draft.needs(verb):
        return
    found = (draft.attempt(action) for action in in_a_battle(draft, Action(verb, (name,)))(now))
    for loss in found:
        if loss is not None and loss.is_legal and any(draft.is_legal(one, loss.after) for one in gone(now)):
            draft.write(loss, scene.fact, Certainty.inferred)
            return


def _is_rather_lost(draft: Draft, scene: Scene, name: str, gone: Readings, loss: Readings) -> bool:
    """Whether a counter put into a box for units that leave the map is lost: only that is legal, or due."""
    if draft.game.counters[name].kind in draft.idiom.overhead or not can_be_legal(draft, scene, loss):
        return False
    return not can_be_legal(draft, scene, gone) or leaves_less(draft, loss, gone)


def _is_put_away(draft: Draft, name: str, end: str) -> bool:
    """Whether a counter is put into a box in which it does not belong."""
    if not draft.idiom.away or end not in draft.game.map.boxes or draft.position.pieces[name].where == end:
        return False
    kinds = draft.world.rulebook.verbs[draft.idiom.away].kinds
    return (not kinds or draft.game.counters[name].kind in kinds) and not draft.is_setting_up


def _between_boxes(draft: Draft, name: str, end: str) -> str:
    """The verb for a counter that goes from one box to another, empty if no rule applies.

    It is where the rules have it, unless it is lost or has left the map.
    """
    where, idiom = draft.position.pieces[name].where, draft.idiom
    boxes, verbs = draft.game.map.boxes, draft.world.rulebook.verbs
    if not idiom.between or where == end or not {where, end} <= boxes.keys() or draft.is_setting_up:
        return ""
    kind, leaves = draft.game.counters[name].kind, idiom.exits.get(end, idiom.eliminate)
    if end in idiom.lost:
        verb = idiom.eliminate
    elif where in idiom.lost or leaves in (idiom.eliminate, idiom.exits.get(where)):
        verb = idiom.between
    else:
        verb = leaves
    return next((one for one in (verb, idiom.between) if kind in verbs[one].kinds), "")


def _exit(draft: Draft, verb: str, name: str, box: str) -> Action:
    """Return the action of a counter that leaves the map for a box, which is named if the verb
    requires it.
    """
    return Action(verb, (name,), words=(box,) if "BOX" in draft.slots(verb) else ())


def _put_away(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> None:
    """Read a counter put into a box as lost, if that is possible; otherwise as put away, possibly only for a
    moment.
    """
    loss, away = losses(draft, scene, name), Action(draft.idiom.away, (name,))
    if can_be_legal(draft, scene, loss) and not _must_be_put_away(draft, scene, name, loss):
        choose(draft, scene, loss, steps)
        return
    if not can_be_legal(draft, scene, always(away)):
        draft.moves.aside.add(name)
    choose(draft, scene, always(away), steps)
    draft.take_over(name, end, scene.fact.step)


def taken_off(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> bool:
    """Read a counter dragged off the hexes as lost or gone from the map, wherever it is put.

    Return whether it was read that way. A drag into a hex that no unit may enter is an illegal move, unless
    the counter may be removed, or a die or a log without battles leaves open what happened. Otherwise it may
    have been put aside.
    """
    if take_off(draft, scene, name, steps):
        return True
    if end != NOWHERE and not (draft.cautious and (draft.is_doubtful or draft.left_out.battles)):
        return False
    first = len(draft.readings)
    choose(draft, scene, losses(draft, scene, name), steps)
    draft.doubt(first, "the counter may have been put aside for a moment")
    draft.moves.aside.add(name)
    return True


def take_off(draft: Draft, scene: Scene, name: str, steps: tuple[int, ...]) -> bool:
    """Read that a counter is lost or has gone from the map, if that can be legal; return whether it was read.

    A loss may come late, after the die of another battle; one that is due in an earlier phase is meant.
    """
    loss = losses(draft, scene, name)
    gone = list(dict.fromkeys(_exit(draft, verb, name, box) for box, verb in draft.idiom.exits.items()))

    def readings(position: Position) -> list[Action]:
        return [*loss(position), *gone]

    if was_due(draft, scene, loss, steps):
        return True
    if not (can_be_legal(draft, scene, readings) or can_be_late(draft, scene, loss)):
        return False
    choose(draft, scene, readings, steps)
    return True


def was_due(draft: Draft, scene: Scene, loss: Readings, steps: tuple[int, ...]) -> bool:
    """Read a loss that is due in a phase before the one that the track shows; return whether there is one."""
    if due := due_before(draft, scene, loss):
        write_all(draft, scene, *due, steps)
    return due is not None


def _must_be_put_away(draft: Draft, scene: Scene, name: str, loss: Readings) -> bool:
    """Whether a unit is due to be withdrawn: the phase ends with less left undone than if it were lost."""
    verb = draft.idiom.away
    if not verb or draft.is_setting_up or declared_loss(draft, scene, name):
        return False
    kinds = draft.world.rulebook.verbs[verb].kinds
    if kinds and draft.game.counters[name].kind not in kinds:
        return False
    away = draft.attempt(Action(verb, (name,)))
    if away is None or not away.is_legal:
        return False
    lost = [one for one in map(draft.attempt, loss(draft.position)) if one is not None]
    return bool(lost) and _left_at_the_end(draft, away) < min(_left_at_the_end(draft, one) for one in lost)


def _left_at_the_end(draft: Draft, attempt: Attempt) -> int:
    """How much is left undone at the end of the phase after an action."""
    ended = draft.attempt(Action(NEXT.name), attempt.after)
    return len(ended.ruling.breaches) if ended is not None else 0


def losses(draft: Draft, scene: Scene, name: str) -> Readings:
    """Return the possible meanings of the loss of a counter."""
    return in_a_battle(draft, Action(declared_loss(draft, scene, name) or draft.idiom.eliminate, (name,)))


def declared_loss(draft: Draft, scene: Scene, name: str) -> str:
    """Return the kind of loss declared in the same step, empty if none is."""
    for other in scene.story.facts[max(0, scene.place - 3) : scene.place + 4]:
        if isinstance(other, facts.Declared) and (other.counter, other.step) == (name, scene.fact.step):
            return draft.idiom.losses.get(other.declaration, "")
    return ""
