import uuid

from django.db import models
from django.db.models.functions import Now


class VnfPackage(models.Model):
    """An onboarded VNF package (SOL005 9.5.2.5 VnfPkgInfo). Content is immutable once onboarded."""

    class OnboardingState(models.TextChoices):
        CREATED = "CREATED"
        UPLOADING = "UPLOADING"
        PROCESSING = "PROCESSING"
        ONBOARDED = "ONBOARDED"
        ERROR = "ERROR"

    class OperationalState(models.TextChoices):
        ENABLED = "ENABLED"
        DISABLED = "DISABLED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    onboarding_state = models.CharField(max_length=12, choices=OnboardingState.choices, default=OnboardingState.CREATED)
    operational_state = models.CharField(
        max_length=10, choices=OperationalState.choices, default=OperationalState.DISABLED
    )
    user_defined_data = models.JSONField(default=dict)
    onboarding_failure = models.JSONField(null=True)
    """The problem that kept the content out; the package then has no VNFD."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    vnfd_id = models.UUIDField(null=True)
    provider = models.CharField(max_length=100, blank=True)
    product_name = models.CharField(max_length=100, blank=True)
    software_version = models.CharField(max_length=100, blank=True)
    vnfd_version = models.CharField(max_length=100, blank=True)
    checksum_sha256 = models.CharField(max_length=64, blank=True)
    vnfd = models.JSONField(null=True)
    """The validated descriptor, as in vnfd.yaml; read through `catalog.domain.vnfd`."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["vnfd_id"], name="vnfd_once", violation_error_message="VNFD already onboarded"
            ),
        )


class PackageFile(models.Model):
    """One file of a package; its bytes lie in the artifact store under their SHA-256."""

    id = models.BigAutoField(primary_key=True)
    package = models.ForeignKey(VnfPackage, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["package", "path"], name="package_file_once"),)
