"""Lists of SOL003: filters, selectors and pages, all in SQL (SOL013 5.2 to 5.4); the rows are made by hand."""

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries
    from rest_framework.test import APIClient

    from vnfm.inventory.models import VnfInstance

INSTANCES = "/vnflcm/v2/vnf_instances"
OPERATIONS = "/vnflcm/v2/vnf_lcm_op_occs"
OUR_OPERATIONS = "/api/v1/vnf_lcm_op_occs"

pytestmark = pytest.mark.django_db

INFO = "instantiatedVnfInfo"
MOST = f"{INFO}/maxScaleLevels"
COMPLEX = {"vimConnectionInfo", INFO, "metadata"}


@pytest.fixture
def shipped() -> Any:
    """The package of the VSR-PE: what it says of aspects and virtual links is in the answers."""
    from tests.factories.catalog import onboarded
    from tests.factories.packages import shipped_zip

    return onboarded(shipped_zip())


@pytest.fixture
def park(shipped: Any) -> dict[str, "VnfInstance"]:
    """One that is nothing yet, one that runs with two VNFCs, one that is stopped with one."""
    from tests.factories.deployed import make_deployed, make_vnfc
    from tests.factories.inventory import make_instance
    from vnfm.inventory.models import VnfcPort, VnfVirtualLink

    idle = make_instance(name="idle", package=shipped, metadata={"site": "Ulm", "rack": 7})
    given = {"package": shipped, "flavour_id": "default", "metadata": {"site": "Bern"}}
    runs = make_deployed(name="runs", scale_levels={"data-path": 3}, **given)
    stopped = make_deployed(name="stopped", vim=runs.vim, scale_levels={"data-path": 0}, **given)
    VnfVirtualLink.objects.create(instance=runs, vl_id="fabric", network_id="net-f", created_by_stack=True)
    VnfVirtualLink.objects.create(instance=runs, vl_id="management", network_id="net-m", created_by_stack=False)
    control = make_vnfc(runs, "runs-a", vdu="control", slot="A", server_id="srv-a")
    make_vnfc(runs, "runs-1", vdu="data-path", slot="1", server_id="srv-1", desired="STOPPED")
    halted = make_vnfc(stopped, "stopped-a", vdu="control", slot="A", server_id="srv-s", desired="STOPPED")
    VnfcPort.objects.create(vnfc=halted, port_id="port-stopped", cp_id="control-management", network_id="net-m")
    for cp, net in (("control-management", "net-m"), ("control-fabric", "net-f")):
        address = {"mac_address": f"fa:16:3e:00:00:0{len(cp) % 10}", "ip_addresses": ["192.0.2.7"]}
        VnfcPort.objects.create(vnfc=control, port_id=f"port-{cp}", cp_id=cp, network_id=net, **address)
    return {"idle": idle, "runs": runs, "stopped": stopped}


def names(api: "APIClient", query: str, path: str = INSTANCES) -> list[str]:
    answer = api.get(f"{path}?{query}")
    assert answer.status_code == 200, answer.json()
    return [row["vnfInstanceName"] for row in answer.json()]


@pytest.mark.usefixtures("park")
@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("(eq,vnfInstanceName,runs)", ["runs"]),
        ("(cont,vnfInstanceName,st,dl)", ["idle", "stopped"]),
        ("(eq,vnfProductName,VSR-PE);(eq,instantiationState,INSTANTIATED)", ["runs", "stopped"]),
        ("(eq,metadata/site,Bern)", ["runs", "stopped"]),
        ("(eq,metadata/rack,7)", ["idle"]),
        ("(eq,metadata/@key,rack)", ["idle"]),
        ("(eq,extensions/x,1)", []),
        ("(neq,vnfConfigurableProperties/x,1)", ["idle", "runs", "stopped"]),
        (f"(eq,{MOST}/aspectId,data-path);(eq,{MOST}/scaleLevel,19)", ["runs", "stopped"]),
        (f"(gt,{MOST}/scaleLevel,19)", []),
        (f"(eq,{INFO}/flavourId,default)", ["runs", "stopped"]),
        (f"(eq,{INFO}/vnfState,STARTED)", ["runs"]),
        (f"(eq,{INFO}/vnfState,STOPPED)", ["stopped"]),
        (f"(gte,{INFO}/scaleStatus/scaleLevel,3)", ["runs"]),
        (f"(eq,{INFO}/scaleStatus/aspectId,data-path);(lt,{INFO}/scaleStatus/scaleLevel,3)", ["stopped"]),
        (f"(eq,{INFO}/vnfcResourceInfo/vduId,control)", ["runs", "stopped"]),
        (f"(eq,{INFO}/vnfcResourceInfo/computeResource/resourceId,srv-1)", ["runs"]),
        (f"(eq,{INFO}/vnfcResourceInfo/vduId,control);(neq,{INFO}/vnfcResourceInfo/id,{uuid4()})", ["runs", "stopped"]),
        (f"(eq,{INFO}/vnfcResourceInfo/metadata/slot,A);(eq,{INFO}/vnfcResourceInfo/metadata/name,runs-1)", []),
        (f"(eq,{INFO}/vnfcResourceInfo/vnfcCpInfo/cpdId,control-fabric)", ["runs"]),
        (f"(eq,{INFO}/vnfVirtualLinkResourceInfo/networkResource/resourceId,net-f)", ["runs"]),
        (f"(eq,{INFO}/extVirtualLinkInfo/resourceHandle/resourceId,net-m)", ["runs"]),
        (f"(eq,{INFO}/extCpInfo/cpProtocolInfo/ipOverEthernet/ipAddresses/addresses,192.0.2.7)", ["runs"]),
        (f"(eq,{INFO}/extCpInfo/cpProtocolInfo/ipOverEthernet/ipAddresses/addresses,192.0.2.8)", []),
        ("(eq,vimConnectionInfo/@key,vim1)", ["runs", "stopped"]),
        ("(eq,vimConnectionInfo/vim1/accessInfo/project,no-such)", []),
    ],
)  # fmt: skip
def test_instances_are_found_by_their_attributes(api: "APIClient", expression: str, found: list[str]) -> None:
    assert names(api, f"filter={expression}") == found


def test_by_the_cloud_that_they_live_in(api: "APIClient", park: dict[str, "VnfInstance"]) -> None:
    vim_id = park["runs"].vim_id
    assert names(api, f"filter=(eq,vimConnectionInfo/vimId,{vim_id})") == ["runs", "stopped"]
    assert names(api, f"filter=(neq,vimConnectionInfo/vimId,{vim_id})") == ["idle"]
    assert names(api, "filter=(eq,vimConnectionInfo/id,vim1)", "/vnflcm/v1/vnf_instances") == ["runs", "stopped"]
    assert names(api, f"filter=(eq,vnfPkgId,{park['idle'].package_id})", "/vnflcm/v1/vnf_instances") == list(park)
    networks = f"{INFO}/virtualLinkResourceInfo/vnfVirtualLinkDescId"
    assert names(api, f"filter=(eq,{networks},fabric)", "/vnflcm/v1/vnf_instances") == ["runs"]


@pytest.mark.usefixtures("park")
@pytest.mark.parametrize(
    "expression",
    ["(eq,colour,red)", "(eq,id,7)", "(like,id,7)", f"(eq,{INFO}/scaleStatus/scaleLevel,big)", "(eq,vnfPkgId,x)"],
)
def test_a_filter_that_makes_no_sense_is_refused(api: "APIClient", expression: str) -> None:
    answer = api.get(f"{INSTANCES}?filter={expression}")
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_FILTER")


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", set()),
        ("exclude_default", set()),
        ("all_fields", COMPLEX),
        ("fields=metadata", {"metadata"}),
        (f"exclude_default&fields={INFO}", {INFO}),
        (f"exclude_fields={INFO}", {"vimConnectionInfo", "metadata"}),
    ],
)
def test_attribute_selectors(api: "APIClient", park: dict[str, "VnfInstance"], query: str, shown: set[str]) -> None:
    row = api.get(f"{INSTANCES}?filter=(eq,vnfInstanceName,runs)&{query}").json()[0]
    assert row.keys() & COMPLEX == shown
    single = api.get(f"{INSTANCES}/{park['runs'].id}").json()
    assert single.items() >= row.items()
    assert single.keys() >= COMPLEX


@pytest.mark.usefixtures("park")
def test_a_part_of_an_attribute_comes_with_the_mandatory_ones(api: "APIClient") -> None:
    query = f"filter=(eq,vnfInstanceName,runs)&fields={INFO}/vnfcResourceInfo/metadata,{INFO}/scaleStatus"
    info = api.get(f"{INSTANCES}?{query}").json()[0][INFO]
    assert info.keys() == {"flavourId", "vnfState", "extCpInfo", "scaleStatus", "vnfcResourceInfo"}
    assert info["vnfcResourceInfo"][0].keys() == {"id", "vduId", "computeResource", "metadata"}
    assert [cp["cpdId"] for cp in info["extCpInfo"]] == ["control-management"]


def test_a_selector_that_makes_no_sense_is_refused(api: "APIClient") -> None:
    for query in ("fields=colour", "all_fields&fields=metadata", "exclude_fields=id"):
        assert api.get(f"{INSTANCES}?{query}").json()["code"] == "INVALID_SELECTOR"


AUTHENTICATION = 1


@pytest.mark.usefixtures("park")
@pytest.mark.parametrize(
    ("query", "queries"),
    [
        ("", 2),  # instances, whether an operation is under way; packages
        ("all_fields", 6),  # and VNFCs, ports, networks; VIMs
        (f"filter=(eq,{INFO}/vnfcResourceInfo/vduId,control);(eq,metadata/site,Bern)", 2),
    ],
)
def test_unselected_attributes_are_not_fetched(
    api: "APIClient", django_assert_num_queries: "DjangoAssertNumQueries", query: str, queries: int
) -> None:
    api.get(f"{INSTANCES}?all_fields")  # the VNFD is read once per process, the token's use noted once a minute
    with django_assert_num_queries(AUTHENTICATION + queries) as captured:
        assert len(api.get(f"{INSTANCES}?{query}").json()) >= 2
    assert not any("sealed_settings" in q["sql"] or '"vnfd"' in q["sql"] for q in captured.captured_queries)


def test_one_instance_costs_no_more_queries_when_it_grows(api: "APIClient", park: dict[str, "VnfInstance"]) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tests.factories.deployed import make_vnfc

    path = f"{INSTANCES}/{park['runs'].id}"
    api.get(path)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert api.get(path).status_code == 200
        return len(captured)

    before = queries()
    for slot in ("2", "3", "4"):
        make_vnfc(park["runs"], f"runs-{slot}", vdu="data-path", slot=slot, port="ACTIVE")
    assert queries() == before


def test_operations_of_instances_are_found_by_index(park: dict[str, "VnfInstance"]) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from vnfm.inventory.selectors import instance_list
    from vnfm.lcm.selectors.instance_status import instance_statuses

    instances = list(instance_list())
    with CaptureQueriesContext(connection) as captured:
        instance_statuses(instances)
    asked = [query["sql"] for query in captured.captured_queries if "lcm_lcmopocc" in query["sql"]]
    assert len(asked) == 2
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # the table is too small for an index to pay
        for sql in asked:
            cursor.execute(f"EXPLAIN {sql}")
            assert "operation_by_instance" in str(cursor.fetchall())


def operations(instance: "VnfInstance", count: int) -> list[UUID]:
    """Failed operations with a step that cannot be undone, each of another instance's past."""
    from vnfm.kit import clock
    from vnfm.lcm.models import LcmOpOcc, OpTransition, Step

    ids = []
    for number in range(count):
        op = LcmOpOcc.objects.create(
            instance=instance if number == 0 else None,
            instance_uuid=instance.id,
            operation="HEAL",
            state="FAILED_TEMP",
            params={"cause": f"number {number}"},
            problem={"status": 500, "detail": "it broke", "title": "x"},
            grant={"id": str(uuid4())},
            deadline=clock.now(),
            started_by="kim",
        )
        OpTransition.objects.create(op=op, source="PROCESSING", target="FAILED_TEMP")
        Step.objects.create(op=op, seq=1, kind="x@1", title="x", state="FAILED", one_way="It is gone.")
        ids.append(op.id)
    return ids


@pytest.mark.parametrize(("path", "starters"), [(OPERATIONS, {None}), (OUR_OPERATIONS, {"kim"})])
def test_stopped_operations_are_listed_in_a_fixed_number_of_queries(
    api: "APIClient",
    park: dict[str, "VnfInstance"],
    django_assert_num_queries: "DjangoAssertNumQueries",
    path: str,
    starters: set[str | None],
) -> None:
    operations(park["idle"], 12)
    api.get(path)
    with django_assert_num_queries(AUTHENTICATION + 3):  # operations, their moves, their steps
        rows = api.get(path).json()
    assert len(rows) == 12
    assert {row.get("startedBy") for row in rows} == starters
    assert all({"retry", "fail"} <= row["_links"].keys() and "rollback" not in row["_links"] for row in rows)
    assert all(row["grantId"] and "error" not in row and "operationParams" not in row for row in rows)
    full = api.get(f"{path}?fields=error,operationParams").json()
    assert {row["operationParams"]["cause"] for row in full} == {f"number {n}" for n in range(12)}
    assert full[0]["error"]["detail"] == "it broke"


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("(eq,operationState,FAILED_TEMP)", 2),
        ("(eq,isAutomaticInvocation,false);(eq,isCancelPending,false)", 2),
        ("(eq,isCancelPending,true)", 0),
        ("(eq,operationParams/cause,number 1)", 1),
        ("(cont,error/detail,broke)", 2),
        ("(gt,startTime,2100-01-01T00:00:00Z)", 0),
    ],
)
def test_operations_are_found(api: "APIClient", park: dict[str, "VnfInstance"], expression: str, count: int) -> None:
    operations(park["idle"], 2)
    for path in (OPERATIONS, OUR_OPERATIONS):
        assert len(api.get(f"{path}?filter={expression}").json()) == count


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("(eq,{C}/affectedVnfcs/vduId,iom)", 1),
        ("(eq,{C}/affectedVnfcs/vduId,iom);(eq,{C}/affectedVnfcs/changeType,ADDED)", 1),
        ("(eq,{C}/affectedVnfcs/vduId,iom);(eq,{C}/affectedVnfcs/changeType,REMOVED)", 0),
        ("(cont,{C}/affectedVnfcs/computeResource/resourceId,SRV)", 1),
        ("(neq,{C}/affectedVnfcs/changeType,ADDED)", 1),
        ("(in,{C}/affectedExtLinkPorts/id,port-1,port-2)", 0),
        ("(eq,changedInfo/vnfInstanceName,new)", 1),
        ("(eq,changedInfo/vnfInstanceName,old)", 0),
    ],
)
def test_operations_are_found_by_what_they_changed(
    api: "APIClient", park: dict[str, "VnfInstance"], expression: str, count: int
) -> None:
    """Clauses on one array hold for one and the same of its objects (SOL013 5.2.2)."""
    from vnfm.lcm.models import LcmOpOcc

    operations(park["idle"], 2)
    vnfcs = [
        {"id": "1", "vdu_id": "iom", "change": "ADDED", "server_id": "srv-1"},
        {"id": "2", "vdu_id": "cpm", "change": "REMOVED", "server_id": "srv-2"},
    ]
    first, second = LcmOpOcc.objects.order_by("id")
    LcmOpOcc.objects.filter(id=first.id).update(changed={"vnfcs": vnfcs})
    LcmOpOcc.objects.filter(id=second.id).update(
        operation="MODIFY_INFO", state="COMPLETED", params={"vnfInstanceName": "new"}
    )
    query = expression.replace("{C}", "resourceChanges")
    assert len(api.get(OPERATIONS, {"filter": query}).json()) == count


def test_the_live_operation_of_each_takes_its_tasks_away(api: "APIClient", park: dict[str, "VnfInstance"]) -> None:
    operations(park["runs"], 1)
    links = {row["vnfInstanceName"]: row["_links"].keys() for row in api.get(INSTANCES).json()}
    assert links["idle"] == {"self", "instantiate"}
    assert links["runs"] == {"self"}
    assert {"scale", "scaleToLevel", "operate", "heal", "terminate"} <= links["stopped"]
    old = {row["vnfInstanceName"]: row["_links"] for row in api.get("/vnflcm/v1/vnf_instances").json()}
    assert "changeCurrentVnfPkg" not in old["stopped"]
    assert old["stopped"]["heal"]["href"].startswith("http://testserver/vnflcm/v1/")


def test_pages_are_walked_by_their_links(api: "APIClient", shipped: Any) -> None:
    """A hundred of the whole instances a page, a thousand of the short ones."""
    from vnfm.inventory.models import VnfInstance

    VnfInstance.objects.bulk_create(VnfInstance(name=f"many-{n:04}", package=shipped) for n in range(1001))
    for query, sizes in (
        ("all_fields", [100] * 10 + [1]),
        ("", [1000, 1]),
        ("filter=(cont,vnfInstanceName,-00)", [100]),
    ):
        met: list[str] = []
        pages, url = [], f"{INSTANCES}?{query}"
        while url:
            answer = api.get(url)
            pages.append(len(answer.json()))
            met += [row["id"] for row in answer.json()]
            url = answer.headers.get("Link", "").partition(">")[0].lstrip("<")
        assert pages == sizes
        assert len(set(met)) == sum(sizes)
