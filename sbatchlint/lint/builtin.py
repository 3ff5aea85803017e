"""The engine's own rules: about the reading of the file and about suppressions, not about the job."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from sbatchlint.lint.families import is_guest_code
from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.lint.unread import causes, placeholder_beside
from sbatchlint.lint.unused import unused_suppressions

if TYPE_CHECKING:
    from collections.abc import Collection

    from sbatchlint.lint.job import Job
    from sbatchlint.lint.scopes import Suppressions
    from sbatchlint.source import Source

UNUSED_SUPPRESSION = "SB002"
"""The one code whose fixes delete comments, and which a good fix elsewhere may bring about."""


class UnreadableStatement(Rule):
    """A part of the script could not be read, so it was not checked.

    ## Why
    The shell text is checked statement by statement.  Where a statement is not valid shell, or is written in
    a way that neither of the two shell parsers understands, it is left out and the rest of the script is
    still checked.  Bash would often stop there as well, in the middle of a paid allocation:
    `syntax error near unexpected token`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname
    for node in a b; echo $node; done  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname
    for node in a b; do echo $node; done
    ```

    A placeholder, which the shell takes for redirections:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname <options>  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname --fqdn
    ```

    ## What it can't know
    Whether the statement is wrong or only unusual.  `bash -n FILE` tells whether bash itself can read it.  A
    compound command that is wrong somewhere inside is reported once, where it begins to be.  Files that a
    program fills in first are no scripts yet and are passed over.

    ## References
    - GNU Bash manual, section 4.3.1, option `-n` of `set`
    """

    code = "SB001"
    name = "unreadable-statement"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield one finding for each part that could not be read."""
        from sbatchlint.lint.ask.placeholders import is_template

        if is_template(job):
            return
        for unparsed in causes(job.source, job.script.unparsed):
            blank = placeholder_beside(job.source, unparsed.span)
            if blank is not None:
                text = job.source.slice(blank)
                yield self.finding(
                    blank,
                    f"{text} is still to be filled in: the shell takes < and > for redirections",
                    label="a placeholder",
                    help="write the value",
                )
                continue
            yield self.finding(
                unparsed.span,
                "this part of the script could not be read, so it was not checked",
                label=unparsed.reason,
                help="see what `bash -n` says of the script",
            )


class SuppressionRule(Rule):
    """A rule about suppressions: it is asked by the engine once all other rules have answered."""

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield nothing: what there is to say depends on the other rules' findings."""
        yield from ()

    @abstractmethod
    def report(
        self,
        source: Source,
        suppressions: Suppressions,
        ran: Collection[str],
        suggest: Callable[[str], str | None],
    ) -> Iterator[Finding]:
        """Yield what is wrong with *suppressions*, given the codes of the rules that ran to their end."""


class UnusedSuppression(SuppressionRule):
    """A suppression answers no finding.

    ## Why
    A suppression that has outlived its finding hides the next one: whoever breaks that line again is not
    told.  It also makes readers look for a problem that is not there.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname  # sbatchlint: ignore[SB001] the old launcher wrote this line # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname
    ```

    ## Fix
    The code that answers nothing is taken out of the comment; when none is left, the whole comment goes, with
    its reason.  Nothing else is touched.

    ## What it can't know
    Only rules that ran can be unused: nothing is said of the codes that `--select` or `--ignore` left out, of
    a prefix or family of which they left out one, nor of a script that could be read in part only.

    ## References
    - The forms of a suppression: `# sbatchlint: ignore[CODE] reason` on a line or alone above it,
      `ignore-file[CODE]` at the top, `off[CODE]` and `on[CODE]` around a block
    """

    code: ClassVar[str] = UNUSED_SUPPRESSION
    name = "unused-suppression"
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS

    def report(
        self,
        source: Source,
        suppressions: Suppressions,
        ran: Collection[str],
        suggest: Callable[[str], str | None],
    ) -> Iterator[Finding]:
        """Yield one finding for each comment that suppresses something in vain."""
        for unused in unused_suppressions(source, suppressions, set(ran) - {self.code}):
            yield self.finding(
                unused.span,
                f"the suppression of {unused.keys} answers no finding",
                label="nothing to suppress here",
                help="remove it",
                fix=unused.fix,
            )


class InvalidSuppression(SuppressionRule):
    """A suppression cannot be understood, so it suppresses nothing.

    ## Why
    Every suppression names the rules that it answers, in brackets: by code, name, prefix (`SB4`) or family
    (`expansion`).  One without brackets, or with a code that does not exist, has no effect; its author
    believes that a finding has been dealt with.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    # sbatchlint: ignore  # finding here
    hostname
    # sbatchlint: ignore-file[no-such-rule] we know  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    hostname
    ```

    ## What it can't know
    A comment that only talks about sbatchlint is not taken for a suppression.  A code with other letters than
    `SB` may be that of a package of rules that is not loaded here, so nothing is said of it.

    ## References
    - The forms of a suppression: `# sbatchlint: ignore[CODE] reason` on a line or alone above it,
      `ignore-file[CODE]` at the top, `off[CODE]` and `on[CODE]` around a block
    """

    code = "SB003"
    name = "invalid-suppression"
    severity = Severity.WARNING

    def report(
        self,
        source: Source,
        suppressions: Suppressions,
        ran: Collection[str],
        suggest: Callable[[str], str | None],
    ) -> Iterator[Finding]:
        """Yield one finding for each comment or entry that has no effect."""
        for malformed in suppressions.malformed:
            yield self.finding(malformed.span, malformed.problem, help=malformed.help)
        for entry in suppressions.unknown:
            if is_guest_code(entry.key):
                continue
            near = suggest(entry.key)
            yield self.finding(
                entry.span,
                f"there is no rule {entry.key!r} to suppress",
                help=f"did you mean {near!r}?"
                if near
                else "give the code or the name of a rule, a prefix or a family",
            )
        for entry in suppressions.unopened:
            yield self.finding(
                entry.span,
                f"{entry.key} is switched on here but was not off",
                help=f"write `# sbatchlint: off[{entry.key}]` where the block begins",
            )
