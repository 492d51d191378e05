"""Volumes in templates: boot from a volume as foreign templates do it, attachments, growth, refusals."""

import pytest

V = "heat_template_version: 2015-10-15\n"
BOOTED = (
    V
    + """
parameters:
  size: {type: number, default: 2}
  title: {type: string, default: data}
resources:
  server:
    type: OS::Nova::Server
    properties:
      flavor: m1.tiny
      block_device_mapping_v2: [{volume_id: {get_resource: root}, boot_index: 0}, {swap_size: 0}]
      networks: [{port: {get_resource: port}}]
  plugged:
    type: OS::Cinder::VolumeAttachment
    properties: {instance_uuid: {get_resource: server}, volume_id: {get_resource: data}, mountpoint: /dev/vdc}
  data:
    type: OS::Cinder::Volume
    properties: {size: {get_param: size}, name: {get_param: title}, metadata: {use: logs}, volume_type: lvmdriver-1}
  root: {type: OS::Cinder::Volume, properties: {size: 1, image: tiny}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 192.0.2.0/24}}
  net: {type: OS::Neutron::Net}
outputs:
  bootable: {value: {get_attr: [root, bootable]}}
  name: {value: {get_attr: [data, display_name]}}
  use: {value: {get_attr: [data, metadata_values, use]}}
  size: {value: {get_attr: [data, size]}}
"""
).replace(", {swap_size: 0}", "")


def volume(heat, ident: str, name: str):
    return heat.connection.block_storage.get_volume(heat.resources(ident)[name].physical_resource_id)


def test_a_server_boots_from_a_volume_of_the_stack(heat):
    ident = heat.create(BOOTED)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    assert heat.outputs(ident) == {"bootable": "true", "name": "data", "use": "logs", "size": "2"}
    server = heat.servers(ident)["server"]
    for name, device in (("root", "/dev/vda"), ("data", "/dev/vdc")):
        (attachment,) = volume(heat, ident, name).attachments
        assert (attachment["server_id"], attachment["device"]) == (server, device)
    assert heat.act(ident, "check").stack_status == "CHECK_COMPLETE"
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert [*heat.connection.block_storage.volumes()] == []


def test_an_attached_volume_grows_and_is_attached_again(heat):
    ident = heat.create(BOOTED)
    before = heat.resources(ident)
    stack = heat.update(ident, BOOTED, parameters={"size": 5, "title": "more"})
    assert stack.stack_status == "UPDATE_COMPLETE", stack.stack_status_reason
    grown = volume(heat, ident, "data")
    assert (grown.size, grown.name, grown.status) == (5, "more", "in-use")
    assert grown.id == before["data"].physical_resource_id
    stack = heat.update(ident, BOOTED, parameters={"size": 1})
    assert "NotSupported: resources.data: Shrinking volume is not supported." in stack.stack_status_reason


def test_a_volume_that_the_server_makes_of_an_image(heat):
    device = "{image_id: IMAGE, volume_size: 3, delete_on_termination: true}"
    image = heat.connection.image.find_image("tiny").id
    template = f"""{V}
resources:
  server:
    type: OS::Nova::Server
    properties: {{flavor: m1.tiny, block_device_mapping_v2: [{device.replace("IMAGE", image)}]}}
"""
    ident = heat.create(template)
    (disk,) = heat.connection.block_storage.volumes()
    assert (disk.size, disk.is_bootable, disk.status) == (3, True, "in-use")
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    heat.until(lambda: not [*heat.connection.block_storage.volumes()])


def test_an_image_with_a_second_disk(heat):
    template = f"""{V}
resources:
  data: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}
  server:
    type: OS::Nova::Server
    properties:
      image: tiny
      flavor: m1.tiny
      block_device_mapping_v2: [{{volume_id: {{get_resource: data}}, boot_index: 1}}]
"""
    ident = heat.create(template)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    (attachment,) = volume(heat, ident, "data").attachments
    assert attachment["device"] == "/dev/vdb"


SERVER = "{type: OS::Nova::Server, properties: {flavor: m1.tiny, BODY}}"
VOLUME = "{type: OS::Cinder::Volume, properties: {BODY}}"


@pytest.mark.parametrize(
    ("resource", "body", "words"),
    [
        (SERVER, "block_device_mapping_v2: [{volume_size: 1}]", "Either volume_id, snapshot_id, image_id or swap_size"),
        (
            SERVER,
            "block_device_mapping_v2: [{image_id: tiny, swap_size: 1}]",
            "Cannot define the following properties at the same time: volume_id, snapshot_id, image_id, swap_size.",
        ),
        (SERVER, "block_device_mapping_v2: [{swap_size: 1}]", "Neither image nor bootable volume is specified"),
        (SERVER, "block_device_mapping_v2: [{volume_id: nothing}]", "The Volume (nothing) could not be found."),
        (SERVER, "block_device_mapping_v2: [{image: tiny}]", "Unknown Property image"),
        (SERVER, "block_device_mapping: [{device_name: vda}]", "Either volume_id or snapshot_id must be specified"),
        (VOLUME, "name: x", 'If neither "backup_id" nor "size" is provided, one and only one of "image"'),
        (VOLUME, "size: 0", "0 is out of range"),
        (VOLUME, "size: 1, volume_type: gold", "The VolumeType (gold) could not be found."),
        (VOLUME, "size: 1, snapshot_id: gone", "The VolumeSnapshot (gone) could not be found."),
        (VOLUME, "size: 1, image: tiny, imageRef: x", "same time: image, imageRef."),
    ],
)
def test_invalid_volumes_are_refused(heat, resource, body, words):
    _, _, message = heat.refusal(f"{V}resources:\n  thing: {resource.replace('BODY', body)}\n")
    assert words in message


def test_a_volume_that_cinder_cannot_make(heat):
    ident = heat.create(f"{V}resources:\n  thing: {VOLUME.replace('BODY', 'size: 1, name: fail-volume')}\n")
    reason = heat.client.stacks.get(ident).stack_status_reason
    assert reason == 'Resource CREATE failed: ResourceInError: resources.thing: Went to status error due to "Unknown"'
