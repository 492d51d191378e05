"""What the browser tests share: logging in, looking for faults of accessibility, taking pictures."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.installation import Product

SERIOUS = {"serious", "critical"}
_AXE = Axe()


def log_in(page: Page, product: Product) -> None:
    admin: dict[str, Any] = product.status()["admin"]
    page.goto("/catalog")
    page.get_by_label("Username").fill(admin["username"])
    page.get_by_label("Password", exact=True).fill(admin["password"])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Catalog", level=1)).to_be_visible()


def assert_accessible(page: Page, *rules: str) -> None:
    """axe finds nothing serious on what is shown now, by these rules or by all."""
    options = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else None
    found = _AXE.run(page, options=options).response["violations"]
    serious = [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found if v["impact"] in SERIOUS]
    assert serious == [], serious


def picture(page: Page, name: str) -> None:
    """Keep a screenshot where VNFM_SCREENSHOTS says; nowhere otherwise."""
    folder = os.environ.get("VNFM_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


_FADED = """
scheme => document.documentElement.style.colorScheme === scheme
    && !document.getAnimations().some(running => running instanceof CSSTransition)
"""
"""The theme is the one that was asked for, and no colour is on its way any more: half-way nothing can be read."""


@contextmanager
def in_theme(page: Page, scheme: Literal["dark", "light"]) -> Iterator[None]:
    """The page in other colours for a while, and in its light ones again."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(_FADED, arg=scheme)
    try:
        yield
    finally:
        page.emulate_media(color_scheme="light")
        page.wait_for_function(_FADED, arg="light")


def in_both_themes(page: Page, name: str) -> None:
    """axe and a picture in light and in dark, where only the colours are others."""
    with in_theme(page, "dark"):
        assert_accessible(page, "color-contrast")
        picture(page, f"{name}-dark")
    assert_accessible(page)
    picture(page, f"{name}-light")
