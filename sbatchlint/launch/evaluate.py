"""The door to the evaluation: from a script's tree and its request to the launch plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sbatchlint.launch.code import FileCode
from sbatchlint.launch.layered import Layered
from sbatchlint.launch.machine import Machine
from sbatchlint.launch.modes import first_line_modes
from sbatchlint.launch.outcomes import Outcome
from sbatchlint.launch.plan import LaunchPlan
from sbatchlint.launch.session import OutOfSteps, Place, Session
from sbatchlint.launch.shells import name_itself
from sbatchlint.launch.state import State
from sbatchlint.launch.values import text_value
from sbatchlint.launch.variable import Variable
from sbatchlint.shell.syntax import Script
from sbatchlint.slurm.environment import job_variables
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span


def plan_launches(
    script: Script,
    request: JobRequest,
    *,
    arguments: Sequence[str] | None = None,
    environment: Sequence[tuple[str, str]] = (),
    beside: Callable[[str], str | None] = lambda _: None,
) -> LaunchPlan:
    """Evaluate *script* as the batch shell of *request* would; nothing of it is run.

    *arguments* are the script's own (None: not known), *environment* holds variables of the shell that
    submits it: the job has those that ``--export`` lets through and Slurm does not set itself.
    *beside* gives the text of a file that stands beside the script, for ``source``.
    """
    session = Session(request, job_variables(request), beside=beside)
    code = FileCode(request.source.text, script)
    state = State(
        variables=Layered(
            {
                name: Variable(text_value(value), exported=True)
                for name, value in inherited(request, environment)
            }
        ),
        arguments=None if arguments is None else tuple(map(text_value, arguments)),
        options=first_line_modes(request.source.text),
    )
    name_itself(state, text_value(request.source.text, Span(0, len(request.source.text))))
    return followed(Machine(code, state, Place(session), session), lambda machine: machine.run_code())


def followed(machine: Machine, action: Callable[[Machine], Outcome]) -> LaunchPlan:
    """Do *action*, which is all that the shell process *machine* does, and put together what it started."""
    session = machine.session
    memory = machine.state.variables
    try:
        machine.finished(action(machine))
        memory = machine.state.variables
    except RecursionError:
        session.stop("the script nests too deeply")
        memory = Layered()
    except OutOfSteps as end:
        session.stop(str(end))
        memory = Layered()  # what the rest would have left in it is not known
    return LaunchPlan(
        steps=tuple(session.steps),
        host_programs=tuple(session.host_programs),
        submissions=tuple(session.submissions),
        incomplete=session.incomplete,
        cuts=tuple(session.cuts.values()),
        variables={
            name: value
            for name, held in memory.items()
            if (value := held.first) is not None and not (held.maybe_unset and value.text == "")
        },
        arrays={
            name: held.items for name, held in memory.items() if held.items is not None and held.more is None
        },
        by_default=session.by_default,
        may_stop=session.may_stop,
        file_uses=tuple(session.file_uses),
        written=frozenset(session.written),
    )


def inherited(request: JobRequest, environment: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the variables of the submitting shell that reach the job.

    ``--export`` hands on all without the option or with ``ALL`` in it, none with ``NONE`` or ``NIL``, else
    those that it names without a value (sbatch(1)); what Slurm sets itself it sets over them.  Of a value in
    the list and ``ALL`` the later one wins.
    """
    of_slurm = job_variables(request)
    use = request.get("export")
    names = [] if use is None else (use.value or "").split(",")
    yield from ((name, value) for name, value in _given(names) if name not in of_slurm)
    if {"NONE", "NIL"} & {name.upper() for name in names}:
        return
    every = not names or "ALL" in {name.upper() for name in names}
    given = {name for name, _ in _given(names)}
    for name, value in environment:
        handed_on = name not in given and (every or name in names)
        if handed_on and (name not in of_slurm or of_slurm[name].set is False):
            yield name, value


def _given(names: Sequence[str]) -> list[tuple[str, str]]:
    """The variables that the list gives a value that nothing overrules."""
    upper = [name.upper() for name in names]
    last = max((index for index, name in enumerate(upper) if name == "ALL"), default=-1)
    found = (name.partition("=") for name in names[last + 1 :])
    return [(name, value) for name, equals, value in found if equals and name.isidentifier()]
