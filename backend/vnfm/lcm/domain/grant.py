"""The checks of a local grant on what the cloud reports: each True, False or Unknown with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import Vdu, Vnfd
from vnfm.clouds.types import CloudHost
from vnfm.lcm.domain.plan import Plan, PlannedQuota

Truth = Literal["True", "False", "Unknown"]


@dataclass(frozen=True, slots=True)
class GrantCheck:
    """One check of a grant. Only a `binding` check that is False denies it."""

    name: str
    status: Truth
    message: str
    binding: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def local_checks(
    plan: Plan, vnfd: Vnfd, settings: Mapping[str, Any], hosts: Sequence[CloudHost] | None
) -> list[GrantCheck]:
    """The checks of a local grant; `hosts` is None when our rights do not show them."""
    checks = [_quota(plan.quota)]
    if any(plan.added.values()):
        usable = None if hosts is None else [host for host in hosts if host.up and host.enabled]
        checks.append(_capacity(plan.quota, usable))
        checks += [_anti_affinity(vdu, plan, usable) for vdu in vnfd.vdus if _needs_anti_affinity(vdu, plan, settings)]
    return checks


def _quota(rows: Sequence[PlannedQuota]) -> GrantCheck:
    """The planner has rejected what does not fit; a quota that the cloud does not report is Unknown."""
    unknown = [row.resource for row in rows if row.needed and (row.limit is None or row.used is None)]
    if unknown:
        return GrantCheck(
            "Quota", "Unknown", f"The cloud does not report its quota of {', '.join(unknown)}.", binding=True
        )
    added = any(row.needed > 0 for row in rows)
    message = (
        "What is added fits the project's quotas." if added else "Nothing is added that the project's quotas count."
    )
    return GrantCheck("Quota", "True", message, binding=True)


def _capacity(rows: Sequence[PlannedQuota], hosts: Sequence[CloudHost] | None) -> GrantCheck:
    """It does not bind: Nova does not report how far it overcommits its hosts."""
    if hosts is None:
        return GrantCheck("Capacity", "Unknown", "Host capacity: not visible (needs the admin role).")
    needed = {row.resource: row.needed for row in rows}
    memory = sum(max(0, host.memory_mib - host.memory_mib_used) for host in hosts)
    vcpus = sum(max(0, host.vcpus - host.vcpus_used) for host in hosts)
    message = (
        f"{needed.get('cores', 0)} vCPUs and {needed.get('ram_mib', 0)} MiB are needed; the {len(hosts)} compute hosts "
        f"that are up report {vcpus} vCPUs and {memory} MiB free"
    )
    fits = needed.get("cores", 0) <= vcpus and needed.get("ram_mib", 0) <= memory
    return GrantCheck(
        "Capacity", "True" if fits else "False", message + ("." if fits else ", unless Nova overcommits them.")
    )


def _needs_anti_affinity(vdu: Vdu, plan: Plan, settings: Mapping[str, Any]) -> bool:
    return bool(vdu.anti_affinity and settings.get(vdu.anti_affinity) and plan.added.get(vdu.id))


def _anti_affinity(vdu: Vdu, plan: Plan, hosts: Sequence[CloudHost] | None) -> GrantCheck:
    if hosts is None:
        return GrantCheck(
            "AntiAffinity", "Unknown", f"Whether the VNFCs of {vdu.name} find different hosts cannot be seen."
        )
    needed = 2 if vdu.in_pairs else len(plan.rosters[vdu.id]["slots"])
    who = "the two of each pair" if vdu.in_pairs else f"{needed} VNFCs"
    message = f"{vdu.name}: {who} shall be on different hosts, and {len(hosts)} compute hosts are up."
    return GrantCheck("AntiAffinity", "True" if len(hosts) >= needed else "False", message, binding=True)
