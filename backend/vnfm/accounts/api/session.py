"""/api/v1/session: the browser's login."""

from dataclasses import dataclass

from django.contrib.auth import login, logout, update_session_auth_hash
from django.middleware.csrf import get_token
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.authentication import SessionAuthentication
from vnfm.accounts.api.permissions import ByRole
from vnfm.accounts.domain.logins import Login
from vnfm.accounts.models import User
from vnfm.accounts.roles import Role
from vnfm.accounts.services import password_change, user_authenticate
from vnfm.accounts.wire import accepts, caller
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import JsonSerializer


class SessionSerializer(serializers.ModelSerializer[User]):
    displayName = serializers.CharField(source="full_name", read_only=True)
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=Role.choices),
        read_only=True,
        help_text="The user's role and all below it: what the user may do.",
    )

    class Meta:
        model = User
        fields = ("id", "username", "displayName", "roles")
        read_only_fields = ("id", "username")


class LoginSerializer(JsonSerializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class PasswordSerializer(JsonSerializer):
    presentPassword = serializers.CharField(max_length=1000, trim_whitespace=False, write_only=True)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, write_only=True, help_text="The new one.")


@dataclass(frozen=True, slots=True)
class Csrf:
    csrf_token: str


class SessionApi(APIView):
    write_role = Role.VIEWER

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else ByRole()]

    @extend_schema(operation_id="session_view", responses=SessionSerializer)
    def get(self, request: Request) -> Response:
        """The user who is logged in."""
        return Response(SessionSerializer(caller(request)).data)

    @extend_schema(operation_id="session_create", request=LoginSerializer, responses={201: SessionSerializer})
    def post(self, request: Request) -> Response:
        """Log in with a name and a password. Needs the CSRF token, against logins forged by other sites."""
        if not accepts(Login.SESSION):
            raise PermissionDenied("Logins of browsers are switched off here: VNFM_API_LOGINS does not name session.")
        SessionAuthentication().enforce_csrf(request)
        credentials = LoginSerializer(data=request.data)
        credentials.is_valid(raise_exception=True)
        user = user_authenticate(**credentials.validated_data, address=request.META.get("REMOTE_ADDR", ""))
        login(request._request, user)  # noqa: SLF001 - DRF's documented way to Django's request
        return Response(SessionSerializer(user).data, status=201)

    @extend_schema(operation_id="session_delete", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Log out."""
        logout(request._request)  # noqa: SLF001 - as above
        return Response(status=204)


class PasswordApi(APIView):
    """A PUT, as the answer to a POST is stored for its repetition, with a digest of the request."""

    write_role = Role.VIEWER

    @extend_schema(operation_id="session_password", request=PasswordSerializer, responses={204: None})
    def put(self, request: Request) -> Response:
        """Change one's own password. Ends one's API tokens and other sessions; this session goes on."""
        body = PasswordSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        user = password_change(
            user=caller(request),
            present=body.validated_data["presentPassword"],
            password=body.validated_data["password"],
            address=request.META.get("REMOTE_ADDR", ""),
        )
        if request.auth is None:  # a session, and no token
            update_session_auth_hash(request._request, user)  # noqa: SLF001 - as above
        return Response(status=204)


class CsrfApi(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="session_csrf", responses=answer(Csrf))
    def get(self, request: Request) -> Response:
        """Set the CSRF cookie, and return the token to be sent as X-CSRFToken."""
        return Response(as_answer(Csrf(get_token(request._request))))  # noqa: SLF001 - as above
