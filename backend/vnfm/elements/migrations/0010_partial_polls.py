import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("elements", "0009_equipment_missing")]

    operations = [
        migrations.AddField(
            model_name="networkelement",
            name="omission_count",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="networkelement",
            name="stale_parts",
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.CreateModel(
            name="ElementOmission",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("table", models.CharField(blank=True, max_length=100)),
                ("index", models.CharField(blank=True, max_length=500)),
                ("reason", models.CharField(max_length=500)),
                ("unread", models.BooleanField()),
                ("since", models.DateTimeField()),
                (
                    "element",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="omissions",
                        to="elements.networkelement",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LastRows",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("column", models.CharField(max_length=255)),
                ("digest", models.BinaryField()),
                ("rows", models.BinaryField()),
                (
                    "element",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="last_rows",
                        to="elements.networkelement",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("element", "column"), name="last_rows_once")],
            },
        ),
    ]
