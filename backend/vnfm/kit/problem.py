"""Errors for people: RFC 7807 problems that keep the chain of causes and say what to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar, Literal, Self

Source = Literal["vnfm", "keystone", "nova", "neutron", "glance", "heat", "openstack", "nfvo", "em", "element"]


@dataclass(frozen=True, slots=True)
class Cause:
    """One link of the chain: a service's own message."""

    source: Source
    message: str


@dataclass(frozen=True, slots=True)
class FieldError:
    """A fault in one member of the request; `field` is a JSON pointer (RFC 6901) into its body."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A ProblemDetails (SOL013 6.3) with our extensions `code`, `nextStep`, `causes` and `errors`.

    `code` is stable and for programs; `detail` and `next_step` are sentences for people.
    """

    status: int
    code: str
    title: str
    detail: str
    next_step: str = ""
    causes: tuple[Cause, ...] = ()
    errors: tuple[FieldError, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The wire form, also stored with failed operations."""
        return {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "nextStep": self.next_step,
            "causes": [{"source": c.source, "message": c.message} for c in self.causes],
            "errors": [{"field": e.field, "message": e.message} for e in self.errors],
            **self.extra,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `as_json` wrote."""
        return cls(
            status=data["status"],
            code=data["code"],
            title=data["title"],
            detail=data["detail"],
            next_step=data.get("nextStep", ""),
            causes=tuple(Cause(**c) for c in data.get("causes", ())),
            errors=tuple(FieldError(**e) for e in data.get("errors", ())),
        )


class ProblemError(Exception):
    """The request cannot be carried out; the API answers with the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


class ForeignError(Exception):
    """A system that is not ours failed, or refused a request: a cloud, an NFVO, an element manager, a router.

    Adapters map every error of a system to a subclass, once. `message` is the system's own text where it sent one.
    """

    code: ClassVar[str]
    title: ClassVar[str]
    next_step: ClassVar[str]
    status: ClassVar[int] = 502
    source: Source

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def as_problem(self, activity: str) -> Problem:
        """Return the problem to show: `activity` names what failed, as in "Creating stack vsr-1"."""
        detail, cause = f"{activity} failed: {self.message}", Cause(self.source, self.cause_text())
        return Problem(self.status, self.code, self.title, detail, self.next_step, (cause,))

    def cause_text(self) -> str:
        """Return the text of the cause, with which the system's operator finds the error."""
        return self.message


def not_found(what: str, key: object) -> ProblemError:
    return ProblemError(
        Problem(404, "NOT_FOUND", "Not found", f"There is no {what} {key}.", "Check the identifier, or list them.")
    )


def conflict(code: str, detail: str, next_step: str = "", **extra: Any) -> ProblemError:
    return ProblemError(Problem(409, code, "Conflict", detail, next_step, extra=extra))


def bad_request(code: str, detail: str, errors: Sequence[FieldError] = (), next_step: str = "") -> ProblemError:
    return ProblemError(Problem(400, code, "Bad request", detail, next_step, errors=tuple(errors)))


def unprocessable(code: str, detail: str, errors: Sequence[FieldError] = (), next_step: str = "") -> ProblemError:
    """Well-formed, but the values cannot be accepted (SOL013 6.4: 422)."""
    return ProblemError(Problem(422, code, "Invalid input", detail, next_step, errors=tuple(errors)))


def too_many_requests(code: str, detail: str, wait: float) -> ProblemError:
    """RFC 6585 clause 4: possible again in `wait` seconds, which are in the text and in Retry-After."""
    seconds = max(1, ceil(wait))
    step = f"Wait {seconds} second{'' if seconds == 1 else 's'}, then ask again."
    return ProblemError(Problem(429, code, "Too many requests", detail, step, extra={"retryAfter": seconds}))
