"""Import of a CSAR with SOL001 and HOT as one of our packages."""

import re
from dataclasses import replace
from hashlib import sha256
from io import BytesIO

import pytest
import yaml

from tests.factories.corpus import corpus_files, joint_masters_and_workers
from tests.factories.csars import csar_files, imported, replaced, tacker_files
from tests.factories.templates import content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.csar.derive import derive_csar
from vnfm.catalog.domain.csar.meta import find_csar
from vnfm.catalog.domain.placeholder import placeholder_qcow2

DF = "Definitions/edge_df_simple.yaml"
HOT = "BaseHOT/simple/edge_hot.yaml"


def codes(derived, severity="warning"):
    return {finding.code for finding in derived.findings if finding.severity == severity}


def findings_with(derived, code):
    return [finding for finding in derived.findings if finding.code == code]


@pytest.fixture(scope="module")
def tacker():
    return imported(tacker_files())


@pytest.fixture(scope="module")
def cbam():
    return imported(csar_files("cbam"))


def test_identity_is_that_of_sol001(tacker):
    vnfd = tacker[1].vnfd
    assert str(vnfd.vnfd_id) == "1f2c7a52-6a53-4d6c-9c40-0d0f3c4b5a01"
    assert (vnfd.provider, vnfd.product_name) == ("Example Networks", "Edge Firewall")
    assert (vnfd.software_version, vnfd.vnfd_version) == ("7.1", "2.0")
    assert not findings_with(tacker[0], "DERIVE_IDENTITY")


def test_vdus_by_sol001_on_resources_of_the_hot(tacker):
    vdus = {vdu.id: vdu for vdu in tacker[1].vnfd.vdus}
    assert set(vdus) == {"control", "firewall"}
    firewall, control = vdus["firewall"], vdus["control"]
    assert (firewall.name, firewall.hot_group) == ("Firewall VM", "firewall_scale_group")
    assert (control.name, control.hot_members) == ("Control VM", ("control/control",))
    assert (firewall.needs.vcpus, firewall.needs.memory_mib, firewall.needs.cpu_policy) == (4, 8192, "dedicated")
    assert (control.needs.vcpus, control.needs.memory_mib, control.needs.disk_gib) == (2, 4096, 20)
    assert (firewall.minimum, firewall.maximum) == (1, 3)
    assert firewall.flavor_parameter == "firewall_computeFlavourId"
    assert not findings_with(tacker[0], "DERIVE_NEEDS")


def test_aspects_and_levels_by_sol001_on_a_count_of_the_hot(tacker):
    (flavour,) = tacker[1].vnfd.flavours
    assert (flavour.id, flavour.default_level) == ("simple", "lone")
    (aspect,) = flavour.aspects
    (delta,) = aspect.deltas
    assert (aspect.id, aspect.name, delta.vdu_id) == ("throughput", "Throughput", "firewall")
    assert (delta.step, aspect.max_scale_level) == (1, 2)
    assert delta.count_parameter == "firewall_desired_capacity"
    assert delta.removals_parameter == "firewall_scale_group_removals"
    assert [(level.id, dict(level.scale_levels)) for level in flavour.levels] == [
        ("lone", {"throughput": 0}),
        ("all", {"throughput": 2}),
    ]


def test_connection_points_and_links(tacker):
    vnfd = tacker[1].vnfd
    points = {point.id: point for vdu in vnfd.vdus for point in vdu.connection_points}
    assert set(points) == {"control_inside", "firewall_inside", "firewall_outside"}
    links = {link.id: link for link in vnfd.virtual_links}
    assert set(links) == {"inside", "virtual_link_outside"}
    assert links["inside"].internal
    assert links["virtual_link_outside"].network_parameter == "firewall_outside_network"
    assert {point.virtual_link for point in points.values()} == set(links)


def test_values_for_another_manager_become_parameters(tacker):
    vnfd = tacker[1].vnfd
    assert vnfd.hot_template == "BaseHOT/simple/edge_hot-flat.yaml"
    assert "BaseHOT/simple/nested/firewall.yaml" in vnfd.hot_files.values()
    settings = {setting.name: setting for setting in vnfd.settings}
    assert settings["firewall_vcImageId"].format == "image"
    assert settings["firewall_vcImageId"].label == "firewall: image"
    assert settings["firewall_outside_network"].required
    assert settings["control_locationConstraints"].default == ""
    assert "firewall_desired_capacity" not in settings
    assert len(findings_with(tacker[0], "CSAR_FLATTENED")) >= 8


def test_unsupported_parts_give_findings_with_lines(tacker):
    assert codes(tacker[0]) == {"SOL001_SCRIPT", "SOL001_POLICY", "SOL001_IMAGE"}
    (script,), (policy,) = findings_with(tacker[0], "SOL001_SCRIPT"), findings_with(tacker[0], "SOL001_POLICY")
    lines = tacker_files()[DF].decode().splitlines()
    assert (script.file, lines[script.line - 1].strip()) == (DF, "implementation: notify-driver")
    assert policy.file == DF
    assert "AntiAffinityRule" in policy.message


def test_indicators_of_sol001_and_what_is_observed():
    """SOL001 6.8.1.10: an output of a notification of the VNF's interface is an indicator."""
    types = "Definitions/edge_types.yaml"
    written = (
        csar_files("tacker")[types]
        .decode()
        .replace(
            "node_types:\n  example.networks.Edge:\n",
            "interface_types:\n"
            "  example.networks.Indicators:\n"
            "    derived_from: tosca.interfaces.nfv.VnfIndicator\n"
            "    notifications: {sessions: {description: Sessions}}\n"
            "node_types:\n"
            "  example.networks.Edge:\n"
            "    interfaces:\n"
            "      Indicators:\n"
            "        type: example.networks.Indicators\n"
            "        notifications:\n"
            "          load: {outputs: {VCpuUsageMeanVnf: [SELF, VCpuUsageMeanVnf]}}\n",
        )
    )
    derived, package = imported(tacker_files({types: written.encode()}))
    assert codes(derived, "error") == set()
    assert [(each.id, each.source) for each in package.vnfd.indicators] == [
        ("state", "state"),
        ("vnfcs", "vnfcs"),
        ("alarms", "alarms"),
        ("VCpuUsageMeanVnf", "VCpuUsageMeanVnf"),
        ("sessions", ""),
    ]


def test_the_same_csar_gives_the_same_package(tacker):
    assert imported(tacker_files())[0] == tacker[0]


def test_an_image_in_the_csar_is_the_vdu_s():
    from vnfm.catalog.domain.placeholder import placeholder_qcow2

    node = "    firewall:\n      type: tosca.nodes.nfv.Vdu.Compute\n"
    artifact = "sw_image: {type: tosca.artifacts.nfv.SwImage, file: ../Files/images/edge.qcow2}"
    definition = csar_files("tacker")[DF].decode().replace(node, f"{node}      artifacts:\n        {artifact}\n")
    _, package = imported(tacker_files({DF: definition.encode(), "Files/images/edge.qcow2": placeholder_qcow2()}))
    (image,) = [image for image in package.vnfd.software_images if not image.placeholder]
    assert (image.path, image.disk_format, image.min_disk_gib) == ("Files/images/edge.qcow2", "qcow2", 8)
    assert package.vnfd.vdu("firewall").software_image == image.id


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        (
            "    firewall:\n      type: tosca.nodes.nfv.Vdu.Compute",
            "    other:\n      type: example.Thing\n    firewall:\n      type: tosca.nodes.nfv.Vdu.Compute",
            "SOL001_NODE",
            "example.Thing",
        ),
        ("max_number_of_instances: 3", "max_number_of_instances: 9", "SOL001_SIZE", "narrower"),
        ("max_scale_level: 2", "max_scale_level: 7", "SOL001_SIZE", "room for 2"),
        ("scale_level: 2}", "scale_level: 1}", "SOL001_SIZE", "contradict each other"),
        (
            "        targets: [firewall]\n    - instantiation",
            "        targets: [control]\n    - instantiation",
            "SOL001_SIZE",
            "no group",
        ),
        (
            "        - virtual_binding: control\n        - virtual_link: inside",
            "        - virtual_binding: control\n        - virtual_link: elsewhere",
            "SOL001_CONNECTION",
            "in the HOT",
        ),
    ],
)
def test_a_setting_that_the_hot_cannot_follow_is_a_warning(old, new, code, words):
    derived, package = imported(replaced(DF, old, new))
    assert package is not None
    assert any(words in finding.message and finding.line > 0 for finding in findings_with(derived, code)), (
        derived.findings
    )


def test_a_vdu_without_a_server_and_a_server_without_a_vdu():
    files = replaced(DF, "    control:\n      type", "    manager_a:\n      type")
    more = "    manager_b:\n      type: tosca.nodes.nfv.Vdu.Compute\n      properties: {name: b}\n"
    extra = files[DF].decode().replace("    firewall:\n      type", f"{more}    firewall:\n      type")
    derived, package = imported(tacker_files({DF: extra.encode()}))
    messages = [finding.message for finding in findings_with(derived, "SOL001_VDU")]
    assert any("manager_a" in message for message in messages)
    assert any("manager_b" in message for message in messages)
    assert any("Control" in message and "derived" in message for message in messages)
    assert {vdu.id for vdu in package.vnfd.vdus} == {"firewall", "control"}


def test_without_a_hot_it_is_refused():
    files = {path: data for path, data in csar_files("tacker").items() if not path.startswith("BaseHOT")}
    derived, package = imported(files | {"edge.mf": b"metadata:\n"})
    assert package is None
    assert codes(derived, "error") == {"CSAR_NO_HOT"}
    assert "Helm" in findings_with(derived, "CSAR_NO_HOT")[0].message
    more = {"Files/pod.yaml": b"apiVersion: v1\nkind: Pod\n", "Files/main.tf": b"terraform {\n}\n"}
    (finding,) = findings_with(imported({**files, "edge.mf": b"metadata:\n", **more})[0], "CSAR_NO_HOT")
    words = "(but a manifest of Kubernetes in Files/pod.yaml, configuration of Terraform in Files/main.tf)"
    assert finding.message.startswith(f"There is no Heat template in the CSAR {words}.")


def test_without_a_hot_that_is_the_first_reason_whatever_is_imported():
    files = {"vnfd.yaml": b"tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [gone.yaml]\n"}
    derived, _ = imported(files)
    assert [f.code for f in derived.findings if f.severity == "error"] == ["CSAR_NO_HOT", "CSAR_IMPORT"]


def test_a_descriptor_id_that_is_no_uuid_gets_one(cbam):
    assert str(cbam[1].vnfd.vnfd_id) == str(imported(csar_files("cbam"))[1].vnfd.vnfd_id)
    assert findings_with(cbam[0], "SOL001_IDENTITY")


def test_nokia_s_dialect(cbam):
    vnfd = cbam[1].vnfd
    assert (vnfd.provider, vnfd.product_name, vnfd.software_version) == ("Example Networks", "Cache", "3.0")
    (vdu,) = vnfd.vdus
    assert (vdu.id, vdu.hot_group, vdu.minimum, vdu.maximum) == ("cache", "aspect_group", 2, 8)
    assert (vdu.needs.vcpus, vdu.needs.memory_mib) == (6, 16384)
    (flavour,) = vnfd.flavours
    (aspect,) = flavour.aspects
    (delta,) = aspect.deltas
    assert (flavour.id, aspect.id, delta.step, aspect.max_scale_level) == ("scalable", "caches", 2, 3)
    assert delta.removals_parameter == "aspect_group_blacklist"
    assert {level.id: dict(level.scale_levels) for level in flavour.levels} == {
        "small": {"caches": 0},
        "large": {"caches": 2},
    }
    assert findings_with(cbam[0], "SOL001_SCRIPT")
    assert [link.id for link in vnfd.virtual_links] == ["cacheOutside"]


def test_nokia_s_group_of_several_servers_each_is_scaled_as_one():
    """SOL001 names one of them; the other is in the same members, so it comes along."""
    files = csar_files("cbam")
    path = next(path for path in files if path.endswith("cache.one.yaml"))
    member = load_yaml(files[path])
    server = next(name for name, use in member["resources"].items() if use["type"] == "OS::Nova::Server")
    twin = {**member["resources"][server], "properties": {**member["resources"][server]["properties"], "networks": []}}
    member["resources"]["twin"] = twin
    _, package = imported({**files, path: yaml.safe_dump(member).encode()})
    vdus = {vdu.id: (vdu.hot_group, vdu.hot_server, vdu.minimum, vdu.maximum) for vdu in package.vnfd.vdus}
    assert vdus == {"cache": ("aspect_group", server, 2, 8), "twin": ("aspect_group", "twin", 2, 8)}
    (aspect,) = package.vnfd.flavours[0].aspects
    assert [(delta.vdu_id, delta.step) for delta in aspect.deltas] == [("cache", 2), ("twin", 2)]
    assert aspect.max_scale_level == 3


def test_servers_of_the_same_members_have_one_step():
    """SOL001 names both, with one more of the twin where it has two more caches."""
    files = csar_files("cbam")
    nested = next(path for path in files if path.endswith("cache.one.yaml"))
    member = load_yaml(files[nested])
    server = member["resources"]["server"]
    member["resources"]["twin"] = {**server, "properties": {**server["properties"], "networks": []}}
    root = "cache.vnfd.tosca.yaml"
    definition = load_yaml(files[root])
    topology = definition["topology_template"]
    topology["node_templates"]["twin"] = topology["node_templates"]["cache"]
    topology["groups"]["cacheGroup"]["members"].append("twin")
    flavour = topology["substitution_mappings"]["capabilities"]["deployment_flavour"]["properties"]
    flavour["vdu_profile"]["twin"] = flavour["vdu_profile"]["cache"]
    for level, number in (("small", 2), ("large", 4)):
        flavour["instantiation_levels"][level]["vdu_levels"]["twin"] = {"number_of_instances": number}
    topology["policies"][0]["heat_mapping"]["properties"]["aspects"]["caches"]["vdus"]["twin"] = [
        {"heatResource": "twin"}
    ]
    changed = {nested: yaml.safe_dump(member).encode(), root: yaml.safe_dump(definition).encode()}
    derived, package = imported({**files, **changed})
    (aspect,) = package.vnfd.flavours[0].aspects
    assert [(delta.vdu_id, delta.step) for delta in aspect.deltas] == [("cache", 2), ("twin", 2)]
    assert any("each step has 2 of both" in finding.message for finding in findings_with(derived, "SOL001_SIZE"))


def test_csar_with_one_definition_at_the_root():
    files = csar_files("cbam")
    del files["TOSCA-Metadata/TOSCA.meta"]
    assert imported(files)[1].vnfd.product_name == "Cache"


def test_a_flavour_with_its_own_template_gives_a_warning():
    other = csar_files("tacker")[DF].decode().replace("flavour_id: simple", "flavour_id: double")
    top = csar_files("tacker")["Definitions/edge_top.vnfd.yaml"].decode()
    changes = {
        "Definitions/edge_df_double.yaml": other.encode(),
        "Definitions/edge_top.vnfd.yaml": top.replace(
            "  - file: edge_df_simple.yaml", "  - edge_df_double.yaml\n  - file: edge_df_simple.yaml"
        ).encode(),
        "BaseHOT/double/edge_hot.yaml": csar_files("tacker")[HOT],
    }
    derived, package = imported(tacker_files(changes))
    assert [flavour.id for flavour in package.vnfd.flavours] == ["simple"]
    assert len(findings_with(derived, "SOL001_FLAVOUR")) == 1


def test_several_templates_in_the_folder_of_a_flavour():
    more = b"heat_template_version: 2013-05-23\nresources: {}\n"
    derived, package = imported(tacker_files({"BaseHOT/simple/other.yaml": more}))
    assert package is None
    assert "ROOT_UNCLEAR" in codes(derived, "error")
    derived, package = imported(
        tacker_files({"BaseHOT/simple/other.yaml": more, "BaseHOT/simple/edge_hot.env": b"parameters: {}"})
    )
    assert package.vnfd.hot_template == "BaseHOT/simple/edge_hot-flat.yaml"


def test_a_sol001_link_with_several_hot_networks():
    hot = csar_files("tacker")[HOT].decode()
    made = "inside: {get_resource: inside_net}"
    own = hot.replace(made, "inside: {get_param: [nfv, CP, firewall_inside, network]}", 1)
    derived, package = imported(tacker_files({HOT: own.encode()}))
    assert [link.id for link in package.vnfd.virtual_links if link.id.startswith("inside")] == ["inside-2", "inside"]
    assert any("several networks" in finding.message for finding in findings_with(derived, "SOL001_CONNECTION"))

    control = hot[hot.index("  control:\n") : hot.index("  inside_net:\n")]
    twice = hot.replace(
        control, control + control.replace("  control:", "  spare:").replace("VDU, control", "VDU, spare")
    )
    derived, _ = imported(tacker_files({HOT: twice.encode()}))
    left = [(f.file, f.line > 0) for f in findings_with(derived, "SOL001_VDU")]
    assert ("BaseHOT/simple/nested/control.yaml", True) in left


@pytest.mark.parametrize(("meant", "warned"), [(b"another image", True), (placeholder_qcow2(), False)])
def test_the_image_that_the_vnfd_means(meant, warned):
    node = "    firewall:\n      type: tosca.nodes.nfv.Vdu.Compute\n"
    artifact = "sw_image: {type: tosca.artifacts.nfv.SwImage, file: ../Files/images/edge.qcow2}"
    definition = csar_files("tacker")[DF].decode().replace(node, f"{node}      artifacts:\n        {artifact}\n")
    definition = definition.replace("0" * 64, sha256(meant).hexdigest())
    derived, _ = imported(tacker_files({DF: definition.encode(), "Files/images/edge.qcow2": placeholder_qcow2()}))
    found = [finding for finding in findings_with(derived, "SOL001_IMAGE") if "is not the image" in finding.message]
    assert [finding.line > 0 for finding in found] == [True] * warned


def test_an_image_of_several_vdus_is_hashed_once():
    path = "Files/images/edge.qcow2"
    data = load_yaml(csar_files("tacker")[DF])
    for name in ("control", "firewall"):
        vdu = data["topology_template"]["node_templates"][name]
        vdu["artifacts"] = {"sw_image": {"type": "tosca.artifacts.nfv.SwImage", "file": f"../{path}"}}
        vdu["properties"]["sw_image_data"]["checksum"] = {"algorithm": "sha-512", "hash": "0" * 128}
    files = tacker_files({DF: yaml.safe_dump(data).encode(), path: placeholder_qcow2()})
    opened = []

    def opening(name):
        opened.append(name)
        return BytesIO(files[name])

    source = replace(content(files), open=opening)
    derived = derive_csar(source, find_csar(source), product={})
    assert len([f for f in findings_with(derived, "SOL001_IMAGE") if "is not the image" in f.message]) == 2
    assert opened.count(path) == 1


def test_a_group_of_fixed_size_needs_no_parameter():
    hot = csar_files("tacker")[HOT].decode()
    fixed = hot.replace("{get_param: [nfv, VDU, firewall, desired_capacity]}", "2")
    fixed = re.sub("(min|max)_size: [0-9]", r"\1_size: 2", fixed)
    _, package = imported(tacker_files({HOT: fixed.encode()}))
    firewall = package.vnfd.vdu("firewall")
    assert (firewall.minimum, firewall.maximum) == (2, 2)
    assert not any("removals" in setting.name for setting in package.vnfd.settings)
    assert package.vnfd.flavours[0].aspects == ()


def test_resources_that_tacker_copies_for_each_vnfc_are_scaled():
    """Its second API has no groups in the HOT: a class copies VDU1 by SOL001's levels."""
    derived, package = imported(corpus_files("tacker-v2-individual-min"))
    (flavour,) = package.vnfd.flavours
    vdus = {vdu.id: (vdu.hot_group, vdu.minimum, vdu.maximum) for vdu in package.vnfd.vdus}
    assert vdus == {"VDU1": ("VDU1", 1, 3), "VDU2": ("", 1, 1)}
    (aspect,) = flavour.aspects
    (delta,) = aspect.deltas
    assert (aspect.id, delta.vdu_id, aspect.max_scale_level) == ("VDU1_scale", "VDU1", 2)
    assert (delta.count_parameter, delta.removals_parameter) == ("VDU1_count", "VDU1_removals")
    assert [dict(level.scale_levels) for level in flavour.levels] == [{"VDU1_scale": 0}, {"VDU1_scale": 2}]
    assert not findings_with(derived, "SOL001_SIZE")
    (finding,) = findings_with(derived, "CSAR_USER_DATA")
    assert (finding.severity, finding.file, finding.line) == ("warning", "UserData/userdata_standard.py", 5)


def test_a_resource_that_others_refer_to_is_not_copied():
    files = corpus_files("tacker-v2-individual-min")
    path = "BaseHOT/simple/base.yaml"
    used = b"  last: {type: OS::Heat::Value, properties: {value: {get_attr: [VDU1, address]}}}\noutputs:"
    files[path] = files[path].replace(b"outputs:", used)
    derived, package = imported(files)
    assert package.vnfd.flavours[0].aspects == ()
    assert "VDU1 is no group of the HOT" in findings_with(derived, "SOL001_SIZE")[-2].message


def test_a_count_may_have_any_name_in_tackers_parameter():
    _, package = imported(corpus_files("tacker-stack-update-in-heal"))
    (aspect,) = package.vnfd.flavours[0].aspects
    (delta,) = aspect.deltas
    assert (aspect.id, delta.count_parameter, aspect.max_scale_level) == ("worker_instance", "worker_instance", 2)


def test_an_aspect_scales_several_vdus_together():
    derived, package = imported(joint_masters_and_workers())
    (flavour,) = package.vnfd.flavours
    (aspect,) = [aspect for aspect in flavour.aspects if aspect.id == "master_instance"]
    assert [(delta.vdu_id, delta.step) for delta in aspect.deltas] == [("masterNode", 1), ("workerNode", 2)]
    assert [delta.count_parameter for delta in aspect.deltas] == [
        "masterNode_desired_capacity",
        "workerNode_desired_capacity",
    ]
    assert aspect.max_scale_level == 1, "the workers have room for one step"
    room, unused = findings_with(derived, "SOL001_SIZE")
    assert "workerNode has room for 1" in room.message
    assert "worker_instance is left out: it scales nothing" in unused.message
