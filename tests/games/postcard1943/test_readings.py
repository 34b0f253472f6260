"""Readings of open questions: each can be adopted, and each makes a difference to some ruling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

import referee.games.postcard1943
from referee.games.postcard1943 import RULES
from referee.judge import judge_record
from referee.record import Adopt, Case, Record, parse, read
from tests.games.postcard1943.positions import the_world
from vassalgen.problems import BadInput

WORLD = the_world()
CASES = Path(__file__).parents[2] / "cases" / "postcard1943"

WITH_PRINTED_VALUES = {
    ("movement-factors", "by-size"): (
        {"counters.csv": "id,mf\nuk78,5\n"},
        "at turn 3, Allied movement; place uk78 on D1\nmove uk78 D1-E1-F1-G1-H1-I1",
        "legal",
        "illegal move.1",
    ),
    ("setup-stacking", "waived"): (
        {"counters.csv": "id,size,stack\nsuperga,corps,2\n"},
        "set up; place pz10 broich superga on Tunis\nat turn 1, reinforcements\nnext",
        "illegal setup.3",
        "legal",
    ),
    ("high-mountain-roads", "open"): (
        {"map.toml": '[roads.matmata]\ntitle = "Matmata"\npath = "G4 H5"\n'},
        "at turn 5, Allied movement; place uk78 on G4\nmove uk78 G4-H5",
        "illegal move.15",
        "legal",
    ),
    ("mareth-and-hills", "besides"): (
        {"map.toml": '[terrain]\nhill = "G5"\n'},
        "at turn 5, Allied combat; place xxx nz on H5; place xxiit on G5\n"
        "attack G5 with xxx nz\nodds 3:2 attack 10 defence 6",
        "legal",
        "slip terrain.1",
    ),
    ("too-far", "supplied"): (
        {"tables.toml": "[values.supply]\noff_road = 0\n"},
        "at turn 5, Allied movement; place uk78 on F1\nmove uk78 F1-G1-H1-I1",
        "unproven supply.5",
        "legal",
    ),
}
"""Readings that the reconstructed data leave without a difference: corrections to the data, a case, the
ruling by the usual reading, and the ruling by this one."""


def every_other_reading() -> Iterator[tuple[str, str]]:
    """All readings that are not adopted."""
    for name, ruling in WORLD.game.rulings.items():
        yield from ((name, reading) for reading in ruling.readings if reading != ruling.adopted)


def verdicts_of(record: Record, case: Case) -> Iterator[tuple[str, str]]:
    """The readings without which a case would be judged otherwise."""
    for place, statement in enumerate(case.statements):
        if isinstance(statement.content, Adopt):
            without = evolve(case, statements=case.statements[:place] + case.statements[place + 1 :])
            trial = evolve(record, main=(), cases=(without,))
            if any(each.failed for _, judged in judge_record(trial) for each in judged):
                yield statement.content.ruling, statement.content.reading


def test_every_reading_that_can_be_adopted_makes_a_difference() -> None:
    reported = set(WITH_PRINTED_VALUES)
    for path in sorted(CASES.glob("*.record")):
        record = read(path)
        reported |= {reading for case in record.cases for reading in verdicts_of(record, case)}
    assert sorted(set(every_other_reading()) - reported) == []


@pytest.mark.parametrize("reading", WITH_PRINTED_VALUES, ids="-".join)
def test_some_make_one_with_printed_values_only(reading: tuple[str, str], tmp_path: Path) -> None:
    files, case, usually, otherwise = WITH_PRINTED_VALUES[reading]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for adopted, expected in (("", usually), (f"adopt {' '.join(reading)}\n", otherwise)):
        record = parse(f"game postcard1943\n{adopted}{case} ! {expected}\n", data=(tmp_path,))
        assert [
            each.ruling and each.ruling.breaches
            for _, judged in judge_record(record)
            for each in judged
            if each.failed
        ] == []


def test_a_reading_that_is_not_judged_is_refused() -> None:
    rules = evolve(RULES, unjudged={"halving": ("up",)})
    world = rules.world(WORLD.game)
    with pytest.raises(BadInput) as record:
        parse("game postcard1943\nadopt halving up\n", "game.record", known=(world,))
    assert str(record.value) == (
        "game.record: line 2: the reading 'up' of halving is not judged yet: judged are kept, down"
    )
    with pytest.raises(BadInput) as data:
        rules.world(WORLD.game.with_rulings({"halving": "up"}))
    assert "its reading 'up' is not judged yet: judged are kept, down" in str(data.value)


def test_the_rules_ask_for_every_ruling() -> None:
    rules = Path(referee.games.postcard1943.__file__).parent
    text = "".join(path.read_text("utf-8") for path in sorted(rules.glob("*.py")))
    asked = set(re.findall(r'adopted\(\s*"([\w-]+)"', text))
    assert set(WORLD.game.rulings) - asked == set()
