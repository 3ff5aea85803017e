# Command substitution.

#### echo and printf
A=$(echo hello   world)
B=$(printf '%s,' a b c)
C=$(printf "%d-%s" 5 x)
python "$A" "$B" "$C"

#### echo -n and several lines
A=$(echo -n x; echo y)
B=$(echo a; echo b)
python "$A" "$B" $B

#### basename and dirname
P=/data/models/llama.nemo
python "$(basename $P)" "$(basename $P .nemo)" "$(dirname $P)" "$(dirname "$(dirname $P)")" `basename "$P"`

#### odd paths
python "$(basename /a/b/)" "$(basename /)" "$(dirname /a)" "$(dirname a)" "$(dirname /a/b/)" "$(dirname a/b)"

#### seq
for i in $(seq 3) $(seq 5 6) $(seq 1 3 9) $(seq 3 -1 1); do python "$i"; done
python "$(seq -s, 3)"

#### nested substitutions
A=$(echo "$(echo a)-$(echo "b $(echo c)")")
python "$A"

#### backquotes
A=`echo one two`
B=`echo \`echo inner\``
C="`echo "q"`"
python "$A" "$B" "$C"

#### newlines at the end are dropped
A="$(printf 'x\n\n\n')"
B="$(printf '\n\nx')"
python "$A" "[$B]"

#### a here-document through cat
A=$(cat <<EOF
line one
line $((1+1))
EOF
)
python "$A" $A

#### a quoted here-document through cat
A=$(cat <<'EOF'
$HOME `x` \n
EOF
)
python "$A"

#### functions that print
opts() { echo "--a 1"; echo "--b $1"; }
python $(opts 2) "$(opts 3)"

#### variables set inside are lost
A=1
B=$(A=2; echo "$A")
python "$A" "$B"

#### printf formats
python "$(printf '%05d' 42)" "$(printf '%5s|' ab)" "$(printf '%-5s|' ab)" "$(printf '%x' 255)" "$(printf '%.2f' 1.5)" "$(printf '%%')" "$(printf '%s' "a b")" "$(printf '%02d:%02d' 1 2)"

#### printf with escapes
python "$(printf 'a\tb')" "$(printf '%s\n' a b)" "$(printf '%b' 'x\ty')" "$(printf '\x41')" "$(printf 'a\\b')"

#### printf -v
printf -v A '%s-%02d' run 7
printf -v B '%s ' x y
python "$A" "$B"

#### echo -e
python "$(echo -e 'a\tb')" "$(echo 'a\tb')" "$(echo -E 'a\tb')" "$(echo -n)" "$(echo -x)" "$(echo --)"

#### pipes inside
A=$(echo "a b" | cat)
B=$(cat <<< "here")
python "$A" "$B"

#### the status of what is inside
if A=$(echo x); then python ok "$A"; fi
B=$(false) || python failed
C=$(true) && python fine

#### a file read back
echo "content here" > note.txt
echo more >> note.txt
A=$(cat note.txt)
B=$(< note.txt)
python "$A" "$B"

#### output thrown away
A=$(echo x > /dev/null; echo y)
B=$(echo out; echo err >&2)
python "$A" "$B"

#### programs whose output nobody knows
A=$(hostname)
B="host-$(hostname)-x"
python "$A" "$B" $(hostname) end

#### conditions inside
A=$(if [ 1 = 1 ]; then echo yes; else echo no; fi)
B=$([ -n "$A" ] && echo set || echo unset)
python "$A" "$B"

#### loops inside
A=$(for i in 1 2 3; do echo -n "$i,"; done)
B=$(for i in a b; do printf '%s ' "--$i"; done)
python "$A" $B

#### exit inside ends only the substitution
A=$(echo a; exit 3; echo b)
python "$A"

#### substitutions in an array and in a here-document
A=("$(echo a b)" $(echo c d))
python "${A[@]}"
cat > out.sh <<EOF
python "$(echo from inside)"
EOF
bash out.sh

#### text through tr and cut is unknown or right
A=$(echo "a,b" | tr ',' ' ')
B=$(echo "a:b" | cut -d: -f2)
python $A "$B"

#### the first host
MASTER=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1)
export MASTER_ADDR=$MASTER
python --master "$MASTER" || true
