"""Markers placed by hand, which represent states of the counters under them.

One marker on a stack may represent a state of all its counters. A marker is read only if its state is right:
it may have been placed by mistake, or be on its way. A marker for a state that depends on a roll is read as
that state set by hand, of the only counter that it can be for; an error in it is not proved.
"""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.idiom import ADD, REMOVE
from referee.engine.position import LAID, Mark
from referee.engine.rulings import Grade
from referee.record import Place, PlaceMarkers
from referee.scribe import facts
from referee.scribe.choosing import always, can_be_legal, choose, now
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.meanings import in_a_battle
from referee.scribe.reading import Certainty
from referee.scribe.still_open import MarkerByHand
from referee.scribe.story import Scene
from vassalgen.game.counters import State


def read_marker(draft: Draft, scene: Scene, fact: facts.Marked) -> None:
    """Read a marker that was placed on counters, moved along with them, or removed."""
    if fact.marker in draft.idiom.hex_markers:
        _in_a_hex(draft, scene, fact)
        return
    state = next((one for one in draft.game.states.values() if one.marker == fact.marker), None)
    verbs = {**draft.idiom.by_hand, **draft.idiom.states}
    set_, taken_off = verbs.get(state.id, ("", "")) if state is not None else ("", "")
    if state is None or not set_:
        return
    under = draft.marks.laid.get(fact.piece)
    if under is None and fact.laid and state.id in draft.idiom.by_hand:
        _laid_by_hand(draft, scene, fact, state, set_)
    elif under is None and fact.laid:
        _laid(draft, scene, fact, state, set_)
    elif under is not None and not fact.laid:
        del draft.marks.laid[fact.piece]
        for name in under.counters:
            if taken_off and draft.position.pieces[name].is_(state.id):
                _taken_off(draft, scene, Action(taken_off, (name,)))


def take_over_markers(draft: Draft, log: LoggedFacts) -> None:
    """Take over the markers that have an effect in their hexes at the beginning of a log."""
    seen = [fact for fact in log.markers if fact.marker in draft.idiom.hex_markers]
    found: dict[str, list[str]] = {}
    for fact in seen:
        found.setdefault(fact.place, []).append(fact.marker)
    known = {where: sorted(laid) for where, laid in draft.position.noted(LAID).items() if laid}
    if known != {where: sorted(laid) for where, laid in found.items()}:
        if known:
            gone = tuple(dict.fromkeys(name for laid in known.values() for name in laid))
            draft.state(PlaceMarkers(gone, ""), 0, Certainty.adopted)
        for where, laid in found.items():
            draft.state(PlaceMarkers(tuple(laid), where), 0, Certainty.adopted)
    draft.marks.laid = {name: one for name, one in draft.marks.laid.items() if not one.place}
    draft.marks.laid |= {fact.piece: MarkerByHand("", (), fact.place) for fact in seen}


def _in_a_hex(draft: Draft, scene: Scene, fact: facts.Marked) -> None:
    """Read a marker that has an effect in its hex: it is placed there, moved to another hex, or removed."""
    before = draft.marks.laid.pop(fact.piece, None)
    if before is not None and before.place != fact.place:
        lifted = Action(REMOVE, target=before.place, words=(fact.marker,))
        choose(draft, scene, always(lifted))
    if fact.laid:
        draft.marks.laid[fact.piece] = MarkerByHand("", (), fact.place)
        if before is None or before.place != fact.place:
            choose(draft, scene, always(Action(ADD, target=fact.place, words=(fact.marker,))))


def _laid(draft: Draft, scene: Scene, fact: facts.Marked, state: State, verb: str) -> None:
    possible = [
        piece.id
        for piece in draft.position.at(fact.place)
        if piece.counter.kind in state.kinds and not piece.is_(state.id)
    ]
    meant = []
    for name in possible:
        readings = in_a_battle(draft, Action(verb, (name,)))
        if can_be_legal(draft, scene, readings):
            choose(draft, scene, readings)
            draft.leave_date_open(name, state.id)
            meant.append(name)
    if not possible and fact.step == 0:  # it was there at the beginning of the log
        meant = [piece.id for piece in draft.position.at(fact.place) if piece.is_(state.id)]
    if not meant and fact.alone and len(possible) == 1:  # nothing else shows it, and it can be of no other
        piece = draft.position.pieces[possible[0]]
        since = draft.position.date if state.dated else None
        states = {**piece.states, state.id: Mark(1, since)}
        draft.state(Place((piece.id,), states=states), fact.step, Certainty.adopted)
        meant = possible
    if meant:
        draft.marks.laid[fact.piece] = MarkerByHand(state.id, tuple(meant))
    elif possible:
        remark = f"a marker {state.title} was placed in {fact.place}; it is not known for which unit"
        draft.remark(fact.step, remark)


def _laid_by_hand(draft: Draft, scene: Scene, fact: facts.Marked, state: State, verb: str) -> None:
    """Read a marker of a state that depends on a roll: either the state is already set, or this sets it by
    hand.
    """
    there = [piece for piece in now(draft).at(fact.place) if piece.counter.kind in state.kinds]
    meant = [piece.id for piece in there if piece.is_(state.id)]
    if not meant and fact.step:
        actions = [Action(verb, (piece.id,)) for piece in there]
        fitting = [one for one in actions if can_be_legal(draft, scene, always(one))] or actions
        if len(fitting) == 1:
            first = len(draft.readings)
            choose(draft, scene, always(fitting[0]))
            draft.doubt(first, "the marker may be there by mistake")
            meant = [fitting[0].piece]
        elif fitting:
            remark = f"a marker {state.title} was placed in {fact.place}; it is not known for which unit"
            draft.remark(fact.step, remark)
    if meant:
        draft.marks.laid[fact.piece] = MarkerByHand(state.id, tuple(meant))


def _taken_off(draft: Draft, scene: Scene, action: Action) -> None:
    """A marker may be put aside for a moment: its early removal is noted, but is not a breach."""
    trial = draft.trial()
    choose(trial, scene, always(action))
    if all(one.ruling is None or one.ruling.grade <= Grade.slip for one in trial.readings):
        choose(draft, scene, always(action))
    else:
        draft.remark(scene.fact.step, f"the marker of {action.piece} was removed too early")
