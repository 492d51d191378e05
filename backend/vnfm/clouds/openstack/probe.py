"""Probe a whole cloud, as registering a VIM and watching it needs: independent requests at once."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from keystoneauth1.exceptions import ClientException

from vnfm.clouds.errors import CloudError, Denied, NotFound, Rejected, Transient
from vnfm.clouds.openstack.account import root_of, version_document
from vnfm.clouds.openstack.services import SERVICE_NAMES, Service
from vnfm.clouds.openstack.session import credentials, open_session
from vnfm.clouds.types import Connection, Features, Probe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from keystoneauth1.session import Session

    from vnfm.clouds.openstack.account import Account
    from vnfm.clouds.ports import Cloud

T = TypeVar("T")

_PARALLEL = 6

_HOT_OF_MITAKA = "2016-04-08"
_HOT_OF_PIKE = "2017-09-01"


def probe(cloud: Cloud, account: Account, session: Session) -> Probe:
    """Raises Denied, NotFound or Transient, with the offending fields of the connection where they are known."""
    _enter(account, session)
    for service in ("compute", "network", "image", "orchestration"):
        _endpoint(account, session, service)
    with ThreadPoolExecutor(_PARALLEL, thread_name_prefix="probe") as pool:
        flavors = pool.submit(lambda: tuple(cloud.flavors.list()))
        images = pool.submit(lambda: tuple(cloud.images.list()))
        networks = pool.submit(lambda: tuple(cloud.networks.list()))
        zones = pool.submit(_if_answered, cloud.zones)
        key_pairs = pool.submit(_if_answered, cloud.key_pairs)
        volume_types = pool.submit(_if_available, cloud.volume_types)
        quotas = pool.submit(lambda: tuple(cloud.quotas()))
        hot_functions = pool.submit(_if_answered, cloud.stacks.hot_functions)
        resource_types = pool.submit(_if_answered, cloud.stacks.resource_types)
        extensions = pool.submit(_if_answered, cloud.networks.extensions)
        versions = pool.submit(_versions, account, session)
        stacks = pool.submit(cloud.stacks.find, "vnfm-probe")
        hosts = pool.submit(_lists_hosts, cloud)
        flavor_create = pool.submit(cloud.flavors.may_create)
        network_share = pool.submit(cloud.networks.may_share)
    _answer(stacks)
    features = Features(
        hot_functions=_named(_answer(hot_functions)),
        resource_types=_listed(_answer(resource_types)),
        network_extensions=_listed(_answer(extensions)),
    )
    capabilities = _capabilities(account, session, features)
    may_share = _answer(network_share)
    access = account.access(session)
    return Probe(
        versions=_answer(versions) | _newest_hot(features),
        features=features,
        capabilities={
            **capabilities,
            "hosts": _answer(hosts),
            # Where Neutron does not tell, by its default policy: it is the administrators' right.
            "network_share": capabilities["admin"] if may_share is None else may_share,
            "flavor_create": _answer(flavor_create),
        },
        quotas=_answer(quotas),
        flavors=_answer(flavors),
        images=_answer(images),
        networks=_answer(networks),
        zones=_names(_answer(zones)),
        key_pairs=_names(_answer(key_pairs)),
        volume_types=_names(_answer(volume_types)),
        project_id=access.project_id or "",
        project_name=access.project_name or "",
        project_domain_name=access.project_domain_name or "",
    )


def _enter(account: Account, session: Session) -> None:
    """Get a token, or say which part of the credentials Keystone refuses; its own answer is the same for all."""
    try:
        account.access(session)
    except CloudError as error:
        if not error.offending_fields:
            error.offending_fields = _refused(account.connection) if isinstance(error, Denied) else ("auth_url",)
        raise


def _refused(connection: Connection) -> tuple[str, ...]:
    """Password right without a project, wrong with it: then it is the project."""
    if connection.by_application_credential:
        return ("application_credential_id" if connection.application_credential_id else "application_credential_name",)
    unscoped = credentials(connection, unscoped=True)
    with suppress(ClientException):
        unscoped.get_access(open_session(connection, unscoped))
        return ("project_id" if connection.project_id else "project_name",)
    return ("username", "password")


def _endpoint(account: Account, session: Session, service: Service) -> None:
    try:
        account.url(session, service)
    except CloudError as error:
        _blame_endpoint(error)
        raise


def _answer(question: Future[T]) -> T:
    try:
        return question.result()
    except CloudError as error:
        _blame_endpoint(error)
        raise


def _blame_endpoint(error: CloudError) -> None:
    """Keystone let us in, so what does not answer now is where its catalog sent us."""
    if not error.offending_fields and isinstance(error, Transient) and not error.http_status:
        error.offending_fields = ("endpoint_overrides",)


def _versions(account: Account, session: Session) -> dict[str, str]:
    """Return the versions to use; a service whose version document cannot be had is left out."""
    _, microversion = account.compute(session)
    spoken = {"compute": microversion or "2.0", "network": "2.0", "orchestration": "1.0"}
    identity = _current(session, account.url(session, "identity"), "identity")
    image = _current(session, root_of(account.url(session, "image")), "image")
    alarming = {"alarming": "2"} if account.offers(session, "alarming") else {}
    return {**spoken, **identity, **image, **alarming}


def _current(session: Session, url: str, service: Service) -> Mapping[str, str]:
    with suppress(CloudError):
        for version in version_document(session, url, SERVICE_NAMES[service]):
            if str(version.get("status", "")).lower() in {"current", "stable"}:
                return {service: str(version["id"]).removeprefix("v")}
    return {}


def _capabilities(account: Account, session: Session, features: Features) -> Mapping[str, bool | None]:
    """Evidence only; None where there is none. Heat's release shows in the template versions that it accepts."""
    admin = "admin" in {name.lower() for name in account.access(session).role_names or ()}
    mitaka = pike = None
    if features.hot_functions is not None:
        mitaka, pike = _HOT_OF_MITAKA in features.hot_functions, _HOT_OF_PIKE in features.hot_functions
    return {
        "admin": admin,
        "alarming": account.offers(session, "alarming"),
        "heat_mark_unhealthy": mitaka,
        # Mitaka to Ocata replace every member of a group when a check finds one of them dead.
        "heat_check_spares_siblings": None if mitaka is None else pike or not mitaka,
    }


def _lists_hosts(cloud: Cloud) -> bool | None:
    """By default Nova shows hosts and compute services to administrators alone; None from a cloud without hosts."""
    try:
        cloud.hosts()
    except Denied:
        return False
    except (NotFound, Rejected):
        return None
    return True


def _newest_hot(features: Features) -> dict[str, str]:
    """Dates are compared; releases have names, too."""
    dates = [name for name in features.hot_functions or () if name[:1].isdigit()]
    return {"hot": max(dates)} if dates else {}


def _named(functions: Mapping[str, Sequence[str]] | None) -> Mapping[str, tuple[str, ...]] | None:
    return None if not functions else {version: tuple(names) for version, names in functions.items()}


def _listed(names: Sequence[str] | None) -> tuple[str, ...] | None:
    return tuple(names) if names else None


def _names(found: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if found is None else tuple(found)


def _if_available(question: Callable[[], T]) -> T | None:
    """Answer as `_if_answered`; None also where the service is out of reach, for one without which all else works."""
    with suppress(Transient):
        return _if_answered(question)
    return None


def _if_answered(question: Callable[[], T]) -> T | None:
    """None where the service does not answer this question, or not to this user."""
    try:
        return question()
    except (Denied, NotFound, Rejected):
        return None
