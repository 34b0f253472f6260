"""A game of Vitoria 1813 that a real VASSAL recorded: face-down counters stay hidden."""

from __future__ import annotations

import json
from pathlib import Path

from referee.report.as_json import report_json
from referee.report.page import page
from referee.report.visibility import REFEREE
from tests.audit.browsing import Shown, chromium
from tests.audit.recorded import audited
from vassalgen.game.finding import open_game


def test_counters_that_were_never_turned_up_are_not_reported() -> None:
    reported = report_json(audited("vitoria1813", "clean"))
    reported.pop("counters")  # the list of all there are
    written = json.dumps(reported)
    assert "fr-tilly" in written
    for never in ("fr-garde", "Guye", "fr-treasure", "uk-kempt"):
        assert never not in written
    assert "fr-treasure" in json.dumps(report_json(audited("vitoria1813", "clean"), REFEREE)["readings"])


def test_lines_of_sight_are_drawn_on_the_board_of_a_page(tmp_path: Path) -> None:
    reported = report_json(audited("vitoria1813", "breaches"), REFEREE)
    (finding,) = (one for one in reported["findings"] if one["clause"] == "6.1a")
    finding["facts"]["line"] = ["0414", "0315", "0316"]
    path = tmp_path / "audit.html"
    path.write_text(page(reported, open_game("vitoria1813")), encoding="utf-8")
    with chromium() as browser:
        shown = Shown.open(browser, path, f"#step-{finding['steps'][-1]}")
        points = shown.page.get_attribute("#board polyline.line", "points")
        assert len(points.split()) == 3
        assert shown.complaints == []
