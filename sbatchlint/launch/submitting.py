"""Jobs of their own that a script asks for: ``sbatch`` and ``salloc`` inside a job (sbatch(1), salloc(1))."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.fields import settled
from sbatchlint.launch.folders import beside, file_name
from sbatchlint.launch.noting import note_leaf
from sbatchlint.launch.options import arg_text
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, JobText, LaunchPlan, LayerOption, Submission
from sbatchlint.launch.session import Place, Session
from sbatchlint.launch.shells import OWN_NAMES, name_itself
from sbatchlint.launch.slurm_line import SlurmLine, read_line
from sbatchlint.launch.state import State, exported_copy
from sbatchlint.launch.values import EMPTY, Value, text_value
from sbatchlint.slurm.environment import job_variables
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_DEEPEST = 2
"""So many jobs that submit one another are followed."""
_MOST_FOLLOWED = 8
"""So many jobs of one script are followed; of the others what they ask for is told."""
_MOST = 200
_BUDGET = 2_000
"""Commands that are followed of each submitted job."""


def submit(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Note the job that is asked for, with what it starts where its script is known."""
    note_leaf(machine, args, span)
    session = machine.session
    if session.muted or session.submitted >= _DEEPEST or len(session.submissions) >= _MOST:
        return LIKELY
    command = (args[0].text or args[0].value.show()).rsplit("/", 1)[-1]
    words, line = read_line(args, command, session.request.release)
    kind, file, text = _job_text(machine, command, words, line)
    request = None if text is None else _request(machine, words, line, text)
    plan = None
    followed = sum(submission.plan is not None for submission in session.submissions)
    if (
        request is not None
        and text is not None
        and _is_written_here(kind, text)
        and followed < _MOST_FOLLOWED
    ):
        plan = _plan(machine, request, line, text, words[line.rest :], span)
    session.submissions.append(
        Submission(
            command=command,
            words=tuple(words),
            span=args[0].place or span,
            text=kind,
            file=file,
            request=request,
            plan=plan,
            conditional=machine.may_be_passed_over,
            assumed=machine.weak > 0,
            in_task=machine.place.in_task,
            folder=machine.state.folders[-1],
        )
    )
    return LIKELY


def _is_written_here(kind: JobText, text: Value) -> bool:
    """Tell whether the job's script is one that this script holds, and not this script itself."""
    return kind is not JobText.ITSELF and text.span is not None


def _job_text(
    machine: Machine, command: str, words: Sequence[Arg], line: SlurmLine
) -> tuple[JobText, Value | None, Value | None]:
    """Return where the job's script comes from, its file's name, and its text; None for what is not known."""
    operands = words[line.rest :]
    if command == "salloc":
        if not operands and machine.stdin is not None:
            return JobText.INPUT, None, machine.stdin  # its shell reads that
        return JobText.COMMAND, None, operands[0].value if operands else EMPTY
    wrap = _option(line, "wrap")
    if wrap is not None:
        shebang = text_value("#!/bin/sh\n")
        return JobText.WRAP, None, None if wrap.value is None else shebang + wrap.value + text_value("\n")
    if not operands:
        return JobText.INPUT, None, machine.stdin
    file = operands[0].value
    name = file_name(machine.state, file)
    written = machine.state.files.get(name)
    if name in OWN_NAMES or _is_own_name(machine, name):
        return JobText.ITSELF, file, written or text_value(machine.session.request.source.text)
    if written is None:
        found = beside(machine, file)
        written = None if found is None else text_value(found)
    return JobText.FILE, file, written


def _is_own_name(machine: Machine, name: str) -> bool:
    path = machine.session.request.source.path
    return machine.session.submitted == 0 and "/" not in name and name == path.rsplit("/", 1)[-1]


def _option(line: SlurmLine, name: str) -> LayerOption | None:
    return next((option for option in reversed(line.options) if option.name == name), None)


def _request(machine: Machine, words: Sequence[Arg], line: SlurmLine, text: Value) -> JobRequest:
    """Read what the job asks for: its directives under the options of the line."""
    own = [arg.value.show() for arg in words[1 : line.rest]]
    body = "#!/bin/sh\n" if _is_salloc(words) else text.show()
    path = machine.session.request.source.path
    return read_request(Source.from_text(body, path), machine.session.request.release, own)


def _is_salloc(words: Sequence[Arg]) -> bool:
    """Tell whether a line is one of ``salloc``, which reads no directives."""
    return arg_text(words[0]).rsplit("/", 1)[-1] == "salloc"


def _plan(
    machine: Machine, request: JobRequest, line: SlurmLine, text: Value, operands: Sequence[Arg], span: Span
) -> LaunchPlan:
    """Follow the job's script, or the command that its allocation is for."""
    from sbatchlint.launch.evaluate import followed
    from sbatchlint.launch.machine import Machine

    outer = machine.session
    session = Session(
        request,
        job_variables(request),
        beside=outer.beside,
        budget=min(outer.budget, _BUDGET),
        submitted=outer.submitted + 1,
    )
    place = Place(session)
    state = _environment(machine, line)
    child = Machine(place.code(text), state, place, session)
    if operands and operands[0].value is text:  # an allocation's command
        return followed(child, lambda shell: shell.launch(list(operands), span))
    name_itself(state, text)
    state.given, state.arguments = True, settled(operands[1:], operands[0] if operands else None)
    return followed(child, lambda shell: shell.run_code())


def _environment(machine: Machine, line: SlurmLine) -> State:
    """The memory of the job's shell: what is exported, but for what Slurm sets for each job."""
    state = exported_copy(machine.state)
    export = _option(line, "export")
    names = None if export is None else (export.value.show() if export.value is not None else "").split(",")
    for name in list(state.variables):
        kept = names is None or "ALL" in names or name in names
        if not kept or name.startswith("SLURM_"):
            del state.variables[name]
    for item in names or ():
        name, equals, value = item.partition("=")
        if equals and name.isidentifier() and export is not None and export.value is not None:
            known = export.value.text is not None
            state.set(name, text_value(value, export.arg.place) if known else Value(), export=True)
            if not known:
                del state.variables[name]
    return state


__all__ = ["submit"]
