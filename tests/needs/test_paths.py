"""Files that must be there before a job starts."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from tests.needs.needing import paths, told


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("python train.py", "program train.py"),
        ("srun torchrun --nproc_per_node=8 src/train.py", "program src/train.py"),
        ("bash run.sh a b", "program run.sh"),
        ("./solver in.dat", "program solver"),
        ("/sw/env/bin/python train.py", "program /sw/env/bin/python"),
        ("source /sw/env/bin/activate", "sourced file /sw/env/bin/activate"),
        (". ~/settings.sh", "sourced file $HOME/settings.sh"),
        ("cd /lustre/repo || exit 1", "working folder /lustre/repo"),
        ("cd /lustre/repo && python a.py", "working folder /lustre/repo"),
        ("pushd /lustre/repo", "working folder /lustre/repo"),
        ("solver < in.dat", "input in.dat"),
        ("sbatch next.sh", "submitted script next.sh"),
        ("pip install -r requirements.txt", "data requirements.txt"),
        ("python t.py conf/a.yaml", "data conf/a.yaml"),
        ("python t.py --data-path /lustre/c4", "?data /lustre/c4"),
        ("python t.py --deepspeed=ds.json", "?data ds.json"),
        ("export TOKEN=$(cat ~/.hf_token)", "secret file $HOME/.hf_token"),
        ("export PYTHONPATH=/lustre/lib:/x/y; python t.py", "?python path /lustre/lib"),
        ("srun --container-image=/i.sqsh hostname", "image /i.sqsh"),
        ("srun --container-image=/i.sqsh --container-mounts=/data:/d hostname", "mount source /data"),
        ("apptainer exec -B /data i.sif hostname", "mount source /data"),
        ("docker run -v /data:/d alpine hostname", "?mount source /data"),
    ],
)
def test_what_is_needed(line: str, expected: str) -> None:
    assert expected in told(line)


@pytest.mark.parametrize(
    "line",
    [
        "python -m package",
        "python -c 'print()'",
        "python - < /dev/null",
        "hostname",
        "cd ..",
        "cd -",
        "source /etc/profile",
        "/usr/bin/env true",
        "python $1",
        "python t.py --output-dir /lustre/out 2>/dev/null; rm -f t.py",
        "python t.py --lr 0.1 --model org/name",
        "docker run -v volume:/d alpine hostname",
        "srun --container-image=/i.sqsh --container-mounts=tmpfs:/x hostname",
        "DATA=<your team>",
    ],
)
def test_what_is_not(line: str) -> None:
    assert not [one for one in told(line) if not one.endswith((" t.py", " /i.sqsh"))]


@pytest.mark.parametrize(
    "lines",
    [
        ("mkdir -p /lustre/run/logs", "cd /lustre/run/logs"),
        ("mkdir -p /lustre/run/logs", "cd /lustre/run"),
        ("git clone https://example.org/a/repo.git", "cd repo", "python setup.py"),
        ("git clone https://example.org/a/b /lustre/x", "python /lustre/x/t.py"),
        ("cat > job.py <<'EOF'", "print()", "EOF", "python job.py"),
        ("python -m venv /lustre/env", "source /lustre/env/bin/activate"),
        ("uv venv env", "source env/bin/activate"),
        ("apptainer pull x.sif docker://alpine", "apptainer exec x.sif hostname"),
        ("enroot import -o /lustre/x.sqsh docker://alpine", "srun --container-image=/lustre/x.sqsh hostname"),
        ("cp /usr/share/a.sh /lustre/a.sh", "bash /lustre/a.sh"),
        ("wget -O conf.yaml https://example.org/c", "python -m t conf.yaml"),
    ],
)
def test_what_the_script_makes_itself(lines: tuple[str, ...]) -> None:
    assert told(*lines) == []


def test_what_is_compiled_may_be_made() -> None:
    assert told("make", "./solver") == ["?program solver"]
    assert told("make", "python plot.py") == ["program plot.py"]


def test_the_folder_that_a_path_is_used_in() -> None:
    assert "program /lustre/repo/train.py" in told("cd /lustre/repo", "srun python train.py")
    assert "program $REPO/train.py" in told('cd "$REPO"', "python ./train.py")
    assert "program train.py" in told('cd "${SLURM_SUBMIT_DIR:-$PWD}"', "python train.py")
    assert "program /run/me/train.py" in told("python train.py", chdir="/run/me")
    assert "program train.py" in told("A=$(pwd)/train.py", "python $A")


def test_what_may_be_done_without() -> None:
    assert told("[ -f /a/env.sh ] && source /a/env.sh") == ["?sourced file /a/env.sh"]
    assert told("source /a/env.sh || true") == ["?sourced file /a/env.sh"]
    assert told("source /a/env.sh || { echo no; exit 1; }") == ["sourced file /a/env.sh"]
    assert told("source env.sh") == ["?sourced file env.sh"]
    assert told('if [ "$A" ]; then python a.py; else python b.py; fi') == ["?program a.py", "?program b.py"]


def test_the_log_folder() -> None:
    assert told("hostname", output="logs/%j.out", error="logs/%j.err") == ["log folder logs"]
    assert told("hostname", output="%j.out") == told("hostname", output="/dev/null") == []
    found = paths("hostname", output="logs/%x/%j.out")["logs/%x"]
    assert found.path.lookup is None


def test_inside_a_container() -> None:
    srun = "srun --container-image=/i.sqsh --container-mounts=/lustre:/lustre,$HOME/repo:/code:ro"
    assert told(f"{srun} --container-workdir=/code python train.py --config /lustre/a.yaml")[3:] == [
        "program /code/train.py [$HOME/repo/train.py]",
        "?data /lustre/a.yaml [/lustre/a.yaml]",
    ]
    assert "program /opt/train.py []" in told(f"{srun} python /opt/train.py")
    assert "program train.py []" in told(f"{srun} python train.py")
    inner = told(f"{srun} bash -c 'cd /code && python train.py'")
    assert {"working folder /code [$HOME/repo]", "program /code/train.py [$HOME/repo/train.py]"} <= {*inner}
    apptainer = told("cd /lustre/repo", "apptainer exec i.sif python train.py")
    assert "program /lustre/repo/train.py [/lustre/repo/train.py]" in apptainer
    docker = told("docker run --mount type=bind,src=/lustre/repo,dst=/code alpine python /code/a.py")
    assert "program /code/a.py [/lustre/repo/a.py]" in docker


def test_how_sure_it_is() -> None:
    known = paths("python /lustre/a.py")["/lustre/a.py"].path
    assert (known.certainty, known.lookup, known.by_default) == (Certainty.KNOWN, "/lustre/a.py", False)
    default = paths("python ${A:-/lustre/a.py}")["/lustre/a.py"].path
    assert (default.certainty, default.by_default) == (Certainty.ASSUMED, True)
    home = paths("python $HOME/a.py")["$HOME/a.py"].path
    assert (home.certainty, home.lookup, home.by_default) == (Certainty.UNKNOWN, "$HOME/a.py", False)
    unknown = paths("python $REPO/a.py")["$REPO/a.py"].path
    assert (unknown.certainty, unknown.lookup) == (Certainty.UNKNOWN, None)
    folder = paths("cd ${REPO:-/lustre/repo}", "python a.py")["/lustre/repo/a.py"].path
    assert folder.by_default


def test_a_path_is_told_once_for_each_purpose() -> None:
    assert told("for i in 1 2 3; do python /lustre/a.py; done") == ["program /lustre/a.py"]
