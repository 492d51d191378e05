"""Nothing gets lost, nor out: what two people change, what stood there when a session ended, and secrets."""

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import pages
from tests.browser.routers import site
from tests.browser.steps import in_both_themes, log_in
from tests.support.installation import Product
from tests.support.waiting import until

CONTESTED, UNSAVED, NEWS = "Contested hall", "Unsaved hall", "Hall of news"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def record_to_edit(product: Product) -> Iterator[None]:
    with site(product, CONTESTED):
        yield


@pytest.mark.usefixtures("record_to_edit")
def test_edit_conflict_is_reported_and_keeps_the_input(operator: Page, colleague: Page) -> None:
    dialogs = []
    for page in (operator, colleague):
        page.goto("/administration?tab=sites")
        page.get_by_role("button", name=f"Edit {CONTESTED}").click()
        dialogs.append(page.get_by_role("dialog", name=f"Edit {CONTESTED}"))
    mine, other = dialogs
    other.get_by_label("Description").fill("Moved to the second floor")
    other.get_by_role("button", name="Save").click()
    expect(other).to_be_hidden()

    mine.get_by_label("Description").fill("Two racks more")
    mine.get_by_label("Latitude").fill("48.14")
    with operator.expect_response(lambda answer: answer.request.method == "PATCH") as refused:
        mine.get_by_role("button", name="Save").click()
    assert refused.value.status == HTTPStatus.PRECONDITION_FAILED
    conflict = mine.get_by_role("alert").filter(has_text="Changed since you opened this")
    changes = conflict.get_by_role("list", name="Changes")
    expect(changes).to_contain_text(re.compile("Description.*Moved to the second floor.*Two racks more"))
    expect(mine.get_by_label("Description")).to_have_value("Two racks more")
    expect(mine.get_by_label("Latitude")).to_have_value("48.14")
    in_both_themes(operator, "conflict")
    mine.get_by_role("button", name="Save").click()
    expect(mine).to_be_hidden()
    expect(operator.get_by_role("row").filter(has_text=CONTESTED)).to_contain_text("Two racks more")
    expect(colleague.get_by_role("row").filter(has_text=CONTESTED)).to_contain_text("Two racks more")


def test_a_second_tab_replaces_nothing_without_saying_so(operator: Page, product: Product) -> None:
    """The description of a VNF instance, saved in two tabs of one user: the second is shown what the first saved."""
    instance = product.create("two-tabs", product.vnfd_id())
    tabs = [operator, operator.context.new_page()]
    dialogs = []
    for page in tabs:
        page.goto(f"/instances/{instance}?do=modify_info")
        dialogs.append(page.get_by_role("dialog", name="Edit two-tabs"))
    mine, other = dialogs
    mine.get_by_label("Description").fill("Mine")
    other.get_by_label("Description").fill("Theirs")
    other.get_by_role("button", name="Save").click()
    expect(other).to_be_hidden()
    conflict = mine.get_by_role("alert").filter(has_text="Changed since you opened this")
    expect(conflict.get_by_role("list", name="Changes")).to_contain_text(re.compile("Description.*Theirs.*Mine"))
    expect(mine.get_by_role("button", name="Save")).to_be_disabled()
    in_both_themes(operator, "two-tabs")
    conflict.get_by_role("button", name="Continue with the current values").click()
    expect(mine.get_by_label("Description")).to_have_value("Mine")
    mine.get_by_role("button", name="Save").click()
    expect(mine).to_be_hidden()
    tabs[1].close()
    assert product.get(f"/vnflcm/v2/vnf_instances/{instance}")["vnfInstanceDescription"] == "Mine"
    changes = f"/vnflcm/v2/vnf_lcm_op_occs?filter=(eq,vnfInstanceId,{instance})"
    until(
        lambda: all(op["operationState"] == "COMPLETED" for op in product.get(changes)),
        "the changes to end",
        seconds=60,
    )
    product.post(f"/vnflcm/v2/vnf_instances/{instance}", method="DELETE")


def _ended_behind_its_back(page: Page, product: Product) -> None:
    """At the server alone: the browser keeps its cookies."""
    cookies = {each["name"]: each["value"] for each in page.context.cookies()}
    token = next(value for name, value in cookies.items() if name.startswith("csrftoken"))
    headers = {"X-CSRFToken": token}
    ended = requests.delete(f"{product.url}/api/v1/session", cookies=cookies, headers=headers, timeout=30)
    assert ended.ok, ended.text


def test_login_after_session_end_keeps_the_page(page: Page, product: Product) -> None:
    log_in(page, product)
    page.goto(f"/administration?tab=sites&sites.search={UNSAVED.replace(' ', '+')}")
    page.get_by_role("button", name="Add a site").click()
    dialog = page.get_by_role("dialog", name="Add a site")
    dialog.get_by_label("Name").fill(UNSAVED)
    dialog.get_by_label("Description").fill("Typed before the shift ended")
    where = page.url
    _ended_behind_its_back(page, product)
    with site(product, NEWS):  # which the page hears of, and wants to read
        ended = page.get_by_role("dialog", name="Your session has ended")
        expect(ended).to_be_visible()
    in_both_themes(page, "session-ended")
    expect(ended.get_by_label("Username")).to_have_value("admin")
    ended.get_by_label("Password", exact=True).fill(product.status()["admin"]["password"])
    ended.get_by_role("button", name="Log in").click()
    expect(ended).to_be_hidden()
    assert page.url == where
    expect(dialog.get_by_label("Name")).to_have_value(UNSAVED)
    expect(dialog.get_by_label("Description")).to_have_value("Typed before the shift ended")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name=f"Delete {UNSAVED}").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name=f"Delete {UNSAVED}")).to_have_count(0)


STORED = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"


def test_no_third_party_requests_and_no_stored_secrets(page: Page, product: Product) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    log_in(page, product)
    for address in ("/", "/instances/new", "/topology", "/performance", "/alarms", "/administration", "/account"):
        page.goto(address)
        pages.settled(page)
    sent = [parts for parts in map(urlsplit, requested) if parts.scheme not in {"data", "blob"}]
    assert {f"{parts.scheme}://{parts.netloc}" for parts in sent} == {product.url}

    session = next(each for each in page.context.cookies() if each["name"].startswith("vnfm_session"))
    assert session["httpOnly"], "no script reads it"
    content: str = page.evaluate(STORED)
    secrets = (product.status()["admin"]["password"], session["value"])
    assert [secret for secret in secrets if secret in content] == []
    stored = [name for storage in json.loads(content)[:2] for name in storage]
    assert [name for name in stored if re.search("password|token|secret", name, re.IGNORECASE)] == []
