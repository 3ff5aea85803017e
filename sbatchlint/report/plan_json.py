"""The launch plan for programs.  The document's shape is written down in ``schema/plan.schema.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.launch.nodes import for_people
from sbatchlint.launch.plan import Arg, Container, Layer, LayerOption, Program, Step, Submission
from sbatchlint.launch.values import Value
from sbatchlint.regex import regex
from sbatchlint.report.plan_containers import containers
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.plan_needs_json import needs_object
from sbatchlint.report.plan_parallelism import told_run
from sbatchlint.report.plan_parallelism_json import layout_object
from sbatchlint.report.plan_size import size_of
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.gpu_type import gpu_type
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

VERSION = 1
"""Raised when a reader of the document would have to change."""

_SURROGATE = regex("[\ud800-\udfff]")
Object = dict[str, Any]


def plan_json(files: Sequence[PlannedFile]) -> str:
    """Return the document for *files*; secrets are hidden in it as in any other output."""
    document = {"version": VERSION, "files": [_File(file).document() for file in files]}
    return json.dumps(document, indent=2) + "\n"


class _File:
    def __init__(self, file: PlannedFile) -> None:
        self._file = file

    def document(self) -> Object:
        file, options = self._file, self._file.options
        return {
            "path": self._text(file.source.path),
            "interpreter": self._text(file.interpreter) or None,
            "assumed": {
                "sbatch_args": [self._text(word) for word in options.sbatch_args],
                "arguments": None
                if options.arguments is None
                else [self._text(word) for word in options.arguments],
                "environment": {self._text(name): self._text(value) for name, value in options.environment},
            },
            "job": {
                "components": [self._component(request) for request in file.request.components],
                "refused_directives": file.refused_options,
                "translated": bool(file.request.foreign_problems),
                "unsure": file.request.unsure,
            },
            "steps": _folded(self._step(step) for step in file.plan.steps),
            "host_programs": _folded(self._program(None, program) for program in file.plan.host_programs),
            "submissions": _folded(self._submission(submission) for submission in file.plan.submissions),
            "needs": needs_object(file.needs, self._text, self._place, file.is_there),
            "incomplete": self._text(file.plan.incomplete) or None,
            "unread": [self._place(span) for span in file.unread],
            "may_stop": file.plan.may_stop,
            "by_default": file.plan.by_default,
        }

    # --- the job -----------------------------------------------------------------------------------

    def _component(self, request: JobRequest) -> Object:
        return {
            "nodes": quantity(request.nodes),
            "nodes_min": quantity(request.nodes_min),
            "nodes_max": quantity(request.nodes_max),
            "tasks": quantity(request.ntasks),
            "tasks_per_node": quantity(request.ntasks_per_node),
            "cpus_per_task": quantity(request.cpus_per_task),
            "gpus": quantity(request.gpus),
            "gpus_per_node": quantity(request.gpus_per_node),
            "gpu_type": self._text(gpu_type(request)) or None,
            **self._conditions(request),
            "options": [self._job_option(use) for use in request.uses],
        }

    def _conditions(self, request: JobRequest) -> Object:
        """Return what the job asks for besides its size; None for what it does not."""
        limit, array = request.time_limit, request.array
        return {
            "name": self._text(request.job_name or "") or None,
            "time_limit": None if limit is None else {"minutes": limit.minutes},
            "memory_mib_per_node": _mebibytes(request.memory_per_node),
            "memory_mib_per_cpu": _mebibytes(request.memory_per_cpu),
            "memory_mib_per_gpu": _mebibytes(request.memory_per_gpu),
            "partitions": [self._text(name) for name in request.partitions or ()],
            "account": self._text(request.account or "") or None,
            "qos": self._text(request.qos or "") or None,
            "output": None if request.output is None else self._text(request.output.text),
            "error": None if request.error is None else self._text(request.error.text),
            "array": None if array is None else {"tasks": array.count(), "at_once": array.throttle},
        }

    def _job_option(self, use: OptionUse) -> Object:
        return {
            "name": use.spec.long,
            "value": None if use.value is None else self._text(use.value),
            "origin": use.origin.value,
            "place": self._place(use.span),
        }

    # --- jobs that it submits ----------------------------------------------------------------------

    def _submission(self, submission: Submission) -> Object:
        request, plan = submission.request, submission.plan
        own = replace(self._file, plan=plan or self._file.plan, request=request or self._file.request)
        inner = _File(own)
        return {
            "command": submission.command,
            "place": self._place(submission.span),
            "words": [self._word(word) for word in submission.words],
            "text": submission.text.value,
            "file": None if submission.file is None else self._value(submission.file),
            "conditional": submission.conditional,
            "assumed": submission.assumed,
            "per_task": submission.in_task,
            "components": None
            if request is None
            else [self._submitted_component(component) for component in request.components],
            "steps": None if plan is None else _folded(inner._step(step) for step in plan.steps),
            "host_programs": None
            if plan is None
            else _folded(inner._program(None, program) for program in plan.host_programs),
        }

    def _submitted_component(self, request: JobRequest) -> Object:
        """Return what a submitted job asks for; its options stand in a text of its own, so without places."""
        component = self._component(request)
        component["options"] = [{**option, "place": None} for option in component["options"]]
        return component

    # --- steps -------------------------------------------------------------------------------------

    def _step(self, step: Step) -> Object:
        return {
            "place": self._place(step.span),
            "background": step.background,
            "conditional": step.conditional,
            "assumed": step.assumed,
            "nested": step.nested,
            "component": step.component,
            "geometry": _geometry(step.geometry),
            "options": [self._option(option) for option in step.options],
            "options_complete": step.options_complete,
            "environment_options": [self._option(option) for option in step.environment_options],
            "container": None if step.container is None else self._container(step.container),
            "early_expansions": [
                {"variable": early.variable, "place": self._place(early.span)} for early in step.early
            ],
            "programs": _folded(self._program(step, program) for program in step.programs),
        }

    def _program(self, step: Step | None, program: Program) -> Object:
        size = size_of(self._file.request, step, program)
        own = containers(None, program)
        return {
            "place": self._place(program.span),
            "target": self._value(program.target),
            "module": program.is_module,
            "words": [self._word(word) for word in program.words],
            "layers": [self._layer(layer) for layer in program.layers],
            "containers": [self._container(container) for container in own],
            "environment": [
                {"name": self._text(name), "value": self._value(value), "place": self._place(span)}
                for name, value, span in self._file.environment(program)
            ],
            "processes_per_task": quantity(size.processes if size.launcher is not None else None),
            "processes": quantity(size.total),
            "world_size": quantity(
                None if size.world is None else Count(size.world.ranks, size.world.certainty)
            ),
            "layout": layout_object(told_run(self._file, step, program), self._place),
            "conditional": program.conditional,
            "assumed": program.assumed,
            "incomplete": program.code_incomplete,
        }

    def _layer(self, layer: Layer) -> Object:
        return {
            "name": layer.name,
            "kind": layer.kind.value,
            "place": self._place(layer.span),
            "options": [self._option(option) for option in layer.options],
            "options_complete": layer.complete,
        }

    def _option(self, option: LayerOption) -> Object:
        return {
            "name": self._text(option.name),
            "value": None if option.value is None else self._value(option.value),
            "optional": not option.certain,
            "place": self._place(option.arg.place),
        }

    def _container(self, container: Container) -> Object:
        return {
            "runtime": container.runtime,
            "image": self._value(container.image),
            "mounts": [self._value(mount) for mount, _ in container.mounts],
            "mounts_complete": container.mounts_complete,
            "mounts_home": container.mounts_home,
            "workdir": None if container.workdir is None else self._value(container.workdir),
            "environment": [
                {"name": self._text(name), "value": self._value(value), "place": self._place(span)}
                for name, value, span in container.environment
            ],
            "place": self._place(container.span),
        }

    # --- pieces ------------------------------------------------------------------------------------

    def _word(self, arg: Arg) -> Object:
        return {
            **self._value(arg.value),
            "optional": arg.optional,
            "open": arg.open,
            "place": self._place(arg.place),
        }

    def _value(self, value: Value) -> Object:
        text = value.text
        return {
            "text": None if text is None else self._text(text),
            "shown": self._text(for_people(value.show())),
            "certainty": value.certainty.name.lower(),
        }

    def _place(self, span: Span | None) -> Object | None:
        if span is None:
            return None
        line, column = self._file.source.position(span.start)
        return {"line": line, "column": column}

    def _text(self, text: str) -> str:
        """Return *text* without secrets, and without lone surrogates, which JSON readers refuse."""
        return _SURROGATE.sub("\ufffd", self._file.mask.text(text))


def _folded(objects: Iterable[Object]) -> list[Object]:
    """Count equal objects, such as a loop gives, at the place of the first."""
    found: dict[str, Object] = {}
    for each in objects:
        first = found.setdefault(json.dumps(each), {"times": 0, **each})
        first["times"] += 1
    return list(found.values())


def _geometry(geometry: Geometry) -> Object:
    return {
        "nodes": quantity(geometry.nodes),
        "tasks": quantity(geometry.tasks),
        "tasks_per_node": quantity(geometry.tasks_per_node),
        "gpus_per_node": quantity(geometry.gpus_per_node),
    }


def quantity(count: Count | None) -> Object:
    """Return a number with how sure it is; null and ``unknown`` where it is not known."""
    if count is None:
        return {"value": None, "certainty": Certainty.UNKNOWN.name.lower()}
    return {"value": count.value, "certainty": count.certainty.name.lower()}


def _mebibytes(memory: Memory | None) -> int | None:
    return None if memory is None else memory.mebibytes
