"""The datastores of an element: what runs, one candidate, who has locked it, and a commit that is to be confirmed."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from routersim.cli.config import BadLine
from routersim.cli.model import check, running
from routersim.cli.unconfirmed import unconfirmed_of
from routersim.netconf.schemas import SCHEMAS, statements_of, tree_of
from routersim.netconf.tree import RpcError, Tree, edit, written

if TYPE_CHECKING:
    from routersim.router import Router

DEFAULT_TIMEOUT = 600
"""Seconds until a commit that is not confirmed is taken back (RFC 6241, 8.4.5)."""


class Datastores:
    """Shared by all sessions of an element; `session` is any object that stands for one."""

    def __init__(self, router: Router) -> None:
        self.router = router
        self._candidate: Tree | None = None
        self._locks: dict[str, object] = {}
        self._unconfirmed = unconfirmed_of(router)
        self._unseen: list[object] = []
        """Sessions that ended while nobody was reached: their end is noticed later."""

    def shown(self, store: str) -> str:
        return written(SCHEMAS[self.router.family], self._tree(store))

    def _tree(self, store: str) -> Tree:
        if store == "candidate" and self._candidate is not None:
            return self._candidate
        return tree_of(self.router.family, running(self.router))[0]

    def _statements(self) -> list[str]:
        """The candidate as statements, with what runs and has no place in it."""
        rest = tree_of(self.router.family, running(self.router))[1]
        return [*statements_of(self.router.family, self._tree("candidate")), *rest]

    def edit(self, session: object, config: Element, operation: str) -> None:
        """Change the candidate, or leave it as it was. Raises RpcError."""
        self._require_lock(session, "candidate")
        tree = copy.deepcopy(self._tree("candidate"))
        if operation == "replace":
            tree.clear()
        edit(SCHEMAS[self.router.family], tree, config, "merge" if operation == "replace" else operation)
        self._candidate = tree

    def validate(self) -> None:
        """Raises RpcError when the candidate names a part that is not there."""
        try:
            check(self.router, self._statements())
        except BadLine as error:
            raise RpcError("operation-failed", str(error)) from error

    def lock(self, session: object, store: str) -> None:
        self._notice()
        holder = self._locks.get(store)
        dirty = holder is None and self._candidate is not None and not self.router.element.behaviour.locks_dirty
        taken = store == "candidate" and (self.router.editor not in (None, session) or dirty)
        if holder is not None or taken:
            raise RpcError("lock-denied", f"The {store} is locked, or edited, by another session.")
        self._locks[store] = session
        if store == "candidate":
            self.router.editor = session

    def unlock(self, session: object, store: str) -> None:
        if self._locks.get(store) is not session:
            raise RpcError("operation-failed", f"This session has no lock of the {store}.")
        self._release(store)

    def _release(self, store: str) -> None:
        del self._locks[store]
        if store == "candidate":
            self.router.editor = None

    def _require_lock(self, session: object, store: str) -> None:
        if self._locks.get(store, session) is not session:
            raise RpcError("in-use", f"The {store} is locked by another session.")

    def commit(self, session: object, confirm_within: int | None) -> None:
        """Make the candidate what runs; a second one confirms the first. Raises RpcError, and nothing is changed."""
        self._require_lock(session, "candidate")
        if self._unconfirmed.by not in (None, session):
            raise RpcError("in-use", "A commit of another session waits to be confirmed.")
        try:
            self._unconfirmed.commit(session, self._statements(), confirm_within, self._gone_back)
        except BadLine as error:
            raise RpcError("operation-failed", str(error)) from error
        self._candidate = None

    def take_back(self) -> bool:
        """What ran before a commit that nobody confirmed runs again; False where there is none."""
        return self._unconfirmed.take_back()

    def _gone_back(self) -> None:
        self._candidate = None
        self._notice()

    def discard(self, session: object) -> None:
        self._require_lock(session, "candidate")
        self._candidate = None

    def _notice(self) -> None:
        unseen, self._unseen = self._unseen, []
        for session in unseen:
            self.ended(session)

    def ended(self, session: object, *, seen: bool = True) -> None:
        """A session is over: its locks go, and what it did not confirm; unless nobody has seen that yet."""
        if not seen:
            self._unseen.append(session)
            return
        if self._locks.get("candidate") is session:
            self._candidate = None
        for store in [store for store, holder in self._locks.items() if holder is session]:
            self._release(store)
        if self._unconfirmed.by is session:
            self.take_back()
