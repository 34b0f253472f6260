"""Results of combat: step losses, retreats, lost zones of control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, name_of, names_of
from referee.games.tunisia1943.account import (
    DEMANDS,
    NOTHING,
    Account,
    Side,
    costs_in_words,
    demand,
    is_destroyed,
    side_of,
)
from referee.games.tunisia1943.battle import (
    SETTLING,
    Attack,
    attack_for,
    attacks,
    is_garrison,
    late_attack,
    outcomes,
    participants,
)
from referee.games.tunisia1943.facts import ZOC_LOST, is_em
from referee.games.tunisia1943.losses import PIECES, broken_by_missing_loss
from referee.games.tunisia1943.notes import CAME_BACK, STRUCK, UNMARKED
from referee.games.tunisia1943.outcomes import DUTIES, under_all
from vassalgen.game.provenance import Provenance

rules = Section("Results", Provenance("rulebook", "7.4"))
SIDES: tuple[Side, ...] = ("attackers", "defenders")
RESULTS = " ".join(wanted.clause for wanted in (NOTHING, *DEMANDS.values()))


@rules.on("lose", "eliminate", clause="7.4b 7.4i")
def only_results_cost_steps(position: Position, action: Action) -> Breach | None:
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    if is_em(piece):
        return None  # described in the section on headquarters [6.3]
    if (CAME_BACK, piece.id) in position.notes:
        return None  # described in the section on garrisons [G.6]
    count = _steps_lost(action, piece)
    name = name_of(position, piece.id)
    facts: Facts = {"unit": piece.id, "steps": count}
    if attack is None or not attack.rolled:
        if _late_loss(position, piece, count) is not None:
            return None
        says = (
            f"{name} loses {counted(count, 'step')}; units lose steps only to combat results,"
            " and none costs it any."
        )
        return Breach(says, facts, clause="7.4i")
    if piece.id in participants(attack) or _in_two_hexes(attack, piece):
        return None  # an attack on two hexes is reported as such [7.1f]
    clause = "7.4b" if piece.side == attack.side and attack.code == "RA" else "7.4i"
    facts = {**facts, "result": attack.result or "EM destroyed"}
    return Breach(
        f"{name} loses {counted(count, 'step')} but took no part in the combat; only those that fought do.",
        facts,
        clause=clause,
    )


@rules.on("lose", "eliminate", clause=RESULTS)
def steps_are_lost_before_the_next_combat(position: Position, action: Action) -> Breach | None:
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    count = _steps_lost(action, piece)
    if is_em(piece) or (attack is not None and attack.rolled):
        return None
    if (late := _late_loss(position, piece, count)) is None:
        return None
    says = (
        f"{name_of(position, piece.id)} takes its step loss from the attack on {late.target} late;"
        " losses are taken at once."
    )
    return Breach(says, {"unit": piece.id, "steps": count}, Grade.slip, demand(late).clause)


def _steps_lost(action: Action, piece: Piece) -> int:
    return 1 if action.verb == "lose" else piece.steps


def _late_loss(position: Position, piece: Piece, count: int) -> Attack | None:
    """The earlier attack whose result still costs a unit a number of steps."""
    late = late_attack(position, piece.id)
    fits = late is not None and not any(_beyond_the_result(position, late, piece, count))
    return late if fits else None


@rules.on("lose", "eliminate", clause=f"0.1h 0.1j {RESULTS}")
def no_outcome_takes_more_steps_than_it_says(position: Position, action: Action) -> Iterable[Breach]:
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    if is_em(piece) or attack is None or not attack.rolled:
        return ()
    if piece.id not in participants(attack) or piece.id in attack.isolated:
        return ()

    def takes_too_much(one: Attack) -> Iterator[Breach]:
        return _beyond_the_result(position, one, piece, _steps_lost(action, piece))

    return under_all(attack, takes_too_much)


def _beyond_the_result(position: Position, attack: Attack, piece: Piece, count: int) -> Iterator[Breach]:
    """What an outcome forbids about a number of steps of a unit that took part."""
    facts: Facts = {"unit": piece.id, "steps": count, "result": attack.result or "EM destroyed"}
    account = Account.of(position, attack, side_of(attack, piece.id))
    room, lost = account.room(piece.id), sum(account.lost.values())
    if count <= room:
        return
    if 0 < room < count:
        clause = "0.1j" if piece.counter.pieces >= PIECES else "0.1h"
        says = (
            f"{name_of(position, piece.id)} is removed with"
            f" {counted(piece.steps, 'step')}; it must lose only {room}."
        )
        yield Breach(says, facts, clause=clause)
        return
    more = " more" if attack.lost.get(piece.id) else ""
    already = ", already lost" if account.loss_kind == "some" and lost >= account.count else ""
    says = (
        f"{name_of(position, piece.id)} loses {counted(count, 'step')}{more};"
        f" {costs_in_words(attack, side_of(attack, piece.id))}{already}."
    )
    yield Breach(says, facts, clause=demand(attack).clause)


def _in_two_hexes(attack: Attack, piece: Piece) -> bool:
    suffered = any(name in attack.defenders for name in (*attack.lost, *attack.retreated))
    return piece.side != attack.side and piece.where != attack.target and suffered and not attack.settled


@DUTIES.rule(rules, "0.1h 0.1i 7.4a 7.4b 7.4c 7.4d 7.4e 7.4f 7.4h")
def both_sides_lose_the_steps_of_the_result(position: Position, attack: Attack) -> Iterator[Breach]:
    """A reduced unit is removed by its next step, one of a single step by its first."""
    for side in SIDES:
        yield from _missing(position, attack, side)


def _missing(position: Position, attack: Attack, side: Side) -> Iterator[Breach]:
    account = Account.of(position, attack, side)
    missing = account.missing()
    if not missing:
        return
    short, wanted = account.short(), demand(attack)
    says = (
        f"After {attack.code} on {attack.target} the {side} still have to"
        f" lose {counted(missing, 'step')}: {names_of(position, short)}."
    )
    facts: Facts = {"result": attack.result, "steps missing": missing, "of": short}
    clause = (
        wanted.clause
        if account.loss_kind == "all"
        else broken_by_missing_loss(position, short, wanted.clause)
    )
    yield Breach(says, facts, clause=clause)


@DUTIES.rule(rules, "7.4d 7.4e 7.4f 7.5b G.6")
def no_steps_but_those_due(position: Position, attack: Attack) -> Iterator[Breach]:
    """Only at the end is it known what the retreats cost, and whether a garrison has come first."""
    account = Account.of(position, attack, "defenders")
    if beyond := account.beyond():
        costs = costs_in_words(attack, "defenders")
        says = f"The defenders in {attack.target} lost {counted(beyond, 'step')} too many; {costs}."
        clause = "G.6" if account.lost.get(account.first) else demand(attack).clause
        yield Breach(says, {"result": attack.result, "beyond": beyond}, clause=clause)
        return
    beyond = Account.of(position, attack, "defenders", proper=True).beyond()
    if beyond:
        says = (
            f"The defenders in {attack.target} lost {counted(beyond, 'step')} more than {attack.result}"
            " takes; they could retreat without that."
        )
        yield Breach(says, {"result": attack.result, "beyond": beyond}, Grade.unproven, "7.5b")


@rules.on("retreat", clause="1b")
def only_defenders_that_a_result_lets_retreat(position: Position, action: Action) -> Breach | None:
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    facts: Facts = {"unit": piece.id}
    if attack is None or not attack.rolled:
        if _late_retreat(position, piece.id) is not None:
            return None
        says = (
            f"{name_of(position, piece.id)} retreats; units retreat only on a combat result,"
            " and none makes it retreat."
        )
        return Breach(says, facts)
    if piece.id not in participants(attack):
        if _in_two_hexes(attack, piece):
            return None
        says = (
            f"{name_of(position, piece.id)} retreats although it was not attacked;"
            " only units that were attacked do."
        )
        return Breach(says, facts)
    needless = _needless(position, action) is not None and not _dies(position, attack, piece)
    if needless and demand(attack).retreat:
        return _not_called_for(position, attack, piece)
    return None


@rules.on("retreat", clause="6.3b")
def a_headquarters_attacked_alone_does_not_retreat(position: Position, action: Action) -> Breach | None:
    attack, piece = _needless(position, action), position.pieces[action.piece]
    if attack is None or piece.id not in attack.isolated:
        return None
    says = f"{name_of(position, piece.id)} retreats; attacked alone in {attack.target}, it must be removed."
    return Breach(says, {"unit": piece.id, "result": attack.result})


@rules.on("retreat", clause="6.3c")
def a_headquarters_whose_units_are_destroyed_does_not_retreat(
    position: Position, action: Action
) -> Breach | None:
    attack, piece = _needless(position, action), position.pieces[action.piece]
    if attack is None or piece.id in attack.isolated or not _loses_its_companions(position, attack, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} retreats; all units stacked with it in {attack.target} are destroyed,"
        " and it is too."
    )
    return Breach(says, {"unit": piece.id, "result": attack.result})


def _calls_for_no_retreat(clause: str) -> None:
    """Register that nothing retreats after a result: neither attackers nor defenders."""

    @rules.on("retreat", clause=clause)
    def the_result_calls_for_no_retreat(position: Position, action: Action) -> Breach | None:
        attack, piece = _needless(position, action), position.pieces[action.piece]
        if attack is None or demand(attack).clause != clause or _dies(position, attack, piece):
            return None
        return _not_called_for(position, attack, piece)


for _wanted in (NOTHING, *DEMANDS.values()):
    if not _wanted.retreat:
        _calls_for_no_retreat(_wanted.clause)


def _needless(position: Position, action: Action) -> Attack | None:
    """Return the attack in which a unit takes part and after which, in no outcome, it retreats."""
    attack = attack_for(position, action)
    if attack is None or not attack.rolled or action.piece not in participants(attack):
        return None
    lets = any(demand(one).retreat for one in outcomes(attack)) and action.piece not in attack.attackers
    return None if lets else attack


def _dies(position: Position, attack: Attack, piece: Piece) -> bool:
    """Return whether a headquarters is destroyed instead, which is reported [6.3b, 6.3c]."""
    return piece.id in attack.isolated or _loses_its_companions(position, attack, piece)


def _loses_its_companions(position: Position, attack: Attack, piece: Piece) -> bool:
    return piece.id in attack.ems and all(is_destroyed(position, unit) for unit in attack.defenders)


def _not_called_for(position: Position, attack: Attack, piece: Piece) -> Breach:
    who = "only the defenders retreat" if demand(attack).retreat else "no unit retreats"
    says = f"{name_of(position, piece.id)} retreats; {who} after {attack.code or 'destroying an EM'}."
    return Breach(says, {"unit": piece.id, "result": attack.result})


@rules.on("retreat", clause="7.4e 7.4f")
def a_retreat_is_made_before_the_next_combat(position: Position, action: Action) -> Breach | None:
    attack = attack_for(position, action)
    late = _late_retreat(position, action.piece) if attack is None or not attack.rolled else None
    if late is None:
        return None
    says = (
        f"{name_of(position, action.piece)} retreats late, after the attack on {late.target};"
        " a retreat is made at once."
    )
    return Breach(says, {"unit": action.piece}, Grade.slip, demand(late).clause)


def _late_retreat(position: Position, name: str) -> Attack | None:
    """The earlier attack whose result still lets a unit retreat."""
    late = late_attack(position, name)
    return late if late is not None and demand(late).retreat and _is_still_to_go(late, name) else None


def _is_still_to_go(attack: Attack, name: str) -> bool:
    """Whether a defender, or an EM with them, has not retreated as far as the result requires."""
    beside = name in (*attack.defenders, *attack.ems)
    return beside and len(attack.retreated.get(name, ("",))) <= demand(attack).retreat


@rules.on("lose zoc", clause="7.4g")
def only_a_star_takes_zones_of_control(position: Position, action: Action) -> Breach | None:
    starred = [one for attack in attacks(position) for one in outcomes(attack) if one.has_star]
    if any(action.piece in attack.defenders for attack in starred):
        return None
    if position.note(STRUCK, action.piece) is not None:
        return None  # it is late, which was reported
    return Breach(
        f"{name_of(position, action.piece)} is marked as without"
        f" ZOC, but no starred result was rolled against it; only such a result has this effect.",
        {"unit": action.piece},
    )


@rules.on("regain zoc", clause="7.4g")
def a_lost_zone_comes_back_after_the_exploitation(position: Position, action: Action) -> Breach | None:
    """The marker may be removed a little early; the zone is gone without it as well."""
    if position.phase not in ("combat", "exploitation") or position.note(STRUCK, action.piece) is None:
        return None
    says = (
        f"{name_of(position, action.piece)} has no ZOC until the"
        f" end of the exploitation step; its marker was taken off."
    )
    return Breach(says, {"unit": action.piece}, Grade.slip)


@rules.leaving("supply", clause="7.4g")
def zones_of_control_are_back(position: Position) -> Iterator[Breach]:
    marked = tuple(
        piece.id
        for piece in position.pieces.values()
        if piece.is_(ZOC_LOST) and not position.note(UNMARKED, piece.id)
    )
    if marked:
        says = (
            f"{names_of(position, marked)} {is_or_are(marked)} still marked"
            f" as without ZOC; that ended with the exploitation step."
        )
        yield Breach(says, {"units": marked}, Grade.slip)


@DUTIES.rule(rules, "7.4g")
def starred_defenders_are_marked(position: Position, attack: Attack) -> Iterator[Breach]:
    """One that must be destroyed and was left as it is need not be: that is reported."""
    if not attack.has_star:
        return
    doomed = Account.of(position, attack, "defenders").takes_all()
    bare = tuple(
        name
        for name in attack.defenders
        if not is_destroyed(position, name)
        and not is_garrison(position.pieces[name])
        and not position.pieces[name].is_(ZOC_LOST)
        and not (doomed and name not in attack.retreated)
    )
    if bare:
        says = (
            f"{names_of(position, bare)} must be marked as without ZOC after a starred result;"
            " no marker was placed."
        )
        yield Breach(says, {"units": bare}, Grade.slip)


@rules.entering("exploitation")
def the_struck_have_no_zone(position: Position) -> Position:
    """Whether the markers were placed or not."""
    for name in position.noted(STRUCK):
        if not is_destroyed(position, name):
            if not position.pieces[name].is_(ZOC_LOST):
                position = position.with_note(UNMARKED, name, True)
            position = position.with_state(name, ZOC_LOST, Mark(since=position.date))
    return position


@rules.entering("supply")
def the_unmarked_have_their_zones_again(position: Position) -> Position:
    """There is no marker that a player could forget to remove."""
    for name in position.noted(UNMARKED):
        position = position.with_state(name, ZOC_LOST, None)
    return position


@rules.does("lose zoc")
def mark(position: Position, action: Action) -> Position:
    """Place the marker."""
    position = position.without_note(UNMARKED, action.piece)
    return position.with_state(action.piece, ZOC_LOST, Mark(since=position.date))


rules.clears("regain zoc", state=ZOC_LOST)


@rules.entering("sustain", "end")
def no_unit_stays_without_zone(position: Position) -> Position:
    """Units that were marked in the player phase before have their zones of control again."""
    for piece in position.pieces.values():
        if piece.is_(ZOC_LOST):
            position = position.with_state(piece.id, ZOC_LOST, None)
    return position


@rules.proposes
def zones_regained(position: Position, piece: Piece) -> Iterator[Action]:
    """The markers that are removed after the exploitation."""
    if piece.is_(ZOC_LOST) and position.phase == "supply":
        yield Action("regain zoc", (piece.id,))


SETTLING.settles(rules)


@rules.proposes
def consequences(position: Position, piece: Piece) -> Iterator[Action]:
    """Losses that a current battle requires of a piece; its first attacker settles it."""
    for attack in attacks(position):
        if not attack.rolled or attack.settled:
            continue
        if piece.id == attack.attackers[0]:
            if attack.die is not None:
                yield Action("result", words=(attack.result,), battle=attack.number)
            yield Action("settle", battle=attack.number)
        if piece.id in participants(attack) and not is_destroyed(position, piece.id):
            yield from _losses(position, attack, piece)


def _losses(position: Position, attack: Attack, piece: Piece) -> Iterator[Action]:
    if piece.id not in (*attack.attackers, *attack.defenders):
        return
    account = Account.of(position, attack, side_of(attack, piece.id))
    due = account.missing() or (account.unpaid() and account.least[piece.id])
    if due and account.room(piece.id) > 0:
        yield Action("lose", (piece.id,), battle=attack.number)
    struck = attack.has_star and piece.id in attack.defenders and not is_garrison(piece)
    if struck and not piece.is_(ZOC_LOST):
        yield Action("lose zoc", (piece.id,), battle=attack.number)
