"""What an operation has changed: the difference of two pictures of the record."""

from dataclasses import replace

from vnfm.lcm.domain.affected import Picture, SeenLink, SeenVnfc, changes

A = SeenVnfc("control", "A", "pe-cpm-a", "server-a", "small", ("p1", "p2"), ("p1",))
ONE = SeenVnfc("data-path", "1", "pe-iom-1", "server-1", "small", ("p3",), ("p3",))
BEFORE = Picture("vnfd-1", {"a": A, "1": ONE}, {"fabric": SeenLink("fabric", "net-1")})
NOTHING: dict[str, list[object]] = {"vnfcs": [], "links": [], "ports": []}


def brief(found: dict[str, list[dict[str, object]]]) -> dict[str, dict[str, str]]:
    return {kind: {str(row["id"]): str(row["change"]) for row in rows} for kind, rows in found.items()}


def test_of_nothing_everything_is_added_and_back_to_nothing_everything_is_removed():
    empty = Picture("vnfd-1")
    everything = {"vnfcs": {"a", "1"}, "links": {"fabric"}, "ports": {"p1", "p3"}}
    for found, change in ((changes(empty, BEFORE, ()), "ADDED"), (changes(BEFORE, empty, ()), "REMOVED")):
        assert brief(found) == {kind: dict.fromkeys(ids, change) for kind, ids in everything.items()}


def test_what_stays_is_not_told():
    assert changes(BEFORE, BEFORE, ()) == NOTHING


def test_another_server_flavor_or_port_is_a_modification():
    for other in (replace(ONE, server_id="server-9"), replace(ONE, flavor_id="large")):
        assert brief(changes(BEFORE, replace(BEFORE, vnfcs={"a": A, "1": other}), ())) == {
            "vnfcs": {"1": "MODIFIED"},
            "links": {},
            "ports": {},
        }
    moved = replace(ONE, ports=("p9",), external=("p9",))
    assert brief(changes(BEFORE, replace(BEFORE, vnfcs={"a": A, "1": moved}), ())) == {
        "vnfcs": {"1": "MODIFIED"},
        "links": {},
        "ports": {"p3": "REMOVED", "p9": "ADDED"},
    }


def test_what_was_rebuilt_in_place_looks_the_same_and_is_told():
    found = changes(BEFORE, replace(BEFORE, vnfd_id="vnfd-2"), [("control", "A")])
    assert brief(found)["vnfcs"] == {"a": "MODIFIED"}
    assert found["vnfcs"][0]["vnfd_id"] == "vnfd-2"


def test_what_is_gone_belongs_to_the_descriptor_of_before():
    after = Picture("vnfd-2", {"a": A}, BEFORE.links)
    assert changes(BEFORE, after, ())["vnfcs"][0]["vnfd_id"] == "vnfd-1"


def test_a_picture_survives_storage():
    assert changes(Picture.from_json(BEFORE.as_json()), BEFORE, ()) == NOTHING
