"""The table of pages does not show these: connections that come and go, answers of others, keys and times, leaks."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser.console import Console
from tests.browser.pages import settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

STORM = 1000
EVENT_BYTES = 105
"""An event of the storm has a few more."""

MOVING = """() => document.getAnimations()
  .filter(each => each instanceof CSSAnimation && each.playState === "running").length"""


KEEP_WHAT_IT_SAYS = """banner => { window.said = []; new MutationObserver(() => said.push(banner.textContent))
  .observe(banner, { childList: true, characterData: true, subtree: true }) }"""


@pytest.fixture
def visitor(browser: Browser, console: Console) -> Iterator[Page]:
    size: ViewportSize = {"width": 1440, "height": 900}
    context = browser.new_context(
        base_url=console.url, viewport=size, reduced_motion="reduce", timezone_id="Europe/Berlin"
    )
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def test_banner_when_the_server_is_gone_and_back(browser: Browser, console: Console, tmp_path: Path) -> None:
    server = Console(tmp_path / "log")
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    banner = page.get_by_role("status", name="Connection")
    with server:
        page.goto("/alarms?mock=usual")
        settled(page)
    expect(banner).to_contain_text("Connection to the VNF manager lost. Data may be stale since")
    banner.evaluate(KEEP_WHAT_IT_SAYS)
    context.set_offline(offline=True)  # until the server knows again who is logged in
    with server:
        context.set_offline(offline=False)
        with suppress(TookTooLong):  # it may have connected of itself just now
            page.get_by_role("button", name="Reconnect now").click(timeout=1_000)
        expect(banner).to_be_empty(timeout=60_000)
        said: list[str] = page.evaluate("said")
        assert any(words.startswith("Reconnected. Loading the changes since") for words in said), said
        expect(page.get_by_role("table", name="Alarms")).to_be_visible()
        context.close()


def test_response_of_a_proxy_is_reported_as_such(visitor: Page) -> None:
    visitor.goto("/clouds?mock=usual,garbled")
    problem = visitor.get_by_role("alert").filter(has_text="The response cannot be read")
    expect(problem).to_contain_text("Next step: Try again. If it persists, check the proxy")


def test_escape_closes_the_topmost_first(visitor: Page, console: Console) -> None:
    alarm = console.get("/api/v1/alarms")[0]["id"]
    visitor.goto(f"/alarms?mock=usual&alarm={alarm}")
    drawer = visitor.locator(".vm-drawer")
    expect(drawer.get_by_role("heading", level=2)).to_be_focused()
    for name in ("Views", "Alert me"):
        button = visitor.get_by_role("button", name=name, exact=True)
        button.press("Enter")
        expect(button).to_have_attribute("aria-expanded", "true")
        visitor.keyboard.press("Escape")
        expect(button).to_have_attribute("aria-expanded", "false")
        expect(drawer).to_be_visible()
    visitor.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


TIMED = (
    "/",
    "/alarms",
    "/elements",
    "/clouds",
    "/elements/traps",
    "/administration?tab=maintenance",
    "/administration?tab=audit",
    "/account",
)


@pytest.mark.parametrize("address", TIMED)
def test_times_in_local_zone_and_utc(visitor: Page, address: str) -> None:
    visitor.goto(f"{address}{'&' if '?' in address else '?'}mock=usual")
    settled(visitor)
    times = visitor.locator("#main-content time")
    expect(times.first).to_be_visible()
    titles = times.evaluate_all("elements => elements.map(element => element.title)")
    assert [title for title in titles if not re.search(r"\(.* UTC\)$", title)] == []


def test_reduced_motion(visitor: Page) -> None:
    visitor.goto("/instances?mock=usual,slow-2s")
    expect(visitor.locator(".pf-v6-c-skeleton").first).to_be_visible()
    assert visitor.evaluate(MOVING) == 0
    settled(visitor)
    assert visitor.evaluate(MOVING) == 0


def _figures(cdp: CDPSession) -> dict[str, float]:
    """After a garbage collection."""
    for _ in range(3):
        cdp.send("HeapProfiler.collectGarbage")
    found = {metric["name"]: metric["value"] for metric in cdp.send("Performance.getMetrics")["metrics"]}
    return {name: found[name] for name in ("JSHeapUsedSize", "JSEventListeners", "Nodes")}


def test_a_thousand_events_leak_no_memory(visitor: Page) -> None:
    """The first thousand warm it up: caches fill, code is compiled. The second must add nothing to that."""
    cdp = visitor.context.new_cdp_session(visitor)
    for domain in ("Network", "Performance", "HeapProfiler"):
        cdp.send(f"{domain}.enable")
    streams: set[str] = set()
    received = [0]

    def on_request(event: dict[str, object]) -> None:
        if "/api/v1/events" in str(event["request"]):
            streams.add(str(event["requestId"]))

    def on_response(event: dict[str, object]) -> None:
        if event["requestId"] in streams:
            received[0] += int(str(event["dataLength"]))

    cdp.on("Network.requestWillBeSent", on_request)
    cdp.on("Network.dataReceived", on_response)
    visitor.goto(f"/alarms?mock=usual,storm-{2 * STORM}")
    settled(visitor)

    def after_storm(events: int) -> dict[str, float]:
        while received[0] < events * EVENT_BYTES:
            visitor.wait_for_timeout(100)  # lets what the browser tells come in
        settled(visitor)
        return _figures(cdp)

    before, after = after_storm(STORM), after_storm(2 * STORM)
    grown = {name: after[name] - before[name] for name in before}
    assert grown["Nodes"] < 0.1 * before["Nodes"], (before, after)
    assert grown["JSEventListeners"] < 0.1 * before["JSEventListeners"], (before, after)
    assert grown["JSHeapUsedSize"] < 2 * 2**20, (before, after)
