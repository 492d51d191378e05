"""The checks of every page, and the table of what was found."""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page, ViewportSize, expect

from tests.browser.console import Console

LISTS = {
    "catalog": "/vnfpkgm/v2/vnf_packages",
    "clouds": "/api/v1/vims",
    "instances": "/api/v1/vnf_instances",
    "elements": "/api/v1/elements",
    "performance/boards": "/api/v1/boards",
}
"""Where the ids of pages of one object are found, by the beginning of their address."""
OPERATIONS = "/vnflcm/v2/vnf_lcm_op_occs"
NO_ID = "00000000-0000-4000-8000-000000000000"
MOST_TABS = 40

SIZES: dict[str, ViewportSize] = {
    "1280x720": {"width": 1280, "height": 720},
    "tablet": {"width": 768, "height": 1024},
    "zoomed": {"width": 640, "height": 360},
}
"""The last is 1280 by 720 at 200 %."""

WAITING = ".vm-pending, [aria-busy=true], .pf-v6-c-skeleton, .pf-v6-c-spinner"
"""Pages say so that something is being waited for."""

_CONTROLS = "a[href], button, input, select, textarea, [role=treeitem], [role=tab]"

_COVERED = f"""() => {{
  // The drawings have boxes on top of each other, and their own ways.
  const drawn = element => element.closest(".react-flow, [aria-hidden=true]");
  const name = element => element.outerHTML.slice(0, 120);
  const controls = [...document.querySelectorAll("#main-content :is({_CONTROLS})")];
  return controls.filter(element => !drawn(element) && element.checkVisibility({{ visibilityProperty: true }}))
    .filter(element => {{
      element.scrollIntoView({{ block: "center", inline: "center" }});
      const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) return false;
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const label = element.labels && [...element.labels].some(each => each.contains(hit));
      return hit !== null && !element.contains(hit) && !hit.contains(element) && !label;
    }}).map(name);
}}"""
_SLIDES_MS = 2000
"""Arrows beside tabs and the navigation slide in, beginning 100 ms after a page is drawn or scrolled."""

OVERFLOWS = """() => {
  const wide = element => element.scrollWidth > element.clientWidth + 1;
  const frames = [document.scrollingElement, document.getElementById("main-content"), document.querySelector("header")];
  const found = frames.filter(element => element && wide(element)).map(element => element.id || element.tagName);
  // Of what is wider than the window, the innermost parts that nothing scrolls.
  const scroll = ".vm-scroll, .vm-wide, .vm-panel, .vm-topology, .vm-map-canvas, pre, .pf-v6-c-tabs";
  const scrolled = element => element.closest(scroll);
  const parts = [...document.querySelectorAll("#main-content *, header *")].filter(element =>
    !scrolled(element) && element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1
    && !element.closest(".pf-v6-screen-reader, .pf-v6-c-skip-to-content"));
  const inner = parts.filter(element => !parts.some(other => other !== element && element.contains(other)));
  return [...found, ...inner.slice(0, 5).map(element => element.outerHTML.slice(0, 120))];
}"""
"""The script returns what makes the page scroll sideways, or is cut off at its side."""

LIT = """() => [...document.querySelectorAll("#main-content button.pf-m-primary, #main-content button.pf-m-danger")]
  .filter(button => button.checkVisibility() && !button.disabled && button.getAttribute("aria-disabled") !== "true"
    && !button.closest(".pf-v6-c-wizard"))
  .map(button => button.textContent)"""
"""Enabled buttons for changes on a viewer's page."""

_FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const box = element.getBoundingClientRect();
  const inside = document.getElementById("main-content").contains(element);
  const x = Math.min(Math.max(box.x + Math.min(box.width, 40) / 2, 0), innerWidth - 1);
  const y = (Math.max(box.y, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const hit = document.elementFromPoint(x, y);
  const label = element.labels && [...element.labels].some(each => each.contains(hit));
  const seen = hit !== null && (element.contains(hit) || hit.contains(element) || label || box.height < 2);
  return { inside, seen: seen || Boolean(element.closest(".react-flow")), name: element.outerHTML.slice(0, 160) };
}"""


def routes(source: Path) -> list[str]:
    """The addresses of the console, as its table of routes has them."""
    found = re.findall(r'path: "([^"]+)"', source.read_text())
    return ["/", *(f"/{path}" for path in found if path != "*"), "/there-is-no-such-page"]


@cache
def _ids(console: Console, first: str, world: str) -> dict[str, str]:
    operations = console.get(OPERATIONS, world) if world != "empty" else []
    rows = console.get(LISTS[first], world)
    return {
        "id": rows[0]["id"] if rows else NO_ID,
        "operated": operations[0]["vnfInstanceId"] if operations else NO_ID,
        "opOccId": operations[0]["id"] if operations else NO_ID,
    }


def with_ids(console: Console, address: str, world: str) -> str:
    """The address of an object that is there in that world, or of none where there is none."""
    if ":" not in address:
        return address
    ids = _ids(console, address.partition("/:id")[0].strip("/"), world)
    if ":opOccId" in address:
        address = address.replace("/:id/", f"/{ids['operated']}/")
    return re.sub(r":(\w+)", lambda found: ids[found[1]], address)


def drawn(page: Page) -> Locator:
    """The picture of a large map, once all of it is drawn as it stands."""
    return page.locator(".vm-map-picture[aria-busy=false]")


def settled(page: Page) -> None:
    """Something stands there, and nothing is waited for."""
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    expect(page.locator(f"#main-content :is({WAITING})")).to_have_count(0)


def still(page: Page) -> None:
    """Nothing moves any more: in a narrower window the navigation slides away."""
    page.wait_for_function("() => !document.getAnimations().some(running => running instanceof CSSTransition)")


def covered(page: Page) -> list[str]:
    """Controls of the page that something else lies on, and goes on to lie on."""
    with suppress(Error):
        page.wait_for_function(f"() => ({_COVERED})().length === 0", timeout=_SLIDES_MS)
    found: list[str] = page.evaluate(_COVERED)
    return found


def _focus_shows(page: Page) -> bool:
    with suppress(Error):
        page.wait_for_function(f"() => ({_FOCUSED})()?.seen", timeout=_SLIDES_MS)
        return True
    return False


def tab_through(page: Page) -> dict[str, Any]:
    """The focus by Tab alone: how often it is inside the page, and where it is invisible."""
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0) }")
    inside, invisible = 0, []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        at = page.evaluate(_FOCUSED)
        if at is None:
            break
        inside += at["inside"]
        if not at["seen"] and not _focus_shows(page):
            invisible.append(at["name"])
    return {"inside": inside, "invisible": invisible}


def slug(address: str) -> str:
    return re.sub(r"\W+", "-", address).strip("-") or "overview"


def markdown(rows: dict[str, dict[str, str]], columns: Iterable[str]) -> str:
    names = list(columns)
    head = ["Page", *names]
    lines = [
        [f"`{address}`", *(_MARKS.get(row.get(name, "not run"), "✗") for name in names)]
        for address, row in rows.items()
    ]
    body = "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *lines])
    return f"{_INTRODUCTION}\n{body}\n"


NOT_APPLICABLE = "—"
_MARKS = {"": "✓", NOT_APPLICABLE: NOT_APPLICABLE}

_INTRODUCTION = """# Pages and their states

What `tests/browser/test_pages.py` found; VNFM_PAGES_TABLE named this file.

✓: so it was found. —: there is nothing on the page that it could be seen by.

- **mouse**: no control is covered by another. **keyboard**: 40 steps of Tab reach the page, and the focus is seen.
- **axe**: nothing, however small, on any tab of the page. **dark**, **high contrast** (in both): nor in these colours.
- **200 %, tablet**: at 1280 by 720, also zoomed to 200 %, and at 768 by 1024 no tab scrolls sideways or is cut off.
- **empty**: a new installation; a page of one object says that it does not exist. **loading**: says that it waits.
- **partial**: the page stands when the alarms cannot be counted. **error**: says why, and offers to try again.
- **no rights**: says so. **viewer**: no button is lit for what takes another role. **stale**: says since when.
- **offline**: says so, and offers to reconnect. **session ended**: asks for the login on top, and is where one was.
- **10,000 objects**: 100,000 alarms, 10,000 VMs, and no more of the page than can be read.
"""
