"""ChangeExtVnfConnectivity: ports move to other networks under VMs that stay; the four laws hold, and a rollback leads
back to the networks of before."""

from collections.abc import Callable
from typing import Any

import openstack
import pytest
from openstack.connection import Connection
from rest_framework.test import APIClient

from tests.factories.networks import make_network
from tests.service.lcm.cloud_snapshot import CloudSnapshot, assert_recorded, cloud_snapshot, ids, of, rollback_state
from tests.service.lcm.lifecycle import FORCEFUL, CallFailure, CrashError, Lifecycle, assert_clean, crash, expire_lease
from vnfm.clouds.errors import Rejected
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.reconcilers.settle_failed import settle_failed
from vnfm.lcm.services.instances import vnf_instance_delete
from vnfm.lcm.services.plans import plan_request

pytestmark = pytest.mark.django_db(transaction=True)

EXTERNAL = "instantiatedVnfInfo/extVirtualLinkInfo"
MANAGEMENT = {"-cpm-a-management", "-cpm-b-management", "-iom-1-management"}
OWN = ""
"""The network that the stack makes."""
WAYS = [(OWN, "left"), ("left", "right"), ("left", OWN)]
NAMES = ["created to existing", "existing to existing", "existing to created"]


@pytest.fixture
def sdk(lifecycle: Lifecycle, cloudsim: Any) -> Connection:
    """A connection of another user, with two networks that have the management subnet."""
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    connection = Connection(config=config.get_one("cloudsim"))
    for name in ("left", "right"):
        make_network(connection, name, "10.10.0.0/24")
    return connection


@pytest.fixture
def life(lifecycle: Lifecycle, sdk: Connection) -> Lifecycle:
    return lifecycle


def to(network: str, cpd: str = "control-management", setting: str = "management_network") -> dict[str, Any]:
    """The request that attaches a connection point, and with it all of its virtual link."""
    if network == OWN:
        return {"extVirtualLinks": [], "additionalParams": {setting: None}}
    return {"extVirtualLinks": [{"id": "link", "resourceId": network, "extCps": [{"cpdId": cpd}]}]}


def changed(life: Lifecycle, instance: VnfInstance, request: dict[str, Any]) -> LcmOpOcc:
    return life.done(instance, Operation.CHANGE_EXT_CONN, request)


def ports(life: Lifecycle, instance: VnfInstance) -> dict[str, str]:
    """Name of each port to its id."""
    servers = list(life.servers_of(instance).values())
    return {port.name.removeprefix(instance.name): port.id for port in life.cloud.networks.ports(servers)}


def management(seen: CloudSnapshot) -> set[str]:
    """Names of the networks that management ports are on."""
    found = {network for one in seen.values() for port, network in one.ports.items() if port in MANAGEMENT}
    return {"-management" if network.endswith("-management") else network for network in found}


def links(instance: VnfInstance) -> dict[str, bool]:
    """Virtual link to whether the stack made its network."""
    return dict(instance.virtual_links.values_list("vl_id", "created_by_stack"))


def brought(life: Lifecycle, network: str) -> VnfInstance:
    """An instance whose management is there."""
    return life.instantiated(**({"management_network": network} if network else {}))


def test_ports_of_the_link_move_and_nothing_else(life: Lifecycle, sdk: Connection) -> None:
    instance = life.instantiated()
    servers, before = ids(cloud_snapshot(life, instance)), ports(life, instance)
    assert management(cloud_snapshot(life, instance)) == {"-management"}
    own = instance.virtual_links.get(vl_id="management").network_id
    for network, names in (("left", {"left"}), ("right", {"right"}), ("left", {"left"}), (OWN, {"-management"})):
        changed(life, instance, to(network))
        seen, after = cloud_snapshot(life, instance), ports(life, instance)
        assert ids(seen) == servers
        assert of(seen, "status", "A", "B", "1") == ["ACTIVE"] * 3
        assert management(seen) == names
        assert {name for name in before if before[name] != after[name]} == MANAGEMENT
        assert after.keys() == before.keys(), "no port is left behind"
        assert links(instance)["management"] is (network == OWN)
        assert sdk.network.find_network(own) is None
        assert_recorded(life, instance)
        before = after
    assert instance.settings == {}
    assert {sdk.network.find_network(name).name for name in ("left", "right")} == {"left", "right"}
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert management(cloud_snapshot(life, instance)) == {"-management"}
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


@pytest.mark.parametrize("updates", [0, 1, 2], ids=["changed", "failed before any", "failed between the two"])
def test_no_port_stays_on_an_external_network_after_terminate_and_delete(
    life: Lifecycle, break_cloud: Callable[..., Any], sdk: Connection, updates: int
) -> None:
    instance = brought(life, "right")
    networks = [sdk.network.find_network(name).id for name in ("left", "right")]

    def counted() -> list[int]:
        return [len(list(sdk.network.ports(network_id=network))) for network in networks]

    assert counted() == [0, len(MANAGEMENT)]
    if updates:
        op = life.start(instance, Operation.CHANGE_EXT_CONN, to(OWN))
        break_cloud("stacks.update", REFUSED, after=False, nth=updates)
        assert life.handle(life.run(op.id), "fail").state == "FAILED"
        settle_failed(op.id)
    else:
        changed(life, instance, to("left"))
        assert counted() == [len(MANAGEMENT), 0]
    instance.refresh_from_db()
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    vnf_instance_delete(instance_id=instance.id)
    assert counted() == [0, 0]


def attach(network: str, external_id: str) -> dict[str, Any]:
    """The link of `to` under an id of the NFVO's."""
    (link,) = to(network)["extVirtualLinks"]
    return {"extVirtualLinks": [link | {"id": external_id}]}


def external_links(api: APIClient, life: Lifecycle, instance: VnfInstance) -> dict[str, Any]:
    """Network → what the instance shows of the external link; without management those of no NFVO."""
    info = api.get(f"/vnflcm/v2/vnf_instances/{instance.id}").json()["instantiatedVnfInfo"]["extVirtualLinkInfo"]
    names = {network.id: network.name for network in life.cloud.networks.list()}
    return {names[link["resourceHandle"]["resourceId"]]: link for link in info}


def brief(link: dict[str, Any]) -> tuple[str, str, set[str]]:
    """Id, network and ports of an external link."""
    return link["id"], link["resourceHandle"]["resourceId"], {port["id"] for port in link["extLinkPorts"]}


def test_external_links_have_the_ids_of_the_nfvo(
    life: Lifecycle, api: APIClient, break_cloud: Callable[..., Any]
) -> None:
    instance = life.create()
    made = life.done(instance, Operation.INSTANTIATE, life.instantiate_request() | attach("left", "ext-vl-abc"))
    left = external_links(api, life, instance)["left"]
    assert left["id"] == "ext-vl-abc"
    listed = api.get(f"/vnflcm/v2/vnf_instances?filter=(eq,{EXTERNAL}/id,ext-vl-abc)").json()
    assert [row["id"] for row in listed] == [str(instance.id)]
    connected = api.get(f"/vnflcm/v2/vnf_lcm_op_occs/{made.id}").json()["changedExtConnectivity"]
    assert brief(left) in map(brief, connected)
    assert "changedExtConnectivity" in api.get(f"/vnflcm/v1/vnf_lcm_op_occs/{made.id}").json()

    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert external_links(api, life, instance)["left"]["id"] == "ext-vl-abc"

    op = life.start(instance, Operation.CHANGE_EXT_CONN, attach("right", "ext-vl-def"))
    break_cloud("stacks.update", REFUSED, after=False, nth=1)
    assert life.handle(life.run(op.id), "rollback").state == "ROLLED_BACK"
    assert external_links(api, life, instance)["left"]["id"] == "ext-vl-abc"

    moved = changed(life, instance, attach("right", "ext-vl-def"))
    right = external_links(api, life, instance)["right"]
    assert right["id"] == "ext-vl-def"
    connected = api.get(f"/vnflcm/v2/vnf_lcm_op_occs/{moved.id}").json()["changedExtConnectivity"]
    assert list(map(brief, connected)) == [brief(right)]


def test_two_links_of_data_ports_in_one_request(life: Lifecycle) -> None:
    instance = life.instantiated()
    servers, before = ids(cloud_snapshot(life, instance)), ports(life, instance)
    request = {
        "extVirtualLinks": [
            {"id": "1", "resourceId": "left", "extCps": [{"cpdId": "data-path-data1"}]},
            {"id": "2", "resourceId": "right", "extCps": [{"cpdId": "data2"}]},
        ]
    }
    changed(life, instance, request)
    seen, after = cloud_snapshot(life, instance), ports(life, instance)
    assert ids(seen) == servers
    assert (seen["1"].ports["-iom-1-data1"], seen["1"].ports["-iom-1-data2"]) == ("left", "right")
    assert {name for name in before if before[name] != after[name]} == {"-iom-1-data1", "-iom-1-data2"}
    assert links(instance) == {"management": True, "fabric": True, "data1": False, "data2": False}
    assert_recorded(life, instance)


def test_a_network_that_a_neighbour_uses_is_not_deleted(life: Lifecycle) -> None:
    owner, neighbour = life.instantiated(), life.instantiated()
    network = owner.virtual_links.get(vl_id="data1")
    changed(life, neighbour, to(network.network_id, "data-path-data1"))
    op = life.run(life.start(owner, Operation.TERMINATE, FORCEFUL).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "NETWORK_IN_USE")
    assert f"{neighbour.name} has 1 port on {network.name}" in op.problem["detail"]
    life.done(neighbour, Operation.TERMINATE, FORCEFUL)
    life.done(owner, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, owner)


def test_vms_that_are_stopped_stay_stopped(life: Lifecycle) -> None:
    instance = life.instantiated()
    life.done(instance, Operation.OPERATE, {"changeStateTo": "STOPPED", "stopType": "FORCEFUL"})
    servers = ids(cloud_snapshot(life, instance))
    changed(life, instance, to("left"))
    seen = cloud_snapshot(life, instance)
    assert (ids(seen), management(seen)) == (servers, {"left"})
    assert of(seen, "status", "A", "B", "1") == ["SHUTOFF"] * 3


def previewed(life: Lifecycle, instance: VnfInstance, request: dict[str, Any]) -> dict[str, Any]:
    preview = plan_request(
        request=parse_request(Operation.CHANGE_EXT_CONN, request), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    result: dict[str, Any] = preview.result
    return result


def test_the_plan_has_the_moves_of_ports_and_their_effect(life: Lifecycle) -> None:
    instance = life.instantiated()
    plan = previewed(life, instance, to("left"))
    assert [step["title"] for step in plan["steps"] if step["name"] == "update_stack@1"] == [
        "Change the networks, while both are there",
        "Leave the networks of before",
    ]
    rows = {r["name"]: (r["action"], r["detail"]) for r in plan["resources"] if r["detail"] != "Heat's preview"}
    assert rows["Management"] == ("delete", "when no port is on it any more")
    assert rows["Slot A (Control VM)"] == ("update", "Management moves to left")
    assert rows["Slot 1 (Data path VM)"] == ("update", "Management (placeholder) moves to left")
    (warning,) = plan["warnings"]
    assert "Management: its ports are replaced by new ones on left." in warning
    assert "the servers keep running" in warning
    assert {q["resource"]: q["needed"] for q in plan["quota"] if q["needed"]} == {"ports": 3}
    assert {n["vlId"]: n["choice"] for n in plan["networks"]} == {
        "management": "existing",
        "fabric": "created",
        "data1": "created",
        "data2": "created",
    }
    changed(life, instance, to("left"))
    on = previewed(life, instance, to("right"))
    assert [step["title"] for step in on["steps"] if step["name"] == "update_stack@1"] == [
        "Move the ports to their new networks"
    ]
    back = previewed(life, instance, to(OWN))
    assert "on a network of the stack's own" in back["warnings"][0]
    assert {q["resource"]: q["needed"] for q in back["quota"] if q["needed"]} == {"ports": 3, "networks": 1}
    data = previewed(life, instance, to("left", "data-path-data1", "data1_network"))
    assert any("Nova 22.0 (Victoria)" in warning for warning in data["warnings"])
    assert management(cloud_snapshot(life, instance)) == {"left"}


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
@pytest.mark.parametrize("nth", [1, 2], ids=["first update", "second update"])
@pytest.mark.parametrize("way", [WAYS[0], WAYS[2]], ids=[NAMES[0], NAMES[2]])
def test_a_crash_moves_them_once(
    life: Lifecycle, break_cloud: Callable[..., Any], way: tuple[str, str], nth: int, after: bool
) -> None:
    start, end = way
    instance = brought(life, start)
    before = ids(cloud_snapshot(life, instance))
    op = life.start(instance, Operation.CHANGE_EXT_CONN, to(end))
    break_cloud("stacks.update", CrashError(), after=after, nth=nth)
    crash(life, op.id)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    assert ids(cloud_snapshot(life, instance)) == before
    assert management(cloud_snapshot(life, instance)) == {end or "-management"}
    assert_recorded(life, instance)


REFUSED = Rejected("sabotage", service="heat", http_status=400)
LOST = Rejected("sabotage", service="heat", http_status=500)
NO_SERVER = Rejected("sabotage", service="nova", http_status=400)
FIRST = [
    pytest.param(CallFailure("stacks.update", REFUSED), id="refused by Heat"),
    pytest.param(CallFailure("stacks.update", LOST, after=True), id="taken, and the answer lost"),
    pytest.param(CallFailure("servers.show", NO_SERVER), id="after the first update"),
]
SECOND = [
    pytest.param(CallFailure("stacks.update", REFUSED, nth=2), id="second update refused"),
    pytest.param(CallFailure("stacks.update", LOST, nth=2, after=True), id="second update taken, and the answer lost"),
    pytest.param(CallFailure("servers.show", NO_SERVER, nth=4), id="after the second update"),
]


def assert_rolls_back(
    life: Lifecycle, break_cloud: Callable[..., Any], way: tuple[str, str], failure: CallFailure
) -> None:
    instance = brought(life, way[0])
    before = rollback_state(life, instance)
    op = life.start(instance, Operation.CHANGE_EXT_CONN, to(way[1]))
    break_cloud(failure.call, failure.error, after=failure.after, nth=failure.nth)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert rollback_state(life, instance) == before
    assert_recorded(life, instance)
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert management(cloud_snapshot(life, instance)) == {way[0] or "-management"}


@pytest.mark.matrix(1)
@pytest.mark.parametrize("failure", FIRST)
@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_a_failure_rolls_back_to_the_old_networks(
    life: Lifecycle, break_cloud: Callable[..., Any], way: tuple[str, str], failure: CallFailure
) -> None:
    assert_rolls_back(life, break_cloud, way, failure)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("failure", SECOND)
@pytest.mark.parametrize("way", [WAYS[0], WAYS[2]], ids=[NAMES[0], NAMES[2]])
def test_a_failure_of_the_second_update_rolls_back_both(
    life: Lifecycle, break_cloud: Callable[..., Any], way: tuple[str, str], failure: CallFailure
) -> None:
    assert_rolls_back(life, break_cloud, way, failure)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("nth", [1, 2], ids=["first way back", "second way back"])
def test_a_crash_while_undoing_ends_on_the_old_networks(
    life: Lifecycle, break_cloud: Callable[..., Any], nth: int
) -> None:
    instance = life.instantiated()
    before = rollback_state(life, instance)
    op = life.start(instance, Operation.CHANGE_EXT_CONN, to("left"))
    break_cloud("servers.show", NO_SERVER, after=False, nth=4)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    break_cloud("stacks.update", CrashError(), after=True, nth=nth)
    with pytest.raises(CrashError):
        life.handle(op, "rollback")
    expire_lease(op.id)
    op = life.run(op.id)
    assert op.state == "ROLLED_BACK", life.story(op)
    assert rollback_state(life, instance) == before
    assert_recorded(life, instance)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("nth", [1, 2], ids=["first update", "second update"])
def test_a_failure_can_be_retried(life: Lifecycle, break_cloud: Callable[..., Any], nth: int) -> None:
    instance = life.instantiated()
    op = life.start(instance, Operation.CHANGE_EXT_CONN, to("left"))
    break_cloud("stacks.update", REFUSED, after=False, nth=nth)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP"
    op = life.handle(op, "retry")
    assert op.state == "COMPLETED", life.story(op)
    assert management(cloud_snapshot(life, instance)) == {"left"}
    assert_recorded(life, instance)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("end", ["left", "right", OWN], ids=["finished", "elsewhere", "taken back"])
def test_marked_failed_between_the_updates_the_next_change_continues(
    life: Lifecycle, break_cloud: Callable[..., Any], sdk: Connection, end: str
) -> None:
    instance = life.instantiated()
    servers = ids(cloud_snapshot(life, instance))
    op = life.start(instance, Operation.CHANGE_EXT_CONN, to("left"))
    break_cloud("stacks.update", REFUSED, after=False, nth=2)
    assert life.handle(life.run(op.id), "fail").state == "FAILED"
    settle_failed(op.id)
    assert_recorded(life, instance)
    assert management(cloud_snapshot(life, instance)) == {"left"}
    assert sdk.network.find_network(f"{instance.name}-management") is not None, "both are there"
    changed(life, instance, to(end))
    seen = cloud_snapshot(life, instance)
    assert (ids(seen), management(seen)) == (servers, {end or "-management"})
    assert (sdk.network.find_network(f"{instance.name}-management") is not None) is (end == OWN)
    assert_recorded(life, instance)
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


def refused(life: Lifecycle, instance: VnfInstance, request: dict[str, Any]) -> dict[str, str]:
    """Field to message, of a request that is refused when it is made."""
    with pytest.raises(ProblemError) as caught:
        life.start(instance, Operation.CHANGE_EXT_CONN, request)
    return {error.field: error.message for error in caught.value.problem.errors}


def test_invalid_changes_are_refused_at_their_field(life: Lifecycle) -> None:
    instance = life.instantiated()
    params = {
        "fabric_mtu": 1500,
        "management_ip_active": "10.10.0.20",
        "data1_cidr": "172.16.9.0/24",
        "anti_affinity": False,
        "image": "tiny",
        "data_path_flavor": "m1.tiny",
        "createFlavors": True,
        "colour": "red",
    }
    found = refused(life, instance, {**to("left"), "additionalParams": params})
    assert set(found) == {f"/additionalParams/{name}" for name in params}
    for name in ("fabric_mtu", "management_ip_active", "anti_affinity"):
        assert found[f"/additionalParams/{name}"].startswith("VMs get this when they are created")
    assert found["/additionalParams/data1_cidr"].startswith("A subnet of the stack has this")
    assert "use change_vnfpkg" in found["/additionalParams/image"]
    assert "use change_flavour" in found["/additionalParams/data_path_flavor"]
    place = "/extVirtualLinks/0/resourceId"
    assert "Fabric is internal to the VNF" in refused(life, instance, to("left", "control-fabric"))[place]
    strange = refused(life, instance, to("left", "control-antenna"))
    assert "no connection point 'control-antenna'" in strange["/extVirtualLinks/0/extCps/0/cpdId"]
    twice = {**to("left"), "additionalParams": {"management_network": "right"}}
    assert "is 'right' already" in refused(life, instance, twice)[place]
    assert not LcmOpOcc.objects.filter(operation=Operation.CHANGE_EXT_CONN).exists()


def test_a_flavor_that_the_cloud_lacks_is_refused_before_any_change(life: Lifecycle, sdk: Connection) -> None:
    instance = life.instantiated()
    before = rollback_state(life, instance)
    make_network(sdk, "narrow", "10.99.0.0/24")
    taken = make_network(sdk, "taken", "10.10.0.0/24")
    sdk.network.create_port(network_id=taken, name="other", fixed_ips=[{"ip_address": "10.10.0.11"}])
    make_network(sdk, "left", "10.10.0.0/24")
    for network, field, words in (
        ("nowhere", "/extVirtualLinks/0/resourceId", "'nowhere' is not a network that this project may use."),
        ("left", "/extVirtualLinks/0/resourceId", "'left' names several networks; give the id."),
        ("narrow", "/additionalParams/management_cidr", "has no subnet 10.10.0.0/24, but 10.99.0.0/24"),
        ("taken", "/additionalParams/management_ip_standby", "10.10.0.11 is taken on network taken, by port other."),
    ):
        op = life.run(life.start(instance, Operation.CHANGE_EXT_CONN, to(network)).id)
        assert op.state == "ROLLED_BACK", life.story(op)
        (error,) = op.problem["errors"]
        assert error["field"] == field
        assert words in error["message"]
    own = instance.virtual_links.get(vl_id="management").network_id
    assert "of this instance's own stack" in refused(life, instance, to(own))["/extVirtualLinks/0/resourceId"]
    assert rollback_state(life, instance) == before
