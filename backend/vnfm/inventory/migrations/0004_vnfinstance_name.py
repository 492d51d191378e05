from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0003_vnfinstance_management_declined")]

    operations = [
        migrations.AlterField(
            model_name="vnfinstance",
            name="name",
            field=models.CharField(max_length=100),
        ),
    ]
