"""What every answer rests on besides the files that were asked for: the program itself and what it uses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING

from sbatchlint.cache.digest import digest_of
from sbatchlint.cache.facts import answer

if TYPE_CHECKING:
    from sbatchlint.cache.facts import Question

_PARTS = ("sbatchlint", "sbatchlint_rules", "bashlex", "tree_sitter", "tree_sitter_bash")
"""What answers are made with, and what reads scripts for them."""
_POLICIES = "sbatchlint.policy.rule"
"""The module whose rules have exceptions that end on a day."""


@cache
def program_facts() -> Mapping[Question, str]:
    """Return the facts about the program's own files and about the releases of what is installed beside it.

    Ask before the program is loaded any further: what is replaced meanwhile is then noticed.
    """
    questions = [("P", folder) for folder in program_folders()]
    questions += [("I", path or os.curdir) for path in sys.path]
    return MappingProxyType({question: answer(*question) for question in questions})


def program_folders() -> list[str]:
    """Return the folders in which the program's own files and those of its readers are."""
    folders: list[str] = []
    for part in _PARTS:
        spec = find_spec(part)
        folders += (spec.submodule_search_locations or ()) if spec is not None else ()
    return folders


def other_facts() -> dict[Question, str]:
    """Return the facts about bash, which judges fixes, and about the day where exceptions may end."""
    questions = [("X", path) for path in _ways_to_bash(os.environ.get("PATH", os.defpath))]
    if _POLICIES in sys.modules:
        questions.append(("Y", ""))
    return {question: answer(*question) for question in questions}


def loaded_facts() -> dict[Question, str]:
    """Return the facts about other people's packages that are loaded by now: they may be edited in place."""
    tops = {name.partition(".")[0] for name in [*sys.modules]} - sys.stdlib_module_names
    questions = [question for top in sorted(tops) for question in _files_of(top)]
    return {question: answer(*question) for question in questions}


def _files_of(top: str) -> Iterator[Question]:
    module = sys.modules.get(top)
    folders = getattr(module, "__path__", None)
    if folders is not None:
        yield from (("P", folder) for folder in folders)
    elif isinstance(path := getattr(module, "__file__", None), str):
        yield "X", path


def _ways_to_bash(path: str) -> Iterator[str]:
    """Yield where bash is looked for, up to the first that is there; see ``files.find_program``."""
    for folder in filter(os.path.isabs, path.split(os.pathsep)):
        at = os.path.join(folder, "bash")
        yield at
        if os.access(at, os.X_OK):
            return


@cache
def version() -> str:
    """Return a digest of all of it but the day, for answers that are kept file by file."""
    facts = {**program_facts(), **other_facts()}
    parts = [
        text for (kind, path), told in sorted(facts.items()) if kind != "Y" for text in (kind, path, told)
    ]
    return digest_of([sys.version, *parts])
