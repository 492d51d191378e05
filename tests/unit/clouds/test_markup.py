from time import process_time

import pytest

from vnfm.clouds.openstack.markup import plain_text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("", ""),
        (
            "<html><title>500 Error</title><body><h1>Quota exceeded</h1>for  cores</body></html>",
            "Quota exceeded for cores",
        ),
        ("<STYLE>b {}</Style>words<script src='x'>if (a < b) c()</script>!", "words !"),
        ("a disk of < 20 GiB", "a disk of 20 GiB"),
        ("a < b and b > c", "a c"),
        ("<script>never closed", ""),
        ("İ<style>x</style>y", "İ y"),
        ("<titles>kept</titles>", ""),
    ],
)
def test_tags_and_hidden_elements_are_left_out(page: str, text: str) -> None:
    assert plain_text(page) == text


@pytest.mark.parametrize("piece", ["<", ">", "<>", "<b>", "<script>", "<style></script>", "</title", "< ", "\n", "İ<"])
def test_its_cost_grows_with_the_page(piece: str) -> None:
    page = piece * (1024**2 // len(piece))
    began = process_time()
    assert "<" not in plain_text(page)
    assert process_time() - began < 2.0
