"""The condition VimReachable: what a poll or probe says of a VIM, and when that is too old to hold."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, Self

from vnfm.clouds.errors import CloudError, Denied, RateLimited, Transient

Truth = Literal["True", "False", "Unknown"]

PROBE_PERIOD = timedelta(seconds=60)
"""Quotas, flavors, images and networks are read this often; reachability also by every bulk poll."""

STALE_AFTER = 3 * PROBE_PERIOD
"""Without a poll or probe for this long, the condition becomes Unknown: two requests that time out, and the pause
between them, take less."""


@dataclass(frozen=True, slots=True)
class Reachability:
    """Whether something answers us, as last observed; its subclasses name the type of the condition."""

    status: Truth
    reason: str
    """One stable word, for programs."""
    message: str
    """A sentence, for people."""
    last_transition_time: datetime
    observed_at: datetime | None

    def at(self, now: datetime) -> Self:
        """The same, unless it is too old: then Unknown, since the time at which it became too old."""
        if self.observed_at is None or now - self.observed_at <= STALE_AFTER:
            return self
        message = f"Not observed since {self.observed_at:%Y-%m-%d %H:%M:%S} UTC; then it was: {self.message}"
        since = self.observed_at + STALE_AFTER
        return replace(self, status="Unknown", reason="NotObserved", message=message, last_transition_time=since)


@dataclass(frozen=True, slots=True)
class VimReachable(Reachability):
    """The condition VimReachable."""

    type: Literal["VimReachable"] = "VimReachable"


def reachability_of_error(error: CloudError) -> tuple[Truth, str]:
    """Return the status and the reason that follow from an error."""
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
