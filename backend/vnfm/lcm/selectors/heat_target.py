"""A registered cloud as the target of templates."""

from hot.language import CURRENT, release_of
from vnfm.catalog.domain.hot.templates import OLDEST, HeatTarget
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import vim_features

_WORDS = {
    "hot_functions": "its versions of HOT",
    "resource_types": "its resource types",
    "network_extensions": "Neutron's extensions",
}


def heat_target(vim: VimRecord | None) -> HeatTarget:
    """Return Heat's features by the last probe; OLDEST without a cloud, and where nothing of it is known.

    A cloud whose release of Heat is not known counts as CURRENT: nothing is too new for it, and its lists decide.
    """
    if vim is None:
        return OLDEST
    release, found = release_of(vim.versions.get("hot", "")), vim_features(vim)
    if not release and not any(found[name] for name in _WORDS):
        return OLDEST
    return HeatTarget(
        f"cloud {vim.name}",
        release or CURRENT,
        chosen=True,
        functions=found["hot_functions"] or {},
        types=frozenset(found["resource_types"] or ()),
        extensions=frozenset(found["network_extensions"] or ()),
        may_share=vim.capabilities.get("network_share"),
        networks=tuple(
            one["name"] for one in vim.resources.get("networks", ()) if one["shared"] or not one["external"]
        ),
    )


def unknown_features(vim: VimRecord) -> list[str]:
    """Return the features that no probe has found out, in words."""
    found = vim_features(vim)
    return [words for name, words in _WORDS.items() if found[name] is None]
