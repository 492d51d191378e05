"""`additionalParams` of each request: the JSON itself, with what we read of it as attributes."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self, TypeGuard, get_args

from vnfm.catalog.domain.vnfd import HealMethod
from vnfm.elements.domain.policies import ROLES
from vnfm.kit.problem import FieldError

AUTO: Literal["auto"] = "auto"
METHODS: tuple[HealMethod, ...] = get_args(HealMethod)

CREATE_FLAVORS, ADOPT_STACK, POLICIES = "createFlavors", "adoptStack", tuple(ROLES)
CONFIGURE_SNMP, DRAIN = "configureSnmp", "drain"
VNFC_TO_REMOVE, VNFC_TO_HEAL, METHOD, REPAIR = "vnfcToRemove", "vnfcToHeal", "method", "repair"


class Params(dict[str, Any]):
    """The parameters of a request that takes none but `KNOWN`; values that cannot be read are `malformed`."""

    KNOWN: ClassVar[tuple[str, ...]] = ()

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        """Reasons against the parameters that need neither VNFD nor instance, each at its field."""
        can = f"only {', '.join(self.KNOWN)}" if self.KNOWN else "none"
        unknown = (self._error(name, f"Unknown here; known: {can}.") for name in self if name not in self.KNOWN)
        return (*unknown, *self._unreadable())

    def _unreadable(self) -> Iterator[FieldError]:
        yield from self._flags(DRAIN)

    def _flags(self, *names: str, nullable: bool = False) -> Iterator[FieldError]:
        for name in names:
            is_flag = isinstance(self.get(name, True), bool) or (nullable and self[name] is None)
            if not is_flag:
                yield self._error(name, "Give true or false.")

    def _error(self, name: str, message: str) -> FieldError:
        return FieldError(f"/additionalParams/{name}", message)

    def _no_names(self, name: str) -> FieldError:
        return self._error(name, "Give a list of VNFC ids, server names or slots.")

    @property
    def drain(self) -> bool:
        """True if routers that work are drained before they are changed, stopped or removed."""
        return DRAIN not in self.KNOWN or self.get(DRAIN) is not False


class RemovalParams(Params):
    """The parameters of a scaling."""

    KNOWN = (VNFC_TO_REMOVE, DRAIN)

    @property
    def vnfc_to_remove(self) -> tuple[str, ...] | None:
        """Names of the VNFCs to remove; None for those in the highest slots."""
        names = self.get(VNFC_TO_REMOVE)
        return tuple(names) if is_names(names) else None

    def _unreadable(self) -> Iterator[FieldError]:
        yield from super()._unreadable()
        if VNFC_TO_REMOVE in self and not is_names(self[VNFC_TO_REMOVE]):
            yield self._no_names(VNFC_TO_REMOVE)


class HealParams(Params):
    """The parameters of a heal."""

    KNOWN = (VNFC_TO_HEAL, METHOD, REPAIR, DRAIN)

    @property
    def vnfc_to_heal(self) -> tuple[str, ...]:
        """Our names of the VNFCs to heal, beside SOL002's."""
        names = self.get(VNFC_TO_HEAL)
        return tuple(names) if is_names(names) else ()

    @property
    def method(self) -> HealMethod | Literal["auto"]:
        method = self.get(METHOD)
        return method if method in METHODS else AUTO

    @property
    def repair(self) -> bool:
        """The heal also repairs the other differences from the desired state."""
        return self.get(REPAIR) is True

    def _unreadable(self) -> Iterator[FieldError]:
        yield from super()._unreadable()
        if self.get(VNFC_TO_HEAL) and not is_names(self[VNFC_TO_HEAL]):
            yield self._no_names(VNFC_TO_HEAL)
        yield from self._flags(REPAIR)
        if self.get(METHOD, AUTO) not in (AUTO, *METHODS):
            yield self._error(METHOD, f"{self[METHOD]!r} is none of {AUTO}, {', '.join(METHODS)}.")


class OperateParams(Params):
    """The parameters of an operation that starts or stops VNFCs."""

    KNOWN = (DRAIN,)


class StackParams(Params):
    """The VNFD's settings by name, and a few names of ours, `KNOWN`."""

    KNOWN: ClassVar[tuple[str, ...]] = (CREATE_FLAVORS,)

    @property
    def settings(self) -> dict[str, Any]:
        """The VNFD's settings by name."""
        return {name: value for name, value in self.items() if name not in self.KNOWN}

    @property
    def create_flavors(self) -> bool | None:
        """True if missing Nova flavors may be created; None: they are where the VIM's user has the right."""
        return _flag(self.get(CREATE_FLAVORS))

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        return tuple(self._unreadable())

    def _unreadable(self) -> Iterator[FieldError]:
        yield from self._flags(CREATE_FLAVORS, nullable=True)

    def merged(self, more: Mapping[str, Any]) -> Self:
        """Return these parameters with others, which win."""
        return type(self)({**self, **more})


class ChangeParams(StackParams):
    """The parameters of a change of the flavour or the package."""

    KNOWN = (CREATE_FLAVORS, DRAIN)

    def _unreadable(self) -> Iterator[FieldError]:
        yield from super()._unreadable()
        yield from self._flags(DRAIN)


class InstantiateParams(StackParams):
    """The parameters of an instantiation; one that adopts a stack creates no flavors, and knows no such name."""

    KNOWN = (CREATE_FLAVORS, ADOPT_STACK, CONFIGURE_SNMP, *POLICIES)

    @property
    def settings(self) -> dict[str, Any]:
        created = {CREATE_FLAVORS: self[CREATE_FLAVORS]} if self._adopts and CREATE_FLAVORS in self else {}
        return {**created, **super().settings}

    @property
    def create_flavors(self) -> bool | None:
        return None if self._adopts else super().create_flavors

    @property
    def policies(self) -> dict[str, Any]:
        """The mediation policies of the VNF's element, by the keys of `ROLES`: names or ids; null means none."""
        return {name: self[name] for name in POLICIES if self.get(name) is not None}

    @property
    def names_policies(self) -> bool:
        """True if the request says which policies apply, or that none does; otherwise those of a profile do."""
        return any(name in self for name in POLICIES)

    @property
    def declines_management(self) -> bool:
        """The request says that no policy applies."""
        return self.names_policies and not self.policies

    @property
    def configures_snmp(self) -> bool | None:
        """True if new elements get the SNMP access of their policy; None: as the package says."""
        return _flag(self.get(CONFIGURE_SNMP))

    @property
    def adopt_stack(self) -> str | None:
        """Id of the Heat stack to adopt, "" when the request has no valid one; None for a new stack."""
        stack_id = self.get(ADOPT_STACK)
        return (stack_id if isinstance(stack_id, str) else "") if self._adopts else None

    @property
    def _adopts(self) -> bool:
        return ADOPT_STACK in self

    def _unreadable(self) -> Iterator[FieldError]:
        yield from self._flags(*(() if self._adopts else (CREATE_FLAVORS,)), CONFIGURE_SNMP, nullable=True)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def split_policies(params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`additionalParams` of an instantiation without its mediation policies, and these; null means none."""
    return {name: params[name] for name in params if name not in POLICIES}, InstantiateParams(params).policies
