"""The choice of a host: capacity by NUMA node, dedicated CPUs, page sizes, SR-IOV functions. Pure.

Units: memory MiB, page sizes KiB, disk GiB.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SMALL_PAGE = 4
CPU_RATIO = 16
"""The shared vCPUs per physical CPU (Nova's default)."""

_PAGES = {"small": 4, "large": 2048, "any": 4, "4": 4, "2048": 2048, "1048576": 1048576}
_UNITS = {"kb": 1, "mb": 1024, "gb": 1024 * 1024}


@dataclass(frozen=True, slots=True)
class Needs:
    """A server's needs of a host; ``cells`` is its number of NUMA nodes, 0 without a NUMA topology."""

    vcpus: int
    memory: int
    disk: int
    dedicated: bool = False
    page: int = SMALL_PAGE
    cells: int = 0
    vfs: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Node:
    """The free capacity of a NUMA node; ``shared`` counts vCPUs (physical ones times the ratio)."""

    shared: int
    dedicated: int
    memory: dict[int, int]
    vfs: dict[str, int]


@dataclass(slots=True)
class Host:
    name: str
    nodes: list[Node]
    disk: int
    enabled: bool = True
    up: bool = True

    def free_memory(self) -> int:
        return sum(amount for node in self.nodes for amount in node.memory.values())


Claim = dict[str, Any]
"""A server's capacity on its host, as JSON: disk, and by node shared, dedicated, memory by page, VFs by physnet."""


def page_size(text: str) -> int:
    """Return ``hw:mem_page_size`` in KiB. Raises ValueError."""
    word = str(text).strip().lower()
    if word in _PAGES:
        return _PAGES[word]
    for unit, factor in _UNITS.items():
        if word.endswith(unit) and word[:-2].isdigit() and int(word[:-2]) * factor in _PAGES.values():
            return int(word[:-2]) * factor
    raise ValueError(f"Invalid memory page size '{text}'")


def needs_of(flavor: Mapping[str, Any], properties: Mapping[str, str], vfs: Iterable[str]) -> Needs:
    """Return the needs of a flavor with its extra specs, an image's properties and the physnets of SR-IOV ports.

    Raises ValueError for extra specs that Nova refuses.
    """
    specs = flavor["extra_specs"]
    policy = specs.get("hw:cpu_policy") or properties.get("hw_cpu_policy") or "shared"
    if policy not in {"dedicated", "shared"}:
        raise ValueError(f"Requested CPU policy '{policy}' is not valid, use dedicated or shared")
    sized = specs.get("hw:mem_page_size") or properties.get("hw_mem_page_size")
    page = page_size(sized) if sized else SMALL_PAGE
    cells = specs.get("hw:numa_nodes") or properties.get("hw_numa_nodes") or 0
    if not str(cells).isdigit():
        raise ValueError(f"Invalid number of NUMA nodes '{cells}'")
    implied = 1 if policy == "dedicated" or sized else 0
    return Needs(
        vcpus=flavor["vcpus"],
        memory=flavor["ram"],
        disk=flavor["disk"] + flavor["ephemeral"],
        dedicated=policy == "dedicated",
        page=page,
        cells=int(cells) or implied,
        vfs=dict(Counter(vfs)),
    )


def fit(host: Host, needs: Needs) -> Claim | None:
    """Return the claim of a server on a host, or None if it does not fit."""
    if needs.disk > host.disk:
        return None
    shares = _fit_cells(host, needs) if needs.cells else _fit_loose(host, needs)
    return None if shares is None else {"disk": needs.disk, "nodes": shares}


def _empty() -> dict[str, Any]:
    return {"shared": 0, "dedicated": 0, "memory": {}, "vfs": {}}


def _fit_cells(host: Host, needs: Needs) -> list[dict[str, Any]] | None:
    """Fit a server with NUMA topology: equal cells on different nodes, with its VFs on these nodes."""
    vcpus, memory = math.ceil(needs.vcpus / needs.cells), math.ceil(needs.memory / needs.cells)
    able = [
        place
        for place, node in enumerate(host.nodes)
        if (node.dedicated if needs.dedicated else node.shared) >= vcpus and node.memory.get(needs.page, 0) >= memory
    ]
    able.sort(key=lambda place: _lacking(host.nodes[place], needs.vfs))
    chosen = able[: needs.cells]
    if len(chosen) < needs.cells:
        return None
    shares = [_empty() for _ in host.nodes]
    for place in chosen:
        shares[place]["dedicated" if needs.dedicated else "shared"] = vcpus
        shares[place]["memory"] = {str(needs.page): memory}
    return shares if _take_vfs(host, needs.vfs, chosen, shares) else None


def _lacking(node: Node, vfs: Mapping[str, int]) -> int:
    return sum(max(0, count - node.vfs.get(physnet, 0)) for physnet, count in vfs.items())


def _fit_loose(host: Host, needs: Needs) -> list[dict[str, Any]] | None:
    """Fit a server without topology, which may use all nodes."""
    shares = [_empty() for _ in host.nodes]
    vcpus, memory = needs.vcpus, needs.memory
    for share, node in zip(shares, host.nodes, strict=True):
        share["shared"] = min(vcpus, node.shared)
        vcpus -= share["shared"]
        taken = min(memory, node.memory.get(needs.page, 0))
        share["memory"] = {str(needs.page): taken}
        memory -= taken
    if vcpus or memory:
        return None
    return shares if _take_vfs(host, needs.vfs, range(len(host.nodes)), shares) else None


def _take_vfs(host: Host, vfs: Mapping[str, int], places: Iterable[int], shares: list[dict[str, Any]]) -> bool:
    allowed = [*places]
    for physnet, count in vfs.items():
        missing = count
        for place in allowed:
            taken = min(missing, host.nodes[place].vfs.get(physnet, 0))
            if taken:
                shares[place]["vfs"][physnet] = taken
            missing -= taken
        if missing:
            return False
    return True


def apply(host: Host, claim: Claim, sign: int = 1) -> None:
    """Subtract a claim from a host's free capacity; ``sign=-1`` adds it."""
    host.disk -= sign * claim["disk"]
    for node, share in zip(host.nodes, claim["nodes"], strict=True):
        node.shared -= sign * share["shared"]
        node.dedicated -= sign * share["dedicated"]
        for page, amount in share["memory"].items():
            node.memory[int(page)] -= sign * amount
        for physnet, count in share["vfs"].items():
            node.vfs[physnet] -= sign * count


@dataclass(frozen=True, slots=True)
class Choice:
    """A host and the claim on it; without a host, ``trace`` lists the filters up to the one that left none."""

    host: Host | None
    claim: Claim | None
    trace: tuple[str, ...]


def choose(
    hosts: Iterable[Host],
    needs: Needs,
    *,
    only: str | None = None,
    ignore: str | None = None,
    apart: frozenset[str] = frozenset(),
    together: frozenset[str] = frozenset(),
) -> Choice:
    """Choose a host by filters and weights (most free memory first, then by name), as nova-scheduler does.

    ``only`` forces one host, ``ignore`` excludes one; ``apart`` are the hosts of an anti-affinity group's members,
    ``together`` those of an affinity group's.
    """
    left = [*hosts]
    trace = [f"Starting with {len(left)} host(s)"]
    filters = (
        ("ComputeFilter", lambda host: host.enabled and host.up),
        ("ForcedHost", lambda host: only in {None, host.name}),
        ("IgnoredHost", lambda host: host.name != ignore),
        ("ServerGroupAntiAffinityFilter", lambda host: host.name not in apart),
        ("ServerGroupAffinityFilter", lambda host: not together or host.name in together),
    )
    for name, keeps in filters:
        left = [host for host in left if keeps(host)]
        trace.append(f"{name}: {len(left)} host(s)")
    for host in sorted(left, key=lambda host: (-host.free_memory(), host.name)):
        claim = fit(host, needs)
        if claim is not None:
            return Choice(host, claim, tuple(trace))
    name = "NUMATopologyFilter, PciPassthroughFilter" if needs.cells or needs.vfs else "RamFilter, CoreFilter"
    return Choice(None, None, (*trace, f"{name}, DiskFilter: 0 host(s)"))
