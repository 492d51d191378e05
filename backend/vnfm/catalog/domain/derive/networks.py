"""Virtual links: the networks that the servers' ports are on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.derive.naming import humanize, identifier
from vnfm.catalog.domain.derive.placements import Placement, Scope, Value
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.servers import nics_of, port_network, reference_text, vnic_type

_VNIC_TYPES = ("normal", "direct", "macvtap")
_KEYS = {"parameter": "networkParameter", "literal": "fixedNetwork"}
_DESCRIPTIONS = {
    "parameter": "Network of the parameter {}, chosen when the VNF is instantiated.",
    "literal": "The network {}, which the template names itself.",
}
"""The keys are kinds of a value's origin."""


@dataclass(slots=True)
class LinkCollector:
    """Collects the links while connection points are read."""

    findings: list[Finding]
    links: dict[Value, dict[str, Any]] = field(default_factory=dict)
    used_ids: set[str] = field(default_factory=set)
    """Ids of connection points."""

    def connection_points(self, vdu_id: str, placement: Placement) -> list[dict[str, Any]]:
        """Those of one server, in the order of its NICs."""
        return list(self._connection_points(vdu_id, placement))

    def _connection_points(self, vdu_id: str, placement: Placement) -> Iterator[dict[str, Any]]:
        scope, server = placement.scope, placement.server
        template = scope.template
        nics = nics_of(template, server)
        if nics is None:
            where = (*server.where, "properties", "networks")
            message = (
                f"The NICs of {server.name} are known only at deployment, so it has no connection points in the VNFD. "
                "List them one by one."
            )
            self._report("warning", "DERIVE_NICS", scope, where, message)
            return
        for nic in nics:
            port = template.by_name.get(nic.port)
            if port is None:
                self._loose(scope, nic.where, nic.attachment)
                continue
            kind = _literal(scope, vnic_type(port.properties))
            link = self._link(scope, (*port.where, "properties"), port_network(port.properties), port.name, kind)
            name = identifier(f"{vdu_id}-{port.name}" if vdu_id not in port.name else port.name, self.used_ids)
            self.used_ids.add(name)
            own = {"vnicType": kind} if kind != link["vnicType"] else {}
            yield {
                "id": name,
                "name": humanize(port.name),
                "virtualLink": link["id"],
                "port": port.name,
                **own,
            }

    def _loose(self, scope: Scope, where: Path, given: Any) -> None:
        """A NIC without a port in the server's template: its network is still a link."""
        value = scope.value(given)
        if value.kind in ("parameter", "literal"):
            self._link(scope, where, given, value.text, "normal")
        message = (
            f"The NIC on {reference_text(given)} is no connection point of the VNFD: its port is not in the template "
            "of the server. Add an OS::Neutron::Port to this template to have it shown and attached by name."
        )
        self._report("note", "DERIVE_NIC_LOOSE", scope, where, message)

    def _link(self, scope: Scope, where: Path, written: Any, port: str, kind: str) -> dict[str, Any]:
        value = scope.value(written)
        if value.kind == "literal":
            message = (
                f"{port} is on the network {value.text}, which the template names itself: no other can be chosen. "
                "Make it a parameter of type string to choose one at each instantiation."
            )
            self._report("note", "DERIVE_NETWORK_FIXED", scope, where, message)
        elif value.kind == "unknown":
            message = (
                f"The network of {port} cannot be derived from {reference_text(written)}: the VNFD shows a network of "
                "its own for it."
            )
            self._report("warning", "DERIVE_NETWORK_UNKNOWN", scope, where, message)
            value = Value("unknown", port, scope.path)
        if value not in self.links:
            self.links[value] = self._new(value, kind)
        return self.links[value]

    def _new(self, value: Value, kind: str) -> dict[str, Any]:
        name = "-".join((*value.path[:1], value.text)) if value.path else value.text
        link: dict[str, Any] = {
            "id": identifier(name, [link["id"] for link in self.links.values()]),
            "name": humanize(name),
            "description": _DESCRIPTIONS.get(value.kind, "Network of the stack's own: {}.").format(value.text),
            "vnicType": kind,
        }
        return link | ({_KEYS[value.kind]: value.text} if value.kind in _KEYS else {"internal": True})

    def _report(self, severity: Severity, code: str, scope: Scope, where: Path, message: str) -> None:
        self.findings.append(Finding.of(severity, code, scope.template.document.fault(where, message)))


def _literal(scope: Scope, written: Any) -> str:
    """A port's vnic type; of a parameter, its default."""
    value = scope.value(written)
    if value.kind == "parameter":
        parameter = scope.template.parameters.get(value.text)
        value = Value("literal", str(parameter.default) if parameter else "")
    return value.text if value.text in _VNIC_TYPES else "normal"
