"""The FRR router's first configuration: the same for its own image and for a plain Debian."""

import re
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
import yaml

from tests.factories.packages import LIBRARY, ROOT, shipped_package
from tests.support.yaml_text import load_yaml
from tests.unit.lcm.deployments import Deployment, instantiated
from vnfm.catalog.domain.quota_need import quota_needs
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.types import Flavor
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_builder import CloudSnapshot
from vnfm.lcm.domain.states import Operation

PRODUCT = ROOT / "catalog" / "open" / "frr-router"
FILES = PRODUCT / "image" / "files"


def user_data(name: str) -> Any:
    text = (PRODUCT / "8.4.4" / "day0" / f"{name}.txt").read_text()
    assert text.startswith("#cloud-config\n")
    return load_yaml(text)


def test_a_plain_debian_gets_the_files_of_the_image() -> None:
    written = {entry["path"]: entry for entry in user_data("debian")["write_files"]}
    for path, entry in written.items():
        if not path.endswith("day0.conf"):
            assert entry["content"] == (FILES / path.removeprefix("/")).read_text(), path
            assert entry["defer"], "its owner comes with the packages"
    needed = {"/etc/frr/daemons", "/etc/frr/frr.conf", "/etc/snmp/snmpd.conf", "/etc/default/lldpd"}
    assert needed | {"/etc/systemd/system/frr-mibs.service", "/usr/libexec/frr-mibs"} < written.keys()


def test_debian_installs_the_packages_of_the_image() -> None:
    image = set((PRODUCT / "image" / "packages.txt").read_text().splitlines())
    assert set(user_data("debian")["packages"]) < image
    assert "packages" not in user_data("image"), "its management network may have no way to an archive"


def test_both_make_the_same_user() -> None:
    (user,), (other,) = user_data("image")["users"], user_data("debian")["users"]
    groups = [group for group in user["groups"] if group not in other["groups"]]
    assert {**user, "groups": other["groups"]} == other
    assert user_data("debian")["runcmd"][0] == ["usermod", "-aG", ",".join(groups), "$user"], "they come with packages"
    assert user["hashed_passwd"] == "$password", "no secret is in the package"


FRR = shipped_package(PRODUCT / "8.4.4").vnfd
DEFAULTS = {"flavourId": "default"}
LARGER: dict[str, Any] = {"newFlavourId": "full-table"}


def planned(**settings: Any) -> Plan | Rejection:
    """The instantiation with these settings, flavors being created."""
    return Deployment(FRR).planned(
        Operation.INSTANTIATE, {**DEFAULTS, "additionalParams": {"createFlavors": True, **settings}}
    )


def template(number: int) -> dict[str, Any]:
    parsed: dict[str, Any] = load_yaml((LIBRARY / "frr" / f"router_{number}.yaml").read_text())
    return parsed


@pytest.mark.parametrize("number", range(1, 9))
def test_a_router_has_as_many_data_ports_as_are_chosen(number: int) -> None:
    plan = planned(data_ports=number)
    assert isinstance(plan, Plan), plan
    assert plan.registry["FRR::Router"] == f"nested/router_{number}.yaml"
    created = [name for name in range(1, 9) if plan.registry[f"FRR::Data{name}Network"] == "fragments/vl_created.yaml"]
    assert created == [*range(1, number + 1)]
    needed = {row.resource: row.needed for row in plan.quota}
    assert (needed["ports"], needed["networks"]) == (2 * (number + 1), number + 1)
    ports = [f"data{place}_port" for place in range(1, number + 1)]
    server = template(number)["resources"]["server"]["properties"]
    assert server["networks"] == [{"port": {"get_resource": port}} for port in ("management_port", *ports)]
    points = FRR.points_of(FRR.vdu("router"), {"data_ports": number})
    assert [point.hot_resource for point in points] == ["management_port", *ports]
    assert points[1:] == FRR.vdu("router").connection_points[1 : number + 1]


@pytest.mark.parametrize("number", range(1, 9))
def test_the_templates_of_a_router_differ_in_its_data_ports_alone(number: int) -> None:
    def without_ports(one: dict[str, Any]) -> dict[str, Any]:
        resources = {name: value for name, value in one["resources"].items() if not name.startswith("data")}
        server = {**resources["server"]["properties"], "networks": []}
        return {**one, "description": "", "resources": {**resources, "server": server}}

    assert without_ports(template(number)) == without_ports(template(2))
    port = template(8)["resources"]["data8_port"]
    for place in range(1, number + 1):
        expected = load_yaml(re.sub("data8", f"data{place}", yaml.safe_dump(port)))
        assert template(number)["resources"][f"data{place}_port"] == expected


@pytest.mark.parametrize(
    ("settings", "field", "words"),
    [
        ({"data_ports": 9}, "data_ports", "9"),
        ({"data_ports": 2, "data3_network": "lan"}, "data3_network", "There is no Data 3: data_ports is 2"),
    ],
)
def test_a_network_without_a_port_is_refused(settings: dict[str, Any], field: str, words: str) -> None:
    rejected = planned(**settings)
    assert isinstance(rejected, Rejection)
    assert any(one.field == f"/additionalParams/{field}" and words in one.message for one in rejected.errors)


def test_a_number_as_json_may_write_it() -> None:
    plan = planned(data_ports=3.0)
    assert isinstance(plan, Plan), plan
    assert plan.registry["FRR::Router"] == "nested/router_3.yaml"


@pytest.mark.parametrize(
    ("operation", "request_body"),
    [(Operation.CHANGE_FLAVOUR, {"newFlavourId": "default"}), (Operation.CHANGE_EXT_CONN, {})],
)
def test_the_number_of_ports_stays(operation: Operation, request_body: dict[str, Any]) -> None:
    rejected = instantiated(FRR, FRR.flavours[0], {"routers": 1}).planned(
        operation, {**request_body, "additionalParams": {"data_ports": 3}}
    )
    assert isinstance(rejected, Rejection)
    (error,) = rejected.errors
    assert (error.field, error.message.partition(":")[0]) == (
        "/additionalParams/data_ports",
        "VMs keep the number of NICs that they were created with",
    )


def version_1_0() -> Vnfd:
    """In its first release it had two data ports, always."""
    later = {link.id for link in FRR.virtual_links if link.from_number > 2}
    router = FRR.vdu("router")
    points = tuple(one for one in router.connection_points if one.virtual_link not in later)
    return replace(
        FRR,
        vnfd_id=UUID("6f1d6b5c-43c5-4c5e-9d0f-2f1a6c0f8440"),
        vdus=(replace(router, connection_points=points),),
        virtual_links=tuple(
            replace(link, number_setting="", from_number=0) for link in FRR.virtual_links if link.id not in later
        ),
        settings=tuple(one for one in FRR.settings if one.name != "data_ports"),
        variants=tuple(one for one in FRR.variants if one.setting != "data_ports"),
    )


@pytest.mark.parametrize(("number", "refused"), [(2, False), (4, True), (1, True)])
def test_an_upgrade_from_1_0_leaves_the_number_of_ports(number: int, refused: bool) -> None:
    old = version_1_0()
    request = {"vnfdId": str(FRR.vnfd_id), "additionalParams": {"data_ports": number}}
    result = instantiated(old, old.flavours[0], {"routers": 1}).planned(Operation.CHANGE_VNFPKG, request, FRR)
    if not refused:
        assert isinstance(result, Plan), result
        return
    assert isinstance(result, Rejection)
    (error,) = result.errors
    assert error.field == "/additionalParams/data_ports"
    assert error.message.startswith("VMs keep the number of NICs")


def test_the_need_of_quota_is_that_of_the_default() -> None:
    need = next(need for need in quota_needs(FRR) if need.level_id == "single")
    assert (need.ports, need.networks) == (3, 3)


def test_routers_are_resized_one_after_the_other() -> None:
    small, large = Flavor("1", "small", 1, 512, 2), Flavor("2", "large", 2, 4096, 2)
    empty = Deployment(FRR, cloud=CloudSnapshot((small, large), (), ()))
    before = empty.after(empty.planned(Operation.INSTANTIATE, DEFAULTS))
    scale = [{"aspectId": "routers", "scaleLevel": 2}]
    request = {"newFlavourId": "full-table", "targetScaleLevelInfo": scale}
    plan = before.planned(Operation.CHANGE_FLAVOUR, request)
    assert isinstance(plan, Plan), plan
    assert [stage.title for stage in plan.stages] == ["Resize Slot 2 (Router)", "Resize Slot 1 (Router)"]
    old, new = before.current.parameters["router_flavor"], plan.parameters["router_flavor"]
    assert (old, new) == ("small", "large")
    first = plan.stages[0].parameters
    assert (first["router_flavor"], first["router_flavors"]) == (old, {"3": new, "2": new})
    assert (plan.parameters["router_flavors"], plan.stages[1].parameters) == ({}, {})
    assert any("one after the other" in warning for warning in plan.warnings)


def halted(before: Deployment, request: dict[str, Any]) -> Deployment:
    """After its change of flavour was marked failed: Heat was last given the first stage."""
    plan = before.planned(Operation.CHANGE_FLAVOUR, request)
    assert isinstance(plan, Plan), plan
    assert plan.stages
    after = before.after(plan)
    return replace(after, current=replace(after.current, parameters={**plan.parameters, **plan.stages[0].parameters}))


def test_a_flavor_that_a_failed_change_left_is_named_and_no_disk_gets_smaller() -> None:
    flavors = (Flavor("1", "small", 1, 512, 2), Flavor("2", "large", 2, 4096, 40), Flavor("3", "middle", 1, 1024, 20))
    empty = Deployment(FRR, cloud=CloudSnapshot(flavors, (), ()))
    before = empty.after(
        empty.planned(Operation.INSTANTIATE, {**DEFAULTS, "additionalParams": {"router_flavor": "small"}})
    )
    left = halted(before, {**LARGER, "additionalParams": {"router_flavor": "large"}})
    assert left.current.parameters["router_flavors"] == {"2": "large"}
    stays = left.planned(Operation.CHANGE_FLAVOUR, LARGER)
    assert isinstance(stays, Plan), stays
    (kept,) = stays.flavors
    assert (kept.flavor_name, stays.touched, stays.parameters["router_flavors"]) == ("small", {}, {"2": "large"})
    assert kept.reason == "small is the flavor of the VNFCs that run, but for slot 2, which has large."
    assert any("slot 2, which has large" in warning and "router_flavor" in warning for warning in stays.warnings)
    refused = left.planned(Operation.CHANGE_FLAVOUR, {**LARGER, "additionalParams": {"router_flavor": "middle"}})
    assert isinstance(refused, Rejection)
    assert "Nova makes no disk smaller than 40" in refused.errors[0].message
    on = left.planned(Operation.CHANGE_FLAVOUR, {**LARGER, "additionalParams": {"router_flavor": None}})
    assert isinstance(on, Plan), on
    assert (on.parameters["router_flavor"], on.touched) == ("large", {"router": ["1"]})
    assert "large has a larger disk than small" in on.one_way
