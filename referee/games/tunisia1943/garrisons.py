"""Garrisons of the harbours."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.games.tunisia1943.account import demand, is_destroyed
from referee.games.tunisia1943.battle import Attack, attack_for, attack_of, calculate_odds, is_garrison
from referee.games.tunisia1943.facts import (
    LOST,
    ems_at,
    harbour_of,
    lone_ems,
    stray_garrison,
    the_field,
    units_at,
    unstated_garrison,
)
from referee.games.tunisia1943.notes import CAME_BACK, LOST_IN_ERROR
from referee.games.tunisia1943.odds import Said
from referee.games.tunisia1943.outcomes import DUTIES
from vassalgen.game.provenance import Provenance

rules = Section("Garrisons", Provenance("rulebook", "Garrisons of the Axis harbors"))


ENTERING = {
    "move": "4.1f",
    "exploit": "4.1f",
    "break through": "4.3d",
    "advance": "G.5",
    "retreat": "7.5f",
    "displace": "4.2b",
}
"""By the enemy's action, the clause that bars it from a harbour with a garrison [G.1]."""


def _keep_out(verb: str, clause: str) -> None:
    """Register the rule that a harbour may have a garrison that was never placed."""

    @rules.on(verb, clause=clause)
    def a_garrison_that_nobody_placed_may_live(position: Position, action: Action) -> Iterator[Breach]:
        """A record that never mentions it does not prove that it is gone."""
        game, piece = position.game, position.pieces[action.piece]
        if game.adopted("garrison-presence") == "none" or game.adopted("garrison-bars-entry") == "no":
            return
        for garrison, where in _unstated_garrisons(position, _entered(action)):
            if garrison.side != piece.side:
                says = (
                    f"{name_of(position, piece.id)} enters {where}; {name_of(position, garrison.id)} may"
                    " still be there: nothing says that it was eliminated."
                )
                facts: Facts = {"unit": piece.id, "garrison": garrison.id, "hex": where}
                yield Breach(says, facts, Grade.unproven)


for _verb, _clause in ENTERING.items():
    _keep_out(_verb, _clause)


def _entered(action: Action) -> tuple[str, ...]:
    """The hexes that a move certainly enters, or that are the goal of a breakthrough."""
    if action.verb == "break through":
        return (action.target,)
    return action.path[-1:] if action.dragged else action.path[1:]


def _unstated_garrisons(position: Position, hexes: tuple[str, ...]) -> Iterator[tuple[Piece, str]]:
    """The garrisons in some hexes of which nothing says whether they survive."""
    harbours = the_field(position).garrisons(position.scenario)
    for where in hexes:
        garrison = unstated_garrison(position, where) if where in harbours else None
        if garrison is not None:
            yield garrison, where


@rules.follows(*(verb for verb in ENTERING if verb != "break through"))
def a_unit_that_enters_has_eliminated_it(before: Position, after: Position, action: Action) -> Position:
    """From then on it is known that the garrison is gone."""
    for garrison, _ in _unstated_garrisons(before, _entered(action)):
        if garrison.side != before.pieces[action.piece].side:
            after = after.with_piece(garrison.id, where=LOST[garrison.side])
    return after


@rules.on("attack", clause="6.3b 7.1a")
def an_attacked_harbour_may_have_one_too(position: Position, action: Action) -> Breach | None:
    """It protects the EMs in its harbour, and may be attacked alone."""
    garrison, side = unstated_garrison(position, action.target), position.pieces[action.piece].side
    if garrison is None or garrison.side == side or units_at(position, action.target, garrison.side):
        return None
    facts: Facts = {"garrison": garrison.id, "hex": action.target}
    lives = f"nothing says whether {name_of(position, garrison.id)} is still there"
    if lone_ems(position, action.target, garrison.side):
        says = f"The EM in {action.target} is attacked as a lone EM; {lives}, and it would protect the EM."
        return Breach(says, facts, Grade.unproven, "6.3b")
    says = f"{action.target} is attacked; only a hex with an enemy in it may be, and {lives}."
    return Breach(says, facts, Grade.unproven, "7.1a")


@rules.follows("odds")
def odds_tell_whether_it_defends(before: Position, after: Position, action: Action) -> Position:
    """Odds that are correct only with the garrison show that it survives, those without it that
    it does not.
    """
    attack = attack_of(before, action)
    garrison = unstated_garrison(before, attack.target) if attack is not None else None
    if attack is None or garrison is None or garrison.side == attack.side:
        return after
    said = Said.of(action)
    lives = before.with_piece(garrison.id, where=attack.target)
    without, with_it = (said.fits(calculate_odds(one, attack)) for one in (before, lives))
    if without == with_it:
        return after
    return after.with_piece(garrison.id, where=attack.target if with_it else LOST[garrison.side])


@rules.on("shift", clause="G.4 G.6")
def a_garrison_does_not_move(position: Position, action: Action) -> Breach | None:
    """It may be put back where it belongs, also if it was taken off by mistake."""
    garrison, home = position.pieces[action.piece], harbour_of(position, action.piece)
    name, facts = name_of(position, garrison.id), {"garrison": garrison.id, "hex": action.target}
    if (action.target == home and not _is_gone(position, garrison)) or garrison.where == action.target:
        return None
    if garrison.where == LOST[garrison.side] or (CAME_BACK, garrison.id) in position.notes:
        says = f"{name} is put in {action.target}; it was destroyed and cannot come back."
        return Breach(says, facts, Grade.unproven, "G.6")
    return Breach(f"{name} stays in its harbour; it was put in {action.target}.", facts, clause="G.4")


def _is_gone(position: Position, garrison: Piece) -> bool:
    """Whether a garrison is destroyed, and not by mistake."""
    lost = garrison.where == LOST[garrison.side] and not position.note(LOST_IN_ERROR, garrison.id)
    return lost or (CAME_BACK, garrison.id) in position.notes


@rules.does("shift")
def put_in_a_hex(position: Position, action: Action) -> Position:
    """A destroyed garrison stays destroyed, wherever its counter is: until it defends it blocks no unit."""
    if _is_gone(position, position.pieces[action.piece]):
        position = position.with_note(CAME_BACK, action.piece, True)
    return position.without_note(LOST_IN_ERROR, action.piece).with_piece(action.piece, where=action.target)


@rules.on("attack", clause="G.4")
def a_garrison_that_left_its_harbour_is_not_attacked(position: Position, action: Action) -> Breach | None:
    garrison = _attacked_alone(position, action)
    if garrison is None or (CAME_BACK, garrison.id) in position.notes:
        return None
    says = f"{name_of(position, garrison.id)} is attacked in {action.target}; it cannot leave its harbour."
    return Breach(says, {"garrison": garrison.id, "hex": action.target})


@rules.on("attack", "odds", clause="G.6")
def a_destroyed_garrison_does_not_defend(position: Position, action: Action) -> Breach | None:
    garrison = _defends_again(position, action)
    return _it_was_destroyed(position, garrison) if garrison is not None else None


def _defends_again(position: Position, action: Action) -> Piece | None:
    """The destroyed garrison that defends: it is attacked alone, or the odds are correct only with it."""
    if action.verb == "attack":
        garrison = _attacked_alone(position, action)
        return garrison if garrison and (CAME_BACK, garrison.id) in position.notes else None
    attack = attack_of(position, action)
    garrison = stray_garrison(position, attack.target) if attack is not None else None
    if attack is None or garrison is None or (CAME_BACK, garrison.id) not in position.notes:
        return None
    alive, said = position.without_note(CAME_BACK, garrison.id), Said.of(action)
    without, with_it = (said.fits(calculate_odds(one, attack)) for one in (position, alive))
    return garrison if with_it and not without else None


def _attacked_alone(position: Position, action: Action) -> Piece | None:
    """The stray garrison that is attacked, if nothing else is in its hex."""
    garrison, side = stray_garrison(position, action.target), position.pieces[action.piece].side
    if garrison is None or garrison.side == side:
        return None
    others = (*units_at(position, action.target, garrison.side), *ems_at(position, action.target))
    return None if others else garrison


@rules.on("lose", "eliminate", clause="G.6")
def it_takes_no_loss(position: Position, action: Action) -> Breach | None:
    """Outside the battles for its harbour it may be taken off the map again."""
    garrison, attack = position.pieces[action.piece], attack_for(position, action)
    if (CAME_BACK, garrison.id) not in position.notes or attack is None or not attack.rolled:
        return None
    return _it_was_destroyed(position, garrison) if attack.target == garrison.where else None


def _it_was_destroyed(position: Position, garrison: Piece) -> Breach:
    says = (
        f"{name_of(position, garrison.id)} defends {garrison.where}; it was destroyed and does not come back."
    )
    return Breach(says, {"garrison": garrison.id, "hex": garrison.where})


@rules.follows("attack", "odds")
def who_defends_has_come_back(before: Position, after: Position, action: Action) -> Position:
    """After a breach the game continues from what was done."""
    garrison = _defends_again(before, action)
    return after if garrison is None else after.without_note(CAME_BACK, garrison.id)


@rules.follows("lose", "eliminate")
def who_is_taken_off_again_is_gone(before: Position, after: Position, action: Action) -> Position:
    if (CAME_BACK, action.piece) not in before.notes:
        return after
    return after.without_note(CAME_BACK, action.piece).without_note(LOST_IN_ERROR, action.piece)


@DUTIES.rule(rules, "G.6")
def the_garrison_takes_the_first_loss(position: Position, attack: Attack) -> Iterator[Breach]:
    if position.game.adopted("garrison-first") == "may" or demand(attack).defenders[0] != "some":
        return
    alive = [name for name in attack.defenders if _is_alive(position, name)]
    lost = tuple(name for name in attack.defenders if attack.lost.get(name))
    if alive and lost:
        says = (
            f"{name_of(position, lost[0])} loses a step in"
            f" {attack.target}; the first loss there is the garrison's."
        )
        yield Breach(says, {"garrison": alive[0], "lost": lost})


def _is_alive(position: Position, name: str) -> bool:
    return is_garrison(position.pieces[name]) and not is_destroyed(position, name)
