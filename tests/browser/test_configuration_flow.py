"""The configuration of a simulated router: backed up, changed after a dry run, compared, rolled back; and a refusal."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.routers import LONG, router
from tests.browser.steps import in_both_themes
from tests.support.installation import Product
from tests.support.routersim_process import RoutersimProcess

ROUTER, ADDRESS = "conf-pe-1", "127.77.6.1"
WORDS = "to the core"
LINES = f'/configure port 1/1/1 description "{WORDS}"\n/configure system location "Hall 3"'
BAD = "/configure port 1/1/1 shutdown\n/configure nonsense here"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def element(routersim: RoutersimProcess, product: Product) -> Iterator[str]:
    """The id of a 7750 SR-12 that one may log in to."""
    with router(product, routersim, ROUTER, ADDRESS) as made:
        yield made


def _running(routersim: RoutersimProcess) -> str:
    """The configuration as the router has it."""
    return str(routersim.control("GET", f"/elements/{ROUTER}/config"))


def _version(page: Page, number: int) -> Locator:
    return page.get_by_role("table", name="Versions").get_by_role("row", name=re.compile(f"^{number} "))


def _dry_run(dialog: Locator) -> Locator:
    """Return the result of the dry run."""
    dialog.get_by_role("button", name="Dry run").click()
    said = dialog.get_by_role("region", name="Dry run")
    expect(said).to_be_visible(timeout=LONG)
    expect(dialog.get_by_role("button", name="Dry run")).to_be_enabled(timeout=LONG)
    return said


def _done(page: Page, job: str) -> None:
    jobs = page.get_by_role("table", name="Jobs")
    expect(jobs.get_by_role("row", name=re.compile(f"^{job} Done")).first).to_be_visible(timeout=LONG)


def test_configuration_backup_push_compare_and_rollback(
    operator: Page, element: str, routersim: RoutersimProcess
) -> None:
    page = operator
    page.goto(f"/elements/{element}?tab=configuration")
    page.get_by_role("button", name="Back up now").click()
    expect(_version(page, 1)).to_contain_text("on demand, admin", timeout=LONG)
    in_both_themes(page, "configuration-backed-up")

    page.get_by_role("button", name="Push configuration").click()
    dialog = page.get_by_role("dialog", name=f"Push configuration to {ROUTER}")
    lines, push = dialog.get_by_label("Lines to push"), dialog.get_by_role("button", name="Push", exact=True)
    expect(push).to_be_disabled()
    _is_refused(dialog, lines, push)
    lines.fill(LINES)
    expect(dialog.get_by_text("The lines have changed since: run it again.")).to_be_visible()
    what = _dry_run(dialog).get_by_role("list", name="Changes")
    expect(what.get_by_role("listitem").filter(has_text="Added:").filter(has_text=WORDS)).to_be_visible()
    assert WORDS not in _running(routersim), "a dry run changes nothing"
    in_both_themes(page, "configuration-push")
    push.click()
    expect(dialog).to_be_hidden()
    _done(page, "Push")
    expect(_version(page, 2)).to_contain_text("after a push, admin", timeout=LONG)
    assert WORDS in _running(routersim)

    page.get_by_role("button", name="Compare with 1: version 2").click()
    differences = page.get_by_role("table", name="Differences by lines")
    expect(differences).to_contain_text(WORDS)
    in_both_themes(page, "configuration-versions")

    page.get_by_role("button", name="Roll back to version 1").click()
    dialog = page.get_by_role("dialog", name=f"Roll {ROUTER} back to version 1")
    back = dialog.get_by_role("button", name="Roll back", exact=True)
    expect(back).to_be_disabled()
    what = _dry_run(dialog).get_by_role("list", name="Changes")
    expect(what.get_by_role("listitem").filter(has_text="Removed:").filter(has_text=WORDS)).to_be_visible()
    in_both_themes(page, "configuration-roll-back")
    back.click()
    expect(dialog).to_be_hidden()
    _done(page, "Rollback")
    expect(_version(page, 3)).to_contain_text("after a rollback, admin", timeout=LONG)
    assert WORDS not in _running(routersim)
    in_both_themes(page, "configuration-rolled-back")

    page.get_by_role("button", name="Backup schedule").click()
    dialog = page.get_by_role("dialog", name=f"Backup schedule of {ROUTER}")
    dialog.get_by_label("Interval (s)").fill("86400")
    in_both_themes(page, "configuration-plan")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Backed up every 24 hours")).to_be_visible()


def _is_refused(dialog: Locator, lines: Locator, push: Locator) -> None:
    """The dialog shows the router's error and disables the push."""
    lines.fill(BAD)
    said = _dry_run(dialog)
    expect(said).to_contain_text("line 2")
    expect(said).to_contain_text(re.compile("Error: .*", re.IGNORECASE))
    expect(push).to_be_disabled()
    in_both_themes(dialog.page, "configuration-refused")
