"""The outbox wakes the relay by itself: a statement less for each event, which is a twelfth of an operation's."""

from django.db import migrations

CREATE = """
CREATE FUNCTION kit_outbox_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('vnfm_outbox', '');
    RETURN NULL;
END $$;
CREATE TRIGGER outbox_notify AFTER INSERT ON kit_outboxevent
    FOR EACH STATEMENT EXECUTE FUNCTION kit_outbox_notify();
"""
DROP = "DROP TRIGGER outbox_notify ON kit_outboxevent; DROP FUNCTION kit_outbox_notify();"


class Migration(migrations.Migration):
    dependencies = [
        ("kit", "0002_process_heartbeat"),
    ]

    operations = [
        migrations.RunSQL(CREATE, DROP),
    ]
