from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vims", "0003_vim_credentials")]

    operations = [
        migrations.AddField(
            "vim", "late", models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict)
        ),
        migrations.AddField("vim", "paused_until", models.DateTimeField(null=True)),
    ]
