"""A registered cloud as the target of templates."""

from vnfm.catalog.domain.hot.language import CURRENT, release_of
from vnfm.catalog.domain.hot.templates import OLDEST, Target
from vnfm.vims.models import Vim
from vnfm.vims.selectors import vim_features


def heat_target(vim: Vim | None) -> Target:
    """What the last probe found; OLDEST without a cloud, and before its first probe."""
    if vim is None or not is_known(vim):
        return OLDEST
    found = vim_features(vim)
    return Target(
        f"cloud {vim.name}",
        release_of(vim.versions.get("hot", "")) or CURRENT,
        chosen=True,
        functions=found["hot_functions"] or {},
        types=frozenset(found["resource_types"] or ()),
        extensions=frozenset(found["network_extensions"] or ()),
    )


def is_known(vim: Vim) -> bool:
    """Whether a probe has found out what templates its Heat takes."""
    return bool(vim.versions.get("hot"))
