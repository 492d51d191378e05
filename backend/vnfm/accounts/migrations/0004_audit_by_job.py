import django.db.models.fields.json
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0003_api_clients")]

    operations = [
        AddIndexConcurrently(
            model_name="auditentry",
            index=models.Index(
                django.db.models.fields.json.KeyTransform("job", "detail"),
                condition=models.Q(("action__startswith", "configuration ")),
                name="audit_by_job",
            ),
        ),
    ]
