"""The command palette opens dialogs of operations, on the mock API: by keyboard and mouse, at 1440 and 390 pixels."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.console import Console
from tests.browser.steps import in_both_themes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


@pytest.fixture(params=["desk", "phone"])
def visitor(browser: Browser, console: Console, request: pytest.FixtureRequest) -> Iterator[Page]:
    size = PHONE if request.param == "phone" else DESK
    context = browser.new_context(base_url=console.url, viewport=size, color_scheme="light")  # type: ignore[arg-type]
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/clouds?mock=usual")
    expect(page.get_by_role("heading", name="Clouds", level=1)).to_be_visible()
    yield page
    context.close()


def _type(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search")
    expect(field).to_be_focused()
    field.fill(text)


def test_scale_out_by_keyboard(visitor: Page) -> None:
    _type(visitor, "scale out edge-fra-1")
    option = visitor.get_by_role("option", name=re.compile("^Scale out: edge-fra-1"))
    expect(option).to_have_attribute("aria-selected", "true")
    expect(visitor.get_by_role("status").first).not_to_contain_text("Searching")
    in_both_themes(visitor, f"palette-action-{visitor.viewport_size['width']}")  # type: ignore[index]
    visitor.keyboard.press("Enter")
    dialog = visitor.get_by_role("dialog", name="Scale out edge-fra-1")
    expect(dialog.get_by_role("button", name="Scale out", exact=True)).to_be_enabled()
    expect(dialog.get_by_label("Scaling aspect")).to_be_focused()
    in_both_themes(visitor, f"palette-dialog-{visitor.viewport_size['width']}")  # type: ignore[index]
    visitor.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert "do=" not in visitor.url


def test_terminate_by_mouse_still_takes_the_name(visitor: Page) -> None:
    _type(visitor, "terminate edge-muc-1")
    visitor.get_by_role("option", name=re.compile("^Terminate: edge-muc-1")).click()
    dialog = visitor.get_by_role("dialog", name=re.compile("Terminate edge-muc-1"))
    expect(dialog.get_by_label("Name of the instance")).to_be_focused()
    expect(dialog.get_by_role("button", name="Terminate", exact=True)).to_be_disabled()


def test_acknowledge_all_of_an_object(visitor: Page) -> None:
    _type(visitor, "ack all of edge-fra-1")
    visitor.get_by_role("option", name="Acknowledge all alarms of edge-fra-1 VSR-PE").click()
    dialog = visitor.get_by_role("dialog", name=re.compile("^Acknowledge all"))
    expect(dialog).to_be_visible()
    in_both_themes(visitor, f"palette-acknowledge-{visitor.viewport_size['width']}")  # type: ignore[index]
    visitor.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_pages_by_synonym(visitor: Page) -> None:
    for text, title in (("NE list", "Elements"), ("faults", "Alarms"), ("stacks", "VNF instances")):
        _type(visitor, text)
        expect(visitor.get_by_role("option", selected=True)).to_contain_text(title)
        visitor.keyboard.press("Enter")
        expect(visitor.get_by_role("heading", name=title, level=1)).to_be_visible()
