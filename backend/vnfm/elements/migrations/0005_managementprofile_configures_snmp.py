from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0004_networkelement_host_set_by_user")]

    operations = [
        migrations.AddField(
            model_name="managementprofile", name="configures_snmp", field=models.BooleanField(null=True)
        ),
    ]
