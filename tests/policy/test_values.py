"""What the variables of an expression hold, from scripts: known, not given, assumed, unknown."""

from __future__ import annotations

from typing import Any

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.load import read_profile
from sbatchlint.lint.job import Job
from sbatchlint.policy.context import variables_of
from sbatchlint.policy.variables import THINGS, VARIABLES
from sbatchlint.source import Source
from tests.policy.policies import judged, verdict

HEAD = "#!/bin/bash\n"


def _script(options: str = "", body: str = "srun hostname") -> str:
    directive = f"#SBATCH {options}\n" if options else ""
    return f"{HEAD}{directive}{body}\n"


JOB = [
    # options, expression, whether it holds
    ("--account=a", "job.account == 'a'", "yes"),
    ("", "job.account == ''", "yes"),
    ("", "'account' in job.options", "no"),
    ("-A a", "job.options['account'] == 'a'", "yes"),
    ("--exclusive", "job.options['exclusive'] == ''", "yes"),
    ("--partition=a,b", "job.partition == 'a,b' && job.partitions == ['a', 'b']", "yes"),
    ("", "job.partitions == []", "yes"),
    ("--time=1-0", "job.time == duration('24h')", "yes"),
    ("--time=UNLIMITED", "job.time > duration('10000h')", "yes"),
    ("", "job.time < duration('1h')", "unknown"),
    ("--time=banana", "job.time < duration('1h')", "unknown"),
    ("--nodes=4", "job.nodes == 4", "yes"),
    ("--nodes=2-4", "job.nodes == 4", "unknown"),
    ("--nodes=2-4", "job.nodes_min == 2 && job.nodes_max == 4", "yes"),
    ("", "job.nodes == 1", "perhaps"),
    ("", "job.nodes == 2", "perhaps not"),
    ("--nodes=2 --ntasks-per-node=8", "job.ntasks == 16 && job.ntasks_per_node == 8", "yes"),
    ("--nodes=2 --cpus-per-task=8", "job.cpus_per_task == 8", "yes"),
    ("--nodes=2", "job.cpus_per_task == 1", "perhaps"),
    ("--nodes=2 --gpus=2 --cpus-per-gpu=8", "job.cpus_per_task == 1", "unknown"),
    ("--nodes=2 --gpus=2 --cpus-per-gpu=8", "job.cpus_per_gpu == 8", "yes"),
    ("--nodes=2", "job.gpus == 0 && job.gpus_per_node == 0 && job.gpus_per_task == 0", "yes"),
    (
        "--nodes=2 --gres=gpu:h100:4",
        "job.gpus == 8 && job.gpus_per_node == 4 && job.gpu_type == 'h100'",
        "yes",
    ),
    ("--nodes=2 --gpus=7", "job.gpus_per_node == 7", "unknown"),
    ("--mem=16G", "job.memory_per_node == memory('16G')", "yes"),
    ("--mem=0", "job.memory_per_node == 0", "unknown"),
    ("", "job.memory_per_node == 0", "unknown"),
    ("--mem-per-gpu=100G", "job.memory_per_gpu == memory('100G')", "yes"),
    ("--array=0-99%5", "job.array && job.array_tasks == 100 && job.array_at_once == 5", "yes"),
    ("", "!job.array && job.array_tasks == 0 && job.array_at_once == 0", "yes"),
    ("--licenses=matlab:2,abaqus", "job.licenses == ['matlab', 'abaqus']", "yes"),
    ("--reservation=r", "job.reservations == ['r']", "yes"),
    ("--requeue", "job.requeue", "yes"),
    ("", "job.requeue", "unknown"),
    ("--mail-user=me --mail-type=END", "job.mail_user == 'me' && job.mail_types == 'END'", "yes"),
    ("--output=a-%j", "job.output == 'a-%j' && job.error == ''", "yes"),
    ("", "job.component == 0 && job.components == 1", "yes"),
    ("--account=<project>", "job.account == 'llm'", "unknown"),
    ("--account=<project>", "'account' in job.options", "yes"),
    ("--account=$ACCOUNT", "job.account == 'llm'", "unknown"),
    ("--gres=$GRES", "job.gpus == 0", "unknown"),
    ("--account --nodes=2", "job.nodes == 1", "unknown"),
    ("-A Abc", "job.account == 'abc'", "yes"),
    ("--account=%(account)s", "job.account == 'llm'", "unknown"),
    ("--gres=gpu:1 --nodes=1-4", "job.asks_for_gpus", "yes"),
    ("--gres=gpu:0", "job.asks_for_gpus", "no"),
    ("--gpus-per-task=", "job.asks_for_gpus", "unknown"),
    ("--gres=gpu:$N", "job.asks_for_gpus", "unknown"),
    ("--gres=gpu:8 --gpus-per-node=0", "job.gpus_per_node == 0", "unknown"),
    ("--gpus=2 --nodes=2-4", "job.nodes_max == 4", "unknown"),
    ("--mem=0G", "job.all_memory", "yes"),
    ("--mem=1G", "job.all_memory", "no"),
    ("", "job.all_memory", "no"),
    ("--mem=${M}G", "job.all_memory", "unknown"),
    ("-w node[06-08],a", "job.nodelist == ['node06', 'node07', 'node08', 'a'] && job.exclude == []", "yes"),
    ("-x a -w ./hosts", "job.exclude == ['a'] && job.nodelist == ['b']", "unknown"),
    ("--licenses=a:2,b,a", "job.license_counts['a'] == 3 && job.license_counts.size() == 2", "yes"),
    ("", "job.license_counts.size() == 0 && job.nice == 0", "yes"),
    ("--licenses=a|b", "'a' in job.license_counts", "unknown"),
    ("--nice", "job.nice == 100", "yes"),
    ("--nice=-5", "job.nice < 0", "yes"),
    ("--reboot", "job.exclusive", "unknown"),
    ("--array=", "job.array || job.array_tasks > 0 || job.array_at_once > 0", "no"),
    ("--acount=a", "job.account != ''", "unknown"),
    ("--acount=a", "'account' in job.options", "unknown"),
    ("--acount=a --qos=q", "job.qos == 'p'", "no"),
]


@pytest.mark.parametrize(("options", "expression", "wanted"), JOB, ids=[f"{a} {b}" for a, b, _ in JOB])
def test_the_job(options: str, expression: str, wanted: str) -> None:
    assert verdict(expression, _script(options)) == wanted


def test_the_job_is_what_command_line_and_environment_make_of_it() -> None:
    assert verdict("job.account == 'b'", _script("--account=a"), sbatch_args=("--account=b",)) == "yes"
    variables = (("SBATCH_ACCOUNT", "c"),)
    assert verdict("job.account == 'c'", _script("--account=a"), submit_environment=variables) == "yes"


def test_of_a_job_that_is_asked_for_elsewhere_nothing_is_known() -> None:
    assert verdict("job.account != ''", "srun hostname\n", interactive=True) == "unknown"
    assert verdict("'account' in job.options", "srun hostname\n", interactive=True) == "unknown"


def test_options_of_the_site_hide_nothing() -> None:
    script = _script("--site-thing=1")
    assert verdict("job.account != ''", script) == "unknown"
    assert verdict("job.account != ''", script, known_options=("site-thing",)) == "no"


PLAN = [
    ("srun -N2 -n4 python a.py", "steps.exists(s, s.nodes == 2 && s.tasks == 4)", "yes"),
    ("srun python a.py", "programs.exists(p, p.name == 'a.py' && p.in_step)", "yes"),
    ("python a.py", "programs.exists(p, p.name == 'a.py' && !p.in_step)", "yes"),
    ("srun python -m pkg.train", "programs.all(p, p.module)", "yes"),
    ("srun python a.py --x 1", "programs.all(p, '--x' in p.words)", "yes"),
    ("srun torchrun a.py", "programs.all(p, p.launcher == 'torchrun')", "yes"),
    ("srun a", "programs.all(p, p.launcher == '')", "yes"),
    ("srun --mpi=pmix a", "steps.all(s, s.options['mpi'] == 'pmix')", "yes"),
    ("srun a", "steps.all(s, 'mpi' in s.options)", "no"),
    ("srun $OPTS a", "steps.all(s, 'mpi' in s.options)", "unknown"),
    ('if [ -n "$X" ]; then srun a; fi', "steps.all(s, 'mpi' in s.options)", "unknown"),
    ('if [ -n "$X" ]; then srun a; fi', "size(steps) == 1", "unknown"),
    ("srun a; srun b &", "size(steps) == 2 && steps.exists_one(s, s.background)", "yes"),
    ("bash other.sh", "steps.exists(s, true)", "unknown"),
    ("$RUN a", "steps.exists(s, true)", "unknown"),
    ("source other.sh", "steps.exists(s, true)", "unknown"),
    ("echo hello", "steps.exists(s, true)", "no"),
    ("export A=1; srun a", "env['A'] == '1' && programs.all(p, p.environment['A'] == '1')", "yes"),
    ("srun a", "'NCCL_DEBUG' in env", "no"),
    ("A=${A:-2}; srun a", "env['A'] == '3'", "perhaps not"),
    ("A=$(date); srun a", "'A' in env", "unknown"),
    (
        "srun --container-image=/a/b.sqsh a",
        "containers.all(c, c.image == '/a/b.sqsh' && c.runtime == 'pyxis')",
        "yes",
    ),
    ('srun --container-image="$IMAGE" a', "containers.all(c, c.image == 'x')", "unknown"),
    (
        "IMAGE=${IMAGE:-y}; srun --container-image=$IMAGE a",
        "containers.all(c, c.image == 'x')",
        "perhaps not",
    ),
    (
        "srun --container-image=i --container-mounts=/a,$MORE a",
        "containers.all(c, size(c.mounts) == 1)",
        "unknown",
    ),
    ("srun $OPTS a", "steps.all(s, s.containers.exists(c, true))", "unknown"),
    ('srun bash -c "$CMD"', "steps.all(s, s.containers.exists(c, true))", "unknown"),
    ('srun bash -c "$CMD"', "containers.exists(c, true)", "unknown"),
    ('srun bash -c "$CMD"', "programs.exists(p, p.name == 'a')", "unknown"),
    ('if [ -n "$X" ]; then srun a; fi', "programs.all(p, p.name == 'b')", "unknown"),
    ('if [ -n "$X" ]; then srun --container-image=i a; fi', "containers.all(c, c.image == 'j')", "unknown"),
    ("srun hostname", "containers.exists(c, true)", "no"),
    ("srun ./run.sh", "programs.exists(p, p.name == 'a.py')", "unknown"),
    ("srun bash run", "containers.exists(c, true)", "unknown"),
    ("make train", "steps.exists(s, true)", "unknown"),
    ('srun "$LAUNCHER" a', "programs.all(p, p.launcher == '')", "unknown"),
    (
        "srun timeout 5 bash -lc 'a b'",
        "programs.all(p, p.login_shell && p.started_by == ['timeout', 'bash'])",
        "yes",
    ),
    ("bash --login -c 'a b'", "programs.all(p, p.login_shell)", "yes"),
    ("bash --norc -c 'a b'", "programs.all(p, p.login_shell)", "no"),
    ("srun bash $FLAGS -c a", "programs.all(p, !p.login_shell)", "unknown"),
    ("module load x; srun a", "'A' in env", "unknown"),
    ("conda activate x; srun a", "programs.all(p, 'A' in p.environment)", "unknown"),
    ("export $(cat .env); srun a", "'A' in env", "unknown"),
    ('export "$K=$V"; srun a', "'A' in env", "unknown"),
    ("export ${P}_A=1; srun a", "'A' in env", "unknown"),
    ("A=1; source x; srun a", "env['A'] == '2'", "unknown"),
    ('A=1; eval "$X"; srun a', "env['A'] == '2'", "unknown"),
    ("source x; A=1; srun a", "env['A'] == '2'", "no"),
    ("module load x; A=1; srun a", "env['A'] == '2'", "no"),
    ("env $VARS srun a", "programs.all(p, 'A' in p.environment)", "unknown"),
    ("srun env $VARS a", "programs.all(p, 'A' in p.environment)", "unknown"),
    ("srun --export=$E a", "programs.all(p, 'A' in p.environment)", "unknown"),
    ("srun docker run --env-file e i a", "programs.all(p, 'A' in p.environment)", "unknown"),
    ("srun apptainer exec --env $E i.sif a", "programs.all(p, 'A' in p.environment)", "unknown"),
    ("srun a", "programs.all(p, 'A' in p.environment)", "no"),
    ("srun --container-name=c a", "containers.all(c, c.image == 'x')", "unknown"),
    (
        "srun --container-image=i --container-mounts=/a:/b:ro+rprivate,/c a",
        "containers.all(c, c.mounts.exists(m, m.source == '/a' && m.target == '/b'"
        " && m.flags == ['ro', 'rprivate'])"
        " && c.mounts.exists(m, m.source == '/c' && m.target == '/c'))",
        "yes",
    ),
    (
        "srun --container-image=i --container-mounts=/a,$MORE a",
        "containers.all(c, c.mounts.exists(m, m.source == '/b'))",
        "unknown",
    ),
    (
        "srun --container-image=i --container-mounts=/a a",
        "containers.all(c, c.mounts.exists(m, m.source == '/b'))",
        "no",
    ),
    (
        "srun apptainer exec --bind /a:/b img.sif a",
        "containers.all(c, c.mounts.exists(m, m.target == '/b'))",
        "yes",
    ),
    (
        "srun apptainer exec --bind /a:/b img.sif a",
        "steps.all(s, s.containers.exists(c, c.runtime == 'apptainer'))",
        "yes",
    ),
]


@pytest.mark.parametrize(("body", "expression", "wanted"), PLAN, ids=[f"{a} | {b}"[:90] for a, b, _ in PLAN])
def test_the_plan(body: str, expression: str, wanted: str) -> None:
    assert verdict(expression, _script("--nodes=2 --ntasks-per-node=2", body)) == wanted


def test_a_script_in_another_language_may_start_anything() -> None:
    assert verdict("steps.exists(s, true)", "#!/usr/bin/env python3\nprint()\n") == "unknown"


def test_the_script() -> None:
    text = "#!/bin/bash -l\nsrun a\n"
    assert verdict("script.name == 'job.sh' && script.shebang == '/bin/bash -l'", text) == "yes"
    assert verdict("script.path.startsWith('/')", text) == "yes"
    assert verdict("script.name == 'job.sh'", text, path="-") == "unknown"
    assert verdict("script.shebang == ''", "srun a\n") == "yes"
    assert verdict("script.text.matches('(?m)^srun')", text) == "yes"


def test_the_cluster() -> None:
    profile = read_profile(
        Source.from_text('name = "c"\n[[partitions]]\nname = "gpu"\ndefault = true\n', "cluster.toml")
    )
    text = "cluster.name == 'c' && cluster.partitions == ['gpu'] && cluster.default_partition == 'gpu'"
    assert verdict(text, _script(), cluster=profile) == "yes"
    assert verdict(text, _script()) == "unknown"


def test_each_component_of_a_heterogeneous_job_is_judged() -> None:
    script = f"{HEAD}#SBATCH -A a --nodes=1\n#SBATCH hetjob\n#SBATCH --nodes=2\nsrun a\n"
    assert judged("job.nodes == 1 && job.components == 2", script, component=0).broken is False
    assert judged("job.nodes == 1", script, component=1).broken is True
    assert judged("job.component == 1", script, component=1).broken is False


def test_every_value_of_the_table_is_there() -> None:
    script = _script("--nodes=1", "srun --container-image=i --container-mounts=/a python a.py")
    job = Job(Source.from_text(script, "job.sh"))
    found = variables_of(job, [variable.name for variable in VARIABLES], 0, Certainty.KNOWN)
    shown: dict[str, Any] = {name: found[name] for name in ("job", "script", "cluster")}
    shown |= {"step": found["steps"][0], "program": found["programs"][0], "container": found["containers"][0]}
    shown["mount"] = found["containers"][0]["mounts"][0]
    assert shown.keys() == THINGS.keys()
    for name, thing in THINGS.items():
        assert list(shown[name]) == [field.name for field in thing.fields]
