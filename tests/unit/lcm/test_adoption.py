"""Whether a stack is what a package would have made, and what it was given."""

from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

import pytest

from tests.factories.packages import vsr_files, with_manifest
from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.package import read_package
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.types import StackResource
from vnfm.lcm.domain.adoption import (
    AdoptedLayout,
    Adoption,
    HotTemplate,
    StackMember,
    created_links,
    match_layout,
    missing_resources,
    non_default_settings,
    stack_parameters,
    template_warnings,
)
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, Rejection
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.domain.validation import validate

PIECES = {
    "cpm_a": "OS::Nova::Server",
    "cpm_b": "OS::Nova::Server",
    "data_path": "OS::Heat::ResourceGroup",
    "management_vl": "VSR::ManagementNetwork",
    "fabric_vl": "VSR::FabricNetwork",
    "data1_vl": "VSR::Data1Network",
    "data2_vl": "VSR::Data2Network",
    "control_placement": "VSR::ControlPlacement",
} | {f"cpm_{slot}_{net}_port": "OS::Neutron::Port" for slot in "ab" for net in ("management", "fabric")}
CONTROL = [StackMember("control", 0, "A"), StackMember("control", 1, "B")]


@cache
def vsr() -> Vnfd:
    files = with_manifest(vsr_files())
    infos = {path: FileInfo(sha256(data).hexdigest(), len(data)) for path, data in files.items()}
    return read_package(Content(infos, files.__getitem__)).vnfd


def validated(vnfd: Vnfd | None = None, **request: Any) -> Any:
    return validate(OperationRequest(InstantiateVnfRequest.of(request), vnfd or vsr(), InstanceState()))


def hidden(name: str) -> Vnfd:
    settings = tuple(replace(s, hidden=s.name == name) for s in vsr().settings)
    return replace(vsr(), settings=settings)


def errors(result: Any) -> set[str]:
    assert isinstance(result, Rejection)
    return {error.field for error in result.errors}


def test_a_request_names_the_stack_and_nothing_that_is_read_from_it() -> None:
    found = validated(additionalParams={"adoptStack": "s"})
    assert isinstance(found, Adoption)
    assert (found.stack_id, found.flavours) == ("s", vsr().flavours)
    wrong = validated(
        flavourId="other",
        instantiationLevelId="small",
        additionalParams={"adoptStack": 7, "fabric_mtu": 1500, "createFlavors": False},
    )
    assert errors(wrong) == {
        "/flavourId",
        "/instantiationLevelId",
        "/additionalParams/adoptStack",
        "/additionalParams/fabric_mtu",
        "/additionalParams/createFlavors",
    }


def test_all_hidden_settings_and_no_others_are_required() -> None:
    vnfd = hidden("license_file")
    assert errors(validated(vnfd, additionalParams={"adoptStack": "s"})) == {"/additionalParams/license_file"}
    assert errors(validated(vnfd, additionalParams={"adoptStack": "s", "license_file": "a b"})) == {
        "/additionalParams/license_file"
    }
    assert isinstance(validated(vnfd, additionalParams={"adoptStack": "s", "license_file": "cf3:/l"}), Adoption)


def test_every_missing_piece_is_named() -> None:
    assert missing_resources(vsr(), PIECES) == []
    assert missing_resources(vsr(), PIECES | {"more": "OS::Heat::None"}) == []
    lacking = {name: kind for name, kind in PIECES.items() if name not in ("cpm_b", "fabric_vl")}
    assert missing_resources(vsr(), lacking) == [
        "It has no resource cpm_b of type OS::Nova::Server.",
        "It has no resource of type VSR::FabricNetwork.",
    ]
    assert missing_resources(vsr(), PIECES | {"data_path": "OS::Nova::Server"}) == [
        "Its resource data_path is of type OS::Nova::Server, not OS::Heat::ResourceGroup."
    ]


def test_a_port_that_there_is_only_by_a_setting_is_not_missed() -> None:
    links = tuple(
        replace(link, number_setting="ports", from_number=2) if link.id == "fabric" else link
        for link in vsr().virtual_links
    )
    vnfd = replace(vsr(), virtual_links=links)
    lacking = {name: kind for name, kind in PIECES.items() if not name.endswith("_fabric_port")}
    assert missing_resources(vnfd, lacking) == []
    assert len(missing_resources(vsr(), lacking)) == 2


def laid_out(*data_path: StackMember) -> AdoptedLayout:
    found = match_layout(vsr(), vsr().flavours, [*CONTROL, *data_path])
    assert isinstance(found, AdoptedLayout), found
    return found


def test_scale_level_and_instantiation_level_follow_from_the_counts() -> None:
    one = laid_out(StackMember("data-path", 0, "1"))
    assert (one.level_id, one.scale_levels) == ("default", {"data-path": 0})
    two = laid_out(StackMember("data-path", 0, "1"), StackMember("data-path", 1, "2"))
    assert (two.level_id, two.scale_levels) == ("", {"data-path": 1})


def test_slots_are_the_servers_own_and_else_the_lowest_free() -> None:
    found = laid_out(
        StackMember("data-path", 0, ""),
        StackMember("data-path", 2, "1"),
        StackMember("data-path", 5, "99"),
        StackMember("data-path", 7, "1"),
    )
    roster = found.rosters["data-path"]
    assert roster.slots == {0: "2", 2: "1", 5: "3", 7: "4"}
    assert roster.next_index == 8
    assert found.rosters["control"].slots == {0: "A", 1: "B"}


@pytest.mark.parametrize("count", [0, 21])
def test_counts_that_no_level_has_are_refused(count: int) -> None:
    members = [StackMember("data-path", index, "") for index in range(count)]
    found = match_layout(vsr(), vsr().flavours, [*CONTROL, *members])
    assert isinstance(found, Rejection)
    assert f"{count} data-path" in found.errors[0].message


def test_half_a_pair_is_refused() -> None:
    assert isinstance(match_layout(vsr(), vsr().flavours, [CONTROL[0], StackMember("data-path", 0, "")]), Rejection)


STACK = {
    "OS::stack_id": "s",
    "fabric_mtu": "1500",
    "anti_affinity": "False",
    "open_port_attributes": '{"port_security_enabled": false}',
    "data_path_count": "2",
    "data_path_slots": '{"0": "3"}',
    "data_path_removals": "4, 5",
    "license_file": "******",
    "vnf_name": "handmade",
    "management_cidr": "10.10.0.0/24",
    "unheard_of": "x",
}
DECLARED = STACK.keys() - {"OS::stack_id", "unheard_of"}


def test_parameters_get_their_types_back_without_hidden_and_unknown_ones() -> None:
    assert stack_parameters(hidden("license_file"), DECLARED, STACK) == {
        "fabric_mtu": 1500,
        "anti_affinity": False,
        "open_port_attributes": {"port_security_enabled": False},
        "data_path_count": 2,
        "data_path_slots": {"0": "3"},
        "data_path_removals": ["4", "5"],
        "vnf_name": "handmade",
        "management_cidr": "10.10.0.0/24",
    }


def test_a_value_that_cannot_be_of_the_packages_type_is_named() -> None:
    with pytest.raises(ValueError, match="fabric_mtu is 'wide'"):
        stack_parameters(vsr(), DECLARED, {"fabric_mtu": "wide"})


def test_settings_are_values_other_than_the_defaults() -> None:
    assert non_default_settings(vsr(), stack_parameters(vsr(), DECLARED, STACK)) == {
        "fabric_mtu": 1500,
        "anti_affinity": False,
        "license_file": "******",
    }


def test_a_created_network_belongs_to_its_link() -> None:
    links = [StackResource(name, PIECES[name], "n", "", "", ()) for name in ("fabric_vl", "data1_vl")]
    made = StackResource("made", "OS::Neutron::Net", "n", "", "", ("fabric_vl",))
    assert created_links(vsr(), [*links, made]) == {"fabric"}


def test_templates_are_compared_by_the_effect_of_the_next_update() -> None:
    package = HotTemplate({"a": {}}, {"one": {"type": "X"}, "two": {"type": "Y"}})
    assert template_warnings(package, package) == []
    stack = HotTemplate({"a": {}, "b": {}}, {"one": {"type": "Z"}, "three": {}})
    warnings = " ".join(template_warnings(stack, package))
    for text in ("three: the next stack update deletes", "two: its next update creates", "one differently", "b:"):
        assert text in warnings
