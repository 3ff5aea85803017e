"""The configuration file as it is written: its keys, and what may stand behind them.

These models say what shape a value has.  Whether a rule, a cluster or a release of that name is there is
asked later, where it is known, so that the JSON Schema made from the models says the same as they do.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictBool

from sbatchlint.policy.models import ExceptionTable, PolicyTable, Text
from sbatchlint.toml.keys import kebab

Texts = tuple[Text, ...]
Level = Literal["error", "warning", "info"]
Format = Literal[
    "full", "concise", "grouped", "json", "jsonl", "sarif",
    "github", "gitlab", "junit", "checkstyle", "markdown",
]  # fmt: skip


class _Table(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=kebab, use_attribute_docstrings=True
    )


class _Anywhere(_Table):
    """What may be said for all files and for some."""

    ignore: Texts = ()
    """Rules to leave out: codes, prefixes, names, families."""
    extend_select: Texts = ()
    """Rules to look for besides those that are chosen."""
    extend_ignore: Texts = ()
    """The same as ignore."""
    fail_on: Level = "info"
    """The mildest finding that gives exit status 1."""
    pedantic: StrictBool = False
    """Show everything: notes, and what is less sure to be right, as well."""
    cluster: Text | None = None
    """The cluster that jobs are meant for: a name of [clusters], or the path of a profile."""
    slurm_version: Text | None = None
    """The cluster's Slurm, such as "24.05"."""
    sbatch_args: Text | Texts = ()
    """Options that sbatch will be given: a line as typed, or a list of words."""
    env: dict[str, str] = {}
    """Variables of the shell that submits the job."""
    known_options: Texts = ()
    """Options that plugins of the site add to sbatch, such as "--image"."""
    check_paths: StrictBool = False
    """Look whether the files that the job needs are there."""


class PerPath(_Anywhere):
    """What holds for the files that a glob of [per-path] matches."""


class ConfigFile(_Anywhere):
    """sbatchlint.toml, or [tool.sbatchlint] of pyproject.toml."""

    extend: Text | None = None
    """Another configuration file, whose settings hold where this one says nothing else."""
    required_version: Text | None = None
    """Releases of sbatchlint that may read this file, such as ">=0.2"."""
    select: Texts | None = None
    """Rules to look for, and no others."""
    unsafe_fixes: StrictBool = False
    """Count in the fixes that may change what a script does."""
    include: Texts = ()
    """Globs: in folders, look at these files alone."""
    exclude: Texts = ()
    """Globs of files and folders to leave out."""
    extend_exclude: Texts = ()
    """Globs to leave out besides those of exclude."""
    force_exclude: StrictBool = False
    """Leave excluded files out even where they are named, as pre-commit names them."""
    respect_gitignore: StrictBool = True
    """Leave out what git ignores."""
    include_markdown: StrictBool = False
    """Check the shell blocks of Markdown files as well."""
    output_format: Format | None = None
    """How findings are shown."""
    baseline: Text | None = None
    """The file of findings that are known already."""
    follow: StrictBool = True
    """Read the files that a script sources."""
    shared_file_systems: Texts = ()
    """Folders that all nodes share."""
    plugins: Texts = ()
    """Packages of rules: installed ones by name, folders by a path such as "./site_rules"."""
    severity: dict[str, Level] = {}
    """What findings count as, by rule, prefix or family."""
    per_file_ignores: dict[str, Texts] = {}
    """Rules to leave out by glob."""
    clusters: dict[str, Text] = {}
    """Profiles of clusters by name."""
    per_path: dict[str, PerPath] = {}
    """What holds for some files, by glob; of two that match the later one counts."""
    policy: tuple[PolicyTable, ...] = ()
    """What the site wants of every job."""
    exception: tuple[ExceptionTable, ...] = ()
    """Files that need not keep to a policy, for a while."""
