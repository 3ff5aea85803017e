# Processes of their own: traps, jobs, coprocesses, pipelines.

#### trap on exit and on errors
trap 'python cleanup "$A"' EXIT
A=1
trap 'python err' ERR
python a
A=2

#### trap in a subshell
( trap 'python sub' EXIT; python in )
python out
trap 'python main' EXIT
trap - EXIT
trap '' INT TERM

#### trap with a function
finish() { python finish "$1"; }
trap 'finish done' EXIT
exit 0

#### exec behind a condition
if [ "$WHO" = me ]; then exec python replaced; fi
python goes on

#### exec with assignments and options
A=1 exec -a name python x
python never

#### coprocesses
coproc python inside
wait
python after

#### coprocess with a name
coproc WORKER { python inside; A=2; }
A=1
wait
python "$A"

#### wait with arguments
python a &
PID=$!
wait $PID
python b
wait -n || true
{ python c; } &
wait "$!" && python d

#### assignments in a pipeline are lost
A=1
echo x | read A
echo x | { A=2; python in "$A"; }
A=3 | true
python "$A"
N=0
printf '%s\n' a b | while read -r l; do N=$((N+1)); python "$l" "$N"; done
python "$N"

#### the last member of a pipeline with lastpipe
shopt -s lastpipe
A=1
echo two | read A
python "$A"
printf '%s\n' a b | while read -r l; do LAST=$l; done
python "$LAST"

#### lastpipe and loops
shopt -s lastpipe
N=0
printf '1\n2\n' | while read -r x; do N=$((N+x)); done
python "$N"
echo a b c | read -ra L
python "${L[1]}"
printf 'x\ny\n' | mapfile -t M
python "${M[@]}"
echo x | { read -r Y; exit 0; }
python never

#### exec in a subshell and in a condition
(exec python inner)
python outer
true && exec python last
python never

#### subshells and groups with redirects
( A=2; python in ) > f 2>&1
{ A=3; python group; } >> f
python "$A"

#### background functions
f() { A=2; python "$1"; }
A=1
f x &
wait
python "$A"

#### eval of several words
A='python --x'
eval "$A" '"a b"' \$A
eval $A; eval "for i in 1 2; do python \$i; done"
eval "f() { python in-f \$1; }"
f z
eval "set -- p q"
python "$2"

#### sourcing a file made here
cat > lib.sh <<'EOF'
LIB=1
f() { python from-lib "$1" "$LIB"; }
return 0
LIB=2
EOF
source lib.sh
. ./lib.sh
f x
cat > args.sh <<'EOF'
python "$1" "$#"
EOF
set -- outer
source args.sh a b
source args.sh
python "$1"
