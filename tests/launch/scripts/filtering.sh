# Values taken apart by small programs.

#### cut
X=host:8080:tcp
A=$(echo "$X" | cut -d: -f1)
B=$(echo $X | cut -d ':' -f 2)
C=$(cut -f2- -d: <<< "$X")
D=$(echo "$X" | cut -c1-4)
python "$A" "$B" "$C" "$D" "$(echo "$X" | cut -d, -f2)" "$(echo "$X" | cut -d, -s -f2)."

#### cut of several lines
L=$(printf 'a=1\nb=2\nnone' | cut -d= -f2)
python "$L" $L

#### tr
python "$(echo a-b-c | tr - _)" "$(echo a,b,c | tr ',' ' ')" $(echo a,b | tr , '\n')
python "$(echo MiXed | tr A-Z a-z)" "$(echo mixed | tr '[:lower:]' '[:upper:]')"
python "$(echo ' a  b ' | tr -d ' ')" "$(echo 'a   b' | tr -s ' ')" "$(echo 'v1.2' | tr -dc 0-9)"

#### wc
HOSTS="a b c"
python "$(echo $HOSTS | wc -w)" "$(echo "$HOSTS" | wc -l)" "$(printf x | wc -l)" "$(echo -n abc | wc -c)"
N=$(echo $HOSTS | tr ' ' '\n' | wc -l)
python --nnodes=$N --world $((N * 8))

#### head and tail
L=$(printf '%s\n' one two three)
python "$(echo "$L" | head -n1)" "$(echo "$L" | head -1)" "$(echo "$L" | head -n 2)"
python "$(echo "$L" | tail -n1)" "$(echo "$L" | tail -1)" "$(tail -n +2 <<< "$L")"
python "$(seq 20 | head)" "$(seq 20 | tail -n 3)"

#### sed
P=/data/llama-7b/llama.nemo
python "$(echo $P | sed 's/llama/gpt/')" "$(echo $P | sed 's/llama/gpt/g')" "$(echo $P | sed -e 's/\.nemo//')"
python "$(echo $P | sed 's#/data#/ckpt#')" "$(printf 'a\nb\n' | sed -n 2p)" "$(printf 'a\nb\n' | sed 1q)"

#### sed that is left alone
python "$(echo aab | sed 's/a*/x/')" "$(echo aab | sed 's/^a/&&/')" "$(echo a/b | sed 's/\//-/')" "$(echo ab | sed -E 's/(a)/x/')"

#### awk
R="  7 gpu  node"
python "$(echo "$R" | awk '{print $2}')" "$(echo "$R" | awk '{ print $NF; }')" "$(echo a:b:c | awk -F: '{print $2}')"
python "$(printf '1 2\n3 4\n' | awk 'NR==2')" "$(printf '1 2\n3 4\n' | awk 'NR==2{print $1}')" "$(echo ',' | awk -F, '{print $2}')"

#### expr
python "$(expr 1 + 2)" "$(expr 7 / 2)" "$(expr -7 % 3)" "$(expr 4 \* 5)" $(expr 1 \< 2)

#### expr that gives nought fails
set -e
N=$(expr 3 - 2)
python "$N"
M=$(expr 3 - 3)
python never

#### a file that the script has written
printf 'first:1\nsecond:2\n' > list.txt
python "$(head -n1 list.txt)" "$(tail -n1 list.txt | cut -d: -f2)" "$(wc -l < list.txt)" "$(awk -F: '{print $1}' list.txt)"

#### one after the other read what is left
printf 'a\nb\nc\n' > list.txt
{ A=$(cat); B=$(cat); python "$A" "[$B]"; } < list.txt
printf 'a\nb\n' | { read -r A; B=$(cat); python "$A" "$B"; }
{ A=$(head -n1); B=$(cat); python "$A" "$B"; } < list.txt
{ (read -r A; python "$A"); read -r B; python "$B"; } < list.txt
{ cat | tr a x > out.txt; read -r B; python "$B" "$(cat out.txt)"; } < list.txt

#### what is not known stays so
X=${X:-d:e}
python "$(echo "$X" | cut -d: -f1)" "$(echo "$Y:b" | cut -d: -f2)" "$(date | cut -c1)" "$(echo é:b | cut -c1)"

#### a default
python "$(echo "${MODE:-a,b}" | cut -d, -f2)" "$(echo "${MODE:-a b}" | wc -w)" $(expr ${N:-3} + 1)

#### as a function of the script's own
cut() { echo mine; }
python "$(echo a:b | cut -d: -f1)"

#### rows of a table
while IFS=, read -r NAME SIZE; do
  python "$(echo $NAME | tr a-z A-Z)" "$(expr $SIZE \* 2)"
done <<< $'tiny,1\nbig,7'

#### printf into an array
a=(x y)
printf -v a[1] %s z
i=2
printf -v "a[$i]" '%02d' 7
printf -v b[3] %s q
declare -A m=([k]=v)
printf -v m[other] %s w
python "${a[@]}" "${b[3]}" "${#b[@]}" "${m[other]}" "${m[k]}"

#### printf into an array by a key that is computed
a=(x y)
printf -v 'a[i+1]' %s z
python "${a[1]}" end

#### lines known in part
mapfile -t L < <(printf 'a\nb\n'; date +%s; echo c)
python "${L[0]}" "${L[1]}"
mapfile -t M < <(printf 'a\n'; printf '%s' "$X")
python "${M[0]}" "${#M[@]}"

#### lines with other breaks in them
mapfile -t L < <(printf 'a\x0cb\rc\n\nd')
python "${#L[@]}" "${L[@]}"
