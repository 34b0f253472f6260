"""The record of a game: actions as text that a person can read and write.

``parse`` and ``write`` are inverse to each other. The grammar is described in docs/record.md.
"""

from referee.record.expectations import say_expectation, say_verdict
from referee.record.statements import (
    STATEMENTS,
    Adopt,
    At,
    Case,
    Content,
    Expectation,
    Place,
    PlaceMarkers,
    Record,
    SetBridge,
    SetTerrain,
    SetUp,
    Spend,
    Statement,
    Verdict,
    exactly,
)
from referee.record.text import parse, read, write
from referee.record.vocabulary import Vocabulary

__all__ = [
    "STATEMENTS",
    "Adopt",
    "At",
    "Case",
    "Content",
    "Expectation",
    "Place",
    "PlaceMarkers",
    "Record",
    "SetBridge",
    "SetTerrain",
    "SetUp",
    "Spend",
    "Statement",
    "Verdict",
    "Vocabulary",
    "exactly",
    "parse",
    "read",
    "say_expectation",
    "say_verdict",
    "write",
]
