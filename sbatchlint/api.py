"""All that a rule may use.  Rules, built-in or not, import from here and from nowhere else.

In the order in which a rule meets them: the rule and the job that it is asked about, what it reports,
what it proposes, and where.
"""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.launch.plan import (
    Arg,
    Container,
    EarlyExpansion,
    LaunchPlan,
    Layer,
    LayerKind,
    LayerOption,
    Program,
    Step,
)
from sbatchlint.launch.values import Choice, Text, Unknown, Value
from sbatchlint.lint.ask.launchers import Processes, command_name, per_node_launchers, processes_of
from sbatchlint.lint.ask.tasks import Crowd, most_tasks_on_a_node
from sbatchlint.lint.finding import Confidence, Finding, Related, Severity
from sbatchlint.lint.job import Job
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import ProblemKind, Use
from sbatchlint.slurm.request import Count, JobRequest, OptionUse
from sbatchlint.source import Position, Source, Span

__all__ = [  # noqa: RUF022 - in the order of the docstring
    # the rule and its job
    "Rule",
    "Fixable",
    "Job",
    "Certainty",
    # what the job asks for
    "JobRequest",
    "OptionUse",
    "Count",
    "ProblemKind",
    # what it starts
    "LaunchPlan",
    "Step",
    "Geometry",
    "Use",
    "Container",
    "EarlyExpansion",
    "Program",
    "Layer",
    "LayerKind",
    "LayerOption",
    "Arg",
    "Value",
    "Text",
    "Unknown",
    "Choice",
    # what several rules ask
    "Crowd",
    "most_tasks_on_a_node",
    "Processes",
    "command_name",
    "per_node_launchers",
    "processes_of",
    # what it reports
    "Finding",
    "Related",
    "Severity",
    "Confidence",
    # what it proposes
    "Fix",
    "Edit",
    "Safety",
    # where
    "Source",
    "Span",
    "Position",
]
