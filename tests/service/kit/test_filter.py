"""ETSI filters on JSON columns and on rows of other tables, against real rows (SOL013 5.2)."""

from uuid import UUID, uuid4

import pytest
from django.db.models import OuterRef
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from vnfm.kit.etsi.filter_syntax import MAX_PARTS
from vnfm.kit.etsi.query import Attributes, Entry, Member, Pair, filtered
from vnfm.kit.models import OutboxEvent
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db

TWINS = OutboxEvent.objects.filter(aggregate_id=OuterRef("aggregate_id"))
ATTRIBUTES: Attributes = {
    "payload/": Entry("payload"),
    "never/": Entry(""),
    "levels/aspect": Pair("payload", "key"),
    "levels/level": Pair("payload", "value"),
    "twins/topic": Member(TWINS, "topic"),
    "twins/version": Member(TWINS, "version"),
}


def topics(expression: str) -> list[str]:
    request = Request(APIRequestFactory().get("/", {"filter": expression}))
    rows = filtered(OutboxEvent.objects.all(), request, ATTRIBUTES).order_by("id")
    return list(rows.values_list("topic", flat=True))


def event(topic: str, aggregate_id: UUID | None = None, version: int = 1, **payload: object) -> None:
    OutboxEvent.objects.create(topic=topic, aggregate_id=aggregate_id or uuid4(), version=version, payload=payload)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("(eq,payload/site,Ulm)", ["a"]),
        ("(neq,payload/site,Ulm)", ["b", "c"]),
        ("(in,payload/site,Ulm,Bern)", ["a", "b"]),
        ("(cont,payload/site,l)", ["a"]),
        ("(eq,payload/rack,7)", ["a"]),
        ("(eq,payload/live,true)", ["b"]),
        ("(eq,payload/owner/name,O'Neil)", ["b"]),
        ("(eq,payload/no-such,)", ["a", "b", "c"]),
        ("(eq,payload/a:b.c,x)", ["c"]),
        ("(eq,never/x,1)", []),
        ("(neq,never/x,1)", ["a", "b", "c"]),
    ],
)
def test_keys_of_a_json_object(expression: str, found: list[str]) -> None:
    event("a", site="Ulm", rack=7)
    event("b", site="Bern", live=True, owner={"name": "O'Neil"})
    event("c", **{"a:b.c": "x"})
    assert topics(expression) == found


def test_members_of_an_array() -> None:
    pair, single = uuid4(), uuid4()
    event("a", pair, 1)
    event("b", pair, 2)
    event("c", single, 2)
    assert topics("(eq,twins/topic,a)") == ["a", "b"]
    assert topics("(eq,twins/version,2)") == ["a", "b", "c"], "each once, however many members match"
    assert topics("(eq,twins/topic,a);(eq,twins/version,2)") == [], "no member is both"
    assert topics("(neq,twins/topic,a)") == ["a", "b", "c"], "some member is another"


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("(eq,levels/aspect,data)", ["a", "b"]),
        ("(in,levels/aspect,data,control)", ["a", "b", "c"]),
        ("(neq,levels/aspect,data)", ["b", "c"]),
        ("(cont,levels/aspect,ont)", ["b", "c"]),
        ("(cont,levels/aspect,%)", []),
        ("(ncont,levels/aspect,dat)", ["b", "c"]),
        ("(eq,levels/level,2)", ["a", "b"]),
        ("(gt,levels/level,2)", ["c"]),
        ("(nin,levels/level,1,2)", ["c"]),
        ("(eq,levels/aspect,data);(eq,levels/level,2)", ["a"]),
        ("(eq,levels/aspect,control);(gte,levels/level,2);(lt,levels/level,3)", ["b"]),
    ],
)
def test_entries_of_a_json_object_as_an_array(expression: str, found: list[str]) -> None:
    event("a", data=2)
    event("b", data=1, control=2)
    event("c", control=3)
    assert topics(expression) == found


def test_a_level_is_a_number() -> None:
    with pytest.raises(ProblemError) as caught:
        topics("(eq,levels/level,two)")
    assert "'two' is not a value of 'levels/level'" in caught.value.problem.detail


@pytest.mark.parametrize("parts", [MAX_PARTS, 300])
def test_a_path_of_too_many_parts_is_refused(parts: int) -> None:
    with pytest.raises(ProblemError) as refused:
        topics(f"(eq,{'/'.join(['payload'] * (parts + 1))},x)")
    assert refused.value.problem.status == 400
    assert topics(f"(eq,{'/'.join(['payload'] * MAX_PARTS)},x)") == []
