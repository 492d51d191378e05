from itertools import count

from tests.factories.catalog import make_package
from vnfm.inventory.models import VnfInstance

_numbers = count(1)


def make_instance(**fields: object) -> VnfInstance:
    """An identifier that was created and not instantiated."""
    if "package" not in fields:
        fields["package"] = make_package()
    return VnfInstance.objects.create(**{"name": f"vnf-{next(_numbers)}", **fields})
