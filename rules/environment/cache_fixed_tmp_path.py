"""SB604 cache-fixed-tmp-path."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    regex,
    settings_of,
)

_NAMES = regex(
    r"(?:UV_CACHE_DIR|PIP_CACHE_DIR|XDG_CACHE_HOME|XDG_RUNTIME_DIR|TRITON_CACHE_DIR|TORCHINDUCTOR_CACHE_DIR|"
    r"TORCH_EXTENSIONS_DIR|TORCH_HOME|HF_HOME|HF_HUB_CACHE|HF_DATASETS_CACHE|TRANSFORMERS_CACHE|NEMO_HOME|"
    r"RAY_TMPDIR|RAY_TEMP_DIR|MPLCONFIGDIR|NUMBA_CACHE_DIR|CUDA_CACHE_PATH|JAX_COMPILATION_CACHE_DIR|"
    r"APPTAINER_CACHEDIR|SINGULARITY_CACHEDIR|APPTAINER_TMPDIR|SINGULARITY_TMPDIR|WANDB_CACHE_DIR|WANDB_DIR|"
    r"VLLM_CACHE_ROOT|MIOPEN_USER_DB_PATH|MIOPEN_CUSTOM_CACHE_DIR)"
)
_SHARED_BY_NODES = frozenset("UV_CACHE_DIR HF_HOME HF_HUB_CACHE HF_DATASETS_CACHE NEMO_HOME".split())
"""Of several nodes these should not be under /tmp at all, of which SB601 speaks."""
_VALUE = regex(r"(?P<quote>[\"']?)(?P<path>/(?:tmp|var/tmp|dev/shm)/[\w./-]+)(?P=quote)")


class CacheFixedTmpPath(Rule):
    """A cache in /tmp has the same name for every user and every job.

    ## Why
    The first user who runs the script on a node makes `/tmp/uv_cache`; it stays when the job ends.  The next
    one cannot write there (`PermissionError: [Errno 13] Permission denied: '/tmp/uv_cache'`), on that node
    only, so that the job fails now and then.  Two jobs of one user on a node take each other's files away.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export UV_CACHE_DIR=/tmp/uv_cache  # finding here
    srun uv run python eval.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export UV_CACHE_DIR=/tmp/uv_cache_$USER
    srun uv run python eval.py
    ```

    ## Fix
    `_$USER` is added.  Add `$SLURM_JOB_ID` as well where jobs must not share the folder.

    ## What it can't know
    Whether the site gives each job a `/tmp` of its own (`job_container/tmpfs`), unless a cluster profile says
    so (`private-tmp`), or the job runs in a container that has one.  Such a script is reported as less sure.

    ## References
    - [Slurm: job_container/tmpfs](https://slurm.schedmd.com/job_container.conf.html)
    """

    code = "SB604"
    name = "cache-fixed-tmp-path"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        several = any(
            step.geometry.nodes is not None and step.geometry.nodes.value > 1 for step in job.plan.steps
        )
        private = job.cluster.settings.private_tmp if job.cluster is not None else None
        for setting in settings_of(job):
            if setting.value is None or not _NAMES.fullmatch(setting.name):
                continue
            if several and setting.name in _SHARED_BY_NODES:
                continue
            match = _VALUE.fullmatch(job.source.slice(setting.value))
            if match is None or (private and not match["path"].startswith("/var/")):
                continue
            end = setting.value.start + match.end("path")
            literal = match["quote"] == "'" or match["path"].endswith("/")
            yield self.finding(
                setting.span,
                f"other users' jobs have the same {match['path']} on the node, and own it",
                label="the same name for everybody",
                help=f"write {match['path'].rstrip('/')}_$USER",
                fix=None if literal else Fix.safe("add the user's name", Edit(Span(end, end), "_$USER")),
                confidence=Confidence.HIGH if private is False else Confidence.MEDIUM,
            )
