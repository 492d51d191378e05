from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0003_adjacency_loss_expected")]

    operations = [
        migrations.AddField(
            model_name="networkelement",
            name="host_set_by_user",
            field=models.BooleanField(default=False, db_default=False),
        ),
    ]
