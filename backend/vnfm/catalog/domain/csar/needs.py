"""Resource needs of a VDU, read from SOL001 and written to it."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.tosca import size_in, text, whole_number
from vnfm.catalog.domain.vnfd import ResourceNeeds

_PINNING: Mapping[str, str] = {"static": "dedicated", "dynamic": "shared"}
"""virtual_cpu_pinning_policy to Nova's hw:cpu_policy."""
_EXTRA_SPECS: Mapping[str, str] = {
    "hw:cpu_policy": "cpuPolicy",
    "hw:mem_page_size": "memPageSize",
    "hw:numa_nodes": "numaNodes",
}
"""Nova's flavor extra specs, in SOL001's vdu_mem_requirements, to the needs of vnfd.yaml."""


def read_needs(compute: Mapping[str, Any]) -> dict[str, Any]:
    """The needs of a virtual_compute, by the keys of vnfd.yaml; empty without processors or memory."""
    vcpus = whole_number(mapping(compute, "virtual_cpu").get("num_virtual_cpu"))
    memory = size_in("MIB", mapping(compute, "virtual_memory").get("virtual_mem_size"))
    if not vcpus or not memory:
        return {}
    storages = compute.get("virtual_local_storage")
    stored = storages if isinstance(storages, list) else []
    sizes = [size_in("GIB", mapping(one).get("size_of_storage")) for one in stored]
    found: dict[str, Any] = {"vcpus": vcpus, "memoryMib": memory, "diskGib": sum(size or 0 for size in sizes)}
    policy = mapping(compute, "virtual_cpu", "virtual_cpu_pinning").get("virtual_cpu_pinning_policy")
    if text(policy) in _PINNING:
        found["cpuPolicy"] = _PINNING[text(policy)]
    for key, value in mapping(compute, "virtual_memory", "vdu_mem_requirements").items():
        _extra_spec(found, str(key), value)
    return found


def virtual_compute(needs: ResourceNeeds) -> dict[str, Any]:
    """The properties of a virtual_compute with these needs."""
    memory: dict[str, Any] = {"virtual_mem_size": f"{needs.memory_mib} MiB"}
    if needs.mem_page_size:
        memory["vdu_mem_requirements"] = {"hw:mem_page_size": needs.mem_page_size}
    if needs.numa_nodes:
        memory.setdefault("vdu_mem_requirements", {})["hw:numa_nodes"] = str(needs.numa_nodes)
    processors: dict[str, Any] = {"num_virtual_cpu": needs.vcpus}
    pinning = next((name for name, policy in _PINNING.items() if policy == needs.cpu_policy), "")
    if pinning:
        processors["virtual_cpu_pinning"] = {"virtual_cpu_pinning_policy": pinning}
    return {
        "virtual_memory": memory,
        "virtual_cpu": processors,
        "virtual_local_storage": [{"size_of_storage": f"{needs.disk_gib} GiB"}],
    }


def _extra_spec(needs: dict[str, Any], name: str, value: Any) -> None:
    """Add an extra spec to the needs, where they have a key for it and the value is valid."""
    key, word = _EXTRA_SPECS.get(name, ""), str(value)
    if key == "numaNodes" and (whole_number(value) or 0) > 0:
        needs[key] = whole_number(value)
    elif (key == "cpuPolicy" and word in _PINNING.values()) or (
        key == "memPageSize" and (word in ("large", "any") or whole_number(value) is not None)
    ):
        needs[key] = word
