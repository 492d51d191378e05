"""Refines a VNFD that was derived from the HOT by SOL001: names, identifiers, needs, limits and sizes come from SOL001,
the mapping to parameters and resources of the HOT was derived.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any
from uuid import UUID, uuid5

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.connections import Connections
from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.manifest import ALGORITHMS
from vnfm.catalog.domain.csar.matching import match_vdus
from vnfm.catalog.domain.csar.meta import package_path
from vnfm.catalog.domain.csar.model import Compute, DeploymentFlavour, Descriptor
from vnfm.catalog.domain.csar.sizes import Sizes
from vnfm.catalog.domain.csar.tosca import size_in
from vnfm.catalog.domain.derive.descriptor import NAMESPACE
from vnfm.catalog.domain.derive.naming import identifier
from vnfm.catalog.domain.derive.placements import Placement, placements
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.indicators import foreign_indicators

Json = dict[str, Any]
_IDENTITY: Mapping[str, str] = {
    "provider": "provider",
    "product_name": "productName",
    "software_version": "softwareVersion",
    "descriptor_version": "vnfdVersion",
}
_DISK_FORMATS = ("qcow2", "raw", "vmdk", "vdi", "iso")
_CONTAINER_FORMATS = ("bare", "ovf", "ova")


class Refinement:
    """Single use: `refine` a derived VNFD by a descriptor. `served` are the flavours that the HOT is for."""

    def __init__(self, content: Content, descriptor: Descriptor, served: set[str], entry: str) -> None:
        self.content, self.descriptor, self.entry = content, descriptor, entry
        self.flavours = [flavour for flavour in descriptor.flavours if flavour.id in served]
        self.digest = cache(content.digest)
        """Cached, since many VDUs may share an image of gigabytes."""
        self.left = [flavour for flavour in descriptor.flavours if flavour.id not in served]

    def refine(self, data: Json, templates: TemplateSet, findings: list[Finding]) -> None:
        self.data, self.findings = data, findings
        self._identity()
        if self.descriptor.indicators:
            data["indicators"] = foreign_indicators(self.descriptor.indicators)
        if not self.flavours:
            self._report("warning", "SOL001_EMPTY", "The VNFD has no VDUs: all is derived from the HOT.")
            return
        first = self.flavours[0]
        places = _places(templates, data["vdus"])
        pairs = match_vdus(first, data["vdus"], places)
        self._unmatched(first, pairs, places)
        for index, vdu in enumerate(data["vdus"]):
            name = next((n for n, each in pairs.items() if each is vdu), "")
            if name:
                self._vdu(first.vdus[name], vdu, places.get(index))
        self._rename(pairs)
        Connections(first, data, pairs, findings).map()
        Sizes(self.flavours, data, pairs, findings).map()
        for flavour in self.left:
            message = (
                f"Flavour {flavour.id} has a template of its own, but our packages have one root for all flavours: "
                "make a package of it."
            )
            fault = flavour.topology.document.fault(("topology_template",), message)
            findings.append(Finding.of("warning", "SOL001_FLAVOUR", fault))

    def _identity(self) -> None:
        properties = self.descriptor.identity
        for key, ours in _IDENTITY.items():
            if properties.get(key):
                self.data[ours] = properties[key][:100]
        if properties.get("provider") and properties.get("product_name"):
            self._drop_findings("DERIVE_IDENTITY")
        written = properties.get("descriptor_id", "")
        if written:
            self.data["vnfdId"] = self._uuid(written)
        self.data["notes"][0] = f"The VNFD was derived from {self.entry} and {self.data['hot']['template']}."

    def _uuid(self, written: str) -> str:
        try:
            return str(UUID(written))
        except ValueError:
            made = str(uuid5(NAMESPACE, written))
            self._report("note", "SOL001_IDENTITY", f"descriptor_id {written[:100]} is no UUID: {made} is used for it.")
            return made

    def _vdu(self, compute: Compute, vdu: Json, place: Placement | None) -> None:
        vdu["name"] = compute.name[:100]
        vdu["description"] = (compute.description or vdu["description"])[:2000]
        if compute.needs:
            vdu["needs"] = dict(compute.needs)
            if place is not None:
                fault = place.scope.template.document.fault(place.server.where, "")
                self._drop_findings("DERIVE_NEEDS", fault.file, fault.pointer)
        if compute.image and "softwareImage" in vdu:
            image = next(each for each in self.data["softwareImages"] if each["id"] == vdu["softwareImage"])
            self._image(compute, image)

    def _image(self, compute: Compute, image: Json) -> None:
        properties = {key: compute.part.topology.resolved(value) for key, value in compute.image.items()}
        name = " ".join(str(properties[key]) for key in ("name", "version") if properties.get(key))[:80]
        path = package_path(compute.part.topology.document.path, compute.image_file) if compute.image_file else ""
        there = path in self.content.files
        disk, container = (
            str(properties.get("disk_format", "")).lower(),
            str(properties.get("container_format", "")).lower(),
        )
        if "path" in image:
            return
        if there and disk in _DISK_FORMATS:
            del image["placeholder"]
            container = container if container in _CONTAINER_FORMATS else "bare"
            image |= {"name": name or image["name"], "path": path, "diskFormat": disk, "containerFormat": container}
            self._checksum(compute, path, mapping(properties.get("checksum")))
        else:
            image["name"] = f"{name} (placeholder)" if name else image["name"]
            message = (
                f"The image {name} is no file of the CSAR with a known disk_format: it is replaced by a placeholder."
            )
            self.findings.append(
                compute.part.finding("warning", "SOL001_IMAGE", message, "properties", "sw_image_data")
            )
        least = {
            "minDiskGib": size_in("GIB", properties.get("min_disk")),
            "minMemoryMib": size_in("MIB", properties.get("min_ram")),
        }
        image |= {key: number for key, number in least.items() if number}

    def _checksum(self, compute: Compute, path: str, properties: Mapping[str, Any]) -> None:
        """The manifest has verified the file already; a warning if the VNFD has another digest."""
        algorithm = ALGORITHMS.get(str(properties.get("algorithm", "")).upper())
        digest_in_vnfd = str(properties.get("hash", "")).lower()
        if algorithm and self.digest(path, algorithm) != digest_in_vnfd:
            message = f"{path} is not the image of the VNFD: its {properties['algorithm']} differs."
            where = ("properties", "sw_image_data", "checksum")
            self.findings.append(compute.part.finding("warning", "SOL001_IMAGE", message, *where))

    def _rename(self, pairs: Mapping[str, Json]) -> None:
        """Replace derived identifiers by those of SOL001."""
        taken = [vdu["id"] for vdu in self.data["vdus"] if not any(vdu is each for each in pairs.values())]
        renamed = {}
        for name, vdu in pairs.items():
            old, vdu["id"] = vdu["id"], identifier(name, taken)
            renamed[old] = vdu["id"]
            taken.append(vdu["id"])
        for flavour in self.data["flavours"]:
            for aspect in flavour.get("aspects", ()):
                aspect["vdu"] = renamed.get(aspect["vdu"], aspect["vdu"])

    def _unmatched(
        self, flavour: DeploymentFlavour, pairs: Mapping[str, Json], places: Mapping[int, Placement]
    ) -> None:
        for name, compute in flavour.vdus.items():
            if name not in pairs:
                message = f"The HOT has no server for {name}, or several kinds of them: the VDU is left out."
                self.findings.append(compute.part.finding("warning", "SOL001_VDU", message))
        for index, vdu in enumerate(self.data["vdus"]):
            if index in places and not any(vdu is each for each in pairs.values()):
                message = f"SOL001 has no VDU for {vdu['name']} of the HOT: its entry in the VNFD is derived."
                server = places[index].server
                fault = places[index].scope.template.document.fault(server.where, message)
                self.findings.append(Finding.of("warning", "SOL001_VDU", fault))

    def _drop_findings(self, code: str, *place: str) -> None:
        """Remove findings about gaps that SOL001 fills."""
        self.findings[:] = [
            f for f in self.findings if f.code != code or (place and (f.file, f.pointer) != (place[0], place[1]))
        ]

    def _report(self, severity: Severity, code: str, message: str) -> None:
        self.findings.append(Finding(severity, code, message, self.entry))


def _places(templates: TemplateSet, vdus: list[Json]) -> dict[int, Placement]:
    """The first server of each VDU."""
    found = placements(templates).found
    places = {}
    for index, vdu in enumerate(vdus):
        members = vdu.get("members", ())
        mine = (p for p in found if (p.group and p.group == vdu.get("group")) or (not p.group and p.member in members))
        place = next(mine, None)
        if place is not None:
            places[index] = place
    return places
