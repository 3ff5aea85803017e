"""SB801 secret-literal."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Rule, Severity, Span


class SecretLiteral(Rule):
    """A token, key or password is written in the script.

    ## Why
    A job script is read by more people than its author thinks.  It is committed, copied to colleagues and
    pasted into tickets; Slurm keeps its own copy for as long as the job is known
    (`scontrol write batch_script`) and, where job scripts are stored in accounting, for years
    (`sacct --batch-script`).  A project folder or a home folder is often readable by the whole group.
    Whoever has the token can read private models and data, spend the account's credit, or push to the
    repository.  A line that is commented out gives the token away just as well.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --job-name=finetune
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=1
    #SBATCH --time=04:00:00

    export HF_TOKEN={{token:huggingface}}  # finding here
    srun python finetune.py --model meta-llama/Llama-3.1-8B
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --job-name=finetune
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=1
    #SBATCH --time=04:00:00

    : "${HF_TOKEN:?export HF_TOKEN in the shell that submits this job}"
    srun python finetune.py --model meta-llama/Llama-3.1-8B
    ```

    ## What it can't know
    Whether the token still works.  Formats with a prefix of their own (Hugging Face, GitHub, W&B, OpenAI,
    AWS, NGC and others) are recognised by prefix, length, alphabet and, for GitHub and npm, checksum, and
    are errors.  A literal that only looks random under a name such as `DB_PASSWORD` or `SERVICE_TOKEN`, and
    a password in a URL, are warnings.  Placeholders (`<your token>`, `hf_xxxx`), variables, command
    substitutions and paths are no secrets.  A secret made of words, or one that is put together from pieces,
    is not seen.

    ## Fix
    None is offered, because removing the line does not take the token back.  Revoke the token where it was
    issued and make a new one.  Keep the new one outside the script: export it in the shell that submits
    (sbatch passes the environment on unless `--export` says otherwise), or source a file that only you can
    read (`chmod 600 ~/.config/job-secrets`).  Let the job stop at once when it is missing: `${HF_TOKEN:?}`.

    ## References
    - [sbatch: --export](https://slurm.schedmd.com/sbatch.html)
    - [scontrol: write batch_script](https://slurm.schedmd.com/scontrol.html)
    - [sacct: --batch-script](https://slurm.schedmd.com/sacct.html)
    - [Hugging Face: user access tokens](https://huggingface.co/docs/hub/security-tokens)
    - [GitHub: token formats](https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/)
    """

    code = "SB801"
    name = "secret-literal"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield one finding for each place; the values appear in none of its texts."""
        for secret in job.secrets:
            sure = secret.is_certain
            what = secret.title if sure else f"likely {secret.title}"
            where = f" in {secret.name}" if secret.name else ""
            yield self.finding(
                _on_one_line(job, secret.span),
                f"everyone who can read this script gets the {what}{where}",
                label="written here",
                help=_advice(secret.name),
                notes=("removing the line is not enough: git's history and Slurm's own copy keep it",),
                severity=Severity.ERROR if sure else Severity.WARNING,
                confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
            )


def _on_one_line(job: Job, span: Span) -> Span:
    """Return *span* up to the end of its first line: a private key is pointed to, not marked whole."""
    line = job.source.line_around(span.start)
    return Span(span.start, min(span.end, line.end))


def _advice(name: str) -> str:
    revoke = "revoke it where it was issued, then "
    if name.isidentifier() and name.isupper():
        return (
            f"{revoke}export {name} in the shell that submits or source a file of mode 0600, "
            f"and check it with ${{{name}:?}}"
        )
    return (
        f"{revoke}keep the new one in a variable that the submitting shell exports or in a file of mode 0600"
    )
