"""/api/v1/performance/top: summed up and ordered by PostgreSQL, from the roll-up and the samples after it."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from psycopg_pool import ConnectionPool
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_site
from vnfm.counters.domain.counters import SYSTEM
from vnfm.elements.models import NetworkElement
from vnfm.history import counters
from vnfm.kit import clock

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("telemetry")]
TOP = "/api/v1/performance/top"
MINUTE = timedelta(minutes=1)
GIGABIT = 1_000_000_000 / 8 * 60
"""Octets that an interface of that speed can carry in a minute."""


def minute(
    element: NetworkElement, name: str, ago: float, *, capacity: float | None = GIGABIT, **values: float | None
) -> counters.ElementSample:
    """Return the counters of a minute that began `ago` minutes ago."""
    at = clock.now() - ago * MINUTE
    return element.id, name, at, 60.0, {"capacity": capacity, **values}


def load(element: NetworkElement, ago: float, cpu: float | None, memory: float | None) -> counters.ElementSample:
    spent = {"cpu": cpu, "memory": memory}
    return minute(element, SYSTEM, ago, capacity=None, **{n: None if v is None else v * 60 for n, v in spent.items()})


def rows(api: APIClient, **query: object) -> Any:
    answer = api.get(TOP, query)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def test_the_busiest_interface_is_first(viewer_api: APIClient) -> None:
    busy, idle = make_element(name="busy"), make_element(name="idle")
    counters.write(
        [
            minute(busy, "1/1/1", 3, octets_in=GIGABIT * 0.5, octets_out=0.0),
            minute(busy, "1/1/1", 2, octets_in=GIGABIT * 0.9, octets_out=0.0),
            minute(idle, "1/1/1", 2, octets_in=GIGABIT * 0.1, octets_out=GIGABIT * 0.8, errors_in=60.0, errors_out=0.0),
            minute(idle, "loopback", 2, capacity=None, octets_in=10.0, octets_out=10.0),
            load(busy, 2, 90.0, 10.0),
        ]
    )
    found = rows(viewer_api)
    assert [(row["elementName"], row["object"], row["values"]["utilisationIn"]) for row in found] == [
        ("busy", "1/1/1", pytest.approx(70)),
        ("idle", "1/1/1", pytest.approx(10)),
        ("idle", "loopback", None),
    ], "what has no speed has no utilisation, and stands last"
    assert found[0]["seconds"] == 120
    assert found[0]["values"]["errors"] is None, "never counted"
    assert [row["unknownSince"] for row in found] == [None] * 3

    by_out = rows(viewer_api, sort="-utilisationOut")
    assert [row["object"] for row in by_out if row["elementName"] == "idle"] == ["1/1/1", "loopback"]
    assert by_out[0]["elementName"] == "idle"
    assert rows(viewer_api, sort="-errors")[0]["values"]["errors"] == 1
    least = [(row["elementName"], row["object"]) for row in rows(viewer_api, sort="utilisationIn")]
    assert rows(viewer_api, sort="") == rows(viewer_api)
    assert least == [("idle", "1/1/1"), ("busy", "1/1/1"), ("idle", "loopback")]


def test_an_object_without_new_counters_is_unknown_since(viewer_api: APIClient) -> None:
    silent = make_element(name="silent")
    counters.write([minute(silent, "1/1/1", 10, octets_in=GIGABIT, octets_out=0.0)])
    (row,) = rows(viewer_api)
    assert row["unknownSince"] == row["countedUntil"]
    assert clock.now() - datetime.fromisoformat(row["unknownSince"]) > 8 * MINUTE


def test_elements_without_counters_are_listed(viewer_api: APIClient, telemetry: ConnectionPool) -> None:
    known, lost, never = make_element(name="known"), make_element(name="lost"), make_element(name="never")
    make_element(name="unmanaged", state=NetworkElement.State.UNMANAGED)
    counters.write([load(known, 2, 40.0, None), load(lost, 100, 80.0, 20.0)])
    counters.roll_up(clock.now())
    with telemetry.connection() as connection:
        connection.execute("DELETE FROM telemetry.counter_sample WHERE element_id = %s", [lost.id])
    found = rows(viewer_api, objects="elements")
    assert found[0]["elementName"] == "known"
    assert (found[0]["values"]["cpu"], found[0]["values"]["memory"]) == (40, None)
    rest = {row["elementName"]: row for row in found[1:]}
    assert rest.keys() == {lost.name, never.name}
    assert all(row["values"]["cpu"] is None and row["seconds"] == 0 for row in rest.values())
    assert rest["lost"]["unknownSince"] is not None
    assert (rest["never"]["unknownSince"], rest["never"]["countedUntil"]) == (None, None)


def test_roll_ups_and_later_samples_are_summed(viewer_api: APIClient, telemetry: ConnectionPool) -> None:
    element = make_element()
    now = clock.now()
    quarter = datetime.fromtimestamp(now.timestamp() // 900 * 900, UTC)
    old, fresh = (now - quarter + timedelta(minutes=m) for m in (20, 0.5))
    counters.write(
        [
            minute(element, "1/1/1", old / MINUTE, octets_in=GIGABIT * 0.2, octets_out=0.0),
            minute(element, "1/1/1", fresh / MINUTE, octets_in=GIGABIT * 0.6, octets_out=0.0),
        ]
    )
    counters.roll_up(quarter - timedelta(minutes=9))
    with telemetry.connection() as connection:
        old = quarter - timedelta(minutes=15)
        connection.execute("DELETE FROM telemetry.counter_sample WHERE occurred_at < %s", [old])
    for window in ("1h", "24h"):
        (row,) = rows(viewer_api, window=window)
        assert row["seconds"] == 120
        assert row["values"]["utilisationIn"] == pytest.approx(40)


def test_filters_by_site_kind_and_text(viewer_api: APIClient) -> None:
    here = make_site(name="here")
    first, second = make_element(name="fra-pe-1", site=here), make_element(name="muc-vsr", kind="VIRTUAL")
    for element in (first, second):
        counters.write([minute(element, name, 2, octets_in=1.0, octets_out=1.0) for name in ("1/1/1", "to_50%")])

    def named(**query: object) -> list[tuple[str, str]]:
        return sorted((row["elementName"], row["object"]) for row in rows(viewer_api, **query))

    assert {name for name, _ in named(filter=f"(eq,siteId,{here.id})")} == {"fra-pe-1"}
    assert {name for name, _ in named(filter="(eq,kind,VIRTUAL)")} == {"muc-vsr"}
    assert named(text="FRA") == [("fra-pe-1", "1/1/1"), ("fra-pe-1", "to_50%")]
    assert named(text="50%") == [("fra-pe-1", "to_50%"), ("muc-vsr", "to_50%")]
    assert named(text="1_1") == [], "an underscore is no wildcard"
    assert named(filter="(eq,elementName,unknown)") == []


def test_pages_cover_one_window_and_all_rows(viewer_api: APIClient) -> None:
    element = make_element()
    counters.write(
        [minute(element, f"1/1/{n}", 2, octets_in=GIGABIT * (n % 7) / 10, octets_out=0.0) for n in range(120)]
    )
    names: list[str] = []
    answer = viewer_api.get(TOP)
    while True:
        names += [row["object"] for row in answer.json()]
        if "Link" not in answer:
            break
        counters.write([minute(element, "1/1/3", -0.5, octets_in=GIGABIT, octets_out=0.0)])
        answer = viewer_api.get(answer["Link"].split("<")[1].split(">")[0])
    assert len(names) == len(set(names)) == 120


def test_the_number_of_queries_does_not_grow(
    viewer_api: APIClient, telemetry: ConnectionPool, django_assert_max_num_queries: Any, tmp_path: Path
) -> None:
    for number in range(20):
        element = make_element(name=f"pe-{number}")
        counters.write([minute(element, "1/1/1", 2, octets_in=1.0, octets_out=1.0)])
    sent = tmp_path / "sent"
    with django_assert_max_num_queries(6), traced(telemetry, sent):
        assert len(rows(viewer_api)) == 20
    begin, limit, question, commit = "Query", "Query", "Parse", "Query"
    assert re.findall(r"\tF\t\d+\t(Parse|Query)\t", sent.read_text()) == [begin, limit, question, commit]


@contextmanager
def traced(pool: ConnectionPool, file: Path) -> Iterator[None]:
    """Leave one connection to the product, and write what goes through it to the file."""
    with ExitStack() as held, file.open("w") as written:
        for _ in range(pool.max_size - 1):
            held.enter_context(pool.connection())
        with pool.connection() as connection:
            connection.pgconn.trace(written.fileno())
        yield
        connection.pgconn.untrace()


def test_a_slow_query_is_aborted_with_a_problem(
    viewer_api: APIClient, telemetry: ConnectionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vnfm.history.ranking.LONGEST", timedelta(milliseconds=200))  # it is held up for as long
    make_element()
    with telemetry.connection() as other:
        other.execute("LOCK TABLE telemetry.counter_sample IN ACCESS EXCLUSIVE MODE")
        answer = viewer_api.get(TOP)
    assert (answer.status_code, answer.json()["code"]) == (503, "TOO_MUCH_COUNTED")
    assert "shorter window" in answer.json()["nextStep"]
    assert viewer_api.get(TOP).status_code == 200


def marker(*members: object) -> str:
    """A marker with these members."""
    return base64.urlsafe_b64encode(json.dumps(members).encode()).decode().rstrip("=")


NOW = "2026-01-01T00:00:00+00:00"
SOME = str(uuid4())


@pytest.mark.parametrize(
    "query",
    [
        {"objects": ""},
        {"window": "7d"},
        {"sort": "name"},
        {"objects": "cards"},
        {"nextpage_opaque_marker": "e30"},
        {"nextpage_opaque_marker": marker("0001-01-01T00:00:00+00:00", None, SOME, "1/1/1")},
        {"nextpage_opaque_marker": marker(NOW, None, SOME, "1/1\0")},
        {"nextpage_opaque_marker": base64.urlsafe_b64encode(b"[" * 3000).decode()},
    ],
)
def test_invalid_queries_are_rejected(viewer_api: APIClient, query: dict[str, str]) -> None:
    assert viewer_api.get(TOP, query).status_code == 400


def test_utilisation_over_time(viewer_api: APIClient) -> None:
    element = make_element()
    counters.write([minute(element, "1/1/1", 2, octets_in=GIGABIT / 4, octets_out=0.0)])
    where = f"/api/v1/elements/{element.id}/counters"
    shown = viewer_api.get(where, {"object": "1/1/1", "names": "utilisationIn", "step": 600}).json()
    assert shown["units"] == {"utilisationIn": "%"}
    values = [point["values"]["utilisationIn"] for point in shown["points"]]
    assert None in values
    assert {round(value, 6) for value in values if value is not None} == {25}
