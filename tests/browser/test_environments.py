"""Settings under a name: saved in the wizard, started from, and an instance cloned; with axe in both themes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import in_both_themes, log_in
from tests.support.installation import Product

LONG = 90_000
"""Milliseconds that an operation on the simulated cloud may take on a busy machine."""
VSR_PE = "Instantiate Nokia VSR-PE"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def _next(page: Page, heading: str) -> None:
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def _deploy(page: Page, name: str) -> None:
    """From the settings on; ends at the instance, when it is up."""
    _next(page, "Choose a size")
    _next(page, "Plan")
    deploy = page.get_by_role("button", name="Create and deploy")
    expect(deploy).to_be_enabled(timeout=LONG)
    deploy.click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Scale out", exact=True)).to_be_enabled(timeout=LONG)


def _terminate(page: Page, name: str) -> None:
    page.get_by_role("button", name="Terminate").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the instance").fill(name)
    dialog.get_by_label("Termination").select_option("FORCEFUL")
    confirm = dialog.get_by_role("button", name="Terminate")
    expect(confirm).to_be_enabled(timeout=LONG)
    confirm.click()
    expect(page.get_by_role("button", name="Delete")).to_be_enabled(timeout=LONG)


def test_save_environment_start_from_it_and_clone(page: Page, product: Product) -> None:
    log_in(page, product)
    page.get_by_role("link", name=VSR_PE).click()
    page.get_by_role("radio", name="cloudsim").check()
    _next(page, "Check and change settings")
    page.get_by_role("button", name="Advanced", exact=True).click()
    mtu = page.get_by_role("textbox", name="Fabric MTU")
    mtu.fill("1500")
    page.get_by_role("button", name="Save settings as…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("site A")
    dialog.get_by_role("textbox", name="Description").fill("Small frames")
    in_both_themes(page, "environment-save")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Show the environments").click()

    expect(page.get_by_role("row", name=re.compile("site A Small frames cloudsim"))).to_be_visible()
    in_both_themes(page, "environments")
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download site A").click()
    file = downloaded.value
    assert file.suggested_filename == "site-A.env.yaml"
    assert "fabric_mtu: 1500" in file.path().read_text()
    page.get_by_role("button", name="Import a HOT environment").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("File").set_input_files(file.path())
    expect(dialog.get_by_text("1 setting fits")).to_be_visible()
    dialog.get_by_role("textbox", name="Name").fill("site B")
    in_both_themes(page, "environment-import")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Delete site B").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("row", name=re.compile("site B"))).to_have_count(0)

    page.get_by_role("link", name="Instantiate with site A").click()
    expect(page.get_by_role("radio", name="cloudsim")).to_be_checked()
    in_both_themes(page, "start-from")
    _next(page, "Check and change settings")
    page.get_by_role("textbox", name="Name", exact=True).fill("pe-site-a")
    expect(page).to_have_url(re.compile("step=settings"))
    page.reload()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("pe-site-a")
    expect(mtu).to_have_value("1500")
    page.go_back()
    expect(page.get_by_role("heading", name="Choose a cloud")).to_be_visible()
    _next(page, "Check and change settings")
    expect(mtu).to_have_value("1500")
    _deploy(page, "pe-site-a")

    page.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Clone").click()
    expect(page.get_by_role("radio", name="cloudsim")).to_be_checked()
    _next(page, "Check and change settings")
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("pe-site-a-2")
    expect(mtu).to_have_value("1500")
    _deploy(page, "pe-site-a-2")
    _terminate(page, "pe-site-a-2")
