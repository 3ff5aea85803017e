"""Names of options: which there are, and which one a misspelt name is meant for."""

from __future__ import annotations

from sbatchlint.lint.job import Job
from sbatchlint.slurm.options import OptionSpec, option_table, parse_release

_SHORTEST = 3
"""A name of so few letters is one slip away from too many words."""
_ALIKE = 0.75
"""How alike two names are (difflib's ratio) of which one may be meant for the other."""


def sbatch_option(job: Job, name: str) -> OptionSpec | None:
    """The option of sbatch whose long name, without dashes, is *name*; None where there is none."""
    table = option_table()
    return table.get(name) if name in table.names("sbatch", parse_release(job.request.release)) else None


def meant_option(written: str, command: str, release: str | None) -> str | None:
    """The one option of *command* for which *written* (with its dashes) must be a slip; None where not clear.

    Hyphens and underscores, and capitals, count as alike; else one letter may be wrong, missing, too much,
    or have changed places with its neighbour; but a c is never wrong: CPUs are not GPUs.
    """
    if not written.startswith("--"):
        return None
    bare = written[2:].lower().replace("_", "-")
    names = option_table().names(command, parse_release(release))
    if bare in names:
        return bare
    longs = {name for name in names if len(name) > _SHORTEST and bare.count("c") == name.count("c")}
    near = [name for name in longs if one_slip(bare, name)]
    return near[0] if len(near) == 1 else None


def resembles_option(written: str, command: str, release: str | None) -> bool:
    """Tell whether *written* is likely to be meant for an option of *command*, be it not clear for which.

    One letter behind a single dash counts too: plugins can add long names only (spank(7)).
    """
    if not written.startswith("--"):
        return True
    bare = written[2:].lower().replace("_", "-")
    names = option_table().names(command, parse_release(release))
    from difflib import get_close_matches  # loads slowly, and is seldom needed

    return bool(get_close_matches(bare, names, n=1, cutoff=_ALIKE))


def one_slip(word: str, meant: str) -> bool:
    """Tell whether one letter is missing, too much or wrong, or two neighbours are swapped."""
    if len(word) == len(meant):
        wrong = [index for index in range(len(word)) if word[index] != meant[index]]
        swapped = len(wrong) == 2 and sorted(word) == sorted(meant) and wrong[1] == wrong[0] + 1
        return len(wrong) == 1 or swapped
    longer, shorter = sorted((word, meant), key=len, reverse=True)
    return any(longer[:cut] + longer[cut + 1 :] == shorter for cut in range(len(longer)))
