"""Chromium, driven by playwright and drawing in software: for measurements, pictures and tests of pages."""

import shutil
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WITHOUT_WEBGL = ("--disable-gpu", "--disable-3d-apis")


def find_browser() -> str | None:
    """Path of the browser; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Any, webgl: bool = True) -> Any:
    """A new browser. RuntimeError where there is none."""
    path = find_browser()
    if path is None:
        raise RuntimeError("no Chromium is installed; `python3 tools/install_browser.py` installs one")
    arguments = [*ARGUMENTS, *(() if webgl else WITHOUT_WEBGL)]
    return playwright.chromium.launch(executable_path=path, args=arguments)
