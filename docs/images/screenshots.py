#!/usr/bin/env python3
"""Pictures of a report in Chromium, at 1280 and at 400 pixels, as the documents show them.

    docs/images/screenshots.py studies/seven_hand/report.html docs/images/study_seven_hand [HEIGHT]

writes docs/images/study_seven_hand_1280.png and _400.png, the first HEIGHT pixels (1600) of the page; fails where the
page is wider than the screen. Needs playwright and Pillow from PyPI, and Chromium.
"""

import io
import pathlib
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright


def main(report: str, out: str, height: int = 1600) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for width in (1280, 400):
            page = browser.new_page(viewport={"width": width, "height": height}, is_mobile=width < 600)
            page.goto(pathlib.Path(report).resolve().as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                sys.exit(f"{report}: {wide} pixels wide on a screen of {width}")
            picture = Image.open(io.BytesIO(page.screenshot()))
            # A page of few colors: a palette makes it a quarter as large.
            picture.convert("RGB").quantize(64).save(f"{out}_{width}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
