"""SB920 path-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    NeededPath,
    PathKind,
    Rule,
    Severity,
    Side,
    Span,
    absent_paths,
    lies_under,
    parse_release,
)

_LOG_FOLDER_MADE_SINCE = (23, 2)
_WHAT = {
    PathKind.IMAGE: "the image",
    PathKind.MOUNT: "the folder to be mounted",
    PathKind.PROGRAM: "the program",
    PathKind.SOURCED: "the file that is sourced",
    PathKind.FOLDER: "the folder",
    PathKind.LOG_FOLDER: "the folder of the log",
    PathKind.REPOSITORY: "the folder on PYTHONPATH",
    PathKind.DATA: "what the program is told to read",
    PathKind.INPUT: "the input",
    PathKind.SUBMITTED: "the script that is submitted",
    PathKind.SECRET: "the file of the credential",
}


class PathMissing(Rule):
    """A file that the job needs is not there.

    ## Why
    A name with a slip in it, an image that somebody has moved, a checkout that was never made: the job waits
    for hours in the queue and ends in its first second, with `No such file or directory` or `pyxis: failed to
    import docker image`.  With `--check-paths`, in the folder from which the job is submitted, sbatchlint
    looks whether images, mount sources, scripts, sourced files and folders are there.  It opens nothing.

    ## Example
    With `--check-paths`, on a file system that lacks

    ```text missing
    /lustre/nemo-25.70.sqsh
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=/lustre/nemo-25.70.sqsh --no-container-mount-home python t.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=/lustre/nemo-25.07.sqsh --no-container-mount-home python t.py
    ```

    ## Fix
    None: only its author knows what file was meant.

    ## What it can't know
    What an image holds, what is under names that the environment decides, and what lies on the node's own
    disk: folders such as `/tmp`, `/opt` and `/etc` are passed over.  Nor whether something else makes the
    file before the job starts; what the script makes itself is not looked for.

    ## References
    - sbatch(1), `--chdir`
    - [NVIDIA/pyxis](https://github.com/NVIDIA/pyxis)
    """

    code = "SB920"
    name = "path-missing"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        absent = {_host_path(needed): needed for needed in reversed([*absent_paths(job)])}
        told: dict[tuple[PathKind, Span | None], list[str]] = {}
        for path, needed in reversed(absent.items()):
            around = (folder for folder, one in absent.items() if folder != path and one.must)
            if not any(lies_under(path, folder) for folder in around):  # else the two have one cause
                told.setdefault((needed.kind, needed.place), []).append(path)
        for paths in told.values():
            yield self._finding(job, absent[paths[0]], *paths)

    def _finding(self, job: Job, needed: NeededPath, path: str, *more: str) -> Finding:
        inside = needed.side is Side.CONTAINER and needed.path.shown != path
        within = f", which the container has as {needed.path.shown}" if inside else ""
        severity, confidence = _level(job, needed)
        return self.finding(
            needed.place or job.source.line_span(1),
            f"{_WHAT[needed.kind]} is not there: {path}{within}",
            label="no such file or folder",
            notes=[f"nor are {len(more)} more of this place, {more[0]} among them"] if more else [],
            help=f"make it, or correct the name; it is looked for {_from_where(path)}",
            severity=severity,
            confidence=confidence,
        )


def _host_path(needed: NeededPath) -> str:
    place = needed.host or needed.path
    return place.shown


def _from_where(path: str) -> str:
    absolute = path.startswith(("/", "$"))
    return "by its whole name" if absolute else "from the folder that the job is submitted in"


def _level(job: Job, needed: NeededPath) -> tuple[Severity, Confidence]:
    if needed.kind is PathKind.LOG_FOLDER:
        release = parse_release(job.release)
        if release is None or release >= _LOG_FOLDER_MADE_SINCE:
            return Severity.INFO, Confidence.LOW
    if not needed.must:
        return Severity.INFO, Confidence.MEDIUM
    if needed.path.by_default or (needed.host is not None and needed.host.by_default):
        return Severity.WARNING, Confidence.MEDIUM
    return Severity.WARNING, Confidence.HIGH
