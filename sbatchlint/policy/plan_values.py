"""The variables of the launch plan: ``steps``, ``programs``, ``containers`` and ``env``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.launch.layer_containers import container_of_layer
from sbatchlint.launch.plan import Arg, Container, FileUseKind, LayerKind, LayerOption, Program, Step
from sbatchlint.launch.values import Choice, Unknown, Value
from sbatchlint.lint.job import Job
from sbatchlint.policy.trust import Trust, listed
from sbatchlint.policy.values import UNKNOWN, Entries, Items, Object, cel
from sbatchlint.shell.shebang import is_shell_script
from sbatchlint.training.frameworks import FrameworkName, recognise


class PlanValues:
    """Makes what a job starts."""

    def __init__(self, job: Job, trust: Trust) -> None:
        self._job = job
        self._trust = trust

    # --- what may be missing -----------------------------------------------------------------------

    @cached_property
    def _more(self) -> bool:
        """Whether the script may start more than the plan says."""
        job = self._job
        if not is_shell_script(job.source) or job.script.unparsed or job.plan.incomplete:
            return True
        if job.plan.by_default and self._trust.worst < Certainty.ASSUMED:
            return True
        sourced = any(use.kind is FileUseKind.SOURCED and use.modes is None for use in job.plan.file_uses)
        return sourced or any(map(_may_start_more, job.plan.host_programs))

    def _doubtful(self, one: Step | Program) -> bool:
        return self._trust.doubtful(conditional=one.conditional, assumed=one.assumed)

    # --- steps and programs ------------------------------------------------------------------------

    @cached_property
    def steps(self) -> Items:
        """The steps in order."""
        return listed(
            ((self._step(step), self._doubtful(step)) for step in self._job.plan.steps), more=self._more
        )

    def _step(self, step: Step) -> Object:
        trust, size = self._trust, step.geometry
        programs = ((self._program(program, step), self._doubtful(program)) for program in step.programs)
        unclear = any(program.code_incomplete for program in step.programs) or not step.programs
        fields = {
            "nodes": trust.count(size.nodes),
            "tasks": trust.count(size.tasks),
            "tasks_per_node": trust.count(size.tasks_per_node),
            "gpus_per_node": trust.count(size.gpus_per_node),
            "containers": listed(self._containers(step), more=unclear or not step.options_complete),
            "background": cel(step.background),
            "nested": cel(step.nested),
            "options": self._options(step.options, complete=step.options_complete),
            "programs": listed(programs, more=unclear),
        }
        return Object(fields, step.span)

    def _options(self, options: Iterable[LayerOption], *, complete: bool) -> Entries:
        """Return options by name; of one that is given twice the last counts."""
        values: dict[str, Any] = {}
        doubtful = set()
        for option in options:
            value = self._trust.text(option.value)
            values[option.name] = value if option.certain and complete else UNKNOWN
            if option.certain:
                doubtful.discard(option.name)
            else:
                doubtful.add(option.name)
        return Entries(values, doubtful, more=not complete)

    @cached_property
    def programs(self) -> Items:
        """All programs; those of steps first."""
        found = [
            (
                self._program(program, step),
                self._doubtful(program) or (step is not None and self._doubtful(step)),
            )
            for step, program in self._job.plan.programs()
        ]
        unclear = any(program.code_incomplete for _, program in self._job.plan.programs())
        return listed(found, more=self._more or unclear)

    def _program(self, program: Program, step: Step | None) -> Object:
        name_of_framework = recognise(program).name
        framework = "" if name_of_framework is FrameworkName.UNKNOWN else name_of_framework.value
        sure = not program.code_incomplete
        name = program.name
        known = name is not None and program.target.certainty <= self._trust.worst
        launcher = program.launcher.name if program.launcher is not None else ""
        fields = {
            "name": cel(name) if known and name is not None else UNKNOWN,
            "module": cel(program.is_module) if known else UNKNOWN,
            "words": self._words(program.words, sure),
            "launcher": cel(launcher) if sure else UNKNOWN,
            "framework": cel(framework) if known else UNKNOWN,
            "environment": self._variables(program.environment, more=self._more),
            "in_step": cel(step is not None),
        }
        return Object(fields, program.span if step is None else step.span)

    def _words(self, words: Iterable[Arg], sure: bool) -> Items:
        return listed(
            ((self._trust.text(word.value), word.optional or word.open) for word in words),
            more=not sure or any(word.open or word.splits for word in words),
        )

    # --- containers --------------------------------------------------------------------------------

    @cached_property
    def containers(self) -> Items:
        """All containers, wherever they are started."""
        found: list[tuple[Object, bool]] = []
        for step in self._job.plan.steps:
            doubt = self._doubtful(step)
            found += [(one, doubt or own) for one, own in self._containers(step)]
        for program in self._job.plan.host_programs:
            found += [(one, self._doubtful(program)) for one in self._own_containers(program)]
        unclear = any(program.code_incomplete for _, program in self._job.plan.programs())
        return listed(found, more=self._more or unclear)

    def _containers(self, step: Step) -> Iterator[tuple[Object, bool]]:
        if step.container is not None:
            given = step.get("container-image") or step.get("container-name")
            doubt = given is not None and not given.certain
            yield self._container(step.container, self._names_image(step)), doubt
        for program in step.programs:
            for one in self._own_containers(program):
                yield one, self._doubtful(program)

    def _own_containers(self, program: Program) -> Iterator[Object]:
        for layer in program.layers:
            if layer.kind is LayerKind.CONTAINER:
                yield self._container(container_of_layer(layer, program.environment))

    def _names_image(self, step: Step) -> bool:
        """Tell whether an option says the image; with ``--container-name`` alone an older step has."""
        return step.get("container-image") is not None or any(
            request.get("container-image") is not None for request in self._job.request.components
        )

    def _container(self, container: Container, names_image: bool = True) -> Object:
        trust = self._trust
        image = trust.text(container.image) if container.image and names_image else UNKNOWN
        fields = {
            "runtime": cel(container.runtime),
            "image": image,
            "mounts": listed(
                ((self._mount(mount, span), False) for mount, span in container.mounts),
                more=not container.mounts_complete,
            ),
            "mounts_home": UNKNOWN if container.mounts_home is None else cel(container.mounts_home),
            "workdir": trust.text(container.workdir),
        }
        return Object(fields, container.span)

    def _mount(self, mount: Value, span: Any) -> Object:
        text = mount.text if mount.certainty <= self._trust.worst else None
        if text is None or "=" in text:  # --mount type=bind,src=...: fields in any order
            return Object({"source": UNKNOWN, "target": UNKNOWN, "flags": UNKNOWN}, span)
        source, _, rest = text.partition(":")
        target, _, flags = rest.partition(":")
        found = [flag for flag in flags.replace("+", ",").split(",") if flag]
        return Object({"source": cel(source), "target": cel(target or source), "flags": cel(found)}, span)

    # --- variables ---------------------------------------------------------------------------------

    @cached_property
    def env(self) -> Entries:
        """The batch shell's variables."""
        return self._variables(self._job.plan.variables, more=self._more)

    def _variables(self, variables: Mapping[str, Value], *, more: bool) -> Entries:
        values = {name: self._trust.text(value) for name, value in variables.items()}
        doubtful = [name for name, value in variables.items() if self._may_be_unset(name, value)]
        return Entries(values, doubtful, more=more)

    def _may_be_unset(self, name: str, value: Value) -> bool:
        if any(isinstance(segment, Choice) for segment in value.segments):
            return True
        if value.certainty is Certainty.ASSUMED and self._trust.worst < Certainty.ASSUMED:
            return True
        return len(value.segments) == 1 and isinstance(value.segments[0], Unknown)


def _may_start_more(program: Program) -> bool:
    """Tell whether a program of the batch host may be a script of its own, or anything at all."""
    name = program.name
    if name is None or program.code_incomplete:
        return True
    shell = any(layer.kind is LayerKind.SHELL for layer in program.layers)
    return shell or name.endswith((".sh", ".bash", ".slurm", ".sbatch")) or "/" in program.target.show()
