"""A real browser for tests of pages: Debian's Chromium, driven by playwright, drawing in software."""

import atexit
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import pytest

from mannequin.benchmarks.browser import find_browser, launch

PATIENCE = 90_000
"""Milliseconds; a busy machine draws slowly."""


def require_browser() -> str:
    """Path of the browser. Without one the test is left out, but fails in continuous integration as root, where
    tools/install_browser.py has installed it."""
    found = find_browser()
    if found is None and os.environ.get("CI") and os.geteuid() == 0:
        pytest.fail("no Chromium, although continuous integration installs one")
    if found is None:
        pytest.skip("no Chromium is installed")
    return found


@lru_cache(maxsize=1)
def driver():
    """The one driver of this process: a second one cannot be started beside it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    started = playwright.sync_playwright().start()
    atexit.register(started.stop)
    return started


@contextmanager
def open_page(*, webgl: bool = True, width: int = 1280, height: int = 720, **context: Any) -> Iterator:
    """A page of a new browser. `requests` and `problems` are lists of what it asked for and complained about; `context`
    goes to the browser: has_touch, color_scheme."""
    require_browser()
    browser = launch(driver(), webgl)
    page = browser.new_page(viewport={"width": width, "height": height}, **context)
    page.set_default_timeout(PATIENCE)
    page.requests, page.problems = [], []
    page.on("request", lambda request: page.requests.append(request.url))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda entry: page.problems.append(entry.text) if entry.type == "error" else None)
    try:
        yield page
    finally:
        browser.close()


def wait_until(page, expression: str) -> None:
    """Wait until an expression is true in a page whose policy forbids to evaluate text in it."""
    end = time.monotonic() + PATIENCE / 1000.0
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not within {PATIENCE / 1000.0:g} s: {expression}"
        page.wait_for_timeout(50)
