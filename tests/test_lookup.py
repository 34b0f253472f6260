"""``referee rules``, ``rulings``, ``verbs`` and ``hex``, ``vassalgen list``, and completion in a shell."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner, Result

import referee.cli
import vassalgen.cli
from referee.examples import example
from referee.games import find_rules, shipped_rules
from referee.record import STATEMENTS, Vocabulary
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.new import write_game

GAMES = tuple(shipped_games())
SAVE = str(Path(__file__).parent / "data" / "postcard1943" / "clean.vsav")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(referee.cli.main, arguments)


def completed(*words: str) -> list[str]:
    complete = BashComplete(referee.cli.main, {}, "referee", "_REFEREE_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize("game", GAMES)
def test_all_clauses_are_listed_by_section(game: str) -> None:
    result, data = run("rules", game), open_game(game)
    assert result.exit_code == 0
    listed = {line.split()[0] for line in result.output.splitlines() if line.startswith("  ")}
    assert listed == set(data.clauses)


def test_a_clause_is_shown_with_its_text_how_it_is_judged_and_open_questions_about_it() -> None:
    result = run("rules", "postcard1943", "comp.1", "win.1")
    assert result.exit_code == 0
    assert "uses only six-sided dice" in result.output
    assert "Definition: A definition that other rules use" in result.output
    assert "Scored: The referee calculates the value" in result.output
    assert "Open question even-chance: " in result.output
    assert "(low)" in result.output


def test_a_section_stands_for_all_its_clauses() -> None:
    result, data = run("rules", "postcard1943", "stack"), open_game("postcard1943")
    titles = [one.title for one in data.clauses.values() if data.section(one.id) == "stack"]
    assert len(titles) > 1
    assert all(title in result.output for title in titles)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("rules", "postcard1944"), "there is no such game: did you mean 'postcard1943'?"),
        (("rules", "postcard1943", "mvoe.1"), "mvoe.1: there is no such clause: did you mean 'move.1'?"),
        (
            ("rulings", "postcard1943", "even-chanse"),
            "there is no such question: did you mean 'even-chance'?",
        ),
        (("hex", "postcard1943", "Tunsi"), "no hex 'Tunsi': did you mean 'Tunis'?"),
        (("verbs", "postcard1944"), "there is no such game: did you mean 'postcard1943'?"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion_and_exit_code_2(words: tuple[str, ...], wrong: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert wrong in result.stderr
    assert not result.stdout


@pytest.mark.parametrize("game", GAMES)
def test_every_open_question_is_listed_with_its_interpretations(game: str) -> None:
    result, data = run("rulings", game), open_game(game)
    assert result.exit_code == 0
    text = " ".join(result.output.split())
    for ruling in data.rulings.values():
        assert ruling.question in text
        assert f"* {ruling.adopted}: {' '.join(ruling.reading.text.split())}" in text
        assert all(f"{name}: " in text for name in ruling.readings)


def test_an_interpretation_that_the_referee_does_not_support_is_marked() -> None:
    marked = 0
    for game in GAMES:
        rulebook, data = find_rules(game), open_game(game)
        unjudged = [
            name
            for ruling in data.rulings.values()
            for name in ruling.readings
            if name not in rulebook.judged_readings(data, ruling.id)
        ]
        text = " ".join(run("rulings", game).output.split())
        assert text.count("the referee does not support it") == len(unjudged)
        marked += len(unjudged)
    assert marked


def test_rulings_says_how_to_choose_and_what_it_says_works() -> None:
    result = run("rulings", "postcard1943", "even-chance")
    assert "--ruling even-chance=high" in result.output
    assert run("moves", SAVE, "--ruling", "even-chance=high").exit_code == 0


def test_questions_are_found_by_their_clause() -> None:
    result = run("rulings", "postcard1943", "win.1")
    assert "victory-moment" in result.output
    assert "even-chance" not in result.output


def test_a_clause_without_open_questions_says_so() -> None:
    data = open_game("postcard1943")
    asked = {clause for ruling in data.rulings.values() for clause in ruling.clauses}
    clear = next(clause for clause in data.clauses if clause not in asked)
    assert run("rulings", "postcard1943", clear).output == f"No open question is about {clear}.\n"


def test_a_game_without_open_questions_says_so(tmp_path: Path) -> None:
    write_game(tmp_path / "mine")
    assert run("rulings", str(tmp_path / "mine")).output == "The Alder Bridges: 0 open questions\n\n"


@pytest.mark.parametrize("game", shipped_rules())
def test_every_example_of_a_statement_can_be_read(game: str) -> None:
    data, rulebook = open_game(game), find_rules(game)
    world = rulebook.world(data, "")
    words = Vocabulary(world)
    result = run("verbs", game)
    assert result.exit_code == 0
    for verb in (*STATEMENTS, *rulebook.verbs.values()):
        shown = example(world, verb)
        if shown:
            words.content(shown)
            assert f"      {shown}\n" in result.output
        else:
            assert verb in STATEMENTS  # what this game has no use for, as bridges that are never destroyed
    for phase in world.calendar.stop_names:
        assert phase in " ".join(result.output.split())


def test_a_hex_is_shown_with_terrain_places_roads_zones_and_sides() -> None:
    result = run("hex", "postcard1943", "B5")
    assert result.exit_code == 0
    assert result.output == run("hex", "postcard1943", "tunis").output
    for line in (
        "B5  Tunis (port)",
        "  Terrain: Clear, on the coast, Tunisia",
        "  Road: GP1 coast road",
        "  Zone: Northern Axis entry and supply; supply source of Axis",
        "    northwest  A4, hills: Medjerda (river), road",
        "    north      A5, sea",
    ):
        assert line in result.output.splitlines()


def test_a_road_that_leaves_the_map_and_the_edge_are_shown() -> None:
    result = run("hex", "postcard1943", "H6")
    assert "it leaves the map to the east" in result.output
    assert "off the map" in result.output


@pytest.mark.parametrize("game", GAMES)
def test_every_hex_can_be_shown(game: str) -> None:
    names = open_game(game).map.grid.names
    for name in (names[0], names[len(names) // 2], names[-1]):
        assert run("hex", game, name).output.startswith(name)


def test_list_shows_games_with_their_scenarios() -> None:
    result = CliRunner().invoke(vassalgen.cli.main, ["list"])
    assert result.exit_code == 0
    for name in GAMES:
        game = open_game(name)
        assert f"{name:12}  {game.title}" in result.output
        assert all(f"{one.id}: {one.title}" in result.output for one in game.scenarios.values())


def test_commands_and_games_are_completed() -> None:
    assert completed("ru") == ["rules", "rulings"]
    assert completed("rules", "post") == ["postcard1943"]
    assert completed("audit", "--game", "tun") == ["tunisia1943"]


def test_clauses_questions_and_hexes_of_the_game_are_completed() -> None:
    assert completed("rules", "postcard1943", "win") == ["win.1", "win.2"]
    assert completed("rulings", "postcard1943", "even") == ["even-chance"]
    assert "Tunis" in completed("hex", "postcard1943", "tu")
    assert completed("rules", "nogame", "win") == []


def test_units_are_completed_by_the_game_that_is_named_or_was_saved() -> None:
    assert completed("moves", SAVE, "--unit", "bla") == ["blade"]
    assert completed("odds", SAVE, "--game", "postcard1943", "--with", "blade,us") == [
        f"blade,{name}" for name in open_game("postcard1943").counters if name.startswith("us")
    ]
    assert "even-chance=high" in completed("audit", SAVE, "--ruling", "even")
    assert completed("audit", "missing.vlog", "--ruling", "even") == []
