#!/bin/bash
cat <<EOF
plain $x ${y:-d} $(cmd) `bq` $((1+1)) \$esc
it's "quoted
EOF
cat <<'EOF'
literal $x $( `
EOF
cat <<"EOF" > out
literal $y
EOF
cat <<\EOF
literal $z
EOF
cat <<-EOF
	stripped
	EOF
cat <<-'EOF'
		stripped $x
	EOF
cat << EOF
EOF
cat <<EOF1; cat <<EOF2
one
EOF1
two
EOF2
cat <<A <<B
a
A
b
B
cat <<EOF | grep x | while read -r l; do
body
EOF
  echo "$l"
done
foo && cat <<EOF || exit 1
text
EOF
if cat <<EOF; then
cond
EOF
  echo yes
fi
cat <<"E O F"
spaced
E O F
cat <<EOF
EOF 
 EOF
EOFX
EOF
cat 0<<EOF >f 2>&1
x
EOF
cat <<EOF &
bg
EOF
