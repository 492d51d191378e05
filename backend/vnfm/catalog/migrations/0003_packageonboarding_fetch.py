from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0002_packageonboarding_root")]

    operations = [
        migrations.AddField(model_name="packageonboarding", name="fetch", field=models.JSONField(default=list)),
    ]
