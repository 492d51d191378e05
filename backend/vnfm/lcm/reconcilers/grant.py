"""The grant (SOL003 9): permission to go on with a plan, asked before anything is touched.

By default we grant ourselves, on what the cloud shows. What we may not look at is Unknown, and does not forbid. Where
an NFVO is configured it decides, and our own grounds are only noted (ADR-0007).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.clouds import registry
from vnfm.clouds.errors import Denied
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock, ids
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.grant import Check, local_checks
from vnfm.lcm.domain.grant_answer import Decision
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers import nfvo_grant
from vnfm.lcm.sagas.planning import Planned
from vnfm.vims import selectors as vims


def granted(op: LcmOpOcc, planned: Planned, decision: Decision | None) -> dict[str, Any]:
    """The grant as it is stored with the operation; raises a problem with every ground when there is none.

    `decision` is the NFVO's; while there is none it is asked, and NotYet says when to come again. Raises CloudError
    when the cloud fails us while we look.
    """
    assert op.instance is not None
    if nfvo_grant.asks(op.operation) and decision is None:
        nfvo_grant.ask(op, planned.plan)
    grounds = checks(planned, op.instance)
    if decision is not None:
        return nfvo_grant.settled(op, planned.plan, decision, _noted(grounds))
    forbidding = [check for check in grounds if check.binding and check.status == "False"]
    if forbidding:
        text = " ".join(check.message for check in forbidding)
        raise ProblemError(Problem(403, "GRANT_DENIED", "Not granted", text, "Make room, or ask for less."))
    return {
        "id": str(ids.new_id()),
        "grantedBy": "vnfm",
        "at": clock.now().isoformat(),
        "checks": [check.as_json() for check in grounds],
    }


def foreseen(planned: Planned, operation: str, instance: VnfInstance) -> list[Check]:
    """What can be said of the grant before it is asked for, in a preview."""
    grounds = checks(planned, instance)
    if not nfvo_grant.asks(operation):
        return grounds
    return [Check("Nfvo", "Unknown", "An NFVO decides; it is asked when the operation starts."), *_noted(grounds)]


def _noted(grounds: Iterable[Check]) -> list[Check]:
    """For information: somebody else decides."""
    return [replace(ground, binding=False) for ground in grounds]


def checks(planned: Planned, instance: VnfInstance) -> list[Check]:
    """The grounds of a local grant."""
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
