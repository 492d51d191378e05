"""Templates that want more than a template may: nothing is read or fetched from outside of the package."""

import pytest

from tests.factories.templates import HOT, content, findings, fixture_files
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.derive.roots import missing_files
from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.domain.hot.check import MAX_FAULTS

READS = "resources: {r: {type: OS::Heat::SoftwareConfig, properties: {config: {get_file: '%s'}}}}"
USES = "resources: {r: {type: '%s'}}"
LOCAL = ["file:///etc/passwd", "FILE:///etc/passwd", "/etc/passwd", "/etc/../etc//passwd", "/../../etc/passwd"]
OUTSIDE = [
    "http://169.254.169.254/latest/meta-data/x.yaml",
    "https://example.com/x.yaml",
    "ftp://example.com/x.yaml",
    "~/x.yaml",
    "\\\\host\\share\\x.yaml",
]


def codes(found):
    return [finding.code for finding in found if finding.severity == "error"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_get_file_from_outside(name):
    assert codes(findings(READS % name)) == ["FILE_OUTSIDE"]


@pytest.mark.parametrize("name", LOCAL)
def test_a_file_of_its_authors_disk_is_one_of_the_package(name):
    (missing,) = [finding for finding in findings(READS % name) if finding.severity == "error"]
    assert (missing.code, missing.message.rpartition(". ")[2]) == (
        "FILE_MISSING",
        "Send it with the others, as etc/passwd.",
    )
    files = {"base.yaml": HOT + READS % name}
    assert missing_files(content(files)) == ["etc/passwd"]
    assert codes(findings({**files, "etc/passwd": b"of the package"})) == []


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_template_from_outside(name):
    found = findings({"base.yaml": HOT + USES % "My::Type", "base.env": f"resource_registry: {{My::Type: '{name}'}}"})
    assert "FILE_OUTSIDE" in codes(found), found


def test_a_nested_template_by_its_address():
    found = findings(USES % "http://example.com/x.yaml")
    assert codes(found) == ["FILE_OUTSIDE"]
    assert found[0].message == (
        "http://example.com/x.yaml lies outside of the package. Allow it to be fetched and stored with the package (in "
        "the API: fetch; not where only signed packages are accepted), or put the file into the package and write its "
        "path."
    )


@pytest.mark.parametrize("name", ["../../etc/passwd", "../x", "a/../../x", "x\ty", "x\\y"])
def test_a_path_that_climbs_out_leads_nowhere(name):
    assert codes(findings({"base.yaml": HOT + READS % name, "x": b"", "etc/passwd": b""})) == ["FILE_MISSING"]


def test_a_path_that_climbs_within_the_package():
    files = {"base.yaml": HOT + USES % "nested/a.yaml", "nested/a.yaml": HOT + READS % "../day0/x", "day0/x": b"text"}
    assert codes(findings(files)) == []


def test_a_name_with_two_meanings():
    files = {
        "base.yaml": HOT + "resources: {a: {type: one/a.yaml}, b: {type: two/a.yaml}}",
        **{f"{folder}/a.yaml": HOT + READS % "x.cfg" for folder in ("one", "two")},
        **{f"{folder}/x.cfg": folder.encode() for folder in ("one", "two")},
    }
    found = [finding for finding in findings(files) if finding.severity == "error"]
    assert [f.code for f in found] == ["FILE_AMBIGUOUS"]
    assert found[0].message.startswith("x.cfg means two/x.cfg here and one/x.cfg elsewhere")


def test_a_base_url_is_no_way_out():
    files = {
        "base.yaml": HOT + USES % "OS::Heat::None",
        "base.env": "resource_registry: {base_url: 'http://x.example/'}",
    }
    found = findings(files)
    assert codes(found) == []
    assert not [finding for finding in found if finding.file == "base.env"]
    files["base.env"] = "resource_registry: {base_url: 'file:///etc/', OS::Heat::None: passwd.yaml}"
    assert codes(findings(files)) == ["FILE_MISSING"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [x, x]\nb: &b [*a, *a]\n" + "".join(f"c{n}: &c{n} [*b, *b]\n" for n in range(3)), ""),
        ("a: [b", "Did not find expected ',' or ']'."),
        ("\ta: b", "Line 1 has a tab where YAML takes blanks only: indent it with blanks."),
        ("a: " + "[" * 100, "The file nests deeper than 40 levels."),
        ("a: &a [*a]", ""),
    ],
)
def test_yaml_that_is_broken_or_a_bomb(text, message):
    found = findings({"base.yaml": HOT + USES % "child.yaml", "child.yaml": text})
    broken = [finding for finding in found if finding.file == "child.yaml"]
    assert broken
    assert not message or (broken[0].code, broken[0].message) == ("YAML_INVALID", message)


def test_aliases_that_grow_without_bound():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    (found,) = findings({"base.yaml": "\n".join(lines)})
    assert (found.code, found.message) == (
        "YAML_INVALID",
        "With its aliases resolved the file has more than 100000 nodes.",
    )


def test_a_huge_template_is_not_read():
    (found,) = findings({"base.yaml": b"#" * (MAX_BYTES + 1)})
    assert found.code == "YAML_INVALID"
    assert found.message.startswith(f"The file has {MAX_BYTES + 1} bytes")


def test_very_many_large_templates_are_not_all_read():
    files = {f"{n}.yaml": (HOT + "resources: {}\n").encode() + b"#" * (MAX_BYTES - 100) for n in range(5)}
    base = HOT + "resources:\n" + "".join(f"  r{n}: {{type: {n}.yaml}}\n" for n in range(5))
    assert set(codes(findings({"base.yaml": base, **files}))) == {"YAML_TOO_MUCH"}
    assert [finding.code for finding in derive(content(files)).findings] == ["YAML_TOO_MUCH"]


@pytest.mark.parametrize("kind", ["{a: b}", "[string]", "1", "~"])
def test_a_parameter_of_no_type(kind):
    found = findings(f"parameters: {{p: {{type: {kind}}}}}\nresources: {{}}")
    assert [f.code for f in found if f.severity == "error"] == ["HOT_FORM"]


@pytest.mark.parametrize(
    "text",
    [
        "resources: [1, 2]",
        "resources: {r: 1}",
        "resources: {1: {type: A}}",
        "resources: {r: {type: [OS::Nova::Server]}}",
        "resources: {r: {type: OS::Nova::Server, properties: {networks: {a: b}, metadata: [1]}}}",
        "resources: {r: {type: OS::Heat::ResourceGroup, properties: {resource_def: [1]}}}",
        "parameters: {p: {type: string, constraints: [1, {length: x}, {allowed_values: y}]}}",
        "parameter_groups: {a: b}",
        "parameter_groups: [1, {parameters: [[1], {a: b}]}]",
        "outputs: {o: {value: {get_attr: [[1], {a: b}]}}}",
        "outputs: {o: {value: {get_param: {get_param: [1, {}]}}}}",
        "resources: {r: {type: OS::Heat::None, depends_on: [[1], {a: b}, r]}}",
        "? [1, 2]\n: x",
        "resources: {r: {type: OS::Heat::None, properties: {get_file: [1]}}}",
        "resources: {r: {type: OS::Nova::Server, properties: {flavor: ~, image: {}, networks: [~, 1, []]}}}",
    ],
)
def test_nonsense_is_answered_not_raised(text):
    assert isinstance(findings(text), list)


@pytest.mark.parametrize(
    "env", ["parameters: [1]", "resource_registry: {a: [b], 1: 2}", "parameters: {1: {2: 3}}", "[]"]
)
def test_nonsense_in_an_environment(env):
    files = {"base.yaml": HOT + "resources: {}", "base.env": env}
    assert codes(findings(files)) or env.startswith("resource_registry")


@pytest.mark.parametrize("name", ["vmx"])
def test_files_are_found_relative_to_the_template_that_names_them(name):
    files = {path.replace("1vmx", "base"): data for path, data in fixture_files(name).items()}
    assert codes(findings(files)) == []


def test_many_faults_of_a_kind_are_listed_in_part():
    properties = ", ".join(f"q{n}: 1" for n in range(300))
    text = f"resources: {{r: {{type: OS::Heat::RandomString, properties: {{{properties}}}}}}}"
    found = [f for f in findings(text) if f.code == "PROPERTY_UNKNOWN"]
    assert len(found) == MAX_FAULTS + 1
    assert "only the first 100 findings of PROPERTY_UNKNOWN are listed" in "".join(f.message for f in found)


def test_all_templates_together_are_bounded():
    part = HOT + "resources: {" + ", ".join(f"r{n}: {{type: OS::Heat::None}}" for n in range(990)) + "}\n"
    base = HOT + "resources: {" + ", ".join(f"n{n}: {{type: n{n}.yaml}}" for n in range(6)) + "}\n"
    found = findings({"base.yaml": base, **{f"n{n}.yaml": part for n in range(6)}})
    assert [f.code for f in found if f.severity == "error"] == ["TEMPLATE_TOO_LARGE"]
