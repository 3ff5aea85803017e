"""Scripts that nest, recur, grow or go on without end, each with what is said of it.

A kind is its text behind :data:`HEAD` and the code of the finding that tells of a part left unseen:
SB001 for what is not read, SB004 for what is not followed; empty where nothing that starts anything
is left out.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

HEAD = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --tyme=00:10:00\n"
"""With a finding of its own, which has to stand whatever follows."""
UNREAD, UNFOLLOWED, WHOLE = "SB001", "SB004", ""
N = 10_000

Kind = tuple[str, str, str]
"""Name, text and code."""


def kinds() -> Iterator[Kind]:
    """Yield them all."""
    yield from _nested()
    yield from _recursive()
    yield from _growing()
    yield from _endless()
    yield from _huge()


def _nested() -> Iterator[Kind]:
    yield "substitutions", "echo " + "$(echo " * N + "x" + ")" * N + "\n", UNREAD
    yield "substitutions-50", "echo " + "$(echo " * 50 + "x" + ")" * 50 + "\n", UNFOLLOWED
    yield "process-substitutions", "cat " + "<(cat " * N + "x" + ")" * N + "\n", UNREAD
    yield "parentheses", "(" * N + " true " + ")" * N + "\n", WHOLE
    yield "sums", "echo $((" + "(" * N + "1" + ")" * N + "))\n", WHOLE
    yield "open-sums", "echo $((" + "(" * N + "1\n", UNREAD
    yield "groups", "{ " * N + "true; " + "}; " * N + "\n", UNREAD
    yield "ifs", "if true; then " * N + "true; " + "fi; " * N + "\n", UNREAD
    yield "ifs-by-line", "if true; then\n" * N + "true\n" + "fi\n" * N, UNREAD
    yield "whiles", "while true; do " * N + "true; " + "done; " * N + "\n", UNREAD
    yield "fors", "for i in 1 2; do\n" * N + "true\n" + "done\n" * N, UNREAD
    yield "functions-in-functions", "f() { " * N + "true; " + "}; " * N + "f\n", UNREAD
    yield "undecided-ifs", "if [ $x = 1 ]; then\n" * 50 + "y=1\n" + "else\ny=2\nfi\n" * 50, WHOLE
    yield "cases", "case $x in x) " * 50 + "true; " + "esac; " * 50 + "\n", WHOLE
    yield "defaults", "echo " + "${a:-" * N + "x" + "}" * N + "\n", UNREAD
    yield "quoted-defaults", "echo " + '"${a:-' * N + "x" + '}"' * N + "\n", UNREAD
    yield "open-defaults", "echo " + "${a:-" * N + "x\n", UNREAD
    yield "conditions", "[[ " + "( " * N + "x = y " + ") " * N + "]]\n", UNFOLLOWED
    yield "negations", "[[ " + "! " * N + "x ]]\n", UNFOLLOWED
    yield "conjunctions", "[[ " + "x && " * N + "x ]]\n", WHOLE
    yield "here-documents", _documents(300, "cat"), UNFOLLOWED
    yield "shells-in-here-documents", _documents(300, "bash"), UNFOLLOWED
    yield "shells-in-quotes", _quoted(9), WHOLE
    yield "braces", "echo " + "{a," * 2000 + "b" + "}" * 2000 + "\n", UNFOLLOWED
    yield "open-braces", "echo " + "{a," * N + "\n", WHOLE


def _documents(depth: int, command: str) -> str:
    inner = "srun hostname\n" if command == "bash" else ""
    opening = "$(\n" if command == "cat" else ""
    closing = ")\n" if command == "cat" else ""
    begin = "".join(f"{command} <<E{number}\n{opening}" for number in range(depth))
    return begin + inner + "".join(f"{closing}E{number}\n" for number in reversed(range(depth)))


def _quoted(depth: int) -> str:
    command = "srun hostname"
    for _ in range(depth):
        command = f"bash -c {shlex.quote(command)}"
    return command + "\n"


def _recursive() -> Iterator[Kind]:
    chain = "".join(f"f{i}() {{ f{i - 1}; }}\n" for i in range(1, 5000))
    yield "chain", "f0() { srun hostname; }\n" + chain + "f4999\n", UNFOLLOWED
    growing = "".join(f"f{i}() {{ f{i - 1} $@ $@; }}\n" for i in range(1, 40))
    yield "chain-of-arguments", "f0() { $@; }\n" + growing + "f39 srun hostname\n", UNFOLLOWED
    fan = "".join(f"f{i}() {{ f{i - 1}; f{i - 1}; }}\n" for i in range(1, 40))
    yield "fan", "f0() { srun hostname; }\n" + fan + "f39\n", UNFOLLOWED
    yield "mutual", "f() { g; }\ng() { f; }\nf\n", UNFOLLOWED
    yield "itself", "f() { f; }\nf\n", UNFOLLOWED
    yield "itself-twice", 'f() { "$@" || f "$@"; f "$@"; }\nf srun hostname\n', UNFOLLOWED
    yield "in-the-background", ":(){ :|:& };:\n", UNFOLLOWED
    yield "in-a-subshell", "f() { (f); }\nf\n", UNFOLLOWED
    yield "in-a-substitution", "f() { x=$(f); }\nf\n", UNFOLLOWED
    yield "aliases", "shopt -s expand_aliases\nalias a=b b=a\na\nalias c='c c'\nc\n", WHOLE
    doubling = "".join(f"alias a{i}='a{i - 1} ; a{i - 1}'\n" for i in range(1, 60))
    yield "doubling-aliases", f"shopt -s expand_aliases\n{doubling}a59\n", WHOLE
    yield "eval", 'x=\'eval "$x"\'\neval "$x"\n', UNFOLLOWED
    yield "eval-thrice", 'x=\'eval "$x"; eval "$x"; eval "$x"\'\neval "$x"\n', UNFOLLOWED
    yield "growing-eval", 'x=\'x=$x$x; eval "$x"\'\neval "$x"\n', UNFOLLOWED
    yield "source", "source $0\nsource ${BASH_SOURCE[0]}\nsource ${BASH_SOURCE[0]}\n", UNFOLLOWED
    yield "own-shell", "bash $0\nbash $0\nsrun bash $0\nsrun bash $0 1\nsbatch $0\n", WHOLE
    yield "names", "a=b; b=a\necho ${!a} ${!b}\ndeclare -n r=s; declare -n s=r; echo $r; r=1\n", WHOLE
    yield "sums-of-names", "a=b b=a\necho $((a)) $((b+a))\nx='x+x'; echo $((x))\n", WHOLE
    yield "traps", "trap 'trap \"eval $x\" EXIT; false' ERR\nset -e\nfalse\ntrap 'exit' EXIT\nexit\n", WHOLE


def _growing() -> Iterator[Kind]:
    yield "text", "x=a\n" + "x=$x$x\n" * 100 + "srun echo $x\n", WHOLE
    yield "text-in-a-loop", "x=a\nfor i in {1..100}; do x=$x$x; done\nsrun echo $x\n", WHOLE
    yield "text-without-end", "x=a\nwhile :; do x=$x$x; done\nsrun $x\n", WHOLE
    yield "appended", "x=abcd\n" + "x+=$x\n" * 100 + "srun echo $x\n", WHOLE
    yield "unknown-text", "x=$(date)\n" + "x=$x$x\n" * 100 + "srun echo $x\n", WHOLE
    yield "output", "x=a\n" + "x=$(echo $x $x)\n" * 100 + "srun echo $x\n", WHOLE
    yield "files", "echo a > f\n" + "cat f f > g; cat g g > f\n" * 60 + "srun bash f\n", WHOLE
    yield "replaced", "x=aaaa\n" + "x=${x//a/$x}\n" * 20 + "srun echo $x\n", WHOLE
    yield "array", "a=(a)\n" + "a=(${a[@]} ${a[@]})\n" * 100 + "srun echo ${a[@]}\n", WHOLE
    yield "arguments", "set -- a\n" + 'set -- "$@" "$@"\n' * 100 + "srun echo $@\n", WHOLE
    yield (
        "array-in-loops",
        "a=()\nfor i in {1..1000}; do for j in {1..1000}; do a+=($i$j); done; done\n",
        WHOLE,
    )
    choices = "".join(f"if [ $RANDOM = {i} ]; then x=a$x; else x=b$x; fi\n" for i in range(100))
    yield "choices", f"x=\n{choices}srun echo $x\n", WHOLE
    yield "powers", "echo $((2**2**2**64)) $((9**9**9**9)) $((1<<9999999999)) $((10**1000000))\n", WHOLE
    yield "numbers", f"x={'9' * 100_000}\necho $((x*x)) $(({'9' * 100_000}))\n", WHOLE
    yield "printf", "x=$(printf %1000000000s)\nprintf -v y '%.1000000000d' 5\nsrun echo $x $y\n", WHOLE
    yield "brace-products", "echo {1..1000000}{1..1000000} " + "{a,b}" * 60 + "\n", WHOLE
    yield "brace-ranges", "for i in {1..1000000000}; do srun hostname; done\n", WHOLE
    yield "indices", "a[1000000000]=1\na[99999999999999999999]=2\nsrun echo ${a[@]} ${!a[@]}\n", WHOLE


def _endless() -> Iterator[Kind]:
    yield "seq", "for i in $(seq 1 10000000000); do srun hostname; done\nseq 1 0 1\n", WHOLE
    yield "for-ever", "for ((;;)); do srun hostname; done\nsrun b\n", WHOLE
    yield "for-long", "for ((i=0; i<1000000000; i++)); do srun hostname $i; done\nsrun b\n", WHOLE
    yield "while", "while :; do srun hostname; done\nsrun b\n", WHOLE
    yield "until", "until false; do until false; do until false; do srun a; done; done; done\n", WHOLE
    yield "loops-in-loops", "for i in {1..10}; do\n" * 6 + "srun echo $i\n" + "done\n" * 6, WHOLE
    regex = "[[ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab =~ ^(a+)+$ ]] && srun x\n"
    yield "regular-expression", regex + "x=$(echo aaaaaaaaaaaaaaaaaaaab | sed -E 's/^(a+)+$/x/')\n", WHOLE
    stars = f"x={'a' * 200}\necho ${{x#{'*a' * 60}b}} ${{x//{'*a' * 30}b/}}\n"
    yield "pattern", f"[[ {'a' * 200} == {'*a' * 60}b ]] && srun x\n{stars}", WHOLE


def _huge() -> Iterator[Kind]:
    yield "elements", "a=(" + "x " * 10**6 + ")\nsrun echo ${a[@]}\n", UNREAD
    yield "commands", "echo\n" * 9000, UNFOLLOWED
    yield "statements", "true; " * N + "true\n", UNFOLLOWED
    yield "lists", "true && " * 2000 + "true\n", WHOLE
    yield "pipes", "true | " * 2000 + "true\n", WHOLE
    yield "line", "srun echo " + "x" * 1_000_000 + "\n", WHOLE
    yield "quotes", "echo " + "\"'" * 100_001 + "\n", UNREAD
    yield "backquotes", "echo " + "`" * 10_001 + "\n", UNREAD
    yield "backslashes", "echo `" + "\\" * 5000 + "`" + "\\" * 5000 + "``\n", WHOLE
    yield "wrappers", "srun " + "env " * N + "hostname\n", UNFOLLOWED
    yield "srun-in-srun", "srun " * 500 + "hostname\n", UNFOLLOWED
    yield "suppressions", "# sbatchlint: ignore[SB001]\n" * 3000 + "true\n", WHOLE
    yield "options", "srun " + "--export=A=1 " * 3000 + "hostname\n", WHOLE
    yield "nodes", "#SBATCH --nodelist=n[1-1000000000]\n#SBATCH -w " + "[" * N + "\n", WHOLE
