from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("inventory", "0005_vnfvirtuallink_external_id"),)
    operations = (
        migrations.AddField(
            "vnfinstance",
            "vim_connection_id",
            models.CharField(blank=True, db_default="", default="", max_length=255),
        ),
    )
