from django.db import migrations, models

STATES = (
    *("DOWN", "ATTEMPT", "INIT", "TWO_WAY", "EXCHANGE_START", "EXCHANGE", "LOADING", "FULL"),
    *("UP", "ADMIN_DOWN", "LOST", "UNKNOWN"),
)


class Migration(migrations.Migration):
    dependencies = [("elements", "0005_managementprofile_configures_snmp")]

    operations = [
        migrations.AlterField(
            model_name="adjacency",
            name="protocol",
            field=models.CharField(choices=[("LLDP", "Lldp"), ("OSPF", "Ospf"), ("BFD", "Bfd")], max_length=4),
        ),
        migrations.AlterField(
            model_name="adjacency",
            name="state",
            field=models.CharField(
                choices=[(state, state.replace("_", " ").title()) for state in STATES], max_length=14
            ),
        ),
    ]
