"""The page of an instance: console and log of a VM, notes, diagram by keyboard, history; and the performance page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from launcher.ports import free_port
from tests.browser import routers
from tests.browser.steps import in_both_themes, picture
from tests.support.installation import Product
from tests.support.routersim_process import RoutersimProcess

LONG = 90_000
"""Milliseconds that an operation on the simulated cloud, or a reading of counters, may take on a busy machine."""
NAME = "pe-page"
ADDRESS = "127.77.3.1"
OWN, OWN_ADDRESS = f"{NAME}-router", "127.77.3.2"
"""The network element that the instance is."""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def instance(product: Product) -> str:
    """The id of a VSR-PE that was deployed by the API."""
    made = product.create(NAME, product.vnfd_id())
    assert product.over(product.instantiate(made, product.vim_id()))["operationState"] == "COMPLETED"
    return made


@pytest.fixture
def instance_page(operator: Page, instance: str) -> Page:
    """Its page, when all is up."""
    operator.goto(f"/instances/{instance}")
    expect(operator.get_by_role("button", name="Scale out", exact=True)).to_be_enabled(timeout=LONG)
    return operator


def _choose(page: Page, vnfc: str, deed: str) -> None:
    page.get_by_role("button", name=f"Menu of {vnfc}").click()
    page.get_by_role("menuitem", name=deed).click()


def test_console_and_log_of_a_vm(instance_page: Page) -> None:
    page = instance_page
    picture(page, "instance-summary")
    _choose(page, f"{NAME}-cpm-a", "Console")
    drawer = page.get_by_role("complementary", name=f"Console of {NAME}-cpm-a")
    link = drawer.get_by_role("link", name="Open in a new tab")
    expect(link).to_have_attribute("href", re.compile("token="))
    expect(link).to_have_attribute("rel", re.compile("noopener"))
    in_both_themes(page, "instance-console")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()

    _choose(page, f"{NAME}-cpm-a", "Log")
    log = page.get_by_role("complementary", name=f"Log of {NAME}-cpm-a")
    expect(log.get_by_text("Linux version")).to_be_visible()
    with page.expect_download() as saved:
        log.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename == f"{NAME}-cpm-a.log"
    log.get_by_role("button", name="Refresh").click()
    expect(log.get_by_role("button", name="Refresh")).to_be_enabled()
    in_both_themes(page, "instance-log")


def test_the_diagram_by_keyboard(instance_page: Page) -> None:
    page = instance_page
    page.get_by_role("tab", name="Topology").click()
    box = page.get_by_label(re.compile(f"^VNFC {NAME}-cpm-a, Slot A "))
    expect(box).to_be_visible()
    box.focus()
    page.keyboard.press("Enter")
    facts = page.get_by_role("region", name=f"{NAME}-cpm-a")
    expect(facts.get_by_text("Server")).to_be_visible()
    line = page.get_by_label(re.compile(f"^Port .* of {NAME}-cpm-a on .*: Up$")).first
    line.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=re.compile("^Port "))).to_be_visible()
    in_both_themes(page, "instance-topology")


def test_notes_and_history(instance_page: Page) -> None:
    page = instance_page
    page.get_by_role("tab", name="Notes").click()
    page.get_by_label("New note").fill("Moved to rack 12")
    page.get_by_role("button", name="Add the note").click()
    expect(page.get_by_text("Moved to rack 12")).to_be_visible()
    in_both_themes(page, "instance-notes")
    page.get_by_role("tab", name="History").click()
    history = page.get_by_role("table", name="History")
    expect(history.get_by_text("Moved to rack 12")).to_be_visible()
    expect(history.get_by_role("link", name="Instantiate")).to_be_visible()
    in_both_themes(page, "instance-history")
    page.get_by_role("tab", name="Notes").click()
    page.get_by_role("button", name=re.compile("^Delete the note")).click()
    expect(page.get_by_text("No notes yet.")).to_be_visible()


def test_no_metrics_without_an_element(instance_page: Page) -> None:
    page = instance_page
    page.get_by_role("tab", name="Performance").click()
    expect(page.get_by_role("heading", name="No metrics")).to_be_visible()
    in_both_themes(page, "instance-performance")


@pytest.fixture(scope="module")
def router(routersim: RoutersimProcess, product: Product) -> Iterator[None]:
    """A 7750 SR-12 that carries traffic, registered and counted."""
    with (
        routers.policy_for(product, routersim, "busy-pe", ADDRESS) as snmp,
        routers.element(product, "busy-pe", ADDRESS, snmpPolicyId=snmp),
    ):
        routersim.fault("busy-pe", "traffic", port="1/1/1", rateIn=500_000_000, rateOut=1000)
        yield


@pytest.mark.usefixtures("router")
def test_the_busiest_are_compared(operator: Page) -> None:
    page = operator
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Performance").click()
    expect(page.get_by_role("heading", name="Performance", level=1)).to_be_visible()
    in_both_themes(page, "performance-empty")
    row = page.get_by_role("row", name=re.compile("busy-pe"))
    expect(row.first).to_be_visible(timeout=2 * LONG)
    row.get_by_role("button", name="Compare busy-pe 1/1/1", exact=True).click()
    chart = page.get_by_role("slider", name="Utilisation and load: point in time")
    expect(chart).to_be_visible()
    chart.focus()
    page.keyboard.press("End")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("busy-pe · 1/1/1 · utilisation in"))
    assert "series=" in page.url
    in_both_themes(page, "performance")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Series as CSV", exact=True).click()
    assert saved.value.suggested_filename == "series.csv"
    page.reload()
    expect(chart).to_be_visible()
    page.get_by_label("Objects").select_option("elements")
    expect(page.get_by_role("columnheader", name="CPU")).to_be_visible()


@pytest.fixture(scope="module")
def own_router(product: Product, instance: str, routersim: RoutersimProcess) -> Iterator[None]:
    """The instance as a router that is read, and that one may log in to."""
    ssh = free_port()
    with (
        routers.policy_for(product, routersim, OWN, OWN_ADDRESS, sshPort=ssh) as snmp,
        routers.login_for(product, OWN, ssh) as login,
        routers.element(
            product, OWN, OWN_ADDRESS, kind="VIRTUAL", vnfInstanceId=instance, snmpPolicyId=snmp, sshPolicyId=login
        ),
    ):
        yield


@pytest.mark.usefixtures("own_router")
def test_an_instance_is_looked_at_as_the_router_that_it_is(instance_page: Page) -> None:
    page = instance_page
    page.get_by_role("tab", name="Element").click()
    tree = page.get_by_role("tree", name=f"Equipment of {OWN}")
    expect(tree.get_by_role("treeitem", name=re.compile(r"^Port 1.1.1\b"))).to_be_visible(timeout=LONG)
    in_both_themes(page, "instance-element")
    page.get_by_role("tab", name="Interfaces").click()
    expect(page.get_by_role("link", name="1/1/1", exact=True).first).to_be_visible()
    page.get_by_role("tab", name="Configuration").click()
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_role("table", name="Versions").get_by_role("row")).to_have_count(2, timeout=LONG)
    in_both_themes(page, "instance-configuration")
    page.get_by_role("tab", name="Performance").click()
    expect(page.get_by_role("slider", name=re.compile("point in time$"))).to_be_visible(timeout=LONG)
    in_both_themes(page, "instance-performance-counted")


@pytest.mark.usefixtures("router", "own_router")
def test_physical_and_virtual_routers_are_in_one_list(operator: Page) -> None:
    operator.goto("/elements")
    for name, kind in (("busy-pe", "Physical"), (OWN, "Virtual")):
        row = operator.get_by_role("row", name=re.compile(f"^{name} "))
        expect(row).to_contain_text(kind)
        expect(row.get_by_text("Reachable")).to_be_visible(timeout=LONG)
