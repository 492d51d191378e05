from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0010_partial_polls")]

    operations = [
        migrations.AddField(
            model_name="networkelement",
            name="login_warning",
            field=models.CharField(blank=True, db_default="", max_length=200),
        ),
    ]
