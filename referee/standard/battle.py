"""A battle of a game by data: its life from declaration to settlement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

from referee.engine.battles import Battles
from referee.engine.position import Battle, Piece, Position
from referee.engine.rulings import Breach, Grade
from referee.engine.settling import Settling
from referee.engine.wording import listed
from referee.standard.facts import fits, may_do, rules_of, units_at
from referee.standard.notes import ATTACKED, TARGETS
from vassalgen.game.families import Combat, Families
from vassalgen.game.game import Game
from vassalgen.game.tables import Table


@frozen
class Fight(Battle):
    """An attack, from its declaration on.

    ``kind`` is the kind of combat. ``stood`` are the hexes of all who fight, ``strong`` their steps and
    ``had`` their states when the dice were rolled. ``column`` and ``modifier`` are what players announced.
    ``result`` is the cell of the table by what was announced, ``right`` the cell by what is right,
    ``mistake`` the clause got wrong. ``lost`` are steps by unit, ``states`` what units got by it,
    ``cornered`` units that could not retreat. ``further`` are hexes that are attacked with the target,
    ``in_zones`` how many hexes in zones of control a unit surely and perhaps retreated through.
    ``other_dice``: the dice or the result announced were those of another kind of combat, or cannot be its
    own. ``off_table``: the odds are worse than the table has a column for. ``faces`` is what the dice show
    together. ``checks`` are those made because of it, by check and unit: by how much they were failed, 0 or
    less if passed.
    ``endangered`` have to make one as others in their hex lost steps. ``automatic``: it has its result
    without dice. ``entered`` are the terms that players entered by hand, and how often. ``aims`` are the
    defenders of which one is the target, each with the right result against it; ``aimed`` is the one
    for which the odds are calculated.
    """

    kind: str
    side: str = ""
    stood: Mapping[str, str] = field(factory=dict, hash=False)
    strong: Mapping[str, int] = field(factory=dict, hash=False)
    had: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    defenders: tuple[str, ...] = ()
    column: int | None = None
    modifier: int | None = None
    total: int = 0
    result: str = ""
    right: str = ""
    mistake: str = ""
    why: str = ""
    lost: Mapping[str, int] = field(factory=dict, hash=False)
    retreated: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    states: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    advanced: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    cornered: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    in_zones: Mapping[str, tuple[int, int]] = field(factory=dict, hash=False)
    has_die: bool = False
    other_dice: bool = False
    off_table: bool = False
    faces: int = 0
    checks: Mapping[str, int] = field(factory=dict, hash=False)
    endangered: tuple[str, ...] = ()
    automatic: bool = False
    entered: Mapping[str, int] = field(factory=dict, hash=False)
    aims: Mapping[str, str] = field(factory=dict, hash=False)
    aimed: str = ""

    @property
    def rolled(self) -> bool:
        """Return whether it has a result: its dice have been rolled, or it needs none."""
        return self.has_die

    @property
    def waits(self) -> bool:
        """Return whether its dice may still be rolled."""
        return self.automatic or not self.has_die

    @property
    def hexes(self) -> tuple[str, ...]:
        """All hexes that are attacked."""
        return (self.target, *self.further)

    @property
    def units(self) -> tuple[str, ...]:
        """All participants."""
        return (*self.attackers, *self.defenders)


FIGHTS = Battles(Fight, lambda position, fight: fight.units)
fights, fight_of, fight_after = FIGHTS.all, FIGHTS.of, FIGHTS.after


def fight_of_a_loss(position: Position, unit: str) -> Fight | None:
    """Return the last battle in which a unit has lost a step, which may have been a mistake."""
    return next((fight for fight in reversed(fights(position)) if fight.lost.get(unit)), None)


def undecided(position: Position) -> frozenset[str]:
    """Return the attackers of battles without a result: players roll before these do anything else."""
    return frozenset(name for fight in fights(position) if not fight.rolled for name in fight.attackers)


def settling(rules: Families) -> Settling[Fight]:
    """Return when results must have been carried out: at the end of phases with combat."""
    phases = tuple(name for name, rule in rules.sequence.items() if set(rule.activities) & set(rules.combat))
    return Settling(Fight, "settle", phases)


def defenders(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the units that defend: those in the target, at the time of the dice if they were rolled."""
    if fight.rolled:
        return tuple(position.pieces[name] for name in fight.defenders)
    return tuple(
        piece
        for where in fight.hexes
        for piece in units_at(position, where)
        if piece.side != fight.side and fight.aimed in ("", piece.id)
    )


def each_as_target(fight: Fight) -> tuple[Fight, ...]:
    """Return a battle once for each hex that is attacked, as if that were the first."""
    return tuple(
        evolve(fight, target=where, further=tuple(other for other in fight.hexes if other != where))
        for where in fight.hexes
    )


def each_as_aim(position: Position, fight: Fight) -> tuple[Fight, ...]:
    """Return a battle once for each unit that may be its single target, as if no other were attacked."""
    combat = combat_of(position, fight)
    if combat.defence_of != "one":
        return (fight,)
    units = (piece for piece in defenders(position, fight) if fits(position, piece, combat.against))
    able = [piece.id for piece in units if piece.counter.printed(combat.defence, piece.steps) is not None]
    return tuple(evolve(fight, aimed=name) for name in able) or (fight,)


def harmed(fight: Fight) -> tuple[str, ...]:
    """Return which of the units that may be the single target of a battle something has happened to."""
    checked = {key.partition(" ")[2] for key in fight.checks}
    done = {*fight.states, *fight.retreated, *checked, *(name for name in fight.lost if fight.lost[name])}
    return tuple(name for name in fight.aims if name in done)


def each_as_target_hit(fight: Fight) -> tuple[Fight, ...]:
    """Return a battle once for each unit that may have been its single target, with the result for that."""
    announced = fight.result != fight.right
    return tuple(
        evolve(
            fight,
            defenders=(name,),
            aims={},
            right=fight.aims[name],
            result=fight.result if announced else fight.aims[name],
        )
        for name in harmed(fight) or fight.aims
    ) or (fight,)


def undeclared(position: Position, fight: Fight) -> Position:
    """Return the position as if a battle that has its result without dice had not been declared."""
    for name in fight.attackers if fight.automatic else ():
        before = position.note(ATTACKED, name) or ()
        position = position.with_note(ATTACKED, name, before[: -len(fight.hexes)])
    for where in fight.hexes if fight.automatic else ():
        kinds = position.note(TARGETS, where) or ()
        position = position.with_note(TARGETS, where, kinds[:-1])
    return position


def combat_of(position: Position, fight: Fight) -> Combat:
    """Return the rules of a battle's kind of combat."""
    return rules_of(position).combat[fight.kind]


def table_of(position: Position, fight: Fight) -> Table:
    """Return the table of a battle."""
    return position.game.tables[combat_of(position, fight).table]


def doubted(position: Position) -> Grade:
    """Return the grade of something that no result requires: a die may have been meant for another battle."""
    unclear = any(fight.other_dice and not fight.rolled for fight in fights(position))
    return Grade.unproven if unclear else Grade.illegal


def doubted_before(position: Position, units: Iterable[str] = (), target: str = "") -> Grade:
    """Return the grade of a second attack: the dice of the first may have been for nothing."""
    unclear = any(
        fight.other_dice and (target in fight.hexes or not set(units).isdisjoint(fight.attackers))
        for fight in fights(position)
    )
    return Grade.unproven if unclear else Grade.illegal


def with_right_result(fight: Fight) -> Fight:
    """Return a battle as if the right result had been read from the table."""
    return evolve(fight, result=fight.right)


def as_proven(position: Position, fight: Fight, breaches: Iterable[Breach]) -> Iterator[Breach]:
    """Yield what a battle leaves undone: unproven if its dice may have been meant for another.

    It is unproven, too, which of several hexes the players took the odds of, and whether there is a result
    where shifts lead below the first column of a table that does not say what holds there. In a phase in
    which its units also move, a drag after a battle may be a retreat or a move, and one that led back a
    retreat from which the unit went on.
    """
    moved = any(position.pieces[name].where not in (where, "") for name, where in fight.stood.items())
    for breach in breaches:
        named = breach.facts.get("units")
        units = named if isinstance(named, tuple) else fight.units
        moving = [name for name in units if _moves_now(position, name)]
        goes_on = units is named and any(name in fight.attackers for name in moving)
        unsure = bool(moving) and (moved or goes_on)
        unsure = unsure or fight.other_dice or fight.off_table or bool(fight.further and fight.mistake)
        yield evolve(breach, grade=min(breach.grade, Grade.unproven)) if unsure else breach


def _moves_now(position: Position, unit: str) -> bool:
    """Return whether the side of a unit also moves in this phase."""
    kinds = (*rules_of(position).movement, *rules_of(position).transfers)
    return any(may_do(position, position.pieces[unit], kind) for kind in kinds)


def title_of(game: Game, fight: Fight) -> str:
    """Return the name of a battle in findings."""
    return f"the attack on {listed(fight.hexes)}"
