"""The facts for a decision about one policy and one VNF instance, as values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from vnfm.automation.domain.load import Load


class Reason(StrEnum):
    """Why it acted, or why it did not."""

    DUE = "DUE"
    """It acted, or would have without dry run: nothing was against it."""
    NOTHING_TO_DO = "NOTHING_TO_DO"
    NOT_YET = "NOT_YET"
    """It has not lasted long enough."""
    PAUSED = "PAUSED"
    STOPPED_ON_PURPOSE = "STOPPED_ON_PURPOSE"
    NOT_ALLOWED = "NOT_ALLOWED"
    """The VNFD does not allow it: no such heal method, or no such scale level."""
    SOURCE_UNKNOWN = "SOURCE_UNKNOWN"
    VIM_UNKNOWN = "VIM_UNKNOWN"
    """The cloud is unreachable: what was down may be up, and the other way round."""
    MAINTENANCE = "MAINTENANCE"
    """A maintenance window covers the instance, or its VIM."""
    OPERATION_RUNNING = "OPERATION_RUNNING"
    COOL_DOWN = "COOL_DOWN"
    LIMIT_REACHED = "LIMIT_REACHED"
    WOULD_HAVE_ACTED = "WOULD_HAVE_ACTED"
    """A dry run does not remove the cause: each is recorded once."""
    REFUSED = "REFUSED"
    """The lifecycle management refuses the operation."""


@dataclass(frozen=True, slots=True)
class DownVnfc:
    """A VNFC that is down, with its outstanding alarm."""

    alarm_id: str
    vnfc_id: str
    label: str
    since: datetime
    words: str
    """Such as: VmDown, Nova says SHUTOFF."""
    stopped_by_operator: bool = False
    """Its desired state is STOPPED."""
    not_allowed: str = ""
    """Why the VNFD allows no heal method against it; "" when it does."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """Keeps any policy from acting on the instance now."""

    reason: Reason
    words: str


@dataclass(frozen=True, slots=True)
class PastAction:
    """An earlier action of the policy on the instance, or one that it would have taken in a dry run."""

    at: datetime
    subjects: frozenset[str]
    causes: frozenset[str]
    dry: bool
    ended_at: datetime | None = None
    """None while its operation runs; a dry run's ends when it begins."""


@dataclass(frozen=True, slots=True)
class PolicyInput:
    vnfcs_down: tuple[DownVnfc, ...] = ()
    """Input of a policy that heals."""
    load: Load | None = None
    """Input of a policy that scales; None while the instance is not instantiated."""
    level: int = 0
    """Scale level of its aspect."""
    max_level: int = 0
    no_aspect: str = ""
    """Why it has no such aspect; "" when it has."""
    blockers: tuple[Blocker, ...] = ()
    past_actions: tuple[PastAction, ...] = ()
    """Those of the last hour and of the cool-down are enough, and those on causes that are still there."""
    stopped_since: datetime | None = None
    """Since when the policy has stopped for the instance, having reached its limit; None: it has not."""
