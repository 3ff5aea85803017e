"""Jobs that a script submits itself: entries of their own in the plan."""

from __future__ import annotations

from sbatchlint.launch.evaluate import plan_launches
from sbatchlint.launch.plan import JobText, LaunchPlan, Submission
from sbatchlint.shell.reader import read_script
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source
from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=4\nexport A=1\n"


def only(text: str) -> tuple[LaunchPlan, Submission]:
    plan = plan_of(HEAD + text)
    (submission,) = plan.submissions
    assert not plan.steps
    return plan, submission


def commands(submission: Submission) -> list[str]:
    """The command lines of the submitted job."""
    assert submission.plan is not None
    return [
        " ".join(word.value.show() for word in program.words) for _, program in submission.plan.programs()
    ]


def counts(submission: Submission) -> tuple[int | None, int | None]:
    """Nodes and tasks that are asked for."""
    request = submission.request
    assert request is not None
    nodes, tasks = request.nodes, request.ntasks
    return (nodes.value if nodes else None), (tasks.value if tasks else None)


def test_wrapped_command() -> None:
    _, job = only('sbatch -N1 -n 3 --wrap "srun python x.py $A"\n')
    assert (job.command, job.text, counts(job)) == ("sbatch", JobText.WRAP, (1, 3))
    assert commands(job) == ["python x.py 1"]


def test_here_document() -> None:
    text = "sbatch <<'EOF'\n#!/bin/bash\n#SBATCH -N1 -n4\nsrun python y.py $A ${SLURM_NTASKS}\nEOF\n"
    _, job = only(text)
    assert (job.text, counts(job), commands(job)) == (JobText.INPUT, (1, 4), ["python y.py 1 4"])
    assert job.plan is not None
    span = job.plan.steps[0].span
    assert (HEAD + text)[span.start : span.end] == "srun"


def test_written_file_with_arguments() -> None:
    _, job = only("cat > g.sh <<'EOF'\n#!/bin/bash\n#SBATCH -n4\nsrun python $1\nEOF\nsbatch -N2 g.sh w.py\n")
    assert (job.text, counts(job), commands(job)) == (JobText.FILE, (2, 4), ["python w.py"])


def test_unknown_file() -> None:
    _, job = only("sbatch --dependency=afterok:$SLURM_JOB_ID next.sh\n")
    assert (job.text, job.request, job.plan) == (JobText.FILE, None, None)
    assert job.file is not None
    assert job.file.text == "next.sh"


def test_file_beside_the_script() -> None:
    source = Source.from_text(HEAD + "sbatch next.sh\n", "job.sh")
    files = {"next.sh": "#!/bin/bash\n#SBATCH -N8 -n8\nsrun python z.py\n"}
    plan = plan_launches(read_script(source), read_request(source), beside=files.get)
    (job,) = plan.submissions
    assert (counts(job), job.plan) == ((8, 8), None)


def test_itself_again() -> None:
    for line in ('sbatch "$0" "$@"', "sbatch $0", "sbatch job.sh"):
        _, job = only(f"[ -e done ] || {line}\n")
        assert (job.text, job.plan, job.conditional) == (JobText.ITSELF, None, True)
        assert job.request is not None
        assert job.request.nodes is not None
        assert job.request.nodes.value == 2


def test_allocation() -> None:
    _, job = only("salloc -N3 -n6 srun python z.py\n")
    assert (job.command, job.text, counts(job)) == ("salloc", JobText.COMMAND, (3, 6))
    assert commands(job) == ["python z.py"]
    _, inside = only("salloc -N1 bash -c 'srun -n1 python q.py'\n")
    assert commands(inside) == ["python q.py"]


def test_exports() -> None:
    document = "#!/bin/bash\npython ${A-gone} ${B-gone}\n"
    _, job = only(f"sbatch --export=NONE,B=2 <<'EOF'\n{document}EOF\n")
    assert commands(job) == ["python gone 2"]


def test_bounded() -> None:
    plan = plan_of(
        "cat > g.sh <<'EOF'\n#!/bin/bash\nsbatch g.sh\nEOF\nfor i in {1..40}; do sbatch g.sh; done\n"
    )
    assert len(plan.submissions) == 40
    followed = [job.plan for job in plan.submissions if job.plan is not None]
    assert len(followed) == 8
    assert all(len(inner.submissions) == 1 for inner in followed)
    assert all(
        job.plan is None or not job.plan.submissions for inner in followed for job in inner.submissions
    )
