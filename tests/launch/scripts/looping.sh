# Loops.

#### over words
for x in a "b c" d; do python "$x"; done

#### over an expansion
LIST="1 2 3"
for x in $LIST; do python --n $x; done
for x in "$LIST"; do python "$x"; done
python "$x"

#### over nothing
for x in $EMPTY_HERE_NOT_SET_$; do :; done
X=
for x in $X; do python never; done
python end

#### over an array
A=(a "b c")
for x in "${A[@]}"; do python "$x"; done
for i in ${!A[@]}; do python "$i=${A[i]}"; done

#### counting
for ((i=0; i<3; i++)); do python "$i"; done
python "end $i"
for ((i=10, j=0; i>j; i-=3, j+=2)); do python "$i $j"; done

#### over ranges
for i in {1..3}; do for j in a b; do python "$i$j"; done; done

#### while
i=0
while [ $i -lt 3 ]; do
  python "$i"
  i=$((i+1))
done
until (( i == 0 )); do ((i--)); done
python "end $i"

#### break and continue
for x in 1 2 3 4 5; do
  [ $x = 2 ] && continue
  [ $x = 4 ] && break
  python "$x"
done
python "$x"

#### break out of two
for a in 1 2; do
  for b in x y; do
    python "$a$b"
    [ "$a$b" = 1y ] && break 2
  done
done
python "$a$b"

#### continue the outer
for a in 1 2; do
  for b in x y; do
    [ $b = y ] && continue 2
    python "$a$b"
  done
  python never
done

#### a command grown in a loop
MOUNTS=""
for m in /a /b /c; do
  MOUNTS="${MOUNTS:+$MOUNTS,}$m:$m"
done
srun --container-mounts=$MOUNTS python train.py

#### arrays grown in a loop
ARGS=()
for k in lr bs; do ARGS+=("--$k" "${k}1"); done
python "${ARGS[@]}"

#### a loop of unknown length
COUNT=0
for f in $UNKNOWN_LIST; do COUNT=$((COUNT+1)); python "$f"; done
python "$COUNT"

#### while with a program as condition
n=0
while failing; do n=1; python no; done
python "$n"

#### while true with a break
n=0
while true; do
  n=$((n+1))
  if [ $n -ge 3 ]; then break; fi
  python "$n"
done
python "end $n"

#### until a retry count
n=0
until [ $n -ge 2 ]; do
  failing && break
  n=$((n+1))
done
python "$n"

#### for without in
set -- a "b c"
for x; do python "$x"; done
for x in; do python never; done

#### steps in a loop, in the background
for i in 0 1 2; do
  srun -N1 -n1 python worker.py "$i" &
done
wait
python done

#### a loop in a pipeline keeps its changes to itself
n=0
echo "a b" | while read x y; do n=1; python "$y" "$x"; done
python "$n"

#### exit in a loop
for x in 1 2 3; do
  python "$x"
  if [ $x -eq 2 ]; then exit 0; fi
done
python never

#### the loop variable after unset and export
export X
for X in 1 2; do python go; done

#### nested functions and loops
f() { for i in 1 2; do python "$1$i"; done; }
for n in a b; do f $n; done
python "$i"

#### select from nothing
for x in a b; do
  case $x in a) continue ;; esac
  python "$x"
done

#### reading lines of a file made here
printf '%s\n' one "two 2" > list.txt
while IFS= read -r line; do python "$line"; done < list.txt
while read -r a b; do python "$b" "$a"; done < list.txt

#### a sum over an array
s=0
for v in 3 4 5; do ((s+=v)); done
python "$s"

#### variables changed under an unknown condition in a loop
A=start
for x in 1 2; do
  if [ "$WHO" = me ]; then A=$x; fi
done
python "$A"

#### breaks under unknown conditions
for x in 1 2 3; do
  [ "$WHO" = me ] && break
done
python "$x"

#### what grows in a loop of unknown length keeps its beginning
CMD="python train.py --fixed"
ARGS=(--a "b c")
for f in $GIVEN_LIST; do
  CMD="$CMD --f $f"
  ARGS+=(--f "$f")
done
$CMD
python "${ARGS[@]}"
python "${ARGS[1]}" "${ARGS[@]}" end

#### a value set again behind a loop is known again
N=0
for f in $GIVEN_LIST; do N=$((N+1)); LAST=$f; done
python "$N" "${LAST:-none}"
N=5
LAST=x
python "$N" "$LAST"

#### separators saved and put back
OLD=$IFS
IFS=, read -r A B <<< "1,2"
IFS=$OLD
C="x y"
python $A $B $C
