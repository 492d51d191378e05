import pytest

from vnfm.lcm.domain.progress import progress_text


@pytest.mark.parametrize(
    ("done", "size", "words"),
    [
        (1288490189, 10 * 1024**3, "1.2 of 10 GiB"),
        (0, 2048, "0 of 2 KiB"),
        (2048, 2048, "2 of 2 KiB"),
        (700 * 1024**2, 1024**3 - 1, "700 of 1024 MiB"),
        (3, 12, "3 of 12 bytes"),
        (0, 0, "0 of 0 bytes"),
    ],
)
def test_how_far_it_is(done: int, size: int, words: str) -> None:
    assert progress_text(done, size) == words
