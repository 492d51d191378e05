from django.db import migrations

from vnfm.search.selectors.addresses import LEXEMES


def index(name: str, table: str, column: str) -> migrations.RunSQL:
    lexemes = LEXEMES.format(column=column)
    return migrations.RunSQL(f"CREATE INDEX {name} ON {table} USING gin ({lexemes})", f"DROP INDEX {name}")


class Migration(migrations.Migration):
    initial = True
    dependencies = [("inventory", "0001_initial"), ("elements", "0001_initial")]
    operations = [
        index("port_by_address", "inventory_vnfcport", "ip_addresses"),
        index("interface_by_address", "elements_interface", "addresses"),
    ]
