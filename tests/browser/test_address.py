"""The address holds how a page is looked at, and Back takes back what was asked of it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.console import Console
from tests.browser.steps import filters

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def visitor(browser: Browser, console: Console) -> Iterator[Page]:
    context = browser.new_context(base_url=console.url, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def test_overview_count_links_to_its_list_and_back(visitor: Page) -> None:
    visitor.goto("/?mock=usual")
    visitor.get_by_role("list", name="VNF instances by state").get_by_role("link").first.click()
    expect(visitor).to_have_url(re.compile(r"/instances\?health="))
    expect(filters(visitor).get_by_role("combobox", name="Availability")).not_to_have_value("")
    visitor.go_back()
    expect(visitor.get_by_role("heading", name="Overview", level=1)).to_be_visible()


def test_back_undoes_filters_and_order(visitor: Page) -> None:
    visitor.goto("/instances?mock=many")
    table = visitor.get_by_role("table", name="VNF instances")
    expect(table).to_be_visible()
    filters(visitor).get_by_role("combobox", name="Instantiation state").select_option(label="Not instantiated")
    expect(visitor.get_by_text("Nothing matches")).to_be_visible()
    visitor.go_back()
    expect(visitor.get_by_role("combobox", name="Instantiation state")).to_have_value("")
    visitor.get_by_role("button", name="Name", exact=True).click()
    expect(visitor).to_have_url(re.compile("sort=-name"))
    visitor.get_by_role("textbox", name="Search VNF instances").fill("edge-19")
    expect(visitor).to_have_url(re.compile("search=edge-19"))
    expect(table.get_by_role("rowheader").first).to_have_text("edge-1999")
    visitor.go_back()
    expect(visitor).not_to_have_url(re.compile("sort="))
    visitor.goto("/instances?mock=usual")


def test_back_and_reload_keep_tabs_and_parts(visitor: Page) -> None:
    visitor.goto("/elements?mock=usual")
    visitor.get_by_role("link", name="fra-pe-1").click()
    visitor.get_by_role("tab", name="Counters").click()
    visitor.get_by_role("combobox", name="Period").select_option(label="Last 24 hours")
    expect(visitor).to_have_url(re.compile(r"tab=counters.*hours=24"))
    visitor.reload()
    expect(visitor.get_by_role("combobox", name="Period")).to_have_value("24")
    visitor.go_back()
    expect(visitor.get_by_role("combobox", name="Period")).to_have_value("1")
    visitor.go_back()
    expect(visitor.get_by_role("tab", name="Equipment")).to_have_attribute("aria-selected", "true")
