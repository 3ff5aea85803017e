"""SB314 master-port-fixed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from sbatchlint.api import (
    PORT_OF_JOB,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    MeetingPoint,
    Rule,
    Severity,
    Sharing,
    Span,
    Text,
    Value,
    meeting_ports,
    settings_of,
    shares_nodes,
    takes_most_memory,
    words_in_code,
)

_TRAINED = ("RANK", "WORLD_SIZE", "MASTER_ADDR")


class MasterPortFixed(Rule):
    """All jobs of the script meet at the same port, on nodes that they may share.

    ## Why
    Two jobs that come to the same node can't both listen at port 29500.  The second one ends with "The server
    socket has failed to listen on any local network address ... EADDRINUSE", or its processes join the first
    one's group and hang.  The elements of a job array are such jobs, and so is the script that is submitted
    twice.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=2
    #SBATCH --gpus-per-node=2
    export MASTER_ADDR=$(hostname -s)
    export MASTER_PORT=29500  # finding here
    srun python train_ddp.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=2
    #SBATCH --gpus-per-node=2
    export MASTER_ADDR=$(hostname -s)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    srun python train_ddp.py
    ```

    ## Fix
    A port made of the job's number, where the port is an assignment of its own in the batch script and stands
    nowhere else.  It is one of 20000 to 29999, below the range that Linux gives out by itself.

    ## What it can't know
    Whether the nodes are shared.  Nothing is reported for `--exclusive`, `--mem=0`, 8 GPUs per node, 256 GiB
    of memory per node and more (if that is 128 GiB for each GPU), of which few nodes can give as much to a
    second job, and where the cluster's profile says that the partition gives whole nodes.  With one or two
    GPUs on one node sharing is likely; otherwise the finding has little confidence.

    ## References
    - torch/distributed/run.py, `--master-port`
    - https://github.com/catalyst-team/catalyst/pull/716
    """

    code = "SB314"
    name = "master-port-fixed"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for point in meeting_ports(job.plan):
            value = point.value
            port = _fixed_port(value) if _trains(point) else None
            sharing = shares_nodes(job) if port is not None else Sharing.NO
            if port is None or sharing is Sharing.NO or takes_most_memory(job):
                continue
            number = _end(value).rpartition(":")[2]
            span = _of_number(port, number) or point.place
            if span is None or span in seen:
                continue
            seen.add(span)
            likely = sharing is Sharing.LIKELY and not point.doubtful
            yield self.finding(
                span,
                f"every job of this script meets at port {number}, on nodes that can be shared",
                label="the same port for each job",
                help=f"make the port of the job's number: {PORT_OF_JOB}",
                fix=_fix(job, span, number),
                confidence=Confidence.HIGH if likely else Confidence.MEDIUM,
            )


def _trains(point: MeetingPoint) -> bool:
    """Tell whether the port is a launcher's, or the program looks like one of several processes that meet."""
    step, program = point.step, point.program
    if program.launchers:
        return True
    python = program.has_layer("python") or step is not None
    told = any(name in program.environment for name in _TRAINED)
    several = step is not None and step.geometry.tasks is not None and step.geometry.tasks.value > 1
    return python and told and (several or "WORLD_SIZE" in program.environment)


def _fixed_port(value: Value) -> Text | None:
    """The text that ends in the port, if that is written out."""
    last = value.segments[-1] if value.segments else None
    if not isinstance(last, Text):
        return None
    alone = len(value.segments) == 1 and last.text.isdecimal()
    behind = re.search(r":\d{2,5}$", _end(value)) is not None
    return last if (alone and last.text != "0") or behind else None


def _end(value: Value) -> str:
    """The known text that the value ends in."""
    parts = list(takewhile(lambda part: isinstance(part, Text), reversed(value.segments)))
    return "".join(part.text for part in reversed(parts) if isinstance(part, Text))


def _of_number(port: Text, number: str) -> Span | None:
    """Where the digits are written."""
    if port.span is None or len(port.span) != len(port.text) or len(number) > len(port.text):
        return port.span
    return Span(port.span.end - len(number), port.span.end)


def _fix(job: Job, span: Span, number: str) -> Fix | None:
    if any(place.start != span.start for place in words_in_code(job, number)):
        return None
    for setting in settings_of(job):
        value = setting.value
        if value is not None and span in value and job.source.slice(value).strip("\"'") == number:
            return Fix.safe("make the port of the job's number", Edit(value, PORT_OF_JOB))
    return None
