"""The drawing of a network element's front, on the mock API: by mouse and keyboard, at 1440 and 390 pixels."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import pages
from tests.browser.console import Console
from tests.browser.steps import in_both_themes, picture

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NAME = "fra-pe-1"


@pytest.fixture
def visitor(browser: Browser, console: Console) -> Iterator[Page]:
    context = browser.new_context(base_url=console.url, viewport={"width": 1440, "height": 900}, color_scheme="light")
    context.set_default_timeout(15_000)
    page = context.new_page()
    element = next(each for each in console.get("/api/v1/elements", "usual") if each["name"] == NAME)
    page.goto(f"/elements/{element['id']}?mock=usual")
    expect(page.get_by_role("heading", name=NAME, level=1)).to_be_visible()
    page.get_by_role("button", name="Drawing", exact=True).click()
    yield page
    context.close()


def test_choose_a_port_by_mouse(visitor: Page) -> None:
    drawing = visitor.get_by_role("tree", name=f"Drawing of {NAME}")
    drawing.get_by_role("treeitem", name=re.compile(r"^Port 1.1.2,")).click()
    expect(visitor.get_by_role("region", name="Port 1/1/2")).to_be_visible()
    expect(drawing.get_by_role("treeitem", selected=True)).to_have_count(1)
    pages.settled(visitor)
    in_both_themes(visitor, "drawing")
    assert visitor.evaluate(pages.OVERFLOWS) == []


def test_choose_a_card_by_keyboard(visitor: Page) -> None:
    drawing = visitor.get_by_role("tree", name=f"Drawing of {NAME}")
    expect(drawing).to_be_visible()
    visitor.get_by_role("button", name="Drawing", exact=True).focus()
    visitor.keyboard.press("Tab")
    expect(drawing.get_by_role("treeitem", name=re.compile("^Shelf 1,"))).to_be_focused()
    visitor.keyboard.press("ArrowDown")
    visitor.keyboard.press("ArrowRight")
    expect(drawing.get_by_role("treeitem", name=re.compile("^Card 2,"))).to_be_focused()
    visitor.keyboard.press("Enter")
    expect(visitor.get_by_role("region", name="Card 2")).to_be_visible()
    expect(drawing.get_by_role("treeitem", name=re.compile("^Card 2,"))).to_be_focused()


def test_a_phone_scrolls_the_drawing_alone(visitor: Page) -> None:
    visitor.set_viewport_size({"width": 390, "height": 844})
    expect(visitor.get_by_role("tree", name=f"Drawing of {NAME}")).to_be_visible()
    pages.settled(visitor)
    pages.still(visitor)
    picture(visitor, "drawing-390")
    assert visitor.evaluate(pages.OVERFLOWS) == []
