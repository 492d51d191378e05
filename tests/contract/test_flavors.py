import pytest

from vnfm.clouds.errors import Conflict, Denied, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Flavor

SPECS = {"hw:cpu_policy": "dedicated", "hw:mem_page_size": "1048576"}


def test_a_flavor_is_created_with_extra_specs_listed_and_deleted(
    admin: Cloud, cloud: Cloud, prefix: str, request: pytest.FixtureRequest
) -> None:
    wanted = Flavor("", f"{prefix}-pinned", vcpus=3, memory_mib=1536, disk_gib=2, extra_specs=SPECS)
    flavor_id = admin.flavors.create(wanted)
    request.addfinalizer(lambda: admin.flavors.delete(flavor_id))

    seen = cloud.flavors.find(wanted.name)
    assert seen == Flavor(flavor_id, wanted.name, 3, 1536, 2, SPECS)
    assert seen in cloud.flavors.list()
    with pytest.raises(Conflict) as caught:
        admin.flavors.create(wanted)
    assert wanted.name in caught.value.message

    admin.flavors.delete(flavor_id)
    admin.flavors.delete(flavor_id)
    assert cloud.flavors.find(wanted.name) is None


def test_a_flavor_refused_for_its_extra_specs_leaves_none_behind(admin: Cloud, prefix: str) -> None:
    name = f"{prefix}-halfmade"
    with pytest.raises(Rejected) as caught:
        admin.flavors.create(Flavor("", name, vcpus=1, memory_mib=512, disk_gib=1, extra_specs={"bad key!": "x"}))
    assert caught.value.http_status == 400
    assert admin.flavors.find(name) is None


def test_making_a_flavor_without_the_rights_is_denied(cloud: Cloud, prefix: str) -> None:
    with pytest.raises(Denied) as caught:
        cloud.flavors.create(Flavor("", f"{prefix}-denied", vcpus=1, memory_mib=512, disk_gib=1))
    assert caught.value.source == "nova"
    assert caught.value.http_status == 403
    assert "Policy doesn't allow os_compute_api:os-flavor-manage" in caught.value.message


def test_the_right_to_create_flavors_is_found_out_without_effect(cloud: Cloud, admin: Cloud) -> None:
    before = admin.flavors.list()
    assert (cloud.flavors.may_create(), admin.flavors.may_create()) == (False, True)
    assert admin.flavors.list() == before


def test_an_unknown_flavor_is_none(cloud: Cloud) -> None:
    assert cloud.flavors.find("no-such-flavor") is None
