"""Errors of an NFVO or of an external element manager (EM); the class says whether a retry can help."""

from dataclasses import replace

from vnfm.kit.problem import ForeignError, Problem, Source


class NfvoError(ForeignError):
    """The base of all errors of an NFVO or of an external element manager."""

    source: Source = "nfvo"


class NfvoUnreachable(NfvoError):
    """No answer, a server error, or a request to retry later: likely to pass."""

    code = "NFVO_UNREACHABLE"
    title = "The NFVO cannot be reached or answers with a server error"
    next_step = "Check the NFVO and the network between, then start the operation again."
    status = 503

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds to wait (Retry-After); None when the NFVO does not say."""


class GrantDenied(NfvoError):
    """403: the NFVO denies the grant."""

    code = "GRANT_DENIED"
    title = "The NFVO does not grant it"
    next_step = "See the NFVO's reason. Nothing was touched."
    status = 403

    def as_problem(self, activity: str) -> Problem:
        return replace(super().as_problem(activity), detail=f"The NFVO denied it: {self.message}")


class GrantRejected(NfvoError):
    """4xx: the NFVO does not accept the request, or not from us."""

    code = "NFVO_REJECTED"
    title = "The NFVO refuses the request for a grant"
    next_step = "See the NFVO's message; check VNFM_NFVO_GRANT_URL and the token, then start the operation again."
    status = 502


class Unusable(NfvoError):
    """An answer that cannot be used, or a token file of ours that cannot."""

    code = "NFVO_UNUSABLE"
    title = "The exchange with the NFVO cannot be used"
    next_step = "Correct what the detail names, then start the operation again."
    status = 502


class EmUnreachable(NfvoUnreachable):
    """The EM does not answer; with `retry_after` it asks for time (SOL002 clause 10)."""

    code = "EM_UNREACHABLE"
    title = "The element manager cannot be reached or answers with a server error"
    next_step = (
        "Check the element manager and the network between. Retry asks again; a rollback leaves the VNF as it is, and "
        "the operation may then be started with drain set to false."
    )
    source = "em"


class CoordinationRejected(NfvoError):
    """4xx, or an answer that cannot be used: the EM does not coordinate this operation."""

    code = "COORDINATION_REJECTED"
    title = "The element manager does not coordinate the operation"
    next_step = (
        "See its message; check VNFM_EM_COORD_URL and the login. Retry asks again; a rollback leaves the VNF as it is, "
        "and the operation may then be started with drain set to false."
    )
    status = 502
    source = "em"


class CoordinationUnknown(CoordinationRejected):
    """404: the EM has lost the coordination that it began."""

    title = "The element manager does not know the coordination any more"
