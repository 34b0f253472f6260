"""Brackets an expression does not need."""

from __future__ import annotations

import pytest

from vassalgen.vassal.expressions.brackets import without_brackets


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("((a))", "a"),
        ("(a-b)-c", "a-b-c"),
        ("a-(b-c)", "a-(b-c)"),
        ("a-(-b)", "a-(-b)"),
        ("-(a+b)", "-(a+b)"),
        ('"a"+(b+c)', '"a"+(b+c)'),
        ('"("+(b*c)+")"', '"("+b*c+")"'),
        ("(a?b:c)?d:(e?f:g)", "(a?b:c)?d:e?f:g"),
        ("x.substring((a+1)*3,(b)).trim()", "x.substring((a+1)*3,b).trim()"),
        ("(x+y).trim()", "(x+y).trim()"),
    ],
)
def test_without_brackets(text: str, left: str) -> None:
    assert without_brackets(text) == left
