from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vims", "0004_vim_late")]

    operations = [
        migrations.AddField(
            "vim",
            "scoped_project_domain_name",
            models.CharField(blank=True, db_default="", default="", max_length=100),
        )
    ]
