#!/bin/bash
N=$(awk -F'[, ]+' '/^n=/{print $2; exit}' conf | tr -d "'\"")
sed -e "s/__N__/${N//\//\\/}/g" \
    -e 's/\$HOME/'"$HOME"'/' tmpl > out
echo 'it'"'"'s' "it's" it\'s $'it\'s'
jq -r '.a | select(.b == "c") | "\(.d)"' f.json
find . \( -name '*.o' -o -name '*.a' \) -print0 | xargs -0 rm -f --
