"""Which tests one xdist worker must run, one after the other."""

import re
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

REAL_CLOUD = "the real cloud"
PRODUCT = "the product in a browser"
CONSOLE = "the console on its mock API"
CHAOS = "the product in chaos"
_ON_MOCK = frozenset(
    {
        "address",
        "bundle",
        "chassis_drawing",
        "manual_and_bulk",
        "mock_api",
        "pages",
        "palette_actions",
        "reach",
        "states",
    }
)
"""Files of tests/browser that look at the console alone."""


class KeepTogether(LoadFileScheduling):
    """A file keeps together, and so does all that needs the real cloud: it holds what one test at a time has made.

    So do the tests in a browser, by what they look at, and those of chaos: another installation of the product takes
    30 s of processor to start and stop.

    `--dist loadgroup` would be the way to say so, but it groups nothing with this pytest (pytest-xdist issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """The parameter `real` is of the contract suite; `tests/cloud` is on a real cloud as a whole."""
    file, _, name = nodeid.partition("::")
    if file.startswith("tests/browser/"):
        return CONSOLE if Path(file).stem.removeprefix("test_") in _ON_MOCK else PRODUCT
    if file.startswith("tests/chaos/"):
        return CHAOS
    is_real = file.startswith("tests/cloud/") or "real" in re.split(r"[\[\]-]", name)[1:]
    return REAL_CLOUD if is_real else file
