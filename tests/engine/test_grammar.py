"""Verbs of findings agree with the unit's name."""

from __future__ import annotations

import pytest

from referee.engine.grammar import agreed, plural_verb
from vassalgen.game.counters import Counter

NAMES = ("88mm guns", "Sappers", "Sappers and pontoon train", "Tank destroyers")


@pytest.mark.parametrize(
    ("name", "is_plural"),
    [
        ("Sappers", True),
        ("88mm guns", True),
        ("Marines (San Marco)", True),
        ("Court and ministers", True),
        ("1st and 6th Commandos", True),
        ("Barnes", False),
        ("XIX Corps", False),
        ("Tilly (dragoons)", False),
        ("Garrison of Tunis", False),
        ("Convoy of the Armies of the Centre and Portugal", False),
        ("Sappers of the Guard", True),
    ],
)
def test_a_unit_knows_whether_its_name_is_a_plural(name: str, is_plural: bool) -> None:
    assert Counter("one", "unit", name).is_plural is is_plural


@pytest.mark.parametrize(
    ("said", "right"),
    [
        (
            "Sappers was left behind by a routing unit, but is not marked Disordered.",
            "Sappers were left behind by a routing unit, but are not marked Disordered.",
        ),
        ("88mm guns needs 4 MP to reach 8824; it has 3.", "88mm guns need 4 MP to reach 8824; they have 3."),
        (
            "Tank destroyers in 8824 takes a loss from the battle for 8723; it is not in it.",
            "Tank destroyers in 8824 take a loss from the battle for 8723; they are not in it.",
        ),
        ("Tank destroyers may not leave its hex.", "Tank destroyers may not leave their hex."),
        (
            "88mm guns is eliminated; the attack on it missed, and it must go to the box.",
            "88mm guns are eliminated; the attack on them missed, and they must go to the box.",
        ),
        (
            "Sappers lost no step; after AE it must lose 1.",
            "Sappers lost no step; after AE they must lose 1.",
        ),
        (
            "Sappers and pontoon train reaches 2817. Sappers has fought.",
            "Sappers and pontoon train reach 2817. Sappers have fought.",
        ),
        ("7 is rolled: 88mm guns flies on.", "7 is rolled: 88mm guns fly on."),
    ],
)
def test_verbs_and_pronouns_follow_a_plural_name(said: str, right: str) -> None:
    assert agreed(said, NAMES) == right


@pytest.mark.parametrize(
    "said",
    [
        "10th Panzer Division moves on; it has stopped in the zone of Sappers.",
        "Rey is in the zone of control of Sappers, but does not fight.",
        "88mm guns and 501st Heavy Panzer Battalion attack 8723 without a unit.",
        "Sappers are marked as at work, but no bridge is next to 2617.",
    ],
)
def test_other_sentences_stay_as_they_are(said: str) -> None:
    assert agreed(said, NAMES) == said


@pytest.mark.parametrize(
    ("verb", "plural"),
    [("passes", "pass"), ("carries", "carry"), ("goes", "go"), ("must", "must"), ("moves", "move")],
)
def test_plural_verbs(verb: str, plural: str) -> None:
    assert plural_verb(verb) == plural
