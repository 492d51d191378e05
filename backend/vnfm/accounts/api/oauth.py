"""/oauth/token and /oauth/revoke: OAuth 2.0 client credentials (SOL013 8.3.4; RFC 6749 4.4, RFC 7009)."""

from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.parsers import FormParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.domain.logins import Login, basic_credentials
from vnfm.accounts.domain.scopes import role_of_scope
from vnfm.accounts.models import User
from vnfm.accounts.roles import Role
from vnfm.accounts.tokens import CLIENT_TOKEN_LIFETIME, client_token_issue, client_token_revoke
from vnfm.accounts.wire import accepts, client_of

FORM = "application/x-www-form-urlencoded"
NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
_TWICE = "A parameter is missing or occurs more than once."
SCOPE = (
    f"One of {', '.join(Role.values)}; without it the client's own role. Values of SOL013 are words for these: "
    "vnflcm:v2:readonly is viewer, vnflcm:v2:all is operator."
)


class TokenForm(serializers.Serializer[None]):
    grant_type = serializers.CharField(help_text="client_credentials")
    scope = serializers.CharField(required=False, help_text=SCOPE)
    client_id = serializers.CharField(required=False, help_text="Where it is not in the header Authorization: Basic.")
    client_secret = serializers.CharField(required=False, help_text="Likewise.")


class RevocationForm(serializers.Serializer[None]):
    token = serializers.CharField()
    client_id = serializers.CharField(required=False)
    client_secret = serializers.CharField(required=False)


class AccessToken(serializers.Serializer[None]):
    access_token = serializers.CharField()
    token_type = serializers.CharField(help_text="Bearer")
    expires_in = serializers.IntegerField(help_text="In seconds.")
    scope = serializers.CharField(help_text="The role that it grants, or SOL013's words for it, as asked for.")


class OAuthError(serializers.Serializer[None]):
    """RFC 6749 5.2."""

    error = serializers.CharField()
    error_description = serializers.CharField()


@dataclass
class _RefusedError(Exception):
    """`error` is a word of RFC 6749 5.2."""

    error: str
    words: str
    status: int = HTTPStatus.BAD_REQUEST


class _OAuthApi(APIView):
    """The client proves who it is in each request, by header or in the form (RFC 6749 2.3.1)."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (FormParser,)

    def handle_exception(self, error: Exception) -> Response:
        if not isinstance(error, _RefusedError):
            return super().handle_exception(error)
        headers = dict(NO_STORE)
        if error.status == HTTPStatus.UNAUTHORIZED and "Authorization" in self.request.headers:
            headers["WWW-Authenticate"] = 'Basic realm="vnfm", charset="UTF-8"'
        return Response({"error": error.error, "error_description": error.words}, error.status, headers=headers)

    def client(self, request: Request) -> User:
        """Raises _RefusedError, or a 429 problem after too many wrong secrets."""
        if not accepts(Login.OAUTH2):
            raise _RefusedError("unauthorized_client", "OAuth 2.0 is switched off here (VNFM_API_LOGINS).")
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        try:
            sent = basic_credentials(text) if scheme.lower() == Login.BASIC else None
        except ValueError as error:
            raise _RefusedError("invalid_request", "Authorization: Basic holds no id and secret.") from error
        if sent is not None:
            name, secret = unquote(sent[0]), unquote(sent[1])
        else:
            name, secret = _one(request, "client_id"), _one(request, "client_secret")
        try:
            return client_of(request, name, secret)
        except AuthenticationFailed as error:
            raise _RefusedError("invalid_client", str(error.detail), HTTPStatus.UNAUTHORIZED) from error


class OAuthTokenApi(_OAuthApi):
    @extend_schema(
        operation_id="oauth_token",
        request={FORM: TokenForm},
        responses={200: AccessToken, 400: OAuthError, 401: OAuthError},
    )
    def post(self, request: Request) -> Response:
        """A bearer token for an API client, valid for an hour."""
        client = self.client(request)
        if _one(request, "grant_type") != "client_credentials":
            raise _RefusedError("unsupported_grant_type", "The only grant type is client_credentials.")
        asked = request.POST.get("scope", "")
        scope = _scope(asked, client)
        answer = {
            "access_token": client_token_issue(client=client, scope=scope),
            "token_type": "Bearer",
            "expires_in": int(CLIENT_TOKEN_LIFETIME.total_seconds()),
            "scope": scope.value if set(asked.split()) <= {*Role.values} else asked,
        }
        return Response(answer, headers=NO_STORE)


class OAuthRevocationApi(_OAuthApi):
    @extend_schema(
        operation_id="oauth_revoke",
        request={FORM: RevocationForm},
        responses={200: None, 400: OAuthError, 401: OAuthError},
    )
    def post(self, request: Request) -> Response:
        """End a token of this client; 200 also for one that is none, as RFC 7009 has it."""
        client = self.client(request)
        client_token_revoke(client=client, secret=_one(request, "token"))
        return Response(headers=NO_STORE)


def _one(request: Request, name: str) -> str:
    """The one value of the parameter. Raises _RefusedError."""
    values: list[str] = request.POST.getlist(name)
    if len(values) != 1 or "\0" in values[0]:
        raise _RefusedError("invalid_request", f"{_TWICE[:-1]}: {name}.")
    return values[0]


def _scope(text: str, client: User) -> Role:
    """The highest role of those that are asked for. Raises _RefusedError for one that the client has not."""
    wanted = [role_of_scope(word) for word in text.split()]
    if not set(wanted) <= set(client.roles):
        words = f"Scopes are roles, or values such as vnflcm:v2:all; this client has {', '.join(client.roles)}."
        raise _RefusedError("invalid_scope", words)
    return max((Role(word) for word in wanted), key=list(Role).index, default=Role(client.role))
