"""Mistakes of a first author in rules.toml: words in the place of numbers, and ranges that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from vassalgen.game.checking.families import family_problems
from vassalgen.game.checking.play import play_problems
from vassalgen.game.checking.stacks import stack_problems
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

GAME = Path(__file__).parent / "divisions"
MISTAKES = {
    '[zoc.limits.stop]\ndoes = "halt"': "is 'halt': expected a number or stop or forbid",
    '[results.crt.A1]\nattacker = { lose = "al" }': "is 'al': did you mean 'all'?",
    '[results.crt.DR]\ndefender = { retreat = "two" }': "is 'two': expected a number or #",
    '[states.shaken]\nagain = "routed"': "is 'routed': expected a number or",
    '[combat.attack.at_range]\n"1 to x" = { times = 2 }': "is not a range: expected a range such as 2",
    '[retreat.home]\nreds = "east"': "there is no side 'reds': did you mean 'red'?",
    '[movement.move]\nmost = "trains"\nmost_clause = "5.3"': "there is no entry of the turn track 'trains'",
    '[stacking.limits.kinds]\nclause = "4.1"\nwho = "blue"\nalike = "kin"': "no column of counters.csv 'kin'",
    '[stacking.limits.pairs]\nclause = "4.1"\nwho = "infantry and blue"\nlimit = 1': "b1, b2 count 2 in 0301",
    "[replacements]\nsaves = true\nplaces = { blue = { Ashford = 1 } }": (
        "which places a side held in earlier turns is not known"
    ),
    '[sequence.rally]\ndoes = "recover"': "replacements: is not done in any phase: write does",
    "[combat.attack]\ncolumns_within = [3, -3]": "the lowest and the highest, such as [-3, 3]",
    '[checks.cold]\nclause = "11.5"\nfailed = { lose = 1 }': "has no dice: give dice, or must = a phase",
    '[rolls.weather]\nclause = "3.6"\ndice = "combat"\nphase = "movement"\nsets = "weather"': (
        "are also rolled for something else: combat"
    ),
    '[rolls.weather]\nclause = "3.6"\ndice = "rally"\nphase = "movement"\nsets = "weather"\n'
    'values = { 1-2 = "mud", x = "clear" }': "is not a range: expected a total or a range",
    '[rolls.snow]\nclause = "3.6"\ndice = "rally"\nphase = "movement"\nsets = "weather"\n'
    'values = { 1-2 = "mud", 4-6 = "clear" }': "do not cover 3",
    '[combat.attack]\nwho = "infantry and (blue or red)"': "conditions have no brackets: ",
    '[bars.mountains]\ninto = "0702 0703"': "'0702 0703' is several words: join the words: \"0702 or 0703\"",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_reported_with_its_place(text: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(text)
    game = open_game(GAME, [tmp_path])
    found = [str(problem) for problem in (*family_problems(game), *stack_problems(game))]
    assert any(MISTAKES[text] in problem for problem in found), found


def test_a_stacking_limit_that_counts_only_weights_of_0_is_reported(tmp_path: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,stack\nbg,0\n")
    (tmp_path / "game.toml").write_text('[[stacking]]\nkinds = "guns"\nlimit = 1\n')
    found = [str(problem) for problem in play_problems(open_game(GAME, [tmp_path]))]
    assert any("counts guns, whose weight (stack in counters.csv) is 0" in problem for problem in found), (
        found
    )


def test_a_river_that_is_closed_to_movement_alone_is_reported(tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text('[hexside.river]\nmove = "no"\n')
    found = [str(problem) for problem in family_problems(open_game(GAME, [tmp_path]))]
    assert any("no unit moves across it, but" in problem for problem in found), found


def test_the_game_itself_has_none_of_them() -> None:
    assert [str(one) for one in family_problems(open_game(GAME)) if "expected a number" in str(one)] == []


def test_words_are_joined_by_or_where_features_and_activities_are_named(tmp_path: Path) -> None:
    rules = '[bars.water]\nclause = "5.5"\nwho = "guns"\nacross = "river or cliff"\nto = "move or retreat"'
    (tmp_path / "rules.toml").write_text(rules)
    found = open_game(GAME, [tmp_path]).families
    assert found is not None
    assert found.bars["water"].across == ("river", "cliff")
    assert found.bars["water"].to == ("move", "retreat")


def test_a_factor_counts_as_a_number_in_a_state(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text("[states.shaken]\ncounts = { attack = 0 }\n")
    assert open_game(GAME, [tmp_path]).states["shaken"].counts == {"attack": "0"}


def test_all_keys_are_named_where_none_is_like_what_was_written(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("[combat.attack]\nzzz = 1\n")
    with pytest.raises(BadInput, match="whole_stack, within_clause"):
        open_game(GAME, [tmp_path])


def test_a_kind_without_factors_that_may_be_attacked_needs_a_part_in_battles(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text('[kinds.guns]\nfactors = ["mp"]\n')
    (tmp_path / "counters.csv").write_text("id,attack,defence\nbg,-,-\n")
    found = [str(problem) for problem in family_problems(open_game(GAME, [tmp_path]))]
    assert any(
        "guns has no defence, so the module leaves it out of battles" in problem for problem in found
    ), found
    (tmp_path / "rules.toml").write_text('[combat.attack]\nagainst = "not guns"\n')
    found = [str(problem) for problem in family_problems(open_game(GAME, [tmp_path]))]
    assert not any("out of battles" in problem for problem in found), found


def test_units_that_are_withdrawn_need_a_box(tmp_path: Path) -> None:
    rules = '[withdrawals.rifles]\nclause = "15.1"\nwho = "r1"\nturn = 2\nphase = "movement"\n'
    (tmp_path / "rules.toml").write_text(rules)
    game = open_game(GAME, [tmp_path])
    assert not any("no box for them" in str(problem) for problem in family_problems(game))
    (tmp_path / "map.toml").write_text('[boxes.gone-east]\nside = "blue"\n')
    game = open_game(GAME, [tmp_path])
    assert any("no box for them" in str(problem) for problem in family_problems(game))


def test_a_rule_that_is_switched_on_without_its_clause(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("[retreat]\neach_step = true\n")
    with pytest.raises(BadInput, match="is true: expected the clause that it belongs to"):
        open_game(GAME, [tmp_path])


def test_a_condition_that_is_a_list(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text('[bars.mountains]\ninto = ["mountain", "wood"]\n')
    with pytest.raises(BadInput, match='a condition on hexes, such as "a or b"'):
        open_game(GAME, [tmp_path])
