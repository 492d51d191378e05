from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_apitoken_parent")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_client",
            field=models.BooleanField(db_default=False),
        ),
        migrations.AddField(
            model_name="user",
            name="secret_digest",
            field=models.BinaryField(max_length=32, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="certificate_digest",
            field=models.BinaryField(max_length=32, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="scope",
            field=models.CharField(
                blank=True,
                choices=[("viewer", "Viewer"), ("operator", "Operator"), ("admin", "Administrator")],
                db_default="",
                max_length=20,
            ),
        ),
    ]
