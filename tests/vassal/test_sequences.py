"""VASSAL's list encoding, against a literal reading of its rules."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vassalgen.problems import FormatError
from vassalgen.vassal import sequences

delimiters = st.sampled_from("\t;,/|:\x1b~$")
texts = st.text(st.sampled_from("ab'\\\t;,/|:") | st.characters(exclude_categories=["Cs"]), max_size=30)
token_lists = st.lists(texts, min_size=1, max_size=6)


def literal_encode(tokens: list[str], delimiter: str) -> str:
    written = []
    for token in tokens:
        text = "".join("\\" + letter if letter == delimiter else letter for letter in token)
        if token and (token[0] == "\\" or (token[0] == "'" and token[-1] == "'")):
            text = "'" + text + "'"
        written.append(text)
    return delimiter.join(written)


def literal_decode(text: str, delimiter: str) -> list[str]:
    """Character by character, as the rules say: a delimiter counts unless a backslash precedes it."""
    tokens, token = [], ""
    for place, letter in enumerate(text):
        if letter != delimiter:
            token += letter
        elif place > 0 and text[place - 1] == "\\":
            token = token[:-1] + letter
        else:
            tokens.append(token)
            token = ""
    return [
        token[1:-1] if len(token) > 1 and token[0] == "'" and token[-1] == "'" else token
        for token in [*tokens, token]
    ]


def literal_nest(parts: list[str], delimiter: str) -> str:
    return (
        literal_encode([parts[0], literal_nest(parts[1:], delimiter)], delimiter) if parts[1:] else parts[0]
    )


def literal_unnest(text: str, delimiter: str) -> list[str]:
    head, *rest = literal_decode(text, delimiter)
    return [head, *literal_unnest(rest[0], delimiter)] if rest else [head]


def can_be_encoded(tokens: list[str]) -> bool:
    return not any(token.endswith("\\") and not sequences.needs_quotes(token) for token in tokens[:-1])


@given(texts, delimiters)
@example("a\\;b;", ";")
@example("\\", ";")
@example("\\;", ";")
@example(";\\;;'", ";")
@example("''';'x;'", ";")
def test_a_list_is_split_as_the_rules_say(text: str, delimiter: str) -> None:
    assert sequences.decode(text, delimiter) == literal_decode(text, delimiter)


@given(token_lists, delimiters)
def test_a_list_is_joined_as_the_rules_say(tokens: list[str], delimiter: str) -> None:
    if can_be_encoded(tokens):
        assert sequences.encode(tokens, delimiter) == literal_encode(tokens, delimiter)
    else:
        with pytest.raises(FormatError, match="ends with a backslash"):
            sequences.encode(tokens, delimiter)


@given(token_lists, delimiters)
def test_what_can_be_encoded_is_read_back(tokens: list[str], delimiter: str) -> None:
    try:
        text = sequences.encode(tokens, delimiter)
    except FormatError:
        assert not can_be_encoded(tokens)
        return
    assert sequences.decode(text, delimiter) == tokens


@given(token_lists, delimiters)
def test_traits_nest_as_the_rules_say(parts: list[str], delimiter: str) -> None:
    try:
        text = sequences.nest(parts, delimiter)
    except FormatError:
        assert not can_be_encoded(parts)
        return
    assert text == literal_nest(parts, delimiter)


@given(texts | token_lists.map("\\\t".join), st.sampled_from("\t;"))
@example("a\tb\\\tc\\\\\td", "\t")
@example("a\tb\tc", "\t")
@example("a\t'\\b'", "\t")
def test_traits_come_apart_as_the_rules_say(text: str, delimiter: str) -> None:
    assert sequences.unnest(text, delimiter) == literal_unnest(text, delimiter)


@given(st.lists(texts.filter(lambda text: "\\" not in text and "'" not in text), min_size=1, max_size=8))
def test_plain_parts_survive_nesting(parts: list[str]) -> None:
    innermost = parts[-1].replace("\t", " ")  # the last part is not a list of its own
    parts = [*parts[:-1], innermost]
    assert sequences.unnest(sequences.nest(parts, "\t"), "\t") == parts


def test_each_level_adds_one_backslash() -> None:
    assert sequences.nest(["t1", "t2", "t3", "t4"], "\t") == "t1\tt2\\\tt3\\\\\tt4"


def test_nothing_cannot_be_nested() -> None:
    with pytest.raises(FormatError, match="nothing to nest"):
        sequences.nest([], "\t")


def test_more_parts_than_the_limit_are_refused() -> None:
    staircase = sequences.nest(["'"] * 20, "\t")
    assert len(sequences.unnest(staircase, "\t", limit=20)) == 20
    with pytest.raises(FormatError, match="more than 19 parts"):
        sequences.unnest(staircase, "\t", limit=19)


def test_a_long_list_takes_no_long_time() -> None:
    text = "\\;x;" * 200_000
    start = time.process_time()
    tokens = sequences.decode(text, ";")
    assert len(tokens) == 200_001
    assert time.process_time() - start < 2
