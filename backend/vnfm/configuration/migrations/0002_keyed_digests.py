from django.db import migrations
from django.utils.crypto import salted_hmac


def key_digests(apps, schema_editor):
    """A plain digest lets a reader of the masked text guess the secrets in it."""
    contents = apps.get_model("configuration", "ConfigurationContent").objects
    for content in contents.only("digest").iterator():
        content.digest = salted_hmac("vnfm.configuration.content", content.digest, algorithm="sha256").hexdigest()
        content.save(update_fields=["digest"])


class Migration(migrations.Migration):
    dependencies = [("configuration", "0001_initial")]

    operations = [migrations.RunPython(key_digests, migrations.RunPython.noop)]
