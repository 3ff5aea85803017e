"""Shell blocks in Markdown: which are read, and that every place is that of the whole file."""

from __future__ import annotations

import pytest

from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.markdown import blocks, lint_markdown
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source

TORCHRUN = "srun torchrun --nproc_per_node=8 train.py\n"
RULES = Registry.load().select(("SB204", "SB301", "SB012", "SB114"))
SALLOC = "salloc -N 2 --ntasks-per-node=8 --gpus-per-node=8\n"


def lint(text: str) -> FileResult:
    result = lint_markdown(Source.from_text(text, "guide.md"), RULES, LintOptions())
    assert not result.internal_errors
    return result


def places(text: str) -> list[tuple[str, str]]:
    """The code of each finding and the text that it points at."""
    result = lint(text)
    return [(found.code, result.source.slice(found.span)) for found in result.findings if found.serious]


def fenced(body: str, language: str = "bash", indent: str = "", fence: str = "```") -> str:
    lines = [f"{fence}{language}", *body.splitlines(), fence]
    return "# Title\n\nText – with a dash.\n\n" + "".join(f"{indent}{line}\n" for line in lines) + "\nMore.\n"


@pytest.mark.parametrize(
    ("indent", "language", "fence"),
    [
        ("", "bash", "```"),
        ("   ", "sh", "```"),
        ("\t", "shell", "````"),
        ("", "", "~~~"),
        ("  ", "console", "~~~"),
    ],
)
def test_lines_to_be_typed(indent: str, language: str, fence: str) -> None:
    found = places(fenced(SALLOC + TORCHRUN, language, indent, fence))
    assert ("SB301", "--ntasks-per-node=8") in found


def test_prompts_and_what_is_printed() -> None:
    session = f"$ {SALLOC}salloc: Granted job 1\nsrun is fun\nuser@host:~$ {TORCHRUN}step: 1\n"
    assert ("SB301", "--ntasks-per-node=8") in places(fenced(session, "console"))
    (block,) = blocks(Source.from_text(fenced(session, "console")))
    assert "fun" not in block.text
    assert "Granted" not in block.text


def test_a_comment_is_no_prompt_of_root() -> None:
    assert ("SB301", "--ntasks-per-node=8") in places(fenced(f"# get the nodes\n{SALLOC}{TORCHRUN}"))
    script = "#!/bin/bash\n#SBATCH --nodes=1\n# too much\n#SBATCH --mem=16GiB\nsrun hostname\n"
    assert places(fenced(script, "sh")) == [("SB204", "16GiB")]
    session = f"root@login:~# {SALLOC}# {TORCHRUN}"
    assert ("SB301", "--ntasks-per-node=8") in places(fenced(session, "console"))


def test_a_line_that_goes_on_behind_a_prompt() -> None:
    session = "$ salloc -N 2 \\\n    --ntasks-per-node=8 --gpus-per-node=8\nok\n$ " + TORCHRUN
    assert ("SB301", "--ntasks-per-node=8") in places(fenced(session, "console", "  "))


def test_a_batch_script() -> None:
    script = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --mem=16GiB\nsrun hostname\n"
    assert places(fenced(script)) == [("SB204", "16GiB")]
    assert places(fenced(script, indent="    ")) == [("SB204", "16GiB")]


def test_a_part_of_a_script_with_places_to_fill_in() -> None:
    assert places(fenced("#SBATCH --account=<yours>\n#SBATCH --nodes=2\nsrun hostname\n")) == []


@pytest.mark.parametrize(
    "text",
    [
        fenced("import os\nsrun = 1\n", "python"),
        fenced("echo hello\n"),
        "Type `srun --nodes=2 hostname`.\n",
        "    srun torchrun --nproc_per_node=8 t.py\n",
        fenced(TORCHRUN, "yaml"),
        fenced(TORCHRUN),
        "```bash\nsrun never closed\n",
    ],
    ids=["python", "no Slurm", "inline", "indented", "yaml", "a job asked for elsewhere", "open"],
)
def test_nothing_to_say(text: str) -> None:
    assert places(text) == []


def test_nothing_is_fixed() -> None:
    assert all(found.fix is None for found in lint(fenced(SALLOC + TORCHRUN)).findings)


def test_a_comment_silences() -> None:
    quiet = SALLOC.rstrip("\n") + "  # sbatchlint: ignore[SB301] on purpose\n"
    result = lint(fenced(quiet + TORCHRUN))
    assert "SB301" not in {found.code for found in result.findings}
    assert len(result.suppressed) == 1


def interactive(text: str) -> Job:
    return Job(Source.from_text(text, "run.sh"), LintOptions(interactive=True))


def test_without_salloc_nothing_of_the_job_is_known() -> None:
    job = interactive(TORCHRUN)
    assert job.request.nodes is None
    assert job.request.ntasks is None
    assert [step.geometry.nodes for step in job.plan.steps] == [None]


def test_what_salloc_asks_for() -> None:
    job = interactive('N=4\nsalloc -N $N --gpus-per-node="8"\n' + TORCHRUN)
    assert job.request.nodes is not None
    assert job.request.nodes.value == 4
    assert job.request.gpus_per_node is not None
    use = job.request.get("gpus-per-node")
    assert use is not None
    assert use.span is not None
    assert job.source.slice(use.span) == '--gpus-per-node="8"'


@pytest.mark.parametrize(
    "text", ["salloc -N $NODES\n", "salloc -N1\nsalloc -N2\n", "if [ $X ]; then salloc -N 2; fi\n"]
)
def test_a_salloc_that_does_not_tell(text: str) -> None:
    assert interactive(text + TORCHRUN).request.nodes is None


def test_a_command_behind_salloc() -> None:
    job = interactive("salloc -N 2 --ntasks-per-node=8 " + TORCHRUN)
    assert [step.geometry.tasks and step.geometry.tasks.value for step in job.plan.steps] == [16]


def test_who_expands_what_is_typed() -> None:
    rules = Registry.load().select(("SB401",))
    text = fenced(SALLOC + 'srun bash -c "torchrun --node_rank=$SLURM_NODEID --master_addr=h t.py"\n')
    (found,) = lint_markdown(Source.from_text(text, "guide.md"), rules, LintOptions()).findings
    assert found.message == "$SLURM_NODEID is expanded by your shell, so every task gets the same"


def launchers_per_node(text: str, release: str | None = None) -> list[str]:
    """How severe it is, where typed lines start several launchers on a node; empty where none does."""
    options = LintOptions(interactive=True, release=release)
    result = lint_source(Source.from_text(text, "run.sh"), Registry.load().select(), options)
    return [finding.severity.value for finding in result.findings if finding.code == "SB301"]


ALONE = "srun -p debug -N 2 --ntasks-per-node=8 --gpus-per-node=8 torchrun --nproc_per_node=8 t.py\n"


@pytest.mark.parametrize(
    "text",
    [
        ALONE,
        "salloc -N 2\nsalloc -N 4\n" + ALONE,
        ALONE.replace("-N 2", "--nodes=2"),
        "srun -A a -N1 --pty bash\n" + ALONE,
        SALLOC.rstrip() + " <<EOF\n" + TORCHRUN + "EOF\n",
    ],
    ids=["alone", "several allocations", "long option", "another srun", "a here-document"],
)
def test_a_line_that_tells_its_own_size_is_judged(text: str) -> None:
    assert launchers_per_node(text) != []


@pytest.mark.parametrize(
    ("release", "severity"), [(None, "warning"), ("22.05", "warning"), ("24.05", "error")]
)
def test_what_the_job_may_change_is_a_warning(release: str | None, severity: str) -> None:
    assert launchers_per_node(ALONE, release) == [severity]


@pytest.mark.parametrize(
    "text",
    [
        ALONE.replace("--ntasks-per-node=8", "--ntasks-per-node=1"),
        ALONE.replace("--ntasks-per-node=8", ""),
        ALONE.replace("-N 2", ""),
        ALONE.replace("-N 2", "-N $NODES"),
        "export SLURM_NTASKS=2\n" + ALONE,
    ],
)
def test_a_line_that_does_not_is_left_alone(text: str) -> None:
    assert launchers_per_node(text) == []


def test_what_is_suppressed_has_its_place_in_the_whole_file() -> None:
    comment = "# sbatchlint: ignore[SB301] as we like it"
    result = lint(fenced(f"{comment}\n{SALLOC}{TORCHRUN}", indent="  "))
    assert result.suppressed
    for one in result.suppressed:
        assert one.by is not None
        assert result.source.slice(one.by.span) == comment
        assert result.source.slice(one.finding.span) in SALLOC


def test_a_comment_in_a_part_of_a_script_answers_what_the_whole_would_have() -> None:
    rules = Registry.load().select()
    text = fenced("#SBATCH --ntasks-per-node=8  # sbatchlint: ignore[SB301] each agent gets one GPU\n")
    source = Source.from_text(text, "guide.md")
    assert lint_markdown(source, rules, LintOptions(pedantic=False)).findings == ()
