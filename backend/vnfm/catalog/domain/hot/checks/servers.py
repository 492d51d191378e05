"""Checks of what is valid HOT, but not what a network function needs: NICs and their order, SR-IOV, user data."""

from collections.abc import Iterator, Mapping
from typing import Any

from hot.language import is_call
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed
from vnfm.catalog.domain.hot.servers import PORT, SRIOV, nics_of, reference_text, servers_of, vnic_type
from vnfm.catalog.domain.hot.template import ResourceDefinition, Template
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.kit.patterns import Pattern, pattern

_LIBERTY_SPECS = pattern(
    r"hw:(cpu_policy|numa_nodes|numa_cpus\.\d+|numa_mem\.\d+|mem_page_size|watchdog_action|serial_port_count"
    r"|(max_)?cpu_(sockets|cores|threads)|boot_menu|auto_disk_config)|hw_(rng|video):\w+|quota:\w+|os:secure_boot"
    r"|pci_passthrough:alias|aggregate_instance_extra_specs:.+|capabilities:.+|trust:trusted_host|[^:]+"
)
"""Extra specs that Liberty's Nova (12) reads, and those without a scope, which are the operator's own."""
_SPEC_VALUES: Mapping[str, Pattern] = {
    "hw:cpu_policy": pattern("dedicated|shared"),
    "hw:numa_nodes": pattern("[1-9][0-9]*"),
    "hw:mem_page_size": pattern(r"small|large|any|[0-9]+ ?([kmgKMG]i?[bB]?)?"),
    "pci_passthrough:alias": pattern(r"[^:,]+:\d+(,[^:,]+:\d+)*"),
}
_FILTER_OF: Mapping[str, str] = {
    "hw:cpu_policy": "NUMATopologyFilter",
    "hw:numa_nodes": "NUMATopologyFilter",
    "hw:mem_page_size": "NUMATopologyFilter",
    "pci_passthrough:alias": "PciPassthroughFilter",
    "aggregate_instance_extra_specs": "AggregateInstanceExtraSpecsFilter",
}
_HINT_FILTERS: Mapping[str, str] = {
    "different_host": "DifferentHostFilter",
    "same_host": "SameHostFilter",
    "query": "JsonFilter",
    "build_near_host_ip": "SimpleCIDRAffinityFilter",
}
"""Scheduler hints that Nova evaluates in filters that are not among its default filters."""


def nic_order(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, server in _servers(templates):
        nics = nics_of(template, server) or []
        names = [f"{n} {nic.port or reference_text(nic.attachment)}" for n, nic in enumerate(nics)]
        if len(names) > 1:
            message = f"The guest of {server.name} finds its NICs in this order: {', '.join(names)}."
            yield template.document.fault((*server.where, "properties", "networks"), message)


def nic_without_port(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, server in _servers(templates):
        for number, nic in enumerate(nics_of(template, server) or []):
            if not nic.port and not _is_passed_port(nic.attachment):
                message = (
                    f"NIC {number} of {server.name} is on {reference_text(nic.attachment)} without a port of its own: "
                    "its address is lost when the server is recreated, and it cannot be shown or moved. Add an "
                    "OS::Neutron::Port and name it here."
                )
                yield template.document.fault(nic.where, message)


def _is_passed_port(given: Any) -> bool:
    """A port that is passed to the template as a parameter."""
    return is_call(given) and "port" in str(given).lower()


def no_nics(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, server in _servers(templates):
        if server.properties.get("networks") is None:
            message = (
                f"{server.name} names no networks: Nova puts it on the project's only one, and refuses it where "
                "there are several. List its NICs under networks, in the order that the guest expects."
            )
            yield template.document.fault(server.where, message)


def network_ambiguous(templates: TemplateSet) -> Iterator[PackageFault]:
    """Nova answers 409, Multiple possible networks found, once Heat has begun to create the stack."""
    networks = templates.target.networks
    for template, server in _servers(templates) if len(networks) > 1 else ():
        if server.properties.get("networks") is None:
            message = (
                f"{server.name} names no networks, and Nova of {templates.target.name} does not choose among several: "
                f"{listed(networks)}. Name one under networks."
            )
            yield template.document.fault(server.where, message)


def port_twice(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        owners: dict[str, str] = {}
        for server in servers_of(template):
            for nic in nics_of(template, server) or []:
                if nic.port and nic.port in owners:
                    message = f"Port {nic.port} is plugged into {owners[nic.port]} already; a port has one NIC."
                    yield template.document.fault(nic.where, message)
                owners.setdefault(nic.port, server.name)


def port_unplugged(templates: TemplateSet) -> Iterator[PackageFault]:
    """Ports whose name no reference of a template with servers mentions."""
    for template in templates.templates.values():
        named = {call.names for call in template.called("get_resource", "get_attr")}
        if not any(servers_of(template)):
            continue
        for use in template.resources_defined:
            if use.type == PORT and not use.member and use.name not in named:
                message = f"Nothing uses port {use.name}. Name it under the networks of a server, or leave it out."
                yield template.document.fault(use.where, message)


def sriov_ports(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _ports(templates):
        if kind in SRIOV:
            message = (
                f"Port {use.name} is an SR-IOV function ({kind}): its server needs a host with one free on that "
                "network, and Nova's PciPassthroughFilter, which Liberty does not enable by default."
            )
            yield template.document.fault((*use.where, "properties", "binding:vnic_type"), message)


def sriov_security(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _ports(templates):
        if kind in SRIOV and use.properties.get("security_groups"):
            message = (
                f"Neutron cannot filter what goes through the SR-IOV port {use.name}: its security_groups have no "
                "effect. Leave them out, and filter in the network function."
            )
            yield template.document.fault((*use.where, "properties", "security_groups"), message)


def sriov_first(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, server in _servers(templates):
        nics = nics_of(template, server) or []
        port = template.by_name.get(nics[0].port) if len(nics) > 1 else None
        if port is not None and _default(template, vnic_type(port.properties)) in SRIOV:
            message = (
                f"The first NIC of {server.name} is an SR-IOV port; routers such as VSR take the first NIC for "
                "management and need it virtual. Put a normal port first."
            )
            yield template.document.fault(nics[0].where, message)


def user_data_wrapped(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, server in _servers(templates):
        if server.properties.get("user_data") and "user_data_format" not in server.properties:
            message = (
                f"Without user_data_format Heat wraps the user_data of {server.name} into scripts for heat-cfntools, "
                "which no router reads. Write user_data_format: RAW."
            )
            yield template.document.fault((*server.where, "properties", "user_data"), message)


def members_alike(templates: TemplateSet) -> Iterator[PackageFault]:
    """Values that all members of a group would have, though only one can."""
    for template in templates.templates.values():
        for use in template.resources_defined:
            if use.member:
                for name in ("fixed_ips", "mac_address", "fixed_ip", "name"):
                    value = use.properties.get(name)
                    if _literal(value) and "%" not in str(value):
                        message = (
                            f"All members of {use.name} get the same {name}. Put %index% into it, or leave it to "
                            "OpenStack."
                        )
                        yield template.document.fault((*use.where, "properties", name), message)


def _literal(value: Any) -> bool:
    """Whether a value is written out; [] and {} are not."""
    if isinstance(value, Mapping):
        return not is_call(value) and bool(value) and all(_literal(child) for child in value.values())
    if isinstance(value, list):
        return bool(value) and all(_literal(child) for child in value)
    return value not in (None, "")


def extra_specs_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, specs in _specs(templates):
        for key, value in specs.items():
            where = (*use.where, "properties", "extra_specs", key)
            pattern = _SPEC_VALUES.get(str(key))
            if not _LIBERTY_SPECS.fullmatch(str(key)):
                yield template.document.fault(
                    where, f"Nova of OpenStack Liberty does not know the extra spec {key}: it has no effect there."
                )
            elif pattern and isinstance(value, str | int) and not pattern.fullmatch(str(value)):
                yield template.document.fault(where, f"Nova does not understand {key}={value}.")


def extra_specs_filters(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, specs in _specs(templates):
        keys = [str(key) if str(key) in _FILTER_OF else str(key).split(":")[0] for key in specs]
        needed = sorted({_FILTER_OF[key] for key in keys if key in _FILTER_OF})
        if needed:
            message = (
                f"Flavor {use.name} decides on hosts only where Nova's scheduler has {' and '.join(needed)}, which "
                "Liberty does not enable by default."
            )
            yield template.document.fault((*use.where, "properties", "extra_specs"), message)


def scheduler_hints(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, server in _servers(templates):
        hints = server.properties.get("scheduler_hints")
        for hint in hints if isinstance(hints, Mapping) and not is_call(hints) else ():
            if hint in _HINT_FILTERS:
                message = (
                    f"Nova evaluates {hint} only with {_HINT_FILTERS[hint]}, which is not among its default filters. "
                    "An OS::Nova::ServerGroup needs none."
                )
                yield template.document.fault((*server.where, "properties", "scheduler_hints", hint), message)


def _servers(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition]]:
    return ((template, use) for template in templates.templates.values() for use in servers_of(template))


def _ports(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, Any]]:
    """Ports with their vnic type; of a parameter, its default."""
    for template in templates.templates.values():
        for use in template.resources_defined:
            if use.type == PORT:
                yield template, use, _default(template, vnic_type(use.properties))


def _default(template: Template, value: Any) -> Any:
    name = value.get("get_param") if is_call(value) else None
    parameter = template.parameters.get(name) if isinstance(name, str) else None
    return parameter.default if parameter else value


def _specs(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, Mapping[str, Any]]]:
    for template in templates.templates.values():
        for use in template.resources_defined:
            specs = use.properties.get("extra_specs") if use.type == "OS::Nova::Flavor" else None
            if isinstance(specs, Mapping) and not is_call(specs):
                yield template, use, specs


CHECKS = (
    Check("NIC_ORDER", "note", "the order of each server's NICs", nic_order),
    Check("NIC_WITHOUT_PORT", "warning", "NICs without a port of their own", nic_without_port),
    Check("NIC_MISSING", "warning", "servers that name no networks", no_nics),
    Check(
        "NETWORK_AMBIGUOUS",
        "warning",
        "servers that name no networks where the cloud has several",
        network_ambiguous,
        chosen_severity="error",
    ),
    Check("PORT_TWICE", "warning", "ports that two NICs use", port_twice),
    Check("PORT_UNUSED", "warning", "ports that nothing uses", port_unplugged),
    Check("SRIOV_PORT", "note", "SR-IOV ports and what they need", sriov_ports),
    Check("SRIOV_SECURITY", "warning", "security groups without effect", sriov_security),
    Check("SRIOV_FIRST", "warning", "SR-IOV ports as the first NIC, which is for management", sriov_first),
    Check("USER_DATA_WRAPPED", "warning", "user_data that Heat wraps", user_data_wrapped),
    Check("MEMBERS_ALIKE", "warning", "values that all members of a group would have and only one can", members_alike),
    Check("EXTRA_SPEC_UNKNOWN", "warning", "extra specs that Liberty's Nova does not read", extra_specs_unknown),
    Check("EXTRA_SPEC_FILTER", "note", "scheduler filters that extra specs need", extra_specs_filters),
    Check("SCHEDULER_HINT", "note", "scheduler filters that hints need", scheduler_hints),
)
