# Parameter expansion.

#### defaults that apply
python "${A:-one}" "${A-two}" ${A:-three four} "${A:-"five six"}" '${A:-x}'

#### defaults of what is set and of what is empty
A=x
B=
python "${A:-one}" "${B:-two}" "${B-three}" "${A-four}"

#### defaults that are assigned
: ${A:=one}
: "${B=two three}"
python "$A" "$B"

#### a default that names another
BASE=/data
OUT=${OUT:-$BASE/out}
LOG="${LOG:-${OUT}/log}"
python "$OUT" "$LOG"

#### an alternative
A=x
B=
python ${A:+--a "$A"} ${B:+--b "$B"} ${B+--set} ${C:+--c} ${C+--d} "${A:+yes}" "${B:+no}"

#### alternatives with quotes and several words
A="x y"
python ${A:+--name "$A"} ${A:+--flag} "${A:+--all $A}"

#### required ones that are there
A=1
: "${A:?A must be set}"
python "${A:?}"

#### removing the front
P=/data/run.1/model.tar.gz
python "${P#*/}" "${P##*/}" "${P#/data}" "${P#zzz}" "${P##*.}" "${P#?}"

#### removing the back
P=/data/run.1/model.tar.gz
python "${P%/*}" "${P%%/*}" "${P%.gz}" "${P%%.*}" "${P%zzz}" "${P%?}"

#### removing with a pattern that is a variable
P=model.nemo
EXT=.nemo
python "${P%$EXT}" "${P%"$EXT"}" "${P%.*}$EXT"

#### quoted patterns are literal
A='a*b*c'
python "${A#a\*}" "${A#"a*"}" "${A%'*'c}" "${A#a*}" "${A##a*}"

#### replacing
A=a-b-c
python "${A/-/_}" "${A//-/_}" "${A//-}" "${A/#a/x}" "${A/%c/y}" "${A/b/}" "${A//[ac]/z}"

#### replacing with an expansion
A=a.b.c
R=--
python "${A//./$R}" "${A/b/[$R]}" "${A//'.'/ }"

#### replacing slashes
P=/a/b/c
python "${P//\//_}" "${P/\/b/}" "${P//\/}"

#### replacing with patterns
A="foo123bar45"
python "${A//[0-9]/}" "${A//[^0-9]/}" "${A/[0-9]*/}" "${A//[[:alpha:]]/x}"

#### changing case
A=hello
B=WORLD
python "${A^}" "${A^^}" "${B,}" "${B,,}" "${A^^[el]}"

#### substrings
A=abcdefgh
n=2
python "${A:2}" "${A:2:3}" "${A: -3}" "${A: -3:2}" "${A:0:1}" "${A:n:n+1}" "${A:2:-2}" "${A:100}"

#### lengths
A=hello
B=
python "${#A}" "${#B}" "${#C}" $((${#A} + 1))

#### indirection
A=one
name=A
python "${!name}" "${!name:-x}" "${!name/o/0}"

#### indirection to nothing
name=NOTHING_HERE
python "${!name:-fallback}"

#### names by prefix
PRE_A=1
PRE_B=2
for name in "${!PRE_@}"; do python "$name" "${!name}"; done

#### quoting for reuse
A="it's a \"b\" \$c"
B=plain
python "${A@Q}" "${B@Q}"

#### other transformations
A=abc
python "${A@U}" "${A@u}" "${A@L}"

#### nested braces and quotes
A=
B=b
python "${A:-${B:-c}}" "${A:-"${B}x"}" "${A:-$(echo sub)}" "${A:-$((1+2))}" ${A:-"a b" c}

#### a default with braces and single quotes
python "${A:-{x\}}" ${B:-'q r'} "${C:-'q r'}"

#### special parameters at the start
python "$#" "${1:-none}" "${2-none}" "[$*]" "$@" "${@:1}"

#### unset against empty
A=
python "${A-x}" "${A:-x}" "${A+y}" "${A:+y}" "${Z-x}" "${Z+y}"

#### backslashes in defaults
python "${A:-a\b}" "${A:-\$x}" ${A:-a\ b}

#### job id made by the shell
ID=${SLURM_JOB_ID:-local}
python "run-$ID" "${SLURM_JOB_ID:0:2}"

#### trims applied one after another
F=/x/y/name.tar.gz
B=${F##*/}
N=${B%%.*}
D=${F%/*}
python "$B" "$N" "$D" "${D##*/}_$N"

#### an unquoted expansion in the middle of a word
A="1 2"
python x${A}y --a=$A "--a=$A" pre"$A"post

#### assignments inside expansions are kept
echo "${FIRST:=1}" > /dev/null
B=${SECOND:=$FIRST$FIRST}
python "$FIRST" "$SECOND" "$B"

#### dollar signs that stand for themselves
python "$" $ a$ "a$ b" '$a' "\$a" "$(echo '$a')" "5$"

#### non-ASCII text
A=größe
python "${#A}" "${A:0:3}" "${A^^}" "${A//ö/o}" "名前-$A"

#### replacement with an ampersand is literal enough
A=x.y
python "${A/./-}" "${A/./ and }"

#### longest and shortest in the middle
A=a/b/c/b/d
python "${A/b*b/X}" "${A#*b}" "${A##*b}" "${A%b*}" "${A%%b*}" "${A/\/*/}"

#### replacing single characters and brackets
A=abc
python "${A/?/}" "${A/#?/}" "${A/%?/x}" "${A//?/-}" "${A/(/x}" "${A/[ab]/}" "${A:(1):(1)}"

#### names that run on into what follows
A=1
AB=2
B=B
eval "C=\$A$B"
python "$C" "${A}B" $AB

#### a name in evaluated text goes on in what is put behind it
B=a; B+=${A}aa
eval 'C=$A'"$B"
python "$C" end
eval 'D=x$N'"a$A$B"z/tail
python "$D"
P='$N'; Q=a
eval "python $P$Q$A$B/y"
eval 'E=$A'"_$Q"
python "$E" done
