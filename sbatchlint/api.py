"""All that a rule may use.  Rules, built-in or not, import from here and from nowhere else.

In the order in which a rule meets them: the rule and the job that it is asked about, what it reports,
what it proposes, and where.
"""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.misfit import Misfit, MisfitKind, Outcome
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
from sbatchlint.lint.ask.complaints import (
    bad_values,
    complaints,
    meant_option,
    problem_of,
    release_range,
    said,
    severity_of,
    use_of,
    who_does,
)
from sbatchlint.lint.ask.dashes import Dashes, DashSlip, dash_slips
from sbatchlint.lint.ask.directives import (
    add_directive,
    as_shell_word,
    refused_option,
    refused_value,
    remove_options,
)
from sbatchlint.lint.ask.environment import (
    fills,
    mentions,
    reads_settings,
    step_that_warms_uv,
    uv_installs,
)
from sbatchlint.lint.ask.expansions import Expansion, expansions
from sbatchlint.lint.ask.finetuning import Preparation, prepares_on_one_rank
from sbatchlint.lint.ask.flow import reaches_only_steps
from sbatchlint.lint.ask.gpus import (
    GpuNeed,
    asks_for_gpus,
    gpu_need,
    gpus_per_task,
    is_probe,
    meant_for_cpus,
    unasked_gpus,
)
from sbatchlint.lint.ask.launchers import Processes, command_name, per_node_launchers, processes_of
from sbatchlint.lint.ask.locality import Locality, Owner, locality_of
from sbatchlint.lint.ask.lookalikes import (
    AlmostDirective,
    Lookalike,
    almost_directives,
    options_of_line,
)
from sbatchlint.lint.ask.odd_characters import OddKind, OddText, odd_characters
from sbatchlint.lint.ask.placeholders import Placeholder, is_template, placeholders
from sbatchlint.lint.ask.slurm_variables import Mention, expects_missing, sets_variable, slurm_mentions
from sbatchlint.lint.ask.srun_line import SrunLine, only_srun
from sbatchlint.lint.ask.stray import StrayText, stray_texts
from sbatchlint.lint.ask.tasks import Crowd, most_tasks_on_a_node, starts_by_slots
from sbatchlint.lint.finding import Confidence, Finding, Related, Severity
from sbatchlint.lint.job import Job
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.slurm.directives import DirectiveLine
from sbatchlint.slurm.environment import JobVariable, job_variables
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import ProblemKind, Use
from sbatchlint.slurm.grammar.filenames import FilePattern
from sbatchlint.slurm.options import Argument, parse_release
from sbatchlint.slurm.request import Count, JobRequest, OptionUse, Origin, RequestProblem
from sbatchlint.slurm.variable_names import is_known, nearest
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect, Verdict
from sbatchlint.source import Position, Source, Span
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.native import IdleGpus, idle_gpus
from sbatchlint.training.parallelism import (
    Mismatch,
    dense_mismatch,
    expert_mismatch,
    least_world_of,
    legal_nodes,
)
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.ranks import Term, World
from sbatchlint.training.runs import TrainingRun, training_runs

__all__ = [  # noqa: RUF022 - in the order of the docstring
    # the rule and its job
    "Rule",
    "Fixable",
    "Job",
    "Certainty",
    # what the job asks for
    "JobRequest",
    "OptionUse",
    "Origin",
    "Argument",
    "Count",
    "FilePattern",
    "parse_release",
    "ProblemKind",
    "RequestProblem",
    "DirectiveLine",
    # the variables that Slurm sets for it
    "JobVariable",
    "job_variables",
    "is_known",
    "nearest",
    "Mention",
    "slurm_mentions",
    "sets_variable",
    "expects_missing",
    # what Slurm makes of that
    "Verdict",
    "Complaint",
    "ComplaintKind",
    "Effect",
    "complaints",
    "severity_of",
    "who_does",
    "release_range",
    "said",
    "problem_of",
    "use_of",
    "bad_values",
    "meant_option",
    # what the cluster has against it
    "Misfit",
    "MisfitKind",
    "Outcome",
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
    "starts_by_slots",
    "Processes",
    "command_name",
    "per_node_launchers",
    "processes_of",
    "SrunLine",
    "only_srun",
    "reaches_only_steps",
    "options_of_line",
    "StrayText",
    "stray_texts",
    "odd_characters",
    "OddText",
    "OddKind",
    "dash_slips",
    "Dashes",
    "DashSlip",
    "expansions",
    "Expansion",
    "Placeholder",
    "placeholders",
    "is_template",
    "almost_directives",
    "AlmostDirective",
    "Lookalike",
    "add_directive",
    "as_shell_word",
    "refused_option",
    "refused_value",
    "remove_options",
    "GpuNeed",
    "gpu_need",
    "asks_for_gpus",
    "gpus_per_task",
    "meant_for_cpus",
    "is_probe",
    "unasked_gpus",
    "Preparation",
    "prepares_on_one_rank",
    "Locality",
    "Owner",
    "locality_of",
    "fills",
    "mentions",
    "reads_settings",
    "uv_installs",
    "step_that_warms_uv",
    # what it trains, and on how many ranks
    "training_runs",
    "TrainingRun",
    "Framework",
    "FrameworkName",
    "LaunchClass",
    "Quantities",
    "Quantity",
    "Reading",
    "World",
    "Term",
    "Mismatch",
    "dense_mismatch",
    "expert_mismatch",
    "least_world_of",
    "legal_nodes",
    "IdleGpus",
    "idle_gpus",
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
