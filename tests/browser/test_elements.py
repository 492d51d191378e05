"""A simulated 7750 is registered and seen as a tree; a card is taken out; its alarm is read and acknowledged."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import in_both_themes, picture
from tests.support.installation import Product
from tests.support.routersim_process import RoutersimProcess

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

LONG = 60_000
"""Milliseconds that the poller may take on a busy machine."""
ADDRESS = "127.77.1.1"


@pytest.fixture(scope="module")
def router(routersim: RoutersimProcess, product: Product) -> Iterator[RoutersimProcess]:
    """One 7750 SR-12, and the policy by which it is read."""
    port = routersim.add(name="fra-pe-1", kind="7750-SR-12", address=ADDRESS)["snmpPort"]
    policy = {"name": "lab-v2c", "protocol": "SNMPv2c", "port": port, "community": "public"}
    policy |= {"networks": ["127.0.0.0/8"]}
    product.post("/api/v1/mediation_policies", policy)
    yield routersim
    for element in product.get("/api/v1/elements?filter=(eq,name,fra-pe-1)"):
        product.post(f"/api/v1/elements/{element['id']}", method="DELETE")


def _register(page: Page) -> None:
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Elements").click()
    page.get_by_role("button", name="Register an element").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("fra-pe-1")
    address = dialog.get_by_label("Management address")
    address.fill("nowhere")
    policy, offered = dialog.get_by_role("combobox", name="SNMP policy"), page.get_by_role("option", name="lab-v2c")
    policy.fill("lab")
    expect(offered).to_be_visible()
    page.keyboard.press("Escape")  # in a choice: closes that alone
    expect(offered).to_be_hidden()
    expect(address).to_have_value("nowhere")
    policy.fill("lab")
    offered.click()
    dialog.get_by_role("button", name="Register").click()
    expect(address).to_be_focused()
    expect(address).to_have_attribute("aria-invalid", "true")
    in_both_themes(page, "element-register-refused")
    address.fill(ADDRESS)
    dialog.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="fra-pe-1", level=1)).to_be_visible()


def test_removed_card_raises_an_alarm(operator: Page, router: RoutersimProcess) -> None:
    page = operator
    page.goto("/elements")
    picture(page, "elements-empty")
    _register(page)
    tree = page.get_by_role("tree", name="Equipment of fra-pe-1")
    card = tree.get_by_role("treeitem", name=re.compile("^Card 1"))
    expect(card).to_be_visible(timeout=LONG)
    expect(card).to_contain_text("In service")
    card.click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copy the full name")).to_be_visible()
    in_both_themes(page, "element")

    router.fault("fra-pe-1", "card-out", slot="1")
    page.get_by_role("button", name="Resync", exact=True).click()
    expect(card).not_to_contain_text("In service", timeout=LONG)
    page.get_by_role("tab", name=re.compile("^Alarms")).click()
    alarm = page.get_by_role("link", name="Card down").first
    expect(alarm).to_be_visible(timeout=LONG)
    picture(page, "element-alarms")

    alarm.click()
    details = page.get_by_role("complementary", name="Card down")
    expect(details.get_by_text("Raised when")).to_be_visible()
    details.get_by_role("button", name="Acknowledge").click()
    expect(details.get_by_text("Acknowledged by admin")).to_be_visible()
    in_both_themes(page, "alarm-details")

    page.get_by_role("navigation", name="Main").get_by_role("link", name="Elements").click()
    expect(page.get_by_role("row", name=re.compile("fra-pe-1.*alarm")).first).to_be_visible()
    in_both_themes(page, "elements")
