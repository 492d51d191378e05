"""One worker runs the tests that share a server when the suite runs side by side."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.xdist_groups import CHAOS, CONSOLE, OPERATIONS, PRODUCT, REAL_CLOUD, group

BROWSER = Path(__file__).parents[1] / "browser"
OF_THE_PRODUCT = {"product", "operator", "colleague", "page"}
"""Fixtures that start an installation."""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("tests/contract/test_stacks.py::test_a_stack[real]", REAL_CLOUD),
        ("tests/contract/test_servers.py::test_power[stop-real]", REAL_CLOUD),
        ("tests/cloud/test_demo.py::test_the_demo", REAL_CLOUD),
        ("tests/contract/test_stacks.py::test_a_stack[cloudsim]", "tests/contract/test_stacks.py"),
        ("tests/browser/test_flow.py::test_a_flow", OPERATIONS),
        ("tests/browser/test_people.py::test_an_administrator", PRODUCT),
        ("tests/chaos/test_selection.py::test_operations_survive[token-expired-before]", CHAOS),
        ("tests/browser/test_pages.py::test_a_page[/]", CONSOLE),
        ("tests/unit/kit/test_page.py::test_what_is_real[surreal]", "tests/unit/kit/test_page.py"),
    ],
)
def test_files_and_their_groups_keep_together(test: str, expected: str) -> None:
    assert group(test) == expected


def _fixtures_of(file: Path) -> Iterator[str]:
    """The fixtures that tests and fixtures of a file name."""
    functions = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        marks = [ast.unparse(each) for each in function.decorator_list]
        if function.name.startswith("test_") or any(mark.startswith("pytest.fixture") for mark in marks):
            yield from (each.arg for each in function.args.args)
        for each in function.decorator_list:
            if isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.mark.usefixtures":
                yield from (ast.literal_eval(name) for name in each.args)


@pytest.mark.parametrize("file", sorted(BROWSER.glob("test_*.py")), ids=lambda file: file.stem)
def test_a_browser_file_is_in_the_group_of_its_fixtures(file: Path) -> None:
    """Apart, a worker starts a second installation for them, or builds the console a second time."""
    fixtures = set(_fixtures_of(file))
    on_product = bool(fixtures & OF_THE_PRODUCT)
    assert ("console" in fixtures) is not on_product, "a file tests either the console alone or the product"
    assert group(f"tests/browser/{file.name}::test") in ((PRODUCT, OPERATIONS) if on_product else (CONSOLE,))
