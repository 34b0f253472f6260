"""The page of an audit, in a real browser and as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit import audit, logged_facts
from referee.games import find_idiom
from referee.report.as_json import report_json, timeline_json
from referee.report.page import page
from referee.table import read_log
from tests.audit.browsing import Shown, chromium
from tests.scribe.playing import Playing, the_game
from vassalgen.game.finding import open_game, shipped_games

pytestmark = pytest.mark.usefixtures("drawn_once")
DATA = Path(__file__).resolve().parents[1] / "data"
FOR_A_MAIL = 8_000_000
HOSTILE = "</script><img src=x onerror='window.hurt=1'><script>window.hurt=1</script>&lt;b&gt;\u2028"


@cache
def page_values(game: str) -> dict[str, Any]:
    """The audit of the game's log with the most findings."""
    logs = sorted((DATA / game).glob("*.vlog"))
    if not logs:
        pytest.skip(f"nobody has played {game} for the tests yet")
    breaches = [log for log in logs if log.stem == "breaches"]
    log = read_log((breaches or logs)[0])
    if not find_idiom(game).move_verbs:
        return timeline_json(open_game(game), *logged_facts([log], open_game(game)))
    return report_json(audit([log], open_game(game)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module", params=sorted(shipped_games()))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def path(game: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp(game) / "audit.html"
    found.write_text(page(page_values(game), open_game(game)), encoding="utf-8")
    return found


@pytest.fixture
def shown(browser: Any, path: Path) -> Iterator[Shown]:
    found = Shown.open(browser, path)
    yield found
    assert found.complaints == []
    assert [url for url in found.requests if not url.startswith("data:")] == [path.as_uri()]
    found.close()


def first_move(game: str) -> tuple[int, dict[str, str]]:
    """The first step in which exactly one counter moves from hex to hex."""
    grid = open_game(game).map.grid
    for step in page_values(game)["steps"]:
        for move in step.get("moves", ()):
            if move["from"] in grid and move["to"] in grid:
                return step["at"], move
    raise AssertionError("nobody moves in this log")


def test_slider_and_keys_move_the_counters(shown: Shown, game: str) -> None:
    at, move = first_move(game)
    shown.slide(at - 1)
    before = shown.spot_of(move["counter"])
    assert shown.place_of(move["counter"]) == move["from"]
    shown.page.keyboard.press("ArrowRight")
    assert shown.place_of(move["counter"]) == move["to"]
    assert shown.spot_of(move["counter"]) != before
    assert shown.page.locator("#board .arrow.made").count() >= 1
    shown.page.keyboard.press("ArrowLeft")
    assert shown.spot_of(move["counter"]) == before


def test_keys_go_to_phases_findings_and_both_ends(shown: Shown, game: str) -> None:
    found = page_values(game)
    shown.page.keyboard.press("End")
    assert f"Step {len(found['steps']) - 1} of" in shown.where
    shown.page.keyboard.press("Home")
    assert shown.where.startswith("Start")
    shown.page.keyboard.press("PageDown")
    first = found["steps"][0]["moment"]
    assert f"Step {next(one['at'] for one in found['steps'] if one['moment'] != first)} of" in shown.where
    shown.page.keyboard.press("Home")
    for at in sorted({one["at"] for one in found["findings"]} - {0})[:2]:
        shown.page.keyboard.press("n")
        assert f"Step {at} of" in shown.where


def test_the_link_of_a_finding_shows_its_step(shown: Shown, game: str) -> None:
    for finding in [one for one in page_values(game)["findings"] if one["at"]][-2:]:
        shown.page.click(f".card[data-id='{finding['id']}'] .to")
        shown.page.wait_for_selector(f".card.here[data-id='{finding['id']}']")
        shown.page.wait_for_function(f"location.hash === '#step-{finding['at']}'")
        assert f"Step {finding['at']} of" in shown.where
        assert shown.page.locator(f"#board .sign.{finding['grade']}").count() == bool(finding["hexes"])


def test_a_finding_is_shown_as_soon_as_its_link_is_followed(shown: Shown, game: str) -> None:
    finding = [one for one in page_values(game)["findings"] if one["at"]][-1]
    link = f".card[data-id='{finding['id']}'] .to"
    chosen = shown.page.evaluate(
        "link => (document.querySelector(link).click(), document.querySelector('.card.here')?.dataset.id)",
        link,
    )
    assert chosen == finding["id"]


def test_every_sheet_opens(shown: Shown) -> None:
    for tab in shown.page.locator("[role=tab]").all():
        tab.click()
        assert tab.get_attribute("aria-selected") == "true"
        assert shown.page.inner_text("#sheet")


def test_an_address_leads_to_its_step(browser: Any, path: Path, game: str) -> None:
    at, move = first_move(game)
    shown = Shown.open(browser, path, f"#step-{at}")
    assert shown.place_of(move["counter"]) == move["to"]
    shown.close()


def test_a_phone_in_the_dark_shows_all_of_it(browser: Any, path: Path) -> None:
    shown = Shown.open(browser, path, viewport={"width": 390, "height": 844}, color_scheme="dark")
    assert shown.page.evaluate("document.documentElement.scrollWidth") == 390
    ground = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, re.findall(r"\d+", ground))) < 200
    shown.close()


def test_filters_hide_findings_and_their_marks(browser: Any, tmp_path: Path) -> None:
    shown = Shown.open(browser, written(tmp_path, page_values("postcard1943")))
    shown.page.select_option(".filters select >> nth=1", "2")
    second = [one for one in page_values("postcard1943")["findings"] if one["turn"] == 2]
    assert shown.page.locator(".card").count() == len(second)
    assert shown.page.locator(".mark").count() == len(second)
    shown.page.uncheck(".filters .grades input >> nth=0")
    assert shown.page.locator(".card").count() == 0
    shown.close()


def written(folder: Path, found: dict[str, Any]) -> Path:
    path = folder / "page.html"
    path.write_text(page(found, the_game()), encoding="utf-8")
    return path


def test_what_players_wrote_is_text_and_nothing_else(browser: Any, tmp_path: Path) -> None:
    playing = Playing(stop="Allied Movement").say(HOSTILE).lay_foreign(HOSTILE, "B2").move("blade", "B2")
    shown = Shown.open(browser, written(tmp_path, report_json(playing.audited())), "#step-1")
    assert "onerror" in shown.page.inner_text("#now")
    for tab in shown.page.locator("[role=tab]").all():
        tab.click()
    assert shown.page.locator("img").count() == 0
    assert shown.page.evaluate("window.hurt") is None
    assert shown.complaints == []
    shown.close()


def test_a_hidden_counter_is_drawn_face_down(browser: Any, tmp_path: Path) -> None:
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement", masks=["blade"])
    found = report_json(playing.hide("blade").move("blade", "B2").audited())
    shown = Shown.open(browser, written(tmp_path, found), "#step-2")
    assert shown.page.locator("#board [data-id=blade]").count() == 0
    assert shown.page.locator("#board .cover").count() == 1
    assert "1 face-down counter" in shown.page.text_content("#list")
    shown.close()


def test_the_head_says_what_was_judged_and_first_that_it_was_little(browser: Any, tmp_path: Path) -> None:
    shown = Shown.open(browser, written(tmp_path, report_json(Playing().say("good morning").audited())))
    head = shown.page.inner_text("#top")
    assert head.startswith("Nothing was judged: no counter changed on the table.")
    assert "Judged: 0 of 0 changes on the table." in head
    assert "No findings in what was judged." in shown.page.inner_text("#sheet")
    assert shown.page.locator(".clean").count() == 0
    shown.close()


def test_where_a_finding_is_withheld_the_head_counts_no_grade_as_0(browser: Any, tmp_path: Path) -> None:
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement", masks=["blade"])
    found = report_json(playing.hide("blade").move("blade", "H6").audited())
    shown = Shown.open(browser, written(tmp_path, found))
    assert shown.page.inner_text("#top .counts").split() == ["withheld", "1"]
    assert shown.page.locator(".clean").count() == 0
    shown.close()


def test_a_game_that_was_not_audited_is_shown_as_a_story(browser: Any, tmp_path: Path) -> None:
    scenario, seen = logged_facts([read_log(DATA / "postcard1943" / "clean.vlog")], the_game())
    shown = Shown.open(browser, written(tmp_path, timeline_json(the_game(), scenario, seen)))
    assert shown.page.locator("#tab-findings").count() == 0
    assert "Turn 1, Allied movement" in shown.page.inner_text("#sheet")
    assert shown.complaints == []
    shown.close()


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_the_page_is_one_small_file_that_loads_nothing(name: str) -> None:
    made = page(page_values(name), open_game(name))
    assert len(made.encode()) < FOR_A_MAIL / 4
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", made))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in made


def test_the_same_audit_gives_the_same_page() -> None:
    assert page(page_values("postcard1943"), the_game()) == page(page_values("postcard1943"), the_game())


def test_what_players_wrote_cannot_end_the_element_it_stands_in() -> None:
    made = page(report_json(Playing().say(HOSTILE).audited()), the_game())
    assert "<img" not in made
    assert made.count("</script>") == 3


def test_no_password_is_on_the_page() -> None:
    assert "secret" not in page(page_values("postcard1943"), the_game())
    assert "secret-ada" not in page(report_json(Playing().move("blade", "B2").audited()), the_game())
