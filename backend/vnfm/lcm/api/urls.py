from django.urls import path

from vnfm.lcm.api import drift, forget, instance_detail, instances, operations, plans, unclaimed

INSTANCES = "vnflcm/v2/vnf_instances"
OPERATIONS = "vnflcm/v2/vnf_lcm_op_occs"

urlpatterns = [
    path(INSTANCES, instances.VnfInstanceListApi.as_view()),
    path(f"{INSTANCES}/<uuid:instance_id>", instances.VnfInstanceApi.as_view(), name="vnf_instance"),
    path(f"{INSTANCES}/<uuid:instance_id>/instantiate", instances.InstantiateApi.as_view()),
    path(f"{INSTANCES}/<uuid:instance_id>/scale", instances.ScaleApi.as_view()),
    path(f"{INSTANCES}/<uuid:instance_id>/scale_to_level", instances.ScaleToLevelApi.as_view()),
    path(f"{INSTANCES}/<uuid:instance_id>/terminate", instances.TerminateApi.as_view()),
    path(OPERATIONS, operations.OpOccListApi.as_view()),
    path(f"{OPERATIONS}/<uuid:op_id>", operations.OpOccApi.as_view(), name="vnf_lcm_op_occ"),
    path(f"{OPERATIONS}/<uuid:op_id>/retry", operations.RetryApi.as_view()),
    path(f"{OPERATIONS}/<uuid:op_id>/rollback", operations.RollbackApi.as_view()),
    path(f"{OPERATIONS}/<uuid:op_id>/fail", operations.FailApi.as_view()),
    path("api/v1/vnf_instances", instance_detail.InstanceSummaryListApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>", instance_detail.InstanceDetailApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/drift", drift.DriftApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/accept_drift", drift.AcceptDriftApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/repair", drift.RepairApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/forget", forget.ForgetApi.as_view()),
    path("api/v1/vims/<uuid:vim_id>/unclaimed", unclaimed.UnclaimedListApi.as_view()),
    path("api/v1/unclaimed/<uuid:unclaimed_id>/remove", unclaimed.RemoveUnclaimedApi.as_view()),
    path("api/v1/unclaimed/<uuid:unclaimed_id>/adopt", unclaimed.AdoptApi.as_view()),
    path("api/v1/vnf_lcm_op_occs/<uuid:op_id>", operations.OperationDetailApi.as_view()),
    path("api/v1/vnf_lcm_op_occs/<uuid:op_id>/steps", operations.OperationStepsApi.as_view()),
    path("api/v1/plans", plans.PlanListApi.as_view()),
    path("api/v1/plans/<uuid:plan_id>", plans.PlanApi.as_view(), name="plan"),
]
