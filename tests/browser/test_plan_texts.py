"""The wizard before anything runs: who gave a setting, and what the plan changes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.operations import deploy
from tests.support.installation import Product

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
LONG = 90_000
"""Milliseconds that a plan may take on a busy machine."""


def test_wizard_names_origins_of_settings_and_plan_begins_with_its_summary(operator: Page, product: Product) -> None:
    page = operator
    page.goto(f"/instances/new?vnfd={product.vnfd_id()}")
    page.get_by_role("button", name="Next", exact=True).click()
    address = page.get_by_label("Active control VM address")
    expect(address).not_to_have_value("")
    expect(page.locator(".vm-origin").filter(has_text="package's default").first).to_be_visible()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("deploy", re.IGNORECASE))).to_be_enabled(timeout=LONG)
    plan = page.locator(".vm-plan")
    expect(plan.locator("> *").first).to_have_text(re.compile(r"^\+3 VMs \(slots A, B, 1\), \+12 vCPUs"))
    defaults = plan.get_by_role("button", name=re.compile(r"^Package defaults \(\d+\)$"))
    expect(defaults).to_have_attribute("aria-expanded", "false")


def test_plan_of_scale_out_begins_with_its_summary_and_folds_what_stays(operator: Page, product: Product) -> None:
    instance, location = deploy(product, "pe-texts")
    assert product.over(location)["operationState"] == "COMPLETED"
    operator.goto(f"/instances/{instance}")
    operator.get_by_role("button", name="Scale out", exact=True).click()
    dialog = operator.get_by_role("dialog")
    first = dialog.locator(".vm-plan > *").first
    expect(first).to_have_text(re.compile(r"^\+1 VM \(slot 2\), \+4 vCPUs.*no interruption$"), timeout=LONG)
    stays = dialog.get_by_role("button", name=re.compile(r"^Unchanged \(\d+\)$"))
    expect(stays).to_have_attribute("aria-expanded", "false")
    stays.click()
    expect(dialog.get_by_role("table", name="Unchanged resources")).to_contain_text("Slot A (Control VM)")
