from django.db import migrations, models

FORGET = """
DELETE FROM elements_adjacency AS adjacency WHERE state = 'LOST'
AND NOT EXISTS (SELECT FROM elements_networkelement WHERE sys_name = adjacency.remote_name AND sys_name <> '')
AND NOT EXISTS (
    SELECT FROM elements_interface, jsonb_array_elements_text(addresses) AS address
    WHERE split_part(address, '/', 1) = adjacency.remote_address
)
"""
"""Lost neighbours that are no element: operations may have removed them, and until now their loss raised no alarm."""


class Migration(migrations.Migration):
    dependencies = [("elements", "0002_mediation_policy_networks")]

    operations = [
        migrations.AddField(
            model_name="adjacency", name="loss_expected", field=models.BooleanField(default=False, db_default=False)
        ),
        migrations.RunSQL(FORGET, migrations.RunSQL.noop),
    ]
