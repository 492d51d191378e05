"""From a demand to the wizard with that size, by keyboard, and with axe in both themes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import in_both_themes, log_in
from tests.support.installation import Product

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_a_demand_becomes_a_size_in_the_wizard(page: Page, product: Product) -> None:
    log_in(page, product)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Dimensioning").press("Enter")
    page.get_by_role("combobox", name="VNF").select_option(label="Nokia VSR-PE 0.0.B2-4601")
    page.get_by_role("textbox", name="Frame size (bytes)").fill("64")
    rate = page.get_by_role("textbox", name="Packet rate")
    rate.fill("-1")
    rate.press("Enter")
    expect(rate).to_be_focused()
    expect(rate).to_have_attribute("aria-invalid", "true")
    in_both_themes(page, "dimensioning-refused")

    rate.fill("100")
    rate.press("Enter")
    answer = page.get_by_role("region", name="Result")
    expect(answer.get_by_role("status")).to_contain_text("Not measured: 2 Data path VMs, 4 VMs")
    expect(answer.get_by_role("progressbar", name=re.compile("Packet rate"))).to_be_visible()
    in_both_themes(page, "dimensioning")

    answer.get_by_role("link", name="Use this size").press("Enter")
    page.get_by_role("radio", name="cloudsim").check()
    expect(page.get_by_role("button", name="Next")).to_be_enabled()  # once the settings to begin with are loaded
    page.get_by_role("button", name="Next").press("Enter")
    page.get_by_role("textbox", name="Name", exact=True).fill("pe-sized")
    page.get_by_role("button", name="Next").press("Enter")
    scaled = re.compile("Differs from the level: Data path level 1")
    expect(page.get_by_role("heading", name=scaled)).to_be_visible()
