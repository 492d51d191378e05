"""The console and a browser, for what is measured in one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import chromium, console

__all__ = ("console",)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Other measurements run event loops of their own."""
    with chromium() as started:
        yield started
