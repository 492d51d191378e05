from tests.factories.packages import schema, vsr_files
from tests.factories.templates import content
from vnfm.catalog.domain.package import check_package
from vnfm.catalog.domain.quota_need import quota_needs


def test_quota_need_of_each_level():
    vnfd = check_package(content(vsr_files()), schema("manifest"), schema("vnfd")).vnfd
    found = {(need.flavour_id, need.level_id): need for need in quota_needs(vnfd)}
    small, large = found["default", "small"], found["large-data-path", "medium"]
    assert (small.instances, small.vcpus, small.memory_mib, small.disk_gib) == (3, 12, 3 * 8192, 30)
    assert (small.ports, small.networks, small.sriov_ports) == (2 * 2 + 4, 4, 2)
    assert (large.instances, large.vcpus, large.memory_mib) == (6, 2 * 4 + 4 * 8, 2 * 8192 + 4 * 16384)
