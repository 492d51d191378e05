from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0006_bfd_sessions")]

    operations = [
        migrations.AddField(
            model_name="bgppeer",
            name="flaps",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="bgppeer",
            name="last_error",
            field=models.CharField(blank=True, db_default="", default="", max_length=255),
        ),
        migrations.AddField(
            model_name="bgppeer",
            name="families",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
