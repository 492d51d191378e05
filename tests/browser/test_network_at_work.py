"""A VNF and a router that have faults: the alarms from their coming to their going, the map, and who may only look."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.browser import pages
from tests.browser.operations import deploy, servers
from tests.browser.routers import element, policy_for
from tests.browser.steps import filters, in_both_themes, picture
from tests.support.installation import Product, until
from tests.support.routersim_process import RoutersimProcess

LONG = 90_000
"""Milliseconds that the watcher or the poller may take on a busy machine."""
NAME, ROUTER = "pe-net", "core-9"
ADDRESS, PEER = "127.77.5.1", "192.0.2.9"
IOM = f"{NAME}-iom-1"
PORT, CARD = f"{ROUTER} Port 1/1/1", f"{ROUTER} Slot 2"
PORTS = 60
"""A port adapter; those of one card are more than a page of the alarm list."""
OF_A_CARD = 1 + 2 * PORTS
"""Alarms of a card that fails: its own, which names its two adapters, and those of their ports."""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class Network(NamedTuple):
    instance: str
    router: str
    """Id of the element."""
    sim: RoutersimProcess


@pytest.fixture(scope="module")
def network(routersim: RoutersimProcess, product: Product) -> Iterator[Network]:
    """A VSR-PE that runs, and a 7750 SR-12 with a BGP peer behind its first port."""
    instance, location = deploy(product, NAME)
    peers = [{"address": PEER, "remoteAs": 65009, "port": "1/1/1", "description": "transit"}]
    parts = {"cards": 2, "mdas": 2, "ports": PORTS, "peers": peers}
    with (
        policy_for(product, routersim, ROUTER, ADDRESS, **parts) as snmp,
        element(product, ROUTER, ADDRESS, snmpPolicyId=snmp) as router,
    ):
        assert product.over(location)["operationState"] == "COMPLETED"
        yield Network(instance, router, routersim)


def _alarm(page: Page, fault: str, of: str) -> Locator:
    table = page.get_by_role("table", name="Alarms", exact=True)
    return table.get_by_role("row").filter(has_text=fault).filter(has_text=of)


def _opened(page: Page, fault: str, of: str) -> Locator:
    _alarm(page, fault, of).get_by_role("link", name=fault).click()
    return page.get_by_role("complementary", name=fault)


def _listed(page: Page, address: str = "/alarms") -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name="Alarms", level=1)).to_be_visible()


def _rows(download: Download, folder: Path) -> list[dict[str, str]]:
    assert download.suggested_filename == "alarms.csv"
    download.save_as(folder / "alarms.csv")
    with (folder / "alarms.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_alarm_from_raise_to_clear(operator: Page, product: Product, network: Network, tmp_path: Path) -> None:
    page, compute = operator, product.cloud().compute
    server = servers(product, network.instance)["1"]
    _listed(page)
    page.evaluate("window.neverReloaded = true")
    counter = page.get_by_role("navigation", name="Active alarms by severity").get_by_role(
        "link", name=re.compile("critical alarm")
    )
    before = counter.get_attribute("aria-label") or ""
    compute.stop_server(server)
    network.sim.fault(ROUTER, "port-down", port="1/1/1")

    expect(_alarm(page, "VM down", IOM)).to_be_visible(timeout=LONG)
    expect(_alarm(page, "Port down", PORT)).to_be_visible(timeout=LONG)
    filters(page).get_by_label("Root causes only", exact=True).uncheck()
    expect(_alarm(page, "BGP peer down", PEER)).to_be_visible(timeout=LONG)
    expect(counter).not_to_have_attribute("aria-label", before)
    assert page.evaluate("window.neverReloaded"), "it came by itself"
    in_both_themes(page, "alarms-came")

    details = _opened(page, "VM down", IOM)
    expect(details.get_by_role("region", name="Alarm")).to_contain_text("underlying resource unavailable")
    expect(details.get_by_role("region", name="Meaning")).to_contain_text("Start the server, or resume it")
    expect(details.get_by_role("region", name="Root cause and consequences")).to_contain_text("No root cause known")
    details.get_by_role("button", name="Acknowledge").click()
    expect(details.get_by_text("Acknowledged by admin")).to_be_visible()
    details.get_by_label("New note").fill("Stopped by hand; asked the night shift.")
    details.get_by_role("button", name="Add the note").click()
    expect(details.get_by_role("list", name="Notes")).to_contain_text("admin")
    in_both_themes(page, "alarm-worked-on")
    details.get_by_role("link", name="Show on the map").click()
    on_the_map = page.get_by_role("complementary", name=f"Details of {IOM}")
    expect(on_the_map).to_contain_text("VM down")
    expect(page.get_by_role("group", name=re.compile(f"^VM {IOM},"))).to_be_in_viewport()
    in_both_themes(page, "map-from-alarm")
    page.go_back()
    expect(details.get_by_role("list", name="Notes")).to_contain_text("night shift")
    page.go_back()
    expect(details).to_be_hidden()

    _narrowed_and_exported(page, tmp_path)
    _by_root_cause(page)
    _saved_as_a_view(page)

    compute.start_server(server)
    network.sim.fault(ROUTER, "port-up", port="1/1/1")
    _listed(page)
    page.evaluate("window.neverReloaded = true")
    for fault, of in (("VM down", IOM), ("Port down", PORT), ("BGP peer down", PEER)):
        expect(_alarm(page, fault, of)).to_have_count(0, timeout=LONG)
    filters(page).get_by_label("Alarm list").select_option("historical")
    cleared = _alarm(page, "BGP peer down", PEER).locator('[data-label="Cleared"]')
    expect(cleared).to_have_text(re.compile("UTC$"))
    details = _opened(page, "VM down", IOM)
    expect(details.get_by_role("region", name="History")).to_contain_text("Cleared: the condition ended")
    expect(details.get_by_role("list", name="Notes")).to_contain_text("night shift")
    assert page.evaluate("window.neverReloaded"), "they went by themselves"
    in_both_themes(page, "alarm-cleared")


def _narrowed_and_exported(page: Page, folder: Path) -> None:
    """By severity, which Back takes back, and by words; the file has what the list has."""
    critical = page.get_by_role("group", name="Severities").get_by_role("button", name=re.compile("^Critical"))
    critical.click()
    expect(critical).to_have_attribute("aria-pressed", "true")
    expect(_alarm(page, "Port down", ROUTER)).to_have_count(0)
    expect(_alarm(page, "VM down", IOM)).to_be_visible()
    page.go_back()
    expect(critical).to_have_attribute("aria-pressed", "false")
    expect(_alarm(page, "Port down", PORT)).to_be_visible()

    page.get_by_label("Search alarms").fill(ROUTER)
    expect(_alarm(page, "VM down", IOM)).to_have_count(0)
    expect(page).to_have_url(re.compile(f"text={ROUTER}"))
    shown = page.get_by_role("table", name="Alarms", exact=True).locator("tbody").get_by_role("row")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Export as CSV").click()
    rows = _rows(saved.value, folder)
    assert len(rows) == shown.count()
    assert {row["managedObjectName"] for row in rows} == {ROUTER}
    port = next(row for row in rows if row["faultType"] == "PortDown")
    assert (port["faultyResourceName"], port["ackState"]) == (PORT, "UNACKNOWLEDGED")
    assert port["id"] in {row["rootCauseAlarmId"] for row in rows}


def _by_root_cause(page: Page) -> None:
    filters(page).get_by_label("Root causes only", exact=True).check()
    expect(_alarm(page, "BGP peer down", PEER)).to_have_count(0)
    page.get_by_role("button", name=f"Consequences of Port down of {ROUTER}").click()
    caused = _alarm(page, "BGP peer down", PEER)
    expect(caused.get_by_role("link", name="BGP peer down")).to_be_visible()
    in_both_themes(page, "alarms-by-cause")
    caused.get_by_role("link", name="BGP peer down").click()
    relations = page.get_by_role("complementary", name="BGP peer down").get_by_role(
        "region", name="Root cause and consequences"
    )
    relations.get_by_role("link", name="Port down").click()
    root = page.get_by_role("complementary", name="Port down")
    expect(root.get_by_role("heading", name="Causes 1 active alarm")).to_be_visible()
    in_both_themes(page, "alarm-root-cause")
    page.keyboard.press("Escape")
    expect(root).to_be_hidden()


def _saved_as_a_view(page: Page) -> None:
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save this view…").click()
    dialog = page.get_by_role("dialog", name="Save this view")
    dialog.get_by_label("Name").fill("Router's causes")
    in_both_themes(page, "view-save")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="View: Router's causes")).to_be_visible()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Alarms").click()
    expect(page.get_by_label("Search alarms")).to_have_value("")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Router's causes", exact=True).click()
    expect(filters(page).get_by_label("Root causes only", exact=True)).to_be_checked()
    expect(page.get_by_label("Search alarms")).to_have_value(ROUTER)


def _all_alarms_raised(product: Product) -> None:
    """Before the last of them is there, their number is another at each look."""
    asked = f"/api/v1/alarms/count?text={ROUTER}"
    until(lambda: (product.get(asked)["count"] == OF_A_CARD) or None, LONG / 1000, f"{OF_A_CARD} alarms of {ROUTER}")


def test_acknowledge_all_matching_alarms(operator: Page, product: Product, network: Network) -> None:
    page = operator
    network.sim.fault(ROUTER, "card-fail", slot="2", reason="parity error")
    _all_alarms_raised(product)
    _listed(page, f"/alarms?text={ROUTER}&sort=-perceivedSeverity")
    expect(_alarm(page, "Card down", CARD).first).to_be_visible(timeout=LONG)
    pager = page.get_by_role("navigation", name="Pages")
    expect(pager.get_by_role("button", name="Next page")).to_be_enabled(timeout=LONG)
    page.get_by_role("checkbox", name="Choose all on this page").check()
    chosen = page.get_by_role("group", name="Selected alarms")
    expect(chosen).to_contain_text("50 alarms selected")
    page.get_by_role("button", name="Select all that match").click()
    every = page.get_by_role("group", name="All matching alarms").get_by_role(
        "button", name=re.compile(r"^Acknowledge all \d+")
    )
    count = int(re.sub(r"\D", "", every.inner_text()))
    assert count == OF_A_CARD
    in_both_themes(page, "alarms-all-that-match")
    every.click()
    dialog = page.get_by_role("dialog", name=f"Acknowledge all {count} alarms that match")
    in_both_themes(page, "alarms-acknowledge-all")
    dialog.get_by_role("button", name=f"Acknowledge {count} alarms").click()
    expect(page.get_by_text(f"{count} alarms acknowledged").first).to_be_visible()
    filters(page).get_by_label("Acknowledgement", exact=True).select_option("UNACKNOWLEDGED")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    picture(page, "alarms-nothing-matches")
    page.go_back()
    filters(page).get_by_label("Root causes only", exact=True).check()
    page.get_by_role("button", name=f"Consequences of Card down of {ROUTER}").first.click()
    expect(_alarm(page, "Port", "2/1/").first).to_be_visible()
    in_both_themes(page, "alarms-card-causes")
    network.sim.fault(ROUTER, "card-repair", slot="2")
    page.get_by_label("Root causes only", exact=True).uncheck()
    expect(_alarm(page, "Card down", CARD)).to_have_count(0, timeout=LONG)


def test_map_by_keyboard(operator: Page, network: Network) -> None:
    page = operator
    page.goto("/topology")
    find = page.get_by_label("Find on the map")
    find.focus()
    page.keyboard.type(ROUTER)
    found = page.get_by_role("status").filter(has_text="1 match")
    expect(found.get_by_role("button", name=ROUTER)).to_be_visible()
    in_both_themes(page, "map-found")
    page.keyboard.press("Enter")
    router = page.get_by_role("group", name=re.compile(f"^Network element {ROUTER},"))
    expect(router).to_be_focused()
    expect(router).to_be_in_viewport()
    expect(page.get_by_role("complementary", name=f"Details of {ROUTER}")).to_be_visible()
    in_both_themes(page, "map-router")

    find.fill(IOM)
    expect(page.get_by_role("status").filter(has_text="1 match")).to_be_visible()
    page.keyboard.press("Enter")
    vm = page.get_by_role("group", name=re.compile(f"^VM {IOM},"))
    expect(vm).to_be_focused()
    expect(vm).to_be_in_viewport()
    for slot in ("cpm-a", "cpm-b"):
        expect(page.get_by_role("group", name=re.compile(f"^VM {NAME}-{slot},"))).to_be_visible()

    before = vm.evaluate("box => box.style.transform")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowDown")
    moved = vm.evaluate("box => box.style.transform")
    assert moved != before
    place = _within(vm, page.get_by_role("group", name=re.compile(f"^VNF instance {NAME},")))
    until(lambda: _is_in_place(page, place) or None, LONG / 1000, f"the last place of {IOM}, {place}, is kept")
    page.reload()
    expect(vm).to_have_attribute("style", re.compile(re.escape(moved)))
    in_both_themes(page, "map-moved")
    page.get_by_role("button", name="Reset layout").click()
    expect(vm).not_to_have_attribute("style", re.compile(re.escape(moved)))

    group = page.get_by_role("group", name=re.compile(f"^VNF instance {NAME},"))
    group.focus()
    page.keyboard.press("-")
    expect(vm).to_have_count(0)
    expect(group).to_be_focused()
    expect(group).to_be_in_viewport()
    expect(group).to_have_attribute("aria-label", re.compile("; closed, .*3 VMs"))
    in_both_themes(page, "map-folded")
    page.keyboard.press("+")
    expect(vm).to_be_visible()


Place = tuple[float, float]


def _within(box: Locator, group: Locator) -> Place:
    """Where a box of the map is, seen from the group that it is in: so places are kept."""
    (x, y), (left, top) = (
        map(float, re.findall(r"-?[\d.]+", each.evaluate("box => box.style.transform"))[:2]) for each in (box, group)
    )
    return x - left, y - top


def _is_in_place(page: Page, place: Place) -> bool:
    """Among those that the server keeps for this user."""
    answer = page.request.get("/api/v1/topology/positions?scope=all")
    assert answer.ok, answer.text()
    return any((each["x"], each["y"]) == pytest.approx(place, abs=0.5) for each in answer.json()["positions"].values())


@pytest.fixture
def viewer(page: Page, product: Product) -> Page:
    """Logged in as a viewer."""
    password = "looks and does not touch"
    known = {each["username"] for each in product.get("/api/v1/users")}
    if "vera" not in known:
        product.post("/api/v1/users", {"username": "vera", "role": "viewer", "password": password})
    page.goto("/")
    page.get_by_label("Username").fill("vera")
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    return page


WHY_NOT = "This requires the role {}, which vera does not have. Ask an administrator."


def _explains_why_not(page: Page, button: Locator, role: str = "operator") -> None:
    """Off, reachable by keyboard, and saying why."""
    expect(button).to_have_attribute("aria-disabled", "true")
    button.focus()
    expect(page.get_by_role("tooltip").filter(has_text=WHY_NOT.format(role))).to_be_visible()


def test_viewer_reads_all_and_disabled_buttons_explain(viewer: Page, product: Product, network: Network) -> None:
    page = viewer
    package, vim = product.get("/vnfpkgm/v2/vnf_packages")[0]["id"], product.vim_id()
    buttons = {
        f"/instances/{network.instance}": ("Scale out", "Heal", "Terminate"),
        f"/instances/{network.instance}?tab=notes": ("Add the note",),
        f"/elements/{network.router}": ("Resync",),
        f"/elements/{network.router}?tab=configuration": ("Back up now", "Push configuration", "Backup schedule"),
        "/elements": ("Register an element",),
        "/catalog": ("Onboard",),
        f"/catalog/{package}": (),
        f"/clouds/{vim}": (),
        "/topology": (),
        "/alarms": (),
        "/performance": (),
        "/automation": (),
        "/administration?tab=policies": (),
    }
    for address, names in buttons.items():
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        pages.settled(page)
        expect(page.get_by_text("You are not allowed to do this")).to_have_count(0)
        assert page.evaluate(pages.LIT) == [], address
        for name in names:
            _explains_why_not(page, page.get_by_role("button", name=re.compile(f"^{name}")).first)
    page.goto("/clouds")
    _explains_why_not(page, page.get_by_role("button", name="Register a cloud"), "admin")

    page.goto(f"/instances/{network.instance}")
    page.get_by_role("button", name="Actions", exact=True).click()
    items = page.get_by_role("menu").get_by_role("menuitem")
    expect(items.first).to_be_visible()
    for item in items.all():
        expect(item).to_have_attribute("aria-disabled", "true")
    items.first.hover()
    expect(page.get_by_role("tooltip").filter(has_text=WHY_NOT.format("operator"))).to_be_visible()
    in_both_themes(page, "viewer-instance")


def test_api_refuses_changes_of_a_viewer(viewer: Page, product: Product, network: Network) -> None:
    token = viewer.request.get("/api/v1/session/csrf").json()["csrfToken"]
    instance, router = f"/vnflcm/v2/vnf_instances/{network.instance}", f"/api/v1/elements/{network.router}"
    refused = {
        ("POST", f"{instance}/scale"): {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1},
        ("POST", f"{instance}/terminate"): {"terminationType": "FORCEFUL"},
        ("PATCH", instance): {"vnfInstanceName": "hers"},
        ("DELETE", router): {},
        ("POST", f"{router}/configuration/push"): {"text": "/configure port 1/1/2 shutdown", "dryRun": True},
        ("PATCH", "/api/v1/alarms"): {"action": "ACKNOWLEDGE", "confirmed": 0, "asOf": "2026-01-01T00:00:00Z"},
        ("DELETE", f"/api/v1/vims/{product.vim_id()}"): {},
        ("POST", "/vnfpkgm/v2/vnf_packages"): {},
        ("POST", "/api/v1/users"): {"username": "eve", "role": "admin", "password": "given by herself"},
    }
    for (method, path), body in refused.items():
        answer = viewer.request.fetch(path, method=method, data=body, headers={"X-CSRFToken": token})
        assert answer.status == 403, f"{method} {path}: {answer.status} {answer.text()[:300]}"
        assert "role" in answer.text(), f"{method} {path} says why: {answer.text()[:300]}"
    assert viewer.request.get(instance).ok
