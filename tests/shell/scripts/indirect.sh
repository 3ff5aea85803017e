#!/bin/bash
for v in A B; do
  if [[ -z ${!v+x} ]]; then echo "$v unset"; fi
  printf -v "${v}_copy" '%s' "${!v:-none}"
  eval "$v=\"\${$v:-x}\""
done
declare -n ref=A; ref+=("x")
fn="run_$1"; "$fn" "${@:2}"; "${cmd[@]}" "$@"
"$HOME/bin/x" ~/y $z/w "$(which python)" -V
