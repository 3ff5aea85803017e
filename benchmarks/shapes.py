"""Scripts in which one thing is repeated *n* times, to see how the cost grows with it.

Each function takes *n* and gives the text of a script that bash accepts.  :data:`SHAPES` has them by name.
"""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]

SHAPES: dict[str, Shape] = {}
"""Every shape by its name, in the order of this file."""

HEAD = """\
#!/bin/bash
#SBATCH --job-name=grow
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out

"""

END = "srun python train.py --lr 1e-4\n"


def _shape(make: Shape) -> Shape:
    SHAPES[make.__name__.rstrip("_")] = make
    return make


def _script(*lines: str) -> str:
    return HEAD + "".join(f"{line}\n" for line in lines) + END


@_shape
def lines(n: int) -> str:
    """Return a script of *n* lines of what such scripts are made of."""
    text = [*HEAD.splitlines()]
    block = 0
    while len(text) < n - 1:
        block += 1
        text += [
            f"# part {block}",
            f"export NCCL_BUFFSIZE={4096 * (block % 64 + 1)}",
            f"DATA_{block}=/data/shard_{block:05d}",
            f'if [ ! -d "$DATA_{block}" ]; then',
            f'  echo "no shard $DATA_{block}" >&2',
            "fi",
            f'TRAIN_ARGS="--micro-batch-size 4 --seed {block}"',
            f'LOG="logs/part-{block}-$SLURM_JOB_ID.txt"',
            'echo "$TRAIN_ARGS" > "$LOG"',
            "",
        ]
    return "\n".join([*text[: n - 1], END]).removesuffix("\n") if len(text) == n - 1 else _cut(text, n)


def _cut(text: list[str], n: int) -> str:
    """Return *n* lines of *text*, of whose last block whole statements alone are left."""
    kept = text[: n - 1]
    opened = sum(line.startswith("if ") for line in kept) - kept.count("fi")
    while opened:
        opened -= kept.pop().startswith("if ")
    kept += ["# end"] * (n - 1 - len(kept))
    return "\n".join([*kept, END])


@_shape
def nesting(n: int) -> str:
    """Return a script with *n* ``if`` in each other."""
    opened = [f"{'  ' * min(at, 20)}if [[ -f /data/flag_{at} ]]; then" for at in range(n)]
    return _script(*opened, "echo deep", *["fi"] * n)


@_shape
def loops(n: int) -> str:
    """Return a script with *n* loops one after the other."""
    return _script(*(f"for i in 1 2 3; do echo $i {at}; done" for at in range(n)))


@_shape
def branches(n: int) -> str:
    """Return a script with *n* conditions that can't be decided, each of which sets a variable."""
    return _script(*(f'if [ -n "$USER_{at}" ]; then LR_{at}=1; else LR_{at}=2; fi' for at in range(n)))


@_shape
def same_variable_in_branches(n: int) -> str:
    """Return a script in which *n* conditions that can't be decided each append to one variable."""
    return _script(
        'ARGS=""',
        *(f'if [ -n "$U_{at}" ]; then ARGS="$ARGS --a{at} {at}"; fi' for at in range(n)),
        "srun python train.py $ARGS",
    )


@_shape
def variables(n: int) -> str:
    """Return a script that sets *n* variables and uses each."""
    return _script(*(f"V_{at}={at}" for at in range(n)), *(f'echo "$V_{at}"' for at in range(n)))


@_shape
def exports(n: int) -> str:
    """Return a script that exports *n* variables."""
    return _script(*(f"export V_{at}={at}" for at in range(n)))


@_shape
def exports_and_programs(n: int) -> str:
    """Return a script that exports *n* variables and starts *n* programs."""
    return _script(
        *(f"export V_{at}={at}" for at in range(n)), *(f"python prepare.py --part {at}" for at in range(n))
    )


@_shape
def exports_and_steps(n: int) -> str:
    """Return a script that exports *n* variables and starts *n* steps."""
    return _script(
        *(f"export V_{at}={at}" for at in range(n)), *(f"srun python train.py --part {at}" for at in range(n))
    )


@_shape
def steps(n: int) -> str:
    """Return a script with *n* steps, one after the other."""
    return _script(*(f"srun --ntasks=16 python train.py --part {at}" for at in range(n)))


@_shape
def steps_in_background(n: int) -> str:
    """Return a script with *n* steps side by side."""
    return _script(*(f"srun -N1 -n1 --exclusive python train.py --part {at} &" for at in range(n)), "wait")


@_shape
def code_steps(n: int) -> str:
    """Return a script with *n* steps that run code of a string."""
    return _script(
        *(f"srun bash -c 'cd /app{at} && python train.py --rank $SLURM_PROCID'" for at in range(n))
    )


@_shape
def torchrun_steps(n: int) -> str:
    """Return a script with *n* steps of torchrun and Megatron options."""
    return _script(
        "MASTER=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)",
        *(
            "srun --ntasks-per-node=1 torchrun --nnodes 2 --nproc-per-node 8 --rdzv-backend c10d "
            f"--rdzv-endpoint $MASTER:29500 pretrain_gpt.py --tensor-model-parallel-size 4 --seed {at}"
            for at in range(n)
        ),
    )


@_shape
def pipes(n: int) -> str:
    """Return a script with one pipeline of *n* commands."""
    return _script(" | ".join(["cat /etc/hosts", *(f"grep -v node{at}" for at in range(n))]))


@_shape
def pipelines(n: int) -> str:
    """Return a script with *n* pipelines."""
    return _script(*(f"cat log{at} | grep loss | tail -n 1" for at in range(n)))


@_shape
def ands(n: int) -> str:
    """Return a script with one list of *n* commands joined by ``&&``."""
    return _script(" && ".join(f"cd part{at}" for at in range(n)))


@_shape
def ors(n: int) -> str:
    """Return a script with one list of *n* commands joined by ``||``."""
    return _script(" || ".join(f"test -f part{at}" for at in range(n)))


@_shape
def elifs(n: int) -> str:
    """Return a script with one ``if`` of *n* branches."""
    tests = [f'elif [ "$1" = m{at} ]; then SIZE={at}' for at in range(n)]
    return _script('if [ "$1" = none ]; then SIZE=0', *tests, "fi", 'echo "$SIZE"')


@_shape
def cases(n: int) -> str:
    """Return a script with one ``case`` of *n* patterns."""
    return _script('case "$1" in', *(f"  m{at}) SIZE={at} ;;" for at in range(n)), "esac", 'echo "$SIZE"')


@_shape
def command_substitutions(n: int) -> str:
    """Return a script with *n* variables that commands fill."""
    return _script(*(f"X_{at}=$(hostname -s part{at})" for at in range(n)))


@_shape
def nested_substitutions(n: int) -> str:
    """Return a script with *n* substitutions in each other."""
    return _script("X=" + "$(basename " * n + "/a/b" + ")" * n)


@_shape
def arithmetic(n: int) -> str:
    """Return a script with *n* sums, each of which rests on the one before."""
    return _script("X_0=1", *(f"X_{at + 1}=$((X_{at} + {at}))" for at in range(n)))


@_shape
def one_sum(n: int) -> str:
    """Return a script with one sum of *n* terms."""
    return _script("X=$((" + " + ".join(str(at) for at in range(n + 1)) + "))")


@_shape
def functions(n: int) -> str:
    """Return a script with *n* functions, each of which calls the one before."""
    defined = [f"f_{at + 1}() {{ f_{at}; }}" for at in range(n)]
    return _script("f_0() { echo end; }", *defined, *([f"f_{min(n, 20)}"]))


@_shape
def function_calls(n: int) -> str:
    """Return a script that calls one function *n* times."""
    return _script('log() { echo "[$(date)] $1"; }', *(f'log "step {at}"' for at in range(n)))


@_shape
def function_chain(n: int) -> str:
    """Return a script with *n* functions, each of which calls the one before, and calls the last."""
    defined = [f"f_{at + 1}() {{ f_{at}; }}" for at in range(n)]
    return _script("f_0() { echo end; }", *defined, f"f_{n}")


@_shape
def expansions_in_a_word(n: int) -> str:
    """Return a script with one word of *n* expansions."""
    return _script("A=a", 'X="' + "$A-" * n + '"', 'echo "$X"')


@_shape
def unknown_expansions_in_a_word(n: int) -> str:
    """Return a script with one word of *n* expansions that are not known."""
    return _script('X="' + "".join(f"$U_{at}-" for at in range(n)) + '"', 'echo "$X"')


@_shape
def appended(n: int) -> str:
    """Return a script that builds one variable up over *n* lines, as ``X="$X ..."``."""
    return _script(
        'ARGS="--seed 1"',
        *(f'ARGS="$ARGS --option-{at} {at}"' for at in range(n)),
        "srun python train.py $ARGS",
    )


@_shape
def appended_by_operator(n: int) -> str:
    """Return a script that builds one variable up over *n* lines, as ``X+=``."""
    return _script(
        'ARGS="--seed 1"', *(f'ARGS+=" --option-{at} {at}"' for at in range(n)), "srun python train.py $ARGS"
    )


@_shape
def here_document(n: int) -> str:
    """Return a script with one here-document of *n* lines."""
    return _script("cat > config.yaml <<EOF", *(f"key_{at}: $VALUE_{at}" for at in range(n)), "EOF")


@_shape
def here_documents(n: int) -> str:
    """Return a script with *n* here-documents."""
    made = (line for at in range(n) for line in (f"cat > c{at}.yaml <<EOF", f"key: {at}", "EOF"))
    return _script(*made)


@_shape
def directives(n: int) -> str:
    """Return a script with *n* directives."""
    return HEAD + "".join(f"#SBATCH --comment=part{at}\n" for at in range(n)) + END


@_shape
def different_directives(n: int) -> str:
    """Return a script with *n* directives of several options."""
    some = (
        "--time=1:{0:02d}:00",
        "--mem={0}G",
        "--job-name=j{0}",
        "--output=o{0}.txt",
        "--cpus-per-task={0}",
    )
    return HEAD + "".join(f"#SBATCH {some[at % 5].format(at % 59 + 1)}\n" for at in range(n)) + END


@_shape
def unknown_directives(n: int) -> str:
    """Return a script with *n* directives that no release knows."""
    return HEAD + "".join(f"#SBATCH --ntask-per-nod{at}=1\n" for at in range(n)) + END


@_shape
def late_directives(n: int) -> str:
    """Return a script with *n* directives after its first command."""
    return _script("date", *(f"#SBATCH --comment=part{at}" for at in range(n)))


@_shape
def comments(n: int) -> str:
    """Return a script with *n* lines of comment."""
    return _script(*(f"# about part {at}" for at in range(n)))


@_shape
def blank_lines(n: int) -> str:
    """Return a script with *n* empty lines."""
    return _script(*[""] * n)


@_shape
def suppressions(n: int) -> str:
    """Return a script with *n* comments that answer a finding, each with its line."""
    made = (line for at in range(n) for line in ("# sbatchlint: disable=SB103", f"echo {at}"))
    return _script(*made)


@_shape
def sources(n: int) -> str:
    """Return a script that sources *n* files."""
    return _script(*(f"source /opt/setup/env{at}.sh" for at in range(n)))


@_shape
def unknown_sources(n: int) -> str:
    """Return a script that sources *n* files of which not even the names are known, then uses variables."""
    made = (line for at in range(n) for line in (f"V_{at}=1", f'source "$CONF_{at}"'))
    return _script(*made)


@_shape
def modules(n: int) -> str:
    """Return a script that loads *n* modules."""
    return _script(*(f"module load tool{at}/1.0" for at in range(n)))


@_shape
def array(n: int) -> str:
    """Return a script with one array of *n* elements, all of which are used."""
    return _script(
        "ARGS=(", *(f"  --option-{at} {at}" for at in range(n)), ")", 'srun python train.py "${ARGS[@]}"'
    )


@_shape
def array_appended(n: int) -> str:
    """Return a script that appends *n* times to an array."""
    return _script(
        "ARGS=()", *(f"ARGS+=(--option-{at} {at})" for at in range(n)), 'srun python train.py "${ARGS[@]}"'
    )


@_shape
def array_indices(n: int) -> str:
    """Return a script that reads *n* elements of an array of *n*."""
    return _script(
        "A=(" + " ".join(f"e{at}" for at in range(n)) + ")", *(f'echo "${{A[{at}]}}"' for at in range(n))
    )


@_shape
def words(n: int) -> str:
    """Return a script with one line of *n* words."""
    return _script("echo " + " ".join(f"word{at}" for at in range(n)))


@_shape
def options(n: int) -> str:
    """Return a script with one program of *n* options."""
    return _script("srun python train.py " + " ".join(f"--option-{at} {at}" for at in range(n)))


@_shape
def continuations(n: int) -> str:
    """Return a script with one command over *n* lines."""
    return _script("srun python train.py \\", *(f"  --option-{at} {at} \\" for at in range(n)), "  --last 1")


@_shape
def long_word(n: int) -> str:
    """Return a script with one word of 10 times *n* characters."""
    return _script("X=" + "abcdefghi/" * n, "echo $X")


@_shape
def long_string(n: int) -> str:
    """Return a script with one quoted string of *n* lines."""
    return _script("X='", *(f"line {at} of it" for at in range(n)), "'", 'echo "$X"')


@_shape
def long_code(n: int) -> str:
    """Return a script with one step whose code has *n* lines."""
    return _script("srun bash -c '", *(f"echo line {at} $SLURM_PROCID" for at in range(n)), "'")


@_shape
def long_code_expanded(n: int) -> str:
    """Return a script with one step whose code, in double quotes, has *n* lines."""
    return _script('srun bash -c "', *(f"export V_{at}=$HOME/{at}" for at in range(n)), 'python train.py"')


@_shape
def redirections(n: int) -> str:
    """Return a script with *n* commands that write to files."""
    return _script(*(f"echo {at} > out/file{at}.txt" for at in range(n)))


@_shape
def folders(n: int) -> str:
    """Return a script that goes to *n* folders and makes as many."""
    made = (line for at in range(n) for line in (f"mkdir -p run{at}", f"cd run{at}"))
    return _script(*made)


@_shape
def conditions(n: int) -> str:
    """Return a script with one ``[[ ]]`` of *n* terms."""
    return _script("if [[ " + " && ".join(f"-n $U_{at}" for at in range(n)) + " ]]; then echo all; fi")


@_shape
def groups(n: int) -> str:
    """Return a script with *n* groups and subshells one after the other."""
    return _script(*(f"(cd part{at}; ls)" if at % 2 else f"{{ ls part{at}; }}" for at in range(n)))


@_shape
def subshells_nested(n: int) -> str:
    """Return a script with *n* subshells in each other."""
    return _script("( " * n + "echo deep" + " )" * n)


@_shape
def long_loop(n: int) -> str:
    """Return a script with one loop over *n* words."""
    return _script("for x in " + " ".join(f"w{at}" for at in range(n)) + "; do", '  echo "$x"', "done")


@_shape
def loop_of_steps(n: int) -> str:
    """Return a script with a loop over *n* words that starts a step each time."""
    return _script(
        "for x in " + " ".join(f"w{at}" for at in range(n)) + "; do",
        '  srun python train.py --data "$x"',
        "done",
    )


@_shape
def secrets(n: int) -> str:
    """Return a script that sets *n* variables with the names of secrets."""
    return _script(*(f"export TOKEN_{at}_API_KEY=abcdef{at:06d}ghijklmnop" for at in range(n)))


@_shape
def unclosed_quotes(n: int) -> str:
    """Return a script that bash does not accept: *n* lines after a quote that is not closed."""
    return _script('echo "begin', *(f"echo line {at}" for at in range(n)))


@_shape
def stray_closers(n: int) -> str:
    """Return a script that bash does not accept: *n* lines with a ``done`` of no loop."""
    return _script(*(f"echo {at}; done" for at in range(n)))


@_shape
def unclosed_loops(n: int) -> str:
    """Return a script that bash does not accept: *n* loops that never end."""
    return _script(*(f"for i in {at}; do" for at in range(n)))


NOT_BASH = ("unclosed_quotes", "stray_closers", "unclosed_loops")
"""The shapes that bash refuses."""
