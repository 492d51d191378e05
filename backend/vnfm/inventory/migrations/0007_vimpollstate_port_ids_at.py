from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0006_vim_connection_id")]

    operations = [migrations.AddField("vimpollstate", "port_ids_at", models.DateTimeField(null=True))]
