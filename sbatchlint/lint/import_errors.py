"""What is wrong with a package of rules, said so that whoever wrote it finds the line."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path

from sbatchlint import __version__
from sbatchlint.lint.rule import API_VERSION

LOCAL_FOLDERS: dict[str, str] = {}
"""The local folder, as it was given, that stands behind the name under which it is imported."""


class RuleLoadError(Exception):
    """A package of rules cannot be used; the message names it and says why."""


def shown_name(module: str) -> str:
    """Return how a message names the module that is imported as *module*: a local one by its folder."""
    root, _, rest = module.partition(".")
    if root not in LOCAL_FOLDERS:
        return module
    return os.path.join(LOCAL_FOLDERS[root], *rest.split(".")) if rest else LOCAL_FOLDERS[root]


def said_by(error: BaseException) -> str:
    """Return the message of *error*, of which nobody knows whether it has one."""
    try:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a plugin's exception may break while it is shown, too
        return "(it cannot be shown)"


def not_installed(package: str) -> str:
    """Say that there is no package of this name, and which may be meant."""
    meant = package.replace("-", "_")
    advice = f"a folder is written with a separator, './{package}'"
    if meant != package and meant.isidentifier():
        advice = f"did you mean {meant!r}, the name that it is imported by?"
    return f"no rule package named {package!r} is installed; {advice}"


def failure(name: str, error: BaseException) -> RuleLoadError:
    """Say that the module *name* cannot be imported, why, and where that happened."""
    root = name.partition(".")[0]
    reason = said_by(error)
    if root in LOCAL_FOLDERS:
        reason = reason.replace(root, Path(LOCAL_FOLDERS[root]).resolve().name)
    if isinstance(error, SystemExit):
        reason = f"it ends the program, with status {reason}"
    elif isinstance(error, SyntaxError):
        reason = f"{type(error).__name__}: {error.msg}"
    elif not isinstance(error, ImportError):
        reason = f"{type(error).__name__}: {reason}"
    place = _place(name, error)
    at = f" (at {place})" if place else ""
    return RuleLoadError(f"cannot import {shown_name(name)}: {reason}{at}{_advice(name, error)}")


def _place(name: str, error: BaseException) -> str:
    """Return the file and line of the package that *error* comes from; empty where that is not known."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    import traceback  # loads slowly, and is seldom needed

    root = name.partition(".")[0]
    own = _folder_of(root)
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if own is not None and own in Path(frame.filename).parents]
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else ""


def _folder_of(root: str) -> Path | None:
    if root in LOCAL_FOLDERS:
        return Path(LOCAL_FOLDERS[root]).resolve()
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(root)
        if spec is not None and spec.origin is not None:
            return Path(spec.origin).parent
    return None


def _advice(name: str, error: BaseException) -> str:
    if not isinstance(error, ImportError) or error.name is None:
        return ""
    if error.name == "sbatchlint.api":
        return f"; sbatchlint {__version__} has version {API_VERSION} of the rule API"
    root = name.partition(".")[0]
    if root in LOCAL_FOLDERS and error.name.partition(".")[0] == Path(LOCAL_FOLDERS[root]).resolve().name:
        return "; inside a local folder write `from . import ...`: it is not imported under its own name"
    return ""
