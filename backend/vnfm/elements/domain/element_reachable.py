"""The condition Reachable of a network element."""

from dataclasses import dataclass
from typing import Literal

from vnfm.vims.domain.reachability import Reachability


@dataclass(frozen=True, slots=True)
class ElementReachable(Reachability):
    """The condition Reachable: whether the element answers the poller."""

    type: Literal["Reachable"] = "Reachable"
