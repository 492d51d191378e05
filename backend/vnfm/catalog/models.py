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
    """In ERROR: the problem that kept the content out; the package has no VNFD then."""
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
    findings = models.JSONField(default=list)
    """What the validation of its templates found and did not refuse; see `catalog.domain.findings`."""
    signature = models.JSONField(default=dict)
    """Whether and by whom its content was signed when it came; see `catalog.domain.csar.signature`."""

    zip_is_csar = models.BooleanField(default=False)
    """Whether the zip that came is a CSAR with all of the package in it: no descriptor was sent beside it."""

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


class PackageIntake(models.Model):
    """Content on its way into a package that is UPLOADING or PROCESSING; gone when that is over (ADR-0017).

    It holds all that a worker needs to go on when the process died that had it; `id` names its folder in the store.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    package = models.OneToOneField(VnfPackage, on_delete=models.CASCADE, related_name="intake")
    sealed_source = models.BinaryField(null=True)
    """Where it is to be fetched from, and with what login; null when it is sent to us, and as soon as it is here."""
    vnfd = models.BinaryField(null=True)
    """A descriptor that was sent beside it."""
    sha256 = models.CharField(max_length=64, blank=True)
    """Of the zip, once it lies in the folder whole."""
    size = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    """How often a worker has begun what is now to be done, fetching or checking."""
