"""Where processes are told to meet: addresses and ports, by options of launchers or by MASTER_* variables."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import LaunchPlan, Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.lint.ask.agents import Agent, agents
from sbatchlint.records import dataclass
from sbatchlint.source import Span

FIRST_NODE = '$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'
"""Stands for the name of the job's first node in a shell."""
PORT_OF_JOB = "$((20000 + SLURM_JOB_ID % 10000))"
"""A port that no other job on the node is likely to take."""
_PORTS = ("master-port", "main-process-port", "rdzv-endpoint")


@dataclass(frozen=True, slots=True)
class MeetingPoint:
    """An address or a port, as one launcher or program is told it."""

    value: Value
    place: Span | None
    """The option, or where the variable is set."""
    certain: bool
    """False where the option may be missing on the line."""
    step: Step | None
    program: Program
    agent: Agent | None = None
    """The launcher that is told by an option; None for a variable, and for DeepSpeed's launcher."""

    @property
    def doubtful(self) -> bool:
        """Whether a condition or a default decides if the launcher, or the program, is started."""
        return self.program.doubtful if self.agent is None else self.agent.doubtful


def meeting_addresses(plan: LaunchPlan) -> Iterator[MeetingPoint]:
    """Yield the addresses that launchers are told, then those of programs that no launcher starts."""
    for agent in agents(plan):
        option = agent.address
        if option is not None and option.value is not None:
            yield MeetingPoint(
                option.value, option.arg.place, option.certain, agent.step, agent.program, agent
            )
    yield from _variables(plan, "MASTER_ADDR")


def meeting_ports(plan: LaunchPlan) -> Iterator[MeetingPoint]:
    """Yield the ports, or the addresses with a port, in the same way; no option that may be missing."""
    for agent in agents(plan):
        option = agent.layer.get(*_PORTS)
        if option is not None and option.value is not None and option.certain:
            yield MeetingPoint(option.value, option.arg.place, True, agent.step, agent.program, agent)
    for step, program in plan.programs():
        for layer in program.launchers:
            option = layer.get("master-port") if layer.name == "deepspeed" else None
            if option is not None and option.value is not None and option.certain:
                yield MeetingPoint(option.value, option.arg.place, True, step, program)
    yield from _variables(plan, "MASTER_PORT")


def _variables(plan: LaunchPlan, name: str) -> Iterator[MeetingPoint]:
    for step, program in plan.programs():
        value = program.environment.get(name)
        if value is not None and not program.launchers:
            yield MeetingPoint(value, program.environment_spans.get(name), True, step, program)
