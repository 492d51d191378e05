from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="vnfinstance",
            name="management_subnet",
            field=models.CharField(blank=True, default="", max_length=18),
            preserve_default=False,
        ),
    ]
