"""Pictures of the viewer's page in every view and state, taken in Chromium, to be looked at.

    python tools/viewer_pictures.py OUT            every state, into a folder
    python tools/viewer_pictures.py --docs         the pictures of docs/viewer.md

Needs the environment of `make setup` and Chromium (tools/install_browser.py). The case is that of the benchmark of the
viewer: a saloon and a dressed pedestrian; beside it the shipped scenarios of a belted driver and of muscles.
"""

import argparse
import copy
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mannequin.analysis.files.run_folder import Run
from mannequin.benchmarks.browser import launch
from mannequin.benchmarks.viewer import kept, pedestrian_case
from mannequin.io_json.resolve import resolve_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.viewer.content import Ghost, Shown, shown_run
from mannequin.viewer.live import LivePage
from mannequin.viewer.write import page_bytes

DOCS = Path(__file__).resolve().parent.parent / "docs" / "images" / "viewer"
WIDE, PHONE = (1280, 720), (390, 800)
SLOWER, FASTER = 8.0, 14.0
"""m/s: speeds of the car in other hypotheses."""

Step = Callable[[Any], None]


def go(time: float) -> Step:
    """Go to a time."""
    return lambda page: page.evaluate(f"mannequin.go({time})")


def view(name: str) -> Step:
    """Take a camera."""
    return lambda page: page.evaluate("name => mannequin.view(name)", name)


def press(*keys: str) -> Step:
    """One key after the other, wherever the focus is."""
    return lambda page: [page.keyboard.press(key) for key in keys]


def tab(name: str) -> Step:
    """Open a tab of the side."""
    return lambda page: page.click(f"#tab-{name}")


def layers(**wanted: bool) -> Step:
    """Show and hide by the labels of the menu."""

    def step(page: Any) -> None:
        page.click("summary:text-is('Show')")
        for label, checked in wanted.items():
            page.locator(".choice", has_text=label.replace("_", " ")).locator("input").set_checked(checked)
        page.click("summary:text-is('Show')")

    return step


def click(*places: tuple[float, float], shift: int = -1) -> Step:
    """Click at shares of the picture; the one numbered `shift` with Shift."""

    def step(page: Any) -> None:
        box = page.locator("#view").bounding_box()
        for k, (x, y) in enumerate(places):
            at = {"x": x * box["width"], "y": y * box["height"]}
            page.locator("#view").click(position=at, modifiers=["Shift"] if k == shift else [])

    return step


def open_menu(page: Any) -> None:
    """Leave the menu of layers open."""
    page.click("summary:text-is('Show')")


def dark(page: Any) -> None:
    """Change to dark."""
    page.click("button:text-is('Light / dark')")


def printed(page: Any) -> None:
    """The view for paper, without the dialogue of the browser."""
    page.evaluate("window.print = () => { document.body.dataset.printed = 'true'; }")
    page.click("button:text-is('Print')")
    page.wait_for_selector("body[data-printed]")
    page.emulate_media(media="print")


STATES: dict[str, tuple[str, tuple[int, int], list[Step]]] = {
    "page": ("case", WIDE, [go(0.16)]),
    "side": ("case", WIDE, [view("Side"), go(0.2)]),
    "top": ("case", WIDE, [view("Top"), go(0.6)]),
    "follow": ("case", WIDE, [view("Follow pedestrian"), go(0.3)]),
    "ellipsoids": (
        "case",
        WIDE,
        [view("Follow pedestrian"), go(0.2), layers(Surface=False, Contact_ellipsoids=True)],
    ),
    "bones": ("case", WIDE, [view("Follow pedestrian"), go(0.2), layers(Lines_between=True)]),
    "ghosts": ("case", WIDE, [view("Side"), go(0.0), layers(Ghosts_of_earlier=True)]),
    "menu": ("case", WIDE, [go(0.3), open_menu]),
    "contacts": ("case", WIDE, [tab("contacts"), go(0.2)]),
    "curves": ("case", WIDE, [tab("curves"), go(0.15)]),
    "measures": ("case", WIDE, [tab("measures"), go(1.5)]),
    "inputs": ("case", WIDE, [tab("inputs"), go(3.0)]),
    "measured": (
        "case",
        WIDE,
        [
            view("Side"),
            go(0.0),
            press("m"),
            click((0.4, 0.85), (0.5, 0.85)),
            click((0.3, 0.8), (0.4, 0.7), (0.6, 0.8), shift=2),
        ],
    ),
    "dark": ("case", WIDE, [go(0.16), dark, tab("curves")]),
    "dark_inputs": ("case", WIDE, [dark, tab("inputs")]),
    "phone": ("case", PHONE, [go(0.16)]),
    "phone_curves": ("case", PHONE, [go(0.16), tab("curves")]),
    "print": ("case", WIDE, [go(0.16), printed]),
    "hypotheses": ("both", WIDE, [go(0.2), tab("curves")]),
    "over": ("both", WIDE, [lambda page: page.select_option("[aria-label^=Runs]", "over"), go(0.4)]),
    "hypotheses_phone": ("both", PHONE, [go(0.2)]),
    "sweep": ("sweep", WIDE, [view("Overview"), go(0.7)]),
    "belt": ("belt", WIDE, [view("Follow driver"), go(0.08)]),
    "muscles": ("muscles", WIDE, [view("Follow man"), go(0.6), layers(Muscles=True)]),
    "no_webgl": ("case", WIDE, []),
}
"""Name of a picture to the page, the size of the window, and what is done."""
DOCUMENTED = ("page", "hypotheses")


def shipped(name: str, folder: Path) -> Run:
    """A run of a shipped scenario."""
    return kept(read_scenario(resolve_model(name, None)), folder)


def hypothesis(speed: float) -> Any:
    """The case with another speed of the car."""
    scenario = copy.deepcopy(pedestrian_case(1.5))
    scenario.actors[0].velocity = (speed, 0.0, 0.0)
    return scenario


def make_pages(folder: Path, wanted: set[str]) -> dict[str, Path]:
    """The pages that some states need, each as a file."""
    runs: dict[str, Run] = {"case": kept(pedestrian_case(), folder)}
    if wanted & {"both", "sweep"}:
        for name, speed in (("slow", SLOWER), ("fast", FASTER)):
            runs[name] = kept(hypothesis(speed), folder / name)
    makers: dict[str, Callable[[], bytes]] = {
        "case": lambda: page_bytes([shown_run(runs["case"])], "Case 17/2026"),
        "both": lambda: page_bytes(
            [shown_run(runs["slow"], "A: 8 m/s"), shown_run(runs["fast"], "B: 14 m/s")], "Case 17/2026"
        ),
        "sweep": lambda: page_bytes([ghostly(runs)], "Case 17/2026"),
        "belt": lambda: page_bytes([shown_run(shipped("seated_crash", folder))]),
        "muscles": lambda: page_bytes([shown_run(shipped("trip_toned", folder))]),
    }
    pages = {}
    for name in wanted:
        pages[name] = folder / f"{name}.html"
        pages[name].write_bytes(makers[name]())
    return pages


def ghostly(runs: dict[str, Run]) -> Shown:
    """The case with the other hypotheses as its ghosts."""
    shown = shown_run(runs["case"])
    ghosts = [Ghost(name, runs[name].recording) for name in ("slow", "fast")]
    return Shown(shown.scenario, shown.recording, shown.facts, ghosts=ghosts)


def take(
    playwright: Any, page: Path, size: tuple[int, int], steps: list[Step], webgl: bool, out: Path
) -> None:
    """Open a page, do the steps, take the picture."""
    browser = launch(playwright, webgl)
    try:
        opened = browser.new_page(viewport={"width": size[0], "height": size[1]})
        opened.set_default_timeout(120_000)
        opened.goto(page.as_uri())
        opened.wait_for_selector("body[data-ready]")
        for step in steps:
            step(opened)
        opened.wait_for_timeout(1500)
        opened.screenshot(path=str(out), full_page=steps[-1:] == [printed])
    finally:
        browser.close()


def take_live(playwright: Any, case: Run, out: Path) -> None:
    """The page of a run that is half done."""
    live = LivePage(case.scenario, case.recording)
    live.show(case.recording, 0.5)
    browser = launch(playwright)
    try:
        opened = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
        opened.set_default_timeout(120_000)
        opened.goto(live.address)
        opened.wait_for_selector("body[data-ready]")
        opened.wait_for_timeout(2500)
        opened.screenshot(path=str(out))
    finally:
        browser.close()
        live.close()


def main() -> int:
    """Take the pictures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Pictures of the viewer's page.")
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--docs", action="store_true", help="only the pictures of docs/viewer.md, there")
    parser.add_argument("--only", nargs="+", choices=STATES, metavar="STATE")
    args = parser.parse_args()
    if not args.docs and args.out is None:
        parser.error("give a folder, or --docs")
    out = DOCS if args.docs else args.out
    out.mkdir(parents=True, exist_ok=True)
    chosen = DOCUMENTED if args.docs else args.only or list(STATES)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        pages = make_pages(Path(name), {STATES[state][0] for state in chosen})
        for state in chosen:
            page, size, steps = STATES[state]
            take(playwright, pages[page], size, steps, state != "no_webgl", out / f"{state}.png")
            print(out / f"{state}.png", flush=True)
        if not args.docs and not args.only:
            take_live(playwright, kept(pedestrian_case(0.3), Path(name)), out / "live.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
