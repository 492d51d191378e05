from django.urls import path

from vnfm.accounts.api.clients import (
    ApiClientApi,
    ApiClientListApi,
    ApiClientSecretApi,
    ApiClientTokenApi,
    ApiClientTokenListApi,
)
from vnfm.accounts.api.oauth import OAuthRevocationApi, OAuthTokenApi
from vnfm.accounts.api.session import CsrfApi, PasswordApi, SessionApi
from vnfm.accounts.api.tokens import ApiTokenApi, ApiTokenListApi, UserTokenApi, UserTokenListApi
from vnfm.accounts.api.trail import AuditExportApi, AuditListApi
from vnfm.accounts.api.users import UserApi, UserListApi

urlpatterns = [
    path("oauth/token", OAuthTokenApi.as_view()),
    path("token", OAuthTokenApi.as_view(schema=None)),  # for clients that are configured with the API root alone
    path("oauth/revoke", OAuthRevocationApi.as_view()),
    path("api/v1/api_clients", ApiClientListApi.as_view()),
    path("api/v1/api_clients/<uuid:client_id>", ApiClientApi.as_view()),
    path("api/v1/api_clients/<uuid:client_id>/secret", ApiClientSecretApi.as_view()),
    path("api/v1/api_clients/<uuid:client_id>/api_tokens", ApiClientTokenListApi.as_view()),
    path("api/v1/api_clients/<uuid:client_id>/api_tokens/<uuid:token_id>", ApiClientTokenApi.as_view()),
    path("api/v1/session", SessionApi.as_view()),
    path("api/v1/session/csrf", CsrfApi.as_view()),
    path("api/v1/session/password", PasswordApi.as_view()),
    path("api/v1/api_tokens", ApiTokenListApi.as_view()),
    path("api/v1/api_tokens/<uuid:token_id>", ApiTokenApi.as_view()),
    path("api/v1/users", UserListApi.as_view()),
    path("api/v1/users/<uuid:user_id>", UserApi.as_view()),
    path("api/v1/users/<uuid:user_id>/api_tokens", UserTokenListApi.as_view()),
    path("api/v1/users/<uuid:user_id>/api_tokens/<uuid:token_id>", UserTokenApi.as_view()),
    path("api/v1/audit", AuditListApi.as_view()),
    path("api/v1/audit.csv", AuditExportApi.as_view()),
]
