from dataclasses import replace
from ipaddress import IPv4Network
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hot.constraints import Constraint
from vnfm.catalog.domain.settings import effective_settings, network_errors, validate_settings
from vnfm.catalog.domain.vnfd import AddressPlan, Setting, Vnfd
from vnfm.clouds.types import Network, Subnet


def setting(name, kind="string", default="", **fields):
    label = name.replace("_", " ").capitalize()
    given = {"label": label, "description": "", "group": "", "required": False} | fields
    return Setting(name=name, type=kind, default=default, **given)


def vnfd(*settings, plans=()):
    return Vnfd(
        vnfd_id=UUID(int=1),
        provider="Example",
        product_name="Router",
        software_version="1.0",
        vnfd_version="1.0",
        description="",
        notes=(),
        hot_template="base.yaml",
        hot_environment="base.env",
        hot_files={},
        vdus=(),
        virtual_links=(),
        software_images=(),
        flavours=(),
        settings=settings,
        address_plans=plans,
    )


def messages(descriptor, values):
    return {
        error.field.removeprefix("/additionalParams/"): error.message for error in validate_settings(descriptor, values)
    }


ROUTER = vnfd(
    setting("cidr", default="192.0.2.0/24", format="cidr"),
    setting("gateway", default="192.0.2.1", format="ipv4"),
    setting("active", default="192.0.2.10", format="ipv4"),
    setting("standby", default="192.0.2.11", format="ipv4"),
    plans=(AddressPlan("cidr", ("active", "standby"), "gateway"),),
)


def test_defaults_are_valid_and_complete():
    assert validate_settings(ROUTER, {}) == []
    assert effective_settings(ROUTER, {"active": "192.0.2.20", "standby": None, "unknown": 1}) == {
        "cidr": "192.0.2.0/24",
        "gateway": "192.0.2.1",
        "active": "192.0.2.20",
        "standby": "192.0.2.11",
    }


def test_an_unknown_name_is_refused_with_the_nearest_known_one():
    assert messages(ROUTER, {"gatewy": "192.0.2.1"}) == {
        "gatewy": "Router 1.0 has no setting 'gatewy'. Did you mean gateway?"
    }


def test_the_pointer_is_escaped():
    assert validate_settings(ROUTER, {"a/b~c": 1})[0].field == "/additionalParams/a~1b~0c"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("string", ["", "text"], [1, True, [], {}]),
        ("number", [0, -1, 1.5], ["1", True, []]),
        ("boolean", [True, False], ["true", 1, 0]),
        ("list", [[], ["a"], "a,b"], [1, [1], {}]),
        ("json", [{}, [], {"a": 1}], ["{}", 1, True]),
    ],
)
def test_types(kind, good, bad):
    descriptor = vnfd(setting("x", kind, None))
    assert all(messages(descriptor, {"x": value}) == {} for value in good)
    assert all("does not fit" in messages(descriptor, {"x": value})["x"] for value in bad)


def test_a_setting_without_default_is_required():
    descriptor = vnfd(setting("x", default=None, required=True))
    assert messages(descriptor, {}) == {"x": "X is required."}
    assert messages(descriptor, {"x": "here"}) == {}


@pytest.mark.parametrize(
    ("constraint", "kind", "good", "bad"),
    [
        (Constraint("length", {"min": 2, "max": 3}), "string", ["ab", "abc"], ["a", "abcd"]),
        (Constraint("range", {"min": 1400, "max": 9000}), "number", [1400, 9000], [1399, 9001]),
        (Constraint("range", {"min": 1}), "number", [10**9], [0]),
        (Constraint("allowed_values", ["direct", "normal"]), "string", ["direct"], ["Direct", "x"]),
        (Constraint("allowed_values", ["a", "b"]), "list", [["a", "b"], []], [["a", "c"]]),
        (Constraint("allowed_pattern", "[a-z]+"), "string", ["abc"], ["ab1", "1ab"]),
        (Constraint("custom_constraint", "nova.flavor"), "string", ["whatever"], []),
    ],
)
def test_constraints(constraint, kind, good, bad):
    descriptor = vnfd(setting("x", kind, None, constraints=(constraint,)))
    assert all(messages(descriptor, {"x": value}) == {} for value in good)
    assert all("x" in messages(descriptor, {"x": value}) for value in bad)


def test_a_constraints_description_is_in_the_message():
    descriptor = vnfd(setting("x", "number", 1, constraints=(Constraint("range", {"max": 9}, "Nine is the end."),)))
    assert messages(descriptor, {"x": 10}) == {"x": "10 is not accepted: Nine is the end."}


def test_an_empty_optional_value_is_a_choice_not_a_mistake():
    address = setting("x", format="ipv4")
    assert messages(vnfd(address), {"x": ""}) == {}
    assert "x" in messages(vnfd(replace(address, default="192.0.2.1")), {"x": ""})


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"cidr": "192.0.2.1/24"}, {"cidr": "'192.0.2.1/24' names a host; the network is 192.0.2.0/24."}),
        ({"cidr": "192.0.2.0"}, {"cidr": "'192.0.2.0' has no prefix length; write it as 192.0.2.0/24, for instance."}),
        ({"cidr": "nonsense"}, {"cidr": "'nonsense' is not an IPv4 network in CIDR form such as 192.0.2.0/24."}),
        (
            {"cidr": "2001:db8::/64"},
            {"cidr": "'2001:db8::/64' is not an IPv4 network in CIDR form such as 192.0.2.0/24."},
        ),
        ({"active": "192.0.2.300"}, {"active": "'192.0.2.300' is not an IPv4 address such as 192.0.2.10."}),
        ({"active": "192.0.3.10"}, {"active": "192.0.3.10 is not in the network 192.0.2.0/24."}),
        (
            {"active": "192.0.2.0"},
            {"active": "192.0.2.0 is the network address of 192.0.2.0/24; take one of its hosts."},
        ),
        (
            {"active": "192.0.2.255"},
            {"active": "192.0.2.255 is the broadcast address of 192.0.2.0/24; take one of its hosts."},
        ),
        ({"active": "192.0.2.1"}, {"active": "192.0.2.1 is the gateway's address (gateway)."}),
        ({"active": "192.0.2.11"}, {"standby": "192.0.2.11 is already used by active."}),
        ({"gateway": "192.0.9.1"}, {"gateway": "192.0.9.1 is not in the network 192.0.2.0/24."}),
    ],
)
def test_addresses_must_agree(values, wrong):
    assert messages(ROUTER, values) == wrong


@given(
    st.builds(lambda base, length: IPv4Network((base, length), strict=False), st.ip_addresses(v=4), st.integers(8, 29)),
    st.data(),
)
def test_any_three_different_hosts_of_any_network_fit(network, data):
    host = st.integers(int(network.network_address) + 1, int(network.broadcast_address) - 1)
    numbers = data.draw(st.lists(host, min_size=3, max_size=3, unique=True))
    gateway, active, standby = (str(network[number - int(network.network_address)]) for number in numbers)
    assert messages(ROUTER, {"cidr": str(network), "gateway": gateway, "active": active, "standby": standby}) == {}


@pytest.mark.parametrize(
    ("cidrs", "refused"),
    [(["192.0.2.0/24"], False), (["203.0.113.0/24"], True), ([], False), (["a", "192.0.2.0/24"], False)],
)
def test_an_existing_network_must_have_the_subnet(cidrs, refused):
    descriptor = replace(ROUTER, address_plans=(replace(ROUTER.address_plans[0], virtual_link="management"),))
    subnets = tuple(Subnet("s", "n", "", cidr, "", 4, False) for cidr in cidrs)
    network = Network("n", "office", "ACTIVE", external=False, shared=True, subnets=subnets)
    settings = effective_settings(descriptor, {})
    errors = network_errors(descriptor, "management", settings, network)
    assert [(error.field, error.message) for error in errors] == (
        [("/additionalParams/cidr", "Network office has no subnet 192.0.2.0/24, but 203.0.113.0/24.")]
        if refused
        else []
    )
    assert network_errors(descriptor, "fabric", settings, network) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["cidr", "gateway", "active", "standby", "other"]), json_values))
def test_no_value_that_json_can_carry_makes_the_check_fail(values):
    validate_settings(ROUTER, values)


def test_the_default_of_a_setting_may_be_another_settings_value():
    one = vnfd(setting("cidr", default="10.10.0.0/24"), setting("access", default="0.0.0.0/0", follows="cidr"))
    assert effective_settings(one, {})["access"] == "10.10.0.0/24"
    assert effective_settings(one, {"cidr": "192.0.2.0/24"})["access"] == "192.0.2.0/24"
    assert effective_settings(one, {"cidr": "192.0.2.0/24", "access": "198.51.100.0/24"})["access"] == "198.51.100.0/24"
