"""Makes runs of batch scripts for the tests of training."""

from __future__ import annotations

from sbatchlint.launch.layered import Layered
from sbatchlint.launch.plan import Arg, LaunchPlan, Layer, LayerKind, Program
from sbatchlint.launch.values import Value, text_value
from sbatchlint.lint.job import Job
from sbatchlint.source import Source
from sbatchlint.training.runs import TrainingRun, training_runs


def plan(*body: str, **options: object) -> LaunchPlan:
    """The plan of a batch script: keyword arguments are its long options, the rest its lines."""
    directives = [f"#SBATCH --{name.replace('_', '-')}={value}" for name, value in options.items()]
    text = "\n".join(["#!/bin/bash", *directives, *body, ""])
    return Job(Source.from_text(text, "job.sh")).plan


def runs(*body: str, **options: object) -> list[TrainingRun]:
    """The training runs of a batch script."""
    return list(training_runs(plan(*body, **options)))


def run(*body: str, **options: object) -> TrainingRun:
    """The only training run of a batch script."""
    (only,) = runs(*body, **options)
    return only


def program(target: Value | str, *words: str, launcher: str = "") -> Program:
    """A Python program with known arguments, alone or below a launcher."""
    value = text_value(target) if isinstance(target, str) else target
    layer = Layer(launcher or "python", LayerKind.LAUNCHER if launcher else LayerKind.INTERPRETER, None)
    arguments = tuple(Arg(text_value(word)) for word in words)
    return Program(
        words=(Arg(value), *arguments),
        target=value,
        target_span=None,
        is_module=False,
        arguments=arguments,
        layers=(layer,),
        environment=Layered(),
        environment_spans=Layered(),
        span=None,
        conditional=False,
        assumed=False,
    )
