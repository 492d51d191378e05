"""An operator works by mouse on a VNF that runs: heal it, change it, cancel, repair drift, let go and adopt.

Every case has an instance of its own, so that one that fails takes no other along. All are deployed at once, through
the API, while the first cases run. Each page and each kind of dialog is looked at once in both themes.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.browser.operations import (
    LONG,
    QUICK,
    carried_out,
    choose,
    confirm,
    deploy,
    planned,
    row,
    servers,
    settled,
    vnfcs,
)
from tests.browser.steps import in_both_themes, picture
from tests.factories.networks import make_network
from tests.support.installation import Product, until

TWO_LOOKS = 150_000
SCALE_OUT = "Scale out"
LET_GO, LEFT = "pe-free", "pe-left"
LEVELS = {
    "pe-heal": "",
    "pe-in": "medium",
    "pe-stop": "",
    "pe-grow": "",
    "pe-wait": "",
    "pe-drift": "",
    "pe-before": "",
    "pe-leave": "",
    "pe-level": "",
    "pe-connect": "",
}
"""Each case works on one of these instances, by name: the instantiation level, the default one unless named."""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module", autouse=True)
def _cloud(product: Product) -> Iterator[None]:
    """Quick, and one where the VNF manager may create flavors."""
    usual = product.control("GET", "/settings")["settings"]
    quick = {**QUICK, "flavor_create_role": "member"}
    product.control("PUT", "/settings", quick)
    yield
    product.control("PUT", "/settings", {name: usual[name] for name in quick})


@pytest.fixture(scope="module", autouse=True)
def forgotten_instance(product: Product, _cloud: None) -> dict[str, str]:
    """Two unclaimed stacks; yields the servers of the first by slot. They are listed after two full polls, a minute
    apart, which pass during the other cases."""
    free, left = deploy(product, LET_GO), deploy(product, LEFT)
    for _, location in (free, left):
        product.over(location)
    held = servers(product, free[0])
    for (instance, _), name in ((free, LET_GO), (left, LEFT)):
        product.post(f"/api/v1/vnf_instances/{instance}/forget", {"confirm": name})
    return held


@pytest.fixture(scope="module", autouse=True)
def fleet(product: Product, forgotten_instance: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return by name: the instance's id, and the op occ that deploys it."""
    return {name: deploy(product, name, level) for name, level in LEVELS.items()}


@pytest.fixture
def open_instance(operator: Page, product: Product, fleet: dict[str, tuple[str, str]]) -> Callable[[str], str]:
    """Open the page of a VSR-PE of the fleet once it runs; its id."""

    def opened(name: str) -> str:
        instance, location = fleet[name]
        assert product.over(location)["operationState"] == "COMPLETED"
        operator.goto(f"/instances/{instance}")
        settled(operator)
        return instance

    return opened


def test_heal_a_vnfc_that_is_gone(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    instance = open_instance("pe-heal")
    before = servers(product, instance)
    product.cloud().compute.delete_server(before["1"])
    expect(row(operator, "pe-heal-iom-1")).to_contain_text("Missing", timeout=LONG)
    in_both_themes(operator, "drift-missing")

    operator.get_by_role("button", name="Heal", exact=True).click()
    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", name="Heal Slot 1 (Data path VM)")).to_be_checked()
    expect(dialog.get_by_role("checkbox", name="Heal Slot A (Control VM)")).not_to_be_checked()
    dialog.get_by_label("Cause").fill("deleted by mistake")
    planned(dialog)
    in_both_themes(operator, "heal")
    carried_out(operator, product, dialog, "Heal")
    expect(row(operator, "pe-heal-iom-1")).to_contain_text("Active", timeout=LONG)
    after = servers(product, instance)
    assert {slot for slot in before if before[slot] != after[slot]} == {"1"}


def test_scale_in_by_name(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    instance = open_instance("pe-in")
    before = servers(product, instance)
    operator.get_by_role("button", name="Scale in", exact=True).click()
    dialog = operator.get_by_role("dialog")
    dialog.get_by_role("radio", name="Choose 1 VNFC").check()
    dialog.get_by_role("checkbox", name="Remove Slot 2 (Data path VM)").check()
    planned(dialog)
    picture(operator, "scale-in")
    carried_out(operator, product, dialog, "Scale in")
    expect(row(operator, "pe-in-iom-2")).to_have_count(0, timeout=LONG)
    assert servers(product, instance) == {slot: before[slot] for slot in before if slot != "2"}


def test_stop_and_start(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    open_instance("pe-stop")
    dialog = choose(operator, "Stop")
    dialog.get_by_role("combobox", name="Stop").select_option("FORCEFUL")
    planned(dialog)
    picture(operator, "stop")
    carried_out(operator, product, dialog, "Stop")
    expect(row(operator, "pe-stop-cpm-a")).to_contain_text("Stopped", timeout=LONG)
    dialog = choose(operator, "Start")
    carried_out(operator, product, dialog, "Start")
    expect(row(operator, "pe-stop-cpm-a")).to_contain_text("Active", timeout=LONG)


def test_change_the_flavour(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    instance = open_instance("pe-grow")
    before = servers(product, instance)
    dialog = choose(operator, "Change deployment flavour")
    dialog.get_by_label("Deployment flavour", exact=True).select_option("large-data-path")
    expect(dialog.get_by_role("checkbox", name="Create the flavors that are missing")).to_be_checked()
    planned(dialog)
    flavors = dialog.get_by_role("table", name="Planned flavors")
    expect(flavors.get_by_role("row", name="data-path")).to_contain_text("vnf.dpdk.large matches exactly")
    in_both_themes(operator, "change-flavour")
    carried_out(operator, product, dialog, "Change deployment flavour")
    expect(row(operator, "pe-grow-iom-1")).to_contain_text("Active", timeout=LONG)
    assert servers(product, instance) == before, "they are resized, not recreated"
    running = product.get(f"/vnflcm/v2/vnf_instances/{instance}")["instantiatedVnfInfo"]
    assert running["flavourId"] == "large-data-path"


def test_scale_to_a_level(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    instance = open_instance("pe-level")
    before = servers(product, instance)
    dialog = choose(operator, "Scale to level")
    begin = dialog.get_by_role("button", name="Scale to level", exact=True)
    expect(begin).to_be_disabled()
    dialog.get_by_label("Instantiation level").select_option("medium")
    expect(dialog.get_by_text("Data path: 0 → 3")).to_be_visible()
    planned(dialog)
    expect(dialog.get_by_role("table", name="Planned changes")).to_be_visible()
    in_both_themes(operator, "scale-to-level")
    carried_out(operator, product, dialog, "Scale to level")
    expect(row(operator, "pe-level-iom-4")).to_contain_text("Active", timeout=LONG)
    after = servers(product, instance)
    assert {slot: after[slot] for slot in before} == before
    assert len(after) == len(before) + 3


def _observed_by_the_product(product: Product, network: str) -> None:
    """Networks are picked from those that the last probe found."""
    vim = product.vim_id()
    product.post(f"/api/v1/vims/{vim}/probe")

    def look() -> bool | None:
        offered = product.get(f"/api/v1/vims/{vim}/resources")["networks"]
        return any(each["id"] == network for each in offered) or None

    until(look, LONG / 1000, "the network is offered")


def test_change_the_connectivity(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    network = make_network(product.cloud(), "pe-connect-other", "10.10.0.0/24")
    _observed_by_the_product(product, network)
    instance = open_instance("pe-connect")
    before = servers(product, instance)
    dialog = choose(operator, "Change connectivity")
    begin = dialog.get_by_role("button", name="Change connectivity", exact=True)
    expect(begin).to_be_disabled()
    dialog.get_by_label("Management", exact=True).select_option(network)
    planned(dialog)
    in_both_themes(operator, "change-connectivity")
    carried_out(operator, product, dialog, "Change connectivity")
    assert servers(product, instance) == before, "their ports are others, they are not"
    found = {port["networkId"] for vnfc in vnfcs(product, instance).values() for port in vnfc["ports"]}
    assert network in found


@contextmanager
def _heat_away(product: Product, name: str) -> Iterator[None]:
    """No update of the stack of this instance is taken."""
    away = {"service": "orchestration", "method": "PUT", "path": f"/vnf-{name}-", "effect": "status", "status": 503}
    rule = product.control("POST", "/failures", {**away, "times": 10_000})
    try:
        yield
    finally:
        product.control("DELETE", f"/failures/{rule['failure']['id']}")


def test_cancel_an_operation_that_waits_for_the_cloud(
    operator: Page, product: Product, open_instance: Callable[[str], str]
) -> None:
    open_instance("pe-wait")
    operator.get_by_role("button", name=SCALE_OUT, exact=True).click()
    dialog = operator.get_by_role("dialog")
    planned(dialog)
    with _heat_away(product, "pe-wait"):
        confirm(dialog, SCALE_OUT)
        expect(operator.get_by_role("heading", name=re.compile("Waiting for the cloud since"))).to_be_visible(
            timeout=LONG
        )
        operator.get_by_role("link", name="Details").click()
        in_both_themes(operator, "waiting")
        operator.get_by_role("button", name="Cancel operation").click()
        dialog = operator.get_by_role("dialog")
        expect(dialog.get_by_role("radio", name="Forceful")).to_be_checked()
        in_both_themes(operator, "cancel")
        confirm(dialog, "Cancel operation")
        expect(operator.get_by_role("button", name="Roll back")).to_be_enabled(timeout=LONG)
    operator.get_by_role("tab", name="Timeline", exact=True).click()
    expect(operator.get_by_role("list", name="Timeline")).to_contain_text("cancellation")
    in_both_themes(operator, "story")
    operator.get_by_role("tab", name="Grant").click()
    expect(operator.get_by_role("list", name="Grant checks")).to_be_visible()
    operator.get_by_role("button", name="Roll back").click()
    confirm(operator.get_by_role("dialog"), "Roll back")
    expect(operator.get_by_text("Rolled back").first).to_be_visible(timeout=LONG)


def test_accept_one_difference_and_repair_the_other(
    operator: Page, product: Product, open_instance: Callable[[str], str]
) -> None:
    instance = open_instance("pe-drift")
    cloud, before = product.cloud(), vnfcs(product, instance)
    cloud.compute.update_server(before["B"]["serverId"], name="foreign-name")
    cloud.compute.stop_server(before["1"]["serverId"])
    operator.get_by_role("tab", name=re.compile("^Drift")).click()
    drift = operator.get_by_role("region", name="Drift")
    renamed = drift.get_by_role("row").filter(has_text="foreign-name")
    expect(renamed).to_be_visible(timeout=LONG)
    expect(drift.get_by_role("row").filter(has_text="SHUTOFF")).to_be_visible(timeout=LONG)
    in_both_themes(operator, "drift")

    renamed.get_by_role("button", name=re.compile("^Accept")).click()
    confirm(operator.get_by_role("dialog"), "Accept")
    expect(renamed).to_have_count(0, timeout=LONG)

    drift.get_by_role("button", name="Repair").click()
    dialog = operator.get_by_role("dialog")
    planned(dialog)
    picture(operator, "repair")
    carried_out(operator, product, dialog, "Repair")
    expect(drift.get_by_role("table")).to_have_count(0, timeout=LONG)
    expect(operator.get_by_role("tab", name="Drift", exact=True)).to_be_visible()
    assert servers(product, instance) == {slot: vnfc["serverId"] for slot, vnfc in before.items()}


def test_edit_the_name(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    open_instance("pe-before")
    dialog = choose(operator, "Edit information")
    dialog.get_by_label("Name", exact=True).fill("pe-after")
    planned(dialog)
    picture(operator, "edit")
    confirm(dialog, "Save")
    expect(operator.get_by_role("heading", name="pe-after", level=1)).to_be_visible(timeout=LONG)


def test_forget(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    open_instance("pe-leave")
    dialog = choose(operator, "Stop managing")
    dialog.get_by_label("Name of the instance").fill("pe-leave")
    in_both_themes(operator, "forget")
    dialog.get_by_role("button", name="Stop managing").click()
    expect(operator.get_by_role("heading", name="pe-leave was forgotten", level=1)).to_be_visible()
    in_both_themes(operator, "forgotten")
    with operator.expect_download() as download:
        operator.get_by_role("button", name="Download everything").click()
    assert download.value.suggested_filename == "pe-leave-stack.json"


def _unclaimed(page: Page) -> None:
    page.goto("/clouds")
    page.get_by_role("link", name="cloudsim").first.click()
    page.get_by_role("tab", name=re.compile("^Orphaned resources")).click()


def test_adopt(operator: Page, product: Product, forgotten_instance: dict[str, str]) -> None:
    _unclaimed(operator)
    adopt = operator.get_by_role("button", name=re.compile(f"^Adopt vnf-{LET_GO}-"))
    expect(adopt).to_be_enabled(timeout=TWO_LOOKS)
    in_both_themes(operator, "unclaimed")
    adopt.click()
    dialog = operator.get_by_role("dialog")
    package = dialog.get_by_label("Package")
    package.select_option(package.get_by_role("option", name=re.compile("VSR-PE")).get_attribute("value"))
    dialog.get_by_label("Name", exact=True).fill("pe-again")
    for secret in dialog.locator("input[type=password]").all():
        secret.fill("as-it-was-1")
    planned(dialog)
    in_both_themes(operator, "adopt")
    confirm(dialog, "Adopt")
    expect(operator.get_by_role("heading", name="Instantiate pe-again", level=1)).to_be_visible()
    expect(operator.get_by_text("Completed").first).to_be_visible(timeout=LONG)
    again = next(each["id"] for each in product.get("/api/v1/vnf_instances") if each["name"] == "pe-again")
    assert servers(product, again) == forgotten_instance


def test_remove_unclaimed_resources(operator: Page, product: Product) -> None:
    _unclaimed(operator)
    leftover = operator.get_by_role("table", name="Leftovers").get_by_role("row").filter(has_text=f"vnf-{LEFT}-")
    leftover.get_by_role("button", name=re.compile("^Remove")).click(timeout=TWO_LOOKS)
    dialog = operator.get_by_role("dialog")
    expect(dialog).to_contain_text("Remove the stack ")
    remove = dialog.get_by_role("button", name="Remove", exact=True)
    expect(remove).to_be_disabled()
    name = next(stack.name for stack in product.cloud().orchestration.stacks() if stack.name.startswith(f"vnf-{LEFT}-"))
    dialog.get_by_label("Name of the stack").fill(name)
    in_both_themes(operator, "unclaimed-remove")
    remove.click()
    expect(dialog).to_be_hidden()
    expect(leftover).to_have_count(0, timeout=LONG)
    assert [each.name for each in product.cloud().orchestration.stacks() if each.name == name] == []
