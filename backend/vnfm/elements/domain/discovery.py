"""What a scan finds at an address, and what becomes of it."""

import re
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["REGISTERED", "KNOWN", "REFUSED", "NOT_REGISTERED"]


@dataclass(frozen=True, slots=True)
class ScanResult:
    """An address that answered. `element_id` is whom it is registered as, "" when it is not."""

    address: str
    outcome: Outcome
    sys_name: str = ""
    sys_object_id: str = ""
    driver: str = ""
    element_id: str = ""
    problem: str = ""


_UNFIT = re.compile(r"[^\w.-]+")


def name_for(sys_name: str, address: str, taken: set[str]) -> str:
    """What to call an element that calls itself `sys_name`: as it does, unless another has that name."""
    own = _UNFIT.sub("-", sys_name).strip("-")[:80]
    if own and own not in taken:
        return own
    return f"{own}@{address}"[:100] if own else address[:100]


VIRTUAL = "1.3.6.1.4.1.6527.1.19"
"""sysObjectIDs of Nokia's VSR family: what runs as VMs. Others do not say so, and count as physical."""


def kind_for(sys_object_id: str) -> str:
    """PHYSICAL or VIRTUAL, as far as its product says."""
    return "VIRTUAL" if sys_object_id == VIRTUAL or sys_object_id.startswith(f"{VIRTUAL}.") else "PHYSICAL"
