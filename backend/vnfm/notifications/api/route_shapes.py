"""Serializers of alarm routes."""

from collections.abc import Mapping
from typing import Any, ClassVar
from zoneinfo import available_timezones

from rest_framework import serializers

from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import StrictSerializer
from vnfm.notifications.domain.channels import SECRETS, place, server_of
from vnfm.notifications.domain.retry import DeliveryCondition
from vnfm.notifications.domain.routing import DAYS, SEVERITIES
from vnfm.notifications.models import AlarmRoute
from vnfm.notifications.selectors.subscriptions import condition_of
from vnfm.notifications.services.alarm_routes import engine_id

CHANNELS = AlarmRoute.Channel.choices
SECURITY = ["STARTTLS", "TLS", "NONE"]
FORMATS = ["RFC5424", "CEF"]
AUTH_ALGORITHMS = ["SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"]
PRIV_ALGORITHMS = ["AES", "AES-192", "AES-256"]
OBJECT_TYPES = [each.value for each in ObjectType]
MAX_VALUES = 1000
LONGEST_GROUP, LONGEST_INTERVAL = 3600, 86_400
_TIME = r"^([01]\d|2[0-3]):[0-5]\d$"


def _secret(minimum: int = 0) -> serializers.CharField:
    return serializers.CharField(
        max_length=500, min_length=minimum, required=False, write_only=True, trim_whitespace=False
    )


def _host() -> serializers.CharField:
    return serializers.CharField(max_length=253)


def _port(default: int) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=65535, default=default)


class MailSettings(StrictSerializer):
    host = _host()
    port = _port(587)
    security = serializers.ChoiceField(choices=SECURITY, default="STARTTLS")
    userName = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    password = _secret()
    sender = serializers.EmailField()
    recipients = serializers.ListField(child=serializers.EmailField(), min_length=1, max_length=50)


class WebhookSettings(StrictSerializer):
    url = serializers.CharField(max_length=MAX_URL, help_text="Others than administrators see its server only.")
    secret = _secret()


class SyslogSettings(StrictSerializer):
    host = _host()
    port = _port(6514)
    messageFormat = serializers.ChoiceField(choices=FORMATS, default="RFC5424")


class SnmpSettings(StrictSerializer):
    host = _host()
    port = _port(162)
    userName = serializers.CharField(max_length=32)
    authAlgorithm = serializers.ChoiceField(choices=AUTH_ALGORITHMS, default="SHA-256")
    authPassword = _secret(8)
    privAlgorithm = serializers.ChoiceField(choices=PRIV_ALGORITHMS, default="AES")
    privPassword = _secret(8)


class RouteTimeWindow(StrictSerializer):
    """When alarms are sent. What is open when it begins is not sent; the end of what was sent is, at any time."""

    days = serializers.ListField(child=serializers.ChoiceField(choices=list(DAYS)), min_length=1, max_length=7)
    begin = serializers.RegexField(_TIME, help_text="Local time, such as 08:00.")
    end = serializers.RegexField(_TIME, help_text="Not included; over midnight where it is not later than begin.")
    timeZone = serializers.CharField(max_length=60, help_text="Of the IANA database, such as Europe/Berlin.")

    def validate_timeZone(self, zone: str) -> str:
        if zone not in available_timezones():
            raise serializers.ValidationError(["There is no such time zone, such as Europe/Berlin."])
        return zone


def _some(child: serializers.Field[Any, Any, Any, Any]) -> serializers.ListField:
    return serializers.ListField(child=child, required=False, max_length=MAX_VALUES, help_text="Empty: all.")


class RouteCriteria(StrictSerializer):
    """The alarms that are sent."""

    minSeverity = serializers.ChoiceField(choices=list(SEVERITIES), required=False)
    managedObjectTypes = _some(serializers.ChoiceField(choices=OBJECT_TYPES))
    managedObjectIds = _some(serializers.UUIDField())
    siteIds = _some(serializers.UUIDField())
    faultTypes = _some(serializers.CharField(max_length=60))
    cleared = serializers.BooleanField(required=False, help_text="Whether the end of an alarm is sent, too.")
    window = RouteTimeWindow(required=False, allow_null=True)


_CRITERIA: Mapping[str, str] = {
    "minSeverity": "min_severity",
    "managedObjectTypes": "object_types",
    "managedObjectIds": "object_ids",
    "siteIds": "site_ids",
    "faultTypes": "fault_types",
    "cleared": "cleared",
    "window": "window",
}


class AlarmRouteUpdate(StrictSerializer):
    """`mail`, `webhook`, `syslog` or `snmp`: that of the channel, as a whole. Secrets that are left out stay."""

    name = serializers.CharField(max_length=100, required=False)
    enabled = serializers.BooleanField(required=False)
    mail = MailSettings(required=False)
    webhook = WebhookSettings(required=False)
    syslog = SyslogSettings(required=False)
    snmp = SnmpSettings(required=False)
    criteria = RouteCriteria(required=False)
    groupSeconds = serializers.IntegerField(min_value=0, max_value=LONGEST_GROUP, required=False)
    intervalSeconds = serializers.IntegerField(min_value=0, max_value=LONGEST_INTERVAL, required=False)

    whole: ClassVar[bool] = False

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        channel = str(self.context.get("channel") or attrs.get("channel", ""))
        others = [name for name in _PARTS if name in attrs and name != channel.lower()]
        errors = {name: [f"Only for the channel {name.upper()}."] for name in others}
        if self.whole and channel.lower() not in attrs:
            errors[channel.lower()] = ["It is required for this channel."]
        if errors:
            raise serializers.ValidationError(errors)
        part = attrs.get(channel.lower())
        if part is not None and self.whole and channel == AlarmRoute.Channel.SNMP:
            missing = {name: ["It is required."] for name in SECRETS[channel] if not part.get(name)}
            if missing:
                raise serializers.ValidationError({"snmp": missing})
        return attrs


class AlarmRouteWrite(AlarmRouteUpdate):
    name = serializers.CharField(max_length=100)
    channel = serializers.ChoiceField(choices=CHANNELS)

    whole = True


_PARTS = ("mail", "webhook", "syslog", "snmp")


def values_of(request: Mapping[str, Any], channel: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Columns of AlarmRoute that are given, and secrets."""
    values: dict[str, Any] = {name: request[name] for name in ("name", "enabled", "channel") if name in request}
    columns = {"groupSeconds": "group_seconds", "intervalSeconds": "interval_seconds"}
    values |= {column: request[name] for name, column in columns.items() if name in request}
    if "criteria" in request:
        values["criteria"] = _criteria(request["criteria"])
    part = request.get(channel.lower())
    if part is None:
        return values, {}
    secrets = {name: part[name] for name in SECRETS[channel] if name in part}
    values["settings"] = {name: value for name, value in part.items() if name not in SECRETS[channel]}
    return values, secrets


def _criteria(request: Mapping[str, Any]) -> dict[str, Any]:
    stored = {_CRITERIA[name]: value for name, value in request.items()}
    for name in ("object_ids", "site_ids"):
        if name in stored:
            stored[name] = [str(each) for each in stored[name]]
    window = stored.get("window")
    if window:
        stored["window"] = {"zone" if name == "timeZone" else name: value for name, value in window.items()}
    return stored


class AlarmRouteOut(serializers.Serializer[Any]):  # Any: one route, or with many=True several
    id = serializers.UUIDField()
    name = serializers.CharField()
    enabled = serializers.BooleanField()
    channel = serializers.ChoiceField(choices=CHANNELS)
    place = serializers.CharField(help_text="Where it leads, in a few words.")
    mail = MailSettings(allow_null=True)
    webhook = WebhookSettings(allow_null=True)
    syslog = SyslogSettings(allow_null=True)
    snmp = SnmpSettings(allow_null=True)
    engineId = serializers.CharField(help_text='snmpEngineID of our traps, in hexadecimal; "" of other channels.')
    hasSecret = serializers.BooleanField()
    criteria = RouteCriteria()
    groupSeconds = serializers.IntegerField(help_text="How long the first alarm waits for others.")
    intervalSeconds = serializers.IntegerField(help_text="From one message to the next, at least.")
    waiting = serializers.IntegerField(help_text="Events that are not sent yet.")
    conditions = answer(DeliveryCondition)(many=True)
    version = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    createdBy = serializers.CharField()

    def to_representation(self, instance: Any) -> dict[str, Any]:  # Any: an AlarmRoute with `waiting`
        subscription = instance.subscription
        is_snmp = instance.channel == AlarmRoute.Channel.SNMP
        values = {
            "id": instance.pk,
            "name": instance.name,
            "enabled": instance.enabled,
            "channel": instance.channel,
            "place": place(instance.channel, instance.settings),
            **{part: self._settings(instance) if part == instance.channel.lower() else None for part in _PARTS},
            "engineId": engine_id().hex() if is_snmp else "",
            "hasSecret": subscription.sealed_login is not None,
            "criteria": _criteria_out(instance.criteria),
            "groupSeconds": instance.group_seconds,
            "intervalSeconds": instance.interval_seconds,
            "waiting": instance.waiting,
            "conditions": [condition_of(subscription, waiting=instance.waiting)],
            "version": instance.version,
            "createdAt": subscription.created_at,
            "createdBy": subscription.created_by,
        }
        return super().to_representation(values)

    def _settings(self, route: AlarmRoute) -> Mapping[str, Any]:
        """Without the path of a webhook, unless the context says `whole`: it may be a secret, as of chat services."""
        if route.channel != AlarmRoute.Channel.WEBHOOK or self.context.get("whole"):
            return {**route.settings}
        return {**route.settings, "url": f"{server_of(route.settings['url'])}/…"}


def _criteria_out(stored: Mapping[str, Any]) -> dict[str, Any]:
    window = stored.get("window")
    found = {name: stored[column] for name, column in _CRITERIA.items() if column in stored}
    if window:
        found["window"] = {"timeZone" if name == "zone" else name: value for name, value in window.items()}
    return found
