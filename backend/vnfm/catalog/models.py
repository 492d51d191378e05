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
    """In ERROR: why the content was refused, as a problem; the package then has no VNFD."""
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
    """Warnings and notes of the validation; see `catalog.domain.findings`."""
    signature = models.JSONField(default=dict)
    """Whether and by whom the uploaded content was signed; see `catalog.domain.csar.signature`."""

    zip_is_csar = models.BooleanField(default=False)
    """The uploaded zip is a CSAR that contains the whole package: no descriptor was sent with it."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["vnfd_id"], name="vnfd_once", violation_error_message="VNFD already onboarded"
            ),
        )


class PackageFile(models.Model):
    """One file of a package; its bytes are in the artifact store under their SHA-256."""

    id = models.BigAutoField(primary_key=True)
    package = models.ForeignKey(VnfPackage, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["package", "path"], name="package_file_once"),)


class PackageOnboarding(models.Model):
    """The onboarding of a package that is UPLOADING or PROCESSING; the row is deleted at its end (ADR-0017).

    It holds everything that another worker needs to continue after a crash; `id` names its folder in the store.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    package = models.OneToOneField(VnfPackage, on_delete=models.CASCADE, related_name="onboarding")
    sealed_source = models.BinaryField(null=True)
    """URL and login to fetch the content from; null for an upload, and once the content is received."""
    vnfd = models.BinaryField(null=True)
    """A descriptor that was sent with the content."""
    root = models.CharField(max_length=300, blank=True, default="")
    """The root template that the user chose; "" for the one that is found."""
    fetch = models.JSONField(default=list)
    """URLs of files that the user allowed to be fetched, as templates name them."""
    sha256 = models.CharField(max_length=64, blank=True)
    """Digest of the zip, known once all of it is in the folder."""
    size = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    """Workers have begun the work of the present state, fetching or validating, this number of times."""
