from itertools import count

from vnfm.kit.seal import seal
from vnfm.vims.models import Vim

_numbers = count(1)


def make_vim(**fields: object) -> Vim:
    """A registered VIM that was not probed and cannot be reached."""
    defaults = {
        "name": f"vim-{next(_numbers)}",
        "auth_url": "http://127.0.0.1:1/v3",
        "project_name": "vnf",
        "username": "vnf",
        "sealed_credentials": seal({"password": "secret"}),
    }
    return Vim.objects.create(**defaults | fields)
