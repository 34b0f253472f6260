"""The rulebook of a game by data, and how its module's announcements are read."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.idiom import RETREAT, Idiom, MoveVerb
from referee.engine.position import Position
from referee.engine.rulebook import Rulebook
from referee.standard import (
    activations,
    advances,
    announced,
    arrivals,
    attackers,
    bans,
    captures,
    checks,
    combat,
    compulsory_moves,
    duties,
    garrisons,
    hex_markers,
    hidden_units,
    kinds_of_movement,
    laying,
    movement,
    own_words,
    replacements_and_exits,
    results,
    retreats,
    rolls,
    sequence,
    setups,
    stacking,
    states,
    states_by_moving,
    stores,
    supplies,
    transfers,
    transport,
    victory,
    zones,
)
from referee.standard.move import Move
from referee.standard.own_rules import FILE, Own, without
from referee.standard.setting import Setting
from referee.standard.track import side_of_phase
from referee.standard.verbs import ATTACK, OF_ANY_KIND, moves_in, verbs_of
from vassalgen.game.families import Families, PhaseId
from vassalgen.game.game import Game


def rulebook_of(game: Game, rules: Families, own: Own | None = None) -> Rulebook:
    """Return the rulebook of a game that has its rules as data, and perhaps some of its own in Python."""
    own = own or Own()
    rules = without(rules, own.replaces, FILE)
    more = (own.section,) if own.section else ()
    return Rulebook(
        game=game.id,
        by_name=True,
        own_verbs=(*verbs_of(game, rules), *own.verbs),
        sections=(
            sequence.section(rules),
            bans.section(game, rules),
            stacking.section(rules),
            setups.section(game, rules),
            arrivals.section(rules),
            movement.section(rules),
            transfers.section(rules),
            transport.section(rules),
            compulsory_moves.section(rules),
            attackers.section(rules),
            combat.section(rules),
            announced.section(rules),
            duties.section(rules),
            hidden_units.section(rules),
            captures.section(rules),
            results.section(rules),
            retreats.section(rules),
            advances.section(rules),
            states.section(game, rules),
            states_by_moving.section(rules),
            supplies.section(rules),
            own_words.section(rules),
            checks.section(rules),  # after supply: which units must check is known then
            replacements_and_exits.section(rules),
            garrisons.section(rules),
            stores.section(rules),
            hex_markers.section(rules),
            laying.section(rules),
            rolls.section(rules),
            victory.section(rules),
            *([activations.section(rules, rules.activations)] if rules.activations else []),
            *more,
        ),
        clock_clause=rules.clock,
        meant=replacements_and_exits.meant if rules.exits and rules.withdrawals else _as_said,
        idiom=idiom_of(game, rules),
        prepare=lambda game: Setting.of(game, rules, zones.controlled, supplies.supply_of),
        odds=combat.odds_of if rules.combat else None,
        moves=dict.fromkeys(rules.movement, Move.of),
        recount=combat.current_odds if rules.combat else None,
        supply=supplies.supply_of if rules.supply else None,
        ground=tuple(kind.id for kind in game.kinds.values() if not kind.marker),
        may_be_late=dict.fromkeys((phase.id for phase in game.sequence.phases), _made_up(game, rules)),
        spent=movement.with_spent if rules.movement else None,
        winner=victory.winner if rules.victory else None,
        move_alternatives=kinds_of_movement.otherwise_moved if _has_kinds_of_movement(rules) else None,
        phase_alternatives=own_words.unknown if any(one.judged for one in rules.words.values()) else None,
        unseen_alternatives=rolls.unknown if rules.rolls else None,
        whose=side_of_phase if any(one.side or one.not_side for one in rules.sequence.values()) else _nobody,
        unrolled_alternatives=rolls.unrolled if rules.rolls else None,
        unmarked_alternatives=activations.unmarked if rules.activations else None,
        unseen=("which side entered each place last", "how many steps were lost") if rules.victory else (),
    )


def _as_said(position: Position, action: Action) -> Action:
    """What an action means where there is nothing to choose: itself."""
    return action


def _nobody(position: Position) -> str:
    """Whose phases those are that belong to no side, where nothing says so: nobody's."""
    return ""


def _made_up(game: Game, rules: Families) -> tuple[str, ...]:
    """Return the verbs for what a result, a state or a phase requires, and players may do later."""
    of_states = [f"{does} {state}" for state in game.states for does in ("mark", "clear")]
    dice = [one.dice for one in rules.states.values()]
    dice += [one.dice for one in rules.checks.values()]
    dice += [one.dice for one in rules.rolls.values()]
    return ("lose", "eliminate", "retreat", "displace", *of_states, *(f"roll {one}" for one in dice))


def _is_free(game: Game) -> bool:
    """Return whether players choose in some set-up where counters start."""
    return any(placement.zone for one in game.scenarios.values() for placement in one.setup)


def _has_kinds_of_movement(rules: Families) -> bool:
    """Return whether units may move in one phase by one of several kinds of movement."""
    return any(len(moves_in(rules, phase)) > 1 for phase in rules.sequence)


def _chosen(rules: Families) -> tuple[str, ...]:
    """Return the states that players may set, and take off in the same phase, as they like."""
    found = [name for name, one in rules.states.items() if {*one.begins} & {*one.given_up}]
    return (*found, *([rules.activations.state] if rules.activations else []))


ADVANCE = "advance"


def _after(verbs: list[MoveVerb], rules: Families, fought: set[str]) -> list[MoveVerb]:
    """Return what a shift may be after kinds of combat: an advance only after those that have one."""
    advancing = rules.advance and (not rules.advance.after or fought & {*rules.advance.after})
    return [one for one in verbs if one.verb != ADVANCE or advancing]


def idiom_of(game: Game, rules: Families) -> Idiom:
    """Return how what players do in the module is called in records of a game by data."""
    boxes = game.map.boxes.values()
    lost = tuple(box.id for box in boxes if box.losses)
    after = [MoveVerb(RETREAT)] if rules.retreat else []
    after += [MoveVerb(ADVANCE, into=True)] if rules.advance else []
    after += [MoveVerb("displace")] if rules.retreat and rules.retreat.displaces else []
    movements: dict[str, tuple[MoveVerb, ...]] = {}
    for phase in game.sequence.phases:
        rule = rules.sequence.get(PhaseId(phase.id))
        does = rule.activities if rule else ()
        fought = {name for name in rules.combat if name in does}
        kinds = moves_in(rules, phase.id)
        words = (OF_ANY_KIND,) if len(kinds) > 1 else ()
        reacting = [name for name in kinds if rule and name not in rule.does]
        moving = [MoveVerb(name, words, passive=True) for name in reacting]
        moving += [MoveVerb(name, words) for name in kinds if name not in reacting]
        rest = [MoveVerb(name) for name in rules.movement if name not in does][:1]
        movements[phase.id] = (
            *(_after(after, rules, fought) if fought else ()),
            *moving,
            *([] if moving else rest),
        )
    dice = {str(one.dice): f"roll {one.dice}" for one in rules.combat.values()}
    of_units = {one.dice for one in rules.states.values() if one.dice}
    of_units |= {one.dice for one in rules.checks.values() if one.dice}
    dice |= {str(one): f"roll {one}" for one in of_units}
    declared = {
        name: f"roll {one.dice}"
        for name, one in game.declarations.items()
        if one.dice and one.dice in of_units
    }
    marking = {name: (f"mark {name}", f"clear {name}") for name in game.states}
    after_combat = [one.state_after for one in rules.combat.values() if one.state_after]
    rolls = {name: f"roll {one.dice}" for name, one in rules.combat.items()}
    fights = bool(rules.combat)
    return Idiom(
        declared=declared,
        announced={
            one.verb: one for one in after if one.verb in (RETREAT, ADVANCE) and one.verb in game.declarations
        },
        dice=dice,
        states=marking,
        implied=tuple(dict.fromkeys(one for one in after_combat if game.states[one].ends)),
        chosen=_chosen(rules),
        tested=any(word.passed or word.failed for word in rules.words.values()),
        hex_markers=hex_markers.markers_of(rules),
        move_verbs=movements,
        alone={str(one.dice): f"roll {one.dice}" for one in rules.rolls.values()},
        alike=(*rules.movement, *rules.transfers) if _has_kinds_of_movement(rules) else (),
        entries=("enter",) if any(one.arrivals for one in game.scenarios.values()) else (),
        deploy="deploy" if _is_free(game) else "",
        out_of=dict.fromkeys(lost, ("regain",)) if rules.replacements and rules.replacements.rebuild else {},
        away="put away",
        lost=lost,
        exits={rule.to: "exit" for rule in rules.exits.values()},
        faces=(hidden_units.REVEAL, hidden_units.HIDE) if rules.face_down else ("", ""),
        steps=("lose", "regain" if rules.replacements or rules.combat else ""),
        eliminate="eliminate",
        attack=ATTACK if fights else "",
        attacks={name: name for name in rules.combat if name in game.declarations},
        also="also" if any(one.several for one in rules.combat.values()) else "",
        call_off="call off" if fights else "",
        odds="odds" if fights else "",
        roll=next(iter(rolls.values()), ""),
        rolls=rolls if len(set(rolls.values())) > 1 else {},
        modifier="modifier" if fights else "",
        result="result" if fights else "",
        settle="settle" if fights else "",
        called={str(verb): names for verb, names in rules.called.items()},
    )
