from django.db import models


class AppliedMigration(models.Model):
    """A migration of the product that made a part of this schema, with the digest of its file."""

    name = models.CharField(primary_key=True, max_length=255)
    """It is `app.name`; Alembic's is `telemetry.revision`."""
    sha256 = models.CharField(max_length=64)
    version = models.CharField(max_length=40)
    """Release that recorded it."""
    recorded_at = models.DateTimeField(auto_now_add=True)


class Restoration(models.Model):
    """The database was restored from a backup; until an administrator releases it, nothing acts by itself."""

    taken_at = models.DateTimeField()
    """The records are those of the real past until then."""
    restored_at = models.DateTimeField()
    source = models.CharField(max_length=255)
    """Name of the backup file, or words about another source."""
    released_at = models.DateTimeField(null=True)
    released_by = models.CharField(max_length=150, blank=True)
