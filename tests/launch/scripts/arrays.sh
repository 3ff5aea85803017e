# Indexed and associative arrays.

#### all elements
A=(one "two three" four)
python "${A[@]}"
python ${A[@]}
python "${A[*]}"
python ${A[*]}

#### element by element
A=(a b c)
A[1]=B
A[5]=f
python "${A[0]}" "${A[1]}" "$A" "${A}" "${A[5]}" "${A[-1]}" "${A[3]:-none}" "${#A[@]}"

#### appending
A=(a)
A+=(b "c d")
A+=(e)
A[0]+=x
A+=y
python "${A[@]}" "${#A[@]}" "${#A[2]}"

#### options gathered under conditions
ARGS=(--lr 0.1)
USE=1
if [ "$USE" = 1 ]; then ARGS+=(--use); fi
if [ "$USE" = 2 ]; then ARGS+=(--no); fi
[[ -n $USE ]] && ARGS+=(--also "$USE")
python train.py "${ARGS[@]}"

#### empty arrays
A=()
declare -a B
python x "${A[@]}" y ${B[@]} z "${#A[@]}" "${A[@]:-none}" "${A[*]}"

#### slices
A=(a b c d e)
n=1
python "${A[@]:1:2}"
python "${A[@]:3}"
python "${A[@]: -2}"
python "${A[@]:n:n+1}"
python "${A[@]:0:$n}"
python "${A[*]:1:2}"

#### slices of an array with holes
A=([2]=c [5]=f [9]=i)
python "${A[@]:3:1}" "${A[@]:0:1}" "${!A[@]}" "${#A[@]}"

#### keys
A=(x y z)
for i in "${!A[@]}"; do python "$i" "${A[$i]}" "${A[i]}"; done

#### operations on every element
A=(a.py b.py)
python "${A[@]%.py}" "${A[@]/.py/.txt}" "${A[@]^^}" "${A[@]/#/--file=}"

#### prefix and suffix glued to a list
A=(1 2 3)
python "x${A[@]}y" x"${A[@]}"
B=()
python "x${B[@]}y"

#### an associative array
declare -A M
M[tp]=8
M[pp]=4
M["a b"]=c
key=tp
python "${M[tp]}" "${M[$key]}" "${M["a b"]}" "${M[none]:-0}" "${#M[@]}"

#### an associative array at once
declare -A M=([small]=1 [large]="8 x")
SIZE=large
python "${M[$SIZE]}" "${M[small]}"
M+=([huge]=16)
python "${M[huge]}"

#### going through an associative array
declare -A M=([only]=1)
for k in "${!M[@]}"; do python "$k" "${M[$k]}"; done

#### several keys come in an order of bash's own
declare -A M=([one]=1 [two]=2 [three]=3)
for k in "${!M[@]}"; do python "$k"; done
python "${M[@]}"

#### negative index and length of elements
A=(alpha beta)
python "${A[-1]}" "${A[-2]}" "${#A[1]}" "${A[1]:1:2}"

#### copying
A=(a "b c")
B=("${A[@]}" d)
C=(${A[@]})
python "${#B[@]}" "${#C[@]}" "${B[@]}" "${C[@]}"

#### unset of an element
A=(a b c)
unset 'A[1]'
python "${A[@]}" "${!A[@]}" "${#A[@]}"
unset A
python x "${A[@]}" "${A-unset}"

#### indices computed
A=(10 20 30)
i=1
python "${A[i+1]}" "${A[$i]}" "${A[i-1]}" "$((A[1] + A[2]))"
A[i*2]=99
python "${A[@]}"

#### an array from a string
S="a b c"
A=($S)
python "${#A[@]}" "${A[1]}"
IFS=: A=(x:y)
python "${#A[@]}"

#### an array from a substitution
A=($(seq 3))
B=($(echo x y))
python "${A[@]}" "${B[1]}" "${#A[@]}"

#### an array of lines of command pieces
CMD=(
  python train.py
  --a 1   # the first
  --b "x y"
  --c=$((1 + 1))
)
"${CMD[@]}"
srun "${CMD[@]}" --extra

#### arrays and set
ARGS=(a b)
set -- "${ARGS[@]}" c
python "$#" "$3"

#### elements with equals signs
A=([0]=a x=y [3]=d e)
python "${A[@]}" "${!A[@]}"

#### scalar to array
A=x
A+=(y)
python "${A[@]}"
B=z
B[2]=w
python "${B[@]}" "$B"

#### exported arrays are not passed on
export A=(1 2)
python "${A[1]}"

#### nested indices
A=(2 0 1)
B=(x y z)
python "${B[${A[0]}]}" "${B[A[1]]}"

#### arrays local to a function
f() {
  local -a opts=(a b)
  opts+=("$1")
  python "${opts[@]}"
}
f c
python "${opts[@]:-none}"

#### a list in the middle of quotes with text on both sides
A=("a b" c)
python "<${A[*]}>" "<${A[@]}>"

#### declare -a with a value
declare -a A=(1 2)
declare -a A+=(3)
readonly -a R=(x y)
python "${A[@]}" "${R[@]}"

#### default of a list
A=(a b)
python "${A[@]:-x}" "${A[@]+set}" "${B[@]+set}" ${B[@]+"${B[@]}"} end

#### lists of the unknown stay so
python "${GIVEN[@]}" last
