import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """The first steps of users, and indexes that serve the start page alone: alarms of a day are counted, and operations that ended last are found,
    without reading all of them."""

    initial = True
    dependencies = [
        ("faults", "0001_initial"),
        ("lcm", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="FirstStepsProgress",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="first_steps",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("element_viewed_at", models.DateTimeField(null=True)),
                ("dismissed_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.RunSQL(
            "CREATE INDEX alarm_unsuppressed_by_time ON faults_alarm (raised_at) INCLUDE (highest_severity) WHERE suppression = ''",
            "DROP INDEX alarm_unsuppressed_by_time",
        ),
        migrations.RunSQL(
            "CREATE INDEX operation_by_end ON lcm_lcmopocc (state_entered_time DESC, id)", "DROP INDEX operation_by_end"
        ),
    ]
