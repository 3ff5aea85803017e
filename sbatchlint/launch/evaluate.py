"""The door to the evaluation: from a script's tree and its request to the launch plan."""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.launch.code import FileCode
from sbatchlint.launch.machine import Machine
from sbatchlint.launch.plan import LaunchPlan
from sbatchlint.launch.session import Place, Session
from sbatchlint.launch.state import State, Variable
from sbatchlint.launch.values import text_value
from sbatchlint.shell.syntax import Script
from sbatchlint.slurm.environment import job_variables
from sbatchlint.slurm.request import JobRequest


def plan_launches(
    script: Script,
    request: JobRequest,
    *,
    arguments: Sequence[str] | None = None,
    environment: Sequence[tuple[str, str]] = (),
) -> LaunchPlan:
    """Evaluate *script* as the batch shell of *request* would; nothing of it is run."""
    session = Session(request, job_variables(request))
    code = FileCode(request.source.text, script)
    state = State(
        variables={name: Variable(text_value(value), exported=True) for name, value in environment},
        arguments=None if arguments is None else tuple(map(text_value, arguments)),
    )
    machine = Machine(code, state, Place(session), session)
    try:
        machine.run(script.body)
    except RecursionError:
        session.incomplete = "the script nests too deeply"
    variables = {name: v.value for name, v in machine.state.variables.items() if v.value is not None}
    return LaunchPlan(tuple(session.steps), tuple(session.host_programs), session.incomplete, variables)
