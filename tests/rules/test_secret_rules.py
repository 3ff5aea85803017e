"""SB802 to SB804: ways in which a secret that is not written down gets out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.rules.checking import findings, fixed, job, lines


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["wandb login $WANDB_API_KEY"], 3),
        (['srun python t.py --wandb-key="$WANDB_API_KEY"'], 3),
        (["srun --export=ALL,HF_TOKEN=$HF_TOKEN python t.py"], 3),
        (['srun bash -c "export HF_TOKEN=$HF_TOKEN; python t.py"'], 3),
        (["srun bash -c 'wandb login $WANDB_API_KEY; python t.py'"], 3),
        (['CMD="python t.py"', 'CMD+=" --key ${MY_SECRET}"', 'srun bash -c "$CMD"'], 4),
        (["ARGS=(--token $GH_TOKEN)", 'python t.py "${ARGS[@]}"'], 3),
        (["git clone https://$GH_TOKEN@example.org/x"], 3),
        (["docker run -e HF_TOKEN=$HF_TOKEN image python t.py"], 3),
        (['login() { huggingface-cli login --token "$1"; }', 'login "$HF_TOKEN"'], 4),
    ],
)
def test_a_value_on_a_command_line(body: list[str], line: int) -> None:
    assert lines(job(*body, ntasks=1), "SB802") == [(line, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        ': "${WANDB_API_KEY:?not set}"; srun python t.py',
        'if [ -n "$HF_TOKEN" ]; then echo set; fi',
        "export WANDB_API_KEY=$(cat ~/.wandb); srun python t.py",
        "srun --container-image=/i.sqsh --container-env=HF_TOKEN python t.py",
        "docker run -e HF_TOKEN image python t.py",
        "HF_TOKEN=$HF_TOKEN srun python t.py",
        "srun python t.py --tokenizer=$TOKENIZER --max-tokens $MAX_TOKENS --key-file $KEY_FILE",
        "srun bash -c 'export HF_TOKEN=$(cat ~/.hf); python t.py'",
    ],
)
def test_values_that_stay_in_the_environment(body: str) -> None:
    assert lines(job(body, ntasks=1), "SB802") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (["set -x", "export HF_TOKEN=$(cat ~/.hf)"], [(4, "error")]),
        (["set -euxo pipefail", '[ -n "$WANDB_API_KEY" ]'], [(4, "error")]),
        (["set -o xtrace", 'echo "${HF_TOKEN}" > t'], [(4, "error")]),
        (["set -o xtrace", 'echo "${HF_TOKEN}"'], []),  # SB808 tells of it
        (["set -x", "f() { wandb login $WANDB_API_KEY; }"], [(4, "warning")]),
        (["set -x", "set +x", "export HF_TOKEN=$(cat ~/.hf)", "set -x"], []),
        (["export HF_TOKEN=$(cat ~/.hf)", "set -x"], []),
        (["set -x", "export HF_TOKEN"], []),
        (["set -x", "export WANDB_API_KEY=YOUR_KEY_HERE"], []),
        (["set -x", 'echo "${HF_TOKEN:+set}"'], []),
        (["set -x", 'echo "${#HF_TOKEN}"'], []),
        (["(set -x; date)", "export HF_TOKEN=$(cat ~/.hf)"], []),
        (["set -e", "export HF_TOKEN=$(cat ~/.hf)"], []),
    ],
)
def test_a_value_in_the_trace(body: list[str], expected: list[tuple[int, str]]) -> None:
    assert lines(job(*body, ntasks=1), "SB803") == expected


@pytest.mark.parametrize(
    "body",
    [
        'CMD="export HF_TOKEN=$HF_TOKEN; python t.py"',
        'CMD+=" $HF_TOKEN"',
        'export CMD="x $HF_TOKEN"',
        "HF_TOKEN=$(printf seen)",
        "HF_TOKEN=$(printf seen) true",
        "[[ -z $HF_TOKEN ]] || true",
        '[ -z "$HF_TOKEN" ] || true',
        "true ${HF_TOKEN:-none}",
        "X=(a $HF_TOKEN)",
        "case $HF_TOKEN in a) ;; esac",
        "for x in $HF_TOKEN; do :; done",
        'cat <<< "$HF_TOKEN" > /dev/null',
        "cat > /dev/null <<EOF\n$HF_TOKEN\nEOF",
        "true > /dev/null 2> /dev/null < /dev/null",
        'true > "${HF_TOKEN:+/dev/null}"',
        "(( ${#HF_TOKEN} ))",
        'CMD="x \\$HF_TOKEN"',
        "CMD='x $HF_TOKEN'",
        "export HF_TOKEN",
    ],
)
def test_the_trace_is_what_bash_prints(body: str, tmp_path: Path) -> None:
    script = f"#!/bin/bash\nset -x\n{body}\n"
    done = subprocess.run(
        ["bash", "-c", script],
        env={"HF_TOKEN": "seen", "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert bool(lines(script, "SB803")) == ("seen" in done.stderr)


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("python t.py --key $WANDB_API_KEY", "info"),
        ("singularity exec --env WANDB_API_KEY=$WANDB_API_KEY i.sif python t.py", "info"),
        ("srun bash -c 'wandb login $WANDB_API_KEY'", "warning"),
        ('srun bash -c "wandb login $WANDB_API_KEY"', "warning"),
        ("srun python t.py --key $WANDB_API_KEY", "warning"),
        ("git clone https://$GIT_TOKEN@example.org/a.git", "warning"),
    ],
)
def test_on_a_node_of_ones_own_nobody_else_can_look(body: str, severity: str) -> None:
    found = [severity for _, severity in lines(job(body, ntasks=1, exclusive=True), "SB802")]
    assert found == [severity]
    assert {severity for _, severity in lines(job(body, ntasks=1), "SB802")} == {"warning"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (["""srun bash -c 'set -x; wandb login "$WANDB_API_KEY"; python t.py'"""], [3]),
        (["""srun bash -xc 'wandb login "$WANDB_API_KEY"; python t.py'"""], [3]),
        (["""srun bash -o xtrace -c 'wandb login "$WANDB_API_KEY"; python t.py'"""], [3]),
        (["srun bash -c '", "set -x", "export HF_TOKEN=$(cat f)", "python t.py'"], [5]),
        (["srun bash <<'EOF'", "set -x", "export HF_TOKEN=$(cat f)", "python t.py", "EOF"], [5]),
        (["srun bash <<'EOF'", "set -x", "set +x", "export HF_TOKEN=$(cat f)", "python t.py", "EOF"], []),
        (["""srun bash -c 'wandb login "$WANDB_API_KEY"; set -x; python t.py'"""], []),
        (["""srun bash -c 'wandb login "$WANDB_API_KEY"; python t.py'"""], []),
        (["""srun bash -ec 'wandb login "$WANDB_API_KEY"; python t.py'"""], []),
        (["""srun bash -xc 'python t.py'"""], []),
        (["""srun bash -xc 'echo ${#HF_TOKEN}; python t.py'"""], []),
        (["set -x", "{ set +x; } 2>/dev/null", "srun bash -c 'wandb login $HF_TOKEN; python t.py'"], []),
        (["set -x", "srun bash -c 'wandb login $HF_TOKEN; python t.py'"], []),
    ],
)
def test_tracing_in_the_code_of_a_step(body: list[str], expected: list[int]) -> None:
    assert lines(job(*body, ntasks=1), "SB803") == [(line, "error") for line in expected]


@pytest.mark.parametrize(
    "made",
    [
        "$(uuidgen)",
        "`uuidgen -r`",
        "$(openssl rand -hex 16)",
        "$(head -c 16 /dev/urandom | base64)",
        "$(cat /proc/sys/kernel/random/uuid)",
        "p$RANDOM",
        "$(python -c 'import secrets; print(secrets.token_hex())')",
    ],
)
def test_a_secret_that_the_job_makes_up_is_worth_little(made: str) -> None:
    text = job("set -x", f"redis_password={made}", 'echo "password: $redis_password"', ntasks=1)
    assert lines(text, "SB803") == [(4, "info")]
    assert lines(text, "SB808") == [(5, "info")]


@pytest.mark.parametrize(
    "body",
    [
        ["redis_password=$(cat ~/.redis)"],
        ["redis_password=$(uuidgen)", "redis_password=$(cat ~/.redis)"],
        ["source settings.sh"],
    ],
)
def test_a_secret_from_elsewhere_is_worth_as_much_as_ever(body: list[str]) -> None:
    text = job(*body, 'echo "password: $redis_password"', ntasks=1)
    assert [severity for _, severity in lines(text, "SB808")] == ["warning"]


def test_a_script_run_by_hand_traces_to_the_terminal() -> None:
    text = (
        "#!/bin/bash\nset -x\nexport HF_TOKEN=$(cat t)\nsbatch <<EOF\n#!/bin/bash\n"
        "#SBATCH --ntasks=1\nsrun python t.py\nEOF\n"
    )
    (found,) = findings(text, "SB803")
    assert (found.severity.value, "terminal" in found.message) == ("warning", True)
    (found,) = findings(text.replace("set -x", "#SBATCH --ntasks=1\nset -x"), "SB803")
    assert (found.severity.value, "the log" in found.message) == ("error", True)


def test_the_first_line_may_switch_tracing_on() -> None:
    assert lines("#!/bin/bash -ex\n#SBATCH --ntasks=1\nexport HF_TOKEN=$(cat t)\n", "SB803") == [(3, "error")]


def test_tracing_pauses_with_the_same_indent() -> None:
    text = job("set -x", "if true; then", "    export HF_TOKEN=$(cat ~/.hf)", "fi", ntasks=1)
    mended = ["    { set +x; } 2>/dev/null", "    export HF_TOKEN=$(cat ~/.hf)", "    set -x"]
    assert fixed(text).converged.source.text == job("set -x", "if true; then", *mended, "fi", ntasks=1)


@pytest.mark.parametrize(
    "body",
    [
        "env",
        "env | sort",
        "printenv",
        "export -p",
        "set",
        "declare -x",
        "env | tee",
        "srun bash -c 'printenv; python t.py'",
        "srun bash -c 'env | sort'",
        "if true; then env; fi",
    ],
)
def test_the_whole_environment(body: str) -> None:
    expected = [] if body == "srun bash -c 'env | sort'" else [(3, "warning")]
    assert lines(job(body, ntasks=1), "SB804") == expected


@pytest.mark.parametrize(
    "body",
    [
        "env | grep SLURM",
        "env | grep -v TOKEN | sort",
        "env VAR=x python t.py",
        "env > env.txt",
        "BEFORE=$(env)",
        "diff <(env) old",
        "printenv PATH",
        "set -e",
        "export -f run",
        "declare -x A=1",
        "srun bash -c 'printenv | grep SLURM; python t.py'",
        "srun bash -c 'printenv HOME'",
        "env() { :; }; env",
    ],
)
def test_a_part_of_the_environment(body: str) -> None:
    assert lines(job(body, ntasks=1), "SB804") == []


def test_surer_where_the_script_speaks_of_secrets() -> None:
    assert [f.confidence.value for f in findings(job("env", ntasks=1), "SB804")] == ["medium"]
    text = job("export HF_TOKEN", "env", ntasks=1)
    assert [f.confidence.value for f in findings(text, "SB804")] == ["high"]
