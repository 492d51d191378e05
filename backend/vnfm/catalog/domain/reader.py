"""Reads a `Vnfd` from vnfd.yaml and its HOT."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from vnfm.catalog.domain.element import read_element
from vnfm.catalog.domain.hot.template import Parameter
from vnfm.catalog.domain.indicators import read_indicators
from vnfm.catalog.domain.vnfd import (
    DEFAULT_HEALING,
    AddressPlan,
    AspectDelta,
    Chain,
    ConnectionPoint,
    CountLimit,
    Flavour,
    InstantiationLevel,
    ResourceNeeds,
    ScalingAspect,
    Setting,
    SoftwareImage,
    Variant,
    Vdu,
    VirtualLink,
    Vnfd,
)

Json = Mapping[str, Any]
_CHOSEN_BY_MANAGER = ("flavor", "image", "network")
"""Formats of settings that may stay empty: the manager then proposes a flavor, uploads an image, creates a network."""


def read_vnfd(
    data: Json,
    parameters: Mapping[str, Parameter],
    images: Mapping[str, tuple[str, int, str]],
    hot_files: Mapping[str, str],
) -> Vnfd:
    """Build the VNFD from valid `data`.

    `images`: software image to path, size and SHA-256; `hot_files`: files that Heat gets besides the root template and
    the environment, name as written to path.
    """
    links = tuple(_virtual_link(link) for link in data["virtualLinks"])
    vnic_types = {link.id: link.vnic_type for link in links}
    instance = data.get("instanceParameters", {})
    return Vnfd(
        **_identity(data),
        notes=tuple(data.get("notes", ())),
        hot_template=data["hot"]["template"],
        hot_environment=data["hot"]["environment"],
        hot_files=dict(hot_files),
        vdus=tuple(_vdu(vdu, vnic_types) for vdu in data["vdus"]),
        virtual_links=links,
        software_images=tuple(
            _software_image(image, data["vdus"], *images[image["id"]]) for image in data["softwareImages"]
        ),
        flavours=tuple(_flavour(flavour) for flavour in data["flavours"]),
        settings=tuple(read_settings(data, parameters)),
        variants=tuple(_variant(variant) for variant in data.get("variants", ())),
        address_plans=tuple(_address_plan(plan) for plan in data.get("addressPlans", ())),
        fixed_parameters=dict(data.get("fixedParameters", {})),
        limits=tuple(CountLimit(dict(x["vdus"]), x["maximum"], x["message"]) for x in data.get("limits", ())),
        chains=tuple(_chain(chain) for chain in data.get("chains", ())),
        upgrade_order=tuple(data.get("upgradeOrder", ())),
        recreate_on_rollback=data.get("rollback", {}).get("scaleIn") == "recreate",
        instance_id_parameter=instance.get("id", ""),
        instance_name_parameter=instance.get("name", ""),
        element=read_element(data["element"]) if "element" in data else None,
        indicators=read_indicators(data),
    )


def _identity(data: Json) -> dict[str, Any]:
    """Provider, product and versions."""
    return {
        "vnfd_id": UUID(data["vnfdId"]),
        "provider": data["provider"],
        "product_name": data["productName"],
        "software_version": data["softwareVersion"],
        "vnfd_version": data["vnfdVersion"],
        "description": data["description"],
    }


def read_settings(data: Json, parameters: Mapping[str, Parameter]) -> Iterator[Setting]:
    """The settings whose HOT parameter exists; vnfd.yaml adds label, group and format to what the HOT says."""
    for group in data["settings"]:
        for raw in group["settings"]:
            parameter = parameters.get(raw["name"])
            if parameter is None:
                continue
            kind = raw.get("format", "")
            optional = kind in _CHOSEN_BY_MANAGER and parameter.type == "string" and not raw.get("required")
            default = "" if parameter.default is None and optional else parameter.default
            yield Setting(
                name=parameter.name,
                label=raw["label"],
                description=parameter.description,
                group=group["group"],
                type=parameter.type,
                default=default,
                required=default is None,
                hidden=parameter.hidden,
                format=kind,
                # The API has no modulo; Heat checks this rare one.
                constraints=tuple(rule for rule in parameter.constraints if rule.kind != "modulo"),
                follows=raw.get("follows", ""),
            )


def _variant(data: Json) -> Variant:
    pair = data.get("pair", {})
    return Variant(
        data["setting"],
        data["registryType"],
        dict(data["templates"]),
        pair_vdu=pair.get("vdu", ""),
        pair=str(pair.get("number", "")),
        unused_template=pair.get("unused", ""),
    )


def _address_plan(data: Json) -> AddressPlan:
    return AddressPlan(data["cidr"], tuple(data["addresses"]), data.get("gateway", ""), data.get("virtualLink", ""))


def _chain(data: Json) -> Chain:
    return Chain(
        head=data["head"],
        vdu_id=data["vdu"],
        inward=data["inward"],
        outward=data["outward"],
        links=tuple(data["links"]),
        links_parameter=data["linksParameter"],
    )


def _vdu(data: Json, vnic_types: Mapping[str, str]) -> Vdu:
    members = tuple(data.get("members", ()))
    return Vdu(
        id=data["id"],
        name=data["name"],
        description=data["description"],
        needs=_needs(data["needs"]),
        software_image=data.get("softwareImage", ""),
        flavor_parameter=data.get("flavorParameter", ""),
        image_parameter=data.get("imageParameter", ""),
        fixed_flavor=data.get("fixedFlavor", ""),
        flavor_resource=data.get("flavorResource", ""),
        fixed_image=data.get("fixedImage", ""),
        volumes=data.get("volumes", {}).get("count", 0),
        volumes_gib=data.get("volumes", {}).get("gib", 0),
        minimum=data["minimum"],
        maximum=data["maximum"],
        slots=tuple(data.get("slots") or (str(number) for number, _ in enumerate(members, start=1))),
        connection_points=tuple(_connection_point(cp, vnic_types) for cp in data["connectionPoints"]),
        hot_members=members,
        condition=data.get("condition"),
        hot_group=data.get("group", ""),
        hot_server=data.get("server", ""),
        anti_affinity=data.get("antiAffinity", ""),
        images_parameter=data.get("imagesParameter", ""),
        flavors_parameter=data.get("flavorsParameter", ""),
        pairs_parameter=data.get("pairsParameter", ""),
        healing=tuple(data.get("healing", DEFAULT_HEALING)),
    )


def _needs(data: Json) -> ResourceNeeds:
    return ResourceNeeds(
        vcpus=data["vcpus"],
        memory_mib=data["memoryMib"],
        disk_gib=data["diskGib"],
        cpu_policy=data.get("cpuPolicy", ""),
        mem_page_size=data.get("memPageSize", ""),
        numa_nodes=data.get("numaNodes", 0),
        sriov_ports=data.get("sriovPorts", 0),
    )


def _connection_point(data: Json, vnic_types: Mapping[str, Any]) -> ConnectionPoint:
    link = data["virtualLink"]
    return ConnectionPoint(data["id"], data["name"], link, data.get("vnicType", vnic_types[link]), data["port"])


def _virtual_link(data: Json) -> VirtualLink:
    used = data.get("used", {})
    return VirtualLink(
        id=data["id"],
        name=data["name"],
        description=data["description"],
        internal=data.get("internal", False),
        vnic_type=data.get("vnicType", "normal"),
        network_parameter=data.get("networkParameter", ""),
        fixed_network=data.get("fixedNetwork", ""),
        registry_type=data.get("registryType", ""),
        created_template=data.get("createdTemplate", ""),
        existing_template=data.get("existingTemplate", ""),
        moving_template=data.get("movingTemplate", ""),
        number_setting=used.get("setting", ""),
        from_number=used.get("from", 0),
        unused_template=used.get("otherwise", ""),
    )


def _software_image(data: Json, vdus: Sequence[Json], path: str, size: int, sha256: str) -> SoftwareImage:
    return SoftwareImage(
        id=data["id"],
        name=data["name"],
        path=path,
        placeholder=data.get("placeholder", False),
        disk_format=data["diskFormat"],
        container_format=data["containerFormat"],
        size=size,
        sha256=sha256,
        min_disk_gib=data.get("minDiskGib", 0),
        min_memory_mib=data.get("minMemoryMib", 0),
        parameter=next((vdu["imageParameter"] for vdu in vdus if vdu.get("softwareImage") == data["id"]), ""),
    )


def _delta(data: Json) -> AspectDelta:
    return AspectDelta(
        vdu_id=data["vdu"],
        step=data["step"],
        count_parameter=data["countParameter"],
        slots_parameter=data.get("slotsParameter", ""),
        removals_parameter=data.get("removalsParameter", ""),
    )


def _flavour(data: Json) -> Flavour:
    return Flavour(
        id=data["id"],
        description=data["description"],
        default_level=data["defaultLevel"],
        levels=tuple(InstantiationLevel(lv["id"], lv["description"], dict(lv["scale"])) for lv in data["levels"]),
        aspects=tuple(
            ScalingAspect(
                id=aspect["id"],
                name=aspect["name"],
                description=aspect["description"],
                max_scale_level=aspect["maxScaleLevel"],
                deltas=tuple(map(_delta, (aspect, *aspect.get("also", ())))),
            )
            for aspect in data.get("aspects", ())
        ),
        needs={vdu_id: _needs(needs) for vdu_id, needs in data.get("needs", {}).items()},
        parameters=dict(data.get("parameters", {})),
        warnings=tuple(data.get("warnings", ())),
    )
