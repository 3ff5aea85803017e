"""SB330 master-port-range."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    PORT_OF_JOB,
    Certainty,
    Confidence,
    Finding,
    Job,
    Rule,
    Severity,
    Span,
    Text,
    Unknown,
    Value,
    meeting_ports,
    regex,
)

_LAST = 65535
_PRIVILEGED = 1024
_JOB_NUMBER = regex(
    r"\$\{?SLURM_JOB_?ID\}?|"
    r"\$\(\(\s*(?:\d+\s*\+\s*)?(?:\$?\{?SLURM_JOB_?ID\}?)(?:\s*\+\s*\d+)?\s*\)\)"
)
_EPHEMERAL = range(32768, 61000)
"""What Linux gives out by itself (`net.ipv4.ip_local_port_range`)."""


class MasterPortRange(Rule):
    r"""The port to meet at is one that a job can't have, or that Linux may have given to another program.

    ## Why
    Ports below 1024 are for root ("Permission denied"), and above 65535 there are none ("port must be
    0-65535").  From 32768 to 60999 Linux picks ports for outgoing connections, so that now and then the port
    is taken when the job starts ("EADDRINUSE").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:77777 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:27777 train.py
    ```

    ## What it can't know
    The range of the site's nodes: a port among Linux's own is for information only.  Of the ports that are
    computed only the job's number itself is reported, with less confidence: a young cluster has small ones.

    ## References
    - https://docs.kernel.org/networking/ip-sysctl.html (`ip_local_port_range`)
    - bind(2), EACCES
    """

    code = "SB330"
    name = "master-port-range"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for point in meeting_ports(job.plan):
            value = point.value
            port, span = _port(value), _digits(value) or point.place
            judged = _judge(port) if port is not None else _of_job_number(value)
            if judged is None or span is None or span in seen:
                continue
            seen.add(span)
            message, severity = judged
            sure = value.certainty is not Certainty.ASSUMED and not point.doubtful
            if severity is Severity.ERROR and not sure:
                severity = Severity.WARNING
            yield self.finding(
                span,
                message,
                label="the port to meet at",
                help=f"take one of the job's own: {PORT_OF_JOB}",
                severity=severity,
                confidence=Confidence.HIGH if sure and port is not None else Confidence.MEDIUM,
            )


def _judge(port: int) -> tuple[str, Severity] | None:
    if port > _LAST:
        return f"there is no port {port}: the last one is {_LAST}", Severity.ERROR
    if 0 < port < _PRIVILEGED:
        return f"port {port} is for root alone", Severity.WARNING
    if port in _EPHEMERAL:
        return f"port {port} is one that Linux gives to other connections", Severity.INFO
    return None


def _of_job_number(value: Value) -> tuple[str, Severity] | None:
    """A port that grows with the number of the job, without a remainder that keeps it small."""
    last = value.segments[-1] if value.segments else None
    if not isinstance(last, Unknown) or not _JOB_NUMBER.fullmatch(last.name):
        return None
    before = value.segments[-2] if len(value.segments) > 1 else None
    if before is not None and not (isinstance(before, Text) and before.text.endswith(":")):
        return None
    return f"{last.name} is no port once the cluster has run {_LAST} jobs", Severity.WARNING


def _port(value: Value) -> int | None:
    """The port at the end of the value: the whole of it, or behind a colon."""
    text, known = "", True
    for segment in reversed(value.segments):
        known = isinstance(segment, Text)
        if not isinstance(segment, Text):
            break
        text = segment.text + text
    found = re.search(r":(\d{1,7})$", text) or (re.fullmatch(r"(\d{1,7})", text) if known else None)
    return int(found[1]) if found else None


def _digits(value: Value) -> Span | None:
    last = value.segments[-1] if value.segments else None
    text, span = getattr(last, "text", ""), getattr(last, "span", None)
    found = re.search(r"(?<!\d)\d+$", text)
    if span is None or found is None or len(span) != len(text):
        return None
    return Span(span.start + found.start(), span.end)
