"""What a person does with the page: mouse, touch, keyboard, measuring, full screen, print, light and dark."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest
from browser import open_page, wait_until
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.viewer import write
from mannequin.viewer.cameras import Camera
from mannequin.viewer.content import shown_run

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HEIGHT, FOCAL, SIZE = 10.0, 500.0, (600.0, 400.0)
ABOVE = Camera("Above", (50.0, 0.0, HEIGHT), (1.0, 0.0, 0.0, 0.0), FOCAL, SIZE)
"""Looks straight down on bare ground, x to the right and y up."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    scenario = make_scenario(ground=True)
    folder = write_run(scenario, make_recording(), tmp_path_factory.mktemp("out"), started=NOW, ended=NOW)
    return read_run(folder)


@pytest.fixture(scope="module")
def file(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "case.html"
    path.write_bytes(write.page_bytes([shown_run(run)], "Case 17", [ABOVE]))
    return path


@pytest.fixture(scope="module")
def page(file):
    with open_page(has_touch=True, color_scheme="light") as page:
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        yield page


def camera(page):
    """Distance (m), turn and height (radians) of the camera about what it looks at, and that place."""
    place, target = (np.array(page.evaluate(f"mannequin.{what}()")) for what in ("camera", "target"))
    offset = place - target
    distance = np.linalg.norm(offset)
    return distance, math.atan2(offset[1], offset[0]), math.asin(offset[2] / distance), target


def middle_of(page):
    box = page.locator("#view").bounding_box()
    return box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]


def test_keys_turn_move_and_zoom(page):
    page.evaluate("mannequin.view('Overview')")
    page.focus("#view")
    distance, turn, height, target = camera(page)
    page.keyboard.press("d")
    page.keyboard.press("w")
    after = camera(page)
    assert after[1] - turn == pytest.approx(math.pi / 36, abs=1e-6)
    assert after[2] - height == pytest.approx(math.pi / 36, abs=1e-6)
    assert after[0] == pytest.approx(distance)
    page.keyboard.press("+")
    assert camera(page)[0] == pytest.approx(0.9 * distance)
    page.keyboard.press("Shift+D")
    assert np.linalg.norm(camera(page)[3] - target) == pytest.approx(0.05 * 0.9 * distance, rel=1e-6)


def test_keys_work_after_a_button_was_pressed(page):
    """Arrows step by milliseconds wherever the focus is, but in a list."""
    page.evaluate("mannequin.go(0)")
    page.focus("button[title^='To the start']")
    page.keyboard.press("ArrowRight")
    page.focus("input[type=range]")
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("mannequin.time()") == pytest.approx(0.011)
    assert page.get_attribute("input[type=range]", "aria-valuetext") == "0.011 seconds"
    page.focus("select[aria-label=Camera]")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("mannequin.time()") == pytest.approx(0.011)


def test_nothing_is_drawn_while_nothing_changes(page):
    page.evaluate("mannequin.go(0.1)")
    page.wait_for_timeout(1500)
    before = page.evaluate("mannequin.pictures()")
    page.wait_for_timeout(500)
    assert page.evaluate("mannequin.pictures()") == before
    page.evaluate("mannequin.go(0.11)")
    wait_until(page, f"mannequin.pictures() > {before}")


def test_number_keys_take_cameras(page):
    page.focus("#view")
    page.keyboard.press("2")
    assert page.input_value("select[aria-label=Camera]") == "Side"


def test_the_mouse_turns_moves_and_zooms(page):
    page.evaluate("mannequin.view('Overview')")
    before = camera(page)
    x, y = middle_of(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 10, steps=3)
    page.mouse.up()
    turned = camera(page)
    assert abs(turned[1] - before[1]) > 0.05 and turned[0] == pytest.approx(before[0])
    page.mouse.down(button="right")
    page.mouse.move(x + 100, y, steps=3)
    page.mouse.up(button="right")
    assert np.linalg.norm(camera(page)[3] - turned[3]) > 0.05
    page.mouse.wheel(0, -200)
    wait_until(
        page,
        f"Math.hypot(...mannequin.camera().map((v, k) => v - mannequin.target()[k])) < {0.99 * turned[0]}",
    )


def touch(client, kind, *points):
    client.send(
        "Input.dispatchTouchEvent",
        {"type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]},
    )


def test_fingers_turn_and_pinch(page):
    page.evaluate("mannequin.view('Overview')")
    before = camera(page)
    x, y = middle_of(page)
    client = page.context.new_cdp_session(page)
    touch(client, "touchStart", (x, y))
    for k in range(1, 5):
        touch(client, "touchMove", (x + 15 * k, y))
    touch(client, "touchEnd")
    turned = camera(page)
    assert abs(turned[1] - before[1]) > 0.05 and turned[0] == pytest.approx(before[0])
    touch(client, "touchStart", (x - 20, y), (x + 20, y))
    for k in range(1, 5):
        touch(client, "touchMove", (x - 20 - 15 * k, y), (x + 20 + 15 * k, y))
    touch(client, "touchEnd")
    assert camera(page)[0] < 0.8 * before[0]


def ground_click(page, metres, **options):
    """Click on the point of the ground that lies so many metres right of and above the middle of the view."""
    box = page.locator("#view").bounding_box()
    scale = min(box["width"] / SIZE[0], box["height"] / SIZE[1]) * FOCAL / HEIGHT
    x, y = 0.5 * box["width"] + scale * metres[0], 0.5 * box["height"] - scale * metres[1]
    page.locator("#view").click(position={"x": x, "y": y}, **options)
    return scale


def test_distances_and_angles_are_measured(page):
    """Lengths on the ground below a camera of known height, by the rule of three; the label is text."""
    page.evaluate("mannequin.view('Above')")
    page.focus("#view")
    page.keyboard.press("m")
    ground_click(page, (-1.0, 0.0))
    scale = ground_click(page, (1.0, 0.0))
    (label,) = page.locator(".measurement").all_text_contents()
    number, unit = label.split()
    assert unit == "m" and float(number) == pytest.approx(2.0, abs=2.0 / scale)
    ground_click(page, (1.0, 1.5), modifiers=["Shift"])
    angle = page.locator(".measurement").all_text_contents()[1]
    assert angle.endswith("°") and float(angle[:-1]) == pytest.approx(90.0, abs=1.5)
    page.click("button:text-is('Clear')")
    assert page.locator(".measurement").count() == 0
    page.keyboard.press("m")


def test_a_click_on_a_body_shows_its_curves(page):
    page.evaluate("mannequin.go(0)")
    page.evaluate("mannequin.view('Follow man')")
    page.click("#tab-about")
    place = page.evaluate("mannequin.screen('man / pelvis')")
    page.locator("#view").click(position={"x": place[0], "y": place[1]})
    assert page.get_attribute("#tab-curves", "aria-selected") == "true"
    chosen = page.locator("select[aria-label^='Body whose']").evaluate(
        "s => s.selectedOptions[0].textContent"
    )
    assert chosen == "man / pelvis"
    plots = page.locator("#curves canvas.plot")
    assert "m/s at 0.000 s" in plots.nth(0).get_attribute("aria-label")
    box = plots.nth(0).bounding_box()
    plots.nth(0).click(position={"x": 58 + 0.5 * (box["width"] - 70), "y": 60})
    assert page.evaluate("mannequin.time()") == pytest.approx(0.1, abs=0.002)


def test_full_screen_keeps_the_warning(page):
    page.focus("#view")
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement !== null")
    assert page.evaluate("document.fullscreenElement.id") == "stage"
    mark = page.locator("#mark")
    assert mark.is_visible()
    text = mark.text_content()
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement === null")
    assert "Simulation, not recorded footage" in text and "Case 17" in text and "SHA-256" in text


def test_always_visible_are_case_run_and_digest(page, run):
    text = page.text_content("header")
    for part in ("Simulation, not recorded footage", "Case 17", run.manifest["sha256"], "run "):
        assert part in text
    assert page.locator("header").is_visible()


def test_print_has_the_picture_and_every_table(page):
    page.evaluate("window.print = () => { document.body.dataset.printed = 'true'; }")
    page.click("button:text-is('Print')")
    page.wait_for_selector("body[data-printed]")
    page.emulate_media(media="print")
    try:
        assert page.locator("#still").evaluate("i => i.naturalWidth") > 400
        assert "Simulation, not recorded footage" in page.text_content("#still-caption")
        assert page.locator("#still").is_visible() and not page.locator("#player").is_visible()
        for panel in ("about", "contacts", "curves", "measures", "inputs"):
            assert page.locator(f"#{panel}").is_visible()
    finally:
        page.emulate_media(media="screen")


def test_everything_that_can_be_used_has_a_name(page):
    """Names as a screen reader says them, from the browser's own tree of accessibility."""
    page.click("summary:text-is('Show')")
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    page.click("summary:text-is('Show')")
    used = {"button", "combobox", "slider", "checkbox", "tab", "img", "image", "progressbar"}
    found = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in used
    ]
    roles = {role for role, _ in found}
    assert {"button", "combobox", "slider", "checkbox", "tab"} <= roles
    assert [role for role, name in found if not name.strip()] == []


def test_tabs_are_walked_by_arrow_keys(page):
    page.click("#tab-about")
    page.focus("#tab-about")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "tab-inputs"
    assert page.locator("#inputs").is_visible() and not page.locator("#about").is_visible()


def contrast(one, other):
    """Of two colours as CSS gives them (WCAG 2.2)."""

    def luminance(text):
        parts = np.array([float(v) for v in text[text.index("(") + 1 : -1].split(",")[:3]]) / 255.0
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(file, scheme):
    """The page opens as the system asks, and its text has a contrast of 4.5 at least (WCAG 2.2, AA)."""
    with open_page(color_scheme=scheme) as page:
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        for dark in (scheme == "dark", scheme != "dark"):
            assert page.evaluate("document.body.classList.contains('dark')") == dark
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            for part in ("body", ".court", ".court strong", "#about td"):
                ink = page.evaluate("s => getComputedStyle(document.querySelector(s)).color", part)
                assert contrast(ink, paper) >= 4.5, part
            style = "getComputedStyle(document.querySelector('[aria-selected=true]'))"
            assert contrast(page.evaluate(f"{style}.color"), page.evaluate(f"{style}.backgroundColor")) >= 4.5
            page.click("button:text-is('Light / dark')")


def test_a_narrow_screen_shows_everything(file):
    with open_page(width=390, height=800, has_touch=True) as page:
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for selector in ("#view", "#mark", "#player", "#options", "[role=tablist]", "#about"):
            box = page.locator(selector).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 391, selector
            assert box["height"] > 20, selector
        assert page.locator("#view").bounding_box()["height"] > 200
