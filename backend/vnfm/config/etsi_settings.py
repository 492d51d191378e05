"""The interfaces of ETSI that are served. Part of `settings`."""

ETSI_APIS = {
    "vnflcm": {"v1": ["1.3.0"], "v2": ["2.0.0", "2.3.0"]},
    "vnffm": {"v1": ["1.3.0", "1.5.0"]},
    "vnfpkgm": {"v1": ["1.2.0"], "v2": ["2.4.0"]},
    "vnfpm": {"v1": ["1.3.0"], "v2": ["2.2.0"]},
    "vnfind": {"v1": ["1.4.0"]},
}
"""Interfaces by name and major version, with the versions of each that we serve; see `kit.etsi.versions`.

vnflcm 1.3.0 is that of SOL003 2.6.1, 2.0.0 of 3.3.1, 2.3.0 of 3.7.1; vnfpm 1.3.0 that of 2.6.1, 2.2.0 of 3.7.1;
vnfpkgm 1.2.0 that of SOL005 2.6.1, 2.4.0 of 3.7.1: the shapes are those of 3.7.1 in both.
vnfind 1.4.0 is that of SOL003 3.7.1."""
