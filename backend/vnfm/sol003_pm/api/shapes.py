"""Serializers of PM jobs, thresholds and reports: SOL003 3.7.1 clause 6.5, and the shapes of 2.6.1, which know neither
object types, sub-objects nor callbacks.
"""

from typing import Any

from rest_framework import serializers

from vnfm.kit.etsi.links import link
from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.web.wire import AnswerSerializer, LinkSerializer, StrictSerializer
from vnfm.notifications.wire import VISIBLE_URI, SubscriptionAuthentication
from vnfm.sol003_pm.domain.metrics import MeasuredType
from vnfm.sol003_pm.models import PmJob, PmReport, PmThreshold
from vnfm.sol003_pm.selectors.jobs import job_path, object_path, report_path, threshold_path

MAX_OBJECTS, MAX_SUB_OBJECTS, MAX_METRICS = 100, 1000, 50
MAX_SECONDS = 7 * 24 * 3600
SIMPLE = "SIMPLE"
_ONE_OBJECT = "With subObjectInstanceIds there must be exactly one object instance."
_A_METRIC = "Name a performanceMetric or a performanceMetricGroup."
_NOTHING = "Give callbackUri, authentication or both."


def _name() -> serializers.CharField:
    return serializers.CharField(max_length=255)


def _names(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=_name(), max_length=MAX_METRICS, **options)


def _period(words: str) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=MAX_SECONDS, help_text=words)


class PmJobCriteria(StrictSerializer):
    """SOL003 6.5.3.2."""

    performanceMetric = _names(required=False)
    performanceMetricGroup = _names(required=False)
    collectionPeriod = _period("Seconds; not shorter than counters are read (VNFM_COUNTER_SECONDS).")
    reportingPeriod = _period("Seconds; a multiple of the collection period, or some periods wait for the next report.")
    reportingBoundary = serializers.DateTimeField(required=False, help_text="The last report is made then.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("performanceMetric") and not attrs.get("performanceMetricGroup"):
            raise serializers.ValidationError({"performanceMetric": [_A_METRIC]})
        return attrs


class PmSimpleThreshold(StrictSerializer):
    thresholdValue = serializers.FloatField()
    hysteresis = serializers.FloatField(min_value=0)


class PmThresholdCriteria(StrictSerializer):
    """SOL003 6.5.3.3."""

    performanceMetric = _name()
    thresholdType = serializers.ChoiceField(choices=[SIMPLE])
    simpleThresholdDetails = PmSimpleThreshold()


class CreatePmJobRequestV1(StrictSerializer):
    objectInstanceIds = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MAX_OBJECTS)
    criteria = PmJobCriteria()


class CreateThresholdRequestV1(StrictSerializer):
    objectInstanceId = serializers.UUIDField()
    criteria = PmThresholdCriteria()


class _WithCallback(StrictSerializer):
    objectType = serializers.ChoiceField(choices=[each.value for each in MeasuredType])
    subObjectInstanceIds = serializers.ListField(
        child=_name(),
        required=False,
        min_length=1,
        max_length=MAX_SUB_OBJECTS,
        help_text="Ids of VNFCs or connection points, or names of interfaces. Default: all.",
    )
    callbackUri = serializers.CharField(max_length=MAX_URL, help_text="An https URL; it must answer 204 to a GET.")
    authentication = SubscriptionAuthentication(required=False, write_only=True)


class CreatePmJobRequest(_WithCallback, CreatePmJobRequestV1):
    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("subObjectInstanceIds") and len(attrs["objectInstanceIds"]) != 1:
            raise serializers.ValidationError({"objectInstanceIds": [_ONE_OBJECT]})
        return attrs


class CreateThresholdRequest(_WithCallback, CreateThresholdRequestV1):
    pass


class _CallbackModifications(StrictSerializer):
    callbackUri = serializers.CharField(max_length=MAX_URL, required=False)
    authentication = SubscriptionAuthentication(required=False, allow_null=True, write_only=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError(_NOTHING)
        return attrs


class PmJobModifications(_CallbackModifications):
    """SOL003 6.5.2.12. null for authentication removes it."""


class ThresholdModifications(_CallbackModifications):
    """SOL003 6.5.2.11. null for authentication removes it."""


class PmReportInfo(AnswerSerializer):
    href = serializers.CharField()
    readyTime = serializers.DateTimeField(source="ready_at")
    expiryTime = serializers.DateTimeField(source="expires_at")

    def get_href(self, report: PmReport) -> str:
        return link(report_path(report))["href"]


class PmJobLinks(serializers.Serializer[Any]):
    self = LinkSerializer()
    objects = LinkSerializer(many=True)


class ThresholdLinks(serializers.Serializer[Any]):
    self = LinkSerializer()
    object = LinkSerializer()


class PmJobV1(AnswerSerializer):
    """SOL003 6.5.2.7."""

    id = serializers.UUIDField()
    objectInstanceIds = serializers.ListField(source="object_ids", child=serializers.CharField())
    criteria = PmJobCriteria()
    reports = PmReportInfo(many=True, required=False)
    _links = PmJobLinks()

    def get_criteria(self, job: PmJob) -> dict[str, Any]:
        boundary = job.reporting_boundary
        return {
            **({"performanceMetric": job.metrics} if job.metrics else {}),
            **({"performanceMetricGroup": job.groups} if job.groups else {}),
            "collectionPeriod": job.collection_seconds,
            "reportingPeriod": job.reporting_seconds,
            **({"reportingBoundary": boundary} if boundary else {}),
        }

    def get_reports(self, job: PmJob) -> list[PmReport] | None:
        return list(job.reports.all()) or None if self.context.get("reports", True) else None

    def get__links(self, job: PmJob) -> dict[str, Any]:
        objects = [link(object_path(job.edition, job.object_type, each)) for each in job.object_ids]
        return {"self": link(job_path(job)), "objects": objects}


class PmJobOut(PmJobV1):
    objectType = serializers.ChoiceField(source="object_type", choices=[each.value for each in MeasuredType])
    subObjectInstanceIds = serializers.ListField(source="sub_object_ids", child=serializers.CharField(), required=False)
    callbackUri = serializers.CharField(source="visible_uri", help_text=VISIBLE_URI)


class ThresholdV1(AnswerSerializer):
    """SOL003 6.5.2.9."""

    id = serializers.UUIDField()
    objectInstanceId = serializers.UUIDField(source="object_id")
    criteria = PmThresholdCriteria()
    _links = ThresholdLinks()

    def get_criteria(self, threshold: PmThreshold) -> dict[str, Any]:
        return {
            "performanceMetric": threshold.metric,
            "thresholdType": SIMPLE,
            "simpleThresholdDetails": {"thresholdValue": threshold.value, "hysteresis": threshold.hysteresis},
        }

    def get__links(self, threshold: PmThreshold) -> dict[str, Any]:
        path = object_path(threshold.edition, threshold.object_type, threshold.object_id)
        return {"self": link(threshold_path(threshold)), "object": link(path)}


class ThresholdOut(ThresholdV1):
    objectType = serializers.ChoiceField(source="object_type", choices=[each.value for each in MeasuredType])
    subObjectInstanceIds = serializers.ListField(source="sub_object_ids", child=serializers.CharField(), required=False)
    callbackUri = serializers.CharField(source="visible_uri", help_text=VISIBLE_URI)


class PerformanceValue(serializers.Serializer[Any]):
    timeStamp = serializers.DateTimeField(help_text="End of the collection period.")
    value = serializers.FloatField()


class _ReportPlace(serializers.Serializer[Any]):
    objectType = serializers.CharField()
    objectInstanceId = serializers.CharField()
    subObjectInstanceId = serializers.CharField(required=False)
    performanceMetric = serializers.CharField()


class PerformanceReportEntry(_ReportPlace):
    performanceValues = PerformanceValue(many=True)


class PerformanceReportGap(_ReportPlace):
    timeStamps = serializers.ListField(child=serializers.DateTimeField())


class PerformanceReport(AnswerSerializer):
    """SOL003 6.5.2.10."""

    entries = PerformanceReportEntry(many=True)
    gaps = PerformanceReportGap(many=True, help_text="Ours: collection periods that counters do not cover.")

    def get_entries(self, report: PmReport) -> Any:
        return report.entries

    def get_gaps(self, report: PmReport) -> Any:
        return report.gaps
