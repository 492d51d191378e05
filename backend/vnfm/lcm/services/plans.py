"""Plan previews: what a request would do, computed by a worker before anything is touched."""

from uuid import UUID

from django.db import transaction

from vnfm.catalog import selectors as catalog
from vnfm.inventory.selectors import instance_draft, instance_with_vim
from vnfm.kit import seal
from vnfm.kit.durable import outbox, tasks
from vnfm.kit.problem import FieldError, unprocessable
from vnfm.kit.web.message import as_json
from vnfm.lcm.domain.requests import Request
from vnfm.lcm.models import PlanPreview
from vnfm.lcm.services.instances import require_action
from vnfm.lcm.services.operations import require_valid
from vnfm.lcm.services.request_reader import redacted, target_package

PREVIEW = "lcm.preview"


@transaction.atomic
def plan_request(*, request: Request, vnfd_id: UUID | None, instance_id: UUID | None, actor: str) -> PlanPreview:
    """Have a worker compute the plan of a request without starting it.

    Raises 404 for what does not exist and 422 for what the VNFD does not allow.
    """
    instance = None
    if instance_id is not None:
        instance = instance_with_vim(instance_id=instance_id)
        require_action(instance, request.operation.task)
        package = instance.package
    elif vnfd_id is not None:
        package = catalog.package_by_vnfd(vnfd_id=vnfd_id)
    else:
        raise unprocessable(
            "NO_SUBJECT", "A plan is for a vnfdId or a vnfInstanceId.", [FieldError("/vnfdId", "Missing.")]
        )
    require_valid(instance or instance_draft(package_id=package.id), request)
    preview = PlanPreview.objects.create(
        operation=request.operation,
        instance=instance,
        vnfd_id=catalog.vnfd_of(package).vnfd_id,
        request=redacted(request, catalog.vnfd_of(target_package(request, package))),
        sealed_request=seal.seal(as_json(request)),
        created_by=actor,
    )
    outbox.publish("plan.changed", preview.id, preview.version)
    tasks.enqueue_on_commit(PREVIEW, preview.id)
    return preview
