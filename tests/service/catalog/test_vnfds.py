"""The catalog as people and other contexts read it, and the onboarding of what is shipped."""

import shutil
from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import ROOT, shipped_folders, shipped_zip, vsr_files
from vnfm.catalog import selectors
from vnfm.catalog.domain.flavors import choose_flavor
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.services.shipped import shipped_packages_onboard
from vnfm.clouds.types import Flavor
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db
VSR = UUID("d58a4aea-2a08-4c05-b0df-bb926497861b")


@pytest.fixture
def catalog(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    return shipped_packages_onboard(catalog_dir=ROOT / "catalog")


@pytest.fixture
def package(db):
    return onboarded(shipped_zip())


def test_shipped_packages_are_onboarded_once(catalog):
    assert len(catalog) == len(shipped_folders())
    assert VSR in catalog
    assert shipped_packages_onboard(catalog_dir=ROOT / "catalog") == []
    assert {package.operational_state for package in VnfPackage.objects.all()} == {"ENABLED"}


def test_a_package_that_was_disabled_stays_disabled(catalog):
    VnfPackage.objects.update(operational_state="DISABLED")
    shipped_packages_onboard(catalog_dir=ROOT / "catalog")
    assert {package.operational_state for package in VnfPackage.objects.all()} == {"DISABLED"}


def test_a_changed_package_with_an_old_vnfd_id_is_left_alone(catalog, tmp_path, settings):
    folder = tmp_path / "catalog" / "nokia" / "vsr-pe" / "next"
    shutil.copytree(ROOT / "catalog" / "nokia" / "vsr-pe" / "0.0.B2-4601", folder)
    (folder / "day0" / "config.cfg").write_text("changed")
    from vnfm.catalog.artifacts.packing import write_manifest

    write_manifest(folder, settings.HEAT_TEMPLATES_DIR)
    assert shipped_packages_onboard(catalog_dir=tmp_path / "catalog") == []
    assert VnfPackage.objects.count() == len(shipped_folders())


def test_the_view_for_people(viewer_api, package):
    view = next(v for v in viewer_api.get("/api/v1/vnfds").json() if v["vnfdId"] == str(VSR))
    assert view == viewer_api.get(f"/api/v1/vnfds/{VSR}").json()
    assert (view["provider"], view["productName"], view["softwareVersion"]) == ("Nokia", "VSR-PE", "0.0.B2-4601")
    assert any("bring your own licensed image" in note for note in view["notes"])
    assert view["flavours"][0]["id"] == "default"
    assert view["flavours"][0]["defaultInstantiationLevelId"] == "default"
    assert view["flavours"][0]["needs"] == {}
    assert view["flavours"][1]["needs"]["data-path"]["vcpus"] == 8
    assert view["vdus"][0]["healing"] == ["start", "reboot", "rebuild", "recreate"]
    assert view["upgradeOrder"] == ["control/B", "data-path", "control/A"]
    assert view["limits"] == []
    assert view["flavours"][0]["instantiationLevels"][0]["scale"] == {"data-path": 0}
    assert view["flavours"][0]["scalingAspects"][0]["maxScaleLevel"] == 19
    control, data_path = view["vdus"]
    assert (control["minimum"], control["maximum"], control["flavorParameter"]) == (2, 2, "control_flavor")
    assert data_path["needs"] == {
        "vcpus": 4,
        "memoryMib": 8192,
        "diskGib": 10,
        "cpuPolicy": "dedicated",
        "memPageSize": "1048576",
        "numaNodes": 1,
        "sriovPorts": 2,
    }
    assert (control["slots"], control["pairs"], view["chains"]) == (["A", "B"], False, [])
    assert control["connectionPoints"][0] == {
        "id": "control-management",
        "name": "Management",
        "virtualLinkId": "management",
        "vnicType": "normal",
    }
    assert [link["vnicType"] for link in view["virtualLinks"]] == ["normal", "normal", "direct", "direct"]
    assert view["softwareImages"][0]["placeholder"] is True
    assert view["softwareImages"][0]["parameter"] == "image"
    settings = {setting["name"]: setting for setting in view["settings"]}
    assert settings["management_ip_active"]["format"] == "ipv4"
    assert settings["fabric_mtu"]["constraints"] == [
        {"kind": "range", "min": 1400, "max": 9000, "message": "A VSR accepts 1400 to 9000."}
    ]
    assert settings["data_vnic_type"]["constraints"][0]["values"] == ["direct", "macvtap", "normal"]
    assert "format" not in settings["fabric_mtu"]
    assert not any(setting["required"] for setting in settings.values())
    hidden_from_people = {"data_path_count", "data_path_slots", "data_path_removals", "vnf_instance_id", "vnf_name"}
    assert not hidden_from_people & set(settings)


def test_disabled_packages_are_not_offered_but_can_be_looked_at(viewer_api, package):
    VnfPackage.objects.update(operational_state="DISABLED")
    assert viewer_api.get("/api/v1/vnfds").json() == []
    assert viewer_api.get(f"/api/v1/vnfds/{VSR}").status_code == 200


def test_an_unknown_vnfd(viewer_api):
    assert viewer_api.get(f"/api/v1/vnfds/{uuid4()}").status_code == 404
    with pytest.raises(ProblemError):
        selectors.vnfd_get(vnfd_id=uuid4())


def test_template_environment_and_files_for_heat(package):
    bundle = selectors.hot_bundle(package=package)
    files = {path: data.decode() for path, data in vsr_files().items()}
    assert bundle.template == files["base.yaml"]
    assert bundle.environment["resource_registry"]["VSR::DataPathVm"] == "nested/data_path.yaml"
    assert set(bundle.environment["resource_registry"].values()) <= set(bundle.files)
    assert all(bundle.files[path] == files[path] for path in bundle.files)


def test_the_placeholder_image_opens(package):
    image = selectors.vnfd_of(package).software_images[0]
    with selectors.software_image_open(package=package, image=image) as data:
        assert len(data.read()) == image.size


def test_the_flavors_of_a_common_cloud_satisfy(package):
    """The flavors that both the simulated cloud and the test OpenStack seed."""
    specs = {"hw:cpu_policy": "dedicated", "hw:mem_page_size": "1048576", "hw:numa_nodes": "1"}
    flavors = [Flavor("1", "vnf.control", 4, 8192, 40), Flavor("2", "vnf.dpdk", 4, 8192, 20, specs)]
    vnfd = selectors.vnfd_get(vnfd_id=VSR)
    chosen = [choose_flavor(vdu.needs, flavors, None).flavor for vdu in vnfd.vdus]
    assert chosen == flavors
