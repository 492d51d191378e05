"""Computes requested plan previews."""

from collections.abc import Iterator
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F

from vnfm.catalog import selectors as catalog
from vnfm.clouds.errors import CloudError
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors import instance_draft
from vnfm.kit import seal
from vnfm.kit.durable import lease, outbox, tasks
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.instantiation import chosen_settings
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_settings import PlannedSetting, planned_settings
from vnfm.lcm.domain.requests import InstantiateVnfRequest, Request, parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import PlanPreview
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.grant import preview_grant
from vnfm.lcm.sagas.operations import plan_with_preview
from vnfm.lcm.sagas.plan_view import plan_view
from vnfm.lcm.sagas.planning import Planning
from vnfm.lcm.services.management_defaults import with_management_defaults
from vnfm.lcm.services.plans import PREVIEW
from vnfm.lcm.services.request_reader import request_secrets, resolve_vim, target_package

State = PlanPreview.State

log = structlog.get_logger(__name__)


def compute_preview(preview_id: UUID) -> None:
    """Compute the preview, or store the problem that prevents it. Run twice, it computes once."""
    with lease.hold(f"plan:{preview_id}") as owned:
        if owned is not None:
            _compute(preview_id, is_deadly=owned.is_deadly)


def _compute(preview_id: UUID, *, is_deadly: bool) -> None:
    preview = PlanPreview.objects.select_related("instance__vim", "instance__package").filter(id=preview_id).first()
    if preview is None or preview.state != State.PENDING:
        return
    body = seal.unseal(preview.sealed_request) if preview.sealed_request else preview.request
    operation = Operation(preview.operation)
    if is_deadly:
        _finish(preview, State.FAILED, problem=lease.worker_died(f"The preview ({operation.words.lower()})"))
        return
    try:
        request = requested = parse_request(operation, body)
        instance = _subject(preview, request)
        if isinstance(request, InstantiateVnfRequest):
            request = with_management_defaults(request, instance)
        with vim_limiter.acquire(instance.vim_id) as wait:
            if wait:
                tasks.enqueue_on_commit(PREVIEW, preview.id, after=wait)
                return
            result = _result(instance, request, requested)
        _finish(preview, State.READY, result=result)
    except ProblemError as error:
        _finish(preview, State.FAILED, problem=error.problem)
    except CloudError as error:
        _finish(preview, State.FAILED, problem=error.as_problem(f"The preview ({operation.words.lower()})"))
    except DatabaseError:
        raise
    except Exception as error:
        log.exception("preview.crashed")
        detail = f"The preview ({operation.words.lower()}): {type(error).__name__}: {error}"
        next_step = "This is a fault of the product, logged with its trace."
        _finish(preview, State.FAILED, problem=Problem(500, "PREVIEW_CRASHED", "The preview failed", detail, next_step))


def _subject(preview: PlanPreview, request: Request) -> InstanceRecord:
    """The instance of the plan; an unsaved one where the request has only a package."""
    instance = preview.instance
    if isinstance(request, InstantiateVnfRequest):
        instance = instance or instance_draft(package_id=catalog.package_by_vnfd(vnfd_id=preview.vnfd_id).id)
        instance.vim_id = resolve_vim(request.vim_connection_info).id
    assert instance is not None, "a plan without an instance is an instantiation"
    return instance


def _result(instance: InstanceRecord, request: Request, requested: Request) -> dict[str, Any]:
    """`requested` is the request without what the management profile adds."""
    planning = Planning(request, instance)
    planned, preview = plan_with_preview(planning, partial(_secrets, instance, request))
    return {
        **plan_view(planned, preview, request.operation),
        "settings": [
            {"name": one.name, "value": one.value, "origin": one.origin}
            for one in _settings(instance, request, requested, planned.plan)
        ],
        "grant": [check.as_json() for check in preview_grant(planned, request.operation, instance)],
    }


def _settings(instance: InstanceRecord, request: Request, requested: Request, plan: Plan) -> Iterator[PlannedSetting]:
    """Yield the settings of an instantiation, which alone has any."""
    if isinstance(request, InstantiateVnfRequest) and isinstance(requested, InstantiateVnfRequest):
        vnfd = catalog.vnfd_of(instance.package)
        yield from planned_settings(vnfd, chosen_settings(requested, vnfd), chosen_settings(request, vnfd), plan)


def _secrets(instance: InstanceRecord, request: Request) -> dict[str, Any]:
    stored = seal.unseal(instance.sealed_settings) if instance.sealed_settings else {}
    return {**stored, **request_secrets(request, catalog.vnfd_of(target_package(request, instance.package)))}


@transaction.atomic
def _finish(
    preview: PlanPreview, state: str, *, result: dict[str, Any] | None = None, problem: Problem | None = None
) -> None:
    PlanPreview.objects.filter(id=preview.id).update(
        state=state,
        result=result,
        problem=problem.as_json() if problem else None,
        sealed_request=None,
        version=F("version") + 1,
    )
    outbox.publish("plan.changed", preview.id, preview.version + 1)
