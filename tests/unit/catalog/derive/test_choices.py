"""The operator may choose for a server: flavor, image, network; and what the template itself has decided."""

import pytest

from tests.factories.packages import schema
from tests.factories.templates import HOT, content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.package import VNFD, check_content
from vnfm.catalog.domain.quota_need import quota_needs

HEAD = HOT + "parameters: {image: {type: string}, flavor: {type: string, default: m1.medium}, size: {type: number}}\n"
PORT = "  port: {type: OS::Neutron::Port, properties: {network: %s}}\n"
VM = "  vm:\n    type: OS::Nova::Server\n    properties:\n      networks: [{port: {get_resource: port}}]\n"


def server(properties, more="", network="lan"):
    lines = "".join(f"      {line}\n" for line in properties)
    return {"base.yaml": f"{HEAD}resources:\n{PORT % network}{VM}{lines}{more}"}


def package(files):
    found = derive(content(files))
    assert [f for f in found.findings if f.severity == "error"] == []
    return check_content(content({**files, VNFD: found.vnfd, **found.files}), schema("vnfd")).vnfd


def test_a_name_in_the_template_is_fixed():
    vnfd = package(server(["flavor: m1.large", "image: router-7"]))
    (vdu,) = vnfd.vdus
    assert (vdu.flavor_parameter, vdu.fixed_flavor) == ("", "m1.large")
    assert (vdu.image_parameter, vdu.fixed_image, vdu.software_image) == ("", "router-7", "")
    assert (vdu.needs.vcpus, vdu.needs.memory_mib) == (4, 8192), "m1.large's"
    assert vnfd.software_images == ()
    (link,) = vnfd.virtual_links
    assert (link.id, link.fixed_network, link.network_parameter, link.internal) == ("lan", "lan", "", False)
    assert {need.networks for need in quota_needs(vnfd)} == {0}


def test_a_flavor_of_the_stack_gives_the_needs():
    flavor = "  big:\n    type: OS::Nova::Flavor\n    properties: {vcpus: 6, ram: {get_param: size}, disk: 40}\n"
    files = server(["flavor: {get_resource: big}", "image: {get_param: image}"], flavor)
    files["base.env"] = "parameters: {size: 12288}\n"
    vnfd = package(files)
    (vdu,) = vnfd.vdus
    assert (vdu.flavor_parameter, vdu.flavor_resource) == ("", "big")
    assert (vdu.needs.vcpus, vdu.needs.memory_mib, vdu.needs.disk_gib) == (6, 12288, 40)
    assert vdu.image_parameter == "image"


def test_a_nested_server_takes_the_flavor_that_the_root_makes():
    flavor = "  big: {type: OS::Nova::Flavor, properties: {vcpus: 3, ram: 3000, disk: 0}}\n"
    use = "  card: {type: card.yaml, properties: {kind: {get_resource: big}, image: {get_param: image}}}\n"
    card = (
        HOT
        + "parameters: {kind: {type: string}, image: {type: string}}\n"
        + "resources: {vm: {type: OS::Nova::Server, "
        + "properties: {flavor: {get_param: kind}, image: {get_param: image}}}}"
    )
    (vdu,) = package({"base.yaml": f"{HEAD}resources:\n{flavor}{use}", "card.yaml": card}).vdus
    assert (vdu.flavor_resource, vdu.needs.vcpus, vdu.needs.memory_mib) == ("big", 3, 3000)


VOLUME = "  disk: {type: OS::Cinder::Volume, properties: {%s, size: {get_param: size}}}\n"
OLDER = "block_device_mapping: [{device_name: vda, volume_id: {get_resource: disk}}]"
MAPPED = "block_device_mapping_v2: [{device_name: vdb, volume_id: other}, {boot_index: 0, %s}]"


@pytest.mark.parametrize(
    ("properties", "more", "volumes"),
    [
        ([MAPPED % "volume_id: {get_resource: disk}"], VOLUME % "image: {get_param: image}", (1, 9)),
        ([OLDER], VOLUME % "image: {get_param: image}", (1, 9)),
        ([MAPPED % "image: {get_param: image}, volume_size: 7"], "", (1, 7)),
        ([MAPPED % "image_id: {get_param: image}, volume_size: 7"], "", (1, 7)),
    ],
)
def test_the_image_of_the_boot_volume_is_the_server_s(properties, more, volumes):
    files = {**server(["flavor: {get_param: flavor}", *properties], more), "base.env": "parameters: {size: 9}\n"}
    vnfd = package(files)
    (vdu,) = vnfd.vdus
    assert (vdu.image_parameter, vdu.software_image, vdu.flavor_parameter) == ("image", "image", "flavor")
    assert (vdu.volumes, vdu.volumes_gib) == volumes
    assert vnfd.setting("image").format == "image"


def test_a_volume_that_is_attached_later_counts_and_gives_no_image():
    attached = (
        "  attached:\n    type: OS::Cinder::VolumeAttachment\n"
        "    properties: {instance_uuid: {get_resource: vm}, volume_id: {get_resource: disk}}\n"
    )
    files = server(["flavor: {get_param: flavor}", "image: {get_param: image}"], VOLUME % "image: ghost" + attached)
    files["base.env"] = "parameters: {size: 20}\n"
    (vdu,) = package(files).vdus
    assert (vdu.image_parameter, vdu.volumes, vdu.volumes_gib) == ("image", 1, 20)


def test_a_second_link_for_a_network_of_the_same_name_is_the_same():
    more = "  port2: {type: OS::Neutron::Port, properties: {network: lan}}\n"
    files = server(["flavor: m1.small", "image: x"], more)
    files["base.yaml"] = files["base.yaml"].replace(
        "[{port: {get_resource: port}}]", "[{port: {get_resource: port}}, {port: {get_resource: port2}}]"
    )
    vnfd = package(files)
    assert [link.id for link in vnfd.virtual_links] == ["lan"]
    assert [cp.virtual_link for cp in vnfd.vdus[0].connection_points] == ["lan", "lan"]


def test_servers_of_one_name_get_the_name_of_their_parent():
    node = HOT + "resources: {server: {type: OS::Nova::Server, properties: {flavor: m1.tiny, image: x}}}"
    root = HOT + "resources: {dns: {type: a.yaml}, ellis: {type: b.yaml}}"
    found = derive(content({"base.yaml": root, "a.yaml": node, "b.yaml": node}))
    assert [(vdu["id"], vdu["members"]) for vdu in load_yaml(found.vnfd)["vdus"]] == [
        ("dns", ["dns/server"]),
        ("ellis", ["ellis/server"]),
    ]
