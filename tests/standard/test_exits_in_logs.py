"""Units that leave the map, as logs show them: dragged into the box of those that have left."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.actions import Action
from tests.standard.test_dragged_stacks import dragged, findings, read


@pytest.mark.parametrize(("where", "found"), [("1001", []), ("0901", [("15.4", "illegal")])])
def test_a_unit_leaves_the_map(where: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    draft = read(tmp_path, "", "exploitation", dragged(1, "ba", where, "gone-east"), ba=where)
    actions = [one.statement.content for one in draft.readings]
    assert Action("exit", ("ba",), words=("gone-east",)) in actions
    assert findings(draft) == found
