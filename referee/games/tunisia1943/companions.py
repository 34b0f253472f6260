"""Headquarters attacked alone, and beside attacked units."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import listed, name_of
from referee.games.tunisia1943.account import Account, demand, is_destroyed
from referee.games.tunisia1943.battle import Attack, attack_for, attacks
from referee.games.tunisia1943.facts import (
    ems_at,
    is_em,
    is_last,
    is_on_map,
    units_at,
)
from referee.games.tunisia1943.notes import REMOVED
from referee.games.tunisia1943.outcomes import DUTIES
from vassalgen.game.provenance import Provenance

rules = Section("Headquarters in combat", Provenance("rulebook", "6.3"))


def fights_beside(position: Position, em: str) -> bool:
    """Return whether the companions of an EM fight or fought in unsettled battles [6.3c].

    Beside attackers, any unit that cannot be lost there protects it.
    """
    piece = position.pieces[em]
    fought = [attack for attack in attacks(position) if attack.die is not None and not attack.settled]
    if any(em in attack.ems for attack in fought):
        return True
    beside = [attack for attack in fought if piece.where in attack.stood.values()]
    companions = units_at(position, piece.where, piece.side)
    return bool(beside) and all(
        any(_may_fall(position, attack, unit.id) for attack in beside) for unit in companions
    )


def removed_from(position: Position, em: str) -> str:
    """Return the hex of an EM that was removed beside units of an unsettled battle; otherwise empty.

    Whether it may survive is known only when the battle is settled [6.3c, 6.3d].
    """
    removed = position.note(REMOVED, em)
    fights = (attack for attack in attacks(position) if not attack.settled)
    if removed is None or not is_destroyed(position, em):
        return ""
    return removed[0] if any(em in (*attack.ems, *attack.own_ems) for attack in fights) else ""


def _may_fall(position: Position, attack: Attack, unit: str) -> bool:
    """Whether the result of an attack may cost an attacker all of its steps."""
    if unit not in attack.attackers:
        return False
    account = Account.of(position, attack, "attackers")
    return account.room(unit) >= account.has[unit] - account.lost[unit]


@DUTIES.rule(rules, "6.3b")
def lone_headquarters_are_destroyed(position: Position, attack: Attack) -> Iterator[Breach]:
    """All that are in the hex, or in another interpretation one of them."""
    left = tuple(name for name in attack.isolated if not is_destroyed(position, name))
    enough = position.game.adopted("isolated-ems") == "one" and len(left) < len(attack.isolated)
    for name in () if enough else left:
        if position.pieces[name].where == attack.target:
            says = (
                f"{name_of(position, name)} was attacked alone in"
                f" {attack.target} and must be removed; it is still there."
            )
            yield Breach(says, {"EM": name, "hex": attack.target})


@rules.on("eliminate", "lose", clause="6.3b")
def one_attack_destroys_no_more_than_it_may(position: Position, action: Action) -> Breach | None:
    attack = attack_for(position, action)
    if attack is None or action.piece not in attack.isolated:
        return None
    gone = tuple(name for name in attack.isolated if is_destroyed(position, name))
    if not gone or position.game.adopted("isolated-ems") == "all":
        return None
    return Breach(
        f"{name_of(position, action.piece)} is removed; one attack"
        f" destroys only one EM, here {name_of(position, gone[0])}.",
        {"EM": action.piece},
    )


@DUTIES.rule(rules, "6.3c")
def headquarters_die_with_their_last_companion(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.defenders and all(is_destroyed(position, name) for name in attack.defenders):
        for name in attack.ems:
            if not is_destroyed(position, name):
                says = (
                    f"All units stacked with {name_of(position, name)} are destroyed; it must be removed too."
                )
                yield Breach(says, {"EM": name, "hex": position.pieces[name].where})
    yield from _of_attackers(position, attack)


def _of_attackers(position: Position, attack: Attack) -> Iterator[Breach]:
    reading = position.game.adopted("em-of-attackers")
    if reading == "no":
        return
    for where in dict.fromkeys(attack.stood.values()):
        here = [name for name in attack.attackers if attack.stood[name] == where]
        if not all(is_destroyed(position, name) for name in here):
            continue
        for em in ems_at(position, where, attack.side):
            if not units_at(position, where, attack.side):
                says = (
                    f"All units stacked with {name_of(position, em.id)} were"
                    f" destroyed in their attack; it may have to be removed too."
                )
                grade = Grade.illegal if reading == "yes" else Grade.unproven
                yield Breach(says, {"EM": em.id, "hex": where}, grade)


@DUTIES.rule(rules, "6.3d")
def headquarters_share_the_retreat(position: Position, attack: Attack) -> Iterator[Breach]:
    if not demand(attack).retreat or position.game.adopted("em-in-retreat") == "no":
        return
    went = [name for name in attack.retreated if name in attack.defenders]
    ends = {position.pieces[name].where for name in went if not is_destroyed(position, name)}
    stayed = any(position.pieces[name].where == attack.target for name in attack.defenders)
    for name in attack.ems:
        where = position.pieces[name].where
        if not ends or is_destroyed(position, name) or where in ends or (stayed and where == attack.target):
            continue
        says = (
            f"{name_of(position, name)} must retreat with its stack"
            f" to {listed(sorted(ends), 'or')}; it is in {where}."
        )
        yield Breach(says, {"EM": name, "hex": where, "companions": tuple(went)})


@DUTIES.rule(rules, "6.3d")
def headquarters_live_with_a_companion(position: Position, attack: Attack) -> Iterator[Breach]:
    yield from _beside_attackers(position, attack)
    left = tuple(name for name in attack.defenders if not is_destroyed(position, name))
    for name in attack.ems if left else ():
        if is_destroyed(position, name) and not is_last(position, position.pieces[name]):
            says = (
                f"{name_of(position, name)} is removed although"
                f" {name_of(position, left[0])}, stacked with it, survives."
            )
            yield Breach(says, {"EM": name, "companions": left})


def _beside_attackers(position: Position, attack: Attack) -> Iterator[Breach]:
    """EMs that were with attackers: they survive if any of these, or any other unit, is left in the hex.

    A unit that has advanced does not protect one that is lost with units that stayed, in another attack.
    """
    for em, where in attack.own_ems.items():
        stayed = [name for name in attack.attackers if attack.stood[name] == where]
        left = [name for name in stayed if not is_destroyed(position, name)]
        left += [unit.id for unit in units_at(position, where, attack.side) if unit.id not in stayed]
        if not any(position.pieces[name].where == where for name in left) and _fell_in_another(
            position, attack, where
        ):
            continue
        if left and is_destroyed(position, em) and not is_last(position, position.pieces[em]):
            says = (
                f"{name_of(position, em)} is removed although"
                f" {name_of(position, left[0])}, stacked with it, survives."
            )
            yield Breach(says, {"EM": em, "companions": tuple(left)})


def _fell_in_another(position: Position, attack: Attack, where: str) -> bool:
    """Return whether a unit that attacked from a hex in another attack was destroyed."""
    others = (one for one in position.battles if isinstance(one, Attack) and one.number != attack.number)
    return any(
        one.stood[name] == where and is_destroyed(position, name) for one in others for name in one.attackers
    )


@rules.proposes
def ems_are_destroyed(position: Position, piece: Piece) -> Iterator[Action]:
    """An EM that was attacked alone, or whose companions are lost, is destroyed."""
    if not is_em(piece) or not is_on_map(position, piece):
        return
    for attack in attacks(position):
        if not attack.rolled or attack.settled:
            continue
        gone = attack.defenders and all(is_destroyed(position, name) for name in attack.defenders)
        if piece.id in attack.isolated or (gone and piece.id in attack.ems):
            yield Action("eliminate", (piece.id,), battle=attack.number)
