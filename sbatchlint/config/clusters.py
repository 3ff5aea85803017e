"""The cluster profile that is meant by a name or a path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.config.errors import ConfigError
from sbatchlint.config.files import Kind, inside, line_of, shown_path
from sbatchlint.config.sheets import Given, Sheet, closest, elements, table
from sbatchlint.lint.roots import belongs
from sbatchlint.spelling import nearest
from sbatchlint.toml.read import TomlError

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Profile


class Clusters:
    """Reads profiles, each once."""

    def __init__(self) -> None:
        self._read: dict[str, Profile | Exception] = {}

    def of(self, sheets: Sequence[Sheet]) -> Profile | None:
        """Return what *sheets* say of the cluster; None where they say nothing.

        Raises ConfigError or TomlError where a name is not known or a profile can't be used.
        """
        chosen = closest(sheets, "cluster")
        profile = None if chosen is None else self._chosen(chosen, table(sheets, "clusters"))
        shared = tuple(dict.fromkeys(given.value for given in elements(sheets, "shared-file-systems")))
        return with_shared(profile, shared) if shared else profile

    def _chosen(self, chosen: Given, known: dict[str, Given]) -> Profile:
        named = known.get(chosen.value)
        if named is not None:
            return self._load(inside(named.folder, named.value), named)
        if chosen.sheet.layer is not None and not is_path(chosen.value):
            raise chosen.error(
                f"cluster: no cluster is called {chosen.value!r}", _advice(chosen.value, known)
            )
        path = chosen.value if chosen.sheet.layer is None else inside(chosen.folder, chosen.value)
        if chosen.sheet.layer is None and known and not is_path(path) and not os.path.exists(path):
            raise ConfigError("--cluster", f"no cluster is called {path!r}; {_advice(path, known)}")
        return self._load(path, chosen)

    def _load(self, path: str, given: Given) -> Profile:
        from sbatchlint.cluster.load import load_profile

        if path not in self._read:
            try:
                self._read[path] = load_profile(path if given.sheet.layer is None else shown_path(path))
            except TomlError as error:
                self._read[path] = _without_its_text(path, error, given)
            except OSError as error:
                self._read[path] = _unreadable(path, (error.strerror or str(error)).lower(), given)
        read = self._read[path]
        if isinstance(read, Exception):
            raise read
        return read


def is_path(text: str) -> bool:
    """Tell whether *text* is the path of a profile, and no name in ``[clusters]``."""
    return "/" in text or text.endswith(".toml")


def with_shared(profile: Profile | None, paths: Sequence[str]) -> Profile:
    """Return *profile*, or one that says nothing else, in which all nodes share the folders *paths*."""
    from sbatchlint.cluster.profile import Profile
    from sbatchlint.cluster.site import FileSystem

    known = {} if profile is None else {system.path: system for system in profile.file_systems}
    for path in paths:
        there = known.get(path)
        known[path] = (
            FileSystem(path=path, shared=True) if there is None else there.model_copy(update={"shared": True})
        )
    return (profile or Profile()).model_copy(update={"file_systems": tuple(known.values())})


def _advice(name: str, known: dict[str, Given]) -> str:
    near = nearest(name, known)
    if near:
        return f"did you mean {near!r}?"
    names = f"known are {', '.join(sorted(known))}" if known else "[clusters] names none"
    return f"{names}; a path has a slash in it or ends in .toml"


def _without_its_text(path: str, error: TomlError, given: Given) -> Exception:
    """Return *error*, without a line of the file where a project names one that is not its own.

    That may be any file, and the message may get to where others read it.
    """
    layer = given.sheet.layer
    if layer is None or layer.kind is not Kind.PROJECT or belongs(path, layer.folder):
        return error
    what = ".".join(map(str, given.path))
    message = f"{what}: the profile {shown_path(path)} has a mistake in line {line_of(error)}"
    return given.error(message, f"`sbatchlint cluster show {shown_path(path)}` shows it")


def _unreadable(path: str, reason: str, given: Given) -> Exception:
    if given.sheet.layer is None:
        return ConfigError(path, f"cannot be read ({reason}); check the path")
    what = ".".join(map(str, given.path))
    message = f"{what}: the profile {shown_path(path)} cannot be read ({reason})"
    return given.error(message, "`sbatchlint cluster import` writes one")
