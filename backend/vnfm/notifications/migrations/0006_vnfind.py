from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0005_pkgm_v2")]

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
                    ("vnfpkgm_v2", "Vnfpkgm V2"),
                    ("vnfpm_v1", "Vnfpm V1"),
                    ("vnfpm_job", "Vnfpm Job"),
                    ("vnfpm_threshold", "Vnfpm Threshold"),
                    ("vnfind", "Vnfind"),
                    ("alarm_route", "Alarm Route"),
                ],
                max_length=20,
            ),
        ),
    ]
