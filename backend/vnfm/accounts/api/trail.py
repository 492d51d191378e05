"""/api/v1/audit: the audit trail, for administrators."""

from django.db.models import Case, Exists, F, Func, OuterRef, Q, TextField, Value, When
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import AuditEntry
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import audit_list
from vnfm.kit.etsi.query import Attributes, Computed, filtered, page, requested_size
from vnfm.kit.web.downloads import AnyAccept
from vnfm.kit.web.export import csv_response
from vnfm.kit.web.wire import list_parameters, size_parameter

COLUMNS = {
    "id": "id",
    "at": "at",
    "actor": "actor",
    "action": "action",
    "object": "object",
    "address": "address",
    "requestId": "request_id",
    "detail": "detail",
}
"""Names on the wire to columns."""
CHANGES_NOTHING = Q(detail__dryRun=True) | Q(object__regex=r"^/api/v1/(plans|first_steps|topology/positions)(/|$)")
RESULT = Exists(AuditEntry.objects.filter(action__startswith="configuration ", detail__job=OuterRef("detail__id")))
FILTERABLE: Attributes = {
    **{name: column for name, column in COLUMNS.items() if name not in {"id", "detail"}},
    "address": Computed(Func(F("address"), function="HOST", output_field=TextField())),  # a part of it matches, too
    "dryRun": Computed(Case(When(CHANGES_NOTHING, then=Value("true")), default=Value("false"))),
    "hasResult": Computed(Case(When(Q(action="POST 202") & Q(RESULT), then=Value("true")), default=Value("false"))),
}
"""`dryRun` is "true" of plans, dry runs and what a user arranges for his own screen: they change no object.

`hasResult` is "true" of an accepted change of a configuration that has ended: its result is an entry that says all that
the request's says, and what it changed.
"""
LATEST = ("-at", "id")


class AuditEntryOut(serializers.ModelSerializer[AuditEntry]):
    actor = serializers.CharField(help_text='A user\'s name, or what else acted, such as "command line".')
    action = serializers.CharField(
        help_text='What was done, such as "alarm.clear"; of a request its method and the status it ended with.'
    )
    object = serializers.CharField(help_text="A name, an id, or the path of the request.")
    requestId = serializers.CharField(source="request_id", help_text="X-Request-ID of the request, as in the log.")
    detail = serializers.DictField(
        child=serializers.JSONField(),
        help_text="Never a secret, nor a request's body; of a refused request its reason and the names in it, of an "
        "operation what was asked for, such as `changeStateTo`.",
    )

    class Meta:
        model = AuditEntry
        fields = tuple(COLUMNS)
        read_only_fields = fields


class AuditListApi(APIView):
    read_role = Role.ADMIN

    @extend_schema(
        operation_id="audit_list",
        parameters=[*list_parameters(FILTERABLE), size_parameter()],
        responses=AuditEntryOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Requests of users: what, when, from where, and how each ended; latest first. Stored for a year."""
        found = filtered(audit_list(), request, FILTERABLE)
        rows, headers = page(found, request, LATEST, requested_size(request))
        return Response(AuditEntryOut(rows, many=True).data, headers=headers)


class AuditExportApi(APIView):
    read_role = Role.ADMIN
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="audit_export",
        parameters=list_parameters(FILTERABLE)[:1],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """The same entries as the list gives, all of them, as CSV."""
        return csv_response("audit.csv", filtered(audit_list(), request, FILTERABLE), LATEST, COLUMNS)
