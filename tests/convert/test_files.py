"""Shell scripts: what of them goes along, and what is left out with a word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sbatchlint.convert.conversion import Conversion, convert
from sbatchlint.convert.refusal import Refused
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.convert.scripts import findings, with_nodes
from tests.convert.simulated import Cluster

TRAIN = """\
#!/bin/bash
set -ex
nvidia-smi
mkdir -p out
export FOO="a b"
if [ -f extra.sh ]; then source extra.sh; fi
ARGS=(--data "$DATA" --n 3 "a b")
EXTRA=""
NGPU=2
rm -rf old
pip install -r req.txt
torchrun --nproc_per_node=$NGPU --tee=3 train.py "${ARGS[@]}" $EXTRA \\
  --out out/$FOO "$@" 2>&1 | tee log || exit 1
python eval.py
"""


def of(text: str, **site: object) -> Conversion:
    return convert(Source.from_text(text), replace(with_nodes(2), **site))  # type: ignore[arg-type]


def told(made: Conversion) -> dict[str, str]:
    return {note.subject: note.message for note in made.notes}


def test_the_words_are_those_that_the_shell_makes_of_them(cluster: Cluster) -> None:
    done = cluster.run(script_text(of(TRAIN)).encode(), {"DATA": "/d x"})
    assert (done.status, done.errors) == (0, "")
    # `$FOO` stands without quotes, and is split as in the file.
    expected = ("train.py", "--data", "/d x", "--n", "3", "a b", "--out", "out/a", "b")
    assert {call.words for call in done.ranks} == {expected}
    assert [call.rank for call in done.ranks] == [0, 1, 2, 3]
    assert {call.environment["FOO"] for call in done.ranks} == {"a b"}


def test_what_is_left_out_is_told() -> None:
    notes = told(of(TRAIN))
    assert notes["rm -rf old"] == "left out: nothing is deleted (--fresh DIR moves an old run aside)"
    assert notes["pip install -r req.txt"] == "left out: do this once, before the job is submitted"
    assert notes["python eval.py"] == "left out: comes after the command"
    assert notes["tee log"] == "left out: the job's log holds what the tasks print"
    assert "set -ex" not in notes and "nvidia-smi" not in notes


def test_a_variable_that_nobody_sets_stops_the_job(cluster: Cluster) -> None:
    done = cluster.run(script_text(of('torchrun --nproc_per_node=2 t.py "$DATA"')).encode())
    assert done.status != 0 and "export DATA in the shell that submits this job" in done.errors
    assert done.ranks == []


def test_a_command_put_together_in_a_string(cluster: Cluster) -> None:
    text = 'CMD="torchrun --nproc_per_node=2"\nCMD+=" t.py --x 1"\n$CMD "y z"\n'
    done = cluster.run(script_text(of(text)).encode())
    assert {call.words for call in done.ranks} == {("t.py", "--x", "1", "y z")}


def test_where_the_file_goes(tmp_path: object) -> None:
    text = 'cd "$(dirname "$0")"\nsource env.sh\ntorchrun t.py\n'
    made = convert(Source.from_text(text), with_nodes(2), folder="/repo/scripts")
    assert "cd /repo/scripts\nsource env.sh\n" in script_text(made)
    assert "cd /elsewhere\nsource env.sh\n" in script_text(of(text, workdir="/elsewhere"))
    inside = script_text(of("cd /repo && torchrun t.py", image="/a.sqsh", shared="/shared"))
    assert (
        "WORKDIR=/repo\n" in inside and '--container-workdir="$WORKDIR"' in inside and "\ncd " not in inside
    )


@pytest.mark.parametrize("line", ["source venv/bin/activate", "module load cuda", "conda activate x"])
def test_what_the_host_has_is_of_no_use_in_a_container(line: str) -> None:
    text = f"{line}\ntorchrun t.py"
    assert line in script_text(of(text))
    inside = of(text, image="/a.sqsh", shared="/shared")
    assert line not in script_text(inside)
    assert told(inside)[line] == "left out: the container has programs of its own"


def test_a_search_path_is_joined_in_the_container() -> None:
    text = "export PYTHONPATH=src:$PYTHONPATH\ntorchrun t.py"
    inside = script_text(of(text, image="/a.sqsh", shared="/shared"))
    assert 'bash -c \'export PYTHONPATH="$PWD/src:${PYTHONPATH:-}"; exec torchrun' in inside
    assert "\nexport PYTHONPATH" not in inside
    assert "export PYTHONPATH=src:$PYTHONPATH\n" in script_text(of(text))


def test_an_old_run_is_moved_aside(cluster: Cluster) -> None:
    script = script_text(of("mkdir -p out && touch out/old && torchrun --nproc_per_node=2 t.py", fresh="out"))
    assert findings(script) == []
    done = cluster.run(script.encode())
    assert (done.status, done.errors) == (0, "")
    work = done.ranks[0].environment["PWD"]
    import os

    left = sorted(os.listdir(work))
    assert left[0] == "job.sbatch" and left[1].startswith("out.2") and len(left) == 2
    assert os.listdir(os.path.join(work, left[1])) == ["old"]
    again = cluster.run(script.encode(), {"SLURM_RESTART_COUNT": "1"})
    assert sorted(os.listdir(again.ranks[0].environment["PWD"])) == ["job.sbatch", "out"]


@pytest.mark.parametrize("mode", ["native", "torchrun"])
def test_what_holds_for_one_node_does_not_go_along(mode: str, cluster: Cluster) -> None:
    text = (
        "export MASTER_ADDR=localhost MASTER_PORT=1\nexport B=2 WORLD_SIZE=2\n"
        "CUDA_VISIBLE_DEVICES=0,1 C=3 torchrun --nproc_per_node=2 t.py"
    )
    made = convert(Source.from_text(text), with_nodes(2), mode=mode)
    done = cluster.run(script_text(made).encode())
    assert (done.status, done.errors, len(done.ranks)) == (0, "", 4)
    for call in done.ranks:
        assert (call.environment["B"], call.environment["C"]) == ("2", "3")
        assert call.environment.get("MASTER_ADDR", "node1") == "node1" and call.world == 4
        assert "CUDA_VISIBLE_DEVICES" not in call.environment
    for subject in ("export MASTER_ADDR=localhost MASTER_PORT=1", "CUDA_VISIBLE_DEVICES=0,1"):
        assert told(made)[subject] == "left out: it holds for one node; the job says it for all of them"


def test_variables_of_one_node_that_only_the_file_uses_stay(cluster: Cluster) -> None:
    text = 'NNODES=1\nARGS="--nproc_per_node=2 --nnodes=$NNODES"\ntorchrun $ARGS t.py --n $NNODES --d $DATA\n'
    done = cluster.run(script_text(of(text)).encode(), {"DATA": "d"})
    assert {call.words for call in done.ranks} == {("t.py", "--n", "1", "--d", "d")}


def test_what_assignments_need_of_the_shell_is_told() -> None:
    made = of('ARGS=(--data $DATA --n ${N:-3} --a $A)\nA=1\ntorchrun t.py "${ARGS[@]}"\n')
    assert told(made)["$DATA"] == "is read when the job starts: export it in the shell that submits it"
    assert not {"$N", "$A"} & told(made).keys()


@pytest.mark.parametrize(
    "line",
    [
        'HERE=$(dirname "$0")',
        'export HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"',
        'HERE="$( cd -- "$(dirname -- "${BASH_SOURCE[0]}")" &>/dev/null && pwd )"',
        'HERE=$(dirname "$(readlink -f "$0")")',
    ],
)
def test_the_folder_of_the_file_has_a_name(line: str, cluster: Cluster) -> None:
    text = f'{line}\ntorchrun --nproc_per_node=2 "$HERE/t.py" --cfg $HERE/c.yaml\n'
    made = convert(Source.from_text(text), with_nodes(2), folder="/repo/my scripts")
    done = cluster.run(script_text(made).encode())
    assert (done.status, done.errors) == (0, "")
    assert {call.words[:2] for call in done.ranks} == {("/repo/my scripts/t.py", "--cfg")}


def test_a_file_that_asks_for_itself_otherwise_is_refused() -> None:
    with pytest.raises(Refused, match="give --workdir"):
        of('torchrun t.py --cfg "$(dirname "$0")/c.yaml"')
    with pytest.raises(Refused, match="depends on ROOT"):
        of('ROOT=$(dirname "$(dirname "$0")")\ntorchrun t.py --cfg "$ROOT/c.yaml"')


def test_a_word_that_depends_on_what_is_left_out_is_refused() -> None:
    with pytest.raises(Refused, match="depends on X"):
        of('read -r X < name\ntorchrun t.py --name "$X"')


def test_the_image_overrides_no_variable_of_the_file() -> None:
    text = "export HF_HOME=/hf A=1\nB=2\nC=3 torchrun t.py\n"
    inside = script_text(of(text, image="/a.sqsh", shared="/shared"))
    assert "  --container-env=C,A,HF_HOME\n" in inside


def test_a_file_that_is_written_for_the_program_is_written(cluster: Cluster) -> None:
    made = of("echo '{}' > cfg.json\necho starting\nprintf x >/dev/null\ntorchrun t.py --cfg cfg.json\n")
    assert made.setup == ("echo '{}' > cfg.json",)
    assert cluster.run(script_text(made).encode()).status == 0


def test_words_of_the_job_itself_are_told() -> None:
    assert told(of('torchrun t.py "$@"'))["$@"].endswith("sbatch job.sbatch WORDS")
    assert "$@" in told(of("N=$1\ntorchrun t.py --n $N"))
    for text in (
        "torchrun t.py '$@'",
        'f() { X="$1"; }\nf a\ntorchrun t.py "$X"',
        'set -- a\ntorchrun t.py "$@"',
    ):
        assert "$@" not in told(of(text))


@pytest.mark.parametrize(
    ("command", "subject", "message"),
    [
        ("nohup torchrun t.py &", "nohup", "without a terminal"),
        ("nsys profile -o out torchrun t.py", "nsys", "a name of its own for each node, such as -o out.%q{"),
        ("torchrun t.py --nproc_per_node 4", "--nproc_per_node", "the program's word, not torchrun's"),
        ("torchrun t.py *.json", "*.json", "looked up when the job starts"),
    ],
)
def test_what_is_odd_is_told(command: str, subject: str, message: str) -> None:
    assert message in told(of(command))[subject]


def test_a_variable_without_quotes_is_no_pattern() -> None:
    assert "looked up" not in str(told(of("torchrun t.py name=$NAME")))


@pytest.mark.parametrize(
    "text",
    [
        '(cd "$SUB" && export FOO=x; torchrun --nproc_per_node=2 t.py "${NAME}") 2>&1 | tee log',
        'NAME=${NAME:-base}\n{\n  cd "$SUB"\n  torchrun --nproc_per_node=2 t.py "$NAME"\n} > log 2>&1',
        'cd "$SUB" && { torchrun --nproc_per_node=2 t.py "$NAME"; } 2>&1 | tee -a log',
    ],
)
def test_what_a_group_sets_goes_along_wherever_its_output_goes(
    text: str, cluster: Cluster, tmp_path: Path
) -> None:
    made = of(text)
    done = cluster.run(script_text(made).encode(), {"SUB": str(tmp_path), "NAME": "given later"})
    assert (done.status, done.errors) == (0, "")
    assert {call.words for call in done.ranks} == {("t.py", "given later")}
    assert {call.environment["PWD"] for call in done.ranks} == {str(tmp_path)}
    assert any("the job's log holds what the tasks print" in message for message in told(made).values())


def test_a_group_that_reads_something_is_refused() -> None:
    with pytest.raises(Refused):
        of("{ torchrun --nproc_per_node=2 t.py; } < input")


def test_a_default_that_the_file_assigns_is_not_asked_for(cluster: Cluster) -> None:
    made = of(': "${DATA:=/d}" ${MORE=x}\ntorchrun --nproc_per_node=2 t.py "$DATA" "$MORE"')
    assert not {"$DATA", "$MORE"} & told(made).keys()
    done = cluster.run(script_text(made).encode())
    assert {call.words for call in done.ranks} == {("t.py", "/d", "x")}
