"""Links to parts, VNFCs, ports and the map, by mouse and by keyboard."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.console import Console
from tests.browser.pages import drawn, settled
from tests.browser.steps import in_both_themes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PE = "fra-pe-1"


@pytest.fixture
def visitor(browser: Browser, console: Console) -> Iterator[Page]:
    size: ViewportSize = {"width": 1440, "height": 900}
    context = browser.new_context(base_url=console.url, viewport=size, reduced_motion="reduce")
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def _named(console: Console, path: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in console.get(path) if each["name"] == name)
    return found


def _large_map(page: Page) -> None:
    """Open a map of thousands of boxes; its layout takes seconds of processor, longer beside a whole run."""
    page.goto("/topology?mock=many&expand=all")
    expect(drawn(page)).to_be_visible(timeout=120_000)


def test_an_alarm_leads_to_the_card_and_to_its_place_on_the_map(visitor: Page, console: Console) -> None:
    alarm = next(each for each in console.get("/api/v1/alarms") if each["faultType"] == "CardDown")
    visitor.goto(f"/alarms?mock=usual&alarm={alarm['id']}")
    details = visitor.get_by_role("complementary", name="Card down")
    details.get_by_role("link", name="Card 2").press("Enter")
    card = visitor.get_by_role("tree").get_by_role("treeitem", name=re.compile("^Card 2"))
    expect(card).to_have_attribute("aria-selected", "true")
    expect(card).to_be_in_viewport()
    visitor.get_by_role("link", name="Show on the map").press("Enter")
    expect(visitor.get_by_role("complementary", name=f"Details of {PE}")).to_be_visible()
    expect(visitor.locator(f'[data-id="element:{alarm["managedObjectId"]}"]')).to_be_in_viewport()
    in_both_themes(visitor, "map-focused")


def test_the_map_follows_the_hand_on_its_overview(visitor: Page) -> None:
    _large_map(visitor)  # small maps have no overview
    settled(visitor)
    overview = visitor.get_by_role("img", name="Overview of the map")
    box = overview.bounding_box()
    assert box
    shift = "() => getComputedStyle(document.querySelector('.react-flow__viewport')).transform"
    before = visitor.evaluate(shift)
    visitor.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.mouse.down()
    visitor.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 4, steps=5)
    visitor.mouse.up()
    assert visitor.evaluate(shift) != before


def test_a_large_map_is_a_picture_that_mouse_and_keyboard_reach(visitor: Page) -> None:
    _large_map(visitor)
    expect(visitor.get_by_role("img", name=re.compile("boxes and .* links; the list has them all"))).to_be_visible()
    in_both_themes(visitor, "map-picture")
    site = visitor.get_by_role("group", name=re.compile("^Site Site 07,"))
    box = site.bounding_box()
    assert box
    visitor.mouse.click(box["x"] + box["width"] / 2, box["y"] + 3)
    expect(visitor.get_by_role("complementary", name=re.compile("^Details of"))).to_be_visible()
    visitor.get_by_label("Find on the map").fill("pe-0123")
    expect(visitor.get_by_role("status").filter(has_text="1 match")).to_be_visible()
    visitor.keyboard.press("Enter")
    element = visitor.get_by_role("group", name=re.compile("^Network element pe-0123,"))
    expect(element).to_be_focused()
    expect(element).to_be_in_viewport()
    expect(drawn(visitor)).to_be_visible()
    # The links of the box that the keyboard is at are named, and so is the one under the mouse.
    label = visitor.locator(".vm-map-link-label")
    expect(label).to_contain_text(re.compile("pe-0122 . pe-0123, up since"))
    in_both_themes(visitor, "map-picture-near")
    box = element.bounding_box()
    assert box
    visitor.mouse.move(box["x"] - 12, box["y"] + box["height"] / 2)
    expect(label.locator("div")).to_have_count(1)
    expect(label).to_contain_text("pe-0123")
    visitor.mouse.move(2, 2)
    expect(label).to_have_count(0)


def test_selecting_an_alarm_does_not_move_rows(visitor: Page) -> None:
    """The next click would meet another."""
    visitor.goto("/alarms?mock=usual")
    settled(visitor)
    row = visitor.locator("#main-content tbody tr").nth(2)
    before = row.bounding_box()
    row.get_by_role("checkbox").check()
    expect(visitor.get_by_role("group", name="Selected alarms")).to_be_visible()
    assert row.bounding_box() == before


def test_vm_found_by_search_is_scrolled_into_view(visitor: Page) -> None:
    visitor.goto("/?mock=usual")
    settled(visitor)
    visitor.keyboard.press("Control+k")
    visitor.keyboard.type("edge-fra-1-iom-2")
    visitor.get_by_role("option", name=re.compile("edge-fra-1-iom-2")).first.click()
    row = visitor.get_by_role("table", name="VNFCs").locator("tr[aria-current=true]")
    expect(row).to_contain_text("edge-fra-1-iom-2")
    expect(row).to_be_in_viewport()
    in_both_themes(visitor, "instance-vnfc-chosen")


def test_a_port_is_one_place(visitor: Page, console: Console) -> None:
    element = _named(console, "/api/v1/elements", PE)["id"]
    visitor.goto(f"/elements/{element}?mock=usual&tab=interfaces&interface=1001")
    drawer = visitor.get_by_role("complementary", name="Interface 1/1/1")
    expect(drawer.get_by_role("region", name="Traffic")).to_contain_text("% of speed")
    expect(drawer.get_by_role("link", name="muc-pe-9").first).to_be_visible()
    in_both_themes(visitor, "interface")
    drawer.get_by_role("link", name="Counters over time").press("Enter")
    expect(visitor.get_by_label("Object")).to_have_value("1/1/1")
    visitor.get_by_role("tab", name="Neighbours").click()
    expect(visitor.get_by_role("row", name=re.compile("agg-sw-3.*Lost"))).to_be_visible()
    in_both_themes(visitor, "element-neighbours")


def test_any_two_versions_are_compared_at_an_address(visitor: Page, console: Console) -> None:
    element = _named(console, "/api/v1/elements", PE)["id"]
    visitor.goto(f"/elements/{element}?mock=usual&tab=configuration")
    for label, number in (("Compare from", 1), ("Compare to", 3)):
        choice = visitor.get_by_label(label)
        value = choice.get_by_role("option", name=re.compile(f"^Version {number}")).get_attribute("value")
        choice.select_option(value)
    differences = visitor.get_by_role("table", name="Differences by lines")
    expect(differences).to_contain_text("port 1/1/3")
    visitor.reload()
    expect(differences).to_contain_text("port 1/1/3")
    in_both_themes(visitor, "configuration-compared")
