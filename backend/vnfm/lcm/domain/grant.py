"""Whether we may go on with a plan, on what the cloud shows: each check True, False or Unknown with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import Vdu, Vnfd
from vnfm.clouds.types import Host
from vnfm.lcm.domain.plan import Plan, PlannedQuota

Truth = Literal["True", "False", "Unknown"]


@dataclass(frozen=True, slots=True)
class Check:
    """One ground of a grant. Only a `binding` one that is False forbids."""

    name: str
    status: Truth
    message: str
    binding: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def local_checks(plan: Plan, vnfd: Vnfd, settings: Mapping[str, Any], hosts: Sequence[Host] | None) -> list[Check]:
    """The grounds of a local grant; `hosts` is None when our rights do not let us see them."""
    grounds = [_quota(plan.quota)]
    if any(plan.added.values()):
        usable = None if hosts is None else [host for host in hosts if host.up and host.enabled]
        grounds.append(_capacity(plan.quota, usable))
        grounds += [_anti_affinity(vdu, plan, usable) for vdu in vnfd.vdus if _keeps_apart(vdu, plan, settings)]
    return grounds


def _quota(rows: Sequence[PlannedQuota]) -> Check:
    """The planner has refused what does not fit; what the cloud does not tell stays unknown."""
    untold = [row.resource for row in rows if row.needed and (row.limit is None or row.used is None)]
    if untold:
        return Check("Quota", "Unknown", f"The cloud does not tell its quota of {', '.join(untold)}.", binding=True)
    added = any(row.needed > 0 for row in rows)
    words = "What is added fits the project's quotas." if added else "Nothing is added that the project's quotas count."
    return Check("Quota", "True", words, binding=True)


def _capacity(rows: Sequence[PlannedQuota], hosts: Sequence[Host] | None) -> Check:
    """Not binding: how far Nova overcommits its hosts is told nowhere."""
    if hosts is None:
        return Check("Capacity", "Unknown", "Our rights in this cloud do not show its compute hosts.")
    needed = {row.resource: row.needed for row in rows}
    memory = sum(max(0, host.memory_mib - host.memory_mib_used) for host in hosts)
    vcpus = sum(max(0, host.vcpus - host.vcpus_used) for host in hosts)
    words = (
        f"{needed.get('cores', 0)} vCPUs and {needed.get('ram_mib', 0)} MiB are needed; the {len(hosts)} compute hosts "
        f"that are up report {vcpus} vCPUs and {memory} MiB free"
    )
    fits = needed.get("cores", 0) <= vcpus and needed.get("ram_mib", 0) <= memory
    return Check("Capacity", "True" if fits else "False", words + ("." if fits else ", unless Nova overcommits them."))


def _keeps_apart(vdu: Vdu, plan: Plan, settings: Mapping[str, Any]) -> bool:
    return bool(vdu.anti_affinity and settings.get(vdu.anti_affinity) and plan.added.get(vdu.id))


def _anti_affinity(vdu: Vdu, plan: Plan, hosts: Sequence[Host] | None) -> Check:
    if hosts is None:
        return Check("AntiAffinity", "Unknown", f"Whether the VNFCs of {vdu.name} find different hosts cannot be seen.")
    wanted = len(plan.rosters[vdu.id]["slots"])
    words = f"{vdu.name}: {wanted} VNFCs shall be on different hosts, and {len(hosts)} compute hosts are up."
    return Check("AntiAffinity", "True" if len(hosts) >= wanted else "False", words, binding=True)
