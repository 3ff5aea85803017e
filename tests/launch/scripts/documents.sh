# Here-documents and here-strings.

#### a script on standard input
bash <<EOF
python a b
EOF

#### expanded before and after
A=outer
bash <<EOF
A=inner
python "$A" "\$A" '\$A' \\\$A
EOF

#### quoted: nothing is expanded outside
export A=outer
B=hidden
bash <<'EOF'
python "$A" "$B" "\$A"
EOF

#### tabs stripped
bash <<-EOF
	python a
		python b
	EOF

#### a script for srun
A="x y"
srun bash <<EOF
python "$A" $A
EOF

#### a here-string
bash <<< 'python a "b c"'
A='python x'
bash <<< "$A; python y"

#### written and run
cat > run.sh <<EOF
#!/bin/bash
python "\$1" "$SLURM_JOB_ID" \${2:-none}
EOF
bash run.sh first
chmod +x run.sh
srun ./run.sh second third

#### written in pieces
echo '#!/bin/bash' > run.sh
echo 'python one' >> run.sh
echo "python two" >> run.sh
bash run.sh

#### two documents
cat > a.sh <<A; cat > b.sh <<'B'
python a
A
python b "$X"
B
X=1
export X
bash a.sh
bash b.sh

#### a document in a group
{
  echo 'python in group'
  cat <<EOF
python from document
EOF
} > g.sh
bash g.sh

#### read from a document
read -r A B <<EOF
one two three
EOF
python "$A" "$B"

#### a document with backslashes
bash <<EOF
python a\\
b "c\\\\d" \
e
EOF

#### a document inside a function
write() {
  cat > "$1" <<EOF
python made for $2
EOF
}
write f.sh me
bash f.sh

#### tee writes too
tee t.sh > /dev/null <<'EOF'
python tee
EOF
bash t.sh

#### loops over a document
while read -r line; do
  python "$line"
done <<EOF
first
second one
EOF

#### a document that is not a script
cat <<EOF > config.txt
a: $HOME
EOF
python config.txt

#### shell with -s and arguments
bash -s x "y z" <<'EOF'
python "$1" "$2" "$#"
EOF

#### overwritten before it is run
echo 'python old' > r.sh
echo 'python new' > r.sh
bash r.sh

#### noclobber and append on a fresh file
echo 'python a' >> fresh.sh
bash fresh.sh

#### read a whole document that is known in part
read -r -d '' CMD <<EOF
cd $PROJECT
python train.py --rank 0 --name $NAME
EOF
bash -c "$CMD"
read -d '' REST <<EOF
 $LEAD python lead.py
 python second.py "${MODE:-a b}" $TAIL 
EOF
eval "$REST"
python "$CMD" "[$REST]"
$CMD
read -r -d '' ONE TWO THREE <<EOF
  first second$X third
 fourth $Y
EOF
python "$ONE" "[$TWO]" "[$THREE]"

#### read a line that is known in part
read -r A B <<< "train $X y"
read -r C <<< "  $X  z  "
IFS=: read -r D E <<< "p:q $X:"
IFS= read -r F <<< " $X "
python "$A" "[$B]" "[$C]" "$D" "[$E]" "[$F]"
{ read -r G; read -r H; read -r I; } <<EOF
one
two $X
three
EOF
python "$G" "[$H]" "[$I]"
{ read J; read K; } <<'EOF'
joined \
line
last
EOF
python "$J" "$K"
V=${UNSET_HERE:-u v}
{ read L; read M; } <<EOF
$V
next
EOF
python "$L" "$M"

#### read of a document ends a script that stops at errors
set -e
read -r -d '' CMD <<EOF || true
python $X
EOF
python after
read -r -d '' CMD <<EOF
python $X
EOF
python never
