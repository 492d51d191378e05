from django.db import migrations


class Migration(migrations.Migration):
    """Indexes that serve the start page alone: alarms of a day are counted, and operations that ended last are found,
    without reading all of them."""

    initial = True
    dependencies = [("faults", "0001_initial"), ("lcm", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "CREATE INDEX alarm_unsuppressed_by_time ON faults_alarm (raised_at) INCLUDE (highest_severity) WHERE suppression = ''",
            "DROP INDEX alarm_unsuppressed_by_time",
        ),
        migrations.RunSQL(
            "CREATE INDEX operation_by_end ON lcm_lcmopocc (state_entered_time DESC, id)", "DROP INDEX operation_by_end"
        ),
    ]
