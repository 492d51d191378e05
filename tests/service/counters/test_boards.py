"""/api/v1/boards: boards of charts, which belong to a user and others may read when they are shared."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.factories.accounts import make_user
from tests.factories.elements import make_element
from tests.factories.inventory import make_instance
from vnfm.counters.domain.boards import MAX_BOARDS, MAX_CHARTS
from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.models import Board
from vnfm.counters.services import boards
from vnfm.elements.models import NetworkElement
from vnfm.history import counters, traffic
from vnfm.history.samples import TrafficSample
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.kit.problem import ProblemError

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("telemetry")]
BOARDS = "/api/v1/boards"
Json = dict[str, Any]


def series(source: NetworkElement, name: str = SYSTEM, counter: str = "cpu") -> Json:
    return {"sourceType": "NETWORK_ELEMENT", "sourceId": str(source.id), "object": name, "counter": counter}


def create(api: APIClient, name: str = "core", *charts: Json) -> Json:
    answer = api.post(BOARDS, {"name": name, "charts": charts}, format="json")
    assert answer.status_code == 201, answer.json()
    return answer.json()


def change(api: APIClient, board: Json, **values: Any) -> Any:
    version = f'"{board["version"]}"'
    return api.patch(f"{BOARDS}/{board['id']}", values, format="json", headers={"If-Match": version})


def test_a_chart_is_added_to_a_board_which_names_its_source(viewer_api: APIClient) -> None:
    board = create(viewer_api)
    pe = make_element(name="pe-1")
    chart = {"title": "", "series": [series(pe), series(pe, "1/1/1", "octetsIn")]}
    added = viewer_api.post(f"{BOARDS}/{board['id']}/charts", chart, format="json")
    assert added.status_code == 201, added.json()
    [shown] = added.json()["charts"]
    assert [(each["sourceName"], each["sourceExists"], each["counter"]) for each in shown["series"]] == [
        ("pe-1", True, "cpu"),
        ("pe-1", True, "octetsIn"),
    ]
    assert OutboxEvent.objects.filter(topic="board.changed", aggregate_id=board["id"]).count() == 2


def test_charts_are_rearranged_and_removed_by_the_version_that_was_read(viewer_api: APIClient) -> None:
    pe = make_element(name="pe-1")
    board = create(
        viewer_api, "core", {"series": [series(pe)]}, {"title": "memory", "series": [series(pe, counter="memory")]}
    )
    one, two = board["charts"]
    turned = change(viewer_api, board, charts=[two, one])
    assert [each["id"] for each in turned.json()["charts"]] == [two["id"], one["id"]]
    assert change(viewer_api, board, charts=[]).status_code == 412
    assert change(viewer_api, turned.json(), charts=[two], name="PE").json()["name"] == "PE"


def test_a_chart_with_an_id_is_one_of_the_board(viewer_api: APIClient) -> None:
    shown = [series(make_element(name="pe-1"))]
    board = create(viewer_api, "core", {"series": shown})
    [chart] = board["charts"]
    for charts, place in (([{"id": str(uuid4()), "series": shown}], 0), ([chart, chart], 1)):
        refused = change(viewer_api, board, charts=charts)
        assert (refused.status_code, refused.json()["code"]) == (422, "UNKNOWN_CHART")
        assert refused.json()["errors"][0]["field"] == f"/charts/{place}/id"
    added = viewer_api.post(f"{BOARDS}/{board['id']}/charts", {**chart, "series": shown}, format="json").json()
    assert len({each["id"] for each in added["charts"]}) == 2


def test_boards_have_an_order_of_their_own(viewer_api: APIClient) -> None:
    first, *_ = (create(viewer_api, name) for name in ("a", "b", "c"))
    create(viewer_api, "d")
    assert change(viewer_api, first, position=2).json()["position"] == 2
    assert [each["name"] for each in viewer_api.get(BOARDS).json()] == ["b", "c", "a", "d"]


def test_a_removed_element_is_named_and_does_not_exist(viewer_api: APIClient) -> None:
    pe = make_element(name="pe-1")
    chart = {"series": [series(pe)]}
    board = create(viewer_api, "core", chart)
    pe.delete()
    shown = viewer_api.get(f"{BOARDS}/{board['id']}").json()
    [[left]] = [chart["series"] for chart in shown["charts"]]
    assert (left["sourceName"], left["sourceExists"]) == ("pe-1", False)
    assert change(viewer_api, shown, name="renamed", charts=shown["charts"]).status_code == 200
    assert viewer_api.get(f"{BOARDS}/{board['id']}/series").json()["series"] == []
    refused = viewer_api.post(f"{BOARDS}/{board['id']}/charts", chart, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "UNKNOWN_SOURCE")


def test_only_a_shared_board_is_read_by_others_and_none_is_changed(
    viewer_api: APIClient, operator_api: APIClient
) -> None:
    board = create(viewer_api)
    url = f"{BOARDS}/{board['id']}"
    assert operator_api.get(url).status_code == 404
    assert operator_api.get(BOARDS).json() == []
    shared = change(viewer_api, board, shared=True).json()
    assert operator_api.get(url).json()["isOwn"] is False
    assert [each["name"] for each in operator_api.get(BOARDS).json()] == ["core"]
    assert change(operator_api, shared, name="mine").status_code == 403
    assert operator_api.post(f"{url}/charts", {"series": [series(make_element())]}, format="json").status_code == 403
    assert operator_api.delete(url).status_code == 403
    assert viewer_api.delete(url).status_code == 204


def test_values_of_all_series_come_in_the_same_steps(viewer_api: APIClient) -> None:
    pe, instance, now = make_element(name="pe-1"), make_instance(), clock.now()
    at = now.replace(second=0, microsecond=0) - timedelta(minutes=4)
    counters.write([(pe.id, SYSTEM, at, 60.0, {"cpu": 50.0 * 60, "memory": 20.0 * 60})])
    traffic.write(instance.id, [TrafficSample("a → b", at, 60.0, 600, 60, 0.5)])
    probed = {"sourceType": "VNF_INSTANCE", "sourceId": str(instance.id), "object": "a → b", "counter": "lost"}
    board = create(
        viewer_api, "core", {"series": [series(pe), series(pe, counter="memory")]}, {"series": [series(pe), probed]}
    )
    query = {"from": (at - timedelta(minutes=1)).isoformat(), "to": (at + timedelta(minutes=2)).isoformat(), "step": 60}
    found = viewer_api.get(f"{BOARDS}/{board['id']}/series", query).json()
    assert len(found["at"]) == 3
    assert {each["counter"]: (each["unit"], each["values"]) for each in found["series"]} == {
        "cpu": ("%", [None, pytest.approx(50), None]),
        "memory": ("%", [None, pytest.approx(20), None]),
        "lost": ("packet/s", [None, pytest.approx(1), None]),
    }


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"to": "0001-01-01T00:00:00Z"}, "/to"),
        ({"from": "0001-01-01T00:00:00Z", "step": 31_622_400}, "/from"),
        ({"to": "9999-12-31T23:59:59Z"}, "/to"),
        ({"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}, "/from"),
        ({"from": "2020-01-01T00:00:00Z", "step": 1}, "/from"),
    ],
)
def test_values_of_no_time_are_refused(viewer_api: APIClient, query: Json, field: str) -> None:
    pe, instance = make_element(name="pe-1"), make_instance()
    board = create(viewer_api, "core", {"series": [series(pe)]})
    for path in (
        f"{BOARDS}/{board['id']}/series",
        f"/api/v1/elements/{pe.id}/counters",
        f"/api/v1/vnf_instances/{instance.id}/traffic",
    ):
        if "traffic" in path and query.get("step", 1) > 86_400:
            continue  # its steps are shorter
        refused = viewer_api.get(path, query)
        assert (refused.status_code, refused.json()["code"]) == (422, "INVALID_TIME"), path
        assert refused.json()["errors"][0]["field"] == field


def test_a_board_that_is_deleted_meanwhile_does_not_exist(viewer_api: APIClient) -> None:
    board = Board.objects.get(id=create(viewer_api, "core")["id"])
    Board.objects.all().delete()
    with pytest.raises(ProblemError) as adding:
        boards.chart_add(board=board, user_id=board.owner_id, chart={"series": []})
    with pytest.raises(ProblemError) as moving:
        boards.board_update(board=board, user_id=board.owner_id, changes={"position": 1})
    assert (adding.value.problem.status, moving.value.problem.status) == (404, 404)


@pytest.mark.parametrize(
    ("chart", "status"),
    [
        ({"series": []}, 400),
        (
            {
                "series": [
                    {"sourceType": "NETWORK_ELEMENT", "sourceId": str(uuid4()), "object": "1/1/1", "counter": "cpu"}
                ]
            },
            400,
        ),
        ({"series": [{"sourceType": "VNF_INSTANCE", "sourceId": str(uuid4()), "object": "a", "counter": "lost"}]}, 422),
    ],
)
def test_a_chart_of_no_counter_is_refused(viewer_api: APIClient, chart: Json, status: int) -> None:
    assert viewer_api.post(BOARDS, {"name": "core", "charts": [chart]}, format="json").status_code == status


def test_names_and_numbers_have_limits(viewer_api: APIClient) -> None:
    board = create(viewer_api)
    assert viewer_api.post(BOARDS, {"name": "core"}, format="json").json()["code"] == "NAME_TAKEN"
    chart = {"id": str(uuid4()), "title": "", "series": []}
    Board.objects.filter(id=board["id"]).update(charts=[chart] * MAX_CHARTS)
    full = viewer_api.post(f"{BOARDS}/{board['id']}/charts", {"series": [series(make_element())]}, format="json")
    assert full.json()["code"] == "BOARD_FULL"
    owner = Board.objects.get(id=board["id"]).owner
    Board.objects.bulk_create(Board(owner=owner, name=str(n), position=n) for n in range(1, MAX_BOARDS))
    assert viewer_api.post(BOARDS, {"name": "more"}, format="json").json()["code"] == "TOO_MANY_BOARDS"


def test_a_users_boards_go_with_the_user() -> None:
    user = make_user(role="viewer")
    Board.objects.create(owner=user, name="core", position=0)
    user.delete()
    assert not Board.objects.exists()
