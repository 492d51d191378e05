"""Properties and attributes of OS::Nova::Server in Liberty."""

from __future__ import annotations

from cloudsim.heat.hot.properties import Prop, known, one_of

NAME_LIMIT = 53
"""The length of the longest generated server name; guests truncate longer host names."""

_NETWORK = {
    "network": Prop("string", "Name or ID of network to create a port on.", constraints=known("neutron.network")),
    "uuid": Prop("string", "Old name of network.", constraints=known("neutron.network")),
    "fixed_ip": Prop("string", "Fixed IP address to specify for the port.", constraints=known("ip_addr")),
    "port": Prop("string", "ID of an existing port to associate with this server.", constraints=known("neutron.port")),
    "subnet": Prop("string", "Subnet in which to allocate the IP address."),
}
_DEVICE = {
    "device_name": Prop("string", "A device name where the volume will be attached."),
    "volume_id": Prop("string", "The volume_id can be boot or non-boot device.", constraints=known("cinder.volume")),
    "image_id": Prop("string", "The ID of the image to create a volume from.", constraints=known("glance.image")),
    "snapshot_id": Prop("string", "The snapshot to create a volume from.", constraints=known("cinder.snapshot")),
    "swap_size": Prop("integer", "The size of the swap, in MB."),
    "device_type": Prop("string", constraints=one_of("cdrom", "disk")),
    "disk_bus": Prop("string", constraints=one_of("ide", "lame_bus", "scsi", "usb", "virtio")),
    "boot_index": Prop("integer", "Integer used for ordering the boot disks."),
    "volume_size": Prop("integer", "Size of the block device in GB."),
    "delete_on_termination": Prop("boolean", "Delete the device when the server goes."),
}
_OLD_DEVICE = {
    "device_name": Prop("string", "A device name where the volume will be attached.", required=True),
    "volume_id": Prop("string", "The ID of the volume to boot from.", constraints=known("cinder.volume")),
    "snapshot_id": Prop("string", "The snapshot to create a volume from.", constraints=known("cinder.snapshot")),
    "volume_size": Prop("integer", "The size of the volume, in GB."),
    "delete_on_termination": Prop("boolean", "Delete the device when the server goes."),
}
SCHEMA = {
    "name": Prop("string", "Server name.", update=True),
    "image": Prop("string", "ID or name of the image to boot with.", update=True, constraints=known("glance.image")),
    "block_device_mapping": Prop(
        "list", "Block device mappings for this server.", items=Prop("map", schema=_OLD_DEVICE)
    ),
    "block_device_mapping_v2": Prop(
        "list", "Block device mappings v2 for this server.", items=Prop("map", schema=_DEVICE)
    ),
    "flavor": Prop(
        "string", "The ID or name of the flavor to boot onto.", required=True, update=True,
        constraints=known("nova.flavor"),
    ),
    "flavor_update_policy": Prop(
        "string", "Whether a flavor change resizes or replaces.", default="RESIZE", update=True,
        constraints=one_of("RESIZE", "REPLACE"),
    ),
    "image_update_policy": Prop(
        "string", "Whether an image change rebuilds or replaces.", default="REBUILD", update=True,
        constraints=one_of("REBUILD", "REPLACE", "REBUILD_PRESERVE_EPHEMERAL"),
    ),
    "key_name": Prop("string", "Name of keypair to inject into the server.", constraints=known("nova.keypair")),
    "admin_user": Prop("string", "Name of the administrative user to use on the server."),
    "availability_zone": Prop("string", "Name of the availability zone for server placement."),
    "security_groups": Prop("list", "List of security group names or IDs.", default=[]),
    "networks": Prop(
        "list", "An ordered list of nics to be added to this server.", update=True, items=Prop("map", schema=_NETWORK)
    ),
    "scheduler_hints": Prop("map", "Arbitrary key-value pairs to help boot a server."),
    "metadata": Prop("map", "Arbitrary key/value metadata to store for this server.", update=True),
    "user_data_format": Prop(
        "string", "How the user_data should be formatted for the server.", default="HEAT_CFNTOOLS",
        constraints=one_of("HEAT_CFNTOOLS", "RAW", "SOFTWARE_CONFIG"),
    ),
    "software_config_transport": Prop(
        "string", "How the server should receive the metadata.", default="POLL_SERVER_CFN",
        constraints=one_of("POLL_SERVER_CFN", "POLL_SERVER_HEAT", "POLL_TEMP_URL", "ZAQAR_MESSAGE"),
    ),
    "user_data": Prop("string", "User data script to be executed by cloud-init.", default=""),
    "reservation_id": Prop("string", "A UUID for the set of servers being requested."),
    "config_drive": Prop("boolean", "If True, enable config drive on the server."),
    "diskConfig": Prop("string", "How the disk is partitioned.", constraints=one_of("AUTO", "MANUAL")),
    "personality": Prop("map", "A map of files to create/overwrite on the server upon boot.", default={}),
    "admin_pass": Prop("string", "The administrator password for the server.", update=True),
}  # fmt: skip
ATTRIBUTES = {
    "name": "Name of the server.",
    "addresses": "A dict of all network addresses with corresponding port_id.",
    "networks": "A dict of assigned network addresses of the form {'public': [ip1, ip2...]}.",
    "first_address": "Convenience attribute to fetch the first assigned network address.",
    "instance_name": "AWS compatible instance name.",
    "accessIPv4": "The manually assigned alternative public IPv4 address of the server.",
    "accessIPv6": "The manually assigned alternative public IPv6 address of the server.",
    "console_urls": "URLs of server's consoles.",
}
