"""Declarations with points, towards a hex, off the map and in secret are commands that say what they are."""

from __future__ import annotations

import attrs
import pytest

from vassalgen.announcements import ParsedLine, PointsShown, SideDeclared, parse_line
from vassalgen.game.counters import State
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import Game
from vassalgen.game.maps import Box
from vassalgen.game.sequence import About, Declaration, Dice
from vassalgen.game.track import stop_name
from vassalgen.parts import battle, choices, declarations, keys, states, toolbar
from vassalgen.parts.battle import GIVEN, common
from vassalgen.parts.ids import ids_of
from vassalgen.parts.names import BOXES, MAIN
from vassalgen.parts.pieces import abilities, counter_piece
from vassalgen.parts.trait_shorthand import FIRST, Part, key
from vassalgen.parts.turn_track import NEW_PHASE
from vassalgen.templates import Named
from vassalgen.vassal.components import DoActionButton, GlobalKeyCommand, ToolbarMenu
from vassalgen.vassal.compounds import SetTo
from vassalgen.vassal.expressions import Properties, parse
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.restrict_commands import RestrictCommands
from vassalgen.vassal.traits.send_to_location import SendToLocation
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty
from vassalgen.vassal.traits.trigger_action import TriggerAction


def with_declaration(game: Game, **said: object) -> Game:
    one = Declaration("aid", "Aid", kinds=("foot",), **said)  # type: ignore[arg-type]
    return attrs.evolve(game, declarations={**game.declarations, "aid": one})


def commands(parts: tuple[Part, ...]) -> dict[str, TriggerAction]:
    return {part.text: part for part in parts if isinstance(part, TriggerAction) and part.text}


def test_points_are_commands_of_their_own_and_cannot_be_more_than_are_left(small: Game) -> None:
    game = with_declaration(small, about="battle", points=(1, 2), state="shells", die=1)
    found = commands(declarations.declaration_traits(game, "foot"))
    assert {"Aid: 1", "Aid: 2"} <= set(found)
    two = [one.name for one in found["Aid: 2"].action_keys]
    assert two.count("state_less_shells") == 2
    assert two.index("told_say_aid") < two.index("told_hand_aid")
    allowed = parse(found["Aid: 2"].match)
    given = {"Battle": "1", "BattleNo": "1", "CurrentMap": MAIN}
    assert allowed.evaluate(Properties({**given, "state_shells": "2"})) == "true"
    assert allowed.evaluate(Properties({**given, "state_shells": "1"})) == "false"


@pytest.mark.parametrize("place", [MAIN, BOXES])
def test_only_a_counter_on_the_board_may_join_an_attack(small: Game, place: str) -> None:
    parts = battle.fighter(small, "foot")
    found = [part for part in parts if isinstance(part, RestrictCommands) and keys.JOIN in part.keys]
    known = Properties({"Battle": "0", "BattleNo": "1", "CurrentMap": place, "Stop": "Move", "Side": "Blues"})
    barred = [part for part in found if parse(part.match).evaluate(known) == "true"]
    assert bool(barred) == (place == BOXES)


def test_a_battle_that_has_its_result_is_not_resolved_again(small: Game) -> None:
    parts = battle.fighter(small, "foot")
    found = [part for part in parts if isinstance(part, TriggerAction) and part.key == keys.RESOLVE]
    for result, keys_sent in (("-", ["cRes"]), ("DR", ["sayOver"])):
        known = Properties({"Battle": "1", "BattleResult": result})
        sent = [
            one.name
            for part in found
            if parse(part.match.replace(FIRST, "true")).evaluate(known) == "true"
            for one in part.action_keys
            if one.name in ("cRes", "sayOver")
        ]
        assert sent == keys_sent


def test_points_that_are_all_there_are_not_said_to_be_back(small: Game) -> None:
    (say,) = [
        part
        for part in states.state_traits(small, "foot")
        if isinstance(part, ReportState) and [one.name for one in part.keys] == ["state_say_shells"]
    ]
    known = {"BasicName": "Guards", "CID": "b1", "ObscuredToOthers": "false", "LocationName": "B2"}
    line = parse(say.report_format)
    back = {**known, "PlayerSide": "Blues", "oldstate_shells": "1", "state_shells": "2"}
    assert parse_line(line.evaluate(Properties(back))) is not None
    assert line.evaluate(Properties({**back, "oldstate_shells": "2"})) == ""


@pytest.mark.parametrize(
    ("side", "face", "columns"), [("Blues", "1", "1"), ("Blues", "6", "-1"), ("Reds", "1", "-1")]
)
def test_yes_gives_columns_to_the_side_that_rolls_and_no_takes_them(
    small: Game, side: str, face: str, columns: str
) -> None:
    coin = Dice("coin", "Coin", yes=(1, 2, 3))
    game = attrs.evolve(small, dice={**small.dice, "coin": coin})
    parts = declarations.declaration_traits(
        with_declaration(game, about="battle", dice="coin", columns=1), "foot"
    )
    (given,) = [part for part in parts if isinstance(part, SetGlobalProperty) and part.name == GIVEN]
    (change,) = (one.change for one in given.commands)
    assert isinstance(change, SetTo)
    rolled = {"Side": side, "Stop": "now", "Of now": "Blues", "dice_coin_total": face}
    assert parse(change.value).evaluate(Properties(rolled)) == columns


def test_commands_that_the_same_players_may_not_press_are_hidden_together(small: Game) -> None:
    one, other = (Declaration(name, name, kinds=("foot",), about="battle", by="passive") for name in "ab")
    game = attrs.evolve(small, declarations={"a": one, "b": other})
    parts = declarations.declaration_traits(game, "foot")
    side, lost = [part for part in parts if isinstance(part, RestrictCommands)]
    assert side.keys == lost.keys == tuple(keys.declaring_key(game, name) for name in "ab")


ON_THE_BOARD = {"CurrentMap": MAIN, "LocationName": "B2"}
WAITING = {"CurrentMap": BOXES, "LocationName": "Blue pool"}
GONE = {"CurrentMap": BOXES, "LocationName": "Blue losses"}


def hidden_in(parts: tuple[Part, ...], pressed: Key, where: dict[str, str]) -> bool:
    """Whether a command is missing from the menu of a counter in this place."""
    known = Properties({"LossBoxes": "|Blue losses|Red losses|", **where})
    return any(
        parse(part.match).evaluate(known) == "true"
        for part in parts
        if isinstance(part, RestrictCommands) and pressed in part.keys
    )


@pytest.mark.parametrize("about", ["battle", "counter"])
@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ({}, [False, True, True]),
        ({"boxed": True}, [False, False, True]),
        ({"lost": True}, [False, False, False]),
    ],
)
def test_a_counter_in_a_box_declares_only_what_can_be_meant_there(
    small: Game, about: About, said: dict[str, bool], hidden: list[bool]
) -> None:
    game = with_declaration(small, about=about, **said)
    parts, pressed = declarations.declaration_traits(game, "foot"), keys.declaring_key(game, "aid")
    assert [hidden_in(parts, pressed, where) for where in (ON_THE_BOARD, WAITING, GONE)] == hidden


def test_of_its_battle_a_counter_declares_where_there_is_one(small: Game) -> None:
    game = with_declaration(small, about="battle")
    allowed = parse(commands(declarations.declaration_traits(game, "foot"))["Aid"].match)
    for current, declares in (("0", "false"), ("1", "true")):
        assert allowed.evaluate(Properties({"Battle": "0", "BattleNo": current})) == declares


@pytest.mark.parametrize("boxed", [False, True])
def test_in_a_box_a_counter_comes_only_into_states_that_it_declares_there(small: Game, boxed: bool) -> None:
    game = with_declaration(small, state="shells", boxed=boxed)
    count = State("rounds", "Rounds", ("foot",), levels=3)
    game = attrs.evolve(game, states={**game.states, "rounds": count})
    parts = states.state_traits(game, "foot")
    menu = {part.text: part.key for part in parts if isinstance(part, TriggerAction) and part.text}
    for title, pressed in menu.items():
        assert pressed
        declared = boxed and title.startswith("Shells")
        there = [hidden_in(parts, pressed, where) for where in (ON_THE_BOARD, WAITING, GONE)]
        assert (title, there) == (title, [False, not declared, True])


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_what_lies_in_a_box_attacks_nothing(game: str) -> None:
    for prototype, parts in abilities(open_game(game)).prototypes.items():
        for pressed in (keys.ATTACK, keys.ADD_HEX):
            if any(isinstance(part, RestrictCommands) and pressed in part.keys for part in parts):
                assert (prototype, hidden_in(parts, pressed, WAITING)) == (prototype, True)


def test_a_neighbouring_hex_is_named_by_its_direction(small: Game) -> None:
    game = with_declaration(small, towards=True)
    parts = declarations.declaration_traits(game, "foot")
    assert {f"Aid {way}" for way in game.map.grid.directions} <= set(commands(parts))
    (say,) = [
        part
        for part in parts
        if isinstance(part, ReportState) and [one.name for one in part.keys] == ["told_say_aid"]
    ]
    known = {"BasicName": "Guards", "CID": "b1", "ObscuredToOthers": "false", "LocationName": "B2"}
    given = {"PlayerSide": "Blues", "DeclaredTowards": "NE"}
    line = parse(say.report_format).evaluate(Properties({**known, **given}))
    heard = parse_line(line)
    assert heard is not None
    assert heard.announcement.say() == "Guards [b1] (B2): Aid [aid] towards NE (Blues)"


def test_a_counter_goes_to_the_turn_track_or_to_the_losses_when_the_track_ends(small: Game) -> None:
    parts = declarations.declaration_traits(with_declaration(small, away=2), "foot")
    (goes,) = [part for part in parts if isinstance(part, SendToLocation)]
    place = parse(goes.region)
    assert place.evaluate(Properties({"Turn": "1", "Side": "Blues"})) == "Turn track T3"
    assert place.evaluate(Properties({"Turn": "2", "Side": "Blues"})) == "Blue losses"


def test_a_counter_goes_to_a_box(small: Game) -> None:
    boxes = {**small.map.boxes, "gone": Box("gone", "Gone west")}
    game = attrs.evolve(small, map=attrs.evolve(small.map, boxes=boxes))
    parts = declarations.declaration_traits(with_declaration(game, to=("gone",)), "foot")
    (goes,) = [part for part in parts if isinstance(part, SendToLocation)]
    assert parse(goes.region).evaluate(Properties({})) == "Gone west"


def test_a_box_of_one_side_is_not_for_counters_of_the_other(small: Game) -> None:
    boxes = {**small.map.boxes, "gone": Box("gone", "Gone west", side="blue")}
    game = attrs.evolve(small, map=attrs.evolve(small.map, boxes=boxes))
    parts = declarations.declaration_traits(with_declaration(game, to=("gone",)), "foot")
    barred, _ = [parse(part.match) for part in parts if isinstance(part, RestrictCommands)]
    assert barred.evaluate(Properties({"Side": "Blues"})) == "false"
    assert barred.evaluate(Properties({"Side": "Reds"})) == "true"


def test_what_one_side_declares_is_not_in_the_menus_of_the_other(small: Game) -> None:
    game = with_declaration(small, sides=("blue",), state="shells")
    for parts in (declarations.declaration_traits(game, "foot"), states.state_traits(game, "foot")):
        barred = [part for part in parts if isinstance(part, RestrictCommands) and "Side" in part.match]
        found = {
            side: parse(barred[0].match).evaluate(Properties({"Side": side})) for side in ("Blues", "Reds")
        }
        assert found == {"Blues": "false", "Reds": "true"}


def test_who_joins_with_a_declaration_does_so_before_it_is_said(small: Game) -> None:
    game = with_declaration(small, about="battle", joins=True)
    sent = [one.name for one in commands(declarations.declaration_traits(game, "foot"))["Aid"].action_keys]
    assert sent.index("setA") < sent.index("told_take_aid") < sent.index("told_say_aid")
    (asks,) = [part for part in common(game) if isinstance(part, TriggerAction)]
    assert keys.declaring_key(game, "aid") in asks.watch_keys


def test_a_state_that_a_declaration_of_a_battle_sets_outlives_the_phase_if_it_has_an_end(small: Game) -> None:
    for state, passing in ((State("aided", "Aided", ("foot",)), True), (small.states["routed"], False)):
        game = attrs.evolve(small, states={**small.states, state.id: state})
        said = with_declaration(game, about="battle", state=state.id)
        left = {cleared for _, cleared in declarations.passing(said)}
        assert (f"state_off_{state.id}" in left) == passing


def test_a_state_may_be_over_with_a_declaration_or_with_the_turn(small: Game) -> None:
    game = with_declaration(small, clears="routed")
    sent = [one.name for one in commands(declarations.declaration_traits(game, "foot"))["Aid"].action_keys]
    assert "state_off_routed" in sent
    until = State("tense", "Tense", ("foot",), ends="turn")
    parts = states.state_traits(attrs.evolve(small, states={"tense": until}), "foot")
    (over,) = [part for part in parts if isinstance(part, TriggerAction) and part.key == key(NEW_PHASE)]
    for stop, holds in (("Weather", "true"), ("Red Combat", "false")):
        given = {"state_tense": "1", "Stop": stop}
        assert parse(over.match).evaluate(Properties(given)) == holds


def test_a_declaration_does_not_lay_a_state_on_who_is_in_one_that_holds_it_already(small: Game) -> None:
    shaken = State("shaken", "Shaken", ("foot", "horse"), unless="routed")
    game = with_declaration(attrs.evolve(small, states={**small.states, "shaken": shaken}), state="shaken")
    (flag,) = [
        part[0]
        for part in states.state_traits(game, "foot")
        if isinstance(part, tuple) and isinstance(part[0], DynamicProperty) and part[0].name == "state_shaken"
    ]
    laid = next(one.change for one in flag.commands if one.key == key(states.set_key(shaken)))
    assert isinstance(laid, SetTo)
    for routed, is_shaken in (("0", "1"), ("1", "0")):
        given = {"state_routed": routed, "state_shaken": "0"}
        assert parse(laid.value).evaluate(Properties(given)) == is_shaken


@pytest.fixture
def secretive(small: Game) -> Game:
    one = Declaration("air", "Aviation", about="battle", points=(0, 1, 2), secret=True, columns=1)
    return attrs.evolve(small, declarations={**small.declarations, "air": one})


def test_each_side_has_a_button_for_each_number_that_it_may_choose(secretive: Game) -> None:
    found = toolbar.toolbar(secretive)
    names = {one.button_text for one in found if isinstance(one, GlobalKeyCommand)}
    wanted = {f"Aviation: {side} {points}" for side in ("Blues", "Reds") for points in (0, 1, 2)}
    assert wanted <= names
    assert any(isinstance(one, ToolbarMenu) and set(one.menu_items) == wanted for one in found)


def test_choices_are_shown_when_both_sides_have_made_theirs(secretive: Game) -> None:
    parts = choices.keeping_secrets(secretive)
    (show,) = [part for part in parts if isinstance(part, TriggerAction) and part.key == key("show_air")]
    open_ = {"choice_air_blue": "2", "choice_air_red": "-1"}
    assert parse(show.match).evaluate(Properties(open_)) == "false"
    chosen = {"choice_air_blue": "2", "choice_air_red": "1"}
    assert parse(show.match).evaluate(Properties(chosen)) == "true"
    (command,) = [
        part
        for part in parts
        if isinstance(part, ReportState) and [one.name for one in part.keys] == ["tell_air"]
    ]
    known = {**chosen, "BattleNo": "3", "Stop": "now", "Of now": "Reds", "PlayerSide": "Solitaire"}
    heard = parse_line(parse(command.report_format).evaluate(Properties(known)))
    assert heard is not None
    assert heard.announcement == PointsShown(
        3, Named("air", "Aviation"), "Blues", 2, "Reds", 1, "Solitaire", shift=-1
    )


def test_only_its_own_side_or_one_who_plays_both_may_choose(secretive: Game) -> None:
    (choose,) = [
        part
        for part in choices.keeping_secrets(secretive)
        if isinstance(part, TriggerAction) and part.key == key("choose_air_red_1")
    ]
    may = parse(choose.match)
    for side, allowed in (("Reds", "true"), ("Solitaire", "true"), ("Blues", "false")):
        assert may.evaluate(Properties({"BattleNo": "1", "PlayerSide": side})) == allowed
    assert may.evaluate(Properties({"BattleNo": "0", "PlayerSide": "Reds"})) == "false"


def test_factors_count_less_in_a_state_that_says_so(small: Game) -> None:
    counts = {"attack": "1", "defence": "half up"}
    game = attrs.evolve(small, states={"starved": State("starved", "Starved", ("foot",), counts=counts)})
    piece = counter_piece(game, game.counters["r1"], ids_of(game))
    found = {
        trait.name: parse(trait.expression)
        for trait in piece.traits
        if isinstance(trait, CalculatedProperty) and trait.name.endswith("Factor")
    }
    for steps, starved, attack, defence in ((4, 0, 5, 5), (4, 1, 1, 3), (2, 1, 1, 2), (1, 1, 1, 1)):
        given = Properties({"Steps": str(steps), "state_starved": str(starved)})
        assert found["AttackFactor"].evaluate(given) == str(attack)
        assert found["DefenceFactor"].evaluate(given) == str(defence)


def test_a_factor_may_count_double_or_half_but_one_at_least(small: Game) -> None:
    kept = {
        "keen": State("keen", "Keen", ("foot",), counts={"attack": "double"}),
        "shaken": State("shaken", "Shaken", ("foot",), counts={"attack": "half down to 1"}),
    }
    game = attrs.evolve(small, states=kept)
    piece = counter_piece(game, game.counters["r1"], ids_of(game))
    (found,) = [
        parse(trait.expression)
        for trait in piece.traits
        if isinstance(trait, CalculatedProperty) and trait.name == "AttackFactor"
    ]
    for steps, keen, shaken, attack in ((4, 1, 0, 10), (4, 0, 1, 2), (1, 0, 1, 1), (1, 1, 0, 2)):
        given = {"Steps": str(steps), "state_keen": str(keen), "state_shaken": str(shaken)}
        assert found.evaluate(Properties(given)) == str(attack)


def menus_of(game: Game, *titles: str) -> list[ToolbarMenu]:
    said = {str(n): Declaration(f"claim{n}", title, about="game") for n, title in enumerate(titles)}
    game = attrs.evolve(game, declarations=said)
    return [one for one in declarations.buttons(game) if isinstance(one, ToolbarMenu)]


def test_several_things_said_of_the_game_stand_in_one_menu_a_single_one_on_the_toolbar(small: Game) -> None:
    (menu,) = menus_of(small, "Claim a victory", "Claim a draw")
    assert menu.menu_items == ("Claim a victory", "Claim a draw")
    assert menus_of(small, "Claim a victory") == []


def said_by_button(game: Game, one: Declaration, **given: str) -> str:
    game = attrs.evolve(game, declarations={one.id: one})
    (button,) = declarations.buttons(game)
    assert isinstance(button, DoActionButton)
    return parse(button.report_format).evaluate(Properties({"BattleNo": "0", "Stop": "", **given}))


def test_a_button_about_a_battle_explains_itself_without_one(small: Game) -> None:
    one = Declaration("none", "No guns", about="battle")
    said = said_by_button(small, one, PlayerSide="Blues")
    assert said == "There is no current battle."
    assert parse_line(said) is None
    said = said_by_button(small, one, PlayerSide="Blues", BattleNo="2")
    assert parse_line(said) == ParsedLine(SideDeclared(Named("none", "No guns"), "Blues", 2))


def test_a_button_of_the_side_that_is_not_active_does_nothing_for_the_other(small: Game) -> None:
    one = Declaration("pass", "Let it pass", about="game", by="passive")
    stops = small.sequence.stops()
    stop = next(stop_name(small, one) for one in stops if one.side and small.sides[one.side].title == "Blues")
    assert parse_line(said_by_button(small, one, PlayerSide="Reds", Stop=stop)) is not None
    assert parse_line(said_by_button(small, one, PlayerSide="Blues", Stop=stop)) is None
    assert parse_line(said_by_button(small, one, PlayerSide="Reds", Stop="End")) is None


def test_a_button_of_some_phases_names_them_in_any_other(small: Game) -> None:
    phase = next(one.phase for one in small.sequence.stops() if one.side)
    one = Declaration("pass", "Let it pass", about="game", phases=(phase.id,))
    for stop in small.sequence.stops():
        said = said_by_button(small, one, PlayerSide="Reds", Stop=stop_name(small, stop))
        if stop.phase == phase:
            assert parse_line(said) is not None
        else:
            assert said == f"Let it pass: only in {phase.title}."
            assert parse_line(said) is None


def test_a_command_of_some_phases_is_hidden_in_any_other(small: Game) -> None:
    phase = next(one.phase for one in small.sequence.stops() if one.side)
    parts = declarations.declaration_traits(with_declaration(small, phases=(phase.id,)), "foot")
    hidden, _ = [part for part in parts if isinstance(part, RestrictCommands)]
    for stop in small.sequence.stops():
        barred = parse(hidden.match).evaluate(Properties({"Stop": stop_name(small, stop)}))
        assert barred == ("false" if stop.phase == phase else "true")
