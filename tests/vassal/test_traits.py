"""Traits and their states: what VASSAL reads and writes, and that nothing is lost on the way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal.strategies_traits import STATES, TRAITS, records_of, tokens, wild_texts
from vassalgen.problems import FormatError
from vassalgen.vassal import traits
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import RawState, State, Trait
from vassalgen.vassal.traits.delete import Delete
from vassalgen.vassal.traits.embellishment import (
    Embellishment,
    EmbellishmentState,
    OldEmbellishment,
    OldEmbellishmentState,
)
from vassalgen.vassal.traits.free_rotator import AngleState, FacingState, FreeRotator
from vassalgen.vassal.traits.hideable import HideableState
from vassalgen.vassal.traits.multi_location_command import MultiLocationCommand
from vassalgen.vassal.traits.obscurable import ObscurableState
from vassalgen.vassal.traits.restricted import RestrictedState


@pytest.mark.parametrize("cls", TRAITS, ids=lambda cls: cls.__name__)
@given(data=st.data())
@settings(max_examples=12)
def test_a_trait_is_read_as_it_was_written(cls: type[Trait], data: st.DataObject) -> None:
    trait = data.draw(records_of(cls))
    text = trait.to_text()
    read = traits.decode(text)
    assert read == trait
    assert read.written is None
    assert read.encode() == text


@pytest.mark.parametrize("cls", STATES, ids=lambda cls: cls.__name__)
@given(data=st.data())
@settings(max_examples=12)
def test_a_state_is_read_as_it_was_written(cls: type[State], data: st.DataObject) -> None:
    state = data.draw(records_of(cls))
    text = state.to_text()
    read = cls.decode(text)
    assert read == state
    assert read.written is None
    assert read.encode() == text


@pytest.mark.parametrize("code", traits.FAMILIES)
@given(rest=st.lists(tokens | wild_texts, max_size=40).map(";".join))
@settings(max_examples=15)
def test_any_text_of_a_known_code_is_kept_or_refused(code: str, rest: str) -> None:
    text = code if code == "stack" else code + rest
    try:
        trait = traits.decode(text)
    except FormatError:
        return
    assert trait.encode() == text
    assert not isinstance(trait, traits.UnknownTrait)
    trait.initial_state()


@pytest.mark.parametrize("cls", STATES, ids=lambda cls: cls.__name__)
@given(text=wild_texts | st.lists(tokens | wild_texts, max_size=8).map(";".join))
@settings(max_examples=15)
def test_any_text_of_a_state_is_kept_or_refused(cls: type[State], text: str) -> None:
    try:
        state = cls.decode(text)
    except FormatError:
        return
    assert state.encode() == text


ENGINE = Path(__file__).parent / "data" / "engine-traits.tsv"


def test_every_trait_is_understood_as_the_engine_understands_it() -> None:
    rows = [line.split("\t") for line in ENGINE.read_text("utf-8").splitlines()[1:]]
    assert {traits.code_of(row[0]) for row in rows} == set(traits.FAMILIES)
    for text, canonical, first_state, state, state_canonical in rows:
        if canonical == "!":
            with pytest.raises(FormatError):
                traits.decode(text)
            continue
        trait = traits.decode(text)
        assert trait.to_text() == canonical, text
        assert trait.initial_state().to_text() == first_state, text
        if state_canonical == "!":
            with pytest.raises(FormatError):
                trait.state_class.decode(state)
        elif state != "*":
            assert trait.state_class.decode(state).to_text() == state_canonical, (text, state)


def test_an_unknown_trait_is_kept_to_the_byte() -> None:
    trait = traits.decode("turret;a;'b';\\")
    assert isinstance(trait, traits.UnknownTrait)
    assert trait.encode() == "turret;a;'b';\\"
    assert trait.initial_state().encode() == ""


def test_a_trait_read_from_an_old_file_is_written_anew_once_it_is_changed() -> None:
    old = traits.decode("delete;Remove;D")
    assert isinstance(old, Delete)
    assert old.encode() == "delete;Remove;D"
    assert old.key == Key.ctrl("D")
    assert attrs.evolve(old, description="from play").encode() == "delete;Remove;68,130;from play"


def test_a_trait_that_lacks_what_it_must_have_is_refused() -> None:
    with pytest.raises(FormatError, match="BasicPiece ends before its name"):
        traits.decode("piece;;;img.png")
    with pytest.raises(FormatError, match="'many' is not a number of facings"):
        traits.decode("rotate;many")
    with pytest.raises(FormatError, match="'MOON' is unknown: one of"):
        traits.decode("globalkey;;;;;;;;;;;;COUNTER|true|MOON")


def test_a_layer_of_version_0_is_read_as_one_of_version_1() -> None:
    layer = traits.decode("emb2;Flip;2;F;;0;;;0;;;;1;false;0;0;front.png,back.png;")
    assert isinstance(layer, Embellishment)
    assert (layer.version, layer.activate_key, layer.always_active) == (1, Key.ctrl("F"), False)
    assert layer.count == 2
    assert layer.initial_state() == EmbellishmentState(value=-1)


def test_layers_whose_keys_have_several_characters_stay_old() -> None:
    layer = traits.decode("emb2;Flip;128;FG;;128;;;128;;;;1;false;0;0;a.png;;true;")
    assert isinstance(layer, OldEmbellishment)
    state = layer.state_class.decode("-1;F")
    assert isinstance(state, OldEmbellishmentState)
    assert (state.value, state.typed) == (-1, "F")
    assert layer.shown(state) is None


def test_a_level_beyond_the_last_shows_the_last() -> None:
    layer = Embellishment(images=("a", "b", "c"))
    assert [layer.shown(EmbellishmentState(value=value)) for value in (1, 3, 9, -2)] == [1, 3, 3, None]


def test_a_rotator_turns_by_steps_or_freely() -> None:
    hexside = traits.decode("rotate;6;93,130;91,130")
    assert isinstance(hexside, FreeRotator)
    assert hexside.degrees_clockwise(FacingState(facing=2)) == 120
    free = traits.decode("rotate;1;82,130;Turn")
    assert isinstance(free, FreeRotator)
    assert free.state_class is AngleState
    assert free.degrees_clockwise(AngleState.decode("-45.0")) == 45


def test_the_fields_of_version_3_8_are_written_only_where_they_were_said() -> None:
    assert MultiLocationCommand().to_text().count(";") == 6
    newer = traits.decode("locCommand;;locZones;;Go;;true;true;false;true")
    assert isinstance(newer, MultiLocationCommand)
    assert (newer.sort_menu, newer.ascending, newer.numeric) == (True, False, True)
    assert newer.written is None


def test_a_password_in_a_state_is_not_shown() -> None:
    states = [
        HideableState.decode("hunter2"),
        ObscurableState.decode("hunter2;true|1|hunter2"),
        RestrictedState.decode("hunter2"),
        RawState("hunter2"),
    ]
    assert "hunter2" not in repr(states)


def test_reading_one_family_imports_no_other() -> None:
    program = (
        "import sys; from vassalgen.vassal import traits; traits.decode('mark;A');"
        "print([name for name in sys.modules if name.startswith('vassalgen.vassal.traits.')])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert sorted(ast.literal_eval(answer.stdout)) == [
        "vassalgen.vassal.traits.base",
        "vassalgen.vassal.traits.marker",
    ]
