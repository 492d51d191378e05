"""Ctrl+K on the real stack: an instance, a VM, a network element, an IP address and an alarm are found and opened."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.operations import deploy
from tests.browser.routers import LONG, router
from tests.browser.steps import in_both_themes, picture
from tests.support.installation import Product, until
from tests.support.routersim_process import RoutersimProcess

INSTANCE, ROUTER = "pe-sought", "sought-9"
VM = f"{INSTANCE}-iom-1"
PEER = "192.0.2.77"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class SearchTargets(NamedTuple):
    instance: str
    element: str
    address: str
    """The address of an interface of the element, as the element reports it."""


@pytest.fixture(scope="module")
def targets(routersim: RoutersimProcess, product: Product) -> Iterator[SearchTargets]:
    """A VSR-PE that runs, and a 7750 SR-12 whose first port is down."""
    instance, location = deploy(product, INSTANCE)
    peers = [{"address": PEER, "remoteAs": 65077, "port": "1/1/1"}]
    with router(product, routersim, ROUTER, "127.77.7.1", cards=1, mdas=1, ports=2, peers=peers) as made:
        routersim.fault(ROUTER, "port-down", port="1/1/1")

        def addresses() -> list[str] | None:
            interfaces = product.get(f"/api/v1/elements/{made}/interfaces")
            return [address for each in interfaces for address in each["addresses"]] or None

        address = until(addresses, LONG / 1000, "the interfaces are read")[0].partition("/")[0]
        assert product.over(location)["operationState"] == "COMPLETED"
        yield SearchTargets(instance, made, address)


def _opened(page: Page, text: str, group: str, name: str) -> None:
    """Typed into the palette, found as the first of all, and opened by Enter."""
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search and commands")
    palette.get_by_role("combobox", name="Search").fill(text)
    found = palette.get_by_role("group", name=group).get_by_role("option", name=re.compile(f"^{re.escape(name)}"))
    expect(found).to_have_attribute("aria-selected", "true")
    expect(palette.get_by_role("status")).to_be_empty()
    picture(page, f"search-{group.lower().replace(' ', '-')}")
    page.keyboard.press("Enter")
    expect(palette).to_be_hidden()


def _alarmed(product: Product, of: str) -> None:
    until(lambda: product.get(f"/api/v1/alarms/count?text={of}")["count"] or None, LONG / 1000, f"alarms of {of}")


def test_search_and_open_by_keyboard(operator: Page, product: Product, targets: SearchTargets) -> None:
    page = operator
    page.goto("/")
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()

    _opened(page, INSTANCE, "VNF instances", INSTANCE)
    expect(page.get_by_role("heading", name=INSTANCE, level=1)).to_be_visible()
    assert page.url.endswith(f"/instances/{targets.instance}")

    _opened(page, VM, "VMs", VM)
    row = page.get_by_role("table", name="VNFCs", exact=True).locator("tr[aria-current=true]")
    expect(row).to_contain_text(VM)
    expect(row).to_be_in_viewport()

    _opened(page, ROUTER, "Network elements", ROUTER)
    expect(page.get_by_role("heading", name=ROUTER, level=1)).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    _opened(page, targets.address, "IP addresses", targets.address)
    expect(page.get_by_role("heading", name=ROUTER, level=1)).to_be_visible()
    assert f"/elements/{targets.element}" in page.url

    _alarmed(product, f"PortDown {ROUTER}")
    _opened(page, f"PortDown {ROUTER}", "Active alarms", "transmissionError")
    details = page.get_by_role("complementary", name="Port down")
    expect(details.get_by_role("link", name=ROUTER, exact=True)).to_be_visible()
    in_both_themes(page, "search-alarm-opened")
