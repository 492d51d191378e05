from django.db import migrations, models


class Migration(migrations.Migration):
    """Endpoints of subscriptions that exist were tested when they were created, as those of the release before are."""

    dependencies = (("notifications", "0006_vnfind"),)
    operations = (
        migrations.AddField("subscription", "never_answered", models.BooleanField(default=False, db_default=False)),
    )
