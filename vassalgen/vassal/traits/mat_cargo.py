"""Pieces that ride on mats. [counters.MatCargo]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Codec, Key
from vassalgen.vassal.traits.base import State, Trait

NO_MAT = "noMat"


def _decode_mat(text: str) -> str | None:
    return None if text == NO_MAT else text


def _encode_mat(mat: str | None) -> str:
    return NO_MAT if mat is None else mat


@frozen(kw_only=True)
class MatCargoState(State):
    """The id of the mat the piece is on, or None."""

    mat: str | None = records.of(Codec(_decode_mat, _encode_mat), None)


@frozen(kw_only=True)
class MatCargo(Trait):
    """Makes a piece ride on mats on which it is placed, found within the detection distances in pixels. With
    ``keep_facing`` it rotates together with the mat.
    """

    CODE: ClassVar[str] = "matPiece;"
    STATE: ClassVar[type[State]] = MatCargoState
    description: str = records.text(required=True)
    keep_facing: bool = records.boolean(True)
    detection_x: int = records.integer(0)
    detection_y: int = records.integer(0)
    find_key: Key | None = records.key()
    detach_key: Key | None = records.key()
