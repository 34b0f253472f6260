"""The steps that a result costs each side: due, lost, and still to be lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import evolve, frozen

from referee.engine.position import Piece, Position
from referee.engine.wording import counted
from referee.games.tunisia1943.battle import Attack, is_garrison, outcomes
from referee.games.tunisia1943.facts import LOST, is_em
from referee.games.tunisia1943.notes import STRUCK
from referee.games.tunisia1943.retreat_paths import RetreatPath, retreat_paths

LossKind = Literal["none", "some", "each", "all"]
Side = Literal["attackers", "defenders"]


@frozen
class Demand:
    """What a result requires: steps of the attackers and defenders, and hexes of retreat.

    ``each``: a number of steps of each unit; ``all``: everything; ``some``: a number of steps in total, as
    the owner likes.
    """

    clause: str
    attackers: tuple[LossKind, int] = ("none", 0)
    defenders: tuple[LossKind, int] = ("none", 0)
    retreat: int = 0


DEMANDS: Mapping[str, Demand] = {
    "BA": Demand("7.4a", attackers=("each", 1)),
    "RA": Demand("7.4b", attackers=("some", 1)),
    "FA": Demand("7.4c"),
    "FF": Demand("7.4d", attackers=("some", 1), defenders=("some", 1)),
    "DD": Demand("7.4e", defenders=("some", 1), retreat=1),
    "SD": Demand("7.4f", defenders=("some", 2), retreat=2),
    "SU": Demand("7.4h", defenders=("all", 0)),
}
"""By the code of the result, without its star [7.4g]."""
NOTHING = Demand("7.2g")


def demand(attack: Attack) -> Demand:
    """Return what the result of an attack requires."""
    return DEMANDS.get(attack.code, NOTHING)


def costs_in_words(attack: Attack, side: Side) -> str:
    """Return a text for the cost of a result: ``FF on 1819 costs the attackers 1 step in all``."""
    kind, count = demand(attack).attackers if side == "attackers" else demand(attack).defenders
    steps = {"none": "no step", "all": "all their steps"}.get(kind) or counted(count, "step")
    share = {"each": " each", "some": " in all"}.get(kind, "")
    return f"{attack.code or 'destroying an EM'} on {attack.target} costs the {side} {steps}{share}"


def side_of(attack: Attack, unit: str) -> Side:
    """Return on which side of an attack a unit fights."""
    return "attackers" if unit in attack.attackers else "defenders"


def is_destroyed(position: Position, name: str) -> bool:
    """Return whether a piece has been destroyed."""
    piece = position.pieces[name]
    return piece.where == LOST[piece.side]


def company_of(attack: Attack) -> frozenset[str]:
    """Return the units that retreat together: they do not keep a path open for each other."""
    return frozenset((*attack.defenders, *attack.ems))


def paths_from(position: Position, attack: Attack, piece: Piece) -> tuple[RetreatPath, ...]:
    """Return the retreat paths that the result of an attack leaves a defender, or an EM beside it."""
    length, company = demand(attack).retreat, company_of(attack)
    key = ("retreat paths", piece.id, attack.target, length, company)
    if key not in position.memory:
        position.memory[key] = retreat_paths(position, piece, attack.target, length, company)
    found: tuple[RetreatPath, ...] = position.memory[key]
    return found


def costs(position: Position, attack: Attack, unit: str, *, proper: bool = False) -> tuple[int, int]:
    """Return the fewest and most steps that the retreat of a defender costs it [7.5a to 7.5d].

    For a defender that has not retreated it is only known that it stays if it has no path. With ``proper`` it
    does not pass over a free hex for one in a zone of control.
    """
    length = demand(attack).retreat
    piece = position.pieces[unit]
    if unit in attack.path_costs:
        return attack.path_costs[unit]
    if not length or is_garrison(piece):
        return 0, 0
    if unit in attack.hemmed_in:
        loss, _ = attack.hemmed_in[unit]
        return (0 if is_destroyed(position, unit) else loss), loss
    paths = paths_from(position, attack, piece)
    if proper and not all(path.is_unproven for path in paths):
        paths = tuple(path for path in paths if not path.is_unproven)
    return 0, max((path.loss for path in paths), default=0)


def struck(position: Position, attack: Attack) -> Position:
    """Return the position with a note of the units to which a star applies [7.4g]."""
    for name in attack.defenders:
        if attack.has_star and not is_garrison(position.pieces[name]):
            position = position.with_note(STRUCK, name, attack.number)
        elif position.note(STRUCK, name) == attack.number:
            position = position.without_note(STRUCK, name)
    return position


def with_hemmed_in(position: Position, attack: Attack) -> Attack:
    """Return an attack that has just been rolled for, with the defenders that cannot retreat [7.5a, 7.5d]."""
    found = {}
    if demand(attack).retreat:
        for name in attack.defenders:
            piece = position.pieces[name]
            paths = () if is_garrison(piece) else paths_from(position, attack, piece)
            if paths and not any(path.steps for path in paths):
                found[name] = paths[0].loss, paths[0].bar
    return evolve(attack, hemmed_in=found)


@frozen
class Account:
    """The steps of one side in an attack, by unit: what it ``has``, what it ``lost``, what retreats cost.

    ``others`` are steps that units without a part in the combat lost: nothing more is due for them, but the
    participants may still lose their steps. ``first`` is the garrison that must lose the first step, even if
    another unit has lost one by mistake [G.6]. An EM that is taken off pays for no unit.
    """

    loss_kind: LossKind
    count: int
    has: Mapping[str, int]
    lost: Mapping[str, int]
    least: Mapping[str, int]
    most: Mapping[str, int]
    others: int = 0
    first: str = ""

    @classmethod
    def of(cls, position: Position, attack: Attack, side: Side, *, proper: bool = False) -> Account:
        """Make the account of a side, perhaps as if all retreats were ``proper``."""
        wanted = demand(attack)
        loss_kind, count = wanted.attackers if side == "attackers" else wanted.defenders
        units = attack.attackers if side == "attackers" else attack.defenders
        steps = {name: attack.steps.get(name, 1) for name in units}
        if loss_kind == "all" and position.game.adopted("surrendering-units") == "one-counter":
            steps = {name: _on_its_counter(position.pieces[name], steps[name]) for name in units}
        paths = dict.fromkeys(units, (0, 0))
        if side == "defenders":
            paths = {name: costs(position, attack, name, proper=proper) for name in units}
        fights_for = attack.side if side == "attackers" else ""
        known = {*attack.attackers, *attack.defenders}
        others = sum(
            lost
            for piece, lost in ((position.pieces[name], lost) for name, lost in attack.lost.items())
            if piece.id not in known and not is_em(piece) and (piece.side == attack.side) == bool(fights_for)
        )
        return cls(
            loss_kind,
            count,
            steps,
            {name: min(attack.lost.get(name, 0), steps[name]) for name in units},
            {name: min(paths[name][0], steps[name]) for name in units},
            {name: paths[name][1] for name in units},
            others,
            "" if position.game.adopted("garrison-first") == "may" else _garrison(position, units),
        )

    def room(self, unit: str) -> int:
        """Return how many more steps a unit can lose."""
        spare = self.has[unit] - self.lost[unit]
        if self.loss_kind == "all":
            return spare
        own = max(self.most[unit] - self.lost[unit], 0)
        if self.loss_kind == "each":
            own = max(self.count - self.lost[unit], 0)
        elif self.loss_kind == "some":
            if unit == self.first:
                return spare
            taken = sum(max(self.lost[name] - self.most[name], 0) for name in self.has)
            own += max(self.count - taken, 0)
        return min(spare, own)

    def spares(self, unit: str) -> int:
        """Return how many steps a unit keeps at most if the others lose all that they can."""
        must = {"none": 0, "each": self.count, "all": self.has[unit]}.get(self.loss_kind)
        if must is None:
            must = max(self.count - sum(has for name, has in self.has.items() if name != unit), 0)
        return max(self.has[unit] - must - self.least[unit], 0)

    def missing(self) -> int:
        """Return how many steps of the result are still to be lost; they come before those of retreats."""
        if self.loss_kind == "each":
            due = {name: min(self.count, has) for name, has in self.has.items()}
            short = sum(max(due[name] - self.lost[name], 0) for name in self.has)
            return max(short - self.others, 0)
        if self.loss_kind == "all":
            return sum(self.has[name] - self.lost[name] for name in self.has)
        return max(self._taken() - sum(self.lost.values()) - self.others, 0)

    def takes_all(self) -> bool:
        """Return whether the steps of the result still to be lost are all that the side has left."""
        left = sum(has - self.lost[name] for name, has in self.has.items())
        return 0 < left <= self.missing()

    def unpaid(self) -> int:
        """Return how many steps that retreats cost are still to be lost."""
        due = self._taken() + sum(self.least.values()) - sum(self.lost.values()) - self.others
        return max(due - self.missing(), 0)

    def _taken(self) -> int:
        """How many of the steps that are left after retreats the result costs."""
        return min(self.count, sum(has - self.least[name] for name, has in self.has.items()))

    def beyond(self) -> int:
        """Return how many steps were lost that neither the result nor a retreat requires."""
        if self.loss_kind != "some":
            return 0
        paid = sum(max(self.lost[name] - self.most[name], 0) for name in self.has)
        return max(paid - self.count, 0)

    def excess(self) -> int:
        """Return how many steps were lost beyond what this outcome requires."""
        if self.loss_kind in ("all", "some"):
            return self.beyond()
        most = {name: self.count if self.loss_kind == "each" else self.most[name] for name in self.has}
        return sum(max(self.lost[name] - most[name], 0) for name in self.has)

    def short(self) -> tuple[str, ...]:
        """Return the units that can still lose a step that the result takes."""
        if self.loss_kind == "each":
            return tuple(name for name, has in self.has.items() if self.lost[name] < min(self.count, has))
        return tuple(name for name, has in self.has.items() if self.lost[name] < has)


def _garrison(position: Position, units: tuple[str, ...]) -> str:
    """The garrison among some units, nothing if there is none."""
    return next((name for name in units if is_garrison(position.pieces[name])), "")


def _on_its_counter(piece: Piece, steps: int) -> int:
    """How many of its steps are on the visible counter: at most two of four steps on two counters."""
    second = piece.counter.steps // piece.counter.pieces
    return steps - second if steps > second else steps


def paid(position: Position, attack: Attack, unit: str, count: int) -> Attack:
    """Return the attack with steps of a unit lost in its account, at most as many as it costs the
    participants.

    Other lost steps have been reported and are not reported again. Steps of units without a part are entered:
    they were meant for it.
    """
    if unit in (*attack.attackers, *attack.defenders):
        rooms = (Account.of(position, one, side_of(one, unit)).room(unit) for one in outcomes(attack))
        count = min(count, max(rooms))
    lost = {**attack.lost, unit: attack.lost.get(unit, 0) + count}
    return evolve(attack, lost=lost) if count else attack
