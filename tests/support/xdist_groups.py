"""The groups of tests that one xdist worker must run, one after the other."""

import re
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

REAL_CLOUD = "the real cloud"
PRODUCT = "the product in a browser"
OPERATIONS = "operations in a browser"
CONSOLE = "the console on its mock API"
CHAOS = "the product in chaos"
_ON_MOCK = frozenset(
    {
        "address",
        "bundle",
        "chassis_drawing",
        "density",
        "manual_and_bulk",
        "mock_api",
        "pages",
        "palette_actions",
        "reach",
        "states",
    }
)
"""Files of tests/browser that look at the console alone."""
_OPERATING = frozenset(
    {
        "defaults",
        "dimensioning",
        "environments",
        "failing_operations",
        "first_steps",
        "flow",
        "instance_page",
        "keyboard",
        "lifecycle_ops",
        "network_at_work",
    }
)
"""Files of tests/browser that mostly wait for operations on VNFs: half of the time of those on the product."""


class KeepTogether(LoadFileScheduling):
    """A file keeps together, and so does all that needs the real cloud: it holds what one test at a time has made.

    So do the tests in a browser, by what they look at, and those of chaos: another installation of the product takes
    30 s of processor to start and stop. Those on the product are two groups, as one alone would end last by far.

    `--dist loadgroup` would be the way to say so, but it groups nothing with this pytest (pytest-xdist issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """The parameter `real` is of the contract suite; `tests/cloud` is on a real cloud as a whole."""
    file, _, parameters = nodeid.partition("::")
    if file.startswith("tests/browser/"):
        name = Path(file).stem.removeprefix("test_")
        return CONSOLE if name in _ON_MOCK else OPERATIONS if name in _OPERATING else PRODUCT
    if file.startswith("tests/chaos/"):
        return CHAOS
    is_real = file.startswith("tests/cloud/") or "real" in re.split(r"[\[\]-]", parameters)[1:]
    return REAL_CLOUD if is_real else file
