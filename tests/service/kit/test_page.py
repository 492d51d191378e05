"""Paging by keyset (SOL013 5.4), walked as a client walks it: by the Link header alone."""

import base64
from datetime import UTC, datetime
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from vnfm.kit.etsi.query import MARKER, page
from vnfm.kit.models import OutboxEvent
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db


def request(url: str = "/events?filter=(eq,topic,t)") -> Request:
    return Request(APIRequestFactory().get(url))


@pytest.fixture
def rows() -> list[int]:
    """Seven rows, four of them of the same moment, so that only the second column tells them apart."""
    same = datetime(2026, 1, 2, tzinfo=UTC)
    times = [datetime(2026, 1, 1, tzinfo=UTC), *[same] * 4, *[datetime(2026, 1, day, tzinfo=UTC) for day in (3, 4)]]
    return [OutboxEvent.objects.create(topic="t", aggregate_id=uuid4(), version=1, created_at=at).id for at in times]


@pytest.mark.parametrize("order", [("created_at", "id"), ("-created_at", "id")], ids=str)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
def test_walking_meets_every_row_once_in_order(rows: list[int], order: tuple[str, str], size: int) -> None:
    met, url = [], "/events?filter=(eq,topic,t)"
    while url:
        found, headers = page(OutboxEvent.objects.all(), request(url), order, size)
        assert len(found) <= size
        met += [row.id for row in found]
        link = headers.get("Link", "")
        assert not link or link.endswith('>; rel="next"')
        url = link.partition(">")[0].lstrip("<")
        assert not url or "filter=" in urlsplit(url).query
    assert met == (rows[::-1] if order[0].startswith("-") else rows)


@pytest.mark.parametrize("marker", ["x", "é", base64.b64encode(b"7"), base64.b64encode(b'["yesterday", "1"]')], ids=str)
def test_a_marker_that_we_did_not_give_is_refused(marker: str | bytes) -> None:
    text = marker if isinstance(marker, str) else marker.decode()
    with pytest.raises(ProblemError) as caught:
        page(OutboxEvent.objects.all(), Request(APIRequestFactory().get("/events", {MARKER: text})))
    assert caught.value.problem.code == "INVALID_MARKER"
