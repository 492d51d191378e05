"""Requests the grant from an NFVO, without waiting for its decision in a thread (SOL003 9.4, ADR-0007).

`op.grant_request` is stored before the request. So the next run after a crash, or after a lost answer, first looks for
an existing grant; only where there is none does the NFVO get the same request of the same operation.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NoReturn, TypeVar
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction

from vnfm.catalog import selectors as catalog
from vnfm.clouds import registry as clouds
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors import links_of, vnfcs_of
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem, ProblemError
from vnfm.lcm.domain.grant import GrantCheck
from vnfm.lcm.domain.grant_request import (
    VIM_KEY,
    GrantContext,
    GrantVnfc,
    grant_request,
    needs_grant,
    resource_ids,
)
from vnfm.lcm.domain.grant_response import GrantDecision, OperationVim, apply_grant, check_grant, read_grant
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.requests import Request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import backoff, requested_pause
from vnfm.lcm.models import LcmOpOcc, OpTransition
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.sagas.planning import rejection_error
from vnfm.lcm.services.request_reader import target_package
from vnfm.lcm.services.transitions import bump_progress
from vnfm.nfvo import registry
from vnfm.nfvo.errors import NfvoError, NfvoUnreachable, Unusable
from vnfm.nfvo.ports import Answer, Granted, Pending
from vnfm.vims import selectors as vims

MIN_INTERVAL, MAX_INTERVAL = 1.0, 30.0
"""Bounds of the seconds between two queries of a pending decision, which a person may have to take."""

T = TypeVar("T")

log = structlog.get_logger(__name__)


class GrantPending(Exception):  # noqa: N818 - no error: the way of saying "later"
    """The NFVO has not decided or does not answer: try again in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def nfvo_decides(operation: str) -> bool:
    return registry.nfvo() is not None and needs_grant(Operation(operation))


def nfvo_decision(op: LcmOpOcc) -> GrantDecision | None:
    """The NFVO's decision on the operation; None before the grant request, or when no NFVO is configured.

    Raises GrantPending while it has not decided, and ProblemError when it denied or the deadline has passed.
    """
    nfvo = registry.nfvo()
    if nfvo is None or op.grant_request is None or not nfvo_decides(op.operation):
        return None
    if op.grant_request["decision"]:
        return GrantDecision.from_json(op.grant_request["decision"])
    grant_id = op.grant_request["id"]
    answer = _call(op, lambda: nfvo.get_grant(grant_id) if grant_id else nfvo.find_grant(str(op.id)))
    return None if answer is None else _store_decision(op, answer)


def request_grant(op: LcmOpOcc, plan: Plan) -> NoReturn:
    """Request the grant; the next run finds the decision, and plans again with what was granted."""
    nfvo = registry.nfvo()
    assert nfvo is not None, "only an NFVO that is there is asked"
    request = grant_request(_grant_context(op, plan))

    def post() -> Answer:
        if op.grant_request is None:
            _note(op, "the NFVO was asked for a grant")
        return nfvo.request_grant(request)

    _store_decision(op, _call(op, post))
    raise GrantPending(0.0)


def apply_decision(op: LcmOpOcc, request: Request, decision: GrantDecision) -> Request:
    """The request with the grant's images, flavors and links; raises a 422 problem where the two differ."""
    assert op.instance is not None
    package = target_package(request, op.instance.package)
    granted = apply_grant(decision, request, catalog.vnfd_of(package))
    if isinstance(granted, Rejection):
        raise rejection_error(granted)
    return granted


def follow_decision(
    op: LcmOpOcc, plan: Plan, decision: GrantDecision, own_checks: Sequence[GrantCheck]
) -> dict[str, Any]:
    """The grant as stored; raises a 409 problem when it does not cover the plan, or we cannot follow it."""
    nfvo, instance = registry.nfvo(), op.instance
    assert nfvo is not None
    assert instance is not None
    assert instance.vim is not None, "only MODIFY_INFO needs no VIM, and that is not granted"
    wanted = resource_ids(grant_request(_grant_context(op, plan)))
    found, connection = instance.vim, instance.vim_connection_id or VIM_KEY
    vim = OperationVim(str(found.id), found.auth_url, vims.project_of(found), found.region, connection)
    zones = clouds.provider().connect(vims.connection_of(instance.vim)).zones() if decision.zones else ()
    checks = check_grant(decision, Operation(op.operation), wanted, vim, zones)
    if against := " ".join(check.message for check in checks if check.status == "False"):
        title = "The NFVO's grant cannot be followed"
        next_step = "Let the NFVO grant what this VNFM can do, or name in the request what it wants."
        raise ProblemError(Problem(409, "GRANT_NOT_HONOURED", title, against, next_step, (Cause("nfvo", against),)))
    return {
        "id": decision.id,
        "grantedBy": "nfvo",
        "href": nfvo.grant_uri(decision.id),
        "at": clock.now().isoformat(),
        "checks": [check.as_json() for check in (*own_checks, *checks)],
        "vimConnections": list(decision.connections),
        "zones": list(decision.zones),
        "flavors": dict(decision.flavors),
        "images": dict(decision.images),
    }


def _call(op: LcmOpOcc, call: Callable[[], T]) -> T:
    """Call the NFVO within its share of this worker; raises GrantPending when the share is in use or it is away."""
    with vim_limiter.acquire(vim_limiter.NFVO) as wait:
        if wait:
            raise GrantPending(wait)
        try:
            answer = call()
        except NfvoUnreachable as error:
            vim_limiter.record_failure(vim_limiter.NFVO, error.retry_after, away=True)
            raise _waiting(op, error) from error
        except NfvoError as error:
            vim_limiter.record_success(vim_limiter.NFVO)
            raise ProblemError(error.as_problem(_doing(op))) from error
    vim_limiter.record_success(vim_limiter.NFVO)
    if op.grant_request is not None:
        _note(op, attempts=0, away="")
    return answer


def _doing(op: LcmOpOcc) -> str:
    return f"Asking for the grant ({Operation(op.operation).words.lower()})"


def _waiting(op: LcmOpOcc, error: NfvoUnreachable) -> Exception:
    """GrantPending, or the final problem at the operation's deadline."""
    if clock.now() >= op.deadline:
        return ProblemError(error.as_problem(_doing(op)))
    attempts = (op.grant_request or {}).get("attempts", 0) + 1
    _note(op, attempts=attempts, away=error.message)
    after = backoff(attempts) if error.retry_after is None else requested_pause(error.retry_after)
    log.warning("nfvo.away", attempt=attempts, after=after, error=error.message)
    return GrantPending(after)


def _store_decision(op: LcmOpOcc, answer: Answer) -> GrantDecision:
    if isinstance(answer, Pending):
        raise _pending(op, answer)
    assert isinstance(answer, Granted)
    decision = read_grant(answer.body, str(op.id), str(op.instance_uuid))
    if isinstance(decision, str):
        raise ProblemError(Unusable(decision).as_problem(_doing(op)))
    _note(op, id=decision.id, decision=decision.as_json())
    return decision


def _pending(op: LcmOpOcc, answer: Pending) -> Exception:
    _note(op, id=answer.grant_id)
    assert op.grant_request is not None, "just noted"
    now = clock.now()
    if now >= op.deadline:
        detail = f"The NFVO has not decided on grant {answer.grant_id} since {op.grant_request['requestedAt']}."
        next_step = "Let the NFVO decide, then start the operation again."
        return ProblemError(Problem(504, "GRANT_NOT_DECIDED", "The NFVO did not decide in time", detail, next_step))
    if answer.retry_after is not None:
        return GrantPending(requested_pause(answer.retry_after))
    elapsed = (now - datetime.fromisoformat(op.grant_request["requestedAt"])).total_seconds()
    return GrantPending(min(MAX_INTERVAL, max(MIN_INTERVAL, elapsed / 10)))


def _note(op: LcmOpOcc, event: str = "", **values: Any) -> None:
    """Store the state of the grant request, and since when the NFVO does not answer; publish when it changed."""
    now, before = clock.now(), op.grant_request
    blank = {"requestedAt": now.isoformat(), "id": "", "decision": None, "attempts": 0, "away": ""}
    asked = (before or blank) | values
    if asked == before:
        return
    since = (op.waiting_since or now) if asked["away"] else None if before and before["away"] else op.waiting_since
    with transaction.atomic():
        if event:
            OpTransition.objects.create(op=op, source=op.state, target=op.state, reason=event)
        bump_progress(op)
        LcmOpOcc.objects.filter(id=op.id).update(grant_request=asked, waiting_since=since)
    op.grant_request, op.waiting_since = asked, since


def _grant_context(op: LcmOpOcc, plan: Plan) -> GrantContext:
    instance = op.instance
    assert instance is not None
    changes_package = bool(plan.package_id) and UUID(plan.package_id) != instance.package_id
    successor = catalog.vnfd_of(catalog.package_get(package_id=UUID(plan.package_id))) if changes_package else None
    return GrantContext(
        op_id=str(op.id),
        instance_id=str(op.instance_uuid),
        operation=Operation(op.operation),
        automatic=op.automatic,
        vnfd=catalog.vnfd_of(instance.package),
        successor=successor,
        plan=plan,
        vnfcs=_grant_vnfcs(instance),
        networks={link.vl_id: link.network_id for link in links_of(instance_id=instance.id) if link.created_by_stack},
        public_url=settings.PUBLIC_URL,
        vim_connection=instance.vim_connection_id or VIM_KEY,
    )


def _grant_vnfcs(instance: InstanceRecord) -> list[GrantVnfc]:
    return [
        GrantVnfc(v.vdu_id, v.slot, v.server_id, {port.cp_id: port.port_id for port in v.ports if port.cp_id})
        for v in vnfcs_of(instance_id=instance.id)
    ]
