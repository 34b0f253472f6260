"""The finished parts of a long run, kept in a file with a line of JSON for each, so that the run can be
continued.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from vassalgen.vassal.archives import replace_file


def kept(path: Path) -> list[Any]:
    """The values in a file; none if it does not exist.

    A last line that was cut off when the run was stopped is removed from the file. Raises :exc:`ValueError`
    for a line that is not JSON, :exc:`BadInput` if the file cannot be written.
    """
    if not path.exists():
        return []
    whole, end, half = path.read_text(encoding="utf-8").rpartition("\n")
    if half:
        replace_file(path, (whole + end).encode())
    return [json.loads(line) for line in whole.splitlines()]


def keep(path: Path, value: Any) -> None:
    """Add a value to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(value) + "\n")
