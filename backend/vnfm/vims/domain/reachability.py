"""The condition VimReachable: what a look at a VIM says about it, and when that is too old to be believed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from vnfm.clouds.errors import CloudError, Denied, RateLimited, Transient

Truth = Literal["True", "False", "Unknown"]

PROBE_PERIOD = timedelta(seconds=60)
"""Quotas, flavors, images and networks are looked at this often; reachability also by every bulk poll."""

STALE_AFTER = 3 * PROBE_PERIOD
"""Nobody has looked for this long: whatever was known is Unknown now."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`reason` is one stable word for programs, `message` a sentence for people."""

    status: Truth
    reason: str
    message: str
    last_transition_time: datetime
    observed_at: datetime | None

    def at(self, now: datetime) -> "Condition":
        """The same, unless it is too old: then Unknown, since the moment it became so."""
        if self.observed_at is None or now - self.observed_at <= STALE_AFTER:
            return self
        seen = f"{self.observed_at:%Y-%m-%d %H:%M:%S} UTC"
        message = f"Nobody has looked since {seen}; then it was: {self.message}"
        return Condition("Unknown", "NotObserved", message, self.observed_at + STALE_AFTER, self.observed_at)


def verdict(error: CloudError) -> tuple[Truth, str]:
    """What an error says about reachability: status and reason."""
    match error:
        case Denied():
            return "False", "CredentialsRefused"
        case RateLimited():
            return "True", "RateLimited"
        case Transient() if "cacert" in error.offending_fields:
            return "False", "CertificateRefused"
        case Transient():
            return "False", "Unreachable"
        case _:
            return "False", "Failing"
