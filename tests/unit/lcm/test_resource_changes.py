"""The resourceChanges of an operation: the difference of two snapshots of the record."""

from dataclasses import asdict, replace

from vnfm.lcm.domain.resource_changes import (
    ExternalSnapshot,
    LinkSnapshot,
    ResourceSnapshot,
    VnfcSnapshot,
    resource_changes,
)

A = VnfcSnapshot("control", "A", "pe-cpm-a", "server-a", "small", ("p1", "p2"), ("p1",))
ONE = VnfcSnapshot("data-path", "1", "pe-iom-1", "server-1", "small", ("p3",), ("p3",))
BEFORE = ResourceSnapshot("vnfd-1", {"a": A, "1": ONE}, {"fabric": LinkSnapshot("fabric", "net-1")})
NOTHING: dict[str, list[object]] = {"vnfcs": [], "links": [], "ports": [], "externals": []}


def brief(found: dict[str, list[dict[str, object]]]) -> dict[str, dict[str, str]]:
    kinds = ("vnfcs", "links", "ports")
    return {kind: {str(row["id"]): str(row["change"]) for row in found[kind]} for kind in kinds}


def test_from_nothing_all_is_added_and_back_to_nothing_all_is_removed():
    empty = ResourceSnapshot("vnfd-1")
    everything = {"vnfcs": {"a", "1"}, "links": {"fabric"}, "ports": {"p1", "p3"}}
    for found, change in (
        (resource_changes(empty, BEFORE, ()), "ADDED"),
        (resource_changes(BEFORE, empty, ()), "REMOVED"),
    ):
        assert brief(found) == {kind: dict.fromkeys(ids, change) for kind, ids in everything.items()}


def test_unchanged_resources_are_not_listed():
    assert resource_changes(BEFORE, BEFORE, ()) == NOTHING


def test_another_server_flavor_or_port_is_a_modification():
    for other in (replace(ONE, server_id="server-9"), replace(ONE, flavor_id="large")):
        assert brief(resource_changes(BEFORE, replace(BEFORE, vnfcs={"a": A, "1": other}), ())) == {
            "vnfcs": {"1": "MODIFIED"},
            "links": {},
            "ports": {},
        }
    moved = replace(ONE, ports=("p9",), external=("p9",))
    assert brief(resource_changes(BEFORE, replace(BEFORE, vnfcs={"a": A, "1": moved}), ())) == {
        "vnfcs": {"1": "MODIFIED"},
        "links": {},
        "ports": {"p3": "REMOVED", "p9": "ADDED"},
    }


def test_a_rebuild_in_place_is_a_modification():
    found = resource_changes(BEFORE, replace(BEFORE, vnfd_id="vnfd-2"), [("control", "A")])
    assert brief(found)["vnfcs"] == {"a": "MODIFIED"}
    assert found["vnfcs"][0]["vnfd_id"] == "vnfd-2"


def test_a_removed_vnfc_belongs_to_the_old_vnfd():
    after = ResourceSnapshot("vnfd-2", {"a": A}, BEFORE.links)
    assert resource_changes(BEFORE, after, ())["vnfcs"][0]["vnfd_id"] == "vnfd-1"


def test_changed_external_links():
    left = ExternalSnapshot("ext-1", "ext-1", "net-left", ({"id": "p1", "cp_id": "management"},))
    before = replace(BEFORE, externals={"management": left, "data": replace(left, id="9", external_id="")})
    for changes in ({"id": "ext-2"}, {"network_id": "net-right"}, {"ports": ()}):
        moved = replace(left, **changes)
        found = resource_changes(before, replace(before, externals={**before.externals, "management": moved}), ())
        assert found["externals"] == [asdict(moved)]
    assert resource_changes(before, BEFORE, ())["externals"] == [], "what is gone has nothing to show"
    assert resource_changes(ResourceSnapshot.from_json(before.as_json()), before, ()) == NOTHING


def test_a_snapshot_survives_storage():
    assert resource_changes(ResourceSnapshot.from_json(BEFORE.as_json()), BEFORE, ()) == NOTHING
