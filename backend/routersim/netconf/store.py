"""The datastores of an element: running, candidate, locks, and a confirmed commit."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from routersim.cli.config import RejectedLine
from routersim.cli.confirmed_commit import confirmed_commit_of
from routersim.cli.model import check, running
from routersim.netconf.schemas import SCHEMAS, statements_of, tree_of
from routersim.netconf.tree import RpcError, Tree, edit
from routersim.netconf.tree import to_xml as tree_to_xml

if TYPE_CHECKING:
    from routersim.router import Router

DEFAULT_TIMEOUT = 600
"""Seconds until an unconfirmed commit is rolled back (RFC 6241, 8.4.5)."""


class Datastores:
    """The datastores that all sessions of an element share; a `session` is any object that represents one."""

    def __init__(self, router: Router) -> None:
        self.router = router
        self._candidate: Tree | None = None
        self._locks: dict[str, object] = {}
        self._unconfirmed = confirmed_commit_of(router)
        self._unnoticed: list[object] = []
        """Sessions that ended while the element did not answer, and whose end is handled later."""

    def to_xml(self, store: str) -> str:
        return tree_to_xml(SCHEMAS[self.router.family], self._tree(store))

    def _tree(self, store: str) -> Tree:
        if store == "candidate" and self._candidate is not None:
            return self._candidate
        return tree_of(self.router.family, running(self.router))[0]

    def _statements(self) -> list[str]:
        """Return the candidate as statements, with the running statements outside the schema."""
        rest = tree_of(self.router.family, running(self.router))[1]
        return [*statements_of(self.router.family, self._tree("candidate")), *rest]

    def edit(self, session: object, config: Element, operation: str) -> None:
        """Edit the candidate. Raises RpcError, and then changes nothing."""
        self._require_lock(session, "candidate")
        tree = copy.deepcopy(self._tree("candidate"))
        if operation == "replace":
            tree.clear()
        edit(SCHEMAS[self.router.family], tree, config, "merge" if operation == "replace" else operation)
        self._candidate = tree

    def validate(self) -> None:
        """Raise RpcError if the candidate names a part that does not exist."""
        try:
            check(self.router, self._statements())
        except RejectedLine as error:
            raise RpcError("operation-failed", str(error)) from error

    def lock(self, session: object, store: str) -> None:
        self._notice()
        holder = self._locks.get(store)
        dirty = holder is None and self._candidate is not None and not self.router.element.behaviour.locks_dirty
        in_use = store == "candidate" and (self.router.editor not in (None, session) or dirty)
        if holder is not None or in_use:
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
        """Make the candidate the running configuration; a second commit confirms the first.

        Raises RpcError, and then changes nothing.
        """
        self._require_lock(session, "candidate")
        if self._unconfirmed.session not in (None, session):
            raise RpcError("in-use", "A commit of another session waits for its confirmation.")
        try:
            self._unconfirmed.commit(session, self._statements(), confirm_within, self._on_rollback)
        except RejectedLine as error:
            raise RpcError("operation-failed", str(error)) from error
        self._candidate = None

    def cancel_commit(self) -> bool:
        """Roll back an unconfirmed commit; return False if there is none."""
        return self._unconfirmed.rollback()

    def _on_rollback(self) -> None:
        self._candidate = None
        self._notice()

    def discard(self, session: object) -> None:
        self._require_lock(session, "candidate")
        self._candidate = None

    def _notice(self) -> None:
        sessions, self._unnoticed = self._unnoticed, []
        for session in sessions:
            self.ended(session)

    def ended(self, session: object, *, noticed: bool = True) -> None:
        """Release a session's locks and roll back its unconfirmed commit; do so later if the end was not `noticed`."""
        if not noticed:
            self._unnoticed.append(session)
            return
        if self._locks.get("candidate") is session:
            self._candidate = None
        for store in [store for store, holder in self._locks.items() if holder is session]:
            self._release(store)
        if self._unconfirmed.session is session:
            self.cancel_commit()
