import uuid

from django.db import models
from django.db.models.functions import Now


class Vim(models.Model):
    """An OpenStack region and project that we may use. The password is sealed; see `kit.seal`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    description = models.CharField(max_length=500, blank=True)
    vim_type = models.CharField(max_length=100, default="ETSINFV.OPENSTACK_KEYSTONE.V_3")
    auth_url = models.CharField(max_length=500)
    region = models.CharField(max_length=100, blank=True)
    interface = models.CharField(max_length=10, default="public")
    user_domain_name = models.CharField(max_length=100, default="Default")
    project_domain_name = models.CharField(max_length=100, default="Default")
    project_name = models.CharField(max_length=100)
    project_id = models.CharField(max_length=64, default="", db_default="", blank=True)
    """Scopes instead of name and domain, where it is not empty."""
    username = models.CharField(max_length=100)
    application_credential_id = models.CharField(max_length=64, default="", db_default="", blank=True)
    application_credential_name = models.CharField(max_length=255, default="", db_default="", blank=True)
    sealed_credentials = models.BinaryField()
    cacert = models.TextField(blank=True)
    insecure = models.BooleanField(default=False)
    endpoint_overrides = models.JSONField(default=dict, blank=True)
    scheduler_filters = models.JSONField(null=True)
    """Nova's enabled scheduler filters as its administrator entered them (no API lists them); null: not known."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    scoped_project_id = models.CharField(max_length=64, default="", db_default="", blank=True)
    """The id of the project that the last probe's token was scoped to; "" before the first probe."""
    scoped_project_name = models.CharField(max_length=100, default="", db_default="", blank=True)
    scoped_project_domain_name = models.CharField(max_length=100, default="", db_default="", blank=True)
    probed_at = models.DateTimeField(null=True)
    versions = models.JSONField(default=dict)
    capabilities = models.JSONField(default=dict)
    features = models.JSONField(default=dict)
    """Abilities for templates, as `clouds.types.Features`; empty before the first probe."""
    capabilities_since = models.JSONField(default=dict)
    """Capability or feature → ISO 8601 time (UTC) of the probe that first found its present value."""
    quotas = models.JSONField(default=dict)
    resources = models.JSONField(default=dict)
    """Flavors, images and networks found by the last probe, for the operator to pick from; see `domain.findings`."""

    late = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    """Requests whose last answer was late or did not come, see `domain.pace`: written by watch, probe and plans."""
    paused_until = models.DateTimeField(null=True)
    """Until when watch, probe and plans send it no large request; null: no pause."""

    reachable = models.CharField(max_length=7, default="Unknown")
    reachable_reason = models.CharField(max_length=60, default="NotProbed")
    reachable_message = models.TextField(default="No probe has run yet.")
    reachable_since = models.DateTimeField(db_default=Now())
    reachable_observed_at = models.DateTimeField(null=True)


class VimArtefact(models.Model):
    """An image or flavor that we put into a cloud, shared by all instances there.

    The unique row serialises its creation: one operation makes it, the others wait until `ready_at`.
    """

    class Kind(models.TextChoices):
        IMAGE = "image"
        FLAVOR = "flavor"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    vim = models.ForeignKey(Vim, on_delete=models.CASCADE, related_name="artefacts")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    key = models.CharField(max_length=255)
    """Its name in the cloud, which holds a digest of its content: equal keys are equal artefacts."""
    maker_id = models.UUIDField()
    """The operation that makes or made it; or the unclaimed resource by which it is being removed."""
    resource_id = models.CharField(max_length=64, blank=True)
    """Id in the cloud once its content was verified; "" before."""
    made_id = models.CharField(max_length=64, blank=True)
    """Id in the cloud if we made it; "" when it was there before."""
    created_at = models.DateTimeField(db_default=Now())
    ready_at = models.DateTimeField(null=True)
    going = models.BooleanField(default=False)
    """`maker_id` removes it from the cloud: until that is done no operation may use it or make it again."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vim", "kind", "key"], name="vim_artefact_once"),)
