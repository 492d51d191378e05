"""Failing operations: causes down to Nova's message, retry, rollback, fail. And an upgrade.

Each case has an instance of its own; all are deployed at once, through the API.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

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
from tests.browser.steps import in_both_themes
from tests.factories.packages import NEXT, NEXT_VNFD, vsr_next
from tests.support.installation import Product, until

SCALE_OUT = "Scale out"
FLEET = ("pe-retry", "pe-undo", "pe-upgrade")
REFUSAL = "Quota exceeded for cores: Requested 2, but already used 64 of 64 cores"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module", autouse=True)
def _cloud(product: Product) -> Iterator[None]:
    usual = product.control("GET", "/settings")["settings"]
    product.control("PUT", "/settings", QUICK)
    yield
    product.control("PUT", "/settings", {name: usual[name] for name in QUICK})


@pytest.fixture(scope="module", autouse=True)
def fleet(product: Product, _cloud: None) -> dict[str, tuple[str, str]]:
    """Return by name: the instance's id, and the op occ that deploys it."""
    return {name: deploy(product, name) for name in FLEET}


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


@contextmanager
def _no_cores(product: Product, name: str) -> Iterator[None]:
    """Nova makes no server of this instance."""
    full = {"service": "compute", "callers": "internal", "method": "POST", "path": "/servers$", "sent": f'"{name}-'}
    said = {"effect": "status", "status": 403, "type": "Forbidden", "message": REFUSAL, "times": 10_000}
    rule = product.control("POST", "/failures", full | said)
    try:
        yield
    finally:
        product.control("DELETE", f"/failures/{rule['failure']['id']}")


def _failed(page: Page, operation: str) -> Locator:
    """The panel of an operation that needs a decision."""
    panel = page.get_by_role("region", name=f"Operation {operation}")
    expect(panel.get_by_role("button", name="Retry")).to_be_enabled(timeout=LONG)
    causes = panel.get_by_role("alert").first.get_by_role("list", name="Causes")
    expect(causes.get_by_role("listitem").filter(has_text="Heat").first).to_be_visible()
    expect(causes).to_contain_text(REFUSAL)
    return panel


def _decided(page: Page, button: Locator, deed: str) -> None:
    with page.expect_response(re.compile(f"/{deed}$")) as answer:
        button.click()
    assert answer.value.ok, answer.value.text()


def _scale_out(page: Page) -> str:
    """Begun by mouse; where its op occ is."""
    page.get_by_role("button", name=SCALE_OUT, exact=True).click()
    dialog = page.get_by_role("dialog")
    planned(dialog)
    return confirm(dialog, SCALE_OUT).headers["location"]


def test_retry_when_the_cloud_has_room(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    instance = open_instance("pe-retry")
    with _no_cores(product, "pe-retry"):
        location = _scale_out(operator)
        panel = _failed(operator, SCALE_OUT)
        in_both_themes(operator, "operation-failed")
        panel.get_by_role("link", name="Details").click()
        panel = _failed(operator, SCALE_OUT)
        operator.get_by_role("tab", name="Timeline", exact=True).click()
        expect(operator.get_by_role("list", name="Timeline")).to_contain_text(REFUSAL)
        in_both_themes(operator, "operation-failed-story")
    _decided(operator, panel.get_by_role("button", name="Retry"), "retry")
    expect(panel.get_by_role("status")).to_contain_text("Completed", timeout=LONG)
    assert product.get(location)["operationState"] == "COMPLETED"
    operator.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="pe-retry").click()
    expect(row(operator, "pe-retry-iom-2")).to_contain_text("Active", timeout=LONG)
    assert set(servers(product, instance)) == {"A", "B", "1", "2"}


def test_roll_back_a_failed_operation(operator: Page, product: Product, open_instance: Callable[[str], str]) -> None:
    instance = open_instance("pe-undo")
    before = servers(product, instance)
    with _no_cores(product, "pe-undo"):
        _scale_out(operator)
        panel = _failed(operator, SCALE_OUT)
        panel.get_by_role("button", name="Roll back").click()
        dialog = operator.get_by_role("dialog", name="Roll back: Scale out")
        _decided(operator, dialog.get_by_role("button", name="Roll back"), "rollback")
        settled(operator)
    operator.get_by_role("tab", name="Operations").click()
    done = operator.get_by_role("row").filter(has=operator.get_by_role("link", name=SCALE_OUT))
    expect(done).to_contain_text("Rolled back")
    in_both_themes(operator, "operation-rolled-back")
    assert servers(product, instance) == before


@pytest.fixture
def removed(product: Product) -> Iterator[list[str]]:
    """Ids of instances that go when the test is over: their alarms would be in the way of others."""
    instances: list[str] = []
    yield instances
    for instance in instances:
        until(lambda each=instance: _may_terminate(product, each), LONG / 1000, "what it left is taken over")
        product.over(product.terminate(instance))
        product.post(f"/vnflcm/v2/vnf_instances/{instance}", method="DELETE")


def _may_terminate(product: Product, instance: str) -> bool | None:
    actions = product.get(f"/api/v1/vnf_instances/{instance}")["actions"]
    return next((True for each in actions if each["action"] == "terminate" and each["enabled"]), None)


def test_mark_an_operation_as_failed(operator: Page, product: Product, removed: list[str]) -> None:
    with _no_cores(product, "pe-broken"):
        instance, location = deploy(product, "pe-broken")
        removed.append(instance)
        operator.goto(f"/instances/{instance}")
        panel = _failed(operator, "Instantiate")
        in_both_themes(operator, "instantiate-failed")
        panel.get_by_role("button", name="Mark as failed").click()
        dialog = operator.get_by_role("dialog", name="Mark as failed: Instantiate")
        in_both_themes(operator, "operation-give-up")
        _decided(operator, dialog.get_by_role("button", name="Mark as failed"), "fail")
    expect(dialog).to_be_hidden()
    expect(panel).to_have_count(0)
    assert product.over(location)["operationState"] == "FAILED"
    operator.get_by_role("tab", name="Operations").click()
    mark_failed = operator.get_by_role("row").filter(has=operator.get_by_role("link", name="Instantiate"))
    expect(mark_failed).to_contain_text("Failed")
    in_both_themes(operator, "operation-given-up")


@pytest.fixture
def newer(product: Product) -> Iterator[str]:
    """The next version of the package, in the catalog as long as it is needed; other tests choose by the product."""
    vnfd = product.onboard(vsr_next())
    yield vnfd
    path = f"/vnfpkgm/v2/vnf_packages/{_package_of(product, vnfd)}"
    product.post(path, {"operationalState": "DISABLED"}, method="PATCH")
    product.post(path, method="DELETE")


def _package_of(product: Product, vnfd: str) -> str:
    packages = product.get("/vnfpkgm/v2/vnf_packages")
    return str(next(each["id"] for each in packages if each["vnfdId"] == vnfd))


def test_upgrade(
    operator: Page, product: Product, newer: str, removed: list[str], open_instance: Callable[[str], str]
) -> None:
    instance = open_instance("pe-upgrade")
    removed.append(instance)
    before = vnfcs(product, instance)
    dialog = choose(operator, "Upgrade")
    expect(dialog.get_by_text("Choose a package to see its plan.")).to_be_visible()
    package = dialog.get_by_label("Package")
    package.select_option(package.get_by_role("option", name=re.compile(NEXT)).get_attribute("value"))
    planned(dialog)
    in_both_themes(operator, "upgrade")
    carried_out(operator, product, dialog, "Upgrade")
    expect(operator.locator("#main-content").get_by_text(NEXT).first).to_be_visible(timeout=LONG)
    in_both_themes(operator, "upgraded")
    assert newer == NEXT_VNFD == product.get(f"/vnflcm/v2/vnf_instances/{instance}")["vnfdId"]
    after = until(lambda: _all_active(product, instance), LONG / 1000, "all VMs are seen to run")
    assert {slot: each["serverId"] for slot, each in after.items()} == {
        slot: each["serverId"] for slot, each in before.items()
    }, "they are rebuilt, not recreated"


def _all_active(product: Product, instance: str) -> dict[str, dict[str, str]] | None:
    found = vnfcs(product, instance)
    return found if all(each["status"] == "ACTIVE" for each in found.values()) else None
