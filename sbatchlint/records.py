"""Dataclasses that cost little until they are used.

``dataclasses.dataclass`` writes up to six methods of a class and compiles each, half a millisecond for all,
and a run imports some three hundred classes, of most of which it makes no object.  :func:`dataclass` gives
the same class, its fields found by ``dataclasses`` itself, but compiles a method when it is first asked for.
A class that inherits from a dataclass or compares in a way of its own takes the original.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable
from functools import partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """Make a dataclass of *cls*, as ``dataclasses.dataclass`` does with the same options."""

        def make(found: type) -> type:
            return _made(found, frozen=frozen, slots=slots, eq=eq, order=order)

        return make if cls is None else make(cls)


_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def _made(cls: type, *, frozen: bool, slots: bool, eq: bool, order: bool) -> type:
    if any(hasattr(base, "__dataclass_fields__") for base in cls.__bases__):
        raise TypeError(f"{cls.__qualname__} inherits from a dataclass: take dataclasses.dataclass")
    if {"__eq__", "__hash__"} & vars(cls).keys():
        raise TypeError(f"{cls.__qualname__} compares in its own way: take dataclasses.dataclass")
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    methods: dict[str, Any] = {"__init__": _Unwritten(made, partial(_init, made, frozen)), "__repr__": _shown}
    if eq:
        operators = {"__eq__": "==", **(_ORDER if order else {})}
        for name, operator in operators.items():
            methods[name] = _Unwritten(made, partial(_comparison, made, name, operator))
        methods["__hash__"] = _Unwritten(made, partial(_hash, made)) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name in methods.keys() - vars(made).keys():
        setattr(made, name, methods[name])
    return made


# --- methods that are written for a class ----------------------------------------------------------------


class _Unwritten:
    """Stands for a method of *cls*, and puts the real one in its own place when it is first asked for."""

    def __init__(self, cls: type, write: Callable[[], Any]) -> None:
        self._cls = cls
        self._write = write

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        method = self._write()
        setattr(self._cls, method.__name__, method)
        return method if instance is None else method.__get__(instance, owner)


def _compiled(cls: Any, name: str, parameters: str, lines: list[str]) -> Any:
    """Give the method *name* of *cls*; its text may name the class's fields, ``_missing`` and ``_set``."""
    body = "\n  ".join(lines) or "pass"
    code = f"def write(_fields, _missing, _set):\n def {name}({parameters}):\n  {body}\n return {name}"
    names: dict[str, Any] = {}
    exec(code, vars(sys.modules[cls.__module__]), names)
    method = names["write"](cls.__dataclass_fields__, dataclasses.MISSING, object.__setattr__)
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method


def _init(cls: Any, frozen: bool) -> Any:
    """Write ``__init__``, whose parameters are the fields."""
    fields = dataclasses.fields(cls)
    given = [field for field in fields if field.init]
    plain = [_parameter(field) for field in given if not field.kw_only]
    keyword = [_parameter(field) for field in given if field.kw_only]
    parameters = ", ".join(["_self", *plain, *(["*", *keyword] if keyword else [])])
    lines = [line for field in fields if (line := _setting(field, frozen))]
    if hasattr(cls, "__post_init__"):
        lines.append("_self.__post_init__()")
    init = _compiled(cls, "__init__", parameters, lines)
    init.__annotations__ = {**{field.name: field.type for field in given}, "return": None}
    return init


def _parameter(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"{field.name}=_fields[{field.name!r}].default"
    return field.name if field.default_factory is dataclasses.MISSING else f"{field.name}=_missing"


def _setting(field: dataclasses.Field[Any], frozen: bool) -> str:
    """Give the statement that sets *field*, or "" for one that ``__post_init__`` has to set."""
    made = f"_fields[{field.name!r}].default_factory()"
    value = field.name
    if field.default_factory is not dataclasses.MISSING:
        value = f"{made} if {field.name} is _missing else {field.name}" if field.init else made
    elif not field.init:
        if field.default is dataclasses.MISSING:
            return ""
        value = f"_fields[{field.name!r}].default"
    return f"_set(_self, {field.name!r}, {value})" if frozen else f"_self.{field.name} = {value}"


def _comparison(cls: Any, name: str, operator: str) -> Any:
    """Write a method that compares two objects of *cls* field by field."""
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    test = f"{_tuple('self', compared)} {operator} {_tuple('other', compared)}"
    line = f"return {test} if other.__class__ is self.__class__ else NotImplemented"
    return _compiled(cls, name, "self, other", [line])


def _hash(cls: Any) -> Any:
    fields = dataclasses.fields(cls)
    hashed = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    return _compiled(cls, "__hash__", "self", [f"return hash({_tuple('self', hashed)})"])


def _tuple(whose: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{whose}.{name}, " for name in names) + ")"


# --- methods that all classes share ----------------------------------------------------------------------


@recursive_repr()
def _shown(self: Any) -> str:
    fields = [field.name for field in dataclasses.fields(self) if field.repr]
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in fields)})"


def _refuse_set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
