"""Find the elements that are Virtual Systems, and their chassis."""

from collections.abc import Mapping
from typing import TypeVar

K = TypeVar("K")

DRIVERS = ("huawei-vrp",)
"""Their routers have Virtual Systems: each is an element that shows the chassis with its serial number (RFC 6933)."""


def hosts_of(sys_names: Mapping[K, str]) -> dict[K, K]:
    """Virtual System → the element of its chassis, among elements that show the same chassis, by their sysName.

    VRP names a Virtual System after its router, with a suffix. One with a name of its own stays without a host, and so
    do all that would have two.
    """
    found = {}
    for key, name in sys_names.items():
        above = sorted((len(other), index) for index, other in enumerate(sys_names.values()) if _extends(name, other))
        if above and (len(above) == 1 or above[0][0] < above[1][0]):
            found[key] = [*sys_names][above[0][1]]
    return found


def _extends(name: str, other: str) -> bool:
    return bool(other) and name != other and name.startswith(other)
