from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vims", "0001_initial")]

    operations = [
        migrations.AddField(model_name="vim", name="features", field=models.JSONField(default=dict)),
    ]
