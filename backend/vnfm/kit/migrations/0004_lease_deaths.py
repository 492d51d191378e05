from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kit", "0003_heartbeat_clock"),
    ]

    operations = [
        migrations.AddField(
            model_name="lease",
            name="deaths",
            field=models.PositiveIntegerField(db_default=0),
        ),
    ]
