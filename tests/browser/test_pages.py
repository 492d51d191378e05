"""Every page of the console, in every state that it can be in and for everybody who may look at it, on the mock API.

The mock's words for states are in frontend/README.md. VNFM_PAGES_TABLE names a file for the table of what was found.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser import pages
from tests.browser.console import Console
from tests.browser.steps import COLOURS, Theme, assert_accessible, in_theme, picture
from tests.support.installation import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

VIEWS = (
    "/topology?view=list",
    "/topology?view=sites",
    "/elements?view=tree",
    "/alarms?group=object",
    "/alarms?list=historical",
    "/administration?tab=policies",
    "/administration?tab=discovery",
    "/administration?tab=alarm-policies",
    "/administration?tab=alarm-routes",
    "/administration?tab=maintenance",
    "/administration?tab=subscriptions",
    "/administration?tab=users",
    "/administration?tab=api-clients",
    "/administration?tab=audit",
)
"""Ways of looking at pages that ask for something else than the pages themselves."""
ADDRESSES = [*pages.routes(ROOT / "frontend/src/routes.tsx"), *VIEWS]
FORMS = re.compile(r"/new$|/edit$|^/dimensioning$")
"""Their one button sends the form; a viewer gets the refusal then."""
OWN = {"/account": {"Revoke"}, "/performance/boards": {"Create a board", "Delete"}}
"""Buttons for the user's own objects."""
ONE_TIME_PAGE = "/instances/:id/forgotten"
WITHOUT_REQUESTS = {ONE_TIME_PAGE, "/there-is-no-such-page", "/clouds/new"}
"""Requests of the frame around them may fail all the same."""
MOST_BOXES = 9000
"""Elements of the document: a list of all would have several times as many."""
Table = dict[str, dict[str, str]]
FOUND = ROOT / "frontend/docs/pages.md"


class NotApplicableError(Exception):
    """There is nothing on this page that the state could be seen by."""


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    rows: Table = {}
    yield rows
    if path := os.environ.get("VNFM_PAGES_TABLE"):
        Path(path).write_text(pages.markdown(rows, COLUMNS))


@pytest.fixture(scope="module")
def visitor(browser: Browser, console: Console) -> Iterator[Page]:
    context = browser.new_context(base_url=console.url, viewport={"width": 1440, "height": 900}, color_scheme="light")
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


class Look:
    """One page of the console, to be opened in a state."""

    def __init__(self, page: Page, console: Console, address: str) -> None:
        self.page, self.console, self.address = page, console, address
        self.is_object, self.is_form = ":" in address, FORMS.search(address) is not None
        self.asks = address not in WITHOUT_REQUESTS

    def open(self, state: str = "usual", *, settles: bool = True) -> None:
        world = state if state in ("empty", "many") else "usual"
        address = pages.with_ids(self.console, self.address, world)
        words = state if world == state else f"usual,{state}"
        self.page.goto(f"{address}{'&' if '?' in address else '?'}mock={words}")
        if settles:
            pages.settled(self.page)

    def main(self) -> str:
        return self.page.locator("#main-content").inner_text()

    def on_each_tab(self, check: Callable[[str], None]) -> None:
        """`check` gets the tab's part of names of pictures. Where the address names a tab, the others have rows too."""
        tabs = self.page.locator("#main-content .pf-v6-c-tabs:not(.pf-m-subtab)").get_by_role("tab")
        if tabs.count() == 0 or "tab=" in self.address:
            self._on_inner_tabs("", check)
            return
        for number, tab in enumerate(tabs.all()):
            tab.click()
            pages.settled(self.page)
            self._on_inner_tabs(f"-{number}", check)

    def _on_inner_tabs(self, outer: str, check: Callable[[str], None]) -> None:
        check(outer)
        inner = self.page.locator("#main-content .pf-v6-c-tabs.pf-m-subtab").get_by_role("tab")
        for part, each in enumerate(inner.all()[1:], 1):
            each.click()
            pages.settled(self.page)
            check(f"{outer}-{part}")

    # ---- as it usually is ----

    def mouse(self) -> None:
        self.open()
        picture(self.page, pages.slug(self.address))
        assert pages.covered(self.page) == []

    def keyboard(self) -> None:
        self.page.set_viewport_size({"width": 1280, "height": 720})
        seen = pages.tab_through(self.page)
        assert seen["invisible"] == []
        assert seen["inside"] > 0, "nothing of the page takes the focus"

    def axe(self) -> None:
        self.page.set_viewport_size({"width": 1440, "height": 900})
        self.on_each_tab(lambda _: assert_accessible(self.page))

    def _in_colours(self, theme: Theme) -> None:
        def look(tab: str) -> None:
            picture(self.page, f"{pages.slug(self.address)}{tab}-{theme.replace(' ', '-')}")
            assert_accessible(self.page, *COLOURS)

        with in_theme(self.page, theme):
            self.on_each_tab(look)

    def dark(self) -> None:
        self._in_colours("dark")

    def contrast(self) -> None:
        self._in_colours("contrast")
        self._in_colours("dark contrast")

    def zoom(self) -> None:
        def look(tab: str) -> None:
            for name, size in pages.SIZES.items():
                self.page.set_viewport_size(size)
                pages.still(self.page)
                picture(self.page, f"{pages.slug(self.address)}{tab}-{name}")
                assert self.page.evaluate(pages.OVERFLOWS) == [], name + tab

        self.on_each_tab(look)
        self.page.set_viewport_size({"width": 1440, "height": 900})

    # ---- states ----

    def _where(self, applies: bool) -> None:
        if not applies:
            raise NotApplicableError

    def empty(self) -> None:
        self.open("empty")
        said = self.main()
        assert not re.search(r"\b(undefined|NaN|null|\[object)\b", said)
        if self.is_object and self.address != ONE_TIME_PAGE:
            assert "does not exist" in said
            assert self.page.get_by_role("link", name="Go to the overview").is_visible()

    def loading(self) -> None:
        self._where(self.asks)
        self.open("slow-2s", settles=False)
        expect(self.page.locator(pages.WAITING).first).to_be_visible()

    def error(self) -> None:
        self.open("error-500")
        expect(self.page.get_by_role("button", name="Try again").first).to_be_visible()
        said = self.main()
        assert "could not be loaded" in said or "The database does not answer" in said

    def partial(self) -> None:
        self.open("error-500:alarm_summary")
        expect(self.page.get_by_role("link", name="Critical alarms: unknown")).to_be_visible()
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def forbidden(self) -> None:
        self._where(self.asks and not self.is_form)
        self.open("forbidden-403")
        assert "You are not allowed to do this" in self.main()

    def viewer(self) -> None:
        self._where(not self.is_form)
        self.open("viewer")
        assert set(self.page.evaluate(pages.LIT)) <= OWN.get(self.address, set())

    def stale(self) -> None:
        self.open("stale")
        expect(self.page.get_by_text(re.compile("could not be refreshed since")).first).to_be_visible()

    def offline(self) -> None:
        self.open("offline", settles=False)
        banner = self.page.get_by_role("status", name="Connection")
        expect(banner).to_contain_text("Connection to the VNF manager lost")
        expect(self.page.get_by_role("button", name="Try again").first).to_be_visible()

    def session(self) -> None:
        self.open("expired-401", settles=False)
        dialog = self.page.get_by_role("dialog", name="Your session has ended")
        dialog.get_by_label("Password", exact=True).fill("right")
        before = self.page.url
        dialog.get_by_role("button", name="Log in").click()
        expect(dialog).to_be_hidden()
        pages.settled(self.page)
        assert self.page.url == before

    def many(self) -> None:
        self.open("many")
        assert self.page.evaluate("document.getElementsByTagName('*').length") < MOST_BOXES
        assert self.page.evaluate(pages.OVERFLOWS) == []


COLUMNS: dict[str, Callable[[Look], None]] = {
    "mouse": Look.mouse,
    "keyboard": Look.keyboard,
    "axe": Look.axe,
    "dark": Look.dark,
    "high contrast": Look.contrast,
    "200 %, tablet": Look.zoom,
    "empty": Look.empty,
    "loading": Look.loading,
    "partial": Look.partial,
    "error": Look.error,
    "no rights": Look.forbidden,
    "viewer": Look.viewer,
    "stale": Look.stale,
    "offline": Look.offline,
    "session ended": Look.session,
    "10,000 objects": Look.many,
}
"""The first six look at what the first has opened."""


@pytest.mark.matrix(2)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page(visitor: Page, console: Console, table: Table, address: str) -> None:
    look, thrown = Look(visitor, console, address), list[str]()
    note = lambda error: thrown.append(str(error))  # noqa: E731  it has to be taken off again
    visitor.on("pageerror", note)
    row = table.setdefault(address, {})
    for name, check in COLUMNS.items():
        try:
            check(look)
        except NotApplicableError:
            row[name] = pages.NOT_APPLICABLE
        except (AssertionError, Error) as found:
            picture(visitor, f"{pages.slug(address)}-FAILED-{name.replace(' ', '-')}")
            row[name] = str(found)[:600]
        else:
            row[name] = "; ".join(thrown)
        thrown.clear()
    visitor.remove_listener("pageerror", note)
    console.log_in()
    assert {name: words for name, words in row.items() if words not in ("", pages.NOT_APPLICABLE)} == {}


def test_the_committed_table_has_all_pages_and_states() -> None:
    head, _, *rows = [line for line in FOUND.read_text().splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["Page", *COLUMNS]
    assert [row.split("`")[1] for row in rows] == ADDRESSES
