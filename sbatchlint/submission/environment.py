"""What of the submitting shell's environment is counted in, and what is left alone.

sbatch itself reads some variables as options.  The job inherits the others unless ``--export`` says
otherwise, but any of them may hold a secret, and what a script is known to hold may be shown.  So only values
that can be none are counted: small numbers and switches, under names that promise no secret.  All else stays
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from sbatchlint.regex import regex
from sbatchlint.secrets.names import Says, what_says, words_of

_READ_BY_SBATCH = ("SBATCH_", "SLURM_")
_PLAIN = regex(r"[0-9]{1,6}|true|false|yes|no|on|off", re.IGNORECASE)
_NAME = regex(r"[A-Za-z_]\w*", re.ASCII)
_SET_ANEW = regex(
    r"SLURM|SBATCH_|SRUN_|SALLOC_|PMI|PYXIS_|ENROOT_|HOSTNAME$|TMPDIR$"
    r"|CUDA_VISIBLE_DEVICES$|ROCR_VISIBLE_DEVICES$|ZE_AFFINITY_MASK$|GPU_DEVICE_ORDINAL$"
    r"|SHLVL$|UID$|EUID$|PPID$|BASH|RANDOM$|SECONDS$|EPOCH|LINENO$|OPTIND$|OPTERR$|COLUMNS$|LINES$|HIST"
)
"""Names that Slurm, the shell or a site's prologue sets in the job, whatever stands here."""


def submit_environment(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that sbatch may read as options, sorted by name."""
    return tuple(sorted(item for item in environment.items() if item[0].startswith(_READ_BY_SBATCH)))


def job_environment(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that the job inherits and that may be known, sorted by name.

    sbatch's own are among them: it says itself what it reads there.
    """
    options = (item for item in environment.items() if item[0].startswith("SBATCH_"))
    return tuple(sorted({*options, *_countable(environment.items())}))


def _countable(variables: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for name, value in variables:
        if not _PLAIN.fullmatch(value) or not _NAME.fullmatch(name) or _SET_ANEW.match(name):
            continue
        if what_says(words_of(name)) is Says.NOTHING and not _of_secrets(name):
            yield name, value


def _of_secrets(name: str) -> bool:
    """Tell whether a word of the name, wherever it stands, is one that secrets have in theirs."""
    return not {"pin", "pass", "pw", "otp", "token", "secret", "key", "code", "auth"}.isdisjoint(
        words_of(name)
    )
