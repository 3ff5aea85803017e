# Reading: lines, words and documents.

#### read from here-strings and process substitutions
read -r A B <<< "a b c"
IFS=, read -r -a L <<< "x,y,,z"
read -r C < <(echo "one two")
read -rd '' D <<< "p q"
IFS= read -r E <<< "  kept  "
python "$A" "$B" "${L[@]}" "${#L[@]}" "$C" "$D" "$E"
read -n 2 F <<< abcdef
read -p "prompt: " G <<< "answer"
read <<< "reply  text"
python "$F" "$G" "$REPLY"

#### read that hits the end
read A <<< "" && python got "[$A]"
read B < /dev/null || python none "[$B]"
printf 'no newline' > f
read C < f || python partial "$C"

#### mapfile with options
mapfile -t A <<< "a
b
c"
mapfile -t -n 2 B < <(printf '%s\n' p q r)
mapfile -t -s 1 C < <(printf '%s\n' p q r)
mapfile D <<< "x y"
readarray -d , -t E <<< "1,2,3"
mapfile -t -O 1 F <<< one
python "${A[@]}" "${B[@]}" "${C[@]}" "${D[0]}" "${E[1]}" "${F[1]}" "${#F[@]}"
mapfile -t G < /dev/null
python "${#G[@]}"

#### separators changed and restored
A="a:b c:d"
OLD=$IFS
IFS=:
python $A
set -- $A
python "$#" "$*"
IFS=$OLD
python $A
IFS=$'\n'
B=$'l 1\nl 2'
python $B
unset IFS
python $B

#### documents with tabs
cat > f.sh <<-EOF
	python one
		python "two	tabs"
	EOF
bash f.sh
A=$(cat <<-'EOF'
		a
	  b
	EOF
)
python "$A"

#### here-documents into programs
python <<EOF
body $A
EOF
bash <<'EOF'
python inner "$0" "$1"
EOF
bash -s x "y z" <<'EOF'
python "$1" "$2" "$#"
EOF

#### here-strings
A="a b"
bash <<< "python $A"
read -r x y <<< $A
python "$x" "$y"
cat <<< "$A" > f
python "$(cat f)"

#### a program's words from several kinds of quotes
A=1
python "a"'b'$A"c $A"\ d$'e' "" '' a""b

#### brace expansion in many shapes
python {1..3}{a,b} {01..10..3} {z..x} {a,b}{,c} "{a,b}" a{b}c {,} x{,,}y {1..} {a..c..2} -{x,y}= {-1..1}
A={1,2}
python $A --opt={a,b}

#### tildes
python ~/x "~/x" a~ --dir=~/y
D=~/data:~/more
python "$D" || true

#### nullglob
shopt -s nullglob
python *.none end
A=(*.none)
python "${#A[@]}"
python --x=[ab] "x*"

#### a function's output into an array
opts() { printf '%s\n' --lr 0.1 "--name" "a b"; }
mapfile -t ARGS < <(opts)
python train.py "${ARGS[@]}"
IFS=$'\n' read -r -d '' -a ALSO < <(opts; printf '\0')
python "${#ALSO[@]}" "${ALSO[3]}"
