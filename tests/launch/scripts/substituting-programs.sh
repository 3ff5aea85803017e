# What programs that look for paths print.

#### where programs are
A=$(which torchrun)
B=$(command -v python3)
C=$(type -P hostname)
D=`which julia`
python "${A##*/}" "${B##*/}" "$(basename "$C")" "$(basename $D)"
$(which torchrun) --nproc-per-node 2 train.py
srun $(which torchrun) --nnodes 1 train.py
srun "$(command -v python3)" a.py
"$A" x
if [ -z "$(which surely-not-there)" ]; then python missing; fi
[ -n "$(command -v surely-not-there)" ] || python also missing
f() { :; }
python "$(command -v f)" "$(command -v cd)" "$(command -v if)"
command -v torchrun > /dev/null && python found
command python x

#### which in decisions
if which torchrun > /dev/null 2>&1; then L=torchrun; else L="python -m torch.distributed.run"; fi
$L train.py
X=$(which python3) && python ok
T=$(which torchrun || echo none)
python "${T##*/}"

#### parts of paths
P=$HOME/a/b.sh
python "$(basename "$P")" "$(basename "$P" .sh)" "$(dirname "$P")" "$(dirname "$(dirname "$P")")" "$(basename "$(dirname "$P")")"
python "$(realpath alpha.txt)" "$(readlink -f ./beta.txt)" "$(cd . && pwd)" "$(dirname "$0")" "${BASH_SOURCE[0]}" "$(git rev-parse --show-toplevel 2> /dev/null)"
DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python "$DIR/train.py"
python "$(basename "$DIR/train.py")" "$(pwd)/x.py"
python "$(dirname "$DIR/")"
python "$(realpath .)" "$(basename -- "$P")" "$(realpath -m nothere/x.py)"

#### substitutions three levels deep
python "$(echo "$(echo "$(echo "a  b")" c)" d)"
python `echo \`echo \\\`echo deep\\\`\``
A=$(f() { echo "$(basename "$(dirname "/x/y/z")")"; }; f)
python "$A"

#### command, builtin and type
f() { python f; }
command -v f > /dev/null && python is
command echo x > /dev/null
command python y
builtin echo z > /dev/null
type f > /dev/null && python typed

#### seq and basename with options
python $(seq -w 8 10) "$(seq -s, 1 4)" "$(seq -s ' ' 3)" "$(seq --separator=: 2 3)" "$(seq -w -s- 98 2 101)" $(seq -w -1 1)
python $(seq -ws/ 1 2) "$(seq -w 010 011)" "[$(seq -s, 3 1)]" "$(seq -s '\n' 1 2)"
F=conf/big.model.yaml
python "$(basename -s .yaml $F)" "$(basename --suffix=.yaml "$F")" $(basename -a $F x/y) $(basename -s .py a/b.py c.py)
python "$(basename -- $F)" "$(basename -- $F .yaml)" "$(dirname -- $F)" "$(dirname "")" "$(basename -s yaml yaml)" "[$(basename "")]" "$(basename //)" "$(basename -a a "")."
