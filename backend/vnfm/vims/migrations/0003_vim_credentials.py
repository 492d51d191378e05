from django.db import migrations, models

SIZES = {
    "project_id": 64,
    "application_credential_id": 64,
    "application_credential_name": 255,
    "scoped_project_id": 64,
    "scoped_project_name": 100,
}


class Migration(migrations.Migration):
    dependencies = [("vims", "0002_vim_features")]

    operations = [
        migrations.AddField("vim", name, models.CharField(blank=True, db_default="", default="", max_length=size))
        for name, size in SIZES.items()
    ]
