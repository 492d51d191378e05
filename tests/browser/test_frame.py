"""The frame around every page: the start page, search and commands, keys, operations from anywhere, themes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import assert_accessible, in_both_themes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def palette(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search")
    expect(field).to_be_focused()
    field.fill(text)


def switch_contrast(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^User menu")).click()
    page.get_by_role("menuitem", name=re.compile("^High contrast")).click()


def test_overview_shows_the_state_of_everything(operator: Page) -> None:
    operator.goto("/")
    expect(operator.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    clouds = operator.get_by_role("list", name="Clouds", exact=True)
    expect(clouds.get_by_role("link", name="cloudsim")).to_be_visible()
    expect(clouds.get_by_text("Reachable", exact=True)).to_be_visible()
    expect(operator.get_by_role("region", name="Alarms, last 24 hours")).to_contain_text("raised")
    in_both_themes(operator, "overview")
    switch_contrast(operator)
    assert_accessible(operator)
    switch_contrast(operator)


def test_palette_by_keyboard_returns_the_focus(operator: Page) -> None:
    operator.goto("/clouds")
    expect(operator.get_by_role("heading", name="Clouds", level=1)).to_be_visible()
    palette(operator, "cloudsim")
    group = operator.get_by_role("group", name="Clouds")
    expect(group.get_by_role("option", name=re.compile("^cloudsim"))).to_have_attribute("aria-selected", "true")
    in_both_themes(operator, "palette")
    operator.keyboard.press("Enter")
    expect(operator.get_by_role("heading", name="cloudsim", level=1)).to_be_focused()

    button = operator.get_by_role("button", name="Search and commands")
    button.focus()
    operator.keyboard.press("Enter")
    recent = operator.get_by_role("group", name="Recent")
    expect(recent.get_by_role("option", name=re.compile("^cloudsim"))).to_be_visible()
    operator.keyboard.press("Escape")
    expect(button).to_be_focused()

    palette(operator, "onboard")
    operator.get_by_role("option", name="Onboard a VNF package").wait_for()
    operator.keyboard.press("Enter")
    dialog = operator.get_by_role("dialog", name="Onboard a VNF package")
    expect(dialog).to_be_visible()
    operator.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_keyboard_shortcuts_and_their_sheet(operator: Page) -> None:
    operator.goto("/")
    expect(operator.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    for key, title in (("i", "VNF instances"), ("e", "Elements"), ("a", "Alarms"), ("c", "Clouds"), ("o", "Overview")):
        operator.keyboard.press("g")
        operator.keyboard.press(key)
        expect(operator.get_by_role("heading", name=title, level=1)).to_be_visible()
    operator.keyboard.press("?")
    expect(operator.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Go to Alarms")
    in_both_themes(operator, "shortcuts")


def test_operations_drawer_on_any_page(operator: Page) -> None:
    operator.goto("/alarms")
    door = operator.get_by_role("button", name=re.compile("^Operations: none|operations? in progress"))
    door.click()
    drawer = operator.get_by_role("complementary", name="Operations")
    expect(drawer.get_by_role("heading", name="Operations", exact=True)).to_be_focused()
    expect(drawer.get_by_role("region", name="In progress")).to_be_visible()
    in_both_themes(operator, "operations")
    palette(operator, "cloud")
    operator.keyboard.press("Escape")  # in the palette: closes that alone
    expect(operator.get_by_role("combobox", name="Search")).to_be_hidden()
    expect(drawer).to_be_visible()
    operator.keyboard.press("Escape")
    expect(door).to_be_focused()
