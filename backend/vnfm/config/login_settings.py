"""Settings about logins: which ways are accepted, passwords, tokens. Part of `settings`."""

import os

from django.core.exceptions import ImproperlyConfigured

from vnfm.accounts.domain.logins import Login

_logins = [word.strip() for word in os.environ.get("VNFM_API_LOGINS", ",".join(Login)).split(",") if word.strip()]
if not _logins or not {*_logins} <= {*Login}:
    raise ImproperlyConfigured(f"VNFM_API_LOGINS must name some of {', '.join(Login)}.")
API_LOGINS = frozenset(map(Login, _logins))
"""Ways to log in that are accepted."""
TOKEN_MAX_DAYS = int(os.environ.get("VNFM_TOKEN_MAX_DAYS", "90"))
"""The longest time that an API token is valid."""
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "vnfm.config.passwords.NotRepeatedValidator"},
    {"NAME": "vnfm.config.passwords.NotOwnNameValidator"},
]
