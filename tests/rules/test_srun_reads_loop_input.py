"""SB363: srun inside a loop on read."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB363"


@pytest.mark.parametrize(
    "body",
    [
        ["while read x; do srun -n1 python t.py $x; done < list"],
        ["while IFS=, read -r a b; do", "srun -n1 python t.py $a", "done < list"],
        ["cat list | while read x; do srun -n1 python t.py $x; done"],
        ["grep -v '#' list | while read x; do srun python t.py $x | tee $x.log; done"],
        ["while read x; do if [ -n $x ]; then srun python t.py $x; fi; done < list"],
        ["while read x; do srun python t.py $x; done < <(ls data)"],
        ['while read x; do srun python t.py $x; done <<< "$LIST"'],
        ["head -n 10 list | while read x; do srun python t.py $x; done"],
        ["head -1 list | cat - more | while read x; do srun python t.py $x; done"],
        ["echo -e 'a\\nb' | while read x; do srun python t.py $x; done"],
        ['echo "$LIST" | while read x; do srun python t.py $x; done'],
        ["while read x; do srun python t.py $x; done <<< 'a\nb'"],
        ["RUN='srun -n1'", "while read x; do $RUN python t.py $x; done < list"],
    ],
)
def test_the_loop_ends_after_one_line(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, ntasks=1), CODE)] == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        ["while read x; do srun python t.py $x </dev/null; done < list"],
        ["while read x; do srun python t.py $x < $x; done < list"],
        ["while read x; do srun --input=none python t.py $x; done < list"],
        ["while read x; do srun -i none python t.py $x; done < list"],
        ["while read x; do srun python t.py $x & done < list", "wait"],
        ["while read -u 3 x; do srun python t.py $x; done 3< list"],
        ["while read x <&3; do srun python t.py $x; done 3< list"],
        ["while read x; do echo y | srun python t.py $x; done < list"],
        ["while read x; do (srun python t.py $x) </dev/null; done < list"],
        ["while read x; do python t.py $x; done < list"],
        ["while read x; do echo $x; done < list", "srun python t.py"],
        ["for x in $(cat list); do srun python t.py $x; done"],
        ["while true; do srun python t.py; done"],
        ["while read x; do sbatch t.sh $x; done < list"],
        ["head -1 list | while read a b; do srun python t.py $a $b; done"],
        ["sort list | tail -n 1 | while read a b; do srun python t.py $a $b; done"],
        ["head --lines=1 list | while IFS=, read -r a b; do srun python t.py $a; done"],
        ["grep -m 1 x list | while read a b; do srun python t.py $a; done"],
        ["echo a b c | while read a b c; do srun python t.py $a; done"],
        ["while read a b; do srun python t.py $a; done <<< 'a b'"],
    ],
)
def test_quiet_where_each_has_its_own_input(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []


def test_the_redirection_goes_behind_the_command() -> None:
    text = job("while read x; do", "  srun python t.py $x > $x.log 2>&1", "done < list", ntasks=1)
    assert "$x.log 2>&1 </dev/null\n" in fixed(text).converged.source.text
