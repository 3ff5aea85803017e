"""SB401: which early expansions are reported, how surely, and which a backslash mends."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

TWO_NODES = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB401"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (['srun bash -c "python x --rank $SLURM_PROCID"'], 5),
        (['srun bash -c "python x --rank ${SLURM_NODEID}"'], 5),
        (['CMD="python x"', 'CMD="$CMD --rank $SLURM_NODEID"', 'srun bash -c "$CMD"'], 6),
        (['CMD="python x"', 'CMD+=" --rank $SLURM_NODEID"', 'srun bash -c "$CMD"'], 6),
        (['ARGS=(python x --rank "$SLURM_NODEID")', 'srun "${ARGS[@]}"'], 5),
        (['run() { srun bash -c "$1"; }', 'run "python x --rank $SLURM_PROCID"'], 6),
        (["srun bash <<EOF", "python x --rank $SLURM_PROCID", "EOF"], 6),
        (["srun bash <<-EOF", "\tpython x --rank $SLURM_PROCID", "\tEOF"], 6),
        (["cat > t.sh <<EOF", "python x --rank $SLURM_PROCID", "EOF", "srun bash t.sh"], 6),
        (["srun python x --rank $SLURM_PROCID"], 5),
        (["export R=$SLURM_NODEID", "srun bash -c 'torchrun --node_rank=$R t.py'"], 5),
        (["RANK=$SLURM_PROCID", "srun python x --rank $RANK"], 5),
        (['S="srun -l"', '$S bash -c "python x --rank $SLURM_PROCID"'], 6),
        (['srun env A=1 numactl -N 0 bash -lc "exec python x --rank $SLURM_PROCID"'], 5),
        (['for r in a b; do CMD+=" $SLURM_NODEID $r"; done', 'srun bash -c "python $CMD"'], 5),
        (['srun bash -c "if [ $SLURM_PROCID = 0 ]; then echo main; fi"'], 5),
    ],
)
def test_reported_where_it_is_written(body: list[str], line: int) -> None:
    assert lines(job(*body, **TWO_NODES), CODE) == [(line, "error")]


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'python x --rank $SLURM_PROCID'"],
        ['srun bash -c "python x --rank \\$SLURM_PROCID"'],
        ["srun bash <<'EOF'", "python x --rank $SLURM_PROCID", "EOF"],
        ["srun bash <<EOF", "python x --rank \\$SLURM_PROCID", "EOF"],
        ['srun bash -c "python x --job $SLURM_JOB_ID --nodes $SLURM_NNODES on $SLURM_JOB_NODELIST"'],
        ['echo "rank $SLURM_PROCID of the batch shell"', "srun python x"],
        ["if [ $SLURM_PROCID -eq 0 ]; then mkdir -p out; fi", "srun python x"],
        ['srun --output="log_$SLURM_NODEID.txt" python x'],
        ['srun bash -c "python x --addr $SLURMD_NODENAME"'],
        ['srun -N1 -n1 bash -c "python x --rank $SLURM_NODEID"'],
        ['srun bash -c "python x --local $SLURM_LOCALID"'],
        ['# srun bash -c "python x --rank $SLURM_PROCID"', "srun python x"],
        ['bash -c "python x --rank $SLURM_PROCID"'],
        ["srun cat <<EOF", "rank $SLURM_PROCID", "EOF"],
        ["export CACHE=/tmp/triton_$SLURM_NODEID", "srun bash -c 'mkdir -p $CACHE; python x'"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **TWO_NODES), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        ['echo "python x" > run_${SLURM_PROCID}.sh', "srun bash run_${SLURM_PROCID}.sh"],
        ["cat > ./run_$SLURM_PROCID.sh <<'EOF'", "python x", "EOF", "srun bash run_$SLURM_PROCID.sh"],
        ["W=$PWD/run_$SLURM_NODEID.sh", 'echo "python x" > "$W"', 'srun bash "$W"'],
        ['cp -f base.yaml "conf_$SLURM_NODEID.yaml"', 'srun python x --config "conf_$SLURM_NODEID.yaml"'],
        ["python make.py > hosts_$SLURM_PROCID", 'srun bash -c "python x --hosts hosts_$SLURM_PROCID"'],
        ["chmod +x run_$SLURM_PROCID.sh", "srun ./run_$SLURM_PROCID.sh"],
    ],
)
def test_quiet_on_a_file_that_the_batch_shell_has_made(body: list[str]) -> None:
    assert lines(job(*body, **TWO_NODES), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        ['echo "python x" > run_$SLURM_JOB_ID.sh', "srun bash run_$SLURM_PROCID.sh"],
        ['echo "$SLURM_PROCID" > rank.txt', 'srun python x --rank "$SLURM_PROCID"'],
    ],
)
def test_another_file_is_not_that_one(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, **TWO_NODES), CODE)] == ["error"]


def test_a_single_task_gets_the_same_zero() -> None:
    body = 'srun bash -c "python x --rank $SLURM_PROCID --node $SLURM_NODEID --local $SLURM_LOCALID"'
    assert lines(job(body, nodes=1, ntasks=1), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        'srun $EXTRA_ARGS bash -c "python x --rank $SLURM_PROCID"',
        'srun -n "$TASKS" bash -c "python x --rank $SLURM_PROCID"',
        'if [ -f flag ]; then srun bash -c "python x --rank $SLURM_PROCID"; fi',
    ],
)
def test_a_warning_where_something_is_not_known(body: str) -> None:
    assert lines(job(body, **TWO_NODES), CODE) == [(5, "warning")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('srun bash -c "x --rank $SLURM_PROCID"', 'srun bash -c "x --rank \\$SLURM_PROCID"'),
        ('srun bash -c "x ${SLURM_PROCID}"', 'srun bash -c "x \\${SLURM_PROCID}"'),
        ("srun bash <<EOF\nx $SLURM_PROCID\nEOF", "srun bash <<EOF\nx \\$SLURM_PROCID\nEOF"),
        ('C="x $SLURM_PROCID"\nsrun bash -c "$C"', 'C="x \\$SLURM_PROCID"\nsrun bash -c "$C"'),
        ('srun bash -c "x $SLURM_PROCID $SLURM_NODEID"', 'srun bash -c "x \\$SLURM_PROCID \\$SLURM_NODEID"'),
    ],
)
def test_a_backslash_where_one_shell_in_the_task_reads_it(before: str, after: str) -> None:
    result = fixed(job(before, **TWO_NODES))
    assert result.converged.source.text == job(after, **TWO_NODES)
    assert [found.code for found in result.after.findings] == []


@pytest.mark.parametrize(
    "body",
    [
        "srun python x --rank $SLURM_PROCID",
        'CMD="python x --rank $SLURM_PROCID"\nsrun $CMD',
        "srun bash -c \"python -c 'print($SLURM_PROCID)'\"",
        'srun bash -c "bash -c \\"python x $SLURM_PROCID\\""',
        "srun bash -c \"torchrun --x \\$'$SLURM_NODEID' t.py\"",
        "srun bash -c \"cat > f <<'E'\nrank=$SLURM_NODEID\nE\npython t.py\"",
        "export R=$SLURM_NODEID\nsrun bash -c 'torchrun --node_rank=$R t.py'",
        'CMD="x $SLURM_PROCID"\nsrun bash -c "$CMD"\nsrun $CMD',
        'CMD="x $SLURM_PROCID"\neval "srun bash -c \\"$CMD\\""',
    ],
)
def test_no_backslash_where_it_would_not_be_expanded_once(body: str) -> None:
    text = job(body, **TWO_NODES)
    assert [code for _, code in lines(text, CODE)] == ["error"]
    assert fixed(text, unsafe=True, code=CODE).converged.source.text == text


def test_an_info_where_the_launcher_ignores_its_node_rank() -> None:
    body = 'srun bash -c "torchrun --nnodes 2 --nproc_per_node 8 --node_rank=$SLURM_NODEID {} t.py"'
    dynamic = body.format("--rdzv_backend=c10d --rdzv_endpoint=$HEAD:29400")
    assert lines(job(dynamic, **TWO_NODES), CODE) == [(5, "info")]
    static = body.format("--master_addr=$HEAD --master_port=29400")
    assert lines(job(static, **TWO_NODES), CODE) == [(5, "error")]
    used_twice = dynamic.replace("t.py", "t.py --node $SLURM_NODEID")
    assert [severity for _, severity in lines(job(used_twice, **TWO_NODES), CODE)] == ["info", "error"]


@pytest.mark.parametrize(
    "command", ["bash -c", "singularity exec --nv $SIF bash -c", "docker run $IMAGE /bin/bash -c"]
)
@pytest.mark.parametrize("program", ["t.py", "--no-python $1", "--no-python bash t.sh"])
def test_an_ignored_node_rank_whatever_stands_around_the_launcher(command: str, program: str) -> None:
    body = (
        f'srun {command} "torchrun --nnodes 2 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29400 '
        f"--nproc_per_node 8 --node_rank=$SLURM_NODEID {program}"
    )
    assert lines(job(body + '"', **TWO_NODES), CODE) == [(5, "info")]
    used = lines(job(body + ' --node $SLURM_NODEID"', **TWO_NODES), CODE)
    assert [severity for _, severity in used] == ["info", "error"]
    logs = body.replace("torchrun", "torchrun --log_dir=l$SLURM_NODEID")
    assert {severity for _, severity in lines(job(logs + '"', **TWO_NODES), CODE)} == {"info", "error"}


STEP = 'srun bash -c "torchrun --node_rank=$R t.py"'


@pytest.mark.parametrize(
    "body",
    [
        ['[ "$R" = 0 ] && mkdir out', STEP],
        ["[[ $R -eq 0 ]] && mkdir out", STEP],
        ["PORT=$((29500 + R))", STEP],
        ["((R == 0)) && mkdir out", STEP],
        ["let PORT=29500+R", STEP],
        ["case $R in 0) mkdir out ;; esac", STEP],
        ["mkdir -p logs_$R", STEP],
        ["for i in 1 2; do mkdir -p x_${R}_$i; done", STEP],
        [f"{STEP} > log_$R.txt"],
        [f"{STEP} | tee log_$R.txt"],
        ["python prepare.py --rank $R", STEP],
        ["P=${R:0:1}", STEP],
        ["HOSTS=(a b)", "H=${HOSTS[$R]}", STEP],
        ["H=$(printf 'h%03d' $R)", STEP],
        ['echo "rank $R" | sed s/rank// > n.txt', STEP],
        ['read -r X <<< "$R"', STEP],
        ['ssh host "echo $R"', STEP],
        ["export R", STEP],
        ['srun --output=o.$R bash -c "torchrun --node_rank=$R t.py"'],
        ['start() { [ "$1" = 0 ] && mkdir out; srun bash -c "torchrun --node_rank=$1 t.py"; }', "start $R"],
        ['trap "echo $R" EXIT', STEP],
    ],
)
def test_no_backslash_where_the_batch_host_needs_the_value(body: list[str]) -> None:
    text = job("R=$SLURM_NODEID", *body, **TWO_NODES)
    assert [severity for _, severity in lines(text, CODE)] == ["error"]
    assert fixed(text, unsafe=True, code=CODE).converged.source.text == text


@pytest.mark.parametrize(
    "body",
    [
        [STEP],
        ["export CMD", 'CMD="torchrun --node_rank=$R"', 'srun bash -c "$CMD"'],
        ['CMD="torchrun --node_rank=$R"', 'echo "runs $CMD" | tee cmd.log', 'srun bash -c "$CMD" | tee log'],
        ['A=(--node_rank "$R")', 'S="srun -l"', '$S bash -c "torchrun ${A[*]}"'],
        ['log() { echo "[$(date)] $*"; }', 'log "rank $R"', f"if ! {STEP}; then exit 1; fi"],
        ['step() { srun "$@"; }', 'step bash -c "torchrun --node_rank=$R t.py"'],
        [
            'if [ -z "$IMAGE" ]; then',
            STEP,
            "else",
            'S="srun --container-image=$IMAGE"',
            f"$S{STEP[4:]}",
            "fi",
        ],
        ["cat > t.sh <<EOF", "torchrun --node_rank=$R t.py", "EOF", "srun bash t.sh"],
    ],
)
def test_a_backslash_far_from_the_step(body: list[str]) -> None:
    text = job("R=$SLURM_NODEID", *body, **TWO_NODES)
    assert "R=\\$SLURM_NODEID\n" in fixed(text).converged.source.text


def test_no_backslash_before_a_name_that_is_looked_up() -> None:
    text = job("V=SLURM_NODEID", 'srun bash -c "torchrun --node_rank=${!V} t.py"', **TWO_NODES)
    assert fixed(text, unsafe=True, code=CODE).converged.source.text == text


def test_no_backslash_that_backquotes_would_take_away() -> None:
    body = ('CMD=`echo "torchrun --node_rank=$SLURM_NODEID t.py"`', 'srun bash -c "$CMD"')
    (found,) = findings(job(*body, **TWO_NODES), CODE)
    assert found.fix is None


@pytest.mark.parametrize(
    "line",
    [
        "R=$((SLURM_NODEID))",
        "R=$((SLURM_PROCID / 8))",
        "R=$(( $SLURM_PROCID / 8 ))",
        "((R = SLURM_NODEID))",
        "let R=SLURM_NODEID",
    ],
)
def test_arithmetic_is_reported_and_left_alone(line: str) -> None:
    text = job(line, 'srun bash -c "torchrun --node_rank=$R t.py"', **TWO_NODES)
    (found,) = findings(text, CODE)
    assert text[: found.span.start].count("\n") == text[: text.index(line)].count("\n")
    assert found.fix is None


@pytest.mark.parametrize("line", ["R=$((29500 + SLURM_PROCID))", "R=$((SLURM_NODEID + SLURM_NNODES))"])
def test_quiet_on_a_number_that_may_be_meant_for_all(line: str) -> None:
    assert lines(job(line, "srun python t.py --port=$R", **TWO_NODES), CODE) == []
