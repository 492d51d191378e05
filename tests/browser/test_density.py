"""Enough rows of each list are in sight at 1440 by 900, and no column of them is cut off, on the mock API.

VNFM_DENSITY_TABLE names a file for what was found.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import pages
from tests.browser.console import Console
from tests.browser.steps import picture

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

LISTS = {
    "/alarms": 20,
    "/instances": 18,
    "/elements": 18,
    "/elements/:id?tab=interfaces": 18,
    "/performance": 18,
    "/elements/:id?tab=bgp": 18,
    "/alarms?list=historical": 20,
    "/elements/traps": 18,
    "/topology?view=list": 18,
    "/automation": 18,
    "/administration?tab=audit": 18,
    "/administration?tab=users": 18,
    "/administration?tab=policies": 18,
    "/clouds": 20,
}
"""The least number of rows that each has room for."""
LARGE = tuple(LISTS)[:6]
"""Looked at in the large network, too, where columns are fuller."""
_INTRODUCTION = """# Rows of lists at 1440 by 900

What `tests/browser/test_density.py` found on the mock API; VNFM_DENSITY_TABLE named this file. Heights are in pixels.
*shown*: rows that the mock has and that are wholly in sight; *room*: rows of that height that fit; *cut*: how far
columns reach beyond the list."""
TABS_BY = 250
"""Pixels from the top of the window by which the tabs of a VNF instance and of an element begin."""

MEASURE = """() => {
  const main = document.getElementById("main-content");
  const table = main.querySelector("table");
  const rows = [...table.querySelectorAll("tbody tr")].filter(row => row.checkVisibility());
  const bottom = Math.min(innerHeight, main.getBoundingClientRect().bottom);
  const boxes = rows.map(row => row.getBoundingClientRect());
  const shown = boxes.filter(box => box.top >= 0 && box.bottom <= bottom + 1);
  const heights = boxes.map(({ height }) => height).sort((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)];
  const frame = [...table.querySelectorAll("th, td")].reduce((most, cell) =>
    Math.max(most, cell.getBoundingClientRect().right), 0);
  let holder = table.parentElement;
  while (holder !== main && getComputedStyle(holder).overflowX === "visible") holder = holder.parentElement;
  return { first: Math.round(boxes[0].top), height: Math.round(height * 10) / 10, shown: shown.length,
    room: Math.floor((bottom - boxes[0].top + 1) / height),
    cut: Math.max(0, Math.round(frame - holder.getBoundingClientRect().right)) };
}"""
"""`room` counts the rows of usual height that fit, as some lists of the mock are short; `cut` is in pixels."""


@pytest.fixture(scope="module")
def visitor(browser: Browser, console: Console) -> Iterator[Page]:
    context = browser.new_context(base_url=console.url, viewport={"width": 1440, "height": 900}, color_scheme="light")
    context.set_default_timeout(15_000)
    page = context.new_page()
    # A time of an earlier day is written with its date, which takes more room.
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=1))
    yield page
    context.close()


@pytest.fixture(scope="module")
def report() -> Iterator[list[str]]:
    parts: list[str] = []
    yield parts
    if path := os.environ.get("VNFM_DENSITY_TABLE"):
        Path(path).write_text("\n\n".join((_INTRODUCTION, *parts)) + "\n")


def _open(page: Page, console: Console, address: str, world: str) -> None:
    address = pages.with_ids(console, address, world)
    page.goto(f"{address}{'&' if '?' in address else '?'}mock={world}")
    pages.settled(page)


def _table(world: str, found: dict[str, dict[str, Any]]) -> str:
    names = ("first", "height", "shown", "room", "cut")
    head = f"| list ({world}) | first row at | row | shown | room | cut | wanted |\n|---|--:|--:|--:|--:|--:|--:|"
    rows = (
        f"| `{address}` | {' | '.join(str(row[name]) for name in names)} | {LISTS[address]} |"
        for address, row in found.items()
    )
    return "\n".join((head, *rows))


@pytest.mark.parametrize(("world", "addresses"), [("usual", tuple(LISTS)), ("many", LARGE)])
def test_lists_show_many_rows_and_all_columns(
    visitor: Page,
    console: Console,
    world: str,
    addresses: tuple[str, ...],
    report: list[str],
) -> None:
    found: dict[str, dict[str, Any]] = {}
    for address in addresses:
        _open(visitor, console, address, world)
        visitor.locator("#main-content table tbody tr").first.wait_for()
        found[address] = visitor.evaluate(MEASURE)
        picture(visitor, f"density-{world}-{pages.slug(address)}")
    report.append(_table(world, found))
    assert {address: row["room"] for address, row in found.items() if row["room"] < LISTS[address]} == {}
    assert {address: row["cut"] for address, row in found.items() if row["cut"] > 0} == {}


@pytest.mark.parametrize("address", ["/alarms", "/instances"])
def test_check_boxes_of_head_and_rows_stand_below_each_other(visitor: Page, console: Console, address: str) -> None:
    _open(visitor, console, address, "usual")
    visitor.locator("#main-content table tbody input[type=checkbox]").first.wait_for()
    left = visitor.evaluate("""() => [...document.querySelectorAll("#main-content table input[type=checkbox]")]
      .map(box => Math.round(box.getBoundingClientRect().left))""")
    assert len(left) > 1
    assert len(set(left)) == 1


def test_the_list_of_instances_has_addresses_at_1440_pixels(visitor: Page, console: Console) -> None:
    _open(visitor, console, "/instances", "usual")
    expect(visitor.get_by_role("columnheader", name="Address")).to_be_visible()


@pytest.mark.parametrize("address", ["/instances/:id", "/elements/:id"])
def test_tabs_of_an_object_begin_near_the_top(visitor: Page, console: Console, address: str, report: list[str]) -> None:
    _open(visitor, console, address, "usual")
    box = visitor.locator("#main-content .pf-v6-c-tabs").first.bounding_box()
    assert box
    report.append(f"Tabs of `{address}` begin at {box['y']:.0f} px; wanted: {TABS_BY}.")
    assert box["y"] <= TABS_BY


def test_tabs_begin_near_the_top_of_an_instance_with_two_bad_conditions(
    visitor: Page, console: Console, report: list[str]
) -> None:
    """The cloud of edge-muc-1 does not respond: neither availability nor drift is known."""
    instances = console.get("/api/v1/vnf_instances", "usual")
    instance = next(each for each in instances if each["name"] == "edge-muc-1")
    _open(visitor, console, f"/instances/{instance['id']}", "usual")
    bad = visitor.get_by_role("list", name="Conditions").get_by_role("listitem")
    expect(bad).to_have_count(2)
    for each in bad.all():
        expect(each.locator("[title]").first).to_have_attribute("title", re.compile("lab-west does not answer"))
    box = visitor.locator("#main-content .pf-v6-c-tabs").first.bounding_box()
    picture(visitor, "density-bad-conditions")
    assert box
    report.append(f"Tabs of an instance with two bad conditions begin at {box['y']:.0f} px; wanted: {TABS_BY}.")
    assert box["y"] <= TABS_BY
    assert pages.covered(visitor) == []


def test_nothing_of_the_summary_overlaps_while_an_operation_is_undecided(visitor: Page, console: Console) -> None:
    """The state of the last operation is the longest of all there: its cell cuts it off, and it has a tooltip."""
    _open(visitor, console, "/instances/:id", "usual")
    instances = console.get("/api/v1/vnf_instances", "usual")
    undecided = next(each for each in instances if each["name"] == "edge-ber-1")
    _open(visitor, console, f"/instances/{undecided['id']}", "usual")
    cell = visitor.locator(".vm-strip-facts dd", has=visitor.get_by_title("Scale out: failed: action required"))
    expect(cell).to_be_visible()
    overlapping = cell.evaluate("""cell => [...cell.querySelectorAll("a, span")].filter(part =>
      part.getBoundingClientRect().left > cell.getBoundingClientRect().right
      || part.getBoundingClientRect().height > cell.getBoundingClientRect().height + 4).map(part => part.outerHTML)""")
    assert overlapping == []
    assert pages.covered(visitor) == []


def test_the_first_alarm_is_on_the_first_screen_of_a_phone(visitor: Page, console: Console) -> None:
    visitor.set_viewport_size({"width": 390, "height": 844})
    _open(visitor, console, "/alarms", "usual")
    first = visitor.get_by_role("rowheader").first.bounding_box()
    picture(visitor, "density-phone-alarms")
    assert first
    assert first["y"] + first["height"] <= 844
    assert visitor.evaluate(pages.OVERFLOWS) == []
    header = visitor.get_by_role("banner").bounding_box()
    assert header
    assert header["height"] <= 116, "two lines at most, with alarms of each severity"


def test_alarm_details_leave_the_line_of_pages_below_the_list(visitor: Page, console: Console) -> None:
    visitor.set_viewport_size({"width": 1440, "height": 900})
    _open(visitor, console, "/alarms?size=20", "usual")
    visitor.get_by_role("rowheader").first.get_by_role("link").first.click()
    details = visitor.locator(".vm-drawer")
    expect(details).to_be_visible()
    picture(visitor, "density-alarm-details")
    panel, ways = details.bounding_box(), visitor.get_by_role("navigation", name="Pages").bounding_box()
    assert panel
    assert ways
    assert ways["x"] + ways["width"] <= panel["x"]
    assert panel["y"] < ways["y"]
    assert visitor.evaluate(MEASURE)["cut"] == 0, "the list scrolls sideways"
