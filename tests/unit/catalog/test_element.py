"""A VNF is managed as its VNFD says: the element block of a descriptor, and the language of its templates."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories.packages import SHIPPED, VMG, edited, schema, shipped_files, shipped_package, with_manifest
from tests.unit.catalog.refusals import refused
from vnfm.catalog.domain.config_template import UndefinedNameError, names, render
from vnfm.catalog.domain.element import ElementSpec
from vnfm.elements.domain.drivers import DRIVERS

FOLDER = SHIPPED.parents[1]
DAY_ONE = "day1/data_path.cfg"


def spec(folder: Any) -> ElementSpec:
    found = shipped_package(folder).vnfd.element
    assert found is not None
    return found


def test_a_distributed_router_is_one_element_of_many_cards() -> None:
    assert (spec(SHIPPED).address_setting, spec(SHIPPED).per_component) == ("management_ip_active", "")
    assert spec(SHIPPED).cards == ("control", "data-path")
    assert spec(VMG).cards == ("oam", "lb", "mg")
    assert [(entry.vdu_id, entry.for_each) for entry in spec(VMG).day_one] == [
        ("", ""), ("lb", ""), ("lb", "lb_mdas"), ("lb", ""), ("mg", ""), ("mg", "mg_mdas"),
    ]  # fmt: skip


@pytest.mark.parametrize("folder", ["vsr-i/version-not-stated", "vsr-rr/13.0.R6"])
def test_an_integrated_router_is_an_element_for_each_vm(folder: str) -> None:
    found = spec(FOLDER / folder)
    assert (found.per_component, found.address_point, found.cards) == ("router", "router-management", ())


def test_the_drivers_of_packages_are_those_that_there_are() -> None:
    known = schema("vnfd")["$defs"]["element"]["properties"]["driver"]["enum"]
    assert sorted(known) == sorted(driver.name for driver in DRIVERS)


def changed(**values: Any) -> Callable[[Any], None]:
    return lambda data: data["element"].update(values)


def without_cards(data: Any) -> None:
    del data["element"]["cards"]


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        (changed(driver="acme"), "/element/driver", "'acme' is not one of"),
        (
            changed(cards=["control", "line"]),
            "/element/cards/1",
            "There is no VDU 'line'; there are control, data-path.",
        ),
        (changed(managementAddress={"setting": "image_x"}), "/element/managementAddress/setting", "plain setting"),
        (changed(managementAddress={}), "/element/managementAddress", "should be non-empty"),
        (
            changed(managementAddress={"connectionPoint": "data"}),
            "/element/managementAddress/connectionPoint",
            "connection point of the element 'data'",
        ),
        (changed(dayOne=[{"template": "day1/no.cfg"}]), "/element/dayOne/0/template", "The package has no file"),
        (
            changed(dayOne=[{"template": "day1/system.cfg", "vdu": "line"}]),
            "/element/dayOne/0/vdu",
            "There is no VDU 'line'",
        ),
        (
            changed(dayOne=[{"template": "day1/system.cfg", "removal": "day1/system.cfg"}]),
            "/element/dayOne/0/removal",
            "name a vdu, or leave removal out",
        ),
        (
            changed(dayOne=[{"template": DAY_ONE, "vdu": "data-path", "removal": "day1/no.cfg"}]),
            "/element/dayOne/0/removal",
            "The package has no file",
        ),
        (changed(ping=["gateway"]), "/element/ping/0", "neither an address nor a template of an address"),
        (changed(ping=["${setting.gateway}"]), "/element/ping/0", "There is no ${setting.gateway} here"),
        (changed(perComponentOf="control"), "/element", "is valid under each of"),
        (without_cards, "/element", "is not valid under any of the given schemas"),
        (changed(password="secret"), "/element", "'password' was unexpected"),
    ],
)
def test_invalid_element_settings_are_refused_at_their_place(
    change: Callable[[Any], None], pointer: str, words: str
) -> None:
    (fault,) = refused(edited("vnfd.yaml", change), "VNFD_INVALID")
    assert fault.pointer == pointer
    assert words in fault.message
    assert fault.line > 0


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("exit all\nport ${component.port}\n", 2, "There is no ${component.port} here"),
        ("${setting.open_port_attributes}", 1, "There is no ${setting.open_port_attributes} here"),
        ("${address.control-management}", 1, "address.data-path-management"),
    ],
)
def test_a_name_that_nothing_has_is_found_before_any_router(text: str, line: int, words: str) -> None:
    files = with_manifest({**shipped_files(SHIPPED), DAY_ONE: text.encode()})
    (fault,) = refused(files, "VNFD_INVALID")
    assert (fault.file, fault.line) == (DAY_ONE, line)
    assert words in fault.message


def test_a_template_for_each_word_names_a_setting_of_words() -> None:
    def other(data: Any) -> None:
        data["element"]["dayOne"][2]["forEach"] = "open_port_attributes"

    found = [fault.message for fault in refused(edited("vnfd.yaml", other), "VNFD_INVALID")]
    assert any("no plain setting 'open_port_attributes'" in message for message in found)
    files = with_manifest({**shipped_files(SHIPPED), DAY_ONE: b"mda ${item.number}\n"})
    (fault,) = refused(files, "VNFD_INVALID")
    assert "There is no ${item.number} here" in fault.message


def test_a_removal_names_the_statement_that_it_removes() -> None:
    removal = "day1/data_path_removal.cfg"
    assert [entry.removal for entry in spec(SHIPPED).day_one][:2] == ["", removal]
    files = with_manifest({**shipped_files(SHIPPED), removal: b"no card ${component.card}\n"})
    (fault,) = refused(files, "VNFD_INVALID")
    assert (fault.file, fault.line) == (removal, 1)


def test_commands_and_xml_for_one_element_are_found_before_any_router() -> None:
    files = with_manifest({**shipped_files(SHIPPED), DAY_ONE: b"<configure xmlns='urn:x'><a/></configure>"})
    faults = refused(files, "VNFD_INVALID")
    assert [fault.pointer for fault in faults] == ["/element/dayOne/1/template"]
    assert "day1/data_path.cfg is XML and day1/system.cfg is commands" in faults[0].message


def test_a_hidden_setting_never_gets_into_a_configuration() -> None:
    def hide(hot: Any) -> None:
        hot["parameters"]["license_file"]["hidden"] = True

    files = edited("base.yaml", hide, {**shipped_files(SHIPPED), DAY_ONE: b"license ${setting.license_file}"})
    (fault,) = refused(files, "VNFD_INVALID")
    assert fault.file == DAY_ONE


def test_holes_are_all_that_a_template_has() -> None:
    text = 'name "${a.b}" $a $$ ${c-d}\npassword $2y$10$x {% if %} {a}'
    assert list(names(text)) == [(1, "a.b"), (1, "c-d")]
    filled = render(text, {"a.b": "${c-d}", "c-d": "x"})
    assert filled == 'name "${c-d}" $a $$ x\npassword $2y$10$x {% if %} {a}', "what is filled in is not read again"


def test_a_hole_that_nothing_fills_and_a_value_that_would_be_a_command() -> None:
    with pytest.raises(UndefinedNameError, match=r"a\.b"):
        render("${a.b}", {})
    for value in ('x"\nexit', "x\ny", "x\x1b"):
        with pytest.raises(ValueError, match="quotation mark or a control character"):
            render("${a}", {"a": value})
