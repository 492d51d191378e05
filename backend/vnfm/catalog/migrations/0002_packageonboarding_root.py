from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="packageonboarding",
            name="root",
            field=models.CharField(blank=True, default="", max_length=300),
        ),
    ]
