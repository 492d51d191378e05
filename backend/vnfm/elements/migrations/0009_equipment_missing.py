"""A state of its own for parts that are gone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0008_trap_refusals")]

    operations = [
        migrations.AlterField(
            model_name="equipment",
            name="oper_state",
            field=models.CharField(
                choices=[
                    ("IN_SERVICE", "In Service"),
                    ("OUT_OF_SERVICE", "Out Of Service"),
                    ("FAILED", "Failed"),
                    ("BOOTING", "Booting"),
                    ("EMPTY", "Empty"),
                    ("PROVISIONED", "Provisioned"),
                    ("DIAGNOSING", "Diagnosing"),
                    ("MISSING", "Missing"),
                    ("UNKNOWN", "Unknown"),
                ],
                max_length=14,
            ),
        ),
    ]
