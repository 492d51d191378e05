"""How many clicks and typed characters a newcomer needs after the login, with the routers and policies of `./vnfm up`.

Lists that the browser opens, and its dialog of files, take further clicks, which no page sees.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import log_in
from tests.factories.templates import FIXTURES
from tests.installation import Product

LONG = 90_000
"""Milliseconds that the poller, or an operation, may take on a busy machine."""

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

_COUNT = """
for (const kind of ["click", "keydown"])
    addEventListener(kind, event => {
        const done = event.isTrusted && (kind === "keydown" || event.detail > 0);
        if (done) sessionStorage[kind] = Number(sessionStorage[kind] ?? 0) + 1;
    }, true);
"""
"""A keyboard's click and one that a script makes have the detail 0."""


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with Product(Path(tmp_path_factory.mktemp("effort")), scene=True) as running:
        yield running


def _effort(page: Page) -> tuple[int, int]:
    """Clicks and typed characters since the last call."""
    clicks, keys = page.evaluate("() => ['click', 'keydown'].map(kind => Number(sessionStorage[kind] ?? 0))")
    page.evaluate("() => ['click', 'keydown'].forEach(kind => sessionStorage.removeItem(kind))")
    return clicks, keys


def _deploy(page: Page) -> None:
    """A VNF that runs, once the wizard has all that it needs."""
    deploy = page.get_by_role("button", name="Create and deploy")
    expect(deploy).to_be_enabled(timeout=LONG)
    deploy.click()
    page.wait_for_url(re.compile(r"/instances/[0-9a-f-]{36}"))
    expect(page.get_by_text("Instantiated", exact=True).first).to_be_visible(timeout=LONG)


def test_from_the_login_to_what_one_came_for(page: Page, product: Product) -> None:
    page.add_init_script(_COUNT)
    log_in(page, product)
    menu = page.get_by_role("navigation", name="Main")
    _effort(page)

    menu.get_by_role("link", name="Catalog").click()
    page.get_by_role("link", name="Instantiate Nokia VSR-PE", exact=True).click()
    page.get_by_role("button", name="Skip to plan").click()
    _deploy(page)
    assert _effort(page) == (4, 0), "a VNF of the catalog"

    [core] = product.get("/api/v1/elements?filter=(eq,name,core-1)")
    product.post(f"/api/v1/elements/{core['id']}", method="DELETE")
    menu.get_by_role("link", name="Elements").click()
    page.get_by_role("button", name="Register an element").first.click()
    dialog = page.get_by_role("dialog")
    page.keyboard.type("core-1")
    page.keyboard.press("Tab")
    page.keyboard.type(core["managementAddress"])
    policy = dialog.get_by_role("combobox", name="SNMP policy")
    policy.click()
    page.get_by_role("option").filter(has_text="simulated-routers").first.click()
    dialog.get_by_role("button", name="Register").click()
    expect(page.get_by_text("Reachable").first).to_be_visible(timeout=LONG)
    typed = len("core-1") + 1 + len(core["managementAddress"])
    assert _effort(page) == (5, typed), "a physical router"

    menu.get_by_role("link", name="Catalog").click()
    page.get_by_role("button", name="Onboard a VNF package").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files…").click()
    chooser.value.set_files(sorted((FIXTURES / "scaling").rglob("*.yaml")))
    onboard = page.get_by_role("dialog").get_by_role("button", name="Onboard", exact=True)
    expect(onboard).to_be_enabled(timeout=LONG)
    onboard.click()
    page.get_by_role("link", name="Show the package").click(timeout=LONG)
    page.get_by_role("link", name="Instantiate").first.click()
    page.get_by_role("button", name="Skip to plan").click()
    choices = {
        "Image": "tiny",
        "Flavor of the control VM": "m1.small",
        "Flavor of the line cards": "m1.small",
        "Network towards the core": "public",
    }
    for label, choice in choices.items():
        field = page.get_by_role("combobox", name=label, exact=True)
        field.select_option(field.locator("option").filter(has_text=choice).first.get_attribute("value"))
    page.get_by_role("button", name="Skip to plan").click()
    _deploy(page)
    assert _effort(page) == (9, 0), "templates of one's own"
