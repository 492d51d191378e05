from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("lcm", "0002_vnf_snapshots"),)
    operations = (
        migrations.AddField(
            "lcmopocc",
            "vim_connection_id",
            models.CharField(blank=True, db_default="", default="", max_length=255),
        ),
    )
