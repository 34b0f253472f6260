"""Traits and their states: what VASSAL reads and writes, and that nothing is lost on the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal.strategies_traits import STATES, TRAITS, records_of, tokens, wild_texts
from vassalgen.problems import FormatError
from vassalgen.vassal import traits
from vassalgen.vassal.traits.base import State, Trait


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
