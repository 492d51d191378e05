"""Validation reports on the wire."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rest_framework import serializers

from vnfm.catalog.domain.quota_need import quota_needs
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.wire.vnfd import DescriptorSerializer, descriptor_view


class FindingSerializer(serializers.Serializer[Any]):
    severity = serializers.ChoiceField(choices=["error", "warning", "note"])
    code = serializers.CharField(help_text="Stable, for programs.")
    message = serializers.CharField(help_text="A sentence that says what to do.")
    file = serializers.CharField(help_text="Path in the package; empty for the package as a whole.")
    line = serializers.IntegerField(help_text="From 1; 0 when it is not known.")
    pointer = serializers.CharField(help_text="JSON pointer (RFC 6901) to the place in the file.")
    speaker = serializers.CharField(
        default="", help_text='Who reports it, such as "heat of lab-1"; empty for our own validation.'
    )
    url = serializers.CharField(
        default="", help_text="Of a file that templates name and the package lacks: allow it to be fetched by `fetch`."
    )


class QuotaNeedSerializer(serializers.Serializer[Any]):
    """Quota that an instance needs, with flavors that match its components' needs exactly."""

    flavourId = serializers.CharField(source="flavour_id")
    instantiationLevelId = serializers.CharField(source="level_id")
    instances = serializers.IntegerField()
    vcpus = serializers.IntegerField()
    memoryMib = serializers.IntegerField(source="memory_mib")
    diskGib = serializers.IntegerField(source="disk_gib")
    ports = serializers.IntegerField()
    networks = serializers.IntegerField()
    sriovPorts = serializers.IntegerField(source="sriov_ports")


class PackageReportSerializer(serializers.Serializer[Any]):
    valid = serializers.BooleanField(help_text="Whether it can be onboarded.")
    validationReport = FindingSerializer(many=True)
    quota = QuotaNeedSerializer(many=True)
    rootCandidates = serializers.ListField(
        child=serializers.CharField(),
        help_text="Templates of which one can be chosen as `root`; empty where the root is clear.",
    )
    missingFiles = serializers.ListField(
        child=serializers.CharField(), help_text="Files that templates name and that were not sent: send them as well."
    )
    onboardedPackageId = serializers.CharField(
        help_text="The package that has this VNFD id already; empty where there is none."
    )
    vnfd = DescriptorSerializer(allow_null=True, help_text="Its VNFD; null when the package would be refused.")


def report_view(
    findings: Iterable[Mapping[str, Any]],
    vnfd: Vnfd | None,
    roots: Sequence[str] = (),
    missing: Sequence[str] = (),
    onboarded_as: str = "",
) -> dict[str, Any]:
    """`vnfd` is None when the package would be refused; `roots`: templates that can be chosen as the root; `missing`:
    files that were not sent; `onboarded_as`: id of the package that has this VNFD id already.
    """
    return {
        "valid": vnfd is not None,
        "validationReport": list(findings),
        "quota": QuotaNeedSerializer(list(quota_needs(vnfd)), many=True).data if vnfd else [],
        "rootCandidates": list(roots),
        "missingFiles": list(missing),
        "onboardedPackageId": onboarded_as,
        "vnfd": descriptor_view(vnfd) if vnfd else None,
    }
