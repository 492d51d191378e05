"""The question how big it must be is answered over HTTP, with a package that is shipped."""

from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import edited, shipped_zip, vsr_files, with_manifest, zipped

pytestmark = pytest.mark.django_db
VSR = UUID("d58a4aea-2a08-4c05-b0df-bb926497861b")


@pytest.fixture
def catalog(db):
    return onboarded(shipped_zip())


def ask(api, demand, **more):
    return api.post("/api/v1/dimensioning", {"vnfdId": str(VSR), "demand": demand, **more}, format="json")


def packets(value, unit="Mpps"):
    return {"frameSize": 64, "packetRate": {"value": value, "unit": unit}}


def test_the_answer_of_a_demand(viewer_api, catalog):
    answer = ask(viewer_api, packets(100)).json()
    assert (answer["verdict"], answer["hostType"]) == ("NOT_KNOWN", "e5-2699v3")
    assert answer["scaleLevels"] == {"data-path": 1}
    assert (answer["flavourId"], answer["instantiationLevelId"], answer["levelIsExact"]) == (
        "full-socket",
        "medium",
        False,
    )
    assert answer["counted"][1] == {"name": "CPU sockets for data path VMs", "number": 2, "figureId": "sockets"}
    (row,) = answer["dimensions"]
    assert (row["demand"], row["capacity"]) == ({"value": 100, "unit": "Mpps"}, {"value": 115, "unit": "Mpps"})
    assert row["headroom"] == pytest.approx(1 - 100 / 115)
    assert (row["binds"], row["figureId"], row["unitsNeeded"]) == (True, "packet-rate-64", 2)
    assert answer["totals"] == {"vms": 4, "cores": None, "vcpus": 44, "memoryMib": 49152}
    figure = next(each for each in answer["figures"] if each["id"] == "packet-rate-64")
    assert figure["source"]["seed"] == "000_d6f0c3eddd213672.txt"
    assert figure["source"]["place"].startswith("page 6")
    assert any("8 SR-IOV ports" in each for each in answer["unknown"])


def test_one_demand_in_two_units_has_one_answer(viewer_api, catalog):
    one, other = ask(viewer_api, packets(57.5)).json(), ask(viewer_api, packets(57_500_000, "pps")).json()
    assert one["totals"] == other["totals"]
    assert one["dimensions"][0]["used"] == other["dimensions"][0]["used"] == 1


@pytest.mark.parametrize("value", [1 / 3, 5e-324, 10**18])
def test_an_amount_has_any_number_of_digits(viewer_api, catalog, value):
    (row,) = ask(viewer_api, packets(value)).json()["dimensions"]
    assert row["demand"]["value"] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("demand", "field"),
    [
        (packets(-1), "/demand/packetRate/value"),
        (packets(10**18 + 1), "/demand/packetRate/value"),
        (packets("NaN"), "/demand/packetRate/value"),
        (packets("Infinity"), "/demand/packetRate/value"),
        (packets(1, "Gbit/s"), "/demand/packetRate/unit"),
        (packets(1, "furlong"), "/demand/packetRate/unit"),
        ({"packetRate": {"value": 1}}, "/demand/packetRate/unit"),
        ({"packetRate": 5}, "/demand/packetRate"),
        ({"frameSize": 63, "packetRate": {"value": 1, "unit": "pps"}}, "/demand/frameSize"),
        ({"imix": True, **packets(1)}, "/demand/imix"),
        ({"pakets": {"value": 1, "unit": "pps"}, **packets(1)}, "/demand/pakets"),
        ({}, "/demand"),
        ({"frameSize": 64}, "/demand"),
    ],
)
def test_invalid_requests_are_refused_at_their_field(viewer_api, catalog, demand, field):
    answer = ask(viewer_api, demand)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_an_unknown_host_type_names_those_that_are_known(viewer_api, catalog):
    problem = ask(viewer_api, packets(1), hostType="mainframe").json()
    assert problem["errors"] == [
        {"field": "/hostType", "message": "Figures are known for these host types: e5-2699v3."}
    ]


def test_an_unknown_vnfd(viewer_api, catalog):
    body = {"vnfdId": str(uuid4()), "demand": packets(1)}
    assert viewer_api.post("/api/v1/dimensioning", body, format="json").status_code == 404


def test_figures_show_the_permitted_demand(viewer_api, catalog):
    figures = viewer_api.get(f"/api/v1/vnfds/{VSR}/figures").json()
    assert [each["dimension"] for each in figures["demand"]][:3] == ["packetRate", "throughput", "wireRate"]
    assert figures["demand"][0]["units"] == ["Mpps", "kpps", "pps"]
    assert (figures["frames"], figures["imix"]) == ([64, 78, 128, 173], True)
    assert [host["id"] for host in figures["hosts"]] == ["e5-2699v3"]
    assert figures["contradictions"][0]["figures"] == ["routes", "routes-vpn", "routes-ibgp"]
    routes = next(each for each in figures["figures"] if each["id"] == "routes")
    assert (routes["value"], routes["unit"], routes["meaning"]) == (3_400_000, "route", "tested")


def test_figures_of_a_physical_router(viewer_api):
    (router,) = viewer_api.get("/api/v1/reference_figures").json()
    assert router["id"] == "huawei-ne9000"
    assert next(each for each in router["figures"] if each["id"] == "fib-ipv4")["value"] == 5_120_000


@pytest.fixture
def upload(operator_api):
    def put(content):
        package = operator_api.post("/vnfpkgm/v1/vnf_packages", {}, format="json").json()
        path = f"/vnfpkgm/v1/vnf_packages/{package['id']}/package_content"
        return operator_api.generic("PUT", path, content, content_type="application/zip")

    return put


def test_a_package_without_figures_knows_nothing(operator_api, upload):
    files = vsr_files()
    del files["figures.yaml"]
    assert upload(zipped(with_manifest(files))).status_code == 202
    answer = ask(operator_api, packets(1)).json()
    assert answer["verdict"] == "NOT_KNOWN"
    assert answer["unknown"] == ["Nothing was measured that says how big this VNF must be."]
    assert operator_api.get(f"/api/v1/vnfds/{VSR}/figures").json()["demand"] == []


def test_wrong_figures_are_refused_with_file_and_line(upload):
    def wrong(data):
        data["figures"][0]["unit"] = "furlong"
        data["sizing"]["unit"]["vdu"] = "line-card"

    problem = upload(zipped(edited("figures.yaml", wrong))).json()
    assert problem["code"] == "FIGURES_INVALID"
    assert problem["errors"][0]["field"] == "figures.yaml#/figures/0/unit"
    assert problem["errors"][0]["message"].startswith("figures.yaml, line ")
