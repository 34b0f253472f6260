"""A game of Vitoria 1813 that a real VASSAL recorded: what lies face down stays so."""

from __future__ import annotations

import json

from referee.report.plain import report_json
from tests.audit.recorded import audited


def test_nobody_is_told_of_counters_that_were_never_turned_up() -> None:
    told = report_json(audited("vitoria1813", "clean"))
    told.pop("counters")  # the list of all there are
    written = json.dumps(told)
    assert "fr-tilly" in written
    for never in ("fr-garde", "Guye", "fr-treasure", "uk-kempt"):
        assert never not in written
    assert "fr-treasure" in json.dumps(report_json(audited("vitoria1813", "clean"), reveal=True)["readings"])
