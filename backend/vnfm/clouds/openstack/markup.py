"""The text of an error page, by one pass over it: a page of a few hundred KB must not hold the interpreter."""

from collections.abc import Iterator

_HIDDEN = ("style", "script", "title")
"""Elements whose content is not for people."""


def plain_text(page: str) -> str:
    """The page without its tags, without `<`, and without the content of hidden elements."""
    return " ".join(" ".join(_texts(page)).split())


def _texts(page: str) -> Iterator[str]:
    lower, at = page.lower(), 0
    if len(lower) != len(page):  # a letter whose lower case is longer
        lower = page
    while (opened := page.find("<", at)) >= 0:
        yield page[at:opened]
        closed = page.find(">", opened)
        hidden = next((name for name in _HIDDEN if lower.startswith(name, opened + 1)), "")
        if hidden and closed >= 0:
            end = lower.find(f"</{hidden}", closed)
            closed = page.find(">", end) if end >= 0 else -1
        if closed < 0:
            yield "" if hidden else page[opened:].replace("<", " ")
            return
        at = closed + 1
    yield page[at:]
