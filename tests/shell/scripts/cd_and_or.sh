#!/bin/bash
cd "$DIR" || exit 1
mkdir -p out && cd out || { echo fail; exit 1; }
a && b || c && d
! grep -q x f && echo none
a &&
b ||
c
a && # why
  b
a | b && c | d || e &
a; b; c & d &
wait
true && { false || true; } && (exit 0)
