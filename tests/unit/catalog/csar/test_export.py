"""Packages of ours as CSARs for others, and back."""

from datetime import UTC, datetime
from functools import cache
from hashlib import sha256

import pytest

from tests.factories.csars import imported
from tests.factories.packages import schema, shipped_files, shipped_folders, shipped_package
from tests.factories.templates import content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.content import without_files
from vnfm.catalog.domain.csar.definitions import load_definitions
from vnfm.catalog.domain.csar.export import csar_files
from vnfm.catalog.domain.csar.inspection import inspect, is_exported, wrapper_files
from vnfm.catalog.domain.csar.meta import find_csar
from vnfm.catalog.domain.csar.sol001 import read_descriptor
from vnfm.catalog.domain.package import check_package

WHEN = datetime(2026, 11, 21, 12, tzinfo=UTC)
FOLDERS = shipped_folders()


@cache
def exported(folder):
    """The shipped package and the files of its CSAR, placeholders included, as the catalog would send it."""
    package = shipped_package(folder)
    files = {**shipped_files(folder), **package.generated}
    digests = {path: sha256(data).hexdigest() for path, data in files.items()}
    return package, {**files, **csar_files(package.vnfd, digests, WHEN)}


@pytest.fixture(params=FOLDERS, ids=["-".join(folder.parts[-3:-1]) for folder in FOLDERS])
def folder(request):
    return request.param


def test_there_and_back_it_is_the_same_package(folder):
    package, files = exported(folder)
    source = content(files)
    inspected = inspect(source, find_csar(source))
    assert inspected.findings == ()
    assert inspected.uncovered == ()
    assert is_exported(source)
    inner = without_files(source, wrapper_files(source, inspected))
    assert set(inner.files) == set(shipped_files(folder))
    assert check_package(inner, schema("manifest"), schema("vnfd")) == package


def test_sol001_and_our_descriptor_agree(folder):
    """Read back like others' SOL001: VDUs, needs, aspects and levels of every flavour are equal."""
    package, files = exported(folder)
    source = content(files)
    definitions, findings = load_definitions(source, find_csar(source).definitions)
    assert [finding for finding in findings if finding.severity != "note"] == []
    descriptor = read_descriptor(definitions)
    vnfd = package.vnfd
    assert descriptor.findings == ()
    assert descriptor.identity["descriptor_id"] == str(vnfd.vnfd_id)
    assert descriptor.indicators == tuple(each.id for each in vnfd.indicators)
    assert [flavour.id for flavour in descriptor.flavours] == [flavour.id for flavour in vnfd.flavours]
    for exported_flavour, flavour in zip(descriptor.flavours, vnfd.flavours, strict=True):
        assert list(exported_flavour.vdus) == [vdu.id for vdu in vnfd.vdus]
        assert len(exported_flavour.attachments) == sum(len(vdu.connection_points) for vdu in vnfd.vdus)
        for vdu in vnfd.vdus:
            needs = flavour.needs_of(vdu)
            compute = exported_flavour.vdus[vdu.id]
            assert (compute.minimum, compute.maximum) == (vdu.minimum, vdu.maximum)
            assert compute.needs["vcpus"] == needs.vcpus
            assert compute.needs["memoryMib"] == needs.memory_mib
            assert compute.needs["diskGib"] == needs.disk_gib
            assert compute.needs.get("cpuPolicy", "") == needs.cpu_policy
            assert compute.needs.get("memPageSize", "") == needs.mem_page_size
            assert compute.needs.get("numaNodes", 0) == needs.numa_nodes
            assert exported_flavour.initial[vdu.id] == vdu.minimum
        assert {a.id: a.max_level for a in exported_flavour.aspects.values()} == {
            a.id: a.max_scale_level for a in flavour.aspects
        }
        assert exported_flavour.steps == {(a.id, d.vdu_id): [d.step] for a in flavour.aspects for d in a.deltas}
        assert {lv.id: dict(lv.scale) for lv in exported_flavour.levels} == {
            lv.id: dict(lv.scale_levels) for lv in flavour.levels
        }
        assert exported_flavour.default_level == flavour.default_level


def test_the_same_package_gives_the_same_bytes(folder):
    assert exported(folder)[1] == exported.__wrapped__(folder)[1]


def test_the_definitions_are_plain_yaml(folder):
    for path, data in exported(folder)[1].items():
        if path.startswith("Definitions/"):
            text = data.decode()
            assert load_yaml(text)["tosca_definitions_version"] == "tosca_simple_yaml_1_3"
            assert "&id" not in text


def test_others_can_do_without_our_descriptor():
    """A derived package as its SOL001 alone gives it again: the same VDUs, aspects and levels."""
    from tests.factories.csars import tacker_files

    _, package = imported(tacker_files())
    files = {p: d for p, d in tacker_files().items() if p.startswith("BaseHOT/")}
    derived, _ = imported(tacker_files())
    files |= derived.files
    del files["BaseHOT/simple/edge_hot.yaml"]
    digests = {path: sha256(data).hexdigest() for path, data in files.items()}
    again = imported({**files, **csar_files(package.vnfd, digests, WHEN)})[1].vnfd
    mine = package.vnfd
    assert [(v.id, v.name, v.needs, v.minimum, v.maximum) for v in again.vdus] == [
        (v.id, v.name, v.needs, v.minimum, v.maximum) for v in mine.vdus
    ]
    assert again.flavours == mine.flavours
    assert {link.id for link in again.virtual_links} == {link.id for link in mine.virtual_links}
