"""A threshold that is set in a chart: its rule, its alarm, the way back to the chart, and its deletion."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.routers import LONG, router
from tests.browser.steps import in_both_themes
from tests.support.installation import Product
from tests.support.routersim_process import RoutersimProcess

NAME = "threshold-pe-1"
RULE = f"{NAME} · CPU"
SMALL = {"cards": 1, "mdas": 1, "ports": 1}

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def element_id(routersim: RoutersimProcess, product: Product) -> Iterator[str]:
    """A router whose processor is busy."""
    with router(product, routersim, NAME, "127.77.12.1", **SMALL) as made:
        routersim.fault(NAME, "load", cpu=93, memory=25)
        yield made


def test_threshold_set_crossed_and_deleted(
    operator: Page, routersim: RoutersimProcess, product: Product, element_id: str
) -> None:
    page = operator
    page.goto(f"/elements/{element_id}?tab=counters")
    chart = page.get_by_role("slider", name="Load: point in time")
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r"CPU [\d.]+ %"), timeout=LONG)
    page.get_by_role("button", name="Set a threshold in Load").click()
    dialog = page.get_by_role("dialog", name="Set a threshold")
    expect(dialog.get_by_label("Name")).to_have_value(RULE)
    expect(dialog.get_by_label("Threshold (%)")).to_have_value(re.compile(r"^[\d.]+$"))
    dialog.get_by_label("Threshold (%)").fill("90")
    dialog.get_by_label("Clears at (%)").fill("80")
    dialog.get_by_label("Severity").select_option("MAJOR")
    in_both_themes(page, "threshold-dialog")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_be_hidden()

    rules = page.get_by_role("region", name="Threshold rules")
    row = rules.get_by_role("row").filter(has_text=RULE)
    expect(row).to_contain_text("CPU above 90 %, clears at 80 %")
    expect(row).to_contain_text(re.compile(r"93 %, beyond since"), timeout=LONG)
    expect(page.get_by_text("clears at 80 %", exact=True)).to_be_visible()
    in_both_themes(page, "threshold-rules")

    page.goto(f"/alarms?text={NAME}")
    alarm = page.get_by_role("table", name="Alarms", exact=True).get_by_role("row").filter(has_text="Threshold crossed")
    expect(alarm).to_contain_text("Major", timeout=LONG)
    alarm.get_by_role("link", name=f"{NAME} cpu").click()
    expect(page).to_have_url(re.compile(r"tab=counters"))

    routersim.fault(NAME, "load", cpu=20, memory=25)
    expect(row).to_contain_text("Within", timeout=LONG)
    expect(row).to_contain_text("1 time")
    row.get_by_role("button", name=f"Delete {RULE}").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No threshold rules yet")).to_be_visible()
