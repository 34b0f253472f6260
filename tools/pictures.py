"""Make the pictures of the README: a page in a browser, on a desktop, and on a phone in dark mode.

    .venv/bin/python tools/pictures.py

It needs a Chromium; the environment variable CHROMIUM may name one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from referee.audit import audit
from referee.report.as_json import report_json
from referee.report.page import page
from referee.table import read_log
from vassalgen.game.finding import open_game

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "tests" / "data" / "postcard1943" / "breaches.vlog"
SHOTS: dict[str, dict[str, Any]] = {
    "page.png": {"viewport": {"width": 1360, "height": 860}},
    "page-phone.png": {"viewport": {"width": 400, "height": 860}, "color_scheme": "dark"},
}
STEP = 31
COLOURS = 256


def main() -> None:
    """Make the pictures."""
    from playwright.sync_api import sync_playwright

    game = open_game("postcard1943")
    made = page(report_json(audit([read_log(LOG)], game)), game)
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "audit.html"
        path.write_text(made, encoding="utf-8")
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for name, look in SHOTS.items():
            shown = browser.new_context(offline=True, **look).new_page()
            shown.goto(f"{path.as_uri()}#step-{STEP}")
            pixels = Image.open(BytesIO(shown.screenshot())).convert("RGB")
            few = pixels.quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(ROOT / "docs" / name, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
