"""A new alarm: browser notification, assignment, the list of its object, clearing by hand."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.routers import LONG, element
from tests.browser.steps import filters, in_both_themes, picture
from tests.support.installation import Product

NAME, FAULT, VIEW = "alarmed-ne", "Suspended", "Of alarmed-ne"
LISTEN = """
window.notified = [];
window.Notification = class { static permission = "granted"; constructor(title) { notified.push(title); } };
"""
"""A browser without windows shows no notification and allows none: in the place of its own, one that was allowed."""

pytestmark = [pytest.mark.browser, pytest.mark.essential, pytest.mark.timeout(300)]


@pytest.fixture
def element_id(product: Product) -> Iterator[str]:
    """An element without a poller; its id."""
    with element(product, NAME, "127.77.10.1") as made:
        yield made


def _is_the_whole_list(answer: Response) -> bool:
    asked = urlsplit(answer.url)
    return asked.path == "/api/v1/alarms" and "text=" not in asked.query


def _notified_by_the_browser(page: Page) -> None:
    page.get_by_role("button", name="Alert me", exact=True).click()
    notify = page.get_by_role("checkbox", name="Browser notification")
    with page.expect_response(_is_the_whole_list):  # what was there before is not news
        notify.click()
    expect(notify).to_be_checked()
    picture(page, "alarm-tell-me")
    page.keyboard.press("Escape")


def test_alarm_notified_assigned_and_cleared(operator: Page, product: Product, element_id: str) -> None:
    page = operator
    page.add_init_script(LISTEN)
    page.goto(f"/alarms?text={NAME}")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    _notified_by_the_browser(page)
    product.post(f"/api/v1/elements/{element_id}/suspend")
    table = page.get_by_role("table", name="Alarms", exact=True)
    row = table.get_by_role("row").filter(has_text=FAULT)
    expect(row).to_be_visible(timeout=LONG)
    page.wait_for_function("name => notified.includes(name)", arg=f"Critical: {FAULT} of {NAME}")

    filters(page).get_by_label("Grouping", exact=True).select_option("object")
    heading = table.get_by_role("rowheader").filter(has=page.get_by_role("link", name=NAME))
    expect(heading.get_by_role("link", name=re.compile("^1 · Critical"))).to_be_visible()
    in_both_themes(page, "alarms-by-object")
    _saved_as_a_view(page)

    row.get_by_role("link", name=FAULT).click()
    details = page.get_by_role("complementary", name=FAULT)
    details.get_by_role("button", name="Assign to me").click()
    expect(row).to_contain_text("assigned to admin")
    details.get_by_label("Assigned to").fill("night shift")
    details.get_by_role("button", name="Assign", exact=True).click()
    expect(row).to_contain_text("assigned to night shift")
    in_both_themes(page, "alarm-assigned")

    details.get_by_role("button", name="Clear", exact=True).click()
    dialog = page.get_by_role("dialog", name="Clear 1 alarm")
    in_both_themes(page, "alarm-clear")
    dialog.get_by_role("button", name="Clear", exact=True).click()
    expect(dialog).to_be_hidden()
    expect(details.get_by_role("region", name="History")).to_contain_text("Cleared by admin")
    expect(row).to_have_count(0)
    picture(page, "alarm-cleared-by-hand")


def _saved_as_a_view(page: Page) -> None:
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save this view…").click()
    dialog = page.get_by_role("dialog", name="Save this view")
    dialog.get_by_label("Name").fill(VIEW)
    dialog.get_by_role("button", name="Save").click()
    page.goto("/alarms")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name=VIEW, exact=True).click()
    expect(filters(page).get_by_label("Grouping", exact=True)).to_have_value("object")
    expect(page.get_by_label("Search alarms")).to_have_value(NAME)
    page.get_by_role("button", name=f"View: {VIEW}").click()
    page.get_by_role("menuitem", name=f"Remove the view {VIEW}").click()
    expect(page.get_by_role("button", name="Views", exact=True)).to_be_visible()
