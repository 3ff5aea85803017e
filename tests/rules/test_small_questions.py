"""Small questions put directly: numbers of a command line, what is left of a text, where a command goes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.api import Job, Source, Span
from sbatchlint.lint.ask.code_text import line_end, without_comments
from sbatchlint.lint.ask.finetuning import _by_recipe
from sbatchlint.lint.ask.gpu_generation import GpuGeneration, gpu_generation
from sbatchlint.lint.ask.late_directives import late_directives
from sbatchlint.lint.ask.launchers import per_node_launchers
from sbatchlint.lint.ask.line_options import is_form, sure_words
from sbatchlint.lint.ask.locality import Owner, is_of_node, locality_of
from sbatchlint.lint.ask.numbers import option_numbers
from sbatchlint.lint.ask.reach import reaches_other_nodes
from sbatchlint.lint.ask.tasks import starts_by_slots
from tests.rules.checking import findings, job


def asked(*body: str, **options: object) -> Job:
    return Job(Source.from_text(job(*body, **options), "job.sh"))


@given(
    st.lists(st.sampled_from(["a b", "# note", "a # note", "", "echo '# no'", "a#b", "  # x"]), max_size=8)
)
@settings(max_examples=60)
def test_a_text_without_its_comments(lines: list[str]) -> None:
    one = asked(*lines)
    bare = {"# note": "", "a # note": "a ", "  # x": "  "}
    expected = "".join(f"\n{bare.get(line, line)}" for line in lines) + "\n"
    assert without_comments(one) == expected
    whole = Span(0, len(one.source.text))
    assert without_comments(one, whole) == expected
    if lines:
        assert without_comments(one, one.source.line_span(2)) == bare.get(lines[0], lines[0])


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        (["a b", "c"], "a b"),
        (["a \\", "b", "c"], "b"),
        (["a <<E", "x", "E", "c"], "E"),
        (["a <<E <<F", "x", "E", "y", "F", "c"], "F"),
        (["a # note", "c"], "a # note"),
    ],
)
def test_the_end_of_a_line_and_of_its_documents(lines: list[str], end: str) -> None:
    one = asked(*lines)
    place = line_end(one, one.script.body[0].span)
    assert len(place) == 0
    assert one.source.text[: place.start].endswith(f"\n{end}")
    assert one.source.text[place.start] == "\n"


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("--tp 2", [2]),
        ("--tp=2", [2]),
        ("--tp", []),
        ("--tp=", []),
        ("--tp x", []),
        ("--tp $X", []),
        ("--tp 2 --tp=4", [2, 4]),
        ("-tp 2", []),
        ("tp=2", []),
        ("model.tp=8", [8]),
        ("+model.tp=8", [8]),
        ("model.tp 8", []),
        ("--model.tp 8", [8]),
    ],
)
def test_numbers_of_options(words: str, numbers: list[int]) -> None:
    one = asked(f"python t.py {words}")
    (program,) = one.plan.host_programs
    found = option_numbers(program, ("tp", "model.tp"))
    assert [each.value for each in found] == numbers
    places = [one.source.slice(each.span).partition("=")[0] for each in found if each.span is not None]
    assert all(place.lstrip("-+") in ("tp", "model.tp") for place in places)


@pytest.mark.parametrize(
    ("lines", "form"),
    [
        (["srun -A <account> hostname"], True),
        (["srun \\", "  -A <account> hostname"], True),
        (["srun \\", "  -n2 \\", "  -A <account> hostname"], True),
        (["srun hostname <in"], False),
        (["srun hostname <in >out"], False),
        (["srun hostname", "srun -A <account> hostname"], False),
        (["srun hostname  # <account>"], True),
        (["srun hostname", "# <account>"], False),
    ],
)
def test_a_line_to_be_filled_in(lines: list[str], form: bool) -> None:
    one = asked(*lines)
    start = one.source.text.index("srun")
    assert is_form(one, Span(start, start + 4)) is form


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("srun -n2 hostname", 2),
        ("srun hostname $X", 1),
        ('srun hostname "$X"', 2),
        ('srun hostname "$@" x', 1),
        ("srun $X hostname", 0),
    ],
)
def test_words_that_are_surely_there(line: str, count: int) -> None:
    (step,) = asked(line).plan.steps
    assert len(sure_words(step.words)) == count


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        ("#SBATCH -J b200", GpuGeneration.MAYBE_BLACKWELL),
        ("#SBATCH -J a100", GpuGeneration.UNKNOWN),
        ("#SBATCH --gres=gpu:b200:1", GpuGeneration.BLACKWELL),
        ("#SBATCH -C a100", GpuGeneration.BEFORE_BLACKWELL),
    ],
)
def test_only_options_of_gpus_tell_their_generation(text: str, generation: GpuGeneration) -> None:
    assert gpu_generation(Job(Source.from_text(f"#!/bin/bash\n{text}\nhostname\n"))) is generation


@pytest.mark.parametrize(
    ("path", "owner", "certain"),
    [
        ("/tmp/x", Owner.NODE, True),
        ("$TMPDIR/x", Owner.NODE, False),
        ("${TMPDIR}/x", Owner.NODE, False),
        ("${TMPDIR:-/scratch}/x", None, False),
        ("${X:-/tmp}/x", Owner.NODE, False),
        ("/dev/shm", Owner.NODE, True),
        ("/home/me", None, False),
        ("$HOME/x", None, False),
        ("/tmpx", None, False),
    ],
)
def test_whose_a_folder_is(path: str, owner: Owner | None, certain: bool) -> None:
    one = asked(f"python {path}")
    (program,) = one.plan.host_programs
    found = locality_of(program.arguments[0].value if program.arguments else program.target, None)
    assert (None if found is None else found.owner) is owner
    assert found is None or found.certain is certain


@pytest.mark.parametrize(
    ("shown", "own"),
    [("/tmp", True), ("/tmp/a", True), ("$TMPDIR", True), ("TMPDIR", False), ("$HOME", False)],
)
def test_folders_of_a_node(shown: str, own: bool) -> None:
    assert is_of_node(shown) is own


@pytest.mark.parametrize(
    ("line", "remote"),
    [
        ("parallel --sshlogin=n1,n2 torchrun t.py ::: a", True),
        ("parallel --sshlogin n1,n2 torchrun t.py ::: a", True),
        ("parallel --sshloginfile=hosts torchrun t.py ::: a", True),
        ("parallel --slf=hosts torchrun t.py ::: a", True),
        ("parallel -S n1,n2 torchrun t.py ::: a", True),
        ("parallel -Sn1,n2 torchrun t.py ::: a", True),
        ("parallel --jobs 2 torchrun t.py ::: a", False),
        ("parallel torchrun t.py --sshlogin=x ::: a", False),
        ("xargs -n1 ssh", True),
        ("xargs -n1 torchrun t.py", False),
        ("ssh n1 torchrun t.py", True),
        ("srun torchrun t.py", True),
        ("srun -N1 torchrun t.py", False),
        ("torchrun t.py", False),
    ],
)
def test_what_brings_work_to_other_nodes(line: str, remote: bool) -> None:
    assert reaches_other_nodes(asked(line, nodes=2, gpus_per_node=4).plan) is remote


def test_parallel_over_ssh_leaves_no_node_idle() -> None:
    lines = ["torchrun --nproc_per_node=4 t.py", "parallel {} torchrun --nproc_per_node=4 t.py ::: a b"]
    alone, local, remote = lines[0], lines[1].format("-j2"), lines[1].format("--sshloginfile=hosts")
    found = [findings(job(line, nodes=2, gpus_per_node=4), "SB311") for line in (alone, local, remote)]
    assert [len(each) for each in found] == [1, 1, 0]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("srun torchrun a.py", ["torchrun"]),
        ("srun accelerate launch a.py", ["accelerate"]),
        ("srun deepspeed a.py", []),
        ("srun python a.py", []),
        ("srun bash -c 'torchrun a.py'", ["torchrun"]),
        ("srun bash -c 'if x; then torchrun a.py; fi'", []),
        ("if x; then srun torchrun a.py; fi", ["torchrun"]),
    ],
)
def test_launchers_that_start_one_a_node(line: str, names: list[str]) -> None:
    (step,) = asked(line).plan.steps
    assert [layer.name for _, layer in per_node_launchers(step)] == names


@pytest.mark.parametrize(
    ("line", "slots"),
    [("mpirun python a.py", True), ("mpirun", True), ("srun mpirun a.py", False), ("python a.py", False)],
)
def test_programs_on_slots(line: str, slots: bool) -> None:
    assert starts_by_slots(asked(line)) is slots


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("#SBATCH -N 2", 1),
        ("#SBATCH --nods=2", 1),
        ("#SBATCH was here", 0),
        ("#SBATCH foo", 0),
        ("#SBATCH the -N option is a b c d e f", 0),
    ],
)
def test_directives_below_the_first_command(line: str, count: int) -> None:
    assert len(list(late_directives(asked("hostname", line, "hostname", ntasks=1)))) == count


@pytest.mark.parametrize(
    ("words", "unpacked", "packed"),
    [
        ("--recipe llama3_8b_sft_config", False, False),
        ("--recipe llama3_8b_sft_packed_config", False, True),
        ("--recipe llama3_8b_sft_packed_config", True, False),
        ("--recipe llama3_8b_sft_unpacked_config", False, False),
        ("--recipe=llama3_8b_sft_packed_config", False, True),
        ("--recipe", False, None),
        ("--other llama3_8b_sft_packed_config", False, None),
    ],
)
def test_whether_a_recipe_packs(words: str, unpacked: bool, packed: bool | None) -> None:
    (program,) = asked(f"python run_recipe.py {words}").plan.host_programs
    found = _by_recipe(program, unpacked)
    assert (None if found is None else found.packed) == packed


def test_a_step_in_a_group_in_the_background_reads_no_line() -> None:
    lines = ["while read x; do", "{ srun python t.py $x; } &", "done < f", "wait"]
    assert findings(job(*lines, nodes=1), "SB363") == []
