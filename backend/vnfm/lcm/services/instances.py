"""Create and delete identifiers of VNF instances; require that an instance takes an action."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from vnfm.catalog import selectors as catalog
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.services import instance_create, instance_delete, instance_lock
from vnfm.kit.durable import outbox
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.states import OperationState, instance_actions
from vnfm.lcm.selectors.operations import describe_running, live_operation
from vnfm.lcm.services.transitions import vnf_identity

RETRY_SECONDS = 10
"""A client may then repeat what a running operation stands in the way of."""
Precondition = Callable[[int], None]
"""Called with the version of the locked resource; raises when the client wants another (If-Match)."""


def unconditional(version: int) -> None:
    """Accepts any version."""


def vnf_instance_create(
    *, vnfd_id: UUID, name: str, description: str = "", metadata: Mapping[str, Any] | None = None, actor: str
) -> InstanceRecord:
    """Create the identifier of a VNF instance (SOL003 5.4.2.3.1).

    Raises 404 when the VNFD is not onboarded, 409 when its package is disabled.
    """
    package = catalog.package_by_vnfd(vnfd_id=vnfd_id)
    if package.operational_state != package.OperationalState.ENABLED:
        raise conflict("PACKAGE_DISABLED", f"Package {package.id} is disabled.", "Enable it in the catalog first.")
    with transaction.atomic():
        instance = instance_create(
            name=name, description=description, package=package, metadata=metadata or {}, actor=actor
        )
        payload = {"created": True, "vnf": vnf_identity(instance)}
        outbox.publish("vnf_instance.changed", instance.id, instance.version, payload)
    return instance


@transaction.atomic
def vnf_instance_delete(*, instance_id: UUID, precondition: Precondition = unconditional) -> None:
    """Delete the identifier (SOL003 5.4.3.3.5); 409 while the instance is instantiated or an operation runs."""
    instance = instance_lock(instance_id=instance_id)
    precondition(instance.version)
    require_action(instance, "delete")
    payload = {"deleted": True, "vnf": vnf_identity(instance)}
    outbox.publish("vnf_instance.changed", instance.id, instance.version + 1, payload)
    instance_delete(instance_id=instance_id)


def require_action(instance: InstanceRecord, name: str) -> None:
    live = live_operation(instance)
    running = describe_running(live) if live else None
    action = next(a for a in instance_actions(instance.instantiation_state, running) if a.action == name)
    if action.enabled:
        return
    extra: dict[str, Any] = {}
    if live:
        extra = {"vnfLcmOpOccId": str(live.id), "operationState": live.state}
    if live and live.state != OperationState.FAILED_TEMP:  # there a user has to decide, which takes any time
        extra["retryAfter"] = RETRY_SECONDS
    code = "OPERATION_RUNNING" if live else "WRONG_STATE"
    raise conflict(code, f"Cannot {name.replace('_', ' ')} now. {action.disabled_reason}", **extra)
