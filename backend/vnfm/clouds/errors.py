"""The error taxonomy: any failure of any cloud is mapped once, by the adapter, into one of these (DESIGN "Driver").

The retry policy depends on the class. `message` is OpenStack's own.
"""

from typing import ClassVar

from vnfm.kit.problem import ForeignError, Source

REFUSED = range(400, 500)
"""HTTP statuses after which the request had no effect; after any other it may have had one."""


class CloudError(ForeignError):
    """Base of all. `service` reported it; by `request_id` the cloud's operator finds it in the logs.

    `offending_fields` names the fields of `types.Connection` that cause the failure, if any.
    """

    retryable: ClassVar[bool] = False
    code: ClassVar[str] = "CLOUD_ERROR"
    title: ClassVar[str] = "The cloud reported an error"
    next_step: ClassVar[str] = "See the cause; retry when it is fixed, or roll back."

    def __init__(
        self,
        message: str,
        *,
        service: Source = "openstack",
        http_status: int = 0,
        request_id: str = "",
        offending_fields: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.source = service
        self.http_status = http_status
        self.request_id = request_id
        self.offending_fields = offending_fields

    def cause_text(self) -> str:
        return f"{self.message} ({self.request_id})" if self.request_id else self.message


class Transient(CloudError):
    """Unreachable, time-out, 5xx: likely to pass."""

    retryable = True
    code = "VIM_UNREACHABLE"
    title = "The cloud cannot be reached or answers with a server error"
    next_step = "Check the cloud's state and the network between; the work is retried meanwhile."
    status = 503


class TooSlow(Transient):
    """The cloud took the request and did not answer in time: it is there, and late."""

    code = "VIM_SLOW"
    title = "The cloud answers too late"
    next_step = (
        "Nothing to do: the work goes on when the cloud answers in time. Its administrator can see what it does."
    )


class RateLimited(CloudError):
    """413/429: the cloud asks us to wait."""

    retryable = True
    code = "VIM_RATE_LIMITED"
    title = "The cloud asks us to slow down"
    next_step = "Nothing to do: the work is retried later."
    status = 503

    retry_after: float | None = None
    """Seconds that the cloud asks us to wait; None when it does not say how long."""


class QuotaExceeded(CloudError):
    code = "QUOTA_EXCEEDED"
    title = "A quota of the cloud is too small"
    next_step = "Free resources, raise the project's quota, or choose smaller settings; then retry."
    status = 409


class NotFound(CloudError):
    code = "VIM_RESOURCE_NOT_FOUND"
    title = "The cloud does not have it"
    next_step = "Choose one that exists, then retry."
    status = 404


class Conflict(CloudError):
    """409: name taken, resource in use, another action in progress."""

    code = "VIM_CONFLICT"
    title = "The cloud says that something is in the way"
    next_step = "Remove what is in the way, then retry."
    status = 409


class Denied(CloudError):
    """401/403: credentials or rights."""

    code = "VIM_DENIED"
    title = "The cloud refuses our credentials or rights"
    next_step = "Check user, password, project and roles of this VIM, then retry."
    status = 403


class Rejected(CloudError):
    """400 and the like: the request itself cannot be right (a template that Heat refuses, a bad CIDR)."""

    code = "VIM_REJECTED"
    title = "The cloud refuses the request"
    next_step = "Correct the settings or the package that the cause names, then start again."
    status = 422


class Failed(CloudError):
    """The cloud accepted the work and then failed at it (a stack in *_FAILED, a server in ERROR)."""

    code = "VIM_OPERATION_FAILED"
    title = "The cloud reported a failure"
    next_step = "See the cause. Retry when it is fixed, or roll back."


class Unknown(CloudError):
    """Nothing of the above: an answer we do not understand. Not retried, kept in full."""
