"""A registered cloud as the target of templates."""

from vnfm.catalog.domain.hot.language import release_of
from vnfm.catalog.domain.hot.templates import OLDEST, Target
from vnfm.vims.models import Vim
from vnfm.vims.selectors import vim_features

_WORDS = {
    "hot_functions": "its versions of HOT",
    "resource_types": "its resource types",
    "network_extensions": "Neutron's extensions",
}


def heat_target(vim: Vim | None) -> Target:
    """What the last probe found; OLDEST without a cloud, and where not even the release of its Heat is known."""
    release = release_of(vim.versions.get("hot", "")) if vim else 0
    if vim is None or not release:
        return OLDEST
    found = vim_features(vim)
    return Target(
        f"cloud {vim.name}",
        release,
        chosen=True,
        functions=found["hot_functions"] or {},
        types=frozenset(found["resource_types"] or ()),
        extensions=frozenset(found["network_extensions"] or ()),
    )


def unknown_features(vim: Vim) -> list[str]:
    """What no probe has found out, in words."""
    found = vim_features(vim)
    return [words for name, words in _WORDS.items() if found[name] is None]
