"""Results of a discovery scan."""

import re
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["REGISTERED", "KNOWN", "REFUSED", "NOT_REGISTERED"]


@dataclass(frozen=True, slots=True)
class ScanResult:
    """An address that answered."""

    address: str
    outcome: Outcome
    """KNOWN: it was registered before, and is not changed."""
    sys_name: str = ""
    sys_object_id: str = ""
    driver: str = ""
    element_id: str = ""
    """Empty when it is not registered."""
    problem: str = ""


_UNFIT = re.compile(r"[^\w.-]+")


def name_for(sys_name: str, address: str, in_use: set[str]) -> str:
    """The name for a new element: its sysName, unless another element has it."""
    name = _UNFIT.sub("-", sys_name).strip("-")[:80]
    if name and name not in in_use:
        return name
    return f"{name}@{address}"[:100] if name else address[:100]


VIRTUAL = "1.3.6.1.4.1.6527.1.19"
"""sysObjectIDs of Nokia's VSR family, which runs in VMs. All other products count as physical."""


def kind_for(sys_object_id: str) -> str:
    """PHYSICAL or VIRTUAL, by its product."""
    return "VIRTUAL" if sys_object_id == VIRTUAL or sys_object_id.startswith(f"{VIRTUAL}.") else "PHYSICAL"
