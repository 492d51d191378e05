"""/api/v1/alarms: alarms of all objects, current, historical or both; what people do to one, or to many."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.faults.api.shapes import (
    COLUMNS,
    AlarmBulkOut,
    AlarmBulkWrite,
    AlarmCountOut,
    AlarmDictionaryEntry,
    AlarmMatchOut,
    AlarmMatchWrite,
    AlarmNoteOut,
    AlarmNoteWrite,
    AlarmRecord,
    AlarmRecordUpdate,
)
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.models import Alarm
from vnfm.faults.search import with_words
from vnfm.faults.selectors import WEIGHT, WHICH, Which, alarm_get, alarm_list, at_site, of_part
from vnfm.faults.services import (
    MATCHED_AT_MOST,
    Deed,
    alarm_acknowledge,
    alarm_assign,
    alarm_clear,
    alarm_lock,
    alarm_note_add,
    alarms_count,
    alarms_do,
    alarms_do_matching,
)
from vnfm.kit import clock
from vnfm.kit.http import etag, require_match
from vnfm.kit.problem import FieldError, bad_request
from vnfm.kit.query import filtered, order_asked, page
from vnfm.kit.wire import list_parameters, sort_parameter

FILTERABLE = {
    name: column
    for name, column in COLUMNS.items()
    if name not in {"vnfcIds", "faultDetails", "correlatedCount", "version", "suppressedBy"}
}

LIST = OpenApiParameter(
    "list", str, enum=list(WHICH), description="Alarms that are there (the default), those that are over, or both."
)
TEXT = OpenApiParameter(
    "text", str, description="Words of names, types, causes and details; of the last its beginning will do."
)
TOP = OpenApiParameter("topLevel", bool, description="Only alarms that no other open alarm causes.")
SILENT = OpenApiParameter("silent", bool, description="Also those that an operation, a window or a policy holds back.")
SORTABLE = {
    "perceivedSeverity": "weight",
    "alarmRaisedTime": "raised_at",
    "firstRaisedTime": "first_raised_at",
    "managedObjectName": "managed_object_name",
    "faultyResourceName": "faulty_resource_name",
    "faultType": "fault_type",
    "probableCause": "probable_cause",
    "eventType": "event_type",
    "ackState": "ack_state",
    "assignedTo": "assigned_to",
    "occurrences": "occurrences",
}
SITE = OpenApiParameter("siteId", str, description="Only of elements of this site; none: of those that have no site.")
PART = OpenApiParameter(
    "part",
    str,
    description="Only of this part of an element, by its FDN, and of what is in it; elements may share FDNs, so with "
    "managedObjectId.",
)
MATCHING = [list_parameters(FILTERABLE)[0], LIST, TEXT, TOP, SILENT, SITE, PART]
"""Which alarms; `SELECTION`: and in what order, and which page."""
SELECTION = [*list_parameters(FILTERABLE), *MATCHING[1:], sort_parameter(SORTABLE)]


def selected(request: Request) -> QuerySet[Alarm]:
    """The alarms that the query asks for. Raises a 400 problem for a query that makes no sense."""
    rows = alarm_list(which=_which(request), silent=_flag(request, "silent"))
    if _flag(request, "topLevel"):
        rows = rows.filter(Q(root_cause__isnull=True) | Q(root_cause__cleared_at__isnull=False))
    if site := request.query_params.get("siteId"):
        rows = at_site(rows, None if site == "none" else one_id("siteId", site))
    if part := request.query_params.get("part"):
        if "\0" in part:
            raise strange_query("part", "An FDN cannot hold the character U+0000.", "Correct it, or leave it out.")
        rows = of_part(rows, part)
    text = request.query_params.get("text")
    found: QuerySet[Alarm] = filtered(with_words(rows, text) if text else rows, request, FILTERABLE)
    weighed: QuerySet[Alarm] = found.annotate(weight=WEIGHT)
    return weighed


def order_of(request: Request) -> tuple[str, str]:
    """As asked; else the latest first: raised, or in the list of those that are over, cleared."""
    latest = "-cleared_at" if _which(request) == "historical" else "-raised_at"
    return order_asked(request, SORTABLE, (latest, "id"))


def _which(request: Request) -> Which:
    wanted = request.query_params.get("list", "current")
    for which in WHICH:
        if which == wanted:
            return which
    raise strange_query("list", f"There is no list {wanted!r}.", f"Ask for one of {', '.join(WHICH)}.")


def _flag(request: Request, name: str) -> bool:
    value = request.query_params.get(name, "false").lower()
    if value not in {"true", "false", ""}:
        raise strange_query(name, f"{name} is true or false, not {value!r}.", "Correct it, or leave it out.")
    return value != "false"


def one_id(name: str, text: str) -> UUID:
    """Raises a 400 problem for what is none."""
    try:
        return UUID(text)
    except ValueError as error:
        raise strange_query(name, f"{text!r} is no id.", "Give an id as the API does.") from error


def strange_query(name: str, words: str, step: str) -> Exception:
    """A 400 problem with a query parameter."""
    return bad_request("INVALID_QUERY", words, [FieldError(f"/{name}", words)], step)


class AlarmRecordListApi(APIView):
    @extend_schema(operation_id="alarm_record_list", parameters=SELECTION, responses=AlarmRecord(many=True))
    def get(self, request: Request) -> Response:
        """Alarms of VNF instances, network elements and VIMs; the latest first unless asked otherwise."""
        rows, headers = page(selected(request), request, order=order_of(request))
        return Response(AlarmRecord(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="alarm_record_update_matching",
        parameters=MATCHING,
        request=AlarmMatchWrite,
        responses=AlarmMatchOut,
    )
    def patch(self, request: Request) -> Response:
        """Acknowledge all alarms that the query asks for, take that back, or give them to somebody.

        Of a few thousand at most, some hundred at a time: when it is cut short, those before it stay changed, and to
        ask again changes the rest. Unknown parameters are refused: one that is misspelt would ask for all.
        """
        asked = request.query_params.dict()
        for name in asked.keys() - {each.name for each in MATCHING}:
            raise strange_query(name, f"There is no parameter {name!r} here.", "Correct it, or leave it out.")
        body = AlarmMatchWrite(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        done, matched = alarms_do_matching(
            deed=_deed(request, given),
            rows=selected(request),
            as_of=given["asOf"],
            confirmed=given["confirmed"],
            asked=asked,
            now=clock.now(),
        )
        return Response({"done": done, "matched": matched})


def _deed(request: Request, given: dict[str, Any]) -> Deed:
    return Deed(given["action"], caller(request).username, given.get("assignedTo", ""))


class AlarmCountApi(APIView):
    @extend_schema(operation_id="alarm_record_count", parameters=MATCHING, filters=False, responses=AlarmCountOut)
    def get(self, request: Request) -> Response:
        """How many alarms the list has, so far as they could be changed at once."""
        as_of = clock.now()
        count = alarms_count(selected(request), as_of=as_of)
        told = {"count": min(count, MATCHED_AT_MOST), "isMore": count > MATCHED_AT_MOST, "limit": MATCHED_AT_MOST}
        return Response(AlarmCountOut(told | {"asOf": as_of}).data)


def _answer(alarm_id: UUID, status: int = 200) -> Response:
    alarm = alarm_get(alarm_id=alarm_id)
    return Response(AlarmRecord(alarm).data, status=status, headers={"ETag": etag(alarm.version)})


class AlarmRecordApi(APIView):
    @extend_schema(operation_id="alarm_record_view", responses=AlarmRecord)
    def get(self, request: Request, alarm_id: UUID) -> Response:
        """One alarm, also a silent one."""
        return _answer(alarm_id)

    @extend_schema(operation_id="alarm_record_update", request=AlarmRecordUpdate, responses=AlarmRecord)
    def patch(self, request: Request, alarm_id: UUID) -> Response:
        """Acknowledge the alarm or take that back, or give it to somebody; honours If-Match."""
        body = AlarmRecordUpdate(data=request.data)
        body.is_valid(raise_exception=True)
        wanted, by, now = body.validated_data, caller(request).username, clock.now()
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            require_match(request, alarm.version)
            if "assignedTo" in wanted:
                alarm_assign(alarm=alarm, assigned_to=wanted["assignedTo"], by=by, now=now)
            if "ackState" in wanted:
                alarm_acknowledge(alarm=alarm, ack_state=wanted["ackState"], by=by, now=now)
        return _answer(alarm_id)


class AlarmClearApi(APIView):
    @extend_schema(operation_id="alarm_record_clear", request=serializers.Serializer[None], responses=AlarmRecord)
    def post(self, request: Request, alarm_id: UUID) -> Response:
        """Clear an alarm by hand; 409, saying why, where only the end of its condition does that. Honours If-Match."""
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            require_match(request, alarm.version)
            alarm_clear(alarm=alarm, by=caller(request).username, now=clock.now())
        return _answer(alarm_id)


class AlarmNotesApi(APIView):
    @extend_schema(operation_id="alarm_note_list", responses=AlarmNoteOut(many=True))
    def get(self, request: Request, alarm_id: UUID) -> Response:
        """What people wrote at the alarm, oldest first."""
        rows, headers = page(alarm_get(alarm_id=alarm_id).notes.all(), request, order=("at", "id"))
        return Response(AlarmNoteOut(rows, many=True).data, headers=headers)

    @extend_schema(operation_id="alarm_note_create", request=AlarmNoteWrite, responses={201: AlarmNoteOut})
    def post(self, request: Request, alarm_id: UUID) -> Response:
        """Write something at the alarm; it stays."""
        body = AlarmNoteWrite(data=request.data)
        body.is_valid(raise_exception=True)
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            text: str = body.validated_data["text"]
            note = alarm_note_add(alarm=alarm, text=text, by=caller(request).username, now=clock.now())
        return Response(AlarmNoteOut(note).data, status=201)


class AlarmBulkApi(APIView):
    @extend_schema(operation_id="alarm_bulk", request=AlarmBulkWrite, responses=AlarmBulkOut)
    def post(self, request: Request) -> Response:
        """Acknowledge, un-acknowledge, clear or assign many; those for which that cannot be are named, and the others
        done.
        """
        body = AlarmBulkWrite(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        done, refused = alarms_do(deed=_deed(request, given), ids=given["ids"], now=clock.now())
        return Response(
            {
                "done": done,
                "refused": [
                    {"id": alarm_id, "code": problem.code, "detail": problem.detail}
                    for alarm_id, problem in refused.items()
                ],
            }
        )


class AlarmDictionaryApi(APIView):
    @extend_schema(
        operation_id="alarm_dictionary",
        responses={(200, "application/json"): AlarmDictionaryEntry(many=True)},
        filters=False,
        parameters=[OpenApiParameter("faultType", OpenApiTypes.STR, description="Only this one.")],
    )
    def get(self, request: Request) -> Response:
        """Every alarm that can be raised: when, when it clears, and what to do about it."""
        wanted = request.query_params.get("faultType")
        rows = [entry for entry in DICTIONARY.values() if wanted is None or entry.name == wanted]
        return Response(AlarmDictionaryEntry(rows, many=True).data)
