"""Broken directives: their form and their place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.rules.mutations.mutation import Mutation, directive, each, everywhere


def below_the_first_command(text: str) -> Iterator[str]:
    """Move each directive behind the first command, where sbatch no longer looks."""
    lines = text.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.strip() and not line.startswith("#"))
    if lines[first].rstrip().endswith(("{", "(", "\\", "do")):
        return
    for number, line in enumerate(lines):
        if line.startswith("#SBATCH --"):
            yield "".join([*lines[:number], *lines[number + 1 : first + 1], line, *lines[first + 1 :]])


def letters_swapped(text: str) -> Iterator[str]:
    """Swap two letters in the name of each long option."""
    for match in re.finditer(r"^#SBATCH --(\w)(\w)(\w)", text, re.MULTILINE):
        first, second, third = match.groups()
        if second != third:
            yield text[: match.start(1)] + first + third + second + text[match.end(3) :]


MUTATIONS = (
    Mutation("CRLF at all line ends", "SB011", everywhere(r"\n", "\r\n")),
    Mutation("no shebang", "SB012", each(r"\A#!.*\n", "")),
    Mutation("blank line above the shebang", "SB012", each(r"\A", "\n")),
    Mutation("lower-case directive", "SB103", each("^#SBATCH", "#sbatch")),
    Mutation("blank within #SBATCH", "SB103", each("^#SBATCH", "# SBATCH"), pedantic=True),
    Mutation("blank within every #SBATCH", "SB103", everywhere("^#SBATCH", "# SBATCH")),
    Mutation("indented directive", "SB103", each("^#SBATCH", "  #SBATCH")),
    Mutation("mistyped #SBATCH", "SB103", each("^#SBATCH", "#SBACTH")),
    Mutation("directive below a command", "SB102", below_the_first_command),
    Mutation("command above the directives", "SB102", each(r"\A(#!.*\n)", r"\1set -e\n")),
    Mutation("misspelt option", "SB108", letters_swapped),
    Mutation("underscore in an option", "SB108", each(r"^(#SBATCH --\w+)-", r"\1_")),
    Mutation("one dash for a long option", "SB109", each("^(#SBATCH) --(?=[a-z])", r"\1 -")),
    Mutation("two dashes for a short option", "SB108 SB109", each("^(#SBATCH) -(?=[A-Za-z] )", r"\1 --")),
    Mutation("equals sign behind a short option", "SB109", each("^(#SBATCH -[A-Za-z]) ", r"\1=")),
    Mutation("long dash", "SB107", each("^#SBATCH --", "#SBATCH \N{EM DASH}")),
    Mutation("no-break space", "SB107 SB103", each("^#SBATCH ", "#SBATCH\N{NO-BREAK SPACE}")),
    Mutation(
        "curly quotes",
        "SB107",
        each('^(#SBATCH .*)"(.*)"', "\\1\N{LEFT DOUBLE QUOTATION MARK}\\2\N{RIGHT DOUBLE QUOTATION MARK}"),
    ),
    Mutation("blanks around =", "SB104 SB109 SB111", each("^(#SBATCH --[a-z-]+)=", r"\1 = ")),
    Mutation(
        "note behind a value", "SB104 SB110", each("^(#SBATCH --(?!comment).*)$", r"\1 (was different)")
    ),
    Mutation("blank in the job's name", "SB104", each("^(#SBATCH --job-name=[a-z]+)", r"\1 second")),
    Mutation("hash without quotes", "SB105", each('^(#SBATCH .*)"(.*#.*)"', r"\1\2")),
    Mutation(
        "variable in the log's name", "SB106", each("^(#SBATCH (?:-o |--output=).*)%j", r"\1$SLURM_JOB_ID")
    ),
    Mutation("home folder in the log's name", "SB106", each("^(#SBATCH (?:-o |--output=))", r"\1~/")),
    Mutation("placeholder left", "SB114", each("^(#SBATCH (?:-A |--account=)).*", r"\1<your-account>")),
    Mutation(
        "option without its value", "SB111", each("^(#SBATCH --(?:time|mem|nodes|gpus-per-node))=.*", r"\1")
    ),
    Mutation("unknown value behind --exclusive", "SB209 SB110", each("^(#SBATCH --exclusive)$", r"\1=yes")),
    Mutation("value of --exclusive behind a blank", "SB110", each("^(#SBATCH --exclusive)$", r"\1 user")),
    Mutation("value of --requeue", "SB111 SB209", each("^(#SBATCH --requeue)$", r"\1=yes"), release="22.05"),
    Mutation("option of srun alone", "SB101", directive("#SBATCH --mpi=pmix")),
    Mutation(
        "the same option with another value", "SB113", directive("#SBATCH --time=00:30:00", unless="hetjob")
    ),
    Mutation("option of the command line", "SB118", directive("#SBATCH --test-only", unless="hetjob")),
)
