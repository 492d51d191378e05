"""What is shown of a map: closed groups with sums, kinds, a site or an instance with what it is linked with."""

import pytest

from tests.unit.topology.worlds import NOW, cloud, element, instance, lldp, network, port, site, vm
from vnfm.topology.domain.build import whole
from vnfm.topology.domain.fold import Map, Shown, Wanted, folded
from vnfm.topology.domain.graph import Kind
from vnfm.topology.domain.world import AlarmRow, World

WORLD = World(
    clouds=(cloud(),),
    instances=(instance("v1"), instance("v2")),
    vms=(vm("a"), vm("b", "SHUTOFF"), vm("c", instance_id="v2", host="h2")),
    ports=(port("a"), port("b", "DOWN"), port("c")),
    networks=(network(), network(instance_id="v2")),
    sites=(site("s1"), site("s2")),
    elements=(element("ne1"), element("ne2"), element("ne3", "False", site_id="s2")),
    adjacencies=(
        lldp("ne1", "1/1/1", "ne2", "1/1/1"),
        lldp("ne1", "1/1/2", "ne3", "1/1/2"),
        lldp("ne2", "1/1/3", "ne3", "1/1/3", state="LOST"),
    ),
    alarms=(
        AlarmRow("VNF_INSTANCE", "v1", "CRITICAL", 1, ("b",)),
        AlarmRow("VNF_INSTANCE", "v1", "MAJOR", 2),
        AlarmRow("VIM", "c1", "WARNING", 1, (), "h1"),
        AlarmRow("NETWORK_ELEMENT", "ne3", "MINOR", 4),
    ),
)


def shown(*expand: str, site: str = "", instance: str = "", kinds: frozenset[Kind] = frozenset()) -> Map:
    return folded(whole(WORLD, "all", NOW), Wanted(site, instance, kinds, frozenset(expand)))


def ids(found: Map) -> set[str]:
    return {each.node.id for each in found.nodes}


def one(found: Map, key: str) -> Shown:
    return next(each for each in found.nodes if each.node.id == key)


def links(found: Map) -> dict[tuple[str, str, str], tuple[int, str]]:
    return {
        (d.link.kind.value, d.link.source, d.link.target): (d.count, d.link.standing.state.value) for d in found.links
    }


def test_closed_groups_stand_for_all_that_is_in_them() -> None:
    found = shown()
    assert ids(found) == {"cloud:c1", "site:s1", "site:s2"}
    assert links(found) == {("LLDP", "site:s1", "site:s2"): (2, "DEGRADED")}
    group = one(found, "cloud:c1").group
    assert group is not None
    assert (group.open, dict(group.members)) == (False, {"HOST": 2, "INSTANCE": 2, "VM": 3, "NETWORK": 1})
    assert dict(group.states) == {"UNKNOWN": 2, "UP": 2, "DOWN": 1}
    assert dict(group.links) == {"UP": 2, "DOWN": 1}


def test_alarms_add_up_and_the_worst_shows() -> None:
    found = shown()
    assert (one(found, "cloud:c1").alarms, one(found, "cloud:c1").severity) == (4, "CRITICAL")
    assert (one(found, "site:s2").alarms, one(found, "site:s2").severity) == (4, "MINOR")
    assert (one(found, "site:s1").alarms, one(found, "site:s1").severity) == (0, "")
    opened = shown("all")
    assert (one(opened, "vm:b").alarms, one(opened, "instance:v1").alarms) == (1, 3)
    assert (one(opened, "vm:a").alarms, one(opened, "host:c1:h1").alarms) == (0, 1)


def test_an_open_group_shows_what_is_in_it_and_stays() -> None:
    found = shown("cloud:c1", "instance:v1")
    assert ids(found) == {
        *("cloud:c1", "site:s1", "site:s2", "instance:v1", "instance:v2"),
        *("host:c1:h1", "host:c1:h2", "network:c1:n1", "vm:a", "vm:b"),
    }
    group = one(found, "cloud:c1").group
    assert group is not None
    assert group.open
    assert links(found)["ATTACHMENT", "instance:v2", "network:c1:n1"] == (1, "UP")
    assert links(found)["ATTACHMENT", "vm:b", "network:c1:n1"] == (1, "DOWN")


def test_a_group_in_a_closed_group_stays_hidden() -> None:
    assert ids(shown("instance:v1")) == ids(shown())


def test_a_link_between_one_member_and_a_group_is_told_with_its_ends() -> None:
    found = shown("site:s1")
    assert links(found)["LLDP", "element:ne1", "element:ne2"] == (1, "UP")
    assert links(found)["LLDP", "element:ne2", "site:s2"] == (1, "DOWN")


def test_everything_open() -> None:
    found = shown("all")
    assert len(found.nodes) == sum(found.totals.values()) == 14
    assert all(drawn.count == 1 for drawn in found.links)


def test_kinds_leave_out_the_others_and_what_stood_in_them_moves_up() -> None:
    found = shown("all", kinds=frozenset({Kind.CLOUD, Kind.VM}))
    assert ids(found) == {"cloud:c1", "vm:a", "vm:b", "vm:c"}
    assert {each.node.parent for each in found.nodes} == {"", "cloud:c1"}
    assert found.links == ()
    assert found.totals["HOST"] == 2


@pytest.mark.parametrize(
    ("wanted", "left_out"),
    [
        ({"site": "s2"}, {"cloud:c1", "vm:a"}),
        ({"instance": "v2"}, {"site:s1", "vm:a", "vm:b", "instance:v1", "host:c1:h1"}),
    ],
)
def test_a_part_is_shown_with_what_it_is_linked_with(wanted: dict[str, str], left_out: set[str]) -> None:
    found = shown("all", **wanted)
    assert not ids(found) & left_out
    if "site" in wanted:
        assert ids(found) == {"site:s1", "site:s2", "element:ne1", "element:ne2", "element:ne3"}
        assert ("LLDP", "element:ne1", "element:ne2") not in links(found)
    else:
        assert ids(found) == {"cloud:c1", "instance:v2", "vm:c", "network:c1:n1", "host:c1:h2"}
