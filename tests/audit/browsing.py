"""A real browser for the tests of pages: Chromium without a window, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SWITCHES = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
"""Without these a browser in a container does not start, or asks its maker's servers for news."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; where there is none the tests are skipped."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium is installed; CHROMIUM may name one")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(SWITCHES))
        yield browser
        browser.close()


@define
class Shown:
    """A page in a browser that has no network: what it asked for, and what it complained of."""

    page: Any
    requests: list[str] = field(factory=list)
    complaints: list[str] = field(factory=list)

    @classmethod
    def open(cls, browser: Any, path: Path, at: str = "", **context: Any) -> Shown:
        """Open a page, perhaps at an address in it."""
        page = browser.new_context(offline=True, **context).new_page()
        shown = cls(page)
        page.on("request", lambda request: shown.requests.append(request.url))
        page.on("console", lambda message: shown.complaints.append(message.text))
        page.on("pageerror", lambda error: shown.complaints.append(str(error)))
        page.goto(f"{path.as_uri()}{at}")
        return shown

    @property
    def where(self) -> str:
        """What the page says of where in the game it is."""
        return str(self.page.inner_text("#where"))

    def place_of(self, counter: str) -> str:
        """The hex in which a counter is drawn."""
        return str(self.page.get_attribute(f"#board [data-id={counter}]", "data-place"))

    def spot_of(self, counter: str) -> str:
        """Where a counter is drawn."""
        return str(self.page.get_attribute(f"#board [data-id={counter}]", "transform"))

    def slide(self, at: int) -> None:
        """Move the slider."""
        self.page.locator("#slider").fill(str(at))

    def close(self) -> None:
        """Close the page."""
        self.page.context.close()
