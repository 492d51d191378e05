"""Compare a plan with the quotas of its cloud."""

from collections.abc import Sequence

from vnfm.catalog.domain.vnfd import Vdu
from vnfm.clouds.types import Quota
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.fixed import cost_of
from vnfm.lcm.domain.plan import PlannedQuota
from vnfm.lcm.domain.plan_builder import PlanBuilder


def planned_quota(builder: PlanBuilder) -> tuple[PlannedQuota, ...]:
    """Return what the plan needs and releases of each resource, beside what the cloud reports of its quota."""
    quotas = {quota.resource: quota for quota in builder.view.quotas}
    rows = []
    for resource, amount in builder.needed.items():
        quota = quotas.get(resource, Quota(resource, None, None))
        rows.append(PlannedQuota(resource, amount, quota.used, quota.limit, builder.released.get(resource, 0)))
    return tuple(rows)


def quota_errors(rows: Sequence[PlannedQuota]) -> list[FieldError]:
    """Return an error for each row that does not fit; a row without a known limit fits."""
    return [
        FieldError("", f"Quota {r.resource}: {r.needed} more needed, {r.used} of {r.limit} in use.")
        for r in rows
        if r.needed and r.limit is not None and r.used is not None and r.limit >= 0 and r.used + r.needed > r.limit
    ]


def release_quota(builder: PlanBuilder, vdu: Vdu, removed: int) -> None:
    """Count the quota of VNFCs that are removed, by their present flavor; nothing for what is not known of it."""
    old = builder.current.vdu(vdu)
    name = str(builder.current.parameters.get(old.flavor_parameter) or "") if old else ""
    before = builder.current.flavour.needs_of(old) if old and builder.current.flavour else None
    each = {"instances": 1, "ports": builder.vnfd.least_ports_of(vdu, builder.target.settings)}
    if before is not None:
        each |= dict(zip(("cores", "ram_mib"), cost_of(builder, name, before), strict=True))
    if vdu.volumes:
        each |= {"volumes": vdu.volumes, "gigabytes": vdu.volumes_gib}
    for resource, amount in each.items():
        builder.released[resource] = builder.released.get(resource, 0) + removed * amount
