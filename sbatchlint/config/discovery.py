"""Which configuration files hold in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping

from sbatchlint.config.errors import ConfigError
from sbatchlint.config.files import OWN_NAME, PYPROJECT, Kind, Layer, has_settings, read_layers
from sbatchlint.toml.read import TomlError

SITE_FILE = "/etc/sbatchlint/sbatchlint.toml"
SITE_VARIABLE = "SBATCHLINT_SITE_CONFIG"


class Discovery:
    """Finds the layers of each folder; every folder is looked into once, and every file read once."""

    def __init__(
        self, environment: Mapping[str, str], *, config: str | None = None, isolated: bool = False
    ) -> None:
        """*config* is the one file to read instead of those that would be found; *isolated* reads none."""
        self._site = None if isolated else _site_file(environment)
        self._config = None if config is None or isolated else os.path.abspath(config)
        self._isolated = isolated
        self._closest: dict[str, str | None] = {}
        self._read: dict[tuple[str, Kind], tuple[Layer, ...] | Exception] = {}
        self._layers: dict[str | None, tuple[Layer, ...]] = {}

    def layers(self, folder: str) -> tuple[Layer, ...]:
        """Return the layers that hold in *folder*, an absolute path, the weakest first.

        Raises ConfigError or TomlError, the same one each time, where one of the files is wrong.
        """
        if self._isolated:
            return ()
        project = self._config or self.closest(folder)
        if project not in self._layers:
            found = list(self._layers_of(self._site, Kind.SITE)) if self._site else []
            if project is not None:
                kind = Kind.NAMED if self._config else Kind.PROJECT
                known = {layer.path for layer in found}
                found += [layer for layer in self._layers_of(project, kind) if layer.path not in known]
            self._layers[project] = tuple(found)
        return self._layers[project]

    def closest(self, folder: str) -> str | None:
        """Return the closest project file upward of *folder*; None where there is none."""
        passed = []
        found: str | None = None
        while True:
            if folder in self._closest:
                found = self._closest[folder]
                break
            passed.append(folder)
            found = _file_in(folder)
            parent = os.path.dirname(folder)
            if found is not None or parent == folder:
                break
            folder = parent
        self._closest.update(dict.fromkeys(passed, found))
        return found

    def _layers_of(self, path: str, kind: Kind) -> tuple[Layer, ...]:
        key = (path, kind)
        if key not in self._read:
            try:
                self._read[key] = read_layers(path, kind)
            except ConfigError as error:
                why = f" ({SITE_VARIABLE} names it)" if kind is Kind.SITE else ""
                self._read[key] = ConfigError(error.subject, f"{error.message}{why}")
            except TomlError as error:
                self._read[key] = error
        read = self._read[key]
        if isinstance(read, Exception):
            raise read
        return read


def _file_in(folder: str) -> str | None:
    """Return the file that holds in *folder*.  One that can't be read is found, too: it was meant to hold."""
    own = os.path.join(folder, OWN_NAME)
    if os.path.lexists(own) and not os.path.isdir(own):
        return own
    shared = os.path.join(folder, PYPROJECT)
    return shared if os.path.isfile(shared) and has_settings(shared) else None


def _site_file(environment: Mapping[str, str]) -> str | None:
    """Return the site's file: the one that the environment names, even if it is not there, or the usual one.

    An empty variable is a site without one.
    """
    named = environment.get(SITE_VARIABLE)
    if named is not None:
        return os.path.abspath(named) if named else None
    return SITE_FILE if os.path.isfile(SITE_FILE) else None
