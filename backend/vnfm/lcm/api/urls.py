from typing import Any

from django.urls import URLPattern, path

from vnfm.kit.web.resource import resource_urls
from vnfm.lcm.api import (
    drift,
    environments,
    forget,
    instance_detail,
    package_checks,
    plans,
    snapshots,
    stories,
    unclaimed,
)
from vnfm.lcm.api.instances import TASKS, VnfInstanceApi, VnfInstanceListApi
from vnfm.lcm.api.operations import (
    CancelApi,
    FailApi,
    OperationDetailApi,
    OperationListApi,
    OperationStepsApi,
    OpOccApi,
    OpOccListApi,
    RetryApi,
    RollbackApi,
)
from vnfm.lcm.wire.editions import EDITIONS, V2, Edition


def _etsi(edition: Edition) -> list[URLPattern]:
    """The resources of SOL003 in one edition; the newest has the names, and is in our OpenAPI document."""
    newest = edition == V2
    view_arguments: dict[str, Any] = {"edition": edition} if newest else {"edition": edition, "schema": None}
    hidden: dict[str, Any] = {} if newest else {"schema": None}
    instance = f"{edition.instances[1:]}/<uuid:instance_id>"
    occurrence = f"{edition.operations[1:]}/<uuid:op_id>"
    handling = {"retry": RetryApi, "rollback": RollbackApi, "fail": FailApi, "cancel": CancelApi}
    return [
        path(edition.instances[1:], VnfInstanceListApi.as_view(**view_arguments)),
        path(instance, VnfInstanceApi.as_view(**view_arguments), name="vnf_instance" if newest else None),
        *(
            path(f"{instance}/{task.task}", TASKS[task].as_view(**view_arguments))
            for task in (*edition.tasks, *edition.later_tasks)
        ),
        path(edition.snapshots[1:], snapshots.VnfSnapshotListApi.as_view(**hidden)),
        path(f"{edition.snapshots[1:]}/<uuid:snapshot_id>", snapshots.VnfSnapshotApi.as_view(**hidden)),
        path(edition.operations[1:], OpOccListApi.as_view(**view_arguments)),
        path(occurrence, OpOccApi.as_view(**view_arguments), name="vnf_lcm_op_occ" if newest else None),
        *(path(f"{occurrence}/{task}", view.as_view(**view_arguments)) for task, view in handling.items()),
    ]


urlpatterns = [
    *(pattern for edition in EDITIONS for pattern in _etsi(edition)),
    path("api/v1/vnf_instances/<uuid:instance_id>/snapshots", snapshots.InstanceSnapshotListApi.as_view()),
    path("api/v1/vnf_instances", instance_detail.InstanceSummaryListApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>", instance_detail.InstanceDetailApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/drift", drift.DriftApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/accept_drift", drift.AcceptDriftApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/repair", drift.RepairApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/forget", forget.ForgetApi.as_view()),
    path("api/v1/vims/<uuid:vim_id>/unclaimed", unclaimed.UnclaimedListApi.as_view()),
    path("api/v1/unclaimed/<uuid:unclaimed_id>/remove", unclaimed.RemoveUnclaimedApi.as_view()),
    path("api/v1/unclaimed/<uuid:unclaimed_id>/adopt", unclaimed.AdoptApi.as_view()),
    path("api/v1/vnf_lcm_op_occs", OperationListApi.as_view()),
    path("api/v1/vnf_lcm_op_occs/<uuid:op_id>", OperationDetailApi.as_view()),
    path("api/v1/vnf_lcm_op_occs/<uuid:op_id>/steps", OperationStepsApi.as_view()),
    path("api/v1/vnf_lcm_op_occs/<uuid:op_id>/story", stories.StoryApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/plan", plans.InstancePlanApi.as_view()),
    *resource_urls("api/v1/environments", environments.ENVIRONMENTS),
    path("api/v1/environments/derive", environments.EnvironmentDeriveApi.as_view()),
    path("api/v1/environments/<uuid:environment_id>/hot", environments.EnvironmentHotApi.as_view()),
    path("api/v1/packages/validate", package_checks.PackageValidateApi.as_view()),
    path("api/v1/packages/<uuid:package_id>/validation", package_checks.PackageReportApi.as_view()),
    path("api/v1/packages/derive", package_checks.PackageDeriveApi.as_view()),
    path("api/v1/plans", plans.PlanListApi.as_view()),
    path("api/v1/plans/<uuid:plan_id>", plans.PlanApi.as_view(), name="plan"),
]
