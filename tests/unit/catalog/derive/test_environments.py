"""Several environments, as people deploy with `-e registry.yaml -e params.yaml`."""

import pytest

from tests.factories.templates import HOT, content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.derive.roots import find_root

SERVER = (
    "{type: OS::Nova::Server, properties: {image: {get_param: image}, flavor: {get_param: flavor}, "
    "networks: [{network: {get_param: net}}]}}"
)
DECLARED = "parameters: {image: {type: string}, flavor: {type: string}, net: {type: string, default: x}}\n"
PASSED = "image: {get_param: image}, flavor: {get_param: flavor}"
FILES = {
    "a.yaml": f"{HOT}{DECLARED}resources: {{vm: {{type: 'My::Router::VM', properties: {{{PASSED}}}}}}}\n",
    "vm.yaml": f"{HOT}{DECLARED}resources: {{server: {SERVER}}}\n",
    "registry.yaml": "resource_registry: {'My::Router::VM': vm.yaml}\n",
    "params.yaml": "parameters: {net: oam, flavor: m1.small}\n",
}
USED = "parameters: {image: {type: string}, flavor: {type: string}, net: {type: string}}\n"
FILES["a.yaml"] = FILES["a.yaml"].replace(PASSED, PASSED + ", net: {get_param: net}")


def found(files, severity):
    return [(f.code, f.file, f.message) for f in derive(content(files)).findings if f.severity == severity]


def codes(files, severity):
    return [code for code, *_ in found(files, severity)]


def test_environments_that_do_not_contradict_each_other_are_merged():
    derived = derive(content(FILES))
    assert [f for f in derived.findings if f.severity == "error"] == []
    assert load_yaml(derived.vnfd)["hot"] == {"template": "a.yaml", "environment": "a.env"}
    assert load_yaml(derived.files["a.env"]) == {
        "parameters": {"net": "oam", "flavor": "m1.small"},
        "resource_registry": {"My::Router::VM": "vm.yaml"},
    }
    (message,) = (f.message for f in derived.findings if f.code == "ENVIRONMENT_MERGED")
    assert message.startswith("params.yaml, registry.yaml are merged to one environment in the order of their names")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("parameters: {net: core}\n", "params.yaml sets net to oam, z.yaml to core"),
        ("parameters: {}\nresource_registry: {'My::Router::VM': other.yaml}\n",
         "registry.yaml sets My::Router::VM to vm.yaml, z.yaml to other.yaml"),
        ("parameters: {net: core}\nresource_registry: {resources: {vm: {'A::B::C': x.yaml}}}\n",
         "params.yaml sets net to oam, z.yaml to core"),
    ],
)  # fmt: skip
def test_environments_that_contradict_each_other_are_named_with_their_values(more, said):
    (warning,) = (message for code, _, message in found({**FILES, "z.yaml": more}, "warning") if "CLEAR" in code)
    assert warning.startswith(f"{said}. The template is used without an environment. Give the right one")
    assert "(a.env)" in warning


def test_the_same_value_twice_is_no_contradiction():
    assert codes({**FILES, "z.yaml": "parameters: {net: oam}\nparameter_defaults: {net: oam}\n"}, "error") == []


def test_names_in_a_registry_below_are_those_from_the_root():
    files = {"env/registry.yaml": "resource_registry: {'My::Router::VM': ../lib/vm.yaml}\n"}
    files |= {"a.yaml": FILES["a.yaml"], "lib/vm.yaml": FILES["vm.yaml"], "params.yaml": FILES["params.yaml"]}
    files["base.yaml"] = "resource_registry: {base_url: lib, 'My::Own': vm.yaml}\n"
    derived = derive(content(files))
    merged = load_yaml(derived.files["a.env"])["resource_registry"]
    assert merged == {"My::Router::VM": "lib/vm.yaml", "My::Own": "lib/vm.yaml"}
    assert [f for f in derived.findings if f.severity == "error"] == []


def test_a_finding_about_the_merged_one_is_at_its_file():
    files = {**FILES, "params.yaml": "# mine\nparameters:\n  net: oam\n  flavour: m1.small\n"}
    files["a.yaml"] = files["a.yaml"]
    (error,) = (f for f in derive(content(files)).findings if f.severity == "error")
    assert (error.file, error.line, error.pointer) == ("params.yaml", 4, "/parameters/flavour")
    assert "declares no parameter 'flavour'" in error.message


def test_the_one_of_the_templates_own_name_is_used_alone():
    files = {**FILES, "a.env": "resource_registry: {'My::Router::VM': vm.yaml}\n"}
    root, _ = find_root(content(files))
    assert root.environments == ("a.env",)
    (note,) = (message for code, _, message in found(files, "note") if code == "FILE_UNUSED")
    assert note.startswith("Nothing names params.yaml, registry.yaml: Heat does not get them")


def test_an_environment_of_another_templates_name_is_not_merged():
    files = {"a.yaml": FILES["vm.yaml"], "b.yaml": FILES["vm.yaml"], "b.env": "parameters: {net: x}\n"}
    files["c.yaml"] = "parameters: {net: y}\n"
    root, _ = find_root(content(files), "a.yaml")
    assert root.environments == ("c.yaml",)


def test_an_unmapped_type_is_the_first_reason():
    (first, second) = found({"a.yaml": HOT + "resources: {vm: {type: 'My::Router::VM'}}\n"}, "error")
    assert (first[0], second[0]) == ("TYPE_UNMAPPED", "DERIVE_NO_SERVER")
    assert first[2].startswith("My::Router::VM is none of Heat's own types, and no environment maps it to a template")
