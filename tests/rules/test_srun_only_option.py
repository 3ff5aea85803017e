"""SB101: options of srun or salloc in directives."""

from __future__ import annotations

import pytest

from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, fixed, job

CODE = "SB101"


def mended(*directives: str, body: str = "srun python t.py", unsafe: bool = False) -> list[str]:
    """The lines behind the shebang and ``--nodes`` once *directives* and *body* are fixed."""
    text = "\n".join(["#!/bin/bash", "#SBATCH --nodes=2", *directives, body, ""])
    return fixed(text, unsafe=unsafe, code=CODE).converged.source.text.split("\n")[2:-1]


@pytest.mark.parametrize(
    ("option", "moved"),
    [
        ("--mpi=pmix", "--mpi=pmix"),
        ("--mpi pmix", "--mpi=pmix"),
        ("--mpi='pmix'", "--mpi=pmix"),
        ("--kill-on-bad-exit", "--kill-on-bad-exit"),
        ("--kill-on-bad-exit=1", "--kill-on-bad-exit=1"),
        ("--kill-on-bad", "--kill-on-bad"),
        ("-K1", "-K1"),
        ("-l", "-l"),
        ("-u", "-u"),
        ("--cpu_bind=cores", "--cpu_bind=cores"),
        ("--cpu-bind=map_cpu:0,8", "--cpu-bind=map_cpu:0,8"),
        ("--task-prolog='/opt/my tools/x'", "--task-prolog='/opt/my tools/x'"),
        ("--task-prolog=/opt/a\\#b", "--task-prolog='/opt/a#b'"),
        ("--overlap", "--overlap"),
    ],
)
def test_it_moves_to_the_only_srun(option: str, moved: str) -> None:
    (found,) = findings(f"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH {option}\nsrun python t.py\n", CODE)
    assert found.severity.value == "error"
    assert mended(f"#SBATCH {option}") == [f"srun {moved} python t.py"]


def test_several_keep_their_order_behind_what_srun_has() -> None:
    directives = ["#SBATCH --mpi=pmix --label", "#SBATCH -K"]
    assert mended(*directives, body="srun -N2 \\\n  --exclusive python t.py") == [
        "srun -N2 \\",
        "  --exclusive --mpi=pmix --label -K python t.py",
    ]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("#SBATCH --mpi=pmix  # as the wiki says", "# as the wiki says"),
        ("#SBATCH --mpi=pmix --time=5", "#SBATCH --time=5"),
        ("#SBATCH --time=5 --mpi=pmix", "#SBATCH --time=5"),
        ("#SBATCH --time=5 --mpi pmix --mem=4G # why", "#SBATCH --time=5 --mem=4G # why"),
        ("#SBATCH\t--mpi=pmix\t--time=5", "#SBATCH\t--time=5"),
    ],
)
def test_what_else_is_on_the_line_stays(line: str, left: str) -> None:
    assert mended(line) == [left, "srun --mpi=pmix python t.py"]


@pytest.mark.parametrize(
    "body",
    [
        "srun python a.py\nsrun python b.py",
        "python t.py",
        'bash -c "srun python t.py"',
        "RUN=srun\n$RUN python t.py",
        'if [ -n "$A" ]; then srun python a.py; else srun python b.py; fi',
        "echo starting srun\nsrun python t.py",
        "start() { srun python t.py; }",
        "cat > x.sh <<EOF\nsrun python t.py\nEOF\nbash x.sh",
        "srun --mpi=none python t.py",
    ],
)
def test_no_fix_where_the_place_is_not_clear(body: str) -> None:
    (found,) = findings(job(body, nodes=2, mpi="pmix"), CODE)
    assert found.fix is None
    assert found.help


@pytest.mark.parametrize(
    "body",
    [
        "for s in 1 2 3; do srun python t.py --seed $s; done",
        "run() { srun python t.py $1; }\nrun a\nrun b",
        "export A=1 # srun\nA=2 srun python t.py",
        "/usr/bin/srun python t.py | tee log",
    ],
)
def test_one_srun_that_is_started_in_any_way_is_the_place(body: str) -> None:
    assert mended("#SBATCH --mpi=pmix", body=body) == body.replace(
        "srun python", "srun --mpi=pmix python"
    ).split("\n")


def test_what_srun_has_with_the_same_value_is_only_removed() -> None:
    assert mended("#SBATCH --mpi=pmix", body="srun --mpi=pmix python t.py") == ["srun --mpi=pmix python t.py"]


def test_words_that_may_hold_the_option_make_it_unsafe() -> None:
    body = "srun $EXTRA_ARGS python t.py"
    assert mended("#SBATCH --mpi=pmix", body=body) == ["#SBATCH --mpi=pmix", body]
    assert mended("#SBATCH --mpi=pmix", body=body, unsafe=True) == ["srun --mpi=pmix $EXTRA_ARGS python t.py"]


@pytest.mark.parametrize("option", ["--pty", "--multi-prog", "--relative=1", "-Z", "--no-shell", "-Hl"])
@pytest.mark.parametrize("value", ["", " # note"])
def test_what_is_more_than_a_way_of_starting_is_not_moved(option: str, value: str) -> None:
    (found,) = findings(f"#!/bin/bash\n#SBATCH -N2\n#SBATCH {option}{value}\nsrun python t.py\n", CODE)
    assert found.fix is None


def test_a_value_that_needs_the_shell_is_not_moved() -> None:
    (found,) = findings(job("srun python t.py", nodes=2, mpi="$MPI"), CODE)
    assert found.fix is None


def test_the_options_of_a_heterogeneous_job_are_not_moved() -> None:
    text = "#!/bin/bash\n#SBATCH -N1\n#SBATCH --mpi=pmix\n#SBATCH hetjob\n#SBATCH -N2\nsrun python t.py\n"
    (found,) = findings(text, CODE)
    assert found.fix is None


def test_an_option_of_salloc_alone_is_named_as_such() -> None:
    (found,) = findings("#!/bin/bash\n#SBATCH -N2\n#SBATCH --no-shell\n", CODE)
    assert "salloc" in found.message
    assert "--no-shell" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "##SBATCH --mpi=pmix",
        "# SBATCH --mpi=pmix",
        "#SBATCH --comment='--mpi=pmix'",
        "#SBATCH --nodes=2 # --mpi=pmix",
        "#SBATCH --gpu-bind=none",
        "#SBATCH --export=ALL",
    ],
)
def test_other_lines_are_left_in_peace(line: str) -> None:
    assert findings(f"#!/bin/bash\n{line}\nsrun python t.py\n", CODE) == []


# --- Pyxis ------------------------------------------------------------------------------------------

IMAGE = "srun --container-image=/i.sqsh python t.py"


def test_pyxis_options_are_one_finding_and_move_together() -> None:
    directives = ["#SBATCH --no-container-mount-home", "#SBATCH --container-mounts=/a:/b  # data"]
    text = "\n".join(["#!/bin/bash", *directives, IMAGE, ""])
    (found,) = findings(text, CODE)
    assert (found.severity.value, len(found.related)) == ("warning", 1)
    assert "refuses" in found.message
    assert mended(*directives, body=IMAGE) == [
        "# data",
        "srun --container-image=/i.sqsh --no-container-mount-home --container-mounts=/a:/b python t.py",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "srun python t.py",
        f"{IMAGE}\n{IMAGE}",
        IMAGE.replace("python", "--container-mount-home python"),
        IMAGE.replace("python", "--no-container-mount-home python"),
    ],
)
def test_pyxis_options_stay_where_no_one_srun_can_take_them(body: str) -> None:
    (found,) = findings(job(body, no_container_mount_home=True), CODE)
    assert (found.severity.value, found.fix) == ("warning", None)


def test_an_image_for_the_script_is_another_rules_business() -> None:
    text = job("srun python t.py", container_image="/i.sqsh", container_mounts="/a:/b")
    found = [finding.code for finding in findings(text) if finding.code in (CODE, "SB503")]
    assert found == ["SB503"]


def at_site(text: str, takes: bool | None) -> list[Finding]:
    profile = Profile.model_validate({"plugins": {"pyxis": {"sbatch-support": takes}}})
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(cluster=profile))
    return [found for found in result.findings if found.code in (CODE, "SB503")]


@pytest.mark.parametrize("body", ["srun python t.py", "python t.py", IMAGE])
@pytest.mark.parametrize(
    "options",
    [
        {"container_image": "/i.sqsh"},
        {"container_name": "a"},
        {"container_mounts": "/a:/b", "no_container_mount_home": True},
    ],
)
def test_a_site_without_pyxis_for_sbatch(body: str, options: dict[str, object]) -> None:
    (found,) = at_site(job(body, **options), False)
    assert (found.code, found.severity.value, len(found.related)) == (CODE, "error", len(options) - 1)
    assert "sbatch refuses the script: unrecognized option" in found.message


def test_a_site_with_pyxis_for_sbatch_leaves_no_doubt_of_it() -> None:
    doubt = "where Pyxis has no support"
    for text in (job("srun python t.py", container_image="/i.sqsh"), job(IMAGE, container_mounts="/a:/b")):
        (known,), (unknown,) = at_site(text, True), at_site(text, None)
        assert doubt not in " ".join((known.message, *known.notes))
        assert doubt in " ".join((unknown.message, *unknown.notes))
        assert (known.code, known.severity.value) == (unknown.code, "warning")


@pytest.mark.parametrize(
    "line", ["salloc --container-image=/i.sqsh", "salloc -N1 --no-container-mount-home srun x"]
)
def test_command_lines_have_no_batch_script(line: str) -> None:
    source = Source.from_text(f"{line}\nsrun python t.py\n", "job.sh")
    profile = Profile.model_validate({"plugins": {"pyxis": {"sbatch-support": False}}})
    result = lint_source(source, all_rules(), LintOptions(interactive=True, cluster=profile))
    assert [found for found in result.findings if found.code in (CODE, "SB503")] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("srun --jobid $SLURM_JOBID bash -c 'x'", "srun --jobid $SLURM_JOBID --mpi=pmix bash -c 'x'"),
        ("srun --jobid $ID bash -c 'x'", "srun --mpi=pmix --jobid $ID bash -c 'x'"),
        ("srun -l --jobid $ID python t.py", "srun -l --mpi=pmix --jobid $ID python t.py"),
        ('srun --jobid "$ID" python t.py', 'srun --jobid "$ID" --mpi=pmix python t.py'),
        ("srun -N 2 -lu python t.py", "srun -N 2 -lu --mpi=pmix python t.py"),
        ("srun -w node1 -n 2 python t.py", "srun -w node1 -n 2 --mpi=pmix python t.py"),
        ("srun -K python t.py", "srun -K --mpi=pmix python t.py"),
    ],
)
def test_it_never_comes_between_an_option_and_its_value(before: str, after: str) -> None:
    assert mended("#SBATCH --mpi=pmix", body=before, unsafe=True) == [after]


@pytest.mark.parametrize("option", ["--label=yes", "--unbuffered=1"])
def test_a_value_that_srun_refuses_is_not_moved(option: str) -> None:
    assert mended(f"#SBATCH {option}", unsafe=True) == [f"#SBATCH {option}", "srun python t.py"]
