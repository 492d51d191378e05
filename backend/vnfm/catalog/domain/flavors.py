"""Chooses the Nova flavor for a VDU: the nearest that satisfies its needs, in a fixed order."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from vnfm.catalog.domain.vnfd import ResourceNeeds
from vnfm.clouds.types import Flavor
from vnfm.kit.patterns import pattern

_AMOUNT = pattern(r"(\d+)\s*([kmg]?)(i?b)?")

_PAGE_UNITS_KIB = {"": 1, "k": 1, "m": 1024, "g": 1024 * 1024}
_SMALL_PAGE_KIB = 4
_AGGREGATE = "aggregate_instance_extra_specs:"
_HOST_BINDING = ("hw:", "pci_passthrough:", _AGGREGATE, "resources", "trait")
"""Prefixes of extra specs that narrow the choice of hosts or reserve something on them."""


@dataclass(frozen=True, slots=True)
class FlavorChoice:
    flavor: Flavor | None
    """The proposed flavor, or the requested one even if it lacks something; None when there is none."""
    candidates: tuple[Flavor, ...]
    """All flavors that satisfy the needs, best first."""
    reason: str
    """Why this one, or why none: a sentence."""
    shortfalls: tuple[str, ...] = ()
    """Phrases for the needs that the requested flavor does not meet."""
    surplus: tuple[str, ...] = ()
    """Phrases for the abilities of the flavor beyond the needs; empty for an exact match."""


def choose_flavor(needs: ResourceNeeds, flavors: Sequence[Flavor], requested: str | None) -> FlavorChoice:
    """Propose a flavor for `needs`, or check the `requested` one (name or id; "" and None: propose one).

    A flavor does not have `sriov_ports`; Nova's scheduler finds a host for them.
    """
    candidates = tuple(sorted((f for f in flavors if not shortfalls(needs, f)), key=lambda f: _order(needs, f)))
    if requested:
        return _check_requested(needs, flavors, candidates, requested)
    if not candidates:
        reason = f"None of the {len(flavors)} flavors of this cloud has {needs_text(needs)}."
        return FlavorChoice(None, (), reason + _nearest_text(needs, flavors))
    best = candidates[0]
    more = surplus(needs, best)
    if not more:
        return FlavorChoice(best, candidates, f"{best.name} matches exactly: {needs_text(needs)}.")
    of = "the only one" if len(candidates) == 1 else f"the nearest of {len(candidates)} flavors"
    reason = f"{best.name} is {of} with {needs_text(needs)}. Beyond that it has {', '.join(more)}."
    return FlavorChoice(best, candidates, reason, surplus=more)


def shortfalls(needs: ResourceNeeds, flavor: Flavor) -> tuple[str, ...]:
    """Return phrases for the needs that the flavor does not meet."""
    specs = flavor.extra_specs
    checks = (
        (flavor.vcpus >= needs.vcpus, f"{flavor.vcpus} of {needs.vcpus} vCPUs"),
        (flavor.memory_mib >= needs.memory_mib, f"{flavor.memory_mib} of {needs.memory_mib} MiB memory"),
        (flavor.disk_gib >= needs.disk_gib, f"{flavor.disk_gib} of {needs.disk_gib} GiB disk"),
        (_cpu_policy_ok(needs, specs.get("hw:cpu_policy", "")), f"hw:cpu_policy is not {needs.cpu_policy}"),
        (
            _page_size_ok(needs.mem_page_size, specs.get("hw:mem_page_size", "")),
            f"hw:mem_page_size is not {needs.mem_page_size}",
        ),
        (_numa_ok(needs, flavor), f"hw:numa_nodes is not {needs.numa_nodes}"),
    )
    return tuple(text for satisfied, text in checks if not satisfied)


def surplus(needs: ResourceNeeds, flavor: Flavor) -> tuple[str, ...]:
    """Return phrases for the abilities of the flavor beyond the needs; empty when it matches exactly."""
    wanted, specs = needs.extra_specs(), flavor.extra_specs
    more = (
        (flavor.vcpus - needs.vcpus, f"vCPU{_s(flavor.vcpus - needs.vcpus)}"),
        (flavor.memory_mib - needs.memory_mib, "MiB memory"),
        (flavor.disk_gib - needs.disk_gib, "GiB disk"),
    )
    amounts = [f"{amount} {unit} more" for amount, unit in more if amount > 0]
    return (*amounts, *(f"{key}={specs[key]}" for key in sorted(specs) if specs[key] != wanted.get(key)))


def create_command(flavor: Flavor) -> str:
    """The line by which an administrator creates the flavor."""
    words = ["openstack", "flavor", "create", "--vcpus", flavor.vcpus, "--ram", flavor.memory_mib]
    words += ["--disk", flavor.disk_gib]
    for key, value in flavor.extra_specs.items():
        words += ["--property", f"{key}={value}"]
    return shlex.join(map(str, [*words, flavor.name]))


def scheduler_filters(needs: ResourceNeeds, flavor: Flavor | None) -> tuple[str, ...]:
    """Nova's scheduler filters that these needs require; Liberty enables none of them by default (nova.conf,
    scheduler_default_filters). `flavor` is the chosen one, None while it does not exist.
    """
    numa = needs.cpu_policy == "dedicated" or needs.mem_page_size or needs.numa_nodes
    aggregate = flavor is not None and any(key.startswith(_AGGREGATE) for key in flavor.extra_specs)
    wanted = {
        "NUMATopologyFilter": numa,
        "PciPassthroughFilter": needs.sriov_ports,
        "AggregateInstanceExtraSpecsFilter": aggregate,
    }
    return tuple(name for name, needed in wanted.items() if needed)


def needs_text(needs: ResourceNeeds) -> str:
    """The needs as one phrase."""
    words = [f"{needs.vcpus} vCPU{_s(needs.vcpus)}", f"{needs.memory_mib} MiB memory", f"{needs.disk_gib} GiB disk"]
    words += [f"{key}={value}" for key, value in needs.extra_specs().items()]
    return ", ".join(words)


def _s(number: int) -> str:
    return "" if number == 1 else "s"


def _check_requested(
    needs: ResourceNeeds, flavors: Sequence[Flavor], candidates: tuple[Flavor, ...], requested: str
) -> FlavorChoice:
    found = next((f for f in flavors if requested in (f.name, f.id)), None)
    if found is None:
        proposals = ", ".join(f.name for f in candidates) or "none of those it has"
        return FlavorChoice(
            None, candidates, f"This cloud has no flavor {requested!r}. Flavors that satisfy: {proposals}."
        )
    lacking = shortfalls(needs, found)
    result = f"falls short: {'; '.join(lacking)}" if lacking else "was requested and satisfies"
    more = () if lacking else surplus(needs, found)
    return FlavorChoice(found, candidates, f"{found.name} {result}.", lacking, more)


def _nearest_text(needs: ResourceNeeds, flavors: Sequence[Flavor]) -> str:
    """The flavor that lacks least, as a sentence; "" when the cloud has none."""
    if not flavors:
        return ""
    nearest = min(flavors, key=lambda f: (len(shortfalls(needs, f)), -f.memory_mib, -f.vcpus, f.name))
    return f" {nearest.name} is the nearest: {', '.join(shortfalls(needs, nearest))}."


def _order(needs: ResourceNeeds, flavor: Flavor) -> tuple[int, int, int, int, str, str]:
    wanted = needs.extra_specs()
    surplus = sum(key.startswith(_HOST_BINDING) and key not in wanted for key in flavor.extra_specs)
    return flavor.vcpus, flavor.memory_mib, surplus, flavor.disk_gib, flavor.name, flavor.id


def _cpu_policy_ok(needs: ResourceNeeds, policy: str) -> bool:
    if needs.cpu_policy == "shared":
        return policy in ("", "shared")
    return not needs.cpu_policy or policy == needs.cpu_policy


def _page_size_ok(wanted: str, offered: str) -> bool:
    """`large` is any size above 4 KiB; a size must match exactly, in any unit."""
    if not wanted or wanted in ("any", offered):
        return True
    size = _page_kib(offered)
    return size is not None and (size > _SMALL_PAGE_KIB if wanted == "large" else size == _page_kib(wanted))


def _page_kib(text: str) -> int | None:
    match = _AMOUNT.fullmatch(text.lower())
    return int(match[1]) * _PAGE_UNITS_KIB[match[2]] if match else None


def _numa_ok(needs: ResourceNeeds, flavor: Flavor) -> bool:
    """Nova's default is one NUMA node for a guest with dedicated CPUs or a page size."""
    nodes = flavor.extra_specs.get("hw:numa_nodes", "")
    if not nodes and (
        flavor.extra_specs.get("hw:cpu_policy") == "dedicated" or "hw:mem_page_size" in flavor.extra_specs
    ):
        nodes = "1"
    return not needs.numa_nodes or nodes == str(needs.numa_nodes)
