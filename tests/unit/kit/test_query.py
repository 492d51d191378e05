"""ETSI filters (SOL013 5.2) become SQL; what cannot is refused with a sentence. No database: the SQL is looked at."""

import pytest
from django.db.models import Case, OuterRef, Value, When
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from vnfm.kit.etsi.query import Attributes, Computed, Entry, Member, filtered
from vnfm.kit.models import OutboxEvent
from vnfm.kit.problem import ProblemError

TWINS = OutboxEvent.objects.filter(aggregate_id=OuterRef("aggregate_id"))
ATTRIBUTES: Attributes = {
    "topic": "topic",
    "id": "id",
    "_links/aggregate": "aggregate_id",
    "at": "created_at",
    "done": Computed(Case(When(delivered_at__isnull=False, then=Value("yes")), default=Value("no"))),
    "payload/": Entry("payload"),
    "twins/topic": Member(TWINS, "topic"),
    "twins/id": Member(TWINS, "id"),
}


def where(expression: str) -> str:
    request = Request(APIRequestFactory().get("/", {"filter": expression}))
    query = str(filtered(OutboxEvent.objects.all(), request, ATTRIBUTES).query)
    return query.partition(" WHERE ")[2].replace('"kit_outboxevent".', "").replace('"', "")


@pytest.mark.parametrize(
    ("expression", "sql"),
    [
        ("", ""),
        ("(eq,topic,a)", "topic = a"),
        ("(eq,topic,a,b)", "topic IN (a, b)"),
        ("(in,topic,a,b)", "topic IN (a, b)"),
        ("(neq,topic,a)", "NOT (topic = a)"),
        ("(nin,topic,a,b)", "NOT (topic IN (a, b))"),
        ("(gt,id,5)", "id > 5"),
        ("(gte,id,5);(lt,id,9)", "(id >= 5 AND id < 9)"),
        ("(cont,topic,a)", "UPPER(topic::text) LIKE UPPER(%a%)"),
        ("(ncont,topic,a)", "NOT (UPPER(topic::text) LIKE UPPER(%a%))"),
        ("(eq,topic,two words)", "topic = two words"),
        (" ( eq , topic , a ) ; (gt,id,5) ", "(topic = a AND id > 5)"),
        ("(eq,topic,'a, (b) ''c''')", "topic = a, (b) 'c'"),
        ("(in,topic,a,'b,c','',d)", "topic IN (a, b,c, , d)"),
        ("(eq,topic,O'Brien)", "topic = O'Brien"),
        ("(eq,topic,)", "topic = "),
        ("(neq,done,yes)", "NOT (CASE WHEN (delivered_at IS NOT NULL) THEN yes ELSE no END = yes)"),
    ],
    ids=str,
)
def test_operators(expression: str, sql: str) -> None:
    assert where(expression) == sql


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("topic=a", "not of the form"),
        ("(eq,topic,a)(eq,id,5)", "not of the form"),
        ("(like,topic,a)", "not of the form"),
        ("(eq,topic)", "not of the form"),
        ("(eq,colour,red)", "Cannot filter by 'colour'"),
        ("(eq,password,x)", "possible are _links/aggregate, at, done, id, payload/<key>"),
        ("(eq,id,five)", "'five' is not a value of 'id'"),
        ("(eq,_links/aggregate,x)", "'x' is not a value of '_links/aggregate'"),
        ("(gt,at,yesterday)", "'yesterday' is not a value of 'at'"),
        ("(gt,id,1,2)", "'1,2' is not a value of 'id'"),
        ("(eq,topic,a", "not of the form"),
        ("(eq,topic,'a)", "not of the form"),
        ("(eq,topic,'a'b)", "not of the form"),
        ("(eq,topic,a);", "not of the form"),
        ("(eq,payload/,a)", "payload/<key>"),
        ("(eq,twins/id,five)", "'five' is not a value of 'twins/id'"),
    ],
    ids=str,
)
def test_refusals_name_the_fault(expression: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        where(expression)
    problem = caught.value.problem
    assert (problem.status, problem.code) == (400, "INVALID_FILTER")
    assert words in problem.detail
    assert problem.next_step


def test_a_nul_character_is_refused_before_postgresql_does() -> None:
    with pytest.raises(ProblemError):
        where("(eq,topic,a\0b)")


def test_clauses_on_one_array_must_hold_for_the_same_member() -> None:
    """Also what they deny: a member that is another, not no member that is this one (SOL013 5.2.2)."""
    sql = where("(eq,twins/topic,a);(neq,twins/id,5)")
    assert sql.count("EXISTS") == 1
    assert "U0.topic = a AND NOT (U0.id = 5)" in sql


@pytest.mark.parametrize("filler", [" ", "'", ",", "a,", "(eq,topic,"], ids=repr)
def test_a_long_filter_that_never_ends_is_refused_at_once(filler: str) -> None:
    with pytest.raises(ProblemError):
        where("(eq,topic," + filler * 20_000)
