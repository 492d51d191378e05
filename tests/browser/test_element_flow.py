"""A router from its registration to its deletion; one of its ports, all that is known of it; and the whole network."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.routers import LONG, policy_for, router, site
from tests.browser.steps import in_both_themes, picture
from tests.support.installation import Product
from tests.support.routersim_process import RoutersimProcess

SITE = "Flow hall"
ROUTER, MATE, NEWCOMER, RENAMED = "flow-pe-1", "flow-pe-2", "flow-pe-3", "flow-pe-4"
ADDRESSES = {ROUTER: "127.77.8.1", MATE: "127.77.8.2", NEWCOMER: "127.77.8.3"}
SMALL = {"cards": 1, "mdas": 1, "ports": 3}
BUSY, BROKEN, SHUT = "1/1/1", "1/1/2", "1/1/3"
"""Ports: the one with traffic and a neighbour, the one that goes down, the one that is brought down."""

pytestmark = [pytest.mark.browser, pytest.mark.essential, pytest.mark.timeout(300)]


class Flow(NamedTuple):
    sim: RoutersimProcess
    element: str


@pytest.fixture(scope="module")
def flow(routersim: RoutersimProcess, product: Product) -> Iterator[Flow]:
    """Two 7750 SR-12 of one site with a cable between them, whose traps go to the product."""
    parts = {**SMALL, "trapTargets": [product.traps]}
    links = [{"port": BUSY, "neighbour": MATE, "neighbourPort": BUSY}]
    with (
        site(product, SITE) as place,
        router(product, routersim, MATE, ADDRESSES[MATE], site=place, **parts),
        router(product, routersim, ROUTER, ADDRESSES[ROUTER], site=place, links=links, **parts) as made,
    ):
        routersim.fault(ROUTER, "traffic", port=BUSY, rateIn=500_000_000, rateOut=1000)
        yield Flow(routersim, made)


def _begins(name: str) -> re.Pattern[str]:
    """In a selector a slash would end the expression."""
    return re.compile(rf"^{name.replace('/', '.')}\b")


def _part(page: Page, name: str, of: str = ROUTER) -> Locator:
    tree = page.get_by_role("tree", name=f"Equipment of {of}")
    return tree.get_by_role("treeitem", name=_begins(name))


def _chosen(page: Page, port: str) -> Locator:
    """The details of a port."""
    _part(page, f"Port {port}").click()
    return page.get_by_role("region", name=f"Port {port}")


def _choose_action(page: Page, deed: str) -> None:
    page.get_by_role("button", name="Actions", exact=True).click()
    page.get_by_role("menuitem", name=deed, exact=True).click()


def _chooses(page: Page, dialog: Locator, label: str, name: str) -> None:
    dialog.get_by_role("combobox", name=label).fill(name)
    page.get_by_role("option", name=name, exact=True).click()


def test_the_typed_address_presets_the_policies(operator: Page, flow: Flow) -> None:
    page = operator
    page.goto("/elements")
    page.get_by_role("button", name="Register an element").first.click()
    dialog = page.get_by_role("dialog", name="Register a network element")
    snmp = dialog.get_by_role("combobox", name="SNMP policy")
    expect(snmp).to_have_value("")
    dialog.get_by_label("Name", exact=True).fill("core-of-a-customer")
    dialog.get_by_label("Management address").fill("203.0.113.7")
    expect(snmp).to_have_value("")
    dialog.get_by_label("Management address").fill(ADDRESSES[NEWCOMER])
    expect(snmp).to_have_value(f"{ROUTER}-v2c")
    expect(dialog.get_by_role("combobox", name="SSH policy")).to_have_value(f"{ROUTER}-ssh")

    _chooses(page, dialog, "SNMP policy", f"{MATE}-v2c")
    dialog.get_by_label("Management address").fill("203.0.113.7")
    expect(snmp).to_have_value(f"{MATE}-v2c")
    dialog.get_by_role("button", name="Register").click()
    refusal = f"The secrets of the policy {MATE}-v2c may be sent to 127.0.0.0/8 only, not to 203.0.113.7."
    expect(dialog.get_by_text(refusal)).to_have_count(1)
    expect(dialog.get_by_text("HTTP")).to_have_count(0)
    in_both_themes(page, "element-register-refused")


def test_element_from_registration_to_deletion(operator: Page, product: Product, flow: Flow) -> None:
    page = operator
    with policy_for(product, flow.sim, NEWCOMER, ADDRESSES[NEWCOMER], **SMALL):
        page.goto(f"/elements?name={NEWCOMER}")
        page.get_by_role("button", name="Register an element").first.click()
        dialog = page.get_by_role("dialog", name="Register a network element")
        dialog.get_by_label("Name", exact=True).fill(NEWCOMER)
        dialog.get_by_label("Management address").fill(ADDRESSES[NEWCOMER])
        _chooses(page, dialog, "SNMP policy", f"{NEWCOMER}-v2c")
        picture(page, "element-register")
        dialog.get_by_role("button", name="Register").click()
        expect(page.get_by_role("heading", name=NEWCOMER, level=1)).to_be_visible()
        expect(_part(page, "Card 1", NEWCOMER)).to_contain_text("In service", timeout=LONG)

        _choose_action(page, "Edit")
        dialog = page.get_by_role("dialog", name=f"Edit {NEWCOMER}")
        dialog.get_by_label("Name", exact=True).fill(RENAMED)
        _chooses(page, dialog, "Site", SITE)
        in_both_themes(page, "element-edit")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name=RENAMED, level=1)).to_be_visible()
        expect(page.get_by_text(re.compile(rf"{re.escape(ADDRESSES[NEWCOMER])} · {SITE}"))).to_be_visible()

        _choose_action(page, "Unmanage")
        dialog = page.get_by_role("dialog", name=f"Unmanage: {RENAMED}")
        in_both_themes(page, "element-unmanage")
        dialog.get_by_role("button", name="Unmanage").click()
        expect(page.get_by_role("heading", name="No equipment")).to_be_visible(timeout=LONG)
        expect(page.get_by_text("Unmanaged", exact=True).first).to_be_visible()
        in_both_themes(page, "element-unmanaged")
        page.get_by_role("button", name="Manage", exact=True).click()
        expect(_part(page, "Card 1", RENAMED)).to_contain_text("In service", timeout=LONG)

        _choose_action(page, "Delete")
        dialog = page.get_by_role("dialog", name=f"Delete {RENAMED}")
        dialog.get_by_label("Name of the element").fill(RENAMED)
        picture(page, "element-delete")
        dialog.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("heading", name="Elements", level=1)).to_be_visible()
        page.goto(f"/elements?name={RENAMED}")
        expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()


def test_port_traffic_counters_and_alarm(operator: Page, flow: Flow) -> None:
    page = operator
    page.goto(f"/elements/{flow.element}")
    expect(_part(page, f"Port {BUSY}")).to_be_visible(timeout=LONG)
    panel = _chosen(page, BUSY)
    expect(panel.get_by_text("In service").first).to_be_visible(timeout=LONG)
    expect(panel.get_by_role("region", name="Interface", exact=True)).to_contain_text("10 Gbit/s")
    expect(
        panel.get_by_role("region", name="Neighbours", exact=True).get_by_role("link", name=MATE).first
    ).to_be_visible(timeout=LONG)
    traffic = panel.get_by_role("region", name="Traffic")
    expect(traffic.get_by_text(re.compile(r"Gbit.s, [\d.]+ % of speed$")).first).to_be_visible(timeout=LONG)
    in_both_themes(page, "element-port")

    traffic.get_by_role("link", name="Counters over time").click()
    expect(page.get_by_label("Object")).to_have_value(BUSY)
    chart = page.get_by_role("slider", name="Utilisation: point in time")
    chart.focus()
    page.keyboard.press("End")
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r"in [\d.]+ %"), timeout=LONG)
    in_both_themes(page, "element-counters")

    flow.sim.fault(ROUTER, "port-down", port=BROKEN)
    page.get_by_role("tab", name="Traps").click()
    trap = page.get_by_role("table", name="Traps").get_by_role("row").filter(has_text="linkDown")
    expect(trap.first).to_be_visible(timeout=LONG)
    in_both_themes(page, "element-traps")

    page.get_by_role("tab", name="Equipment").click()
    panel = _chosen(page, SHUT)
    panel.get_by_role("button", name="Shut down").click()
    dialog = page.get_by_role("dialog", name=f"Shut down Port {SHUT}")
    dialog.get_by_role("button", name="Shut down").click()
    sure = dialog.get_by_role("checkbox", name="Not the management port")
    sure.check()
    in_both_themes(page, "element-port-shut-down")
    dialog.get_by_role("button", name="Shut down").click()
    expect(dialog).to_be_hidden()
    expect(_part(page, f"Port {SHUT}")).to_contain_text("Shut down", timeout=LONG)
    expect(panel.get_by_role("button", name="Bring up")).to_be_visible()
    picture(page, "element-port-is-shut-down")


def test_network_tree_down_to_a_port_and_its_alarm(operator: Page, flow: Flow) -> None:
    page = operator
    flow.sim.fault(ROUTER, "port-down", port=BROKEN)
    page.goto("/elements")
    page.get_by_role("button", name="Tree").click()
    tree = page.get_by_role("tree", name="Network")

    def line(name: str) -> Locator:
        return tree.get_by_role("treeitem", name=_begins(name))

    expect(line(SITE)).to_contain_text("2 elements")
    for name, first in ((SITE, ROUTER), (ROUTER, "Card 1"), ("Card 1", "MDA 1/1"), ("MDA 1/1", f"Port {BROKEN}")):
        line(name).focus()
        page.keyboard.press("ArrowRight")
        expect(line(name)).to_have_attribute("aria-expanded", "true")
        expect(line(first)).to_be_visible(timeout=LONG)
    numbers = line(f"Port {BROKEN}").get_by_role("link", name=f"active alarms of Port {BROKEN} of {ROUTER}")
    expect(numbers).to_be_visible(timeout=LONG)
    for name in (SITE, ROUTER, "Card 1"):
        expect(line(name).get_by_role("link", name=re.compile("active alarms of"))).to_be_visible(timeout=LONG)
    in_both_themes(page, "network-tree")
    numbers.click()
    expect(page.get_by_role("table", name="Alarms", exact=True).get_by_role("link", name="Port down")).to_have_count(1)
    page.go_back()
    expect(line(f"Port {BROKEN}")).to_be_visible()
