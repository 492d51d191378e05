import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Now

from vnfm.accounts.roles import Role


class User(AbstractBaseUser):
    """A person, who logs in with a password; or an API client (`is_client`), with a secret or a certificate."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=150, unique=True)
    full_name = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.VIEWER)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now())
    version = models.BigIntegerField(default=1)
    is_client = models.BooleanField(db_default=False)
    secret_digest = models.BinaryField(max_length=32, null=True)
    """SHA-256 of a client's secret."""
    certificate_digest = models.BinaryField(max_length=32, null=True, unique=True)
    """SHA-256 of a client's TLS certificate (DER): its fingerprint."""

    ceiling: Role | None = None
    """The highest role that the token of one request grants; None: the user's own."""

    objects = BaseUserManager["User"]()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.username

    @property
    def roles(self) -> list[Role]:
        """The user's role and all below it, up to `ceiling`."""
        allowed = Role(self.ceiling or self.role).includes
        return [role for role in Role(self.role).includes if role in allowed]


class ApiToken(models.Model):
    """A bearer token of a user or a machine; only its SHA-256 is stored, so a stolen database opens nothing."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="children")
    """The token that made this one: it ends with it."""
    scope = models.CharField(max_length=20, choices=Role.choices, blank=True, db_default="")
    """The highest role that a token by OAuth 2.0 grants (RFC 6749 3.3); "": all that its user has."""


class AuditEntry(models.Model):
    """A request of a user, and how it ended. Never holds request bodies: they carry passwords and keys.

    Names are copied, not referenced: an entry outlives its user and its object.
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField(db_default=Now())
    actor = models.CharField(max_length=150, blank=True)
    """A user's name; for a refused login with an unknown name a hash of that: it may be a password."""
    action = models.CharField(max_length=100)
    object = models.CharField(max_length=500, blank=True)
    address = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = (
            models.Index(fields=["actor", "action", "-at"], name="audit_by_actor"),
            models.Index(fields=["-at", "-id"], name="audit_by_time"),
            models.Index(
                KeyTransform("job", "detail"),
                name="audit_by_job",
                condition=models.Q(action__startswith="configuration "),
            ),
        )
