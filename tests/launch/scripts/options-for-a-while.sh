# Commands that hold for a while, or read words of their own.

#### env splits a string
env -S 'python -u "a b"' c
env -S "A=1 python 'c  d'" g "$A"
A="x y"
env --split-string="B=2 python $A" z
env -S "python -c 'print(1)'" z
srun env -S 'C=1 python' y
#### options for a function's time
f() { local -; set -f; python *.txt; }
f
python *.txt
g() { set -f; }
g
python *.txt
#### a local option
set -e
f() { local -; set +e; false; python f; }
f
false
python never
#### a local option kept
f() { local -; local x=1; set -u; set -f; g; python *.txt; }
g() { set +f; python *.txt; }
f
python *.txt
