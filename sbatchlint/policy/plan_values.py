"""The variables of the launch plan: ``steps``, ``programs``, ``containers`` and ``env``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.launch.layer_containers import container_of_layer
from sbatchlint.launch.plan import Arg, Container, FileUseKind, Layer, LayerKind, LayerOption, Program, Step
from sbatchlint.launch.values import Choice, Unknown, Value
from sbatchlint.lint.job import Job
from sbatchlint.policy.env_changes import Changes, changes, sets_more
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
        return self._sources or any(map(_may_start_more, job.plan.host_programs))

    @cached_property
    def _sources(self) -> bool:
        """Whether the text of another file is read as the script's own."""
        uses = self._job.plan.file_uses
        return any(use.kind is FileUseKind.SOURCED and use.modes is None for use in uses)

    @cached_property
    def _more_programs(self) -> bool:
        """Whether programs may run of which the plan does not tell, as in a script that a step starts."""
        programs = [program for _, program in self._job.plan.programs()]
        return self._more or any(map(_may_start_more, programs))

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
        return listed(found, more=self._more_programs)

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
            "launcher": cel(launcher) if sure and (launcher or name is not None) else UNKNOWN,
            "framework": cel(framework) if known else UNKNOWN,
            "environment": self._variables(program.environment, more=self._more or sets_more(program, step)),
            "started_by": listed(((cel(layer.name), False) for layer in program.layers), more=not sure),
            "login_shell": self._login_shell(program, sure),
            "in_step": cel(step is not None),
        }
        return Object(fields, program.span if step is None else step.span)

    def _login_shell(self, program: Program, sure: bool) -> Any:
        shells = [layer for layer in program.layers if layer.kind is LayerKind.SHELL]
        uses = [use for shell in shells for use in shell.options if _is_login(use)]
        if any(use.certain for use in uses):
            return cel(True)
        unclear = not sure or bool(uses) or not all(shell.complete for shell in shells)
        return UNKNOWN if unclear else cel(False)

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
        return listed(found, more=self._more_programs)

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

    @cached_property
    def _changes(self) -> Changes:
        return changes(self._job.source.text)

    def _variables(self, variables: Mapping[str, Value], *, more: bool) -> Entries:
        values = {name: self._trust.text(value) for name, value in variables.items()}
        doubtful = [name for name, value in variables.items() if self._may_be_unset(name, value)]
        if self._sources or self._job.plan.incomplete or self._changes.evaluates:
            before = [name for name, value in variables.items() if not self._changes.is_after(value)]
            values |= dict.fromkeys(before, UNKNOWN)
        return Entries(values, doubtful, more=more or self._changes.names)

    def _may_be_unset(self, name: str, value: Value) -> bool:
        if any(isinstance(segment, Choice) for segment in value.segments):
            return True
        if value.certainty is Certainty.ASSUMED and self._trust.worst < Certainty.ASSUMED:
            return True
        return len(value.segments) == 1 and isinstance(value.segments[0], Unknown)


def _has_code(shell: Layer) -> bool:
    """Tell whether a shell is given its code on the command line, where it has been read."""
    return any("c" in option.name for option in shell.options if not _is_long(option))


def _is_long(option: LayerOption) -> bool:
    return (option.arg.value.text or "").startswith("--")


def _is_login(option: LayerOption) -> bool:
    """Tell whether an option of a shell makes it a login shell: ``--login``, or an l among letters."""
    return option.name == "login" if _is_long(option) else "l" in option.name


def _may_start_more(program: Program) -> bool:
    """Tell whether a program of the batch host may be a script of its own, or anything at all."""
    name = program.name
    if name is None or program.code_incomplete:
        return True
    kinds = [layer.kind for layer in program.layers]
    shell = any(layer.kind is LayerKind.SHELL and not _has_code(layer) for layer in program.layers)
    own = name in _RUNNERS or name.endswith((".sh", ".bash", ".slurm", ".sbatch"))
    return shell or own or (LayerKind.INTERPRETER not in kinds and "/" in program.target.show())


_RUNNERS = frozenset(("make", "just", "ninja", "snakemake", "nextflow", "parallel", "xargs", "expect"))
"""Programs that start what another file says."""
