"""The types of a policy's expressions."""

from __future__ import annotations

from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """One type; ``of`` is that of a list's elements or of a map's values."""

    name: str
    of: Type | None = None

    def __str__(self) -> str:
        """Return the type as the reference writes it: ``list(string)``."""
        return f"{self.name}({self.of})" if self.of is not None else self.name

    @property
    def plain(self) -> bool:
        """Whether two values of it can be told equal."""
        return self in (*SCALARS, ANY) or (self.name == "list" and self.of is not None and self.of.plain)

    @property
    def described(self) -> str:
        """The type in a sentence: ``a duration``, ``a list of string``."""
        if self.of is not None:
            return f"a {self.name} of {self.of}"
        return f"{'an' if self.name[:1] in 'aeiou' else 'a'} {self.name}"


ANY = Type("anything")
"""What is not checked further: a mistake has been told of already."""
BOOL, INT, DOUBLE, STRING, DURATION = map(Type, ("bool", "int", "double", "string", "duration"))
SCALARS = (BOOL, INT, DOUBLE, STRING, DURATION)
ORDERED = (INT, DOUBLE, STRING, DURATION)


def list_of(element: Type) -> Type:
    """Return the type of a list of *element*."""
    return Type("list", element)


def map_of(value: Type) -> Type:
    """Return the type of a map from names to *value*."""
    return Type("map", value)


def agree(one: Type, other: Type) -> bool:
    """Tell whether the two may stand in each other's place."""
    if ANY in (one, other):
        return True
    if one.name != other.name:
        return False
    return one.of is None or other.of is None or agree(one.of, other.of)


def joined(one: Type, other: Type) -> Type:
    """Return the type of a place where either may stand; they agree."""
    if ANY in (one, other):
        return other if one == ANY else one
    if one.of is None or other.of is None:
        return one
    return Type(one.name, joined(one.of, other.of))
