import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("notifications", "0004_pm_interfaces"),
    ]

    operations = [
        migrations.CreateModel(
            name="PmJob",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("edition", models.CharField(choices=[("v1", "V1"), ("v2", "V2")], max_length=2)),
                ("object_type", models.CharField(blank=True, max_length=30)),
                ("sub_object_ids", models.JSONField(null=True)),
                ("version", models.BigIntegerField(default=1)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("created_by", models.CharField(max_length=150)),
                ("collected_until", models.DateTimeField()),
                ("object_ids", models.JSONField()),
                ("metrics", models.JSONField(default=list)),
                ("groups", models.JSONField(default=list)),
                ("collection_seconds", models.PositiveIntegerField()),
                ("reporting_seconds", models.PositiveIntegerField()),
                ("reporting_boundary", models.DateTimeField(null=True)),
                ("reported_until", models.DateTimeField()),
                ("report_at", models.DateTimeField(null=True)),
                (
                    "subscription",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)s",
                        to="notifications.subscription",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PmReport",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("ready_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("entries", models.JSONField()),
                ("gaps", models.JSONField(default=list)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="pm.pmjob"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PmThreshold",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("edition", models.CharField(choices=[("v1", "V1"), ("v2", "V2")], max_length=2)),
                ("object_type", models.CharField(blank=True, max_length=30)),
                ("sub_object_ids", models.JSONField(null=True)),
                ("version", models.BigIntegerField(default=1)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("created_by", models.CharField(max_length=150)),
                ("collected_until", models.DateTimeField()),
                ("object_id", models.UUIDField()),
                ("metric", models.CharField(max_length=255)),
                ("value", models.FloatField()),
                ("hysteresis", models.FloatField()),
                ("sides", models.JSONField(default=dict)),
                (
                    "subscription",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)s",
                        to="notifications.subscription",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="pmjob",
            index=models.Index(fields=["created_at", "id"], name="pm_job_by_creation"),
        ),
        migrations.AddIndex(
            model_name="pmjob",
            index=models.Index(fields=["report_at"], name="pm_job_due"),
        ),
        migrations.AddIndex(
            model_name="pmreport",
            index=models.Index(fields=["job", "ready_at"], name="pm_report_by_time"),
        ),
        migrations.AddIndex(
            model_name="pmreport",
            index=models.Index(fields=["expires_at"], name="pm_report_expiry"),
        ),
        migrations.AddIndex(
            model_name="pmthreshold",
            index=models.Index(fields=["created_at", "id"], name="pm_threshold_by_creation"),
        ),
    ]
