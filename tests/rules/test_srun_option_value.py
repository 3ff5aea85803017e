"""SB366: options on srun lines with arguments that srun refuses."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Finding
from sbatchlint.source import Source
from tests.rules.checking import PATH, findings, fixed, job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 8}
CODE = "SB366"


def placed(text: str) -> list[tuple[str, str]]:
    source = Source.from_text(text, PATH)
    return [(source.slice(found.span), found.severity.value) for found in findings(text, CODE)]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("srun --time=2h a.out", "2h"),
        ("srun -t 2h a.out", "2h"),
        ("srun -t2h a.out", "2h"),
        ("srun --mem=2GiB a.out", "2GiB"),
        ("srun --mem-per-cpu 4GiB a.out", "4GiB"),
        ("srun --nodes=x a.out", "x"),
        ("srun -Nx a.out", "x"),
        ("srun -n abc a.out", "abc"),
        ("srun --ntasks torchrun train.py", "torchrun"),
        ("srun --cpus-per-task=0 a.out", "0"),
        ("srun --cpu-bind=foo a.out", "foo"),
        ("srun --cpu_bind=foo a.out", "foo"),
        ("srun --kill-on-bad-exit=yes a.out", "yes"),
        ("srun --distribution=foo a.out", "foo"),
        ("srun --exclusive=foo a.out", "foo"),
        ("srun --label=1 a.out", "1"),
        ("srun --unbuffered=1 a.out", "1"),
        ("srun --multi-prog=conf a.out", "conf"),
        ("srun --label --ntasks", "--ntasks"),
        ("srun --time=2h a.out <input >output", "2h"),
        ("srun -N1 -n1 a.out : -n x b.out", "x"),
        ("srun --kill-on-bad-exit=1 --time=1h30 --label a.out", "1h30"),
        ("bash -c 'srun --time=2h a.out'", "2h"),
        ("run() { srun --time=2h a.out; }; run", "2h"),
    ],
)
def test_refused(line: str, place: str) -> None:
    text = job(line, **SIZE)
    assert [found.code for found in findings(text, CODE)] == [CODE], line
    assert placed(text)[0][0].endswith(place)
    assert placed(text)[0][1] == "error"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["OPTS='--label --time=2h'", "srun $OPTS a.out"], 4),
        (["OPTS=(--mem=2GiB)", 'srun "${OPTS[@]}" a.out'], 4),
        (["T=2h", "srun --time=$T a.out"], 4),
    ],
)
def test_points_to_where_it_is_written(body: list[str], line: int) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, "error")]


@pytest.mark.parametrize(
    "line",
    [
        "srun -t 1-0 -N1-2 -n 2 -c 4 -K1 -W0 -lu --mem=0 a.out",
        "srun --kill-on-bad-exit --exclusive --overlap --export=ALL,A=1 a.out",
        "srun -i all -o none -e err.%t --open-mode=append a.out",
        "srun --cpu_bind=none --mem_bind=local --cpu-bind=verbose,cores --mem-bind=none a.out",
        "srun --cpu-bind=mask_cpu:0xff,0xff00 -m block:cyclic --hint=nomultithread a.out",
        "srun -B 1:2:3 --gpus-per-task=a100:1 --gpu-bind=single:1 --gres=gpu:a100:4 a.out",
        "srun --gpu-bind=map_gpu:0,1 --gres=none --gpus=a100:2,b:1 --signal=USR1@60 a.out",
        "srun --mem=10GB --time=90 --time=1:30 --time=0-1:30 --time=UNLIMITED --propagate=STACK a.out",
        "srun --mpi=list",
        "srun --gres-flags=allow-task-sharing --gpus-per-task=1 a.out",
        "srun --gres-flags=allow-task-sharing,enforce-binding a.out",
        "srun --mpi=pmix_v4 --resv-ports --resv-ports=2 --bcast=/tmp/a --compress=lz4 --x11 a.out",
        "srun --nodelist=./hosts --nodes=2 --relative=1 --het-group=0,1 a.out",
        "srun -N $N -n ${T} --time=$LIMIT --mem=${M}GiB a.out",
        "srun $OPTS --time=2h a.out",
        "srun a.out --time=2h --mem=2GiB --nodes=x --label=1",
        "srun -n1 -- a.out --time=2h",
        "srun --image=x:y --volume=a:b --environment=ngc a.out",
        "srun --site-switch --time=2h a.out",
        "srun --nodes=<N> --time=HH:MM:SS a.out",
        "srun --pty -t 10:00 -A <project>",
        "srun --time <time> --nodes=2 --mem <memory> a.out",
        "srun --nodes=[[NODES]] --ntasks={{n}} --time= a.out",
        "srun --container-image=img --container-mounts=<DIRS> --container-writable a.out",
        "echo srun --time=2h",
        "mysrun --time=2h a.out",
    ],
)
def test_silent(line: str) -> None:
    assert findings(job(line, **SIZE), CODE) == []


def test_a_default_or_a_branch_is_a_warning() -> None:
    assert lines(job("T=${1:-2h}", 'srun --time="$T" a.out', **SIZE), CODE) == [(4, "warning")]
    text = job('if [ "$1" = go ]; then srun --time=2h a.out; fi', **SIZE)
    assert lines(text, CODE) == [(4, "warning")]


def test_says_what_srun_says() -> None:
    def notes(line: str) -> tuple[str, ...]:
        found: list[Finding] = findings(job(line, **SIZE), CODE)
        return found[0].notes

    assert notes("srun --time=2h a.out") == ("srun: error: Invalid --time specification",)
    assert notes("srun --label=1 a.out") == ("srun: option '--label' doesn't allow an argument",)
    assert notes("srun -n x a.out") == ('srun: error: Invalid numeric value "x" for --ntasks.',)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("-ntasks=4", "--ntasks=4"),
        ("-cpu_bind=sockets", "--cpu_bind=sockets"),
        ("-time=10", "--time=10"),
        ("-nx", None),
        ("-tomorrow", None),
    ],
)
def test_tells_of_a_long_name_behind_one_dash(word: str, meant: str | None) -> None:
    wanted = "" if meant is None else f"a long name needs two dashes: write {meant}"
    assert [found.help for found in findings(job(f"srun {word} a.out", **SIZE), CODE)] == [wanted]


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("srun --mem=200GiB a.out", "srun --mem=200G a.out"),
        ("srun --mem 200mib a.out", "srun --mem 200M a.out"),
        ("srun --label=true -u a.out", "srun --label -u a.out"),
        ("srun --kill-on-bad-exit=yes a.out", "srun --kill-on-bad-exit=1 a.out"),
        ("srun --label=0 a.out", "srun --label=0 a.out"),
        ("srun --time=soon a.out", "srun --time=soon a.out"),
    ],
)
def test_fix(line: str, after: str) -> None:
    assert fixed(job(line, **SIZE), code=CODE).converged.source.text == job(after, **SIZE)
