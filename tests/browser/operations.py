"""An operation as its user has it: asked for on the instance's page, planned, confirmed, followed to its end."""

import re
from http import HTTPStatus
from typing import Any

from playwright.sync_api import Locator, Page, Request, Response, expect

from tests.support.installation import Product

LONG = 60_000
"""Milliseconds that an operation on the simulated cloud may take on a busy machine."""
QUICK = {"boot_seconds": 0.2, "action_seconds": 0.1}
"""The simulated cloud is this fast for those who do not wait for it."""


def deploy(product: Product, name: str, level: str = "") -> tuple[str, str]:
    """A VSR-PE, at the flavour's default level unless one is named: its id, and the op occ that deploys it."""
    instance = product.create(name, product.vnfd_id())
    return instance, product.instantiate(instance, product.vim_id(), level)


def vnfcs(product: Product, instance: str) -> dict[str, dict[str, Any]]:
    """Return the VNFCs by slot."""
    return {vnfc["slot"]: vnfc for vnfc in product.get(f"/api/v1/vnf_instances/{instance}")["vnfcs"]}


def servers(product: Product, instance: str) -> dict[str, str]:
    """Their ids by slot."""
    return {slot: vnfc["serverId"] for slot, vnfc in vnfcs(product, instance).items()}


def row(page: Page, vnfc: str) -> Locator:
    return page.get_by_role("table", name="VNFCs", exact=True).get_by_role("row").filter(has_text=vnfc)


def choose(page: Page, item: str) -> Locator:
    """The dialog behind an item of the menu."""
    page.get_by_role("button", name="Actions", exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()
    return page.get_by_role("dialog")


def planned(dialog: Locator) -> None:
    expect(dialog.get_by_role("list", name="Planned steps")).to_be_visible(timeout=LONG)


def confirm(dialog: Locator, button: str) -> Response:
    """The response to the operation. After a concurrent change the dialog plans again, and the button is pressed once
    more."""
    pressed = dialog.get_by_role("button", name=button, exact=True)
    for _ in range(3):
        expect(pressed).to_be_enabled(timeout=LONG)
        with dialog.page.expect_response(lambda answer: _begins(answer.request)) as begun:
            pressed.click()
        if begun.value.status != HTTPStatus.PRECONDITION_FAILED:
            break
    assert begun.value.ok, begun.value.text()
    expect(dialog).to_be_hidden()
    return begun.value


def _begins(request: Request) -> bool:
    return request.method in {"POST", "PATCH", "DELETE"} and "/plan" not in request.url


def settled(page: Page) -> None:
    expect(page.get_by_role("region", name=re.compile("^Operation "))).to_have_count(0, timeout=LONG)
    expect(page.get_by_role("button", name="Scale out", exact=True)).to_be_enabled(timeout=LONG)


def carried_out(page: Page, product: Product, dialog: Locator, button: str) -> None:
    """Begin it and follow it to its end: the page does not tell what is over from what it has yet to hear of."""
    accepted = confirm(dialog, button)
    assert product.over(accepted.headers["location"])["operationState"] == "COMPLETED"
    settled(page)
