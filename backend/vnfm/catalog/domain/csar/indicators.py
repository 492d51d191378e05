"""VNF indicators of a SOL001 VNFD: outputs of notifications in interfaces of the VNF's type (SOL001 6.7.2, 6.8.1)."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from vnfm.catalog.domain.csar.definitions import Definitions, mapping
from vnfm.catalog.domain.csar.limits import MAX_EACH
from vnfm.catalog.domain.csar.tosca import TopologyTemplate
from vnfm.catalog.domain.indicators import valid_id

VNF, INTERFACE = "tosca.nodes.nfv.VNF", "tosca.interfaces.nfv.VnfIndicator"


def declared_indicators(definitions: Definitions) -> tuple[str, ...]:
    """The names under which they are declared, each once; at most MAX_EACH."""
    found = (name for kind in _vnfs(definitions) for name in _of_type(definitions, kind) if valid_id(name))
    return tuple(islice(dict.fromkeys(found), MAX_EACH))


def _vnfs(definitions: Definitions) -> Iterator[Mapping[str, Any]]:
    """The VNF's types, and its nodes: either may have the interface."""
    for name, kind in definitions.node_types.items():
        if VNF in definitions.ancestry(name):
            yield kind
    for document in definitions.documents:
        for node in TopologyTemplate(document).nodes(definitions, {VNF: None}):
            if node.type == VNF:
                yield node.data


def _of_type(definitions: Definitions, kind: Mapping[str, Any]) -> Iterator[str]:
    for raw in mapping(kind, "interfaces").values():
        written = str(mapping(raw).get("type", ""))
        types = list(definitions.interface_ancestry(written))
        if INTERFACE not in types:
            continue
        yield from _notified(mapping(raw, "notifications"))
        for each in types:
            yield from _notified(mapping(definitions.interface_types, each, "notifications"))


def _notified(notifications: Mapping[str, Any]) -> Iterator[str]:
    """Names of the outputs, which are those of the indicators; of a notification without outputs its own name."""
    for name, raw in notifications.items():
        yield from map(str, mapping(raw, "outputs") or [name])
