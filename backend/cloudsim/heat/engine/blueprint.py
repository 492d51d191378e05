"""The immutable source of a stack: template, environment and files, stored once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cloudsim.core.store import Store
from cloudsim.heat.hot.environment import Environment
from cloudsim.heat.hot.template import Template

KIND = "heat_blueprint"
FILE = "heat_file"


@dataclass(frozen=True)
class Blueprint:
    """The source of a stack; nested stacks share their root's files. `source` is the template's file, if any."""

    template: Template
    environment: Environment
    files: Mapping[str, str]
    source: str = ""


class Blueprints:
    """Stores blueprints by content, with a cache of the parsed form."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._parsed: dict[str, Blueprint] = {}

    def save(self, blueprint: Blueprint) -> str:
        """Store a blueprint and return its id; the same content gives the same id."""
        files = {key: self._save_file(text) for key, text in blueprint.files.items()}
        body = {
            "template": blueprint.template.raw,
            "environment": blueprint.environment.as_dict(),
            "files": files,
            "source": blueprint.source,
        }
        ident = _digest(json.dumps(body, sort_keys=True))
        if self._store.get(KIND, ident) is None:
            self._store.put(KIND, ident, {"id": ident, **body})
        self._parsed.setdefault(ident, blueprint)
        return ident

    def get(self, ident: str) -> Blueprint:
        """Return the blueprint with this id."""
        if ident not in self._parsed:
            body = self._body(ident)
            files = {key: str((self._store.get(FILE, digest) or {})["text"]) for key, digest in body["files"].items()}
            template, environment = Template(body["template"]), Environment.parse(body["environment"])
            self._parsed[ident] = Blueprint(template, environment, files, body["source"])
        return self._parsed[ident]

    def forget(self, ident: str) -> None:
        """Remove a blueprint that no stack uses; its files stay, as others may share them."""
        self._parsed.pop(ident, None)
        self._store.delete(KIND, ident)

    def _body(self, ident: str) -> dict[str, Any]:
        body = self._store.get(KIND, ident)
        assert body is not None, f"blueprint {ident} is gone"
        return body

    def _save_file(self, text: str) -> str:
        digest = _digest(text)
        if self._store.get(FILE, digest) is None:
            self._store.put(FILE, digest, {"id": digest, "text": text})
        return digest


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
