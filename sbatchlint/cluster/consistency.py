"""Whether the tables of a profile agree: what one names, another has to be there for."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.cluster.profile import Profile
from sbatchlint.records import dataclass
from sbatchlint.spelling import nearest
from sbatchlint.toml.places import Path


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing that does not fit the rest of the profile."""

    path: Path
    """The keys and indices of where it stands."""
    message: str
    help: str = ""


def disagreements(profile: Profile) -> Iterator[Disagreement]:
    """Yield node types that no table describes, and partitions of the same name."""
    yield from _missing_types(profile)
    yield from _same_names(profile)


def _missing_types(profile: Profile) -> Iterator[Disagreement]:
    known = [kind.name for kind in profile.node_types or () if kind.name is not None]
    for index, partition in enumerate(profile.partitions or ()):
        for number, name in enumerate(partition.node_types or ()):
            if name not in known:
                path = ("partitions", index, "node-types", number)
                yield Disagreement(path, f"no [[node-types]] has the name {name!r}", _hint(name, known))


def _hint(name: str, known: list[str]) -> str:
    near = nearest(name, known)
    if near:
        return f"did you mean {near!r}?"
    return f"known here: {', '.join(sorted(known))}" if known else "write a [[node-types]] of this name"


def _same_names(profile: Profile) -> Iterator[Disagreement]:
    seen: set[str] = set()
    for index, partition in enumerate(profile.partitions or ()):
        if partition.name in seen:
            yield Disagreement(
                ("partitions", index, "name"), f"there is a partition {partition.name!r} above already"
            )
        seen.add(partition.name)
