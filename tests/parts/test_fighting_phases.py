"""Tables of several kinds of combat in the module, and who attacks in whose phase."""

from __future__ import annotations

from pathlib import Path

import pytest

from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.parts.fighting_phases import attacks_now, is_attacked_now, only_in
from vassalgen.parts.modifiers import Modifiers
from vassalgen.parts.names import STOP
from vassalgen.parts.odds import Odds, Several, odds_of
from vassalgen.vassal.expressions import Properties, parse

CLUBS = Path(__file__).parents[1] / "clubs"


def value(expression: str, **properties: object) -> str:
    return parse("{" + expression + "}").evaluate(
        Properties({name: str(one) for name, one in properties.items()})
    )


@pytest.fixture
def grauwald() -> Game:
    return open_game(CLUBS / "grauwald")


@pytest.fixture
def dalia() -> Game:
    return open_game(CLUBS / "dalia")


def tables(game: Game) -> dict[str, Odds]:
    found = odds_of(game)
    assert isinstance(found, Several)
    return {one.kind: one for one in found.tables}


@pytest.mark.parametrize("attack", [0, 2, 6, 11, 20])
@pytest.mark.parametrize("defence", [2, 7, 12])
def test_a_difference_has_its_column(grauwald: Game, attack: int, defence: int) -> None:
    one = tables(grauwald)["differential"]
    ranges = one.table.column_ranges
    place = int(value(one.column(str(2 * attack), str(2 * defence), "0")))
    fitting = [at for at, (low, high) in enumerate(ranges) if low <= attack - defence <= high]
    assert place == (fitting[0] if fitting else -1 if attack < defence else len(ranges) - 1)


def test_fire_counts_the_attack_alone_and_each_phase_its_table(dalia: Game) -> None:
    found = odds_of(dalia)
    assert isinstance(found, Several)
    for name, label in (("Blue Fire", tables(dalia)["fire"]), ("Blue Assault", tables(dalia)["odds"])):
        shown = found.title(found.column("8", "4", "0"))
        place = int(value(label.column("8", "4", "0")))
        assert value(shown, **{STOP: name}) == label.table.columns[place]
        rolled = [dice.id for when, dice in found.rolls if value(when, **{STOP: name}) == "true"]
        assert rolled == [label.dice.id]


def test_the_other_side_fires_in_its_phase(dalia: Game) -> None:
    seen = {
        name: (
            value(attacks_now(dalia), Side="Blue", **{STOP: name, f"Of {name}": "Blue"}),
            value(is_attacked_now(dalia), Side="Blue", **{STOP: name, f"Of {name}": "Blue"}),
            value(attacks_now(dalia, denied=True), Side="Red", **{STOP: name, f"Of {name}": "Blue"}),
        )
        for name in ("Blue Fire", "Blue Defensive fire")
    }
    assert seen["Blue Fire"] == ("true", "false", "true")
    assert [*seen.values()][1] == ("false", "true", "false")


def test_a_modifier_counts_in_its_own_kind_of_combat(dalia: Game) -> None:
    assert value(only_in(dalia, "ground"), **{STOP: "Blue Fire"}) == "true"
    assert value(only_in(dalia, "ground"), **{STOP: "Blue Assault"}) == "false"


def test_a_half_counts_in_its_own_kind_of_combat(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text('[combat.fire.modifiers]\nslow = "5.5"\n')
    (tmp_path / "tables.toml").write_text(
        '[terrain.clear]\nslow = "tank"\n[modifiers.slow]\ntitle = "Slow"\nto = "attack"\nhalved = "slow"\n'
    )
    shown = Modifiers(open_game(CLUBS / "dalia", [tmp_path])).factor("Fire", "attack", "tank")
    counted = {
        name: value(shown, Half="0", Fire="6", LocationName="0102", **{STOP: name})
        for name in ("Blue Fire", "Blue Assault")
    }
    assert counted == {"Blue Fire": "6", "Blue Assault": "12"}
