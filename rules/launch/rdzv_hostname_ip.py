"""SB317 rdzv-hostname-ip."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    FIRST_NODE,
    Confidence,
    Finding,
    Job,
    MeetingPoint,
    Related,
    Rule,
    Severity,
    Span,
    Unknown,
    meeting_addresses,
    regex,
)

_COMMAND = regex(r"\bhostname\s+(?P<option>-[iI]|--ip-address|--all-ip-addresses)\b(?P<rest>[^)`]*)")
_ALL = ("-I", "--all-ip-addresses")
_PICKS = regex(r"awk|cut|head|grep|sed|tr\b|xargs|python|perl")


class RdzvHostnameIp(Rule):
    r"""The address to meet at is what `hostname -I` or `hostname --ip-address` prints.

    ## Why
    `hostname -I` prints all addresses of the machine with a blank behind each, so `$IP:29500` is
    `10.1.0.4 192.168.3.4 :29500`.  `hostname --ip-address` looks the machine's own name up, and where
    `/etc/hosts` says so it prints 127.0.1.1 or several addresses: "The client socket has failed to connect
    to [localhost]:29500".  The node's name does not have these faults: the other nodes resolve it themselves.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(hostname -I)  # finding here
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint="$HEAD:24000" train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(hostname -s)
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint="$HEAD:24000" train.py
    ```

    ## What it can't know
    What the nodes print.  `hostname -I` without a filter behind it is wrong nearly everywhere; `hostname
    --ip-address` works on many clusters and is reported with little confidence.  A site whose nodes don't
    know each other by name needs an address.

    ## References
    - hostname(1): "Avoid using this option; use hostname --all-ip-addresses instead"
    - https://github.com/pytorch/pytorch/issues/75871
    """

    code = "SB317"
    name = "rdzv-hostname-ip"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for point in filter(_is_for_several, meeting_addresses(job.plan)):
            place = point.place
            for leaf in point.value.leaves():
                found = _command(job, leaf) if isinstance(leaf, Unknown) else None
                if found is None or leaf.span is None or leaf.span in seen:
                    continue
                seen.add(leaf.span)
                everything = found["option"] in _ALL
                yield self.finding(
                    leaf.span,
                    f"the nodes meet at what `hostname {found['option']}` prints, which may be "
                    + ("several addresses" if everything else "127.0.1.1 or several addresses"),
                    label="all of its addresses" if everything else "the address of its own name",
                    related=[Related(place, "used here")] if place is not None and place != leaf.span else [],
                    help=f"use the name of the first node: {FIRST_NODE}",
                    confidence=Confidence.HIGH if everything else Confidence.MEDIUM,
                )


def _is_for_several(point: MeetingPoint) -> bool:
    """Whether processes of several nodes may meet there."""
    if point.agent is not None:
        return point.agent.nodes is None or point.agent.meets
    nodes = point.step.geometry.nodes if point.step is not None else None
    return point.step is not None and (nodes is None or nodes.value > 1)


def _command(job: Job, leaf: Unknown) -> re.Match[str] | None:
    """The call of hostname whose output *leaf* is, if nothing picks one address of it."""
    if not leaf.name.startswith(("$(", "`")) or leaf.span is None:
        return None  # something has been cut from it since
    written = job.source.slice(leaf.span)
    found = _COMMAND.search(written)
    return None if found is None or _PICKS.search(found["rest"]) else found
