"""Which tests one xdist worker must run, one after the other."""

import re

from xdist.scheduler import LoadFileScheduling

REAL_CLOUD = "the real cloud"


class KeepTogether(LoadFileScheduling):
    """A file keeps together, and so does all that needs the real cloud: it holds what one test at a time has made.

    `--dist loadgroup` would be the way to say so, but it groups nothing with this pytest (pytest-xdist issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """The parameter `real` is of the contract suite; `tests/cloud` is on a real cloud as a whole."""
    file, _, name = nodeid.partition("::")
    is_real = file.startswith("tests/cloud/") or "real" in re.split(r"[\[\]-]", name)[1:]
    return REAL_CLOUD if is_real else file
