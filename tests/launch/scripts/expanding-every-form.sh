# Parameter expansion: every operator, set and unset, quoted and not.

#### defaults with every colon
SET=x
EMPTY=
unset GONE
python "${SET:-a}" "${SET-a}" "${EMPTY:-a}" "${EMPTY-a}" "${GONE:-a}" "${GONE-a}"
python "${SET:+a}" "${SET+a}" "${EMPTY:+a}" "${EMPTY+a}" "${GONE:+a}" "${GONE+a}"
python ${SET:-a b} ${SET-a b} ${EMPTY:-a b} ${EMPTY-a b} ${GONE:-a b} ${GONE-a b}
python ${SET:+a b} ${SET+a b} ${EMPTY:+a b} ${EMPTY+a b} ${GONE:+a b} ${GONE+a b}
python ${SET:="q r"} "${SET=q}" "${SET:?m}" ${SET?m} "${EMPTY?m}"
python "${EMPTY=n}" "${EMPTY:=n o}" ${EMPTY} "${GONE=g h}" $GONE

#### a required variable that is missing ends the script
python before "${HOME:?must be set}"
: "${GONE_HERE?not set}"
python never

#### trims with every operator quoted and not
P="a b/a b/c d"
python ${P#*/} "${P#*/}" ${P##*/} "${P##*/}" ${P%/*} "${P%/*}" ${P%%/*} "${P%%/*}"
python ${P/a b/x y} "${P/a b/x y}" ${P//a b/x y} "${P//a b/x y}" ${P/#a b/x} "${P/%c d/x}"
python ${P^} "${P^^}" ${P,,} "${P:2:3}" ${P:2:3} ${#P} "${#P}"

#### indirection with operators
A="x y"
B=A
python ${!B} "${!B}" "${!B:-n}" "${!B#x }" "${!B:2}" "${!B^^}"
arr=(p "q r")
C='arr[1]'
python "${!C}"
D='arr[@]'
python "${!D}"

#### quoting for reuse of lists
A=("a b" "it's" plain "")
python "${A[@]@Q}" "${A[*]@Q}"
set -- "x y" z
python "${@@Q}" "${*@Q}" ${@@Q}

#### letters of lists
A=(ab cD)
python "${A[@]@U}" "${A[@]@L}" "${A[@]@u}" "${A[@]^}"

#### attributes and assignments shown
A="x y"
B=(1 2)
export C=3
python "${A@A}" "${B[@]@A}" "${A@a}" "${B@a}" "${C@a}" "${A@E}" "${A@P}" "${A@K}"

#### slices of arguments
set -- a "b c" d e
python "${@:2}" "${@:2:2}" "${*:3}" ${@:2:1} "${@: -1}" "${@: -2:1}" "${!#}"
n=3
python "${@:n}" "${@:$n:1}" "${@:1:$#-1}"

#### dollar quotes
python $'a\tb\n' $'\'' $"plain" $"with $HOME_NOT_SET x" $'\u00e9\x41\101' $'\e[0m' $'a\\b' "$'no'"
A=1
python $"value $A"

#### printf -v
printf -v A '%s-%03d' x 7
printf -v B '%s,' a b c
python "$A" "${B%,}"
L=()
printf -v 'L[1]' '%s' elem
python "${L[1]}"
printf -v C '%q ' "a b" c
python "$C"

#### defaults inside defaults
unset GONE
python "${GIVEN:-${MADE:=x}}" ${OTHER:-${AGAIN:=y z}}
: "${GIVEN:=${GONE:-d}}" 
python "$MADE" "$AGAIN" "$GIVEN"

#### a requirement inside a default
unset GONE
python "${GIVEN:-${GONE:?needed}}"
python never or after

#### text built with printf and joined
A=(a b c)
J=$(printf ',%s' "${A[@]}")
python "${J:1}" "${J#,}"
K=$(IFS=+; echo "${A[*]}")
python "$K" "${A[*]}"
