"""axe finds nothing on any page of the real product, in light and in dark. On the mock API, with more states,
`test_pages` has every page in every run.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import in_both_themes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ROUTES = Path(__file__).parents[2] / "frontend/src/routes.tsx"
ADMINISTRATION = (
    "sites",
    "policies",
    "profiles",
    "discovery",
    "alarm-policies",
    "alarm-routes",
    "maintenance",
    "subscriptions",
    "users",
    "audit",
)
VIEWS = (
    "/topology?view=list",
    "/topology?view=sites",
    "/elements?view=tree",
    "/alarms?group=object",
    "/alarms?list=historical",
    *(f"/administration?tab={part}" for part in ADMINISTRATION),
    "/there-is-no-such-page",
)
"""Ways of looking at pages that show something else than the pages themselves."""
OF_ONE = {
    "catalog/:id": "/vnfpkgm/v2/vnf_packages",
    "clouds/:id": "/api/v1/vims",
    "clouds/:id/edit": "/api/v1/vims",
}
"""Pages of one object that every installation has, and where its id is found. The others are looked at on their way."""
ELSEWHERE = {"instances/:id", "instances/:id/forgotten", "instances/:id/operations/:opOccId", "elements/:id"}
BOARD = "performance/boards/:id"


def _routes() -> list[str]:
    return [path for path in re.findall(r'path: "([^"]+)"', ROUTES.read_text()) if path != "*"]


def _look(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".vm-pending")).to_have_count(0)
    in_both_themes(page, "page" + re.sub(r"\W+", "-", address))


@pytest.mark.matrix(3)
@pytest.mark.parametrize("address", ["/", *(f"/{path}" for path in _routes() if ":" not in path), *VIEWS])
def test_a_page(operator: Page, address: str) -> None:
    _look(operator, address)


@pytest.mark.parametrize("route", OF_ONE)
def test_a_page_of_one_object(operator: Page, route: str) -> None:
    operator.goto("/")
    first = operator.request.get(OF_ONE[route]).json()[0]["id"]
    _look(operator, "/" + route.replace(":id", first))


def test_the_page_of_a_board(operator: Page) -> None:
    operator.goto("/performance/boards")
    operator.get_by_role("button", name="Create a board").click()
    dialog = operator.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Core")
    dialog.get_by_role("button", name=re.compile("^(Create|Save|Add)")).click()
    operator.get_by_role("link", name="Core", exact=True).click()
    expect(operator.get_by_role("heading", level=1, name="Core")).to_be_visible()
    in_both_themes(operator, "page-board")


def test_no_page_of_an_object_is_forgotten() -> None:
    assert {path for path in _routes() if ":" in path} == OF_ONE.keys() | ELSEWHERE | {BOARD}
