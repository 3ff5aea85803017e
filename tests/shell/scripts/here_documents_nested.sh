#!/bin/bash
x=$(cat <<EOF
body with ) and ' and "
EOF
)
y="$(cat <<'EOF'
$(literal ) "
EOF
)"
z=$(python - <<PY | tail -1
print("it's $x")
PY
) && echo ok
for i in 1 2; do
  cat <<EOF >> f
$i
EOF
done
f() {
  cat <<-EOF
	usage: $0
	EOF
}
{ cat <<EOF
grouped
EOF
} > out
( cat <<EOF
sub
EOF
)
bash <<'EOF'
cat <<INNER
nested
INNER
EOF
while read -r a; do echo "$a"; done <<EOF
1
2
EOF
case x in a) cat <<EOF ;; b) echo ;; esac
in a case
EOF
w=`cat <<EOF
bq
EOF
`
arr=( $(cat <<EOF
e1
EOF
) last )
