"""The manual and bulk actions on VNF instances, on the mock API: by mouse and keyboard, at 1440 and 390 pixels."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser import pages
from tests.browser.console import Console
from tests.browser.steps import in_both_themes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
SIZES: dict[str, ViewportSize] = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(params=SIZES)
def visitor(browser: Browser, console: Console, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(base_url=console.url, viewport=SIZES[request.param], color_scheme="light")
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/instances?mock=usual")
    expect(page.get_by_role("link", name="edge-fra-1")).to_be_visible()
    yield page
    context.close()


def _wide(page: Page) -> str:
    assert page.viewport_size
    return str(page.viewport_size["width"])


def test_manual_by_keyboard(visitor: Page) -> None:
    visitor.keyboard.press("h")
    manual = visitor.get_by_role("dialog", name="Manual")
    expect(manual.get_by_role("heading", name="VNF instances", level=2)).to_be_visible()
    in_both_themes(visitor, f"manual-{_wide(visitor)}")
    search = manual.get_by_label("Search the manual")
    search.focus()
    visitor.keyboard.type("maintenance window")
    visitor.keyboard.press("Tab")
    visitor.keyboard.press("Tab")
    expect(manual.get_by_role("button", name="Alarms", exact=True)).to_be_focused()
    visitor.keyboard.press("Enter")
    expect(manual.get_by_role("heading", name="Alarms", level=2)).to_be_visible()
    visitor.keyboard.press("Escape")
    expect(manual).to_be_hidden()
    assert visitor.evaluate(pages.OVERFLOWS) == []


def test_manual_by_mouse(visitor: Page) -> None:
    visitor.get_by_role("button", name="Help for this page").click()
    manual = visitor.get_by_role("dialog", name="Manual")
    manual.get_by_role("button", name="Operations", exact=True).click()
    expect(manual.get_by_role("heading", name="Operations", level=2)).to_be_visible()


def test_bulk_termination(visitor: Page) -> None:
    visitor.get_by_role("checkbox", name="Choose edge-fra-1").check()
    visitor.get_by_role("checkbox", name="Choose edge-muc-1").focus()
    visitor.keyboard.press("Space")
    bar = visitor.get_by_role("group", name="Selected VNF instances")
    bar.get_by_role("button", name="Terminate").click()
    dialog = visitor.get_by_role("dialog", name=re.compile("Terminate 2 VNF instances"))
    expect(dialog.get_by_text(re.compile("^Ready:"))).to_have_count(2)
    in_both_themes(visitor, f"bulk-plan-{_wide(visitor)}")
    begin = dialog.get_by_role("button", name="Terminate 2 VNF instances")
    expect(begin).to_be_disabled()
    dialog.get_by_label("Number of instances").fill("2")
    expect(begin).to_be_enabled()
    visitor.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert visitor.evaluate(pages.OVERFLOWS) == []
