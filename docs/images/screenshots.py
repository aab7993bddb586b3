#!/usr/bin/env python3
"""Pictures of a report in Chromium, as the documents show them.

    docs/images/screenshots.py studies/seven_hand/report.html docs/images/study_seven_hand [HEIGHT]

writes docs/images/study_seven_hand_1280.png, the first HEIGHT pixels (1600) of the page at a width of 1280; fails where
the page is wider than a screen of 1280 or 400 pixels.

    docs/images/screenshots.py studies/seven_hand/report.html docs/images/strategy_lay --figure 'For the mover'

writes docs/images/strategy_lay.png, the figure whose caption has these words. Needs playwright and Pillow from PyPI,
and Chromium.
"""

import io
import pathlib
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright


def save(picture: bytes, file: str) -> None:
    # A page of few colors: a palette makes it a quarter as large.
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(64).save(file, optimize=True)


def figure(report: str, out: str, words: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 800, "height": 1000}, device_scale_factor=1.5)
        page.goto(pathlib.Path(report).resolve().as_uri())
        save(page.locator("figure", has_text=words).first.screenshot(), f"{out}.png")
        browser.close()


def main(report: str, out: str, height: int = 1600) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for width in (1280, 400):
            page = browser.new_page(viewport={"width": width, "height": height}, is_mobile=width < 600)
            page.goto(pathlib.Path(report).resolve().as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                sys.exit(f"{report}: {wide} pixels wide on a screen of {width}")
            if width == 1280:
                save(page.screenshot(), f"{out}_{width}.png")
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[3] == "--figure":
        sys.exit(figure(sys.argv[1], sys.argv[2], sys.argv[4]))
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
