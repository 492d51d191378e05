"""Errors are shown where they occurred, and nothing typed is lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import assert_accessible, log_in, picture
from tests.support.installation import Product

LONG = 60_000

pytestmark = [pytest.mark.browser, pytest.mark.essential, pytest.mark.timeout(600)]


def test_wrong_password_keeps_the_user_name(page: Page, product: Product) -> None:
    page.goto("/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password", exact=True).fill("guess")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_label("Username")).to_have_value("admin")
    assert_accessible(page)


def _register(page: Page, auth_url: str, password: str) -> None:
    page.goto("/clouds/new")
    page.get_by_label("Name", exact=True).fill("other")
    page.get_by_label("Authentication URL").fill(auth_url)
    page.get_by_label("Project", exact=True).fill("vnf")
    page.get_by_label("Username", exact=True).fill("vnfm")
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Register").click()


def test_wrong_cloud_credentials_are_marked_at_the_field(page: Page, product: Product) -> None:
    log_in(page, product)
    known = product.get("/api/v1/vims")
    auth_url = known[0]["authUrl"]
    _register(page, auth_url, "wrong")
    expect(page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true", timeout=LONG)
    expect(page.get_by_label("Name", exact=True)).to_have_value("other")
    picture(page, "cloud-refused")
    assert_accessible(page)
    assert [vim["id"] for vim in product.get("/api/v1/vims")] == [vim["id"] for vim in known], "nothing half-made stays"


def test_unreachable_cloud_is_marked_at_the_field(page: Page, product: Product) -> None:
    log_in(page, product)
    _register(page, "http://127.0.0.1:1/v3", "any")
    expect(page.get_by_label("Authentication URL")).to_have_attribute("aria-invalid", "true", timeout=LONG)


def test_file_that_is_no_package_is_refused(page: Page, product: Product, tmp_path: Path) -> None:
    log_in(page, product)
    known = product.get("/api/v1/vnfds")
    junk = tmp_path / "junk.zip"
    junk.write_bytes(b"this is no zip file")
    page.get_by_role("button", name="Onboard a VNF package").click()
    page.locator("input[type=file]").set_input_files(junk)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("zip", timeout=LONG)
    expect(page.get_by_role("dialog").get_by_role("button", name="Onboard", exact=True)).to_be_disabled()
    assert product.get("/api/v1/vnfds") == known
