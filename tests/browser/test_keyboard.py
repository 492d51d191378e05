"""The same job without a mouse: every step is reached and done by the keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import log_in, tab_to
from tests.support.installation import Product

LONG = 90_000

pytestmark = [pytest.mark.browser, pytest.mark.essential, pytest.mark.timeout(600)]


def test_instantiate_and_terminate_by_keyboard(page: Page, product: Product) -> None:
    log_in(page, product)
    tab_to(page, "link", "Instantiate Nokia VSR-PE")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Choose a cloud")).to_be_visible()
    tab_to(page, "radio", "cloudsim")
    page.keyboard.press("Space")
    tab_to(page, "button", "Next")
    page.keyboard.press("Enter")
    tab_to(page, "textbox", re.compile("^Name"))
    page.keyboard.press("Control+A")
    page.keyboard.type("pe-keys")
    tab_to(page, "button", "Next")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Choose a size")).to_be_visible()
    tab_to(page, "combobox", "Instantiation level")
    tab_to(page, "button", "Next")
    page.keyboard.press("Enter")
    deploy = re.compile("deploy", re.IGNORECASE)
    expect(page.get_by_role("button", name=deploy)).to_be_enabled(timeout=LONG)
    tab_to(page, "button", deploy)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="pe-keys", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Terminate")).to_be_enabled(timeout=LONG)

    tab_to(page, "button", "Actions")
    page.keyboard.press("Enter")
    edit = page.get_by_role("menuitem", name="Edit information")
    edit.wait_for()
    while not edit.evaluate("element => element.contains(document.activeElement)"):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Name", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Actions")).to_be_focused()

    tab_to(page, "button", "Terminate")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name of the instance")).to_be_focused()
    page.keyboard.type("pe-keys")
    expect(dialog.get_by_role("button", name="Terminate")).to_be_enabled(timeout=LONG)
    for _ in range(60):
        if dialog.get_by_role("button", name="Terminate").evaluate("element => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete")).to_be_enabled(timeout=LONG)
