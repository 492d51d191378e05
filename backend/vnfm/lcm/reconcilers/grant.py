"""The grant (SOL003 9): permission to go on with a plan, asked before anything is touched.

By default we grant ourselves, on what the cloud shows. What we may not look at is Unknown, and does not forbid.
"""

from typing import Any
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.clouds import registry
from vnfm.clouds.errors import Denied
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock, ids
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.grant import Check, local_checks
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.planning import Planned
from vnfm.vims import selectors as vims


def granted(op: LcmOpOcc, planned: Planned) -> dict[str, Any]:
    """The grant as it is stored with the operation; raises a 403 problem with every ground when it is denied.

    Raises CloudError when the cloud fails us while we look.
    """
    assert op.instance is not None
    grounds = checks(planned, op.instance)
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


def checks(planned: Planned, instance: VnfInstance) -> list[Check]:
    """The grounds of a local grant, also for a preview."""
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
