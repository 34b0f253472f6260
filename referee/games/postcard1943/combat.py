"""Combat: what may attack what, the odds, calling off, and the Germans that must be attacked too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.announced import Announced, facts_of
from referee.engine.combat import Odds
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import counted, name_of, names_of
from referee.games.postcard1943 import odds
from referee.games.postcard1943.battle import (
    ATTACKS,
    Attack,
    after_no_retreat,
    attack_of,
    attacks,
    calculate_odds,
    defenders,
    disrupted_by,
    lone_churchills,
    threatening,
)
from referee.games.postcard1943.facts import (
    is_disrupted,
    is_sound,
    is_unit,
    on_map,
    other,
    reach_of,
    the_field,
    units_at,
)
from referee.games.postcard1943.notes import (
    ATTACKED,
    ATTACKERS,
    BOMBS,
    CALLED_OFF,
    COMBAT_DICE,
    COVERED,
    COVERED_AGAINST,
    HEX_ATTACKED,
    HIT_BY_BOMBS,
    INTERCEPTS,
    LAST_BATTLE,
    CalledOff,
)
from referee.games.postcard1943.retreat_paths import with_cornered
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Combat", Provenance("rulebook", "Combat Factors and Combat"))

GERMAN = "de"


@rules.on("attack", clause="combat.3")
def attackers_are_next_to_the_defender(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        if not _is_adjacent(position, name, action.target):
            where = position.pieces[name].where
            says = (
                f"{name_of(position, name)} attacks {action.target}, which is not adjacent;"
                " a unit attacks only adjacent hexes."
            )
            yield Breach(says, {"unit": name, "hex": where or "none", "target": action.target})
    side = position.pieces[action.piece].side
    if not units_at(position, action.target, other(position, side)):
        says = f"{action.target} is attacked; only a hex with an enemy unit in it may be."
        yield Breach(says, {"target": action.target})


def _is_adjacent(position: Position, unit: str, target: str) -> bool:
    where, grid = position.pieces[unit].where, position.game.map.grid
    return where in grid and grid.are_neighbours(where, target)


@rules.on("attack", clause="combat.3")
def once_each_in_a_phase(position: Position, action: Action) -> Iterator[Breach]:
    """A custom that is not in the text: breaking it is only unproven."""
    for name in action.pieces:
        if not _is_adjacent(position, name, action.target):
            continue
        before = position.note(ATTACKED, name)
        declared = next((attack.target for attack in attacks(position) if name in attack.attackers), before)
        if declared:
            unit = name_of(position, name)
            says = f"{unit} has already attacked {declared}; a unit attacks once per phase."
            yield Breach(says, {"unit": name, "target": declared}, Grade.unproven)
    again = (HEX_ATTACKED, action.target) in position.notes
    again |= any(attack.target == action.target for attack in attacks(position))
    if again and position.game.adopted("one-attack") == "once":
        says = f"{action.target} has already been attacked; a hex is attacked once per phase."
        yield Breach(says, {"target": action.target}, Grade.unproven)


@rules.on("attack", clause="combat.3")
def a_stack_may_attack_in_part(position: Position, action: Action) -> Iterator[Breach]:
    """In an interpretation that is not adopted, all units of a hex attack together."""
    if position.game.adopted("part-of-a-stack") == "any":
        return
    for where in {position.pieces[name].where for name in action.pieces}:
        side = position.pieces[action.piece].side
        able = [piece.id for piece in units_at(position, where, side) if is_sound(piece)]
        idle = tuple(name for name in able if name not in action.pieces)
        if idle:
            says = f"{names_of(position, idle)} in {where} must attack too: a stack attacks as a whole."
            yield Breach(says, {"units": idle})


@rules.on("attack", clause="move.4 move.5 move.15 terrain.8")
def no_unit_attacks_across_a_closed_hexside(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        where = position.pieces[name].where
        clause, bar = _closing(position, name, where, action.target)
        if clause:
            says = f"{name_of(position, name)} may not attack {action.target} from {where}: {bar}."
            yield Breach(says, {"unit": name, "hex": where}, clause=clause, provenance=RECONSTRUCTION)


def _closing(position: Position, unit: str, here: str, there: str) -> tuple[str, str]:
    """The clause that closes a hexside to an attacking unit, and the explanation; empty if none does."""
    grid, prepared = position.game.map.grid, the_field(position)
    if here not in grid or not grid.are_neighbours(here, there):
        return "", ""
    at, to = grid.index[here], grid.index[there]
    if prepared.can_attack(prepared.kind(unit), at, to):
        return "", ""
    if not prepared.can_attack("infantry", at, to):
        return "move.15", "no unit attacks across a high-mountain hexside"
    features = position.game.map.hexside(here, there).features
    is_hill = "move.4" in {prepared.bar(feature) for feature in features}
    bar = f"armour does not attack across the {'all-hill' if is_hill else 'river'} hexside without a road"
    if prepared.is_(unit, "infantry-in-defence"):
        return "terrain.8", f"it attacks as armour, and {bar}"
    return "move.4" if is_hill else "move.5", bar


@rules.does("attack")
def declare(position: Position, action: Action) -> Position:
    """Open the battle under its number, or the next one."""
    side = position.pieces[action.piece].side
    last = position.note(LAST_BATTLE) or 0
    battle = action.battle or last + 1
    stood = {name: position.pieces[name].where for name in action.pieces}
    sound = tuple(piece.id for _, piece in on_map(position, other(position, side)) if is_sound(piece))
    attack = Attack(battle, action.target, action.pieces, side, stood, sound=sound)
    position = position.with_battle(_taken_up(position, attack))
    position = position.with_note(LAST_BATTLE, "", max(battle, last))
    return position.with_note(COMBAT_DICE, side, position.note(COMBAT_DICE, side) or 0)


def _taken_up(position: Position, attack: Attack) -> Attack:
    """Return an attack with what a cancelled one on the same hex left for it [air.1, combat.4]."""
    left = position.note(CALLED_OFF, attack.target)
    if left is None:
        return attack
    here = tuple(piece.id for piece in defenders(position, attack))
    attack = evolve(attack, repressed=bool(here) and here == left.pressed_on)
    if position.game.adopted("bombing-range") != "once":
        return attack
    return evolve(
        attack,
        bombers=left.bombers,
        interceptors=left.interceptors,
        through=left.through,
        beaten=left.beaten,
        bombing_rolls=left.bombing_rolls,
    )


@rules.on("call off", clause="combat.4")
def an_attack_is_called_off_before_its_die(position: Position, action: Action) -> Breach | None:
    attack = attack_of(position, action)
    if attack is None:
        return Breach("An attack is called off, but none has been declared.", {}, Grade.slip)
    if attack.rolled:
        says = (
            f"The attack on {attack.target} is called off after its result, {attack.result};"
            " it can be called off only before its die."
        )
        return Breach(says, {"result": attack.result})
    if attack.pressed and position.game.adopted("calling-off") == "before-press":
        says = f"The attack on {attack.target} has been pressed and may not be called off."
        return Breach(says, {"target": attack.target})
    return None


@ATTACKS.on(rules, "call off", clause="combat.7", stage="waiting")
def compulsory_attacks_are_not_called_off(
    position: Position, action: Action, attack: Attack
) -> Iterator[Breach]:
    """An attack is compulsory if the rule requires it, or if it makes another one compulsory.

    As long as neither has been rolled for, both could be dropped: that is unproven.
    """
    if attack.side != "allied":
        return
    here = {piece.id for piece in defenders(position, attack)}
    due = here & set(_still_to_be_attacked(position))
    if due:
        says = (
            f"The attack on {attack.target} may not be called off: {names_of(position, sorted(due))} must be"
            f" attacked because {_covered(position, due)} was."
        )
        yield Breach(says, {"target": attack.target, "units": tuple(sorted(due))})
        return
    made = set(position.noted(ATTACKERS))
    coverers = set(cover(position, attack))
    if coverers & made and position.game.adopted("duty-calling-off") == "both":
        names = names_of(position, sorted(coverers & made))
        was = "was" if len(coverers & made) == 1 else "were"
        says = f"The attack on {attack.target} may not be called off: {names} {was} attacked because of it."
        yield Breach(says, {"target": attack.target, "units": tuple(sorted(coverers & made))})
        return
    others = [each for each in attacks(position) if each.number != attack.number and not each.rolled]
    for each in others:
        theirs = {piece.id for piece in defenders(position, each)}
        if coverers & theirs or here & set(cover(position, each)):
            says = (
                f"The attack on {attack.target} is called off, but the attack on {each.target} is not; one"
                " requires the other because a German unit is adjacent to attackers and defenders."
            )
            facts: Facts = {"targets": (attack.target, each.target)}
            yield Breach(says, facts, Grade.unproven)


@ATTACKS.does(rules, "call off", stage="waiting")
def cancel(position: Position, action: Action, attack: Attack) -> Position:
    """Drop the attack before its die; dice already rolled for it stay.

    Attackers, No Retreat and odds are as if nothing had been declared, and so are air units unless an air die
    was rolled. If one was, they stay over the hex, with the dice. So does a press roll. A decided attack is
    not dropped.
    """
    flown = bool(attack.through or attack.beaten or attack.bombing_rolls)
    pressed = attack.pressed or attack.repressed
    left = CalledOff(pressed_on=tuple(piece.id for piece in defenders(position, attack)) if pressed else ())
    if flown:
        left = evolve(
            left,
            bombers=attack.bombers,
            interceptors=attack.interceptors,
            through=attack.through,
            beaten=attack.beaten,
            bombing_rolls=attack.bombing_rolls,
        )
    else:
        for name in attack.bombers:
            position = position.without_note(BOMBS, name)
        for name in attack.interceptors:
            position = position.without_note(INTERCEPTS, name)
    return position.without_battle(attack.number).with_note(CALLED_OFF, attack.target, left)


@ATTACKS.on(rules, "call off", clause="church.3", stage="waiting")
def declared_on_lone_churchills(position: Position, action: Action, attack: Attack) -> Breach | None:
    """In an interpretation that is not adopted, the declaration itself eliminates them."""
    if position.game.adopted("churchills-alone") != "declared":
        return None
    if not lone_churchills(position, attack):
        return None
    says = (
        f"The attack on {attack.target} may not be called off: the Churchills are alone there and eliminated"
        " as soon as it is declared."
    )
    return Breach(says, {"target": attack.target})


@rules.on("roll combat", clause="combat.3")
def a_die_belongs_to_an_attack(position: Position, action: Action) -> Breach | None:
    if attack_of(position, action) is None:
        says = f"A combat die is rolled ({action.dice[0]}); an attack must be declared first."
        return Breach(says, {"die": action.dice[0]}, Grade.unproven)
    return None


@ATTACKS.on(rules, "roll combat", clause="crt.1")
def one_die_on_the_table(position: Position, action: Action, attack: Attack) -> Iterator[Breach]:
    if attack.rolled:
        if lone_churchills(position, attack):
            return  # a die is not needed, but allowed [church.3]
        says = f"The combat die for {attack.target} is rolled again; the first roll, {attack.die}, counts."
        yield Breach(
            says, {"first": attack.die, "second": action.dice[0]}, Grade.unproven, "", RECONSTRUCTION
        )
        return
    if not attack.column and calculate_odds(position, attack).below and attack.attackers:
        table = position.game.tables["crt"]
        says = (
            f"The odds against {attack.target} are worse than {table.columns[0]}, the first column of"
            " the combat table."
        )
        yield Breach(says, {"below": table.below}, Grade.unproven, "", table.provenance)


@rules.on("roll combat", "roll press", "roll air-battle", "roll bombing", "roll swamp", clause="comp.1")
def dice_have_six_faces(position: Position, action: Action) -> Breach | None:
    sides = position.game.dice[action.verb.removeprefix("roll ")].sides
    if len(action.dice) == 1 and 1 <= action.dice[0] <= sides:
        return None
    rolled = "+".join(map(str, action.dice))
    says = f"{rolled} is rolled; the roll is made with 1 die that has {sides} sides."
    return Breach(says, {"rolled": rolled}, Grade.slip)


@ATTACKS.does(rules, "roll combat", stage="waiting")
def roll_combat(position: Position, action: Action, attack: Attack) -> Position:
    """Fix the participants and the result, and note which units must now be attacked [combat.5]."""
    table, true = position.game.tables["crt"], calculate_odds(position, attack)
    right = true.column
    column = attack.column if attack.column is not None else right
    face = min(max(action.dice[0], 1), 6)
    mistake = odds.explain(position, attack, Announced(table.columns[column])) if column != right else None
    printed = table.at(column, face)
    attack = evolve(attack, column=column, die=action.dice[0], printed=printed, mistake=mistake)
    if mistake:
        why = f"the odds are {_in_words(true)}: {mistake.right}"
        attack = evolve(attack, mistake=evolve(mistake, right=why))
        attack = evolve(attack, right=after_no_retreat(attack, table.at(right, face)))
    return decided(position, attack, after_no_retreat(attack, printed))


def decided(position: Position, attack: Attack, result: str) -> Position:
    """Return the position with an attack decided, by its die or without one."""
    units = tuple(piece.id for piece in defenders(position, attack))
    position = _note_duties(position, attack)
    position = position.with_note(HEX_ATTACKED, attack.target, True)
    for name in attack.attackers:
        position = position.with_note(ATTACKED, name, attack.target)
    for name in units:
        position = position.with_note(ATTACKERS, name, attack.attackers)
    side = attack.side
    rolls = (position.note(COMBAT_DICE, side) or 0) + 1
    position = position.with_note(COMBAT_DICE, side, rolls)
    stood = {name: position.pieces[name].where for name in attack.attackers}
    rolled = evolve(
        attack,
        stood=stood,
        defenders=units,
        roll_number=rolls,
        result=result,
        right=attack.right or result,
        was_threatened=bool(threatening(position, attack)),
        disrupted_before=tuple(
            name for name in (*attack.attackers, *units) if is_disrupted(position, position.pieces[name])
        ),
    )
    for name in units:
        position = position.without_note(HIT_BY_BOMBS, name)
    return disrupted_by(position.with_battle(with_cornered(position, rolled)), rolled)


def cover(position: Position, attack: Attack) -> dict[str, tuple[str, ...]]:
    """Return the undisrupted Germans that cover the target of an Allied attack, with the adjacent attackers.

    Germans that could not move or attack into any attacker's hex do not count [combat.5, combat.6].
    """
    grid, found = position.game.map.grid, {}
    if attack.side != "allied":
        return {}
    every = position.game.adopted("duty-reach") == "all"
    at_declaration = position.game.adopted("german-moment") == "declared"
    standing = [name for name in attack.attackers if attack.stood[name] in grid]
    for at, piece in on_map(position, "axis"):
        if piece.counter.nation != GERMAN or piece.where == attack.target:
            continue
        sound = not is_disrupted(position, piece)
        if not (piece.id in attack.sound if at_declaration else sound):
            continue
        if not grid.are_neighbours(piece.where, attack.target):
            continue
        near = [name for name in standing if grid.gap(at, grid.index[attack.stood[name]]) == 1]
        reached = [name for name in near if reach_of(position, piece) >> grid.index[attack.stood[name]] & 1]
        if (len(reached) == len(near) if every else bool(reached)) and near:
            found[piece.id] = tuple(reached)
    return found


def _note_duties(position: Position, attack: Attack) -> Position:
    """At the first die, the Germans that cover the target must be attacked as well [combat.5]."""
    fulfils = any(piece.id in _still_to_be_attacked(position) for piece in defenders(position, attack))
    if fulfils and position.game.adopted("duty-chain") == "once":
        return position
    for name in cover(position, attack):
        if position.note(COVERED, name) is None:
            position = position.with_note(COVERED, name, attack.target)
            position = position.with_note(COVERED_AGAINST, name, attack.attackers)
    return position


def _still_to_be_attacked(position: Position) -> tuple[str, ...]:
    """The Germans who must still be attacked."""
    same = position.game.adopted("german-duty") == "same-attackers"
    due = []
    for name in position.noted(COVERED):
        attackers = position.note(ATTACKERS, name)
        makers = position.note(COVERED_AGAINST, name) or ()
        if attackers is None or (same and not set(attackers) & set(makers)):
            due.append(name)
    return tuple(due)


def _covered(position: Position, due: set[str]) -> str:
    return ", ".join(sorted({position.note(COVERED, name) or "" for name in due}))


@rules.leaving("combat", clause="combat.5")
def germans_who_cover_the_defender_are_attacked(position: Position) -> Iterator[Breach]:
    for name in _still_to_be_attacked(position):
        target, where = position.note(COVERED, name), position.pieces[name].where
        says = (
            f"{name_of(position, name)} in {where} is adjacent to {target}, which was attacked, and to its"
            " attackers; it must be attacked in the same phase and was not."
        )
        grade = Grade.unproven if position.note(UNDERWAY) else Grade.illegal  # it may have happened unseen
        yield Breach(says, {"unit": name, "hex": where, "target": str(target)}, grade)


@rules.does("odds")
def announce(position: Position, action: Action) -> Position:
    """The announced odds are those that are played."""
    attack = attack_of(position, action)
    columns = position.game.tables["crt"].columns
    if attack is None or attack.rolled or action.words[0] not in columns:
        return position
    return position.with_battle(evolve(attack, column=columns.index(action.words[0])))


def odds_of(position: Position, target: str, units: tuple[str, ...]) -> Odds:
    """Return the odds that units would have against a hex now."""
    stood = {name: position.pieces[name].where for name in units}
    return calculate_odds(position, Attack(0, target, units, position.pieces[units[0]].side, stood))


def current_odds(position: Position, number: int) -> Odds | None:
    """Return the odds of a current battle, with all that was declared in it."""
    battle = position.battle(number)
    return calculate_odds(position, battle) if isinstance(battle, Attack) else None


@rules.proposes
def possible_attacks(position: Position, piece: Piece) -> Iterator[Action]:
    """The attacks of a unit, alone and with undisrupted friends next to the same hex."""
    grid = position.game.map.grid
    if position.phase != "combat" or piece.side != position.side or not is_unit(position, piece):
        return
    if piece.where not in grid:
        return
    for target in grid.neighbours(piece.where):
        if not units_at(position, target, other(position, piece.side)):
            continue
        friends = [
            other_.id
            for at, other_ in on_map(position, piece.side)
            if grid.gap(at, grid.index[target]) == 1 and other_.id > piece.id and is_sound(other_)
        ]
        for count in range(len(friends) + 1):
            for with_ in combinations(friends, count):
                yield Action("attack", (piece.id, *with_), target=target)


@rules.proposes
def dice_and_calls(position: Position, piece: Piece) -> Iterator[Action]:
    """The rolls and declarations that a current attack allows, proposed by its first attacker."""
    for attack in attacks(position):
        if attack.rolled or not attack.attackers or attack.attackers[0] != piece.id:
            continue
        faces = range(1, position.game.dice["combat"].sides + 1)
        yield from (Action("roll combat", dice=(face,), battle=attack.number) for face in faces)
        yield from (Action("roll press", dice=(face,), battle=attack.number) for face in faces)
        yield Action("no retreat", battle=attack.number)
        yield Action("call off", battle=attack.number)
        right = calculate_odds(position, attack)
        sums = (f"attack {number(right.attacking)}", f"defence {number(right.defending)}")
        yield Action("odds", words=(right.label,), battle=attack.number)
        yield Action("odds", words=(right.label, *sums), battle=attack.number)


@ATTACKS.on(rules, "odds", clause=f"{odds.ODDS_CLAUSES} crt.1", stage="waiting")
def announced_odds_are_right(position: Position, action: Action, attack: Attack) -> Breach | None:
    """A difference breaks the clause of the mistake that explains it."""
    said = Announced.of(action)
    found = odds.explain(position, attack, said)
    if found is None:
        return None
    right = calculate_odds(position, attack)
    says = (
        f"{_said(said)} is announced for the attack on {attack.target}; the odds are {_in_words(right)}:"
        f" {found.right}."
    )
    return Breach(says, facts_of(action, right), found.grade, found.clause, RECONSTRUCTION)


def _said(announced: Announced) -> str:
    """Return announced odds in words, with the sums if both were announced."""
    if announced.attack is None or announced.defence is None:
        return announced.column
    return f"{announced.column} ({number(announced.attack)} to {number(announced.defence)})"


def _in_words(right: Odds) -> str:
    """Return odds with the sums, and the sum of all column shifts."""
    columns = sum(shift.columns for shift in right.shifts)
    direction = "up" if columns > 0 else "down"
    shifted = f", shifted {counted(abs(columns), 'column')} {direction}" if columns else ""
    return f"{right.label} ({number(right.attacking)} to {number(right.defending)}{shifted})"
