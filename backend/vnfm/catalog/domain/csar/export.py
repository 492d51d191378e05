"""Exports one of our packages as a CSAR: TOSCA.meta, manifest and a SOL001 VNFD generated from our own descriptor. The
CSAR contains our descriptor as well, so that importing it gives the same package.

What SOL001 cannot express (slots, pairs, chains, limits, settings) is in our descriptor only.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import yaml

from vnfm.catalog.domain.conditional_vdus import least
from vnfm.catalog.domain.csar import manifest
from vnfm.catalog.domain.csar.meta import META
from vnfm.catalog.domain.csar.needs import virtual_compute
from vnfm.catalog.domain.derive.naming import identifier
from vnfm.catalog.domain.vnfd import Flavour, SoftwareImage, Vdu, VirtualLink, Vnfd

Json = dict[str, Any]
DEFINITIONS = "Definitions"
_TYPES = "https://forge.etsi.org/rep/nfv/SOL001/raw/v3.3.1/etsi_nfv_sol001_vnfd_types.yaml"
"""ETSI's types are imported by URL, as ETSI does; the rest can be read without them."""
_VERSION = "tosca_simple_yaml_1_3"
_NODE_TYPE, _INDICATORS = "vnfm.VNF", "vnfm.VnfIndicator"
_CREATED_BY = "VNF lifecycle manager"


def csar_files(vnfd: Vnfd, digests: Mapping[str, str], released: datetime) -> dict[str, bytes]:
    """The files to add for a CSAR. `digests`: path to SHA-256 of each package file. Same package, same bytes."""
    stem = f"vnfd-{vnfd.vnfd_id}"
    entry, listing = f"{DEFINITIONS}/{stem}.yaml", f"{stem}.mf"
    meta = (
        "TOSCA-Meta-File-Version: 1.0\nCSAR-Version: 1.1\n"
        f"Created-By: {_CREATED_BY}\nEntry-Definitions: {entry}\nETSI-Entry-Manifest: {listing}\n"
    )
    made = {META: meta.encode(), **definitions(vnfd, entry)}
    metadata = {
        "vnf_product_name": vnfd.product_name,
        "vnf_provider_id": vnfd.provider,
        "vnf_package_version": vnfd.vnfd_version,
        "vnf_release_date_time": released.isoformat(timespec="seconds"),
        "vnfd_id": str(vnfd.vnfd_id),
        "vnf_software_version": vnfd.software_version,
    }
    hashes = {**digests, **{path: manifest.sha256_of(data) for path, data in made.items()}}
    return {**made, listing: manifest.manifest_text(metadata, hashes).encode()}


def definitions(vnfd: Vnfd, entry: str) -> dict[str, bytes]:
    """SOL001: the entry with the VNF's type, and a service template for each deployment flavour."""
    stem = entry.rpartition("/")[2].removesuffix(".yaml")
    flavours = {flavour.id: f"{stem}-{flavour.id}.yaml" for flavour in vnfd.flavours}
    types = f"{stem}-types.yaml"
    made = {types: _types(vnfd), entry.rpartition("/")[2]: _entry(vnfd, [types, *flavours.values()])}
    made |= {path: _flavour(vnfd, flavour, types) for flavour in vnfd.flavours for path in [flavours[flavour.id]]}
    return {f"{DEFINITIONS}/{path}": _yaml(data) for path, data in made.items()}


def _types(vnfd: Vnfd) -> Json:
    fixed: Json = {
        name: {"type": "string", "constraints": [{"valid_values": [value]}], "default": value}
        for name, value in _identity(vnfd).items()
    }
    flavours = [flavour.id for flavour in vnfd.flavours]
    chosen: Json = {"type": "string", "constraints": [{"valid_values": flavours}], "default": flavours[0]}
    properties = {**fixed, "flavour_id": chosen, "flavour_description": {"type": "string", "default": ""}}
    kind: Json = {"derived_from": "tosca.nodes.nfv.VNF", "properties": properties}
    if not vnfd.indicators:
        return _service(vnfd.description, [_TYPES], {"node_types": {_NODE_TYPE: kind}})
    outputs = {each.id: {"outputs": {each.id: ["SELF", each.id]}} for each in vnfd.indicators}
    kind["attributes"] = {each.id: {"type": "string", "description": each.name} for each in vnfd.indicators}
    kind["interfaces"] = {"VnfIndicator": {"type": _INDICATORS, "notifications": outputs}}
    named: Json = {each.id: {"description": each.name} for each in vnfd.indicators}
    interface = {"derived_from": "tosca.interfaces.nfv.VnfIndicator", "notifications": named}
    types = {"interface_types": {_INDICATORS: interface}, "node_types": {_NODE_TYPE: kind}}
    return _service(vnfd.description, [_TYPES], types)


def _entry(vnfd: Vnfd, imports: list[str]) -> Json:
    vnf = {"type": _NODE_TYPE, "properties": {**_identity(vnfd), "flavour_id": {"get_input": "selected_flavour"}}}
    topology = {"inputs": {"selected_flavour": {"type": "string"}}, "node_templates": {"VNF": vnf}}
    return _service(vnfd.description, imports, {"topology_template": topology})


def _flavour(vnfd: Vnfd, flavour: Flavour, types: str) -> Json:
    nodes: Json = {
        "VNF": {
            "type": _NODE_TYPE,
            "properties": {**_identity(vnfd), "flavour_id": flavour.id, "flavour_description": flavour.description},
        }
    }
    points, links = _names(vnfd)
    outer = []
    for vdu in vnfd.vdus:
        nodes[vdu.id] = _vdu(vnfd, vdu, flavour)
        for order, point in enumerate(vdu.connection_points):
            requirements: list[Json] = [{"virtual_binding": vdu.id}]
            link = links.get(point.virtual_link)
            if link:
                requirements.append({"virtual_link": link})
            else:
                outer.append({point.virtual_link: [points[point.id], "virtual_link"]})
            nodes[points[point.id]] = {
                "type": "tosca.nodes.nfv.VduCp",
                "properties": {"layer_protocols": ["ipv4"], "order": order, "vnic_type": point.vnic_type},
                "requirements": requirements,
            }
    nodes |= {links[link.id]: _link(link) for link in vnfd.virtual_links if link.internal}
    topology = {
        "substitution_mappings": {
            "node_type": _NODE_TYPE,
            "properties": {"flavour_id": flavour.id},
            **({"requirements": outer} if outer else {}),
        },
        "node_templates": nodes,
        "policies": list(_policies(vnfd, flavour)),
    }
    return _service(flavour.description, [types], {"topology_template": topology})


def _names(vnfd: Vnfd) -> tuple[dict[str, str], dict[str, str]]:
    """Connection points, and internal links, to the names of their nodes: in TOSCA all nodes share one namespace."""
    taken = ["VNF", *(vdu.id for vdu in vnfd.vdus)]
    points: dict[str, str] = {}
    links: dict[str, str] = {}
    for named, each in (
        *((points, point.id) for vdu in vnfd.vdus for point in vdu.connection_points),
        *((links, link.id) for link in vnfd.virtual_links if link.internal),
    ):
        named[each] = identifier(each, taken)
        taken.append(named[each])
    return points, links


def _link(link: VirtualLink) -> Json:
    properties = {
        "connectivity_type": {"layer_protocols": ["ipv4"]},
        "description": link.description,
        "vl_profile": {"max_bitrate_requirements": {"root": 0}, "min_bitrate_requirements": {"root": 0}},
    }
    return {"type": "tosca.nodes.nfv.VnfVirtualLink", "properties": properties}


def _vdu(vnfd: Vnfd, vdu: Vdu, flavour: Flavour) -> Json:
    node: Json = {
        "type": "tosca.nodes.nfv.Vdu.Compute",
        "properties": {
            "name": vdu.name,
            "description": vdu.description,
            "vdu_profile": {"min_number_of_instances": least(vdu), "max_number_of_instances": vdu.maximum},
        },
        "capabilities": {"virtual_compute": {"properties": virtual_compute(flavour.needs_of(vdu))}},
    }
    if vdu.software_image:
        image = vnfd.software_image(vdu.software_image)
        node["properties"]["sw_image_data"] = _image_data(vnfd, image)
        node["artifacts"] = {"sw_image": {"type": "tosca.artifacts.nfv.SwImage", "file": f"../{image.path}"}}
    return node


def _image_data(vnfd: Vnfd, image: SoftwareImage) -> Json:
    return {
        "name": image.name,
        "version": vnfd.software_version,
        "checksum": {"algorithm": "sha-256", "hash": image.sha256},
        "container_format": image.container_format,
        "disk_format": image.disk_format,
        "min_disk": f"{image.min_disk_gib} GiB",
        "min_ram": f"{image.min_memory_mib} MiB",
        "size": f"{image.size} B",
    }


def _policies(vnfd: Vnfd, flavour: Flavour) -> Any:
    """Scaling and sizes, with the numbers of every VDU, including those that do not scale."""
    aspects = {
        aspect.id: {
            "name": aspect.name,
            "description": aspect.description,
            "max_scale_level": aspect.max_scale_level,
            "step_deltas": ["delta_1"],
        }
        for aspect in flavour.aspects
    }
    if aspects:
        yield _policy("scaling_aspects", "ScalingAspects", {"aspects": aspects})
    levels = {
        level.id: {
            "description": level.description,
            "scale_info": {name: {"scale_level": number} for name, number in level.scale_levels.items()},
        }
        for level in flavour.levels
    }
    sizes = {"levels": levels, "default_level": flavour.default_level}
    yield _policy("instantiation_levels", "InstantiationLevels", sizes)
    for vdu in vnfd.vdus:
        initial = {"initial_delta": {"number_of_instances": vdu.minimum}}
        yield _policy(f"{vdu.id}_initial_delta", "VduInitialDelta", initial, [vdu.id])
        for aspect in (aspect for aspect in flavour.aspects if aspect.step_of(vdu.id)):
            deltas = {"delta_1": {"number_of_instances": aspect.step_of(vdu.id)}}
            properties = {"aspect": aspect.id, "deltas": deltas}
            yield _policy(f"{vdu.id}_{aspect.id}_deltas", "VduScalingAspectDeltas", properties, [vdu.id])
        numbers = {
            level.id: {"number_of_instances": vdu.minimum + flavour.steps(vdu.id, level.scale_levels)}
            for level in flavour.levels
        }
        yield _policy(f"{vdu.id}_levels", "VduInstantiationLevels", {"levels": numbers}, [vdu.id])


def _policy(name: str, kind: str, properties: Json, targets: list[str] | None = None) -> Json:
    body: Json = {"type": f"tosca.policies.nfv.{kind}", "properties": properties}
    return {name: {**body, **({"targets": targets} if targets else {})}}


def _identity(vnfd: Vnfd) -> Json:
    return {
        "descriptor_id": str(vnfd.vnfd_id),
        "descriptor_version": vnfd.vnfd_version,
        "provider": vnfd.provider,
        "product_name": vnfd.product_name,
        "software_version": vnfd.software_version,
    }


def _service(description: str, imports: list[str], rest: Json) -> Json:
    return {"tosca_definitions_version": _VERSION, "description": description, "imports": imports, **rest}


def _yaml(data: Json) -> bytes:
    text: str = yaml.dump(data, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)
    return text.encode()


class _Plain(yaml.CSafeDumper):
    """Writes neither anchors nor aliases: not all readers accept them."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
