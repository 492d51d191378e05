"""/api/v1/api_tokens: a user's own bearer tokens; /api/v1/users/{id}/api_tokens: those of any, for administrators."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import ApiToken
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import token_get, token_list, user_get
from vnfm.accounts.tokens import token_issue, token_revoke
from vnfm.accounts.wire import caller
from vnfm.kit import clock
from vnfm.kit.etsi.query import page
from vnfm.kit.web.wire import JsonSerializer


class ApiTokenSerializer(JsonSerializer, serializers.ModelSerializer[ApiToken]):
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True, required=False)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    lastUsedAt = serializers.DateTimeField(source="last_used_at", read_only=True, allow_null=True)

    class Meta:
        model = ApiToken
        fields = ("id", "name", "expiresAt", "createdAt", "lastUsedAt")

    def validate_expiresAt(self, value: object) -> object:
        if value is not None and value <= clock.now():  # type: ignore[operator]  # a datetime: the field made it
            raise serializers.ValidationError("This time has passed.")
        return value


class IssuedTokenSerializer(ApiTokenSerializer):
    token = serializers.CharField(read_only=True, help_text="The secret. It is shown only once.")

    class Meta(ApiTokenSerializer.Meta):
        fields = (*ApiTokenSerializer.Meta.fields, "token")  # type: ignore[assignment]  # one longer


class ApiTokenListApi(APIView):
    write_role = Role.VIEWER

    @extend_schema(operation_id="api_token_list", responses=ApiTokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The caller's tokens, without their secrets."""
        rows, headers = page(token_list(user=caller(request)), request)
        return Response(ApiTokenSerializer(rows, many=True).data, headers=headers)

    @extend_schema(operation_id="api_token_create", request=ApiTokenSerializer, responses={201: IssuedTokenSerializer})
    def post(self, request: Request) -> Response:
        """Issue a token with the caller's rights. Without `expiresAt` it is valid as long as possible; one that is made
        with a token ends with that token.
        """
        body = ApiTokenSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        parent = request.auth if isinstance(request.auth, ApiToken) else None
        token, secret = token_issue(user=caller(request), parent=parent, **body.validated_data)
        token.refresh_from_db()
        return Response(ApiTokenSerializer(token).data | {"token": secret}, status=201)


class ApiTokenApi(APIView):
    write_role = Role.VIEWER

    @extend_schema(operation_id="api_token_delete", responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Revoke a token; what uses it is locked out from the next request on."""
        token_revoke(token=token_get(user=caller(request), token_id=token_id))
        return Response(status=204)


class UserTokenListApi(APIView):
    read_role = Role.ADMIN

    @extend_schema(operation_id="user_api_token_list", responses=ApiTokenSerializer(many=True))
    def get(self, request: Request, user_id: UUID) -> Response:
        """The user's tokens, without their secrets."""
        rows, headers = page(token_list(user=user_get(user_id=user_id)), request)
        return Response(ApiTokenSerializer(rows, many=True).data, headers=headers)


class UserTokenApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="user_api_token_delete", responses={204: None})
    def delete(self, _request: Request, user_id: UUID, token_id: UUID) -> Response:
        """Revoke a token of the user, and those that were made with it."""
        token_revoke(token=token_get(user=user_get(user_id=user_id), token_id=token_id))
        return Response(status=204)
