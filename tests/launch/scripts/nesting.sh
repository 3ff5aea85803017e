# Shells in shells, and quotes in quotes.

#### bash -c
bash -c 'python a "b c"'
bash -c "python a 'b c'"
A="x y"
bash -c "python $A '$A'"
bash -ec "python strict"
sh -c 'python posix'

#### early and late expansion
A=early
bash -c "A=late; python $A \$A \"\$A\" '\$A'"

#### exported or not
export A=seen
B=hidden
bash -c 'python "$A" "[$B]"'

#### escapes once and twice
export A=a
bash -c "python \$A \\\$A \\\\\$A"
bash -c "bash -c \"python \$A \\\$A\""
bash -c "bash -c 'python \$A'"
bash -c 'bash -c "python \"\$A\" $A"'

#### arguments of bash -c
bash -c 'python "$0" "$1" "$2" "$#"' name "a b" c
bash -c 'python "$@"' _ x "y z"

#### a command in a variable for srun bash
CMD="python train.py --a 1"
srun bash -c "$CMD"
srun -n1 bash -c "cd /tmp; $CMD --more"

#### a command with quotes in a variable
CMD='python train.py --name "a b"'
srun bash -c "$CMD"
bash -c "$CMD"

#### several lines in a variable
read -r -d '' CMD <<'EOF' || true
export X=1
python one "$X"
python two
EOF
srun bash -c "$CMD"

#### several lines in double quotes
N=2
CMD="
export N=$N
echo starting
python a --n \$N --m $N \
  --more
"
srun bash -c "${CMD}"

#### variables of the step
srun bash -c 'python "$SLURM_PROCID" "$SLURM_LOCALID"'
srun bash -c "python \$SLURM_PROCID"

#### exports inside reach the program
srun bash -c 'export A=1; B=2; C=3 python a; python b'

#### single quotes inside single quotes
bash -c 'python '\''a b'\'' "c"'
bash -c 'bash -c '\''python "x y"'\'

#### a loop inside
bash -c 'for i in 1 2; do python "$i"; done'
bash -c "for i in 1 2; do python \$i; done"

#### a function inside
bash -c 'f() { python "$1"; }; f "a b"'

#### exit inside
bash -c 'python a; exit 3; python b' || true
python c

#### and lists inside
bash -c "true && python a || python b"
srun bash -c "export A=5 && python \$A"

#### a script in a script
cat > outer.sh <<'OUTER'
cat > inner.sh <<INNER
python inner "$1" "\$1"
INNER
bash inner.sh deep
OUTER
bash outer.sh shallow

#### printf %q makes it safe
A="a b'c"
Q=$(printf '%q' "$A")
bash -c "python $Q"
bash -c "python ${A@Q}"

#### arrays joined into code
ARGS=(--a 1 --b 2)
bash -c "python train.py ${ARGS[*]}"
bash -c "python ${ARGS[*]@Q}"

#### env in between
srun env A=1 bash -c 'python "$A"'
A=2 bash -c 'python "$A"'
env B="x y" bash -c 'python "$B"'

#### command substitution inside
bash -c 'X=$(echo inside); python "$X"'
bash -c "python $(echo outside) \$(echo inside)"

#### conditions inside
N=4
bash -c "if [ $N -gt 2 ]; then python big; else python small; fi"
bash -c 'if [ "$N" ]; then python seen; else python unseen; fi'

#### dollars from values are not expanded again
A='$B'
B=b
python "$A" $A
bash -c "B=inner; python $A '$A'"

#### nested here-document in bash -c
bash -c 'cat > x.sh <<E
python from x
E
bash x.sh'

#### unknown text in code
bash -c "python --host $(hostname) --fixed"
srun bash -c "python $UNKNOWN_ARGS --fixed"

#### eval of text that begins with a glob may be an assignment
B='*'
python first
eval 'C=$A'$B
python last

#### eval of an unknown command
eval "$UNTOLD x"
eval "${MAYBE}"
python last

#### a script that starts itself in each task
if [ "${1:-}" = worker ]; then
  python train.py --rank "$SLURM_PROCID" "$2"
  exit 0
fi
srun bash "$0" worker x
srun bash $0 worker y

#### a script that starts itself with a marked environment
if [ -n "$INSIDE" ]; then
  python train.py
  exit
fi
export INSIDE=1
srun bash "$0" "$@"
python end

#### a script that starts itself twice
MODE=${1:-launch}
case $MODE in
  launch) srun -n1 bash $0 node ;;
  node) for i in 0 1; do bash $0 gpu $i; done ;;
  gpu) python train.py --gpu $2 ;;
esac

#### a script that replaces itself
if [ -z "$INSIDE" ]; then
  INSIDE=1 exec bash "${BASH_SOURCE[0]}" a b
fi
python train.py "$@"

#### a written script that starts itself
cat > task.sh <<'X'
#!/bin/bash
if [ "$1" = inner ]; then python inner "$2"; exit; fi
bash "$0" inner "$1"
X
chmod +x task.sh
bash task.sh z
./task.sh y
bash -c 'python "$0"' name

#### what stands behind the code is the shell's name
NAME="a b"
bash -c 'python "$0" "$1"; (python "$0"); f() { python "$0" "$#"; }; f x' zero one
bash -c 'bash -c "python \"\$0\"" inner' outer
bash -c 'python "$0"' "$NAME"
srun sh -c 'python train.py --tag "${0#*-}" "$@"' tag-v1 --lr 1
bash -s first <<'X'
python "$0" "$1"
X
