"""What an operator does to a VNF that runs, by mouse: heal it, change it, cancel, repair drift, let go and adopt.

Every case has an instance of its own, so that one that fails takes no other along.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import in_both_themes, log_in
from tests.installation import Product

LONG = 60_000
"""Milliseconds that an operation on the simulated cloud may take on a busy machine."""
TWO_LOOKS = 150_000
SCALE_OUT = "Scale out"
LET_GO = "pe-free"

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module", autouse=True)
def _cloud(product: Product) -> Iterator[None]:
    """Quick, and one where the VNF manager may create flavors."""
    usual = product.control("GET", "/settings")["settings"]
    quick = {"boot_seconds": 0.2, "action_seconds": 0.1, "flavor_create_role": "member"}
    product.control("PUT", "/settings", quick)
    yield
    product.control("PUT", "/settings", {name: usual[name] for name in quick})


@pytest.fixture(scope="module", autouse=True)
def let_go(product: Product, _cloud: None) -> dict[str, str]:
    """A stack that nobody owns any more, and its servers by slot. It takes the watcher two full looks, a minute apart,
    to show what is unclaimed: they pass during the other cases."""
    instance = product.create(LET_GO, product.vnfd_id())
    product.over(product.instantiate(instance, product.vim_id()))
    servers = _servers(product, instance)
    product.post(f"/api/v1/vnf_instances/{instance}/forget", {"confirm": LET_GO})
    return servers


def _at_work(page: Page, product: Product, name: str, level: str = "") -> str:
    """Deploy a VSR-PE of its own for a case, and open its page; its id."""
    instance = product.create(name, product.vnfd_id())
    location = product.instantiate(instance, product.vim_id(), level)
    log_in(page, product)
    assert product.over(location)["operationState"] == "COMPLETED"
    page.goto(f"/instances/{instance}")
    _settled(page)
    return instance


def _vnfcs(product: Product, instance: str) -> dict[str, dict[str, Any]]:
    """By slot."""
    return {vnfc["slot"]: vnfc for vnfc in product.get(f"/api/v1/vnf_instances/{instance}")["vnfcs"]}


def _servers(product: Product, instance: str) -> dict[str, str]:
    return {slot: vnfc["serverId"] for slot, vnfc in _vnfcs(product, instance).items()}


def _row(page: Page, vnfc: str) -> Locator:
    return page.get_by_role("table", name="VNFCs", exact=True).get_by_role("row").filter(has_text=vnfc)


def _choose(page: Page, item: str) -> Locator:
    """The dialog behind an item of the menu."""
    page.get_by_role("button", name="Actions", exact=True).click()
    page.get_by_role("menuitem", name=item).click()
    return page.get_by_role("dialog")


def _planned(dialog: Locator) -> None:
    expect(dialog.get_by_role("list", name="Planned steps")).to_be_visible(timeout=LONG)


def _confirm(dialog: Locator, button: str) -> None:
    confirm = dialog.get_by_role("button", name=button, exact=True)
    expect(confirm).to_be_enabled(timeout=LONG)
    confirm.click()
    expect(dialog).to_be_hidden()


def _settled(page: Page) -> None:
    expect(page.get_by_role("region", name=re.compile("^Operation "))).to_have_count(0, timeout=LONG)
    expect(page.get_by_role("button", name=SCALE_OUT, exact=True)).to_be_enabled(timeout=LONG)


def test_heal_a_vnfc_that_is_gone(page: Page, product: Product) -> None:
    instance = _at_work(page, product, "pe-heal")
    before = _servers(product, instance)
    product.cloud().compute.delete_server(before["1"])
    expect(_row(page, "pe-heal-iom-1")).to_contain_text("Missing", timeout=LONG)
    in_both_themes(page, "drift-missing")

    page.get_by_role("button", name="Heal", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", name="Heal pe-heal-iom-1")).to_be_checked()
    expect(dialog.get_by_role("checkbox", name="Heal pe-heal-cpm-a")).not_to_be_checked()
    dialog.get_by_label("Cause").fill("deleted by mistake")
    _planned(dialog)
    in_both_themes(page, "heal")
    _confirm(dialog, "Heal")
    _settled(page)
    expect(_row(page, "pe-heal-iom-1")).to_contain_text("Active", timeout=LONG)
    after = _servers(product, instance)
    assert {slot for slot in before if before[slot] != after[slot]} == {"1"}


def test_scale_in_by_name(page: Page, product: Product) -> None:
    instance = _at_work(page, product, "pe-in", "medium")
    before = _servers(product, instance)
    page.get_by_role("button", name="Scale in", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Choose 1 VNFC").check()
    dialog.get_by_role("checkbox", name="Remove pe-in-iom-2").check()
    _planned(dialog)
    in_both_themes(page, "scale-in")
    _confirm(dialog, "Scale in")
    _settled(page)
    expect(_row(page, "pe-in-iom-2")).to_have_count(0, timeout=LONG)
    assert _servers(product, instance) == {slot: before[slot] for slot in before if slot != "2"}


def test_stop_and_start(page: Page, product: Product) -> None:
    _at_work(page, product, "pe-stop")
    dialog = _choose(page, "Stop")
    dialog.get_by_role("combobox", name="Stop").select_option("FORCEFUL")
    _planned(dialog)
    in_both_themes(page, "stop")
    _confirm(dialog, "Stop")
    _settled(page)
    expect(_row(page, "pe-stop-cpm-a")).to_contain_text("Stopped", timeout=LONG)
    dialog = _choose(page, "Start")
    _confirm(dialog, "Start")
    _settled(page)
    expect(_row(page, "pe-stop-cpm-a")).to_contain_text("Active", timeout=LONG)


def test_change_the_flavour(page: Page, product: Product) -> None:
    instance = _at_work(page, product, "pe-grow")
    before = _servers(product, instance)
    dialog = _choose(page, "Change flavour")
    dialog.get_by_label("Deployment flavour").select_option("large-data-path")
    expect(dialog.get_by_role("alert")).to_contain_text("None of the", timeout=LONG)
    dialog.get_by_role("checkbox", name="Create the flavors that are missing").check()
    _planned(dialog)
    in_both_themes(page, "change-flavour")
    _confirm(dialog, "Change flavour")
    _settled(page)
    expect(_row(page, "pe-grow-iom-1")).to_contain_text("Active", timeout=LONG)
    assert _servers(product, instance) == before, "they are resized, not made anew"
    running = product.get(f"/vnflcm/v2/vnf_instances/{instance}")["instantiatedVnfInfo"]
    assert running["flavourId"] == "large-data-path"


@contextmanager
def _heat_away(product: Product, name: str) -> Iterator[None]:
    """No update of the stack of this instance is taken."""
    away = {"service": "orchestration", "method": "PUT", "path": f"/vnf-{name}-", "effect": "status", "status": 503}
    rule = product.control("POST", "/failures", {**away, "times": 10_000})
    try:
        yield
    finally:
        product.control("DELETE", f"/failures/{rule['failure']['id']}")


def test_cancel_what_waits_for_the_cloud(page: Page, product: Product) -> None:
    _at_work(page, product, "pe-wait")
    page.get_by_role("button", name=SCALE_OUT, exact=True).click()
    dialog = page.get_by_role("dialog")
    _planned(dialog)
    with _heat_away(product, "pe-wait"):
        _confirm(dialog, SCALE_OUT)
        expect(page.get_by_role("heading", name=re.compile("Waiting for the cloud since"))).to_be_visible(timeout=LONG)
        page.get_by_role("link", name="Details").click()
        in_both_themes(page, "waiting")
        page.get_by_role("button", name="Cancel operation").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("radio", name="Forceful")).to_be_checked()
        in_both_themes(page, "cancel")
        _confirm(dialog, "Cancel operation")
        expect(page.get_by_role("button", name="Roll back")).to_be_enabled(timeout=LONG)
    page.get_by_role("tab", name="Story").click()
    expect(page.get_by_role("list", name="Story")).to_contain_text("cancellation")
    in_both_themes(page, "story")
    page.get_by_role("tab", name="Grant").click()
    expect(page.get_by_role("list", name="Grant checks")).to_be_visible()
    page.get_by_role("button", name="Roll back").click()
    expect(page.get_by_text("Rolled back").first).to_be_visible(timeout=LONG)


def test_accept_one_difference_and_repair_the_other(page: Page, product: Product) -> None:
    instance = _at_work(page, product, "pe-drift")
    cloud, vnfcs = product.cloud(), _vnfcs(product, instance)
    cloud.compute.update_server(vnfcs["B"]["serverId"], name="somebody-elses-name")
    cloud.compute.stop_server(vnfcs["1"]["serverId"])
    drift = page.get_by_role("region", name="Drift")
    renamed = drift.get_by_role("row").filter(has_text="somebody-elses-name")
    expect(renamed).to_be_visible(timeout=LONG)
    expect(drift.get_by_role("row").filter(has_text="SHUTOFF")).to_be_visible(timeout=LONG)
    in_both_themes(page, "drift")

    renamed.get_by_role("button", name=re.compile("^Accept")).click()
    _confirm(page.get_by_role("dialog"), "Accept")
    expect(renamed).to_have_count(0, timeout=LONG)

    drift.get_by_role("button", name="Repair").click()
    dialog = page.get_by_role("dialog")
    _planned(dialog)
    in_both_themes(page, "repair")
    _confirm(dialog, "Repair")
    _settled(page)
    expect(drift).to_have_count(0, timeout=LONG)
    assert _servers(product, instance) == {slot: vnfc["serverId"] for slot, vnfc in vnfcs.items()}


def test_edit_the_name(page: Page, product: Product) -> None:
    _at_work(page, product, "pe-before")
    dialog = _choose(page, "Edit information")
    dialog.get_by_label("Name", exact=True).fill("pe-after")
    _planned(dialog)
    in_both_themes(page, "edit")
    _confirm(dialog, "Save")
    expect(page.get_by_role("heading", name="pe-after", level=1)).to_be_visible(timeout=LONG)


def test_let_go(page: Page, product: Product) -> None:
    _at_work(page, product, "pe-leave")
    dialog = _choose(page, "Forget")
    dialog.get_by_label("Name of the instance").fill("pe-leave")
    in_both_themes(page, "forget")
    dialog.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("heading", name="pe-leave was let go", level=1)).to_be_visible()
    in_both_themes(page, "forgotten")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything").click()
    assert download.value.suggested_filename == "pe-leave-stack.json"


def test_adopt(page: Page, product: Product, let_go: dict[str, str]) -> None:
    log_in(page, product)
    page.get_by_role("link", name=re.compile("^Clouds")).first.click()
    page.get_by_role("link", name="cloudsim").first.click()
    page.get_by_role("tab", name=re.compile("^Unclaimed")).click()
    adopt = page.get_by_role("button", name=re.compile(f"^Adopt vnf-{LET_GO}-"))
    expect(adopt).to_be_enabled(timeout=TWO_LOOKS)
    in_both_themes(page, "unclaimed")
    adopt.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("pe-again")
    for secret in dialog.locator("input[type=password]").all():
        secret.fill("as-it-was-1")
    _planned(dialog)
    in_both_themes(page, "adopt")
    _confirm(dialog, "Adopt")
    expect(page.get_by_role("heading", name="Instantiate pe-again", level=1)).to_be_visible()
    expect(page.get_by_text("Completed").first).to_be_visible(timeout=LONG)
    again = next(each["id"] for each in product.get("/api/v1/vnf_instances") if each["name"] == "pe-again")
    assert _servers(product, again) == let_go
