"""All that a decision about one policy and one VNF instance rests on, as values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from vnfm.automation.domain.load import Load


class Reason(StrEnum):
    """Why it acted, or why it did not."""

    DUE = "DUE"
    """It acted, or would have in earnest: nothing spoke against it."""
    NOTHING_TO_DO = "NOTHING_TO_DO"
    NOT_YET = "NOT_YET"
    """It has not lasted long enough."""
    PAUSED = "PAUSED"
    STOPPED_ON_PURPOSE = "STOPPED_ON_PURPOSE"
    NOT_ALLOWED = "NOT_ALLOWED"
    """The VNFD does not allow it: no such means, or no such scale level."""
    SOURCE_UNKNOWN = "SOURCE_UNKNOWN"
    VIM_UNKNOWN = "VIM_UNKNOWN"
    """The cloud cannot be seen: what was down there may be up, and the other way round."""
    MAINTENANCE = "MAINTENANCE"
    """A maintenance window covers the instance, or its VIM."""
    OPERATION_RUNNING = "OPERATION_RUNNING"
    COOL_DOWN = "COOL_DOWN"
    LIMIT_REACHED = "LIMIT_REACHED"
    WOULD_HAVE_ACTED = "WOULD_HAVE_ACTED"
    """A dry run does not make the cause go away: it is told of once."""
    REFUSED = "REFUSED"
    """The lifecycle management refuses the operation, as it would a person's."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A VNFC that is down: its outstanding alarm."""

    key: str
    """Id of the alarm."""
    vnfc_id: str
    label: str
    since: datetime
    words: str
    """What is the matter, such as: VmDown, SHUTOFF."""
    on_purpose: bool = False
    """A person stopped it: it is wanted STOPPED."""
    forbidden: str = ""
    """Why the VNFD allows no means against it; "" when it does."""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Something that keeps any policy from acting on the instance now."""

    reason: Reason
    words: str


@dataclass(frozen=True, slots=True)
class Act:
    """What the policy has done to the instance before, or would have, in a dry run."""

    at: datetime
    subjects: frozenset[str]
    causes: frozenset[str]
    dry: bool
    ended_at: datetime | None = None
    """None while its operation runs; a dry run's ends when it begins."""


@dataclass(frozen=True, slots=True)
class Sight:
    causes: tuple[Cause, ...] = ()
    """Of a policy that heals."""
    load: Load | None = None
    """Of a policy that scales; None while the instance is not instantiated."""
    level: int = 0
    """Scale level of its aspect."""
    highest_level: int = 0
    no_aspect: str = ""
    """Why it has no such aspect; "" when it has."""
    hindrances: tuple[Hindrance, ...] = ()
    acts: tuple[Act, ...] = ()
    """Those of the last hour and of the cool-down are enough, and those on causes that are still there."""
    stopped_since: datetime | None = None
    """Since when it has given up on the instance, having reached its limit; None: it has not."""
