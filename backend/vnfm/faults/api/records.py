"""/api/v1/alarms: alarms of all objects, current, historical or both; actions on one alarm, or on many."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.faults.api.shapes import (
    COLUMNS,
    AlarmBulkWrite,
    AlarmMatchWrite,
    AlarmNoteOut,
    AlarmNoteWrite,
    AlarmRecord,
    AlarmRecordUpdate,
)
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.fault_type import FaultType
from vnfm.faults.models import Alarm
from vnfm.faults.selectors import (
    ALARM_LISTS,
    SEVERITY_WEIGHT,
    AlarmListName,
    alarm_get,
    alarm_list,
    alarms_at_site,
    alarms_of_part,
)
from vnfm.faults.services.alarms import alarm_acknowledge, alarm_assign, alarm_clear, alarm_lock, alarm_note_add
from vnfm.faults.services.bulk import (
    AlarmBulkResult,
    AlarmMatchCount,
    AlarmMatchResult,
    BulkAction,
    alarms_apply,
    alarms_apply_matching,
    alarms_count,
)
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page, requested_order, requested_size
from vnfm.kit.problem import FieldError, bad_request
from vnfm.kit.text_search import matching_words
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import UUID_PATTERN, list_parameters, size_parameter, sort_parameter

FILTERABLE = {
    name: column
    for name, column in COLUMNS.items()
    if name not in {"vnfcIds", "faultDetails", "correlatedCount", "version", "suppressedBy"}
}

LIST = OpenApiParameter(
    "list", str, enum=list(ALARM_LISTS), description="Open alarms (the default), cleared ones, or both."
)
TEXT = OpenApiParameter(
    "text", str, description="Words of names, types, causes and details; the last one may be a prefix."
)
TOP = OpenApiParameter("topLevel", bool, description="Only alarms that no other open alarm causes.")
SUPPRESSED = OpenApiParameter(
    "suppressed", bool, description="Also alarms that an operation, a window or a policy suppresses."
)
SORTABLE = {
    "perceivedSeverity": "weight",
    "alarmRaisedTime": "raised_at",
    "firstRaisedTime": "first_raised_at",
    "alarmClearedTime": "cleared_or_open",
    "managedObjectName": "managed_object_name",
    "faultyResourceName": "faulty_resource_name",
    "faultType": "fault_type",
    "probableCause": "probable_cause",
    "eventType": "event_type",
    "ackState": "ack_state",
    "assignedTo": "assigned_to",
    "occurrences": "occurrences",
}
SITE = OpenApiParameter(
    "siteId",
    {"type": "string", "pattern": f"^(none|{UUID_PATTERN})?$"},
    description="Only of elements of this site; none: of elements without a site.",
)
PART = OpenApiParameter(
    "part",
    str,
    description="Only of this part of an element, by its FDN, and of all parts in it. Use it with managedObjectId, as "
    "elements may share FDNs.",
)
MATCHING = [list_parameters(FILTERABLE)[0], LIST, TEXT, TOP, SUPPRESSED, SITE, PART]
"""Parameters that select alarms; `SELECTION` adds order and page."""
SELECTION = [*list_parameters(FILTERABLE), *MATCHING[1:], sort_parameter(SORTABLE)]


_CLEARED_OR_OPEN = Coalesce("cleared_at", Value(datetime(9000, 1, 1, tzinfo=UTC)))
"""An order without nulls: open alarms are cleared last."""


def selected(request: Request) -> QuerySet[Alarm]:
    """The alarms that the query selects. Raises a 400 problem for an invalid query."""
    rows = alarm_list(which=_which(request), suppressed=_flag(request, "suppressed"))
    if _flag(request, "topLevel"):
        rows = rows.filter(Q(root_cause__isnull=True) | Q(root_cause__cleared_at__isnull=False))
    if site := request.query_params.get("siteId"):
        rows = alarms_at_site(rows, None if site == "none" else one_id("siteId", site))
    if part := request.query_params.get("part"):
        rows = alarms_of_part(rows, part)
    text = request.query_params.get("text")
    found: QuerySet[Alarm] = filtered(matching_words(rows, text) if text else rows, request, FILTERABLE)
    ordered: QuerySet[Alarm] = found.annotate(weight=SEVERITY_WEIGHT, cleared_or_open=_CLEARED_OR_OPEN)
    return ordered


def order_of(request: Request) -> tuple[str, str]:
    """As requested; else the latest first: by the time raised, in the historical list by the time cleared."""
    if _which(request) == "historical":
        # Its index is of the column itself.
        return requested_order(request, {**SORTABLE, "alarmClearedTime": "cleared_at"}, ("-cleared_at", "id"))
    return requested_order(request, SORTABLE, ("-raised_at", "id"))


def _which(request: Request) -> AlarmListName:
    wanted = request.query_params.get("list", "current")
    for which in ALARM_LISTS:
        if which == wanted:
            return which
    raise invalid_query("list", f"There is no list {wanted!r}.", f"Ask for one of {', '.join(ALARM_LISTS)}.")


def _flag(request: Request, name: str) -> bool:
    value = request.query_params.get(name, "false").lower()
    if value not in {"true", "false"}:
        raise invalid_query(name, f"{name} is true or false, not {value!r}.", "Correct it, or leave it out.")
    return value == "true"


def one_id(name: str, text: str) -> UUID:
    """Raises a 400 problem for a text that is not a UUID."""
    try:
        return UUID(text)
    except ValueError as error:
        raise invalid_query(name, f"{text!r} is not an id.", "Give an id as the API does.") from error


def invalid_query(name: str, words: str, step: str) -> Exception:
    """A 400 problem with a query parameter."""
    return bad_request("INVALID_QUERY", words, [FieldError(f"/{name}", words)], step)


class AlarmRecordListApi(APIView):
    @extend_schema(
        operation_id="alarm_record_list",
        parameters=[*SELECTION, size_parameter()],
        responses=AlarmRecord(many=True),
    )
    def get(self, request: Request) -> Response:
        """Alarms of VNF instances, network elements and VIMs; the latest first unless asked otherwise."""
        rows, headers = page(selected(request), request, order_of(request), requested_size(request))
        return Response(AlarmRecord(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="alarm_record_update_matching",
        parameters=MATCHING,
        request=AlarmMatchWrite,
        responses=answer(AlarmMatchResult),
    )
    def patch(self, request: Request) -> Response:
        """Acknowledge, unacknowledge or assign all alarms that the query selects.

        A few thousand at most, in batches of some hundred: when it is interrupted, finished batches stay changed, and
        repeating the request changes the rest. Unknown parameters are rejected: a misspelt one would select all alarms.
        """
        query = request.query_params.dict()
        for name in query.keys() - {each.name for each in MATCHING}:
            raise invalid_query(name, f"There is no parameter {name!r} here.", "Correct it, or leave it out.")
        body = AlarmMatchWrite(data=request.data)
        body.is_valid(raise_exception=True)
        values: dict[str, Any] = body.validated_data
        result = alarms_apply_matching(
            action=_action(request, values),
            rows=selected(request),
            as_of=values["asOf"],
            confirmed=values["confirmed"],
            query=query,
            now=clock.now(),
        )
        return Response(as_answer(result))


def _action(request: Request, values: dict[str, Any]) -> BulkAction:
    return BulkAction(values["action"], caller(request).username, values.get("assignedTo", ""))


class AlarmCountApi(APIView):
    @extend_schema(
        operation_id="alarm_record_count", parameters=MATCHING, filters=False, responses=answer(AlarmMatchCount)
    )
    def get(self, request: Request) -> Response:
        """The number of alarms that the query selects, up to the number that can be changed at once."""
        return Response(as_answer(alarms_count(selected(request), as_of=clock.now())))


def _answer(alarm_id: UUID, status: int = 200) -> Response:
    alarm = alarm_get(alarm_id=alarm_id)
    return Response(AlarmRecord(alarm).data, status=status, headers={"ETag": etag(alarm.version)})


class AlarmRecordApi(APIView):
    @extend_schema(operation_id="alarm_record_view", responses=AlarmRecord)
    def get(self, request: Request, alarm_id: UUID) -> Response:
        """One alarm, also a suppressed one."""
        return _answer(alarm_id)

    @extend_schema(operation_id="alarm_record_update", request=AlarmRecordUpdate, responses=AlarmRecord)
    def patch(self, request: Request, alarm_id: UUID) -> Response:
        """Acknowledge, unacknowledge or assign the alarm; honours If-Match."""
        body = AlarmRecordUpdate(data=request.data)
        body.is_valid(raise_exception=True)
        values, by, now = body.validated_data, caller(request).username, clock.now()
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            require_match(request, alarm.version)
            if "assignedTo" in values:
                alarm_assign(alarm=alarm, assigned_to=values["assignedTo"], by=by, now=now)
            if "ackState" in values:
                alarm_acknowledge(alarm=alarm, ack_state=values["ackState"], by=by, now=now)
        return _answer(alarm_id)


class AlarmClearApi(APIView):
    @extend_schema(operation_id="alarm_record_clear", request=serializers.Serializer[None], responses=AlarmRecord)
    def post(self, request: Request, alarm_id: UUID) -> Response:
        """Clear an alarm by hand; 409 when only the end of its condition clears it. Honours If-Match."""
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            require_match(request, alarm.version)
            alarm_clear(alarm=alarm, by=caller(request).username, now=clock.now())
        return _answer(alarm_id)


class AlarmNotesApi(APIView):
    @extend_schema(operation_id="alarm_note_list", responses=answer(AlarmNoteOut)(many=True))
    def get(self, request: Request, alarm_id: UUID) -> Response:
        """Users' notes on the alarm, oldest first."""
        rows, headers = page(alarm_get(alarm_id=alarm_id).notes.all(), request, order=("at", "id"))
        return Response(answer(AlarmNoteOut)(rows, many=True).data, headers=headers)

    @extend_schema(operation_id="alarm_note_create", request=AlarmNoteWrite, responses={201: answer(AlarmNoteOut)})
    def post(self, request: Request, alarm_id: UUID) -> Response:
        """Add a note to the alarm; it cannot be changed or deleted."""
        body = AlarmNoteWrite(data=request.data)
        body.is_valid(raise_exception=True)
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            text: str = body.validated_data["text"]
            note = alarm_note_add(alarm=alarm, text=text, by=caller(request).username, now=clock.now())
        return Response(as_answer(note, AlarmNoteOut), status=201)


class AlarmBulkApi(APIView):
    @extend_schema(operation_id="alarm_bulk", request=AlarmBulkWrite, responses=answer(AlarmBulkResult))
    def post(self, request: Request) -> Response:
        """Acknowledge, unacknowledge, clear or assign many alarms; `refused` names those that cannot be, and why."""
        body = AlarmBulkWrite(data=request.data)
        body.is_valid(raise_exception=True)
        values: dict[str, Any] = body.validated_data
        return Response(as_answer(alarms_apply(action=_action(request, values), ids=values["ids"], now=clock.now())))


class AlarmDictionaryApi(APIView):
    @extend_schema(
        operation_id="alarm_dictionary",
        responses={(200, "application/json"): answer(FaultType)(many=True)},
        filters=False,
        parameters=[OpenApiParameter("faultType", OpenApiTypes.STR, description="Only this one.")],
    )
    def get(self, request: Request) -> Response:
        """All fault types: when an alarm is raised, when it clears, and what to do about it."""
        wanted = request.query_params.get("faultType")
        rows = [entry for entry in DICTIONARY.values() if wanted is None or entry.fault_type == wanted]
        return Response(answer(FaultType)(rows, many=True).data)
