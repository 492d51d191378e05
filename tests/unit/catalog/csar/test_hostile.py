"""Hostile CSARs: each is refused, and nothing outside of it is read or fetched."""

import pytest
import yaml

from tests.factories.csars import META, csar_files, imported, replaced, tacker_files
from tests.factories.templates import content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.csar.inspection import inspect
from vnfm.catalog.domain.csar.manifest import read_manifest
from vnfm.catalog.domain.csar.meta import find_csar
from vnfm.catalog.domain.errors import PackageError

TOP = "Definitions/edge_top.vnfd.yaml"


def refused(files):
    source = content(files)
    return [f.message for f in inspect(source, find_csar(source)).findings if f.severity == "error"]


@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "http://evil.example/x.yaml", "..\\x.yaml", "a/../../b"],
)
@pytest.mark.parametrize("key", ["Entry-Definitions", "ETSI-Entry-Manifest", "ETSI-Entry-Certificate"])
def test_tosca_meta_that_points_outside(key, path):
    lines = [line for line in csar_files("tacker")[META].decode().splitlines() if not line.startswith(key)]
    files = tacker_files({META: "\n".join([*lines, f"{key}: {path}"]).encode()})
    with pytest.raises(PackageError) as caught:
        find_csar(content(files))
    assert caught.value.code == "CSAR_INVALID"
    assert (caught.value.faults[0].file, caught.value.faults[0].line) == (META, len(lines) + 1)


@pytest.mark.parametrize(
    ("meta", "words"),
    [
        (b"TOSCA-Meta-File-Version: 1.0\n", "no Entry-Definitions"),
        (b"Entry-Definitions: Definitions/none.yaml\n", "no file"),
        (b"\xff\xfe", "not UTF-8"),
        (b"x" * (1024 * 1024 + 1), "are allowed"),
    ],
)
def test_tosca_meta_that_says_nothing(meta, words):
    with pytest.raises(PackageError, match=words):
        find_csar(content({**csar_files("tacker"), META: meta}))


@pytest.mark.parametrize(
    "written",
    [
        "http://evil.example/types.yaml",
        "https://forge.etsi.org/rep/nfv/other.yaml",
        "file:///etc/passwd",
        "../../../etc/passwd",
        "/etc/passwd",
    ],
)
@pytest.mark.parametrize("form", ["{}", "file: {}", "types: {{file: {}}}", "{{file: {}, repository: evil}}"])
def test_imports_from_outside(written, form):
    files = replaced(TOP, "- edge_types.yaml", f"- {form.format(written)}")
    derived, package = imported(files)
    assert package is None
    (finding,) = [finding for finding in derived.findings if finding.severity == "error"]
    assert finding.code == "CSAR_IMPORT"
    assert "nothing is read or fetched" in finding.message
    assert (finding.file, finding.line) == (TOP, 5)


def test_cyclic_imports():
    files = replaced("Definitions/edge_types.yaml", "node_types:", "imports: [edge_top.vnfd.yaml]\nnode_types:")
    derived, package = imported(files)
    assert package is None
    assert "form a cycle" in derived.findings[0].message


def test_a_type_that_is_derived_from_itself():
    ours, itself = "derived_from: tosca.nodes.nfv.VNF", "derived_from: example.networks.Edge"
    files = replaced("Definitions/edge_types.yaml", ours, itself)
    assert imported(files)[1] is not None


def test_aliases_that_expand_too_far():
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{n}: &{n} [{', '.join([f'*{p}'] * 10)}]\n" for p, n in zip("abcdef", "bcdefg", strict=True)
    )
    head = csar_files("tacker")["Definitions/edge_types.yaml"].decode()
    derived, package = imported(tacker_files({"Definitions/edge_types.yaml": (head + bomb).encode()}))
    assert package is None
    assert {finding.code for finding in derived.findings if finding.severity == "error"} == {"YAML_INVALID"}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Algorithm: SHA-256", "Algorithm: MD5", "is none of SHA-256"),
        ("Algorithm: SHA-256", "Algorithm: SHA-1", "is none of SHA-256"),
        ("Algorithm: SHA-256", "Algorithm: shake_128", "is none of SHA-256"),
        ("Source: UserData/edge_user_data.py", "Source: ../../etc/passwd", "no plain path"),
        ("Source: UserData/edge_user_data.py", "Source: http://evil.example/x.qcow2", "nothing is fetched"),
        ("Source: UserData/edge_user_data.py", "Source: file:///etc/passwd", "nothing is fetched"),
        ("Source: UserData/edge_user_data.py", "Source: Files/gone.bin", "does not have it"),
        ("Hash: ", "Hash: xyz", "is no hash"),
    ],
)
def test_a_manifest_that_does_not_hold(old, new, words):
    files = tacker_files()
    files["edge.mf"] = files["edge.mf"].decode().replace(old, new).encode()
    assert any(words in message for message in refused(files)), refused(files)


def test_every_difference_is_named():
    files = tacker_files()
    files |= {"UserData/edge_user_data.py": b"changed", "smuggled.sh": b"#!/bin/sh"}
    del files["BaseHOT/simple/nested/control.yaml"]
    source = content(files)
    found = {f.message.split(":")[0].split(" is ")[0]: f for f in inspect(source, find_csar(source)).findings}
    assert found["UserData/edge_user_data.py"].severity == "error"
    assert found["BaseHOT/simple/nested/control.yaml"].severity == "error"
    (left,) = [f for f in found.values() if f.file == "smuggled.sh"]
    assert left.severity == "warning"


def test_a_file_without_a_digest_is_not_covered_and_no_error():
    """SOL004 option 2 signs the CSAR as a whole: its manifests list files by `Source:` alone."""
    files = tacker_files()
    entries = [line for line in files["edge.mf"].decode().splitlines() if line.startswith("Source: ")]
    files["edge.mf"] = "\n\n".join(["metadata:\n  vnf_product_name: Edge", *entries, ""]).encode()
    source = content(files)
    found = inspect(source, find_csar(source))
    assert {f.severity for f in found.findings} <= {"warning", "note"}
    assert any(f.message.startswith("The manifest gives no digest for BaseHOT/") for f in found.findings)
    assert set(found.uncovered) >= {path for path in files if path.startswith("BaseHOT/")}
    gone = {**files, "edge.mf": files["edge.mf"] + b"\nSource: Files/gone.bin\n"}
    assert any("does not have it" in message for message in refused(gone))
    outside = {**files, "edge.mf": files["edge.mf"] + b"\nSource: http://evil.example/x\n"}
    assert any("nothing is fetched" in message for message in refused(outside))


def test_a_file_listed_twice():
    files = tacker_files()
    block = b"\nSource: UserData/edge_user_data.py\nAlgorithm: SHA-256\nHash: " + b"0" * 64 + b"\n"
    assert any("listed twice" in message for message in refused({**files, "edge.mf": files["edge.mf"] + block}))


def test_longer_hashes_hold_too():
    import hashlib

    files = tacker_files()
    path = "UserData/edge_user_data.py"
    for name in ("sha384", "sha512"):
        old = hashlib.sha256(files[path]).hexdigest()
        block = f"Source: {path}\nAlgorithm: SHA-256\nHash: {old}"
        digest = hashlib.new(name, files[path]).hexdigest()
        text = files["edge.mf"].decode()
        assert block in text
        algorithm = name.upper().replace("SHA", "SHA-")
        replaced_text = text.replace(block, f"Source: {path}\nAlgorithm: {algorithm}\nHash: {digest}")
        assert refused({**files, "edge.mf": replaced_text.encode()}) == []


def test_a_signature_without_an_end():
    found = read_manifest("x.mf", "metadata:\n  a: b\n-----BEGIN CMS-----\nAAAA\n")
    assert [(f.severity, f.line) for f in found.findings] == [("error", 3)]
    assert found.signature == b""


def test_files_named_once_more_without_a_hash_are_passed_over():
    found = read_manifest(
        "x.mf", "metadata:\n  a: b\n\nnon_mano_artifact_sets:\n  x:\n    Source: a.txt\n\nSource: b\n"
    )
    assert [source.path for source in found.sources] == ["b"]


def test_too_many_vdus_or_levels():
    node = "    vdu{}: {{type: tosca.nodes.nfv.Vdu.Compute}}\n"
    many = "".join(node.format(number) for number in range(501))
    derived, package = imported(replaced("Definitions/edge_df_simple.yaml", "  policies:\n", f"{many}  policies:\n"))
    assert package is None
    assert "SOL001_TOO_MUCH" in {finding.code for finding in derived.findings}


def policy(kind, properties, targets=()):
    return {"p": {"type": f"tosca.policies.nfv.{kind}", "properties": properties, "targets": list(targets)}}


def many(number, value=None):
    return {f"x{each}": value or {} for each in range(number)}


ONE = {"number_of_instances": 1}
LEVELS, TARGETS = "VduInstantiationLevels", "VduScalingAspectDeltas"


@pytest.mark.parametrize(
    "said",
    [
        [policy(LEVELS, {"levels": many(200, ONE)}, many(200))],
        [policy(LEVELS, {"levels": many(501, ONE)}, ["firewall"])],
        [policy(LEVELS, {"levels": many(1, ONE)}, many(501))],
        [policy(LEVELS, {"levels": many(100, ONE)}, many(60)), policy(LEVELS, {"levels": many(100, ONE)}, many(60))],
        [policy(TARGETS, {"aspect": "throughput", "deltas": many(200, ONE)}, many(200))],
        [policy("InstantiationLevels", {"levels": many(501)})],
        [policy("InstantiationLevels", {"levels": {f"{n} {m}": {} for m in range(300)}}) for n in range(2)],
        [policy("ScalingAspects", {"aspects": many(501)})],
    ],
)
def test_too_many_sizes(said):
    """Also where each list is short and their product is not: nothing of it is ever multiplied."""
    path = "Definitions/edge_df_simple.yaml"
    data = load_yaml(csar_files("tacker")[path])
    data["topology_template"]["policies"] = said
    derived, package = imported(tacker_files({path: yaml.safe_dump(data).encode()}))
    assert package is None
    assert "SOL001_TOO_MUCH" in {finding.code for finding in derived.findings}


@pytest.mark.parametrize(("aspects", "members", "levels"), [(30, 30, 30), (501, 1, 1), (1, 501, 1), (1, 1, 501)])
def test_too_many_sizes_in_nokias_dialect(aspects, members, levels):
    path = "cache.vnfd.tosca.yaml"
    data = load_yaml(csar_files("cbam")[path])
    topology = data["topology_template"]
    said = topology["substitution_mappings"]["capabilities"]["deployment_flavour"]["properties"]
    said["scaling_aspects"] = many(aspects, {"associated_group": "cacheGroup"})
    said["instantiation_levels"] = many(levels)
    topology["groups"]["cacheGroup"]["members"] = list(many(members))
    derived, package = imported({**csar_files("cbam"), path: yaml.safe_dump(data).encode()})
    assert package is None
    assert "SOL001_TOO_MUCH" in {finding.code for finding in derived.findings}


def test_a_signature_of_blanks_takes_no_time():
    from vnfm.catalog.domain.csar.cms import BadSignatureError, verify_cms

    with pytest.raises(BadSignatureError):
        verify_cms(b"-----BEGIN CMS-----\n" + b" " * 1_000_000, lambda name: [], [])
