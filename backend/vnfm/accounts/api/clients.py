"""/api/v1/api_clients: NFVOs, tools and scripts that log in by id and secret, or by certificate; for administrators."""

from typing import Any
from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.tokens import ApiTokenSerializer
from vnfm.accounts.models import User
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import client_get, client_list, token_get, token_list
from vnfm.accounts.services import client_create, client_lock, client_secret_renew, client_update
from vnfm.accounts.tokens import token_revoke
from vnfm.accounts.wire import caller
from vnfm.kit.etsi.query import page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import JsonSerializer

FINGERPRINT = r"^([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$"


class ApiClientSerializer(serializers.ModelSerializer[User]):
    clientId = serializers.CharField(source="username", read_only=True)
    displayName = serializers.CharField(source="full_name", read_only=True)
    isActive = serializers.BooleanField(source="is_active", read_only=True)
    certificateFingerprint = serializers.SerializerMethodField(
        help_text='SHA-256 of its TLS certificate, in hexadecimal; "" without one.'
    )
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    lastUsedAt = serializers.DateTimeField(source="last_login", read_only=True, allow_null=True)

    class Meta:
        model = User
        fields = (
            "id", "clientId", "displayName", "role", "isActive", "certificateFingerprint", "createdAt", "lastUsedAt",
            "version",
        )  # fmt: skip
        read_only_fields = fields

    def get_certificateFingerprint(self, client: User) -> str:
        return bytes(client.certificate_digest or b"").hex()


class IssuedApiClientSerializer(ApiClientSerializer):
    secret = serializers.CharField(read_only=True, help_text="It is shown only once.")

    class Meta(ApiClientSerializer.Meta):
        fields = (*ApiClientSerializer.Meta.fields, "secret")  # type: ignore[assignment]  # one longer


class ApiClientUpdateSerializer(JsonSerializer):
    displayName = serializers.CharField(source="full_name", max_length=200, required=False, allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices, required=False)
    isActive = serializers.BooleanField(source="is_active", required=False)
    certificateFingerprint = serializers.RegexField(
        FINGERPRINT, source="certificate", required=False, allow_blank=True, help_text='"" removes it.'
    )

    def validate_certificateFingerprint(self, text: str) -> bytes:
        return bytes.fromhex(text.replace(":", ""))


class ApiClientCreateSerializer(JsonSerializer):
    clientId = serializers.RegexField(r"^[\w.@+-]+$", source="username", max_length=150)
    displayName = serializers.CharField(source="full_name", max_length=200, required=False, allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices)


class ApiClientListApi(APIView):
    read_role = write_role = Role.ADMIN

    @extend_schema(operation_id="api_client_list", responses=ApiClientSerializer(many=True))
    def get(self, request: Request) -> Response:
        """API clients, oldest first."""
        rows, headers = page(client_list(), request)
        return Response(ApiClientSerializer(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="api_client_create",
        request=ApiClientCreateSerializer,
        responses={201: IssuedApiClientSerializer},
    )
    def post(self, request: Request) -> Response:
        """Add an API client. Its secret is in this answer alone."""
        body = ApiClientCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        client, secret = client_create(**body.validated_data)
        client.refresh_from_db()
        return _answer(client, 201, secret)


class ApiClientApi(APIView):
    read_role = write_role = Role.ADMIN

    @extend_schema(operation_id="api_client_view", responses=ApiClientSerializer)
    def get(self, _request: Request, client_id: UUID) -> Response:
        """One API client."""
        return _answer(client_get(client_id=client_id))

    @extend_schema(operation_id="api_client_update", request=ApiClientUpdateSerializer, responses=ApiClientSerializer)
    def patch(self, request: Request, client_id: UUID) -> Response:
        """Change name, role or certificate, activate or deactivate; honours If-Match. Deactivation ends its tokens."""
        body = ApiClientUpdateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        with transaction.atomic():
            client = client_lock(client_id=client_id)
            require_match(request, client.version)
            return _answer(client_update(client=client, by=caller(request).username, **body.validated_data))


class ApiClientTokenListApi(APIView):
    read_role = Role.ADMIN

    @extend_schema(operation_id="api_client_token_list", responses=ApiTokenSerializer(many=True))
    def get(self, request: Request, client_id: UUID) -> Response:
        """The client's tokens, by OAuth 2.0 and made with these, without their secrets."""
        rows, headers = page(token_list(user=client_get(client_id=client_id)), request)
        return Response(ApiTokenSerializer(rows, many=True).data, headers=headers)


class ApiClientTokenApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="api_client_token_delete", responses={204: None})
    def delete(self, _request: Request, client_id: UUID, token_id: UUID) -> Response:
        """Revoke a token of the client, and those that were made with it."""
        token_revoke(token=token_get(user=client_get(client_id=client_id), token_id=token_id))
        return Response(status=204)


class ApiClientSecretApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="api_client_secret", request=None, responses={201: IssuedApiClientSerializer})
    def post(self, request: Request, client_id: UUID) -> Response:
        """Replace the secret; the old one and all tokens of the client end."""
        with transaction.atomic():
            client = client_lock(client_id=client_id)
            secret = client_secret_renew(client=client, by=caller(request).username)
        return _answer(client, 201, secret)


def _answer(client: User, status: int = 200, secret: str = "") -> Response:
    body: dict[str, Any] = {**ApiClientSerializer(client).data, **({"secret": secret} if secret else {})}
    return Response(body, status=status, headers={"ETag": etag(client.version)})
