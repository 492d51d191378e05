from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0005_vnfvirtuallink_external_id")]

    operations = [migrations.AddField("vimpollstate", "port_ids_at", models.DateTimeField(null=True))]
