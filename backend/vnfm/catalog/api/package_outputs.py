"""VnfPkgInfo (SOL005 9.5.2.5) on the wire."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.package import VNFD
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import ONBOARDED, vnfd_of
from vnfm.kit.etsi.selection import EVERYTHING, Selection
from vnfm.kit.web.wire import LinkSerializer

HEAVY = (
    "checksum",
    "softwareImages",
    "additionalArtifacts",
    "userDefinedData",
    "onboardingFailureDetails",
    "signingCertificate",
)
"""Attributes that lists leave out unless the query selects them (SOL005 9.4.2.3.2: exclude_default)."""
OPTIONAL = {*HEAVY, "vnfdId", "vnfProvider", "vnfProductName", "vnfSoftwareVersion", "vnfdVersion", "vnfmInfo"}


class ChecksumSerializer(serializers.Serializer[Any]):
    algorithm = serializers.CharField()
    hash = serializers.CharField()


class SoftwareImageInfoSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    provider = serializers.CharField()
    version = serializers.CharField()
    checksum = ChecksumSerializer()
    isEncrypted = serializers.BooleanField()
    containerFormat = serializers.CharField()
    diskFormat = serializers.CharField()
    createdAt = serializers.DateTimeField()
    minDisk = serializers.IntegerField(help_text="Bytes.")
    minRam = serializers.IntegerField(help_text="Bytes.")
    size = serializers.IntegerField(help_text="Bytes.")
    imagePath = serializers.CharField()
    userMetadata = serializers.DictField(child=serializers.CharField())


class ArtifactInfoSerializer(serializers.Serializer[Any]):
    artifactPath = serializers.CharField()
    checksum = ChecksumSerializer()
    isEncrypted = serializers.BooleanField()


class SignatureSerializer(serializers.Serializer[Any]):
    """Not ETSI's: the result of the signature check."""

    state = serializers.ChoiceField(choices=["UNSIGNED", "VALID", "UNKNOWN_SIGNER"])
    reason = serializers.CharField(help_text="Why it is not VALID, as a sentence; empty when it is, or there is none.")
    subject = serializers.CharField(required=False, help_text="Of the signer's certificate (RFC 4514).")
    issuer = serializers.CharField(required=False)
    serialNumber = serializers.CharField(required=False, help_text="Hexadecimal.")
    notAfter = serializers.DateTimeField(required=False)


class PackageLinksSerializer(serializers.Serializer[Any]):
    self = LinkSerializer()
    vnfd = LinkSerializer()
    packageContent = LinkSerializer()


class VnfPkgInfoSerializer(serializers.Serializer[Any]):
    """VnfPkgInfo (SOL005 9.5.2.5)."""

    id = serializers.UUIDField()
    vnfdId = serializers.UUIDField(required=False)
    vnfProvider = serializers.CharField(required=False)
    vnfProductName = serializers.CharField(required=False)
    vnfSoftwareVersion = serializers.CharField(required=False)
    vnfdVersion = serializers.CharField(required=False)
    vnfmInfo = serializers.ListField(child=serializers.CharField(), required=False)
    checksum = ChecksumSerializer(required=False)
    softwareImages = SoftwareImageInfoSerializer(many=True, required=False)
    additionalArtifacts = ArtifactInfoSerializer(many=True, required=False)
    onboardingState = serializers.ChoiceField(choices=VnfPackage.OnboardingState.choices)
    operationalState = serializers.ChoiceField(choices=VnfPackage.OperationalState.choices)
    usageState = serializers.ChoiceField(choices=["IN_USE", "NOT_IN_USE"])
    userDefinedData = serializers.DictField(required=False)
    onboardingFailureDetails = serializers.DictField(required=False)
    packageSecurityOption = serializers.ChoiceField(choices=["OPTION_1", "OPTION_2"], required=False)
    signingCertificate = serializers.CharField(required=False, help_text="PEM.")
    signature = SignatureSerializer(required=False)
    _links = PackageLinksSerializer()


def package_view(package: VnfPackage, request: Request, chosen: Selection = EVERYTHING) -> dict[str, Any]:
    """The package as VnfPkgInfo."""
    major = "v2" if request.path.startswith("/vnfpkgm/v2/") else "v1"
    here = request.build_absolute_uri(f"/vnfpkgm/{major}/vnf_packages/{package.id}")
    view = {
        "id": str(package.id),
        **(_content_view(package) if package.onboarding_state == ONBOARDED else {}),
        "onboardingState": _state(package, major),
        "operationalState": package.operational_state,
        "usageState": "IN_USE" if getattr(package, "uses", 0) else "NOT_IN_USE",
        "userDefinedData": package.user_defined_data,
        "_links": {
            "self": {"href": here},
            "vnfd": {"href": f"{here}/vnfd"},
            "packageContent": {"href": f"{here}/package_content"},
        },
    }
    if package.onboarding_failure is not None:
        view["onboardingFailureDetails"] = package.onboarding_failure
    return {name: value for name, value in view.items() if name not in OPTIONAL or chosen.wants(name)}


def _state(package: VnfPackage, major: str) -> str:
    """ERROR came with SOL005 3.3.1: to clients of v1 a package whose content was refused is CREATED, as it was before
    that; `onboardingFailureDetails`, which they do not know, says why.
    """
    state = package.onboarding_state
    return VnfPackage.OnboardingState.CREATED if major == "v1" and state == VnfPackage.OnboardingState.ERROR else state


def _content_view(package: VnfPackage) -> dict[str, Any]:
    vnfd = vnfd_of(package)
    images = {image.path for image in vnfd.software_images}
    return {
        "vnfdId": str(vnfd.vnfd_id),
        "vnfProvider": vnfd.provider,
        "vnfProductName": vnfd.product_name,
        "vnfSoftwareVersion": vnfd.software_version,
        "vnfdVersion": vnfd.vnfd_version,
        "vnfmInfo": ["vnfm"],
        **_signature_view(package.signature),
        "checksum": _checksum(package.checksum_sha256),
        "softwareImages": [
            {
                "id": image.id,
                "name": image.name,
                "provider": vnfd.provider,
                "version": vnfd.software_version,
                "checksum": _checksum(image.sha256),
                "isEncrypted": False,
                "containerFormat": image.container_format.upper(),
                "diskFormat": image.disk_format.upper(),
                "createdAt": package.created_at.isoformat(),
                "minDisk": image.min_disk_gib * 1024**3,
                "minRam": image.min_memory_mib * 1024**2,
                "size": image.size,
                "imagePath": image.path,
                "userMetadata": {"placeholder": str(image.placeholder).lower()},
            }
            for image in vnfd.software_images
        ],
        "additionalArtifacts": [
            {"artifactPath": file.path, "checksum": _checksum(file.sha256), "isEncrypted": False}
            for file in sorted(package.files.all(), key=lambda file: file.path)
            if file.path not in images and file.path not in (VNFD, manifest.NAME)
        ],
    }


def _signature_view(stored: Mapping[str, Any]) -> dict[str, Any]:
    signature = {key: value for key, value in stored.items() if key not in ("option", "certificate")}
    return {
        "signature": signature,
        **({"packageSecurityOption": stored["option"]} if stored.get("option") else {}),
        **({"signingCertificate": stored["certificate"]} if "certificate" in stored else {}),
    }


def _checksum(digest: str) -> dict[str, str]:
    return {"algorithm": "SHA-256", "hash": digest}
