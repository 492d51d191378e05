"""A real browser against the whole product, started as a user starts it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, Page, StorageState, ViewportSize, expect, sync_playwright

from tests.browser.console import VITE, Console
from tests.browser.steps import log_in
from tests.support.installation import Product


def _path() -> str | None:
    """The one without windows draws with half the processor time of the others, which draw a whole desktop program."""
    shells = ("chromium-headless-shell", "chrome-headless-shell")
    names = (os.environ.get("CHROMIUM", ""), *shells, "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


def _lacking(reason: str) -> NoReturn:
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Playwright keeps an event loop running in this thread; it must be gone before other tests run theirs."""
    path = _path()
    if path is None:
        _lacking("no Chromium on PATH (set CHROMIUM, or install the package chromium)")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """The console on its mock API, with a session."""
    if not VITE.exists():
        _lacking("no modules of the console (npm ci in frontend)")
    with Console(tmp_path_factory.mktemp("console") / "log") as made:
        yield made


@pytest.fixture(scope="package")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    near = {"VNFM_PACKAGE_SOURCES_ALLOWED": "127.0.0.1/32", "VNFM_SUBSCRIBERS_ALLOWED": "127.0.0.1/32"}
    clear = {"VNFM_PACKAGE_SOURCES_HTTP": "1", "VNFM_SUBSCRIBERS_HTTP": "1"}
    often = {"VNFM_COUNTER_SECONDS": "10"}  # else the first rates take two minutes
    with Product(Path(tmp_path_factory.mktemp("browser")), env=near | clear | often) as running:
        yield running


@contextmanager
def _visit(browser: Browser, product: Product, known: StorageState | None = None) -> Iterator[Page]:
    size: ViewportSize = {"width": 1440, "height": 900}
    context = browser.new_context(
        base_url=product.url, viewport=size, color_scheme="light", reduced_motion="reduce", storage_state=known
    )
    context.set_default_timeout(20_000)
    visitor = context.new_page()
    complaints: list[str] = []
    visitor.on("pageerror", lambda error: complaints.append(str(error)))
    visitor.on("console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None)
    yield visitor
    context.close()
    assert complaints == []


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    """A fresh visitor; what the browser's console complains of fails the test."""
    with _visit(browser, product) as visitor:
        yield visitor


@pytest.fixture(scope="package")
def _known(browser: Browser, product: Product) -> StorageState:
    """The cookies of a session, which no test ends: those that end one log in themselves."""
    with _visit(browser, product) as visitor:
        log_in(visitor, product)
        return visitor.context.storage_state()


@pytest.fixture
def operator(browser: Browser, product: Product, _known: StorageState) -> Iterator[Page]:
    """A `page` that need not log in."""
    with _visit(browser, product, _known) as visitor:
        yield visitor


@pytest.fixture
def colleague(browser: Browser, product: Product, _known: StorageState) -> Iterator[Page]:
    """Another browser, at the same time as the `operator`'s."""
    with _visit(browser, product, _known) as visitor:
        yield visitor
