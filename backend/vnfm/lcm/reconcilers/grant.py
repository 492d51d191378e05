"""The grant (SOL003 9): permission to go on with a plan, before anything changes.

By default the VNFM grants itself, on what the cloud reports. What our rights do not show is Unknown, and does not deny.
Where an NFVO is configured it decides, and our own checks are only noted (ADR-0007).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.clouds import registry
from vnfm.clouds.errors import Denied
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit import clock, ids
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.grant import GrantCheck, local_checks
from vnfm.lcm.domain.grant_response import GrantDecision
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers import nfvo_grant
from vnfm.lcm.sagas.planning import Planned
from vnfm.vims import selectors as vims


def obtain_grant(op: LcmOpOcc, planned: Planned, decision: GrantDecision | None) -> dict[str, Any]:
    """The grant as stored with the operation; raises a problem with every failed check when it is denied.

    `decision` is the NFVO's; without one the NFVO is asked, and GrantPending has the time of the next try. Raises
    CloudError of the cloud.
    """
    assert op.instance is not None
    if nfvo_grant.nfvo_decides(op.operation) and decision is None:
        nfvo_grant.request_grant(op, planned.plan)
    checks = grant_checks(planned, op.instance)
    if decision is not None:
        return nfvo_grant.follow_decision(op, planned.plan, decision, _not_binding(checks))
    forbidding = [check for check in checks if check.binding and check.status == "False"]
    if forbidding:
        text = " ".join(check.message for check in forbidding)
        raise ProblemError(Problem(403, "GRANT_DENIED", "Not granted", text, "Make room, or ask for less."))
    return {
        "id": str(ids.new_id()),
        "grantedBy": "vnfm",
        "at": clock.now().isoformat(),
        "checks": [check.as_json() for check in checks],
    }


def preview_grant(planned: Planned, operation: str, instance: InstanceRecord) -> list[GrantCheck]:
    """The checks of a grant before it is requested, for a preview."""
    checks = grant_checks(planned, instance)
    if not nfvo_grant.nfvo_decides(operation):
        return checks
    return [
        GrantCheck("Nfvo", "Unknown", "An NFVO decides; it is asked when the operation starts."),
        *_not_binding(checks),
    ]


def _not_binding(checks: Iterable[GrantCheck]) -> list[GrantCheck]:
    """They are for information: the NFVO decides."""
    return [replace(ground, binding=False) for ground in checks]


def grant_checks(planned: Planned, instance: InstanceRecord) -> list[GrantCheck]:
    """The checks of a local grant."""
    plan = planned.plan
    package = catalog.package_get(package_id=UUID(plan.package_id)) if plan.package_id else instance.package
    vnfd = catalog.vnfd_of(package)
    hosts = None
    if any(plan.added.values()) and instance.vim is not None:
        try:
            hosts = registry.provider().connect(vims.connection_of(instance.vim)).hosts()
        except Denied:
            hosts = None
    settings = {setting.name: setting.default for setting in vnfd.settings} | dict(plan.settings)
    return local_checks(plan, vnfd, settings, hosts)
