"""The first ten minutes: routers are there, a VSR-PE on defaults ends with its router managed, five steps tick off.

And how many clicks and typed characters a newcomer needs after the login. Lists that the browser opens, and its dialog
of files, take further clicks, which no page sees.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import assert_accessible, in_both_themes, log_in, picture
from tests.factories.templates import FIXTURES
from tests.support.installation import Product

LONG = 90_000
"""Milliseconds that the poller, or an operation, may take on a busy machine."""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

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
    """The product is started as a newcomer starts it."""
    with Product(Path(tmp_path_factory.mktemp("scene")), scene=True) as running:
        yield running


def _overview(page: Page, done: int) -> Locator:
    """Return the first steps, of which `done` are done."""
    page.get_by_role("link", name="Overview").first.click()
    expect(page.get_by_text(f"{done} of 5 done")).to_be_visible(timeout=LONG)
    return page.get_by_role("list", name="First steps")


def _instantiate_on_defaults(page: Page, name: str) -> None:
    """From the cloud to the plan without another choice than the name; `deploy` at the end."""
    page.get_by_role("radio", name="cloudsim").check()
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Name", exact=True).fill(name)
    expect(page.get_by_text("Management profile Simulated Nokia routers applies")).to_be_visible()
    picture(page, "first-steps-settings")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    deploy = page.get_by_role("button", name=re.compile("deploy", re.IGNORECASE))
    expect(deploy).to_be_enabled(timeout=LONG)
    expect(page.get_by_text("Verify service at 127.30.0.10 within 15 min")).to_be_visible()
    deploy.click()


def _switch(page: Page, action: str) -> None:
    """Shut down a port of core-1, or bring it up."""
    page.get_by_role("button", name=action).click()
    dialog = page.get_by_role("dialog")
    sure = dialog.get_by_role("checkbox")
    dialog.get_by_role("button", name=action).click()
    if action == "Shut down":
        sure.check()
        dialog.get_by_role("button", name=action).click()
    expect(dialog).to_be_hidden(timeout=LONG)


def test_the_first_ten_minutes(page: Page, product: Product) -> None:
    log_in(page, product)
    steps = _overview(page, 0)
    elements = page.get_by_role("list", name="Network elements by state")
    expect(elements.get_by_role("link", name=re.compile(r"4\s*reachable"))).to_be_visible(timeout=LONG)
    in_both_themes(page, "first-steps")

    steps.get_by_role("link", name="Look at a router").click()
    expect(page.get_by_role("heading", name="core-1", level=1)).to_be_visible()
    _overview(page, 1).get_by_role("link", name="Instantiate a VNF").click()
    _instantiate_on_defaults(page, "pe-1")
    scale_out = page.get_by_role("button", name="Scale out", exact=True)
    expect(scale_out).to_be_enabled(timeout=LONG)

    _overview(page, 3).get_by_role("link", name="See its router managed").click()
    expect(page.get_by_role("heading", name="pe-1", level=1)).to_be_visible()
    expect(page.get_by_text("127.30.0.10").first).to_be_visible()
    expect(page.get_by_text("Reachable").first).to_be_visible()
    assert_accessible(page)
    picture(page, "first-steps-router")
    peers = product.get(f"/api/v1/elements/{page.url.rpartition('/')[2]}/bgp_peers")
    assert [(peer["peerAddress"], peer["state"]) for peer in peers] == [("127.20.0.1", "ESTABLISHED")]

    _overview(page, 3).get_by_role("link", name="Scale out").click()
    scale_out.click()
    confirm = page.get_by_role("dialog").get_by_role("button", name="Scale out", exact=True)
    expect(confirm).to_be_enabled(timeout=LONG)
    confirm.click()
    expect(page.get_by_role("cell", name="pe-1-iom-2").first).to_be_visible(timeout=LONG)

    _overview(page, 4).get_by_role("link", name="Raise and clear an alarm").click()
    page.get_by_role("treeitem", name=re.compile(r"^Port 1.1.1\b")).click()
    _switch(page, "Shut down")
    expect(page.get_by_role("button", name="Bring up")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name=re.compile("^Alarms")).first.click()
    alarm = page.get_by_role("row").filter(has_text="core-1").filter(has_text="BGP peer down")
    expect(alarm.first).to_be_visible(timeout=LONG)
    page.go_back()
    _switch(page, "Bring up")
    steps = _overview(page, 5)
    expect(steps.get_by_role("img", name="Done")).to_have_count(5)
    picture(page, "first-steps-done")

    page.get_by_role("button", name="Dismiss").click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    expect(steps).to_have_count(0)


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


def test_from_the_login_to_the_first_result(page: Page, product: Product) -> None:
    page.add_init_script(_COUNT)
    log_in(page, product)
    menu = page.get_by_role("navigation", name="Main")
    _effort(page)

    menu.get_by_role("link", name="Catalog").click()
    page.get_by_role("link", name="Instantiate Nokia VSR-PE", exact=True).click()
    page.get_by_role("button", name="Skip to plan").click()
    _deploy(page)
    assert _effort(page) == (4, 0), "a VNF of the catalog"

    [router] = product.get("/api/v1/elements?filter=(eq,name,edge-1-vs2)")
    product.post(f"/api/v1/elements/{router['id']}", method="DELETE")
    menu.get_by_role("link", name="Elements").click()
    page.get_by_role("button", name="Register an element").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Policies are preset by the address")).to_be_visible()
    page.keyboard.type(router["name"])
    page.keyboard.press("Tab")
    page.keyboard.type(router["managementAddress"])
    expect(dialog.get_by_role("combobox", name="SNMP policy")).not_to_have_value("")
    dialog.get_by_role("button", name="Register").click()
    expect(page.get_by_text("Reachable").first).to_be_visible(timeout=LONG)
    typed = len(router["name"]) + 1 + len(router["managementAddress"])
    assert _effort(page) == (3, typed), "a physical router"

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
