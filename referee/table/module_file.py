"""Reading the plan of a module from its file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import attrs

from referee.table.module import ModulePlan
from vassalgen.vassal.limits import Limits


def read_module(path: Path, limits: Limits = Limits()) -> ModulePlan:  # noqa: B008 - a frozen value
    """Read the plan of a module file. Raises :exc:`~vassalgen.problems.FormatError`."""
    from referee.table.planning import plan_of  # noqa: PLC0415 - a replay without a module is quicker for it

    plan = plan_of(path, limits)
    with path.open("rb") as file:
        return attrs.evolve(plan, digest=hashlib.file_digest(file, "sha256").hexdigest())
