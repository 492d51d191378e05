"""A cloud from its registration to its deletion: refused in Keystone's words, tried, changed, and forgotten."""

import re
from collections.abc import Iterator

import pytest
from openstack.config import OpenStackConfig
from playwright.sync_api import Locator, Page, expect

from tests.browser.operations import LONG
from tests.browser.steps import in_both_themes, picture
from tests.support.cloudsim_process import CloudsimProcess

NAME, CHANGED = "north", "north-2"
FILTERS = ("NUMATopologyFilter", "PciPassthroughFilter")
KEYSTONE = "The request you have made requires authentication"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def north(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    """An unregistered, empty cloud."""
    with CloudsimProcess(tmp_path_factory.mktemp("north")) as process:
        yield process


def _password(cloud: CloudsimProcess) -> str:
    config = OpenStackConfig(config_files=[str(cloud.clouds_yaml)])
    return str(config.get_one("cloudsim").config["auth"]["password"])


def _is_refused(form: Locator, typed: dict[str, str], button: str) -> None:
    """In Keystone's words and at the fields to blame, and nothing that was typed is lost."""
    form.get_by_label("Password", exact=True).fill("wrong")
    form.get_by_role("button", name=button).click()
    problem = form.get_by_role("alert")
    expect(problem.get_by_role("list", name="Causes")).to_contain_text(KEYSTONE, timeout=LONG)
    expect(problem.get_by_role("list", name="Causes")).to_contain_text("Keystone")
    for label in ("Username", "Password"):
        expect(form.get_by_label(label, exact=True)).to_have_attribute("aria-invalid", "true")
    for label, text in {**typed, "Password": "wrong"}.items():
        expect(form.get_by_label(label, exact=True)).to_have_value(text)


def test_a_cloud_from_its_registration_to_its_deletion(operator: Page, north: CloudsimProcess) -> None:
    page = operator
    page.goto("/clouds")
    page.get_by_role("link", name="Register a cloud").click()
    form = page.get_by_role("form", name="Register a cloud")
    typed = {"Name": NAME, "Authentication URL": north.auth_url, "Project": "vnf", "Username": "vnfm"}
    for label, text in typed.items():
        form.get_by_label(label, exact=True).fill(text)
    _is_refused(form, typed, "Register")
    in_both_themes(page, "cloud-register-refused")
    form.get_by_label("Password", exact=True).fill(_password(north))
    form.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name=NAME, level=1)).to_be_visible(timeout=LONG)
    conditions = page.get_by_role("list", name="Conditions")
    expect(conditions).to_contain_text("Cloud reachable")
    expect(page.get_by_role("table", name="Nova flavors", exact=True)).to_contain_text("m1.tiny")
    in_both_themes(page, "cloud-registered")

    page.get_by_role("button", name=f"Probe now: {NAME}").click()
    expect(page.get_by_role("heading", name=f"Probing {NAME}")).to_be_visible()
    page.get_by_role("tab", name="Monitoring").click()
    watched = page.get_by_role("region", name="Monitoring")
    expect(watched.get_by_text(re.compile(r"^every [\d.]+ s: "))).to_be_visible(timeout=LONG)
    picture(page, "cloud-watched")

    page.get_by_role("link", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Edit cloud")
    changed = {"Name": CHANGED, "Description": "Hall 3", "Scheduler filters": "\n".join(FILTERS)}
    for label, text in changed.items():
        form.get_by_label(label, exact=True).fill(text)
    _is_refused(form, changed, "Save")
    form.get_by_label("Password", exact=True).fill("")
    picture(page, "cloud-edit")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=CHANGED, level=1)).to_be_visible(timeout=LONG)
    expect(page.get_by_role("region", name="Access")).to_contain_text(", ".join(FILTERS))
    expect(page.get_by_text("Hall 3")).to_be_visible()

    page.get_by_role("button", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog", name=f"Delete {CHANGED}")
    in_both_themes(page, "cloud-delete")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Clouds", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="cloudsim", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=CHANGED)).to_have_count(0)
