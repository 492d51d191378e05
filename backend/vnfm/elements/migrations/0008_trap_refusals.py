from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0007_bgp_families")]

    operations = [
        migrations.AddField(
            model_name="trapreceiver",
            name="refusals",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
