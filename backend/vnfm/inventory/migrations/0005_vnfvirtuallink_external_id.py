from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0004_vnfinstance_name")]

    operations = [
        migrations.AddField(
            model_name="vnfvirtuallink",
            name="external_id",
            field=models.CharField(blank=True, db_default="", max_length=255),
        ),
    ]
