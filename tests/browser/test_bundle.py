"""A browser fetches little before it shows the start page of the console as it is built."""

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.console import Console

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

JS_KB, CSS_KB = 250, 100
"""The unit is 1000 bytes, compressed as servers do."""


class _Initial(HTMLParser):
    """The files that a page names: its module, what that imports from the start, and its style sheets."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = dict(attrs)
        named = of.get("src") if tag == "script" else None
        if tag == "link" and of.get("rel") in {"modulepreload", "stylesheet"}:
            named = of.get("href")
        if named:
            self.files.append(named.lstrip("/"))


def initial_kb(built: Path, suffix: str) -> dict[str, float]:
    """Compressed size of each file with that suffix that `index.html` asks for."""
    page = _Initial()
    page.feed((built / "index.html").read_text())
    names = [name for name in page.files if name.endswith(suffix)]
    return {name: len(gzip.compress((built / name).read_bytes())) / 1000 for name in names}


@pytest.mark.parametrize(("suffix", "most"), [(".js", JS_KB), (".css", CSS_KB)])
def test_the_first_page_is_small(console: Console, suffix: str, most: int) -> None:
    sizes = initial_kb(console.built, suffix)
    assert sizes, f"index.html names no {suffix}"
    assert sum(sizes.values()) <= most, sizes


@pytest.mark.parametrize("part", ["react-flow__viewport", "rankdir", "u-over"])
def test_map_and_charts_are_loaded_on_demand(console: Console, part: str) -> None:
    """`part` is something that only its code has in it."""
    having = {file.name for file in (console.built / "assets").glob("*.js") if part in file.read_text()}
    assert having, f"no file has {part} in it"
    assert not having & {Path(name).name for name in initial_kb(console.built, ".js")}


@pytest.mark.parametrize(("path", "opened"), [("/instances", "InstancePage"), ("/elements", "ElementPage")])
def test_the_page_that_rows_open_comes_with_their_list(
    browser: Browser, console: Console, path: str, opened: str
) -> None:
    """A click would ask for its forty files before it is answered."""
    context = browser.new_context(base_url=console.url)
    page = context.new_page()
    with page.expect_response(re.compile(rf"/assets/{opened}-")):
        page.goto(f"{path}?mock=usual")
    context.close()
