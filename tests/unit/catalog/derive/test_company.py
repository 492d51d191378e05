"""Other files lie beside a template: texts that Heat gets, files that it does not get, and other tools' files alone."""

import io
import json
import zipfile

import pytest

from tests.factories.templates import HOT, content
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.foreign_formats import FORMATS, HEAD_BYTES, recognise

SERVER = (
    "resources:\n  vm:\n    type: OS::Nova::Server\n    properties:\n      image: {get_param: image}\n"
    "      flavor: {get_param: flavor}\n      networks: [{network: {get_param: net}}]\n"
)
V = f"{HOT}parameters: {{image: {{type: string}}, flavor: {{type: string}}, net: {{type: string}}}}\n{SERVER}"
READING = V + "      user_data: {get_file: cfg/app.yaml}\n"
TEXTS = {
    "Kubernetes": "kind: A\n---\nkind: B\n",
    "a playbook": "- hosts: all\n",
    "mustache": "x: {{ name }}\n",
    "a tab": "#cloud-config\nwrite_files:\n\t- path: x\n",
    "Jinja": "{% for x in y %}\n",
    "a list": "[1, 2]\n",
    "nothing": "",
    "a scalar": "hello\n",
    "too deep": "a: " + "[" * 60,
    "too large": "#" * (1024 * 1024 - 100),
    "of OpenAPI": "parameters:\n- a\n  b: [\n",
}


def found(files, severity):
    return [f for f in derive(content(files)).findings if f.severity == severity]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_get_file_names_is_text(text):
    files = {"a.yaml": READING, "cfg/app.yaml": text}
    assert found(files, "error") == []
    (note,) = (f.message for f in found(files, "note") if f.code == "FILE_AS_TEXT")
    assert note == "Heat gets cfg/app.yaml as text (get_file): what is in it is not checked."


@pytest.mark.parametrize("name", ["playbook.yaml", "k8s/values.yml", "x.template"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_file_that_nothing_names_is_text(text, name):
    files = {"a.yaml": V, name: text}
    assert found(files, "error") == []
    (note,) = (f.message for f in found(files, "note") if f.code == "FILE_UNUSED")
    assert note == f"Nothing names {name}: Heat does not get it, and the package keeps all files as they were sent."


def test_many_large_files_that_nothing_names_are_not_read():
    files = {"a.yaml": V, **{f"k8s/{number}.yaml": "x: 1\n" + "#" * 900_000 for number in range(6)}}
    assert found(files, "error") == []


@pytest.mark.parametrize(
    ("files", "file"),
    [
        ({"a.yaml": V, "b.yaml": V + "  \tx: 1\n"}, "b.yaml"),
        ({"a.yaml": V, "a.env": "parameters:\n\tnet: x\n"}, "a.env"),
        ({"a.yaml": V, "lab.env": "parameters:\n\tnet: x\n"}, "lab.env"),
        ({"a.yaml": V, "registry.yaml": "resource_registry:\n\tx: y\n"}, "registry.yaml"),
        ({"a.yaml": HOT + "resources: {r: {type: b.yaml}}\n", "b.yaml": "- hosts: all\n"}, "b.yaml"),
    ],
    ids=["a second template", "its own environment", "an environment", "a registry", "a nested template"],
)
def test_what_heat_may_read_is_still_refused(files, file):
    assert [(f.code, f.file) for f in found(files, "error") if f.code == "YAML_INVALID"] == [("YAML_INVALID", file)]


def test_values_in_json_are_a_warning():
    files = {"a.yaml": V, "parameters.json": json.dumps({"net": "oam"}), "other.json": json.dumps({"x": 1})}
    (warning,) = (f for f in found(files, "warning") if f.code == "ENVIRONMENT_JSON")
    assert warning.file == "parameters.json"
    assert "Write them below parameters: in a.env, or enter them at instantiation." in warning.message
    nested = {"a.yaml": V, "p.json": json.dumps({"parameters": {"net": "oam"}})}
    assert any(f.code == "ENVIRONMENT_JSON" for f in found(nested, "warning"))


def test_a_size_that_is_no_number_is_an_error_at_the_original():
    template = f"{HOT}parameters: {{n: {{type: json}}}}\nresources:\n  group:\n    type: OS::Heat::AutoScalingGroup\n"
    template += "    properties: {min_size: 1, max_size: 3, desired_capacity: TWO, resource: {type: n.yaml}}\n"
    errors = found({"a.yaml": template, "n.yaml": V}, "error")
    assert {f.file for f in found({"a.yaml": template, "n.yaml": V}, "error")} <= {"a.yaml", "n.yaml"}
    (size,) = (f for f in errors if "TWO" in f.message)
    assert (size.file, size.line) == ("a.yaml", 6)
    assert size.message.startswith("desired_capacity of OS::Heat::AutoScalingGroup")


def test_findings_about_rewritten_templates_are_at_the_originals():
    template = f"{HOT}resources:\n  group:\n    type: OS::Heat::AutoScalingGroup\n"
    template += "    properties:\n      min_size: 1\n      max_size: 3\n      resource:\n        type: n.yaml\n"
    template += "        properties:\n          colour: red\n"
    all_found = derive(content({"a.yaml": template, "n.yaml": V})).findings
    assert not [f for f in all_found if "-flat" in f.file + f.message]
    assert ("a.yaml", 11) in {(f.file, f.line) for f in all_found if "colour" in f.message}


def archive(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for name in names:
            packed.writestr(name, "x")
    return target.getvalue()


ALONE = {
    "vnf.zip": (archive("a.yaml"), "This is itself a zip. Send that one."),
    "vnf.tgz": (b"\x1f\x8b\x08\0", "This is a tar.gz (gzip), not a zip."),
    "cfn.yaml": (
        "AWSTemplateFormatVersion: 2010-09-09\nResources: {}\n",
        "This is a template of CloudFormation, not HOT",
    ),
    "cfn.json": ('{\n  "AWSTemplateFormatVersion": "x"}', "This is a template of CloudFormation, not HOT (line 2)."),
    "old.template": (
        "HeatTemplateFormatVersion: 2012-12-12\n",
        "This is a template of CloudFormation, not HOT (line 1).",
    ),
    "nover.yaml": ("Resources:\n  a:\n    Type: AWS::EC2::Instance\n", "This is a template of CloudFormation, not HOT"),
    "sol006.yaml": (
        "vnfd:\n  id: x\n  df:\n  - id: d\n",
        "This is a descriptor of SOL006 (YANG), such as OSM's (line 1).",
    ),
    "osm.yaml": (
        "vnfd:vnfd-catalog:\n  vnfd:\n  - id: x\n    vdu:\n    - id: y\n",
        "This is a descriptor of SOL006 (YANG)",
    ),
    "sol006.json": ('{"etsi-nfv-descriptors:nfv": {"vnfd": [{"vdu": []}]}}', "This is a descriptor of SOL006 (YANG)"),
    "main.tf": ('resource "openstack_compute_instance_v2" "x" {\n}\n', "This is configuration of Terraform"),
    "a.yaml.j2": (
        "heat_template_version: 2015-10-15\nflavor: {{ f }}\n",
        "This is a template of Jinja (line 2). Render",
    ),
    "Chart.yaml": ("apiVersion: v2\nname: x\nversion: 1\n", "This is a Helm chart, for Kubernetes."),
    "deploy.yaml": ("apiVersion: v1\nkind: Pod\n", "This is a manifest of Kubernetes (line 1)."),
    "t/x.yaml": ("image: {{ .Values.image }}\n", "This is a template of Helm, for Kubernetes (line 1)."),
    "docker-compose.yml": ("services:\n  a: {image: b}\n", "This is a file of Docker Compose."),
    "galaxy.yml": ("namespace: x\nname: y\n", "This is a collection of Ansible."),
    "site.yaml": ("---\n- name: All\n  hosts: all\n", "This is a playbook of Ansible (line 2)."),
    "charmcraft.yaml": ("type: charm\n", "This is a charm of Juju."),
    "bundle.yaml": ("applications:\n  a:\n    charm: b\n", "This is a bundle of Juju (line 1)."),
    "vnf.ovf": (
        '<?xml version="1.0"?>\n<Envelope xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"/>',
        "This is a descriptor of OVF",
    ),
    "vnf.vmdk": (b"KDMV\1\0\0\0", "This is a disk image (VMDK), not a package."),
    "edit.xml": (
        '<rpc xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"/>',
        "This is XML of NETCONF, a router's configuration (line 1).",
    ),
    "a.yang": ("module a {\n  namespace x;\n}\n", "This is a module of YANG (line 1)."),
    "blueprint.yaml": (
        "tosca_definitions_version: cloudify_dsl_1_3\n",
        "This is a blueprint of Cloudify (line 1).",
    ),
    "in/tosca.yaml": (
        "tosca_definitions_version: tosca_simple_yaml_1_3\n",
        "This is a TOSCA definition, and the zip",
    ),
    "lfs.yaml": ("version https://git-lfs.github.com/spec/v1\n", "This is a pointer of Git LFS, not the file itself."),
    "page.yaml": ("<!DOCTYPE html>\n<html>\n", "This is a page of HTML, as of a download that failed (line 1)."),
    "wide.yaml": ("heat_template_version: 2015-10-15\n".encode("utf-16"), "This is text in UTF-16. Save it as UTF-8"),
    "wide-le.yaml": ("heat_template_version: 2015-10-15\n".encode("utf-16-le"), "This is text in UTF-16."),
    "empty.yaml": ("\n", "This is an empty file. Send it with its content."),
    "fix.yaml": ("--- a/x.yaml\n+++ b/x.yaml\n", "This is a patch, not the file itself (line 1)."),
    "init.yaml": (
        "#cloud-config\nusers: []\n",
        "This is a cloud-config, which a server reads at its first boot",
    ),
}


@pytest.mark.parametrize("path", ALONE)
def test_what_was_sent_in_place_of_a_template_is_the_first_reason(path):
    data, sentence = ALONE[path]
    first, *others = found({path: data, "README.md": "# x", "lib/__init__.py": ""}, "error")
    assert (first.code, first.file) == ("FILE_FOREIGN", path)
    assert first.message.startswith(sentence)
    assert [each.code for each in others] == ["ROOT_UNCLEAR"]


def test_no_row_of_the_table_recognises_a_template_or_an_environment():
    for text in (V, READING, "parameters: {net: x}\n", "resource_registry: {A::B: c.yaml}\n"):
        assert recognise("a.yaml", text.encode()) is None


def test_the_table_takes_linear_time():
    """64 KiB of what repeats; RE2 does not backtrack."""
    for sign in (b" ", b"\n", b"a", b"<", b"{", b"- ", b"module a {\n", b"vnfd:\n", b"\t"):
        recognise("a.xml", (sign * HEAD_BYTES)[:HEAD_BYTES])
    assert len({known.what for known in FORMATS}) > 30


def test_a_template_without_servers_says_what_it_makes():
    template = (
        HOT + "resources: {n: {type: OS::Neutron::Net}, d: {type: OS::Designate::Zone, properties: {name: x.}}}\n"
    )
    (error,) = (f for f in found({"a.yaml": template}, "error") if f.code == "DERIVE_NO_SERVER")
    assert "there are OS::Designate::Zone, OS::Neutron::Net. Send the template whose stack has the VMs" in error.message


def test_a_type_of_cloudformation_is_no_unmapped_one():
    errors = found({"a.yaml": HOT + "resources: {vm: {type: 'AWS::EC2::Volume2'}}\n"}, "error")
    assert [f.code for f in errors] == ["DERIVE_NO_SERVER"]
    (warning,) = (
        f
        for f in found({"a.yaml": HOT + "resources: {vm: {type: 'AWS::EC2::Volume2'}}\n"}, "warning")
        if f.code == "TYPE_FOREIGN"
    )
    assert "is a type for templates of CloudFormation" in warning.message


def test_a_file_above_the_folder_that_was_sent():
    (error,) = found({"a.yaml": READING.replace("cfg/app.yaml", "../../agents/app.yaml")}, "error")
    assert error.message.startswith(
        "'../../agents/app.yaml' lies above the folder that was sent. Send the folder around"
    )
