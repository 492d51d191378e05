"""An operator's repairs by mouse: heal, scale in by name, stop and start, cancel, drift, letting go and adopting."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import assert_accessible, in_both_themes, log_in
from tests.installation import Product

LONG = 90_000
"""Milliseconds that an operation on the simulated cloud may take on a busy machine."""
NAME = "pe-ops"
SCALE_OUT = "Scale out"

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def instance(product: Product) -> Iterator[str]:
    """A VSR-PE with slots A, B, 1, 2 and 3; its id."""
    made = product.create(NAME, product.vnfd_id())
    product.over(product.instantiate(made, product.vim_id()))
    request = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 2}
    product.over(product.post(f"/vnflcm/v2/vnf_instances/{made}/scale", request).headers["Location"])
    yield made
    product.over(product.terminate(made))


@pytest.fixture
def desk(page: Page, product: Product, instance: str) -> Page:
    """The page of the instance, which is whole and has nothing running, whatever the test before has left."""
    whole = product.get(f"/api/v1/vnf_instances/{instance}")
    assert whole["runningOpOccId"] is None
    if whole["drift"]:
        product.over(product.post(f"/api/v1/vnf_instances/{instance}/repair").headers["Location"])
    log_in(page, product)
    page.goto(f"/instances/{instance}")
    _settled(page)
    return page


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


def test_heal_a_vnfc_that_is_gone(desk: Page, product: Product, instance: str) -> None:
    before = _servers(product, instance)
    product.cloud().compute.delete_server(before["2"])
    expect(_row(desk, f"{NAME}-iom-2")).to_contain_text("Missing", timeout=LONG)
    in_both_themes(desk, "drift-missing")

    desk.get_by_role("button", name="Heal", exact=True).click()
    dialog = desk.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", name=f"Heal {NAME}-iom-2")).to_be_checked()
    expect(dialog.get_by_role("checkbox", name=f"Heal {NAME}-iom-1")).not_to_be_checked()
    dialog.get_by_label("Cause").fill("deleted by mistake")
    _planned(dialog)
    in_both_themes(desk, "heal")
    _confirm(dialog, "Heal")
    expect(desk.get_by_role("region", name="Operation Heal")).to_be_visible(timeout=LONG)
    in_both_themes(desk, "healing")
    _settled(desk)
    expect(_row(desk, f"{NAME}-iom-2")).to_contain_text("Active", timeout=LONG)

    after = _servers(product, instance)
    assert {slot for slot in before if before[slot] != after[slot]} == {"2"}


def test_scale_in_by_name(desk: Page, product: Product, instance: str) -> None:
    before = _servers(product, instance)
    desk.get_by_role("button", name="Scale in", exact=True).click()
    dialog = desk.get_by_role("dialog")
    dialog.get_by_role("radio", name="Choose 1 VNFC").check()
    dialog.get_by_role("checkbox", name=f"Remove {NAME}-iom-1").check()
    _planned(dialog)
    in_both_themes(desk, "scale-in")
    _confirm(dialog, "Scale in")
    _settled(desk)
    expect(_row(desk, f"{NAME}-iom-1")).to_have_count(0, timeout=LONG)
    assert _servers(product, instance) == {slot: before[slot] for slot in before if slot != "1"}


def test_stop_and_start(desk: Page) -> None:
    dialog = _choose(desk, "Stop")
    _planned(dialog)
    in_both_themes(desk, "stop")
    _confirm(dialog, "Stop")
    _settled(desk)
    expect(_row(desk, f"{NAME}-cpm-a")).to_contain_text("Stopped", timeout=LONG)
    dialog = _choose(desk, "Start")
    _confirm(dialog, "Start")
    _settled(desk)
    expect(_row(desk, f"{NAME}-cpm-a")).to_contain_text("Active", timeout=LONG)


def test_cancel_what_waits_for_the_cloud(desk: Page, product: Product) -> None:
    desk.get_by_role("button", name=SCALE_OUT, exact=True).click()
    dialog = desk.get_by_role("dialog")
    _planned(dialog)
    product.control(
        "POST",
        "/failures",
        {"service": "orchestration", "method": "PUT", "effect": "status", "status": 503, "times": 10_000},
    )
    try:
        _confirm(dialog, SCALE_OUT)
        expect(desk.get_by_role("heading", name=re.compile("Waiting for the cloud since"))).to_be_visible(timeout=LONG)
        desk.get_by_role("link", name="Details").click()
        in_both_themes(desk, "waiting")
        desk.get_by_role("button", name="Cancel operation").click()
        dialog = desk.get_by_role("dialog")
        in_both_themes(desk, "cancel")
        _confirm(dialog, "Cancel operation")
        expect(desk.get_by_role("button", name="Roll back")).to_be_enabled(timeout=LONG)
    finally:
        product.control("DELETE", "/failures")
    desk.get_by_role("tab", name="Story").click()
    expect(desk.get_by_role("list", name="Story")).to_contain_text("cancellation")
    in_both_themes(desk, "story")
    desk.get_by_role("tab", name="Grant").click()
    expect(desk.get_by_role("list", name="Grant checks")).to_be_visible()
    desk.get_by_role("button", name="Roll back").click()
    expect(desk.get_by_text("Rolled back").first).to_be_visible(timeout=LONG)
    desk.get_by_role("tab", name="Steps").click()
    in_both_themes(desk, "rolled-back")


def test_accept_one_difference_and_repair_the_other(desk: Page, product: Product, instance: str) -> None:
    cloud, vnfcs = product.cloud(), _vnfcs(product, instance)
    cloud.compute.update_server(vnfcs["3"]["serverId"], name="somebody-elses-name")
    cloud.compute.stop_server(vnfcs["2"]["serverId"])
    drift = desk.get_by_role("region", name="Drift")
    renamed = drift.get_by_role("row").filter(has_text="somebody-elses-name")
    expect(renamed).to_be_visible(timeout=LONG)
    expect(drift.get_by_role("row").filter(has_text="SHUTOFF")).to_be_visible(timeout=LONG)
    in_both_themes(desk, "drift")

    renamed.get_by_role("button", name=re.compile("^Accept")).click()
    _confirm(desk.get_by_role("dialog"), "Accept")
    expect(renamed).to_have_count(0, timeout=LONG)

    drift.get_by_role("button", name="Repair").click()
    dialog = desk.get_by_role("dialog")
    _planned(dialog)
    in_both_themes(desk, "repair")
    _confirm(dialog, "Repair")
    _settled(desk)
    expect(drift).to_have_count(0, timeout=LONG)
    assert _servers(product, instance) == {slot: vnfc["serverId"] for slot, vnfc in vnfcs.items()}


def test_edit_the_name(desk: Page) -> None:
    for before, after in ((NAME, "pe-renamed"), ("pe-renamed", NAME)):
        expect(desk.get_by_role("heading", name=before, level=1)).to_be_visible(timeout=LONG)
        dialog = _choose(desk, "Edit information")
        dialog.get_by_label("Name", exact=True).fill(after)
        _planned(dialog)
        _confirm(dialog, "Save")
        _settled(desk)
    expect(desk.get_by_role("heading", name=NAME, level=1)).to_be_visible(timeout=LONG)


def test_let_go_and_adopt_again(page: Page, product: Product) -> None:
    made = product.create("pe-adopted", product.vnfd_id())
    product.over(product.instantiate(made, product.vim_id()))
    servers = _servers(product, made)
    log_in(page, product)
    page.goto(f"/instances/{made}")
    dialog = _choose(page, "Forget")
    dialog.get_by_label("Name of the instance").fill("pe-adopted")
    dialog.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("heading", name="pe-adopted was let go", level=1)).to_be_visible()
    in_both_themes(page, "forgotten")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything").click()
    assert download.value.suggested_filename == "pe-adopted-stack.json"

    page.get_by_role("link", name=re.compile("^Clouds")).first.click()
    page.get_by_role("link", name="cloudsim").first.click()
    page.get_by_role("tab", name=re.compile("^Unclaimed")).click()
    adopt = page.get_by_role("button", name=re.compile("^Adopt ")).first
    expect(adopt).to_be_enabled(timeout=LONG)
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
    assert_accessible(page)
    again = next(each["id"] for each in product.get("/api/v1/vnf_instances") if each["name"] == "pe-again")
    assert _servers(product, again) == servers
    product.over(product.terminate(again))
