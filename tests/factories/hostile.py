"""catalog/HOSTILE.md: hostile inputs and their answers.

`PYTHONPATH=backend python -m tests.factories.hostile` writes it, in the environment of `manage.py`: the page shows the
default settings.
"""

from collections.abc import Iterable

from tests.factories.hostile_addresses import ADDRESSES, MOST_SECONDS
from tests.factories.hostile_content import DOCUMENTS, MOST_BYTES, ODD_NAMES, TEMPLATES, TRAP, ZIPS
from tests.factories.packages import ROOT

DOCUMENT = ROOT / "catalog" / "HOSTILE.md"
_HEAD = """# Hostile inputs and their answers

Every row is sent over HTTP by [test_hostile.py](../tests/service/catalog/test_hostile.py), which also checks that
nothing outside is read or called, that nothing is stored, and that this page is current. In the test a package may have
{bytes} bytes and fetching it may take {seconds:.0f} s; by default that is {default_gib:g} GiB and {default_hours:g} h.
`{trap}` is an address that must not be called.

Refused content puts the package into `onboardingState` ERROR, with code and sentence in `onboardingFailureDetails`: at
once, or, where the answer is 202, by a worker. Other content may be uploaded then. An address that is refused at once
changes nothing.
"""


_ODD = """## Names that are special in URLs

Accepted, and downloaded under their percent-encoded path: {names}. For `a%2fb.txt` a client requests
`artifacts/a%252fb.txt`.
"""


def document() -> str:
    sent = (("Archives", ZIPS), ("Documents", DOCUMENTS), ("Heat templates", TEMPLATES))
    parts = [_head()]
    for title, rows in sent:
        parts.append(_table(title, ((row.what, str(row.status), row.code, row.says) for row in rows)))
    fetched = ((row.what, "422" if row.at_once else "202, ERROR", row.code, row.says) for row in ADDRESSES)
    parts.append(_table("Addresses given to upload_from_uri", fetched))
    parts.append(_ODD.format(names=", ".join(f"`{name}`" for name in ODD_NAMES)))
    return "\n".join(parts)


def _head() -> str:
    from vnfm.config import settings  # as they are loaded: those of Django are the test's

    return _HEAD.format(
        bytes=MOST_BYTES,
        seconds=MOST_SECONDS,
        default_gib=settings.PACKAGE_MAX_BYTES / 1024**3,
        default_hours=settings.PACKAGE_FETCH_SECONDS / 3600,
        trap=TRAP,
    )


def _table(title: str, rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"## {title}\n", "| sent | answer | code | sentence |", "| --- | --- | --- | --- |"]
    lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document())
