"""The choice that Nova has of zones is not an administrator's secret."""

from vnfm.clouds.ports import Cloud


def test_the_zones_are_everybodys_to_see(cloud: Cloud, admin: Cloud) -> None:
    zones = cloud.zones()
    assert "nova" in zones
    assert list(zones) == sorted(zones)
    assert {host.zone for host in admin.hosts() if host.up} <= set(zones)
