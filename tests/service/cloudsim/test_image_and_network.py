"""Glance and Neutron, by openstacksdk."""

from __future__ import annotations

import hashlib

import pytest
from openstack import exceptions

DATA = bytes(range(256)) * 1000


def test_an_image_goes_up_and_comes_down(user):
    image = user.image.create_image("raw", disk_format="raw", container_format="bare", data=DATA, wait=True)
    shown = user.image.get_image(image.id)
    assert (shown.status, shown.size) == ("active", len(DATA))
    assert shown.checksum == hashlib.md5(DATA, usedforsecurity=False).hexdigest()
    assert user.image.download_image(shown).content == DATA
    user.image.update_image(shown, name="renamed", vendor="ours")
    assert [one.name for one in user.image.images(name="renamed")] == ["renamed"]
    user.image.add_tag(shown, "gold")
    assert [one.id for one in user.image.images(tag="gold")] == [image.id]
    user.image.delete_image(shown)
    assert user.image.find_image("renamed") is None


def test_data_cannot_be_sent_twice_or_as_json(cloud, user):
    image = user.image.create_image("raw", disk_format="raw", container_format="bare", data=DATA, wait=True)
    token, path = {"X-Auth-Token": user.auth_token}, f"/image/v2/images/{image.id}/file"
    assert cloud.request("PUT", path, {}, token)[0] == 415
    response = user.image.put(
        f"/images/{image.id}/file", data=b"x", headers={"Content-Type": "application/octet-stream"}
    )
    assert response.status_code == 409


def test_junk_is_no_qcow2(user):
    with pytest.raises(exceptions.SDKException):
        user.image.create_image("bad", disk_format="qcow2", container_format="bare", data=b"junk" * 99, wait=True)


def test_public_images_are_the_administrators(user, admin):
    with pytest.raises(exceptions.ForbiddenException):
        user.image.create_image("x", disk_format="raw", container_format="bare", visibility="public", data=b"x")
    tiny = user.image.find_image("tiny")
    with pytest.raises(exceptions.ForbiddenException):
        user.image.delete_image(tiny)
    admin.image.update_image(tiny, is_protected=True)
    with pytest.raises(exceptions.ForbiddenException, match="protected"):
        admin.image.delete_image(tiny)


def test_images_page(user):
    for number in range(5):
        user.image.create_image(f"i{number}", disk_format="raw", container_format="bare")
    assert len(list(user.image.images(limit=2))) == 6


def test_a_routed_network_with_a_floating_ip(user):
    public = user.network.find_network("public")
    network = user.network.create_network(name="inside")
    subnet = user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.3.0.0/24")
    port = user.network.create_port(network_id=network.id)
    with pytest.raises(exceptions.NotFoundException, match="is not reachable from subnet"):
        user.network.create_ip(floating_network_id=public.id, port_id=port.id)
    router = user.network.create_router(name="r", external_gateway_info={"network_id": public.id})
    user.network.add_interface_to_router(router, subnet=subnet)
    floating = user.network.create_ip(floating_network_id=public.id, port_id=port.id)
    assert (floating.status, floating.fixed_ip_address) == ("ACTIVE", port.fixed_ips[0]["ip_address"])
    with pytest.raises(exceptions.ConflictException, match="still has ports"):
        user.network.delete_router(router)
    with pytest.raises(exceptions.ConflictException, match="one or more ports still in use"):
        user.network.delete_network(network)
    user.network.delete_ip(floating)
    user.network.remove_interface_from_router(router, subnet=subnet)
    user.network.delete_router(router)
    user.network.delete_port(port)
    user.network.delete_network(network)


def test_security_groups(user):
    group = user.network.create_security_group(name="ssh")
    rule = {"security_group_id": group.id, "direction": "ingress", "protocol": "tcp"}
    user.network.create_security_group_rule(**rule, port_range_min=22, port_range_max=22)
    with pytest.raises(exceptions.ConflictException, match="Security group rule already exists"):
        user.network.create_security_group_rule(**rule, port_range_min=22, port_range_max=22)
    assert sorted(one.name for one in user.network.security_groups()) == ["default", "ssh"]
    assert len(user.network.get_security_group(group.id).security_group_rules) == 3


def test_provider_networks_are_the_administrators(user, admin):
    provider = {"provider_network_type": "vlan", "provider_physical_network": "physnet1", "provider_segmentation_id": 7}
    with pytest.raises(exceptions.ForbiddenException, match="provider"):
        user.network.create_network(name="p", **provider)
    assert admin.network.create_network(name="p", **provider).provider_segmentation_id == 7
    with pytest.raises(exceptions.ConflictException, match="The VLAN 7 on physical network physnet1 is in use"):
        admin.network.create_network(name="p", **provider)


def test_fields_bulk_and_quota(cloud, user):
    network = user.network.create_network(name="bulk")
    ports = [*user.network.create_ports([{"network_id": network.id, "name": name} for name in "ab"])]
    assert [one.name for one in ports] == ["a", "b"]
    answer = user.network.get("/ports?fields=id&fields=name&name=a").json()
    assert answer == {"ports": [{"id": ports[0].id, "name": "a"}]}
    cloud.control("PUT", "/quotas/vnf", {"network": {"port": 2}})
    with pytest.raises(exceptions.ConflictException, match="Quota exceeded for resources"):
        user.network.create_port(network_id=network.id)
