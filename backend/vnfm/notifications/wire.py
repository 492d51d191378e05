"""The login at a subscriber (SOL003 4.4.1.13), in requests for subscriptions, PM jobs and thresholds."""

from typing import Any, ClassVar

from django.conf import settings
from rest_framework import serializers

from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.web.message import Reasons
from vnfm.kit.web.wire import StrictSerializer, unsupported
from vnfm.notifications.services.subscriptions import Login

AUTH_TYPES = ["BASIC", "OAUTH2_CLIENT_CREDENTIALS", "TLS_CERT"]
VISIBLE_URI = (
    "Whole for administrators and for who subscribed. Others see its server only, as the rest may be a secret."
)
_TLS = "TLS_CERT"
_NO_TLS = "We have no client certificate (TLS_CERT, VNFM_CLIENT_CERT); use BASIC or OAUTH2_CLIENT_CREDENTIALS."
_REQUIRED = "It is required: no parameters are provisioned out of band."


class ParamsBasic(StrictSerializer):
    userName = serializers.RegexField(r"^[^:\x00-\x1f\x7f]+$", max_length=200)
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class ParamsOauth2ClientCredentials(StrictSerializer):
    clientId = serializers.CharField(max_length=200)
    clientPassword = serializers.CharField(max_length=200, trim_whitespace=False)
    tokenEndpoint = serializers.CharField(max_length=MAX_URL)


class SubscriptionAuthentication(StrictSerializer):
    """SOL003 4.4.1.13. Of several types the first is used for which there are parameters; TLS_CERT needs none, but our
    client certificate.
    """

    authType = serializers.ListField(child=serializers.ChoiceField(choices=AUTH_TYPES), min_length=1)
    paramsBasic = ParamsBasic(required=False)
    paramsOauth2ClientCredentials = ParamsOauth2ClientCredentials(required=False)

    PARAMS: ClassVar[Reasons] = {
        "BASIC": "paramsBasic",
        "OAUTH2_CLIENT_CREDENTIALS": "paramsOauth2ClientCredentials",
    }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        possible = [kind for kind in attrs["authType"] if kind in self.PARAMS]
        if any(self.PARAMS[kind] in attrs for kind in possible) or (_TLS in attrs["authType"] and settings.CLIENT_CERT):
            return attrs
        if not possible:
            raise serializers.ValidationError({"authType": [unsupported(_NO_TLS)]})
        raise serializers.ValidationError({self.PARAMS[possible[0]]: [unsupported(_REQUIRED)]})


def login_of(authentication: dict[str, Any] | None) -> Login | None:
    """The login of a SubscriptionAuthentication, as it is sealed."""
    for kind in (authentication or {}).get("authType", ()):
        params = (authentication or {}).get(SubscriptionAuthentication.PARAMS.get(kind, ""))
        if params is not None and kind == "BASIC":
            return {"type": kind, "user_name": params["userName"], "password": params["password"]}
        if params is not None:
            secret = {"client_id": params["clientId"], "client_password": params["clientPassword"]}
            return {"type": kind, **secret, "token_endpoint": params["tokenEndpoint"]}
    return {"type": _TLS} if _TLS in (authentication or {}).get("authType", ()) else None
