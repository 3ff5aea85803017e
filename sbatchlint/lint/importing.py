"""Importing a package of rules that is given by name or by folder, whatever it does meanwhile."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import pkgutil
import signal
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from sbatchlint import __version__
from sbatchlint.lint.import_errors import LOCAL_FOLDERS, RuleLoadError, failure, not_installed
from sbatchlint.lint.rule import API_VERSION

_LOCAL = "_sbatchlint_local_"
"""What the names begin with under which local folders are imported.

A folder may be called as it likes: under its own name ``./json`` would hide a module of Python, and of two
folders of one name each the other.
"""
_names: dict[Path, str] = {}
"""Such a name for each local folder that was ever asked for."""


def import_package(package: str) -> list[ModuleType]:
    """Return *package* and all modules in it, imported; ``__main__`` is left alone.

    *package* is an importable name, or a path (anything with a separator in it) to a folder, with or without
    an ``__init__.py``.  Whatever the modules print goes to standard error.  Raises :class:`RuleLoadError`
    when something cannot be imported, or was made for another version of the rule API.
    """
    local = is_path(package)
    with _undisturbed(), _no_bytecode() if local else contextlib.nullcontext():
        root = _import_folder(package) if local else _import(package, package)
        _check_version(root, package)
        return list(_walk(root, package, local=local))


def is_path(package: str) -> bool:
    """Tell whether *package* is meant as a folder."""
    return "/" in package or os.sep in package


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let what is printed go to standard error, and put back what a module has no business to change.

    That is the current folder, from which the paths of the command line start, the standard streams, and
    what an interrupt does.
    """
    streams = sys.stdin, sys.stdout, sys.stderr
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    folder = ""
    with contextlib.suppress(OSError):
        folder = os.getcwd()
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        for number, handler in handlers.items():
            if signal.getsignal(number) is not handler and handler is not None:
                with contextlib.suppress(ValueError):  # not in the main thread: nor could the module do it
                    signal.signal(number, handler)
        if folder:
            os.chdir(folder)


@contextlib.contextmanager
def _no_bytecode() -> Iterator[None]:
    """Leave no ``__pycache__`` in a folder that is the user's own."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _check_version(root: ModuleType, package: str) -> None:
    wanted = vars(root).get("SBATCHLINT_API", API_VERSION)
    if type(wanted) is not int:
        raise RuleLoadError(f"{package}: SBATCHLINT_API must be a number, such as {API_VERSION}")
    if wanted != API_VERSION:
        raise RuleLoadError(
            f"{package} is made for version {wanted} of the rule API, and sbatchlint {__version__} has "
            f"version {API_VERSION}: install versions of the two that fit each other"
        )


def _walk(module: ModuleType, package: str, *, local: bool) -> Iterator[ModuleType]:
    """Yield *module* and, if it is a package, everything in it."""
    yield module
    folders = list(vars(module).get("__path__", ()))
    names = {info.name for info in pkgutil.iter_modules(folders)}
    if local:
        try:
            names.update(name for folder in folders for name in _bare_folders(Path(folder)))
        except OSError as error:
            raise RuleLoadError(f"rule folder {package}: {error}") from error
    for name in sorted(names - {"__main__"}):
        yield from _walk(_import(f"{module.__name__}.{name}", package), package, local=local)


def _bare_folders(folder: Path) -> Iterator[str]:
    """Yield the folders with modules in them that lack an ``__init__.py``."""
    for path in sorted(folder.iterdir()):
        if path.name == "__pycache__" or not path.name.isidentifier() or path.is_symlink():
            continue
        if path.is_dir() and next(path.rglob("*.py"), None) is not None:
            yield path.name


def _import(name: str, package: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            raise RuleLoadError(not_installed(package)) from error
        raise failure(name, error) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin's module may raise anything while it is imported
        raise failure(name, error) from error


def _import_folder(package: str) -> ModuleType:
    """Import the folder *package* under a name that only this folder has."""
    try:
        folder = Path(package).resolve()
        is_folder, is_there = folder.is_dir(), folder.exists()
    except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a null byte
        raise RuleLoadError(f"rule folder {package}: {error}") from error
    if not is_folder:
        problem = "it is a file; name the folder around it" if is_there else "there is no such folder"
        raise RuleLoadError(f"rule folder {package}: {problem}")
    name = _names.setdefault(folder, f"{_LOCAL}{len(_names)}")
    LOCAL_FOLDERS[name] = package
    if name in sys.modules:
        return sys.modules[name]
    spec = _spec(name, folder)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        if spec.loader is not None and spec.origin is not None:
            spec.loader.exec_module(module)
    except BaseException as error:  # half imported it must not stay
        for known in [known for known in sys.modules if known == name or known.startswith(name + ".")]:
            del sys.modules[known]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise failure(name, error) from error
    return module


def _spec(name: str, folder: Path) -> ModuleSpec:
    init = folder / "__init__.py"
    if init.is_file():
        spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
        if spec is not None:
            return spec
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    return spec
