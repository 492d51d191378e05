"""What one worker keeps together when the suite runs side by side."""

import pytest

from tests.side_by_side import CONSOLE, PRODUCT, REAL_CLOUD, group


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("tests/contract/test_stacks.py::test_a_stack[real]", REAL_CLOUD),
        ("tests/contract/test_servers.py::test_power[stop-real]", REAL_CLOUD),
        ("tests/cloud/test_demo.py::test_the_demo", REAL_CLOUD),
        ("tests/contract/test_stacks.py::test_a_stack[cloudsim]", "tests/contract/test_stacks.py"),
        ("tests/browser/test_flow.py::test_a_flow", PRODUCT),
        ("tests/browser/test_pages.py::test_a_page[/]", CONSOLE),
        ("tests/unit/kit/test_page.py::test_what_is_real[surreal]", "tests/unit/kit/test_page.py"),
    ],
)
def test_a_file_keeps_together_and_so_does_what_shares_more(test: str, expected: str) -> None:
    assert group(test) == expected
