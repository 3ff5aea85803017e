"""Numbers of more digits than Python reads break nothing, wherever they stand in a script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbatchlint.cluster.load import load_profile
from sbatchlint.lint.docs import as_file, example_options, read_doc
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.report.plan_json import plan_json
from sbatchlint.report.plan_model import planned
from sbatchlint.source import Source
from sbatchlint.training.variables.table import variables
from tests.rules.checking import all_rules

NUMBERS = {
    "many digits": "9" * 5000,
    "more of them when multiplied": "9" * 4300,
    "zeros in front": "0" * 5000 + "2",
    "more than a list can hold": "1" + "0" * 15,
    "a digit that is no number": "²",
}
EXAMPLES = [
    (rule.code, as_file(text), example_options(doc))
    for rule in all_rules().rules
    for doc in [read_doc(type(rule))]
    for text in (*doc.bad, *doc.good)
]
SCRIPTS = sorted((Path(__file__).parents[1] / "launch" / "scripts").glob("*.sh"))
CLUSTER = load_profile(str(Path(__file__).parent / "cases" / "cluster.toml"))
_NUMBER = re.compile(r"(?<![A-Za-z_0-9])[0-9]+")

DIRECTIVES = (
    "--mem={}",
    "--mem={}G",
    "--mem={}.5G",
    "--time={}h",
    '--time="{} days, 1:00:00"',
    "--time={}:1:00:00",
    "--nodes={}",
    "--ntasks={}",
    "--ntasks-per-node={}",
    "--cpus-per-task={}",
    "--gres=gpu:{}",
    "--gpus=gpu:{}",
    "--array=1-{}",
    "--array={}-{}:{}",
    "--nodelist=gpu[1-{}]",
    "--licenses=matlab:{}",
    "--het-group={}",
)
CODE = (
    "srun --ntasks={0} --nodes={0} --cpus-per-task={0} --gpus={0} hostname",
    "srun --het-group={0}-{0} hostname",
    "srun --time={0}:00 --mem={0} --gpus=gpu:{0} hostname",
    "srun torchrun --nnodes={0} --nproc_per_node={0} --node_rank={0} --master_port={0} train.py",
    "srun torchrun --nnodes={0}:{0} --nproc_per_node={0} --rdzv_endpoint=a:{0} train.py",
    "srun accelerate launch --num_processes={0} --num_machines={0} --machine_rank={0} train.py",
    "deepspeed --num_gpus {0} --num_nodes {0} train.py",
    "horovodrun -np {0} python train.py",
    "srun python pretrain_gpt.py --tensor-model-parallel-size {0} --pipeline-model-parallel-size {0}",
    "srun python pretrain_gpt.py --num-layers {0} --num-attention-heads {0} --global-batch-size {0}",
    "srun python train.py trainer.devices={0} trainer.num_nodes={0}",
    "srun python train.py --devices={0} --num_nodes={0}",
    "N={0}; srun -n $((N)) hostname",
    "N=$(({0} * {0} + 1)); echo $N",
    "N=$((2#{0} + {0}#1 + 0x{0} + 0{0})); echo $N",
    "N=$((3 ** {0} << {0} >> {0} / -{0} % {0})); echo $N",
    "N=7; ((N *= {0})); ((N++)); echo $((-N)) $((~N))",
    "a[{0}]=1; echo ${{a[{0}]}} ${{a[-{0}]}} ${{#a[@]}}; a+=(x); a[-{0}]=2",
    "a=([{0}]=1 2 [-{0}]=3); echo ${{a[@]:{0}:{0}}} ${{@:{0}}}",
    "x=abc; echo ${{x:{0}}} ${{x:0:{0}}} ${{x: -{0}}} ${{{0}}}",
    "y='a[{0}]'; echo ${{!y}}; z={0}; echo ${{!z}}; printf -v 'a[{0}]' x",
    "for i in {{1..{0}}} {{{0}..{0}..{0}}} {{a..e..{0}}}; do srun hostname; done",
    "for ((i = 0; i < {0}; i += {0})); do srun hostname; break {0}; continue {0}; done",
    "for i in $(seq {0}) $(seq 1 {0}) $(seq {0} {0} {0}) $(seq -w 1 {0}); do srun hostname; done",
    "x=$(echo a b | cut -d' ' -f{0}); y=$(echo a | cut -c1-{0}); z=$(echo a b | awk '{{print ${0}}}')",
    "x=$(scontrol show hostnames | awk 'NR=={0}'); y=$(echo a | head -n {0}); z=$(echo a | tail -n +{0})",
    "x=$(scontrol show hostnames | sed -n {0}p); y=$(echo a | sed {0}q); srun -w $x hostname",
    "printf '%d %x %{0}d %.{0}s %0{0}d\\n' {0} {0} {0} {0} {0}; printf -v N %d {0}; echo $N",
    "x=$(expr {0} + {0}); y=$(bc <<< '{0} * {0}')",
    "[ {0} -gt 1 ] && srun hostname; [[ {0} -lt -{0} ]] || srun hostname; test -v 'a[{0}]'",
    "set -- a b; shift {0}; echo $1",
    "f() {{ return {0}; }}; f; echo $?",
    "OPTIND={0}; while getopts n:x o; do echo $o; done",
    "read -n {0} x <<< abc; mapfile -n {0} -s {0} lines < f; exec {0}>&1",
    "sleep {0}; wait {0}; kill -{0} $!; ulimit -n {0}; umask {0}; timeout {0} srun hostname",
    "export MASTER_PORT={0}; srun python train.py",
    "export MASTER_PORT=$((29500 + SLURM_JOB_ID % {0})); srun python train.py",
    "export CUDA_VISIBLE_DEVICES={0},{0}; python train.py",
    "docker run --shm-size={0}g --gpus {0} image python train.py",
    "sbatch --nodes={0} --time={0} --array={0} --dependency=afterok:{0} train.sh",
    "salloc --nodes={0} --mem={0} --gpus={0} srun hostname",
    "exit {0}",
)


def broken(text: str, options: LintOptions | None = None) -> list[str]:
    """The tracebacks of the rules that break."""
    source = Source.from_text(text, "a.sbatch")
    return [error.traceback for error in lint_source(source, all_rules(), options).internal_errors]


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("value", DIRECTIVES)
def test_in_a_directive(value: str, number: str) -> None:
    text = f"#!/bin/bash\n#SBATCH {value.replace('{}', number)}\nsrun hostname\n"
    for cluster in (None, CLUSTER):
        assert not broken(text, LintOptions(cluster=cluster))


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("code", CODE)
def test_in_the_code(code: str, number: str) -> None:
    text = f"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n{code.format(number)}\n"
    assert not broken(text)
    assert plan_json([planned(Job(Source.from_text(text, "a.sbatch")))])


def test_in_every_environment_variable() -> None:
    names = sorted(variable.name for variable in variables())
    assert len(names) > 100
    numbers = list(NUMBERS.values())
    lines = "".join(f"export {name}={numbers[at % len(numbers)]}\n" for at, name in enumerate(names))
    assert not broken(f"#!/bin/bash\n#SBATCH --nodes=2\n{lines}srun python train.py\n")


@pytest.mark.slow
@pytest.mark.parametrize("share", range(6))
def test_in_the_place_of_every_number_of_every_rule_page(share: int) -> None:
    numbers = list(NUMBERS.values())
    for index, (code, text, options) in enumerate(EXAMPLES[share::6]):
        assert not broken(_NUMBER.sub(numbers[index % len(numbers)], text), options), code


@pytest.mark.parametrize("share", range(6))
def test_in_the_place_of_one_number_of_every_rule_page(share: int) -> None:
    for index, (code, text, options) in enumerate(EXAMPLES[share::6]):
        for place in list(_NUMBER.finditer(text))[index % 8 :: 8]:
            number = list(NUMBERS.values())[place.start() % len(NUMBERS)]
            assert not broken(text[: place.start()] + number + text[place.end() :], options), (code, place)


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_in_scripts_that_use_all_of_the_shell(path: Path) -> None:
    number = list(NUMBERS.values())[SCRIPTS.index(path) % len(NUMBERS)]
    assert not broken(_NUMBER.sub(number, path.read_text()))


@pytest.mark.parametrize("name", ["nodes", "ntasks"])
def test_a_script_that_only_submits(name: str) -> None:
    assert not broken(f"#!/bin/bash\n#SBATCH --{name}={NUMBERS['many digits']}\nsbatch --{name}=2 train.sh\n")
