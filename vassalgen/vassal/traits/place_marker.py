"""Commands that place another piece. [counters.PlaceMarker]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.compounds import PARAMETERS, Parameter
from vassalgen.vassal.scalars import INTEGER, NULLABLE, Key
from vassalgen.vassal.traits.base import Trait

STACK_TOP, STACK_BOTTOM, ABOVE, BELOW = 0, 1, 2, 3


@frozen(kw_only=True)
class PlaceMarker(Trait):
    """A command that places a new piece beside, in the stack of, or above this one.

    ``definition`` is the text of a slot (``+/null/…``), the path to a slot in the module, or None. ``gpid``
    is the new piece's own id in the module. Offsets are pixels, or expressions; in ``version`` 0 a piece that
    stacks joined the stack of this one and ignored them. ``placement`` is :data:`STACK_TOP` or one of the
    constants next to it; ``parameters`` set properties of the new piece.
    """

    CODE: ClassVar[str] = "placemark;"
    text: str = records.text(required=True)
    key: Key | None = records.key()
    definition: str | None = records.of(NULLABLE, None, required=True)
    legacy_message: str | None = records.nullable()
    x_offset: str = records.text("0")
    y_offset: str = records.text("0")
    match_rotation: bool = records.boolean()
    after_key: Key | None = records.key()
    description: str = records.text()
    gpid: str = records.text()
    placement: int = records.integer(STACK_TOP)
    above: bool = records.boolean()
    copy_properties: bool = records.boolean()
    parameters: tuple[Parameter, ...] = records.of(PARAMETERS, ())
    version: int = records.of(INTEGER, 1, missing=0)
