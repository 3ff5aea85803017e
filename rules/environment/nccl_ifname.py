"""SB612 nccl-ifname."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    FrameworkName,
    GivenVariable,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    agents,
    dataclass,
    given_variables,
    is_template,
    programs_given,
    recognise,
    regex,
)

_NCCL = frozenset(("NCCL_SOCKET_IFNAME", "NCCL_OOB_NET_IFNAME"))
_GLOO = frozenset(("GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME"))
_OWN = regex(r"lo|docker\d*|virbr\d*|veth|br-")
"""Interfaces that no other node is reached by; NCCL takes prefixes."""
_OF_GROUPS = ("MASTER_ADDR", "RANK", "WORLD_SIZE")
"""Variables that a group of processes is formed by."""
_STEM = regex(r"eth|en|eno|enp|ens|em|ib|ibp|ibs|hsn|bond|docker|veth")
"""What names of interfaces begin with; no interface is called so."""


@dataclass(frozen=True)
class _Slip:
    """What is wrong with a list of interfaces."""

    message: str
    label: str
    help: str
    severity: Severity
    better: str = ""
    """The list as it is meant, where that is certain."""
    safe: bool = True
    between_nodes: bool = False
    """Whether it shows between several nodes alone."""
    confidence: Confidence = Confidence.HIGH


class NcclIfname(Rule):
    """NCCL or Gloo is told to use an interface that leads nowhere, or in a form that it does not read.

    ## Why
    `NCCL_SOCKET_IFNAME=lo` on several nodes ends in "Connection refused" or a time-out: each rank offers the
    others 127.0.0.1.  `docker0,lo` is mostly meant as "not these" and lacks its `^`.  NCCL reads `^` and `=`
    once, in front of the whole list.  Gloo knows neither, nor prefixes: "Unable to find address for: ^lo".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export NCCL_SOCKET_IFNAME=lo  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export NCCL_SOCKET_IFNAME=ib0
    srun python train.py
    ```

    The mark for "not" stands once:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_SOCKET_IFNAME=^lo,^docker0  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_SOCKET_IFNAME=^lo,docker0
    srun python train.py
    ```

    ## Fix
    A mark that is repeated is taken out, and blanks between the names.  The `^` that a list of `lo` and
    `docker0` lacks is put in on request (`--unsafe-fixes`).

    ## What it can't know
    Which interfaces the nodes have.  On one node `lo` does its work: nothing is said.  A program that nobody
    knows may work on each node by itself: the finding has medium confidence where no launcher is told of
    several nodes, no address to meet at is given and no known framework starts.  Whether Gloo is used
    at all: PyTorch reads its variable where a process group for CPU tensors is made, hence a warning.

    ## References
    - [NCCL: NCCL_SOCKET_IFNAME](https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-socket-ifname)
    - NVIDIA/nccl@5067397c: src/os/linux.cc (`findInterfaces`), src/misc/utils.cc (`parseStringList`)
    - PyTorch: torch/csrc/distributed/c10d/ProcessGroupGloo.cpp (`createDeviceForInterface`)
    """

    code = "SB612"
    name = "nccl-ifname"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for one in () if is_template(job) else given_variables(job):
            text = None if one.value is None else one.value.text
            if not text:
                continue
            if one.name in _NCCL:
                slip = _of_marks(text) or _own_interfaces(job, text, one)
            elif one.name in _GLOO:
                slip = _of_gloo(one.name, text)
            else:
                continue
            if slip is not None:
                yield self._report(job, one, text, slip)

    def _report(self, job: Job, one: GivenVariable, text: str, slip: _Slip) -> Finding:
        known = one.value is not None and one.value.certainty is Certainty.KNOWN
        sure = one.sure and known
        return self.finding(
            one.span,
            f"{one.name}={text}: {slip.message}",
            label=slip.label,
            related=_nodes(job, one) if slip.between_nodes else [],
            help=slip.help,
            fix=_fix(job, one, text, slip),
            severity=slip.severity if sure else Severity.WARNING,
            confidence=slip.confidence if sure else Confidence.MEDIUM,
        )


def _of_marks(text: str) -> _Slip | None:
    """A ``^`` or ``=`` that stands where NCCL takes it for part of a name, or a blank."""
    mark = re.match(r"\^?=?", text)
    head = mark.group() if mark is not None else ""
    names = text[len(head) :].split(",")
    plain = [name.strip().lstrip("^=") for name in names]
    if not all(re.fullmatch(r"[\w.:-]+", name) for name in plain):
        return None
    better = head + ",".join(plain)
    if text.startswith("=^"):
        better = "^=" + ",".join(plain)
    elif any(name.strip()[0] in "^=" and not head for name in names):
        better = ""
    if better == text:
        return None
    marked = [name.strip() for name in names if name.strip()[0] in "^="]
    wrong = marked[0] if marked else next(name for name in names if name != name.strip())
    return _Slip(
        f'NCCL takes "{wrong}" for the name of an interface',
        "^ and = count for the whole list, in front of it" if marked else "a blank is part of the name",
        f"write {better}" if better else "write the list of those to use, or ^ and those not to use",
        Severity.WARNING,
        better,
        safe=bool(better),
    )


def _own_interfaces(job: Job, text: str, one: GivenVariable) -> _Slip | None:
    """Only interfaces that no other node is reached by."""
    names = text.removeprefix("=").split(",")
    if text.startswith("^") or not _nodes(job, one) or not all(map(_OWN.fullmatch, names)):
        return None
    forgotten = names != ["lo"]
    grouped = any(_forms_group(job, step, program) for step, program in programs_given(job, one))
    return _Slip(
        "the other nodes cannot be reached by it"
        if len(names) == 1
        else "none of them leads to the other nodes",
        "^ is missing" if forgotten else "the node itself",
        f"write ^{text}, or name the interface of the network"
        if forgotten
        else "name the interface of the network, or write ^lo",
        Severity.ERROR if grouped else Severity.WARNING,
        f"^{text}" if forgotten else "",
        safe=False,
        confidence=Confidence.HIGH if grouped else Confidence.MEDIUM,
        between_nodes=True,
    )


def _forms_group(job: Job, step: Step | None, program: Program) -> bool:
    """Tell whether the processes of *program* on several nodes surely talk to each other.

    A script of a known framework, a launcher that is told of several nodes, or variables to meet by; what
    else runs on each node may do its work alone.
    """
    nodes = step.geometry.nodes if step is not None else None
    if nodes is None or nodes.value < 2:
        return False
    told = any(agent.program is program and agent.meets for agent in agents(job.plan))
    by_variables = not program.launchers and any(name in program.environment for name in _OF_GROUPS)
    known = recognise(program).name is not FrameworkName.UNKNOWN and not program.launchers
    return told or by_variables or known


def _of_gloo(name: str, text: str) -> _Slip | None:
    reader = "Gloo" if name.startswith("GLOO") else "TensorPipe"
    if text[0] in "^=":
        message, label = f"{reader} looks for an interface of that very name", "it knows neither ^ nor ="
        return _Slip(
            message,
            label,
            "write the names of the interfaces to use",
            Severity.WARNING,
            confidence=Confidence.MEDIUM,
        )
    stems = [one for one in text.split(",") if _STEM.fullmatch(one)]
    if not stems:
        return None
    return _Slip(
        f'{reader} looks for an interface with the name "{stems[0]}"',
        "it knows no prefixes",
        "write the whole name of the interface",
        Severity.WARNING,
        confidence=Confidence.MEDIUM,
    )


def _nodes(job: Job, one: GivenVariable) -> list[Related]:
    """Where it is said that a program which gets the variable runs on several nodes."""
    found: dict[Span, Related] = {}
    for step, _ in programs_given(job, one):
        nodes = step.geometry.nodes if step is not None else None
        if step is None or nodes is None or nodes.value < 2 or nodes.certainty is not Certainty.KNOWN:
            continue
        for span in nodes.spans or (step.span,):
            found.setdefault(span, Related(span, f"{nodes.value} nodes"))
    return list(found.values())


def _fix(job: Job, one: GivenVariable, text: str, slip: _Slip) -> Fix | None:
    """Replace the list where it is written behind the name as it is, in quotes or not."""
    written = job.source.slice(one.span)
    at = written.rfind(text)
    if not slip.better or written[len(one.name) + 1 :].strip("\"'") != text:
        return None
    start = one.span.start + at
    edit = Edit(Span(start, start + len(text)), slip.better)
    return Fix.safe(f"write {slip.better}", edit) if slip.safe else Fix.unsafe(f"write {slip.better}", edit)
