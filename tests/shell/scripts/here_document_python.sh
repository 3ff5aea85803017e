#!/bin/bash
python3 - <<EOF
import os
d = {"a": 1}
if d.get('a') and (1 < 2):
    print(f"{d['a']}: $HOME", "it's")
# ${unfinished
# $(unfinished
# `unfinished
EOF
python3 - "$@" << 'PYTHON' 2>&1 | tee log
print("$HOME")
PYTHON
