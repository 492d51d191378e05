from dataclasses import replace

import pytest

from tests.factories.packages import VCPE, VMG, edited, shipped_files, vsr_files, with_manifest
from tests.unit.catalog.refusals import MANIFEST, VNFD, content, refused
from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.package import check_package, read_package
from vnfm.catalog.domain.placeholder import placeholder_qcow2
from vnfm.catalog.domain.vnfd import CountLimit

MISSING = "The package has no file '{}'. Send it with the others, under this path."


def messages(faults):
    return [(fault.file, fault.pointer, fault.message) for fault in faults]


def test_the_checked_package_reads_the_same_later():
    files = content(with_manifest(vsr_files()))
    assert read_package(files) == replace(check_package(files, MANIFEST, VNFD), findings=())


def test_the_problem_has_file_place_and_remedy():
    with pytest.raises(PackageError) as caught:
        check_package(
            content(edited("vnfd.yaml", lambda d: d["vdus"][0]["needs"].update(vcpus="four"))), MANIFEST, VNFD
        )
    problem = caught.value.as_problem()
    assert problem.status == 422
    assert problem.code == "VNFD_INVALID"
    assert problem.errors[0].field == "vnfd.yaml#/vdus/0/needs/vcpus"
    assert problem.detail.startswith("vnfd.yaml, line ")
    assert "'four' is not of type 'integer'" in problem.detail
    assert problem.next_step


def test_without_manifest():
    files = vsr_files()
    del files["MANIFEST.json"]
    assert "no manifest" in refused(files, "MANIFEST_MISMATCH")[0].message


@pytest.mark.parametrize(
    ("change", "file", "message"),
    [
        (lambda f: f.pop("base.env"), "base.env", "MANIFEST.json lists the file, but the package does not have it."),
        (lambda f: f.update(extra=b"x"), "extra", "The package has the file, but MANIFEST.json does not list it."),
        (lambda f: f.update({"base.env": b"x"}), "base.env", "The file's SHA-256 is "),
        (lambda f: f.update({"MANIFEST.json": b"{"}), "MANIFEST.json", "The manifest is not JSON: "),
        (lambda f: f.update({"MANIFEST.json": b"{}"}), "MANIFEST.json", "'files' is a required property"),
        (
            lambda f: f.update({"MANIFEST.json": b'{"format":"vnf-package/1","files":{"a":"x"}}'}),
            "MANIFEST.json",
            "'x' does",
        ),
    ],
)
def test_a_manifest_that_is_not_true(change, file, message):
    files = with_manifest(vsr_files())
    change(files)
    faults = refused(files, "MANIFEST_MISMATCH")
    assert any(fault.file == file and fault.message.startswith(message) for fault in faults), faults


def test_without_descriptor():
    files = vsr_files()
    del files["vnfd.yaml"]
    assert "no descriptor" in refused(with_manifest(files), "VNFD_INVALID")[0].message


GONE = object()


def change(where, value):
    """Sets what the pointer leads to, or removes it."""
    *parents, last = [int(step) if step.isdecimal() else step for step in where.split("/")[1:]]

    def apply(data):
        for step in parents:
            data = data[step]
        if value is GONE:
            del data[last]
        else:
            data[last] = value

    return apply


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        ("/vnfdId", "x", "'x' does not match"),
        ("/indicators", [], "[] should be non-empty"),
        ("/hot/template", "../x.yaml", "'../x.yaml' does not match"),
        ("/vdus/0/softwareImage", "x", "There is no software image 'x'; there are vsr."),
        ("/vdus/0/flavorParameter", "x", "base.yaml has no parameter 'x'."),
        ("/vdus/1/group", "x", "base.yaml has no OS::Heat::ResourceGroup 'x'."),
        ("/vdus/0/members/0", "x", "There is no resource 'x'"),
        ("/vdus/0/minimum", 5, "minimum is greater than maximum."),
        ("/vdus/1/slots", ["1", "2"], "20 components do not fit into 2 slots."),
        ("/vdus/1/connectionPoints/0/port", "x", "No template has a resource 'x'."),
        ("/vdus/1/connectionPoints/0/virtualLink", "x", "There is no virtual link 'x'"),
        ("/vdus/1/id", "control", "'control' is used twice."),
        ("/virtualLinks/0/registryType", "X::Y", "No template uses the resource type 'X::Y'."),
        ("/variants/0/setting", "x", "There is no setting 'x'"),
        ("/variants/0/templates", {"true": "fragments/placement_any.yaml"}, "No template for the value false."),
        ("/flavours/0/defaultLevel", "x", "There is no level 'x'; there are default, full, medium, small."),
        ("/flavours/0/levels/3/scale/data-path", 30, "30 is above the aspect's maxScaleLevel."),
        ("/flavours/0/levels/0/scale", {}, "The level must say how far each aspect is scaled: data-path."),
        ("/flavours/0/aspects/0/maxScaleLevel", 20, "The highest level has more than 20 components."),
        ("/flavours/0/aspects/0/vdu", "control", "There is no VDU 'control' with a group."),
        ("/flavours/0/aspects/0/countParameter", "vnf_name", "Parameter vnf_name of base.yaml must be a number"),
        ("/settings/0/settings/0/name", "x", "base.yaml has no parameter 'x'."),
        ("/settings/0/settings/1/name", "control_flavor", "'control_flavor' is listed twice."),
        ("/softwareImages/0/diskFormat", "raw", "A placeholder is always a qcow2."),
        ("/instanceParameters/id", "x", "base.yaml has no parameter 'x'."),
        ("/fixedParameters", {"x": 1}, ""),
        ("/vdus/0/imagesParameter", "x", "base.yaml has no parameter 'x'."),
        ("/vdus/0/imagesParameter", "image", "Parameter image of base.yaml must be a json, not a string."),
        ("/vdus/0/imagesParameter", "open_port_attributes", "open_port_attributes is a setting, which the operator"),
        ("/vdus/1/imagesParameter", "control_images", "control_images is in use already."),
        ("/vdus/0/antiAffinity", "x", "There is no setting 'x'"),
        ("/vdus/0/antiAffinity", "fabric_mtu", "Parameter fabric_mtu of base.yaml must be a boolean, not a number."),
        ("/vdus/0/healing/0", "pray", "'pray' is not one of"),
        ("/vdus/0/healing", [], "[] should be non-empty"),
        ("/flavours/1/needs/x", {"vcpus": 1, "memoryMib": 1, "diskGib": 1}, "There is no VDU 'x'; there are control, "),
        ("/flavours/1/parameters", {"x": 1}, "base.yaml has no parameter 'x'."),
        ("/flavours/1/parameters", {"fabric_mtu": 1}, "fabric_mtu is a setting, which the operator chooses."),
        ("/limits", [{"vdus": {"x": 1}, "maximum": 9, "message": "No."}], "There is no VDU 'x'"),
        ("/limits", [{"vdus": {"control": 0}, "maximum": 9, "message": "No."}], "0 is less than the minimum of 1"),
        ("/upgradeOrder/1", "x", "There is no VDU 'x'; there are control, data-path."),
        ("/upgradeOrder/0", "control/C", "There is no slot of control 'C'; there are A, B."),
        ("/upgradeOrder/1", "control", "control is in the order already."),
        ("/rollback/scaleIn", "pray", "'pray' is not one of ['recreate']"),
    ],
)
def test_a_descriptor_that_does_not_fit(where, value, message):
    faults = refused(edited("vnfd.yaml", change(where, value)), "VNFD_INVALID")
    assert any(f.pointer.startswith(where) and f.message.startswith(message) for f in faults), messages(faults)
    assert all(fault.line for fault in faults)


@pytest.mark.parametrize(
    ("where", "value", "at", "message"),
    [
        ("/vnfdId", GONE, "", "'vnfdId' is a required property"),
        ("/surprise", 1, "", "Additional properties are not allowed"),
        ("/vdus/0/maximum", 3, "/vdus/0/slots", "3 components do not fit into 2 slots."),
        ("/addressPlans/0/cidr", "x", "/addressPlans/0", "There is no setting 'x'"),
        ("/softwareImages/0/placeholder", False, "/softwareImages/0", "'path' is a required property"),
    ],
)
def test_a_fault_has_file_and_line(where, value, at, message):
    faults = refused(edited("vnfd.yaml", change(where, value)), "VNFD_INVALID")
    assert any(f.pointer == at and f.message.startswith(message) for f in faults), messages(faults)


def test_a_level_that_breaks_a_limit():
    limit = {"vdus": {"control": 1, "data-path": 2}, "maximum": 40, "message": "The chassis is full."}
    faults = refused(edited("vnfd.yaml", change("/limits", [limit])), "VNFD_INVALID")
    message = "The level has 42, but the maximum is 40: The chassis is full."
    assert messages(faults) == [("vnfd.yaml", f"/flavours/{n}/levels/3", message) for n in (0, 1, 2)]


def test_a_parameter_that_only_one_flavour_sets_needs_a_default():
    def one_sets_it(data):
        data["flavours"][1]["parameters"] = {"more": 1}

    files = edited("base.yaml", change("/parameters/more", {"type": "number"}), edited("vnfd.yaml", one_sets_it))
    assert "Parameter more has no default" in refused(files, "VNFD_INVALID")[0].message


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        ("/chains/0/links/1", "x", "There is no virtual link 'x'; there are access, chain1, chain2, management, wan."),
        ("/chains/0/links", ["chain1"], "'router' must be a VDU with a group, slots, and as many components as there"),
        ("/chains/0/vdu", "ece", "'ece' must be a VDU with a group"),
        ("/chains/0/linksParameter", "x", "base.yaml has no parameter 'x'."),
        ("/chains/0/linksParameter", "open_port_attributes", "open_port_attributes is a setting"),
        ("/chains/0/head", "x", "There is no connection point 'x'"),
        ("/chains/0/head", "router-inward", "router must have exactly one member."),
        ("/chains/0/head", "ece-access", "head and outward must have the virtual link on which the row ends."),
        ("/chains/0/inward", "ece-access", "'ece-access' is not a connection point of router."),
    ],
)
def test_a_chain_that_does_not_fit(where, value, message):
    files = shipped_files(VCPE)
    faults = refused(edited("vnfd.yaml", change(where, value), files), "VNFD_INVALID")
    assert any(f.pointer.startswith("/chains/0") and f.message.startswith(message) for f in faults), messages(faults)


def test_operations_of_a_descriptor_are_read():
    def say_it(data):
        data["limits"] = [{"vdus": {"data-path": 1}, "maximum": 20, "message": "The chassis is full."}]
        data["flavours"][1]["parameters"] = {"management_note": "large"}
        data["flavours"][1]["warnings"] = ["It is large."]
        del data["vdus"][1]["healing"]

    files = edited("base.yaml", change("/parameters/management_note", {"type": "string", "default": ""}))
    vnfd = check_package(content(edited("vnfd.yaml", say_it, files)), MANIFEST, VNFD).vnfd
    control, data_path = vnfd.vdus
    assert (control.anti_affinity, control.images_parameter) == ("anti_affinity", "control_images")
    assert control.healing == ("start", "reboot", "rebuild", "recreate")
    assert data_path.healing == ("start", "reboot", "recreate"), "the default"
    assert vnfd.limits == (CountLimit({"data-path": 1}, 20, "The chassis is full."),)
    assert vnfd.upgrade_order == ("control/B", "data-path", "control/A")
    assert vnfd.recreate_on_rollback
    usual, large, _ = vnfd.flavours
    assert usual.needs_of(data_path) == data_path.needs
    assert (usual.warnings, large.warnings) == ((), ("It is large.",))
    assert (large.needs_of(data_path).vcpus, large.needs_of(data_path).memory_mib) == (8, 16384)
    assert large.needs_of(control) == control.needs
    assert large.parameters == {"management_note": "large"}


def test_a_root_template_that_is_missing():
    faults = refused(edited("vnfd.yaml", change("/hot/template", "x.yaml")), "HOT_INVALID")
    assert messages(faults) == [("vnfd.yaml", "/hot/template", MISSING.format("x.yaml"))]


def test_an_image_file_that_is_missing_or_there():
    def bring_the_image(data):
        data["softwareImages"][0] = {**data["softwareImages"][0], "path": "images/x.qcow2"}
        del data["softwareImages"][0]["placeholder"]

    files = edited("vnfd.yaml", bring_the_image)
    assert refused(files, "VNFD_INVALID")[0].message == "The package has no file 'images/x.qcow2'."
    del files["MANIFEST.json"]
    disk = placeholder_qcow2()
    package = check_package(content(with_manifest({**files, "images/x.qcow2": disk})), MANIFEST, VNFD)
    image = package.vnfd.software_images[0]
    assert (image.path, image.size, image.placeholder) == ("images/x.qcow2", len(disk), False)
    assert package.generated == {}
    (fault,) = refused(with_manifest({**files, "images/x.qcow2": b"image"}), "IMAGE_INVALID")
    assert (fault.file, fault.message[:40]) == ("images/x.qcow2", "The descriptor says qcow2, but the file ")


def reads(path):
    return {"type": "OS::Heat::SoftwareConfig", "properties": {"config": {"get_file": path}}}


@pytest.mark.parametrize(
    ("file", "where", "value", "message"),
    [
        ("base.yaml", "/parameters/image", {"type": "text"}, "'text' is not a HOT parameter type"),
        ("base.yaml", "/resources", "x", "resources must be a mapping."),
        ("base.yaml", "/resources/image", {"type": "A::B"}, "Heat refuses a resource named as a parameter"),
        ("base.yaml", "/resources/more", {}, "Resource more has no type."),
        ("base.yaml", "/resources/more", {"type": "x.yaml"}, MISSING.format("x.yaml")),
        ("base.yaml", "/resources/more", reads("day0/x"), MISSING.format("day0/x")),
        ("base.yaml", "/parameters/image/constraints", [{"rang": {}}], "Invalid key 'rang' for parameter constraints"),
        ("base.yaml", "/parameters/image/constraints", [{"allowed_pattern": "("}], "This is not a regular expression"),
        ("base.env", "/event_sink", {}, "Heat knows no section 'event_sink' in an environment."),
    ],
)
def test_templates_that_do_not_fit(file, where, value, message):
    faults = refused(edited(file, change(where, value)), "HOT_INVALID")
    found = [f for f in faults if f.file == file and f.pointer.startswith(where)]
    assert any(f.message.startswith(message) for f in found), messages(faults)


def test_nothing_is_fetched_from_elsewhere():
    url = "http://example.com/x.yaml"
    faults = refused(edited("base.yaml", change("/resources/more", {"type": url})), "HOT_INVALID")
    assert faults[0].message.startswith(f"{url} lies outside of the package. Allow it to be fetched")


@pytest.mark.parametrize(
    ("where", "value", "code", "message"),
    [
        ("/parameters/fabric_mtu/default", 20000, "HOT_INVALID", "The default: 20000 is not accepted"),
        ("/parameters/management_cidr/default", "x", "VNFD_INVALID", "The default: 'x' is not an IPv4 network"),
        ("/parameters/more", {"type": "string"}, "VNFD_INVALID", "Parameter more has no default"),
    ],
)
def test_required_parameters_that_cannot_be_set(where, value, code, message):
    faults = refused(edited("base.yaml", change(where, value)), code)
    assert [(f.file, f.pointer) for f in faults] == [("base.yaml", where)]
    assert faults[0].message.startswith(message)


def test_heat_gets_files_that_templates_read():
    files = edited("base.yaml", change("/resources/more", reads("day0/config.cfg")))
    package = check_package(content(files), MANIFEST, VNFD)
    assert "day0/config.cfg" in package.vnfd.hot_files


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"caf\xe9", "Heat gets this file, so it must be UTF-8 text: unexpected end of data at 3."),
        (b"x" * (MAX_BYTES + 1), "The file has 1048577 bytes; 1048576 are allowed for Heat."),
    ],
    ids=["latin-1", "large"],
)
def test_a_file_that_cannot_be_sent_to_heat(data, message):
    files = {**edited("base.yaml", change("/resources/more", reads("day0/config.cfg"))), "day0/config.cfg": data}
    del files["MANIFEST.json"]
    assert messages(refused(with_manifest(files), "HOT_INVALID")) == [("day0/config.cfg", "", message)]


def test_members_without_slots_are_numbered():
    def forget_the_slots(data):
        del data["vdus"][0]["slots"]
        del data["upgradeOrder"]

    package = check_package(content(edited("vnfd.yaml", forget_the_slots)), MANIFEST, VNFD)
    assert package.vnfd.vdus[0].slots == ("1", "2")


def test_a_variant_needs_a_setting_whose_values_are_known():
    faults = refused(edited("vnfd.yaml", change("/variants/0/setting", "primary_config")), "VNFD_INVALID")
    assert ("vnfd.yaml", "/variants/0/setting") in [(f.file, f.pointer) for f in faults]
    assert any(f.message.startswith("The setting primary_config must be a boolean") for f in faults)


def test_a_template_that_liberty_would_refuse_is_noted():
    package = check_package(
        content(edited("base.yaml", change("/heat_template_version", "2018-08-31"))), MANIFEST, VNFD
    )
    assert package.vnfd.notes[-1] == "Needs a Heat newer than Liberty's: see heat_template_version in base.yaml."


@pytest.mark.parametrize(
    ("change", "pointer", "message"),
    [
        (lambda d: d["vdus"][2].update(minimum=3), "/vdus/2/minimum", "3 components cannot form pairs."),
        (
            lambda d: d["flavours"][0]["aspects"][1].update(step=1),
            "/flavours/0/aspects/1/step",
            "Mobile gateway VM comes in pairs: a step must be an even number.",
        ),
        (
            lambda d: d["vdus"][2].update(pairsParameter="open_port_attributes"),
            "/vdus/2/pairsParameter",
            "open_port_attributes is a setting, which the operator chooses.",
        ),
    ],
    ids=["odd minimum", "odd step", "a setting"],
)
def test_pairs_are_whole_at_every_level(change, pointer, message):
    faults = refused(edited("vnfd.yaml", change, shipped_files(VMG)), "VNFD_INVALID")
    assert ("vnfd.yaml", pointer, message) in messages(faults)


def test_each_vdu_of_the_same_members_has_a_server_of_its_own():
    """Also one that differs from the first."""

    def add_two_of_one_server(data):
        first = data["vdus"][1]
        data["vdus"] += [{**first, "id": name, "name": name, "server": "b"} for name in ("second", "third")]
        first["server"] = "a"

    faults = messages(refused(edited("vnfd.yaml", add_two_of_one_server), "VNFD_INVALID"))
    said = [pointer for _, pointer, message in faults if "say which server of its members" in message]
    assert said == ["/vdus/3/server"]
