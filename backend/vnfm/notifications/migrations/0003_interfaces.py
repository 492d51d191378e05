from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0002_alarm_route")]

    operations = [
        migrations.AlterField(
            model_name="subscription",
            name="interface",
            field=models.CharField(
                choices=[
                    ("vnffm", "Vnffm"),
                    ("vnflcm", "Vnflcm"),
                    ("vnflcm_v1", "Vnflcm V1"),
                    ("vnfpkgm", "Vnfpkgm"),
                    ("alarm_route", "Alarm Route"),
                ],
                max_length=20,
            ),
        ),
    ]
