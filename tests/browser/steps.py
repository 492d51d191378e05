"""The browser tests share this: logging in, looking for faults of accessibility, taking pictures."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.installation import Product

DIALOG = "[role=dialog]"
Theme = Literal["dark", "light", "contrast", "dark contrast"]
_MEDIA: dict[Theme, dict[str, Any]] = {
    "dark": {"color_scheme": "dark", "contrast": "no-preference"},
    "light": {"color_scheme": "light", "contrast": "no-preference"},
    "contrast": {"color_scheme": "light", "contrast": "more"},
    "dark contrast": {"color_scheme": "dark", "contrast": "more"},
}
"""A browser reports these preferences of its user."""
COLOURS = ("color-contrast", "link-in-text-block")
"""axe's rules that look at colours; by all the others a page is as it is in any theme."""
_AXE = Axe().axe_script
_RUN = "([within, options]) => axe.run(within, options).then(found => found.violations)"


def log_in(page: Page, product: Product) -> None:
    admin: dict[str, Any] = product.status()["admin"]
    page.goto("/catalog")
    page.get_by_label("Username").fill(admin["username"])
    page.get_by_label("Password", exact=True).fill(admin["password"])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Catalog", level=1)).to_be_visible()


def filters(page: Page) -> Page:
    """The page, with the filters of its list unfolded."""
    button = page.get_by_role("button", name=re.compile("^Filters"))
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    return page


def assert_accessible(page: Page, *rules: str, within: str = "html") -> None:
    """axe finds nothing on what is shown, of whatever impact, by these rules or by all, once no list is dimmed since it
    waits for another answer.
    """
    expect(page.locator(".vm-waiting")).to_have_count(0)
    found = _violations(page, *rules, within=within)
    faults = [f"{v['id']}, {v['impact']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]
    assert faults == [], faults


def _violations(page: Page, *rules: str, within: str = "html") -> list[dict[str, Any]]:
    """The script stays in a document that it has once been brought into. WCAG 2.2's rule of sizes is off by default."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    if rules:
        options = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": rules}}
    found: list[dict[str, Any]] = page.evaluate(_RUN, [within, options])
    return found


def pictures_wanted() -> bool:
    """VNFM_SCREENSHOTS names their folder."""
    return bool(os.environ.get("VNFM_SCREENSHOTS"))


def picture(page: Page, name: str) -> None:
    if pictures_wanted():
        page.screenshot(path=Path(os.environ["VNFM_SCREENSHOTS"]) / f"{name}.png")


_FADED = """
([scheme, contrast]) => document.documentElement.style.colorScheme === scheme
    && document.documentElement.classList.contains("pf-v6-theme-high-contrast") === contrast
    && !document.getAnimations().some(running => running instanceof CSSTransition)
"""
"""The theme is the one that was asked for, and no colour is on its way any more: half-way nothing can be read."""


def _wear(page: Page, theme: Theme) -> None:
    page.emulate_media(**_MEDIA[theme])
    page.wait_for_function(_FADED, arg=[_MEDIA[theme]["color_scheme"], "contrast" in theme])


@contextmanager
def in_theme(page: Page, theme: Theme) -> Iterator[None]:
    """The page in other colours for a while, and in its light ones again."""
    _wear(page, theme)
    try:
        yield
    finally:
        _wear(page, "light")


def in_both_themes(page: Page, name: str) -> None:
    """axe in light. Where pictures are wanted, axe and a picture in dark, too, and of a dialog in high contrast: to
    restyle pages takes half of a flow's processor time, and the tests of pages judge every theme. Of a page under a
    dialog, which no user reaches, only the dialog.
    """
    if pictures_wanted():
        _in_other_themes(page, name)
    assert_accessible(page, within=DIALOG if page.locator(DIALOG).count() else "html")
    picture(page, f"{name}-light")


def _in_other_themes(page: Page, name: str) -> None:
    """Only the colours are others there."""
    has_dialog = page.locator(DIALOG).count() > 0
    others: tuple[Theme, ...] = ("dark", "contrast", "dark contrast") if has_dialog else ("dark",)
    for theme in others:
        with in_theme(page, theme):
            assert_accessible(page, *COLOURS, within=DIALOG if "contrast" in theme else "html")
            picture(page, f"{name}-{theme.replace(' ', '-')}")


def tab_to(page: Page, role: str, name: str | re.Pattern[str], most: int = 120) -> None:
    """Press Tab until the element has the focus."""
    wanted = page.get_by_role(role, name=name).first  # type: ignore[arg-type]
    wanted.wait_for()
    for _ in range(most):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{role} {name!r} cannot be reached by {most} Tabs")
