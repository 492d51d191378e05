"""Serializers of plans, versions and jobs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework import serializers

from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan, ConfigurationVersion
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import ProblemDetails, StrictSerializer

LONGEST_TEXT = 1024 * 1024
MASKED = "Passwords, keys and communities are masked, unless an administrator sets secrets=true."
ADMIN_STATES = ("UP", "DOWN")
HOUR, YEAR = 3600, 366 * 86400


@dataclass(frozen=True, slots=True)
class ConfigurationVersionShape:
    """A version without its text: the rows of `version_list` have its attributes."""

    id: UUID
    number: int
    """Counts the element's versions from 1."""
    reason: ConfigurationVersion.Reason
    by: str
    taken_at: datetime
    confirmed_at: datetime
    """When it was last read unchanged."""
    lines: int
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class ConfigurationTextShape(ConfigurationVersionShape):
    """A version with its text."""

    text: str
    """Passwords, keys and communities are masked, unless an administrator sets secrets=true."""


@dataclass(frozen=True, slots=True)
class ConfigurationDiffShape:
    """The difference of two versions."""

    from_version_id: UUID
    to_version_id: UUID
    diff: str
    """Unified; empty when they are the same. Masked as the text of a version."""


class ConfigurationPlanShape(serializers.Serializer[ConfigurationPlan]):
    intervalSeconds = serializers.IntegerField(
        source="interval_seconds", allow_null=True, help_text="Between two scheduled backups; null: none."
    )
    onChange = serializers.BooleanField(source="on_change", help_text="Back up whenever the element reports a change.")
    keepVersions = serializers.IntegerField(source="keep_versions")
    nextBackupAt = serializers.DateTimeField(source="due_at", allow_null=True)
    latestVersion = answer(ConfigurationVersionShape)(allow_null=True)
    version = serializers.IntegerField(help_text="0: the default plan, without automatic backups.")


class ConfigurationPlanWrite(StrictSerializer):
    intervalSeconds = serializers.IntegerField(
        source="interval_seconds", allow_null=True, required=False, min_value=HOUR // 12, max_value=YEAR
    )
    onChange = serializers.BooleanField(source="on_change", required=False)
    keepVersions = serializers.IntegerField(source="keep_versions", required=False, min_value=1, max_value=10_000)


class ConfigurationJobShape(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    elementId = serializers.UUIDField(source="element_id")
    kind = serializers.ChoiceField(choices=ConfigurationJob.Kind.choices)
    state = serializers.ChoiceField(choices=ConfigurationJob.State.choices)
    dryRun = serializers.BooleanField(source="dry_run")
    reason = serializers.ChoiceField(choices=ConfigurationVersion.Reason.choices)
    by = serializers.CharField()
    targetVersionId = serializers.UUIDField(source="target_id", allow_null=True, help_text="Of a rollback.")
    fdn = serializers.CharField(help_text="Of the part whose admin state is set.")
    adminState = serializers.ChoiceField(source="admin_state", choices=[*ADMIN_STATES, ""])
    beforeVersionId = serializers.UUIDField(source="before_id", allow_null=True, help_text="What ran before.")
    versionId = serializers.UUIDField(source="after_id", allow_null=True, help_text="What ran afterwards.")
    changed = serializers.BooleanField(allow_null=True, help_text="Of a dry run: whether it would change anything.")
    takesBack = serializers.BooleanField(
        source="takes_back",
        allow_null=True,
        help_text="Of a dry run: whether the element reverts the change by itself when it cuts us off.",
    )
    problem = ProblemDetails(allow_null=True, help_text="Why it failed, or why it waits.")
    attempts = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    startedAt = serializers.DateTimeField(source="started_at", allow_null=True)
    endedAt = serializers.DateTimeField(source="ended_at", allow_null=True)
    version = serializers.IntegerField()


class ConfigurationJobDetail(ConfigurationJobShape):
    text = serializers.CharField(help_text=f"The pushed text. {MASKED}")
    diff = serializers.CharField(help_text=f"Unified diff of what has changed, or would by a dry run. {MASKED}")


class ConfigurationPushWrite(StrictSerializer):
    text = serializers.CharField(max_length=LONGEST_TEXT, trim_whitespace=False)
    dryRun = serializers.BooleanField(source="dry_run", default=False)


class ConfigurationRollbackWrite(StrictSerializer):
    versionId = serializers.UUIDField(source="version_id")
    dryRun = serializers.BooleanField(
        source="dry_run", default=False, help_text="Its diff is between what runs and the version."
    )


class AdminStateWrite(StrictSerializer):
    fdn = serializers.CharField(max_length=400)
    adminState = serializers.ChoiceField(source="admin_state", choices=ADMIN_STATES)
    dryRun = serializers.BooleanField(source="dry_run", default=False)
    evenIfManagementPathUnknown = serializers.BooleanField(
        source="even_if_path_unknown",
        default=False,
        help_text="Set it DOWN even if it is unknown whether the element is managed through it.",
    )
