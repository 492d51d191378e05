"""/api/v1/users: for administrators. Users are never deleted, so that history keeps its names; they become inactive."""

from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import User
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import user_get, user_list
from vnfm.accounts.services import user_create, user_lock, user_update
from vnfm.accounts.wire import caller
from vnfm.kit.etsi.query import page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import JsonSerializer


class UserSerializer(serializers.ModelSerializer[User]):
    displayName = serializers.CharField(source="full_name", read_only=True)
    isActive = serializers.BooleanField(source="is_active", read_only=True)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    lastLogin = serializers.DateTimeField(source="last_login", read_only=True, allow_null=True)

    class Meta:
        model = User
        fields = ("id", "username", "displayName", "role", "isActive", "createdAt", "lastLogin", "version")
        read_only_fields = fields


class UserCreateSerializer(JsonSerializer):
    username = serializers.RegexField(r"^[\w.@+-]+$", max_length=150)
    displayName = serializers.CharField(source="full_name", max_length=200, required=False, allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, write_only=True)


class UserUpdateSerializer(JsonSerializer):
    displayName = serializers.CharField(source="full_name", max_length=200, required=False, allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices, required=False)
    isActive = serializers.BooleanField(source="is_active", required=False)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, write_only=True, required=False)


class UserListApi(APIView):
    read_role = write_role = Role.ADMIN

    @extend_schema(operation_id="user_list", responses=UserSerializer(many=True))
    def get(self, request: Request) -> Response:
        """All users, oldest first."""
        rows, headers = page(user_list(), request)
        return Response(UserSerializer(rows, many=True).data, headers=headers)

    @extend_schema(operation_id="user_create", request=UserCreateSerializer, responses={201: UserSerializer})
    def post(self, request: Request) -> Response:
        """Add a user."""
        body = UserCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        user = user_create(**body.validated_data)
        user.refresh_from_db()
        return _answer(user, 201)


class UserApi(APIView):
    read_role = write_role = Role.ADMIN

    @extend_schema(operation_id="user_view", responses=UserSerializer)
    def get(self, _request: Request, user_id: UUID) -> Response:
        """One user."""
        return _answer(user_get(user_id=user_id))

    @extend_schema(operation_id="user_update", request=UserUpdateSerializer, responses=UserSerializer)
    def patch(self, request: Request, user_id: UUID) -> Response:
        """Change name, role or password, activate or deactivate the user; honours If-Match. A new password ends the
        user's sessions and API tokens.
        """
        body = UserUpdateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        with transaction.atomic():
            user = user_lock(user_id=user_id)
            require_match(request, user.version)
            return _answer(user_update(user=user, by=caller(request).username, **body.validated_data))


def _answer(user: User, status: int = 200) -> Response:
    return Response(UserSerializer(user).data, status=status, headers={"ETag": etag(user.version)})
