#!/bin/bash
cat <<EOF
a \
EOF
still the body
EOF
cat <<'EOF'
a \
EOF
cat <<EOF
even \\
EOF
echo after
