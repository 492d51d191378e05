"""EANTC's flow by mouse: catalog → cloud → settings → size → plan → deploy → scale out → alarm → terminate."""

import re

import openstack
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import assert_accessible, log_in, picture
from tests.support.installation import Product

LONG = 90_000
"""Milliseconds that an operation on the simulated cloud may take on a busy machine."""

pytestmark = [pytest.mark.browser, pytest.mark.essential, pytest.mark.timeout(600)]


def _heading(page: Page, name: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", name=name).first).to_be_visible()


def _ended(page: Page, operation: str) -> None:
    """The operation shows as completed on the instance page."""
    page.get_by_role("tab", name="Operations").click()
    panel = page.get_by_role("tabpanel", name="Operations")
    expect(panel.get_by_text(operation).first).to_be_visible(timeout=LONG)
    expect(panel.get_by_text("Completed").first).to_be_visible(timeout=LONG)


def _stop_behind_its_back(product: Product, name: str, *, start: bool = False) -> None:
    status = product.status()
    config = openstack.config.OpenStackConfig(config_files=[status["clouds_yaml"]])
    cloud = openstack.connection.Connection(config=config.get_one(status["cloud"]))
    server = next(s for s in cloud.compute.servers() if s.name == name)
    (cloud.compute.start_server if start else cloud.compute.stop_server)(server)


def test_the_whole_flow_by_mouse(page: Page, product: Product) -> None:
    log_in(page, product)
    assert_accessible(page)
    picture(page, "catalog")
    page.get_by_role("link", name="Instantiate Nokia VSR-PE").click()

    _heading(page, "Choose a cloud")
    assert_accessible(page)
    page.get_by_role("radio", name="cloudsim").check()
    page.get_by_role("button", name="Next").click()

    page.get_by_label("Name", exact=True).fill("pe-browser")
    address = page.get_by_label("Active control VM address")
    address.fill("not an address")
    page.get_by_role("button", name="Next").click()
    expect(address).to_have_attribute("aria-invalid", "true")
    picture(page, "settings-error")
    address.fill("10.10.0.30")
    assert_accessible(page)
    picture(page, "settings")
    page.get_by_role("button", name="Next").click()

    _heading(page, "Choose a size")
    assert_accessible(page)
    picture(page, "size")
    page.get_by_role("button", name="Next").click()

    deploy = page.get_by_role("button", name=re.compile("deploy", re.IGNORECASE))
    expect(deploy).to_be_enabled(timeout=LONG)
    assert_accessible(page)
    picture(page, "plan")
    deploy.click()

    expect(page.get_by_role("heading", name="pe-browser", level=1)).to_be_visible()
    picture(page, "deploying")
    expect(page.get_by_role("button", name="Scale out", exact=True)).to_be_enabled(timeout=LONG)
    assert_accessible(page)
    picture(page, "instance")

    page.get_by_role("button", name="Scale out", exact=True).click()
    dialog = page.get_by_role("dialog")
    confirm = dialog.get_by_role("button", name="Scale out", exact=True)
    expect(confirm).to_be_enabled(timeout=LONG)
    assert_accessible(page)
    picture(page, "scale-out")
    confirm.click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("cell", name="pe-browser-iom-2").first).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="Scale out", exact=True)).to_be_enabled(timeout=LONG)

    _stop_behind_its_back(product, "pe-browser-iom-2")
    page.get_by_role("link", name=re.compile("^Alarms")).first.click()
    alarm = page.get_by_role("row").filter(has_text="pe-browser-iom-2").filter(has_text="VM down")
    expect(alarm).to_contain_text("server stopped", timeout=LONG)
    assert_accessible(page)
    picture(page, "alarms")
    alarm.get_by_role("button", name=re.compile("^Acknowledge")).click()
    _stop_behind_its_back(product, "pe-browser-iom-2", start=True)
    expect(alarm).to_have_count(0, timeout=LONG)

    page.get_by_role("link", name="VNF instances").first.click()
    _heading(page, "VNF instances")
    picture(page, "instances")
    page.get_by_role("link", name="pe-browser").click()
    page.get_by_role("button", name="Terminate").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the instance").fill("pe-browser")
    dialog.get_by_label("Termination").select_option("FORCEFUL")
    confirm = dialog.get_by_role("button", name="Terminate")
    expect(confirm).to_be_enabled(timeout=LONG)
    picture(page, "terminate")
    confirm.click()
    expect(page.get_by_role("button", name="Delete")).to_be_enabled(timeout=LONG)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    _heading(page, "VNF instances")
    expect(page.get_by_role("link", name="pe-browser")).to_have_count(0)


def test_every_page_is_accessible_in_the_dark(page: Page, product: Product) -> None:
    page.emulate_media(color_scheme="dark")
    log_in(page, product)
    for name in ("Catalog", "VNF instances", "Alarms", "Clouds"):
        page.get_by_role("link", name=re.compile(f"^{name}")).first.click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        assert_accessible(page)
        picture(page, f"dark-{name.lower().replace(' ', '-')}")
    page.get_by_role("link", name="cloudsim").first.click()
    expect(page.get_by_role("heading", name="cloudsim", level=1)).to_be_visible()
    assert_accessible(page)
    picture(page, "dark-cloud")
