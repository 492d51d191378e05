"""Check that Nova's quotas of server groups, ten groups of ten servers by default, admit the stack of a plan."""

from dataclasses import replace

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.derive.server_groups import ServerGroupCount, count_server_groups
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors import stack_input_of
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import QUOTA_EXCEEDED, Rejection
from vnfm.lcm.domain.plan import PlannedQuota
from vnfm.lcm.domain.vim_quota import quota_errors
from vnfm.lcm.sagas.heat_preview import planned_package
from vnfm.lcm.sagas.planning import Planned, Planning, rejection_error
from vnfm.lcm.sagas.step_kinds import step_of_kind


def with_server_groups(planning: Planning, planned: Planned) -> Planned:
    """The plan, with the server groups that it adds among its quotas; raises ProblemError (409) beyond a quota."""
    plan = planned.plan
    if planning.instance.vim is None or not any(step_of_kind(s.kind).applies_template for s in planned.steps):
        return planned
    templates = catalog.templates_of(planned_package(planning, plan))
    target, now = count_server_groups(templates, plan.registry, plan.parameters), _current(planning.instance)
    if (target.groups, target.largest) == (now.groups, now.largest):
        return planned
    quotas = {quota.resource: quota for quota in planning.cloud.quotas()}
    quota = quotas["server_groups"]
    row = PlannedQuota("server_groups", target.groups - now.groups, quota.used, quota.limit)
    errors = quota_errors([row])
    most = planning.cloud.server_group_size() if target.largest > now.largest else None
    if most is not None and target.largest > most:
        message = f"Quota server_group_members: {target.largest} servers would be in one group, {most} may be."
        errors.append(FieldError("", message))
    if errors:
        raise rejection_error(Rejection(tuple(errors), QUOTA_EXCEEDED))
    return replace(planned, plan=replace(plan, quota=(*plan.quota, row)))


def _current(instance: InstanceRecord) -> ServerGroupCount:
    """Count the server groups of the stack as Heat last got it."""
    given = stack_input_of(instance_id=instance.id) if instance.stack_id else None
    if given is None:
        return ServerGroupCount(0, 0)
    registry = given.environment.get("resource_registry", {})
    return count_server_groups(catalog.templates_of(instance.package), registry, given.parameters)
