from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("performance", "0002_threshold_rules")]

    operations = [
        migrations.AddField("thresholdrule", "unvalued", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField("thresholdrule", "unvalued_since", models.DateTimeField(null=True)),
    ]
