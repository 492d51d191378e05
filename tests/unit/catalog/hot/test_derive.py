"""VNFDs from plain Heat templates of the shapes that are published."""

import json

import pytest
import yaml

from tests.factories.packages import schema
from tests.factories.templates import HOT, content, fixture_files
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.derive.roots import find_root, root_candidates
from vnfm.catalog.domain.package import VNFD, check_content


def derived(files):
    found = derive(content(files))
    return found, load_yaml(found.vnfd) if found.vnfd else None


def errors(found):
    return [(finding.code, finding.message) for finding in found.findings if finding.severity == "error"]


def package(files):
    found = derive(content(files))
    assert errors(found) == []
    return check_content(content({**files, VNFD: found.vnfd, **found.files}), schema("vnfd"))


@pytest.mark.parametrize("name", ["vcpe", "vfw", "vmx", "scaling"])
def test_the_derived_descriptor_is_one(name):
    files = fixture_files(name)
    vnfd = package(files).vnfd
    assert vnfd.vdus
    assert vnfd.vdus[0].connection_points


@pytest.mark.parametrize("name", ["vcpe", "vfw", "vmx", "scaling"])
def test_the_same_files_give_the_same_descriptor(name):
    files = fixture_files(name)
    backwards = dict(reversed(files.items()))
    assert derive(content(files)) == derive(content(backwards))
    changed = derive(content({**files, "more.txt": b"x"}))
    assert load_yaml(changed.vnfd)["vnfdId"] != derived(files)[1]["vnfdId"]


def test_onap_s_base_template():
    found, data = derived(fixture_files("vcpe"))
    assert (data["productName"], data["hot"]) == (
        "vCPE-vGW",
        {"template": "base_vcpe_vgw.yaml", "environment": "base_vcpe_vgw.env"},
    )
    assert data["instanceParameters"] == {"id": "vnf_id"}
    (vdu,) = data["vdus"]
    assert (vdu["id"], vdu["members"], vdu["flavorParameter"]) == ("vgw_0", ["vgw_0"], "vcpe_flavor_name")
    assert vdu["needs"] == {"vcpus": 2, "memoryMib": 4096, "diskGib": 40}, "m1.medium's"
    assert [(cp["port"], cp["virtualLink"]) for cp in vdu["connectionPoints"]] == [
        ("vgw_public_0_port", "public_net_id"),
        ("vgw_private_0_port", "mux_gw_private_net_id"),
        ("vgw_private_1_port", "cpe_private_network"),
    ]
    links = {link["id"]: link.get("networkParameter") for link in data["virtualLinks"]}
    assert links == {
        "public_net_id": "public_net_id",
        "mux_gw_private_net_id": "mux_gw_private_net_id",
        "cpe_private_network": None,
    }
    settings = {s["name"]: (group["group"], s) for group in data["settings"] for s in group["settings"]}
    assert settings["vcpe_image_name"] == (
        "Compute",
        {"name": "vcpe_image_name", "label": "Image name or ID", "format": "image", "required": True},
    )
    assert settings["vcpe_flavor_name"][1] == {"name": "vcpe_flavor_name", "label": "Flavor", "format": "flavor"}
    assert "vnf_id" not in settings
    assert {"PLACEHOLDER", "DERIVE_IDENTITY", "DERIVE_INSTANCE"} <= {finding.code for finding in found.findings}


def test_environment_values_are_defaults_and_placeholders_are_required():
    settings = {setting.name: setting for setting in package(fixture_files("vcpe")).vnfd.settings}
    assert (settings["vcpe_flavor_name"].default, settings["vcpe_flavor_name"].required) == ("m1.medium", False)
    assert (settings["vcpe_image_name"].default, settings["vcpe_image_name"].required) == (None, True)
    assert settings["vgw_private_ip_0"].default == "10.5.0.21"


def test_two_servers_are_two_kinds():
    found, data = derived(fixture_files("vfw"))
    assert [(vdu["id"], vdu["softwareImage"]) for vdu in data["vdus"]] == [
        ("vfw_0", "image_name"),
        ("vsn_0", "image_name"),
    ]
    assert data["instanceParameters"] == {"id": "vnf_id", "name": "vnf_name"}
    assert [cp["port"] for cp in data["vdus"][0]["connectionPoints"]] == ["vfw_private_0_port", "vfw_private_1_port"]
    assert any(finding.code == "DERIVE_NIC_LOOSE" for finding in found.findings)
    assert {link["id"] for link in data["virtualLinks"]} == {
        "public_net_id",
        "unprotected_private_network",
        "protected_private_network",
    }


def test_layers_of_provider_templates():
    found, data = derived(fixture_files("vmx"))
    assert {(vdu["id"], *vdu["members"], vdu["flavorParameter"], vdu["imageParameter"]) for vdu in data["vdus"]} == {
        ("re_vm", "vmx1/re/re_vm", "vcp_flavor", "vcp_image"),
        ("fpc_vm", "vmx1/fpc0/fpc_vm", "vfp_flavor", "vfp_image"),
    }
    shared = {
        cp["virtualLink"] for vdu in data["vdus"] for cp in vdu["connectionPoints"] if cp["port"] == "internal_port"
    }
    assert shared == {"vmx1-re_pfe_net"}
    assert any(finding.code == "DERIVE_NIC_LOOSE" for finding in found.findings), "the WAN port lies in a template"
    vnfd = package(fixture_files("vmx")).vnfd
    assert vnfd.setting("vfp_flavor").default == "m1.large", "set for all templates, declared by one"
    assert vnfd.hot_files["vmx_baseline.conf"] == "components/vmx_baseline.conf"


def test_a_group_scales():
    found, data = derived(fixture_files("scaling"))
    cards = next(vdu for vdu in data["vdus"] if vdu["id"] == "line_cards")
    assert (cards["group"], cards["minimum"], cards["maximum"]) == ("line_cards", 1, 4)
    (flavour,) = data["flavours"]
    assert flavour["levels"][0]["scale"] == {"line_cards": 1}
    (aspect,) = flavour["aspects"]
    assert (aspect["countParameter"], aspect["maxScaleLevel"], aspect["vdu"]) == ("cards", 3, "line_cards")
    assert "removalsParameter" not in aspect
    assert any(finding.code == "DERIVE_REMOVALS" for finding in found.findings)
    assert data["settings"][0] == {
        "group": "Sizes",
        "settings": [
            {"name": "image", "label": "Image", "format": "image", "required": True},
            {"name": "control_flavor", "label": "Flavor of the control VM", "format": "flavor", "required": True},
            {"name": "card_flavor", "label": "Flavor of the line cards", "format": "flavor", "required": True},
        ],
    }
    assert [cp["virtualLink"] for cp in cards["connectionPoints"]] == ["fabric", "uplink"]


def test_without_an_environment_there_is_an_empty_one():
    found = derive(content(fixture_files("scaling")))
    assert found.files == {"router.env": b"parameters: {}\n"}


def with_server(properties, more=""):
    return {
        "base.yaml": HOT
        + "parameters: {image: {type: string}, flavor: {type: string}, net: {type: string}}\n"
        + "resources:\n"
        + "  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}\n"
        + "  vm: {type: OS::Nova::Server, properties: {"
        + properties
        + "}}\n"
        + more
    }


ALL = "image: {get_param: image}, flavor: {get_param: flavor}, networks: [{port: {get_resource: port}}]"
GROUP = """
  g:
    type: OS::Heat::ResourceGroup
    properties:
      count: %s
      resource_def:
        type: OS::Nova::Server
        properties: {image: {get_param: image}, flavor: {get_param: flavor}, networks: [{network: {get_param: net}}]}
"""


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        (
            with_server("image: {get_param: image}, flavor: m1.small, networks: [{port: {get_resource: port}}]"),
            "DERIVE_FLAVOR_FIXED",
            "The flavor of vm is m1.small, written into the template: the manager cannot choose it",
        ),
        (
            with_server("flavor: {get_param: flavor}, networks: [{port: {get_resource: port}}]"),
            "DERIVE_IMAGE_FIXED",
            "The image of vm comes from no parameter: the manager cannot choose it",
        ),
        (
            {"base.yaml": with_server(ALL)["base.yaml"].replace("network: {get_param: net}", "network: public")},
            "DERIVE_NETWORK_FIXED",
            "port is on the network public, which the template names itself",
        ),
        (
            {"base.yaml": HOT + "resources: {r: {type: OS::Heat::RandomString}}"},
            "DERIVE_NO_SERVER",
            "The templates have no",
        ),
        (
            with_server(
                ALL,
                "  g: {type: OS::Heat::AutoScalingGroup, properties: {max_size: 2, min_size: 1, resource: {type: A}}}",
            ),
            "DERIVE_AUTOSCALING",
            "Heat would scale g itself; it is now an OS::Heat::ResourceGroup, which the manager scales.",
        ),
        (with_server(ALL, GROUP % "3"), "DERIVE_COUNT_FIXED", "g cannot be scaled: its count comes from no parameter"),
    ],
)
def test_an_underivable_part_gives_a_finding(files, code, message):
    found = derive(content(files))
    assert any(f.code == code and f.message.startswith(message) for f in found.findings), found.findings


def test_a_group_without_a_limit():
    files = with_server(ALL, GROUP % "{get_param: count}")
    text = files["base.yaml"].replace("parameters: {", "parameters: {count: {type: number, default: 3}, ")
    found, data = derived({"base.yaml": text})
    group = next(vdu for vdu in data["vdus"] if vdu["id"] == "g")
    assert (group["minimum"], group["maximum"]) == (1, 10)
    (said,) = [finding.message for finding in found.findings if finding.code == "DERIVE_COUNT_UNBOUNDED"]
    assert said.startswith("No constraint limits the members of g, so 10 is the maximum.")


PAIR = (
    HOT
    + "resources:\n"
    + "".join(f"  vm{n}: {{type: OS::Nova::Server, properties: {{flavor: x}}}}\n" for n in "ab")
    + "  deep: {type: deep.yaml}\n"
)
DEEP = HOT + "resources: {vm: {type: OS::Nova::Server, properties: {flavor: x}}}\n"
MIXED = "  g: {type: OS::Heat::ResourceGroup, properties: {count: %s, resource_def: {type: pair.yaml}}}\n"


def mixed(count: str) -> dict[str, str]:
    return {**with_server(ALL, MIXED % count), "pair.yaml": PAIR, "deep.yaml": DEEP}


def test_a_group_of_several_servers_each_is_scaled_by_one_aspect():
    files = mixed("{get_param: count}")
    text = files["base.yaml"].replace("parameters: {", "parameters: {count: {type: number, default: 3}, ")
    found, data = derived({**files, "base.yaml": text})
    groups = {vdu["id"]: (vdu.get("group"), vdu.get("server")) for vdu in data["vdus"]}
    assert groups == {"vm": (None, None), "vma": ("g", "vma"), "vmb": ("g", "vmb"), "deep": ("g", "deep/vm")}
    (aspect,) = data["flavours"][0]["aspects"]
    assert (aspect["id"], aspect["vdu"], aspect["countParameter"]) == ("g", "vma", "count")
    assert aspect["also"] == [{"vdu": vdu, "step": 1, "countParameter": "count"} for vdu in ("vmb", "deep")]
    assert data["flavours"][0]["levels"][0]["scale"] == {"g": 2}
    assert sum(finding.code == "DERIVE_COUNT_UNBOUNDED" for finding in found.findings) == 1


def test_a_group_of_several_servers_each_may_have_a_fixed_size():
    found, data = derived(mixed("2"))
    sizes = {vdu["id"]: (vdu["minimum"], vdu["maximum"]) for vdu in data["vdus"]}
    assert sizes == {"vm": (1, 1), "vma": (2, 2), "vmb": (2, 2), "deep": (2, 2)}
    assert "aspects" not in data["flavours"][0]
    (finding,) = [finding for finding in found.findings if finding.code == "DERIVE_COUNT_FIXED"]
    assert finding.message.endswith("It always has 2 members.")


A_HOT = HOT + "resources: {}\n"


@pytest.mark.parametrize(
    ("files", "root", "environment"),
    [
        ({"x.yaml": A_HOT}, "x.yaml", ""),
        ({"x.hot": A_HOT, "x.env": "parameters: {}"}, "x.hot", "x.env"),
        ({"x.yaml": A_HOT, "other.env": "parameters: {}"}, "x.yaml", "other.env"),
        ({"x.yaml": A_HOT, "y.yaml": A_HOT, "y.env": "parameters: {}"}, "y.yaml", "y.env"),
        ({"in/x.yaml": HOT + "resources: {r: {type: y.yaml}}", "in/y.yaml": A_HOT}, "in/x.yaml", ""),
        ({"x.yaml": A_HOT, "y.yaml": A_HOT, "x.env": "resource_registry: {A: y.yaml}"}, "x.yaml", "x.env"),
        ({"x.yaml": A_HOT, "values.yaml": "parameters: {}"}, "x.yaml", "values.yaml"),
        ({"x.yaml": A_HOT, "y.yaml": A_HOT, "x.env": "resource_registry: {A: x.yaml, B: y.yaml}"}, "x.yaml", "x.env"),
        ({"x.yaml": A_HOT, "x.env": "parameters: {}", "y.env": "resource_registry: {A: x.yaml}"}, "x.yaml", "x.env"),
        ({"x.yaml": A_HOT, "x.env": "parameters: {}", "unused.yaml": "a: [1"}, "x.yaml", "x.env"),
    ],
)
def test_which_template_is_the_root(files, root, environment):
    found, said = find_root(content(files))
    assert (found.template, "".join(found.environments)) == (root, environment), said


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"x.yaml": A_HOT, "y.yaml": A_HOT}, "Each of x.yaml, y.yaml could be the root template."),
        ({"x.txt": "x"}, "There is no root HOT among the files"),
        ({"x.yaml": "a: b"}, "There is no root HOT among the files"),
        ({"x.yaml": A_HOT, "MANIFEST.json": json.dumps({"data": []})}, "MANIFEST.json names no template of type HEAT."),
        (
            {"MANIFEST.json": json.dumps({"data": [{"file": "../x.yaml", "type": "HEAT"}]})},
            "The manifest names ../x.yaml, which is not among the files.",
        ),
    ],
)
def test_an_ambiguous_root(files, message):
    root, said = find_root(content(files))
    assert root is None
    assert next(f.message for f in said if f.severity == "error").startswith(message)


def test_the_root_that_the_user_chose():
    files = {"x.yaml": A_HOT, "y.yaml": A_HOT, "y.env": "parameters: {}", "x.env": "parameters: {}"}
    assert find_root(content(files))[0] is None
    assert root_candidates(content(files)) == ["x.yaml", "y.yaml"]
    found, said = find_root(content(files), "y.yaml")
    assert (found.template, found.environments, said) == ("y.yaml", ("y.env",), [])
    root, said = find_root(content(files), "z.yaml")
    assert (root, said[0].code) == (None, "ROOT_UNCLEAR")


@pytest.mark.parametrize(
    ("chosen", "environment"),
    [("root.yaml", "lab.env"), ("nested.yaml", ""), ("other.yaml", "")],
    ids=["sets its parameters", "sets more of another template", "sets none"],
)
def test_the_only_environment_belongs_to_one_of_several_templates(chosen, environment):
    def declaring(*names: str) -> str:
        return yaml.safe_dump({**load_yaml(A_HOT), "parameters": {name: {"type": "string"} for name in names}})

    templates = {"root.yaml": declaring("image", "cidr"), "nested.yaml": declaring("image"), "other.yaml": A_HOT}
    files = {**templates, "lab.env": "parameters: {image: debian, cidr: 10.0.0.0/24}"}
    found, said = find_root(content(files), chosen)
    assert "".join(found.environments) == environment
    assert [f.code for f in said] == ([] if environment else ["ENVIRONMENT_UNCLEAR"])


def test_the_environment_of_a_single_template_is_its_own():
    files = {"root.yaml": A_HOT, "lab.env": "parameters: {imaeg: debian}"}
    assert find_root(content(files))[0].environments == ("lab.env",)


def test_a_chosen_module_instead_of_the_base():
    data = [{"file": "base.yaml", "type": "HEAT", "isBase": "true"}, {"file": "module.yaml", "type": "HEAT"}]
    files = {"base.yaml": A_HOT, "module.yaml": A_HOT, "MANIFEST.json": json.dumps({"name": "x", "data": data})}
    assert find_root(content(files), "module.yaml")[0].template == "module.yaml"


def test_a_broken_file_is_named_before_its_consequences():
    files = {"x.yaml": "heat_template_version: 2015-10-15\nresources: [", "y.yaml": A_HOT}
    root, said = find_root(content(files))
    assert root is None
    assert [(f.code, f.file) for f in said] == [("YAML_INVALID", "x.yaml")]


def test_modules_of_a_manifest_are_left_out_and_named():
    data = [{"file": "base.yaml", "type": "HEAT", "isBase": "true"}, {"file": "module.yaml", "type": "HEAT"}]
    files = {"base.yaml": A_HOT, "module.yaml": A_HOT, "MANIFEST.json": json.dumps({"name": "x", "data": data})}
    root, said = find_root(content(files))
    assert root.template == "base.yaml"
    assert [f.code for f in said] == ["MODULE_LEFT_OUT"]


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"data": [1, {"type": "HEAT", "isBase": [], "data": {}, "file": {}}]}', "\xff"]
)
def test_a_manifest_of_nonsense(text):
    files = {"x.yaml": A_HOT, "MANIFEST.json": text.encode("latin-1")}
    root, said = find_root(content(files))
    assert root or said
