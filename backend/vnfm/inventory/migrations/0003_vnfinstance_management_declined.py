from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0002_vnfinstance_management_subnet")]

    operations = [
        migrations.AddField(
            model_name="vnfinstance",
            name="management_declined",
            field=models.BooleanField(default=False),
        ),
    ]
