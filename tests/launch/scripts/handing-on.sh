# Arguments that one way through the script has and another has not.

#### words of a choice
if [ -n "$Z" ]; then A="--a 1"; else A="--b"; fi
f() { python x "$@"; python "$#" "$1" "${2:-none}"; }
f $A
g() { shift; python x "$@"; }
g first $A last

#### a word that may be missing
A=()
if [ -n "$Z" ]; then A=(--a); fi
f() { python "$1"; shift; python x "$@" "$#"; for v; do python "$v"; done; python $@; python "$*"; }
f train.py "${A[@]}"
f train.py "${A[@]}" --last
set -- a "${A[@]}" b
python "$1" "$2" "${@:2}" "${@: -1}"
shift 2
python "$@"

#### arguments of a script
cat > run.sh <<'END'
python "$1" "${@:2}"
srun python "$@"
END
if [ -n "$Z" ]; then A="--a 1"; fi
bash run.sh train.py $A --end

#### options of arguments that may be missing
[ -n "$Z" ] && A=-n
f() { while getopts "nm" o; do python "$o"; done; python "$OPTIND"; }
f -m $A

#### an array in the arguments
[ -n "$Z" ] && A=(--a 1)
f() { B=("$@"); python x "${B[@]}" "${#B[@]}"; }
f "${A[@]}" y
