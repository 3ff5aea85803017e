# Subshells, pipelines, background jobs, reading, eval.

#### a subshell loses its changes
A=1
(A=2; export B=3; python "$A" "$B")
python "$A" "${B-unset}"

#### a group keeps them
{ A=1; B=2; }
python "$A" "$B"

#### exit in a subshell
(python a; exit 3; python b)
python c
(exit 1) || python d
(exit 0) && python e

#### background jobs
A=1
python one &
{ A=2; python two; } &
wait
python three "$A"

#### pipelines
echo x | cat | python reader
A=1
echo y | { read v; A=$v; python "$v"; }
python "$A"

#### negated pipelines
! echo x | cat > /dev/null
if ! false; then python a; fi

#### read
read A B <<< "x y z"
read -r C <<< "  spaced  out  "
IFS=: read -r D E <<< "p:q:r"
read -a F <<< "1 2 3"
python "$A" "$B" "$C" "$D" "$E" "${F[2]}" "${#F[@]}"

#### read with too few words
read A B C <<< "only two"
python "$A" "$B" "[$C]"

#### read from the unknown
read A B <<< "$(hostname) x"
python "$A" "$B"

#### mapfile
mapfile -t A < <(printf '%s\n' a "b c")
readarray -t B <<< "x
y"
python "${#A[@]}" "${A[@]}" "${B[1]}"

#### mapfile from a file made here
printf 'n1\nn2\n' > hosts
mapfile -t H < hosts
python "${H[0]}" "${#H[@]}"

#### eval
A=1
eval "B=\$A"
eval 'python "$B" $((A+1))'
NAME=X
eval "$NAME='a b'"
eval python "\$$NAME"
eval "python \"$X\""

#### eval of a command with quotes
CMD='python --name "a b" --x=$((1+1))'
eval $CMD
eval "$CMD"
$CMD

#### exec ends the script
python before
exec python last "x y"
python never

#### exec with redirections only
exec 3> log.txt
python a
exec 2>&1
python b

#### trap
trap 'python trapped' USR1
python a

#### the process id and status are unknown
python "$$" "$!" || true
X=$?
python "$X"

#### a program behind time, env and nohup
env A=1 B="x y" python a
env -u A python b
nohup python c > /dev/null 2>&1
timeout 10 python d
timeout -k 5 10 python e --x
nice -n 5 python f
command python g

#### env and the shell's own variables
A=shell
env A=env python "$A"
A=temp env python x
env -i PATH="$PATH" STANDIN_CALLS="$STANDIN_CALLS" STANDIN_STEP= python clean

#### standard output redirected
python a > out.log
python b >> out.log 2>&1
python c &> all.log
python d < alpha.txt
2> err.log python e

#### a directory change
cd /tmp
python a
cd - > /dev/null
pushd /tmp > /dev/null
popd > /dev/null
python b

#### process substitution
python <(echo a) x
while read -r l; do python "$l"; done < <(printf 'p\nq\n')

#### colon and true with arguments
: "${A:=5}"
true "${B:=6}"
python "$A" "$B"

#### let and test in a list
let "A=3" && python "$A"
let "Z=0" || python zero

#### wait and status lists
python a & python b &
wait
[ 1 = 1 ] && { python c; python d; }

#### source of something unknown
source /nonexistent-file 2> /dev/null
python a

#### set -u and set -o
set -u -o pipefail
set -euxo pipefail
A=1
python "$A" "${B:-}"

#### alias is not expanded
alias p=python
python a

#### hash and type
type python > /dev/null && python found
command -v python > /dev/null && python also

#### output of a group
{ echo a; echo b; } > ab.txt
A=$(cat ab.txt)
python $A

#### stdin of a group
{ read -r a; read -r b; python "$a" "$b"; } <<< "one
two"

#### local redirect of a loop
for i in 1 2; do echo "$i"; done > nums.txt
for n in $(cat nums.txt); do python "$n"; done
