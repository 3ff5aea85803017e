"""SB221 array-index-base."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, OptionUse, Pick, Related, Rule, Severity, picks, slurm_mentions

_SHOWN = 3
_MOST = 100_000


class ArrayIndexBase(Rule):
    r"""Tasks of an array look past the end of the list that they pick from, or for a line 0.

    ## Why
    The elements of a bash array are counted from 0: with four of them, `--array=1-4` never uses the first,
    and the last task gets an empty word.  The program then runs with its default or with the next option as
    the value.  Lines of a file are counted from 1: `sed -n 0p` ends with "invalid usage of line address 0",
    awk and head print nothing.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --array=1-4
    lrs=(1e-3 5e-4 1e-4 5e-5)
    lr=${lrs[$SLURM_ARRAY_TASK_ID]}  # finding here
    srun python train.py --lr "$lr"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --array=0-3
    lrs=(1e-3 5e-4 1e-4 5e-5)
    lr=${lrs[$SLURM_ARRAY_TASK_ID]}
    srun python train.py --lr "$lr"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --array=0-9
    FILE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" files.txt)  # finding here
    srun python convert.py "$FILE"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --array=1-10
    FILE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" files.txt)
    srun python convert.py "$FILE"
    ```

    ## What it can't know
    The length of a list that is read from a file or made by a command.  An index that is computed
    (`$((SLURM_ARRAY_TASK_ID - 1))`) is taken to be right, and a script that tests the index knows what it
    does.

    ## References
    - sbatch(1), "Job Array Support"
    - bash(1), "Arrays"
    - https://github.com/RILAB/lab-docs/issues/2
    """

    code = "SB221"
    name = "array-index-base"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        array, use = job.request.array, job.request.get("array")
        if array is None or use is None or use.span is None or array.count() == 0:
            return
        if any(m.name == "SLURM_ARRAY_TASK_ID" and m.tested for m in slurm_mentions(job)):
            return
        indices = array.indices(_MOST)
        for pick in picks(job):
            if pick.length is None:
                if indices[0] == 0:
                    yield self._no_line(pick, use)
            elif indices[-1] >= pick.length:
                yield self._past_end(pick, pick.length, indices, use)

    def _no_line(self, pick: Pick, use: OptionUse) -> Finding:
        does = "stops with an error" if pick.what == "sed" else "prints nothing"
        assert use.span is not None
        return self.finding(
            pick.span,
            f"task 0 of the array asks {pick.what} for line 0, and it {does}",
            label="lines are counted from 1",
            related=[Related(use.span, "begins with 0")],
            help="begin the array with 1, or add 1 to the index",
        )

    def _past_end(self, pick: Pick, length: int, indices: tuple[int, ...], use: OptionUse) -> Finding:
        missing = [str(index) for index in indices if index >= length]
        who = "tasks {} of the array get" if len(missing) > 1 else "task {} of the array gets"
        shown = ", ".join(missing[:_SHOWN]) + (" ..." if len(missing) > _SHOWN else "")
        related = [Related(use.span, "the indices")] if use.span is not None else []
        if pick.defined is not None:
            related.append(Related(pick.defined, f"{length} elements, 0 to {length - 1}"))
        late = indices[0] > 0
        return self.finding(
            pick.span,
            f"{who.format(shown)} nothing from {pick.what}",
            label=f"{pick.what} ends with element {length - 1}",
            related=related,
            help=f"set --array=0-{length - 1}" + (", or subtract 1 from the index" if late else ""),
            notes=["element 0 is never used"] if late else [],
        )
