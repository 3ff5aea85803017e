"""SB608 module-not-initialised."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Related, Rule, Severity, shebang_words, written_commands

_SETS_UP = frozenset("source . eval".split())


class ModuleNotInitialised(Rule):
    """`module` is called in a shell that may not have it.

    ## Why
    `module` is a shell function.  bash jobs get it from the start files, or from the submitting shell, which
    exports it.  A script for `/bin/sh` gets no functions where `sh` is dash, and with `--export=NONE`
    nothing comes along: `module: command not found` (127), and then the wrong compiler, CUDA or Python.

    ## Example
    ```sbatch bad
    #!/bin/sh
    #SBATCH --ntasks=1
    module load cuda/12.4  # finding here
    srun ./bench
    ```

    ```sbatch good
    #!/bin/bash -l
    #SBATCH --ntasks=1
    module load cuda/12.4
    srun ./bench
    ```

    ## Fix
    None: `#!/bin/bash -l` reads the login files; or source the site's file (`/etc/profile.d/modules.sh`,
    `/usr/share/lmod/lmod/init/sh`) first.

    ## What it can't know
    Whether the site's `sh` is bash, and what its `/etc/profile.d`, BASH_ENV or prolog set up.

    ## References
    - [Environment Modules: FAQ](https://modules.readthedocs.io/en/latest/FAQ.html)
    - sbatch(1), `--export`
    """

    code = "SB608"
    name = "module-not-initialised"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        shebang = shebang_words(job)
        if any(word == "--login" or (word.startswith("-") and "l" in word) for word in shebang[1:]):
            return
        export = job.request.get("export")
        plain = bool(shebang) and shebang[0].rsplit("/", 1)[-1] in ("sh", "dash")
        bare = export is not None and (export.value or "").upper() in ("NONE", "NIL")
        if not plain and not bare:
            return
        for command in written_commands(job):
            if command.name in _SETS_UP:
                return
            if command.name in ("module", "ml") and command.words:
                related = []
                if bare and export is not None and export.span is not None:
                    related = [Related(export.span, "the submitting shell's functions stay behind")]
                yield self.finding(
                    command.span,
                    "module may not be found: nothing sets it up in this shell",
                    label="a function of the shell",
                    related=related,
                    help="start the script with #!/bin/bash -l, or source the site's modules.sh before",
                    confidence=Confidence.MEDIUM,
                )
                return
