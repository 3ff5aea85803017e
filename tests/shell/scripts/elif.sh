#!/bin/bash
if a; then b; elif c; then d; elif e; then f; elif g
then h; else i; fi
if a
then
  if b; then c; fi
elif d || e && f; then
  g
else
  if h; then i; elif j; then k; else l; fi
fi
if ! a; then b; fi
if (a); then b; fi
if { a; }; then b; fi
if [[ a ]]; then :; elif ((1)); then :; elif test x; then :; fi
if a; b; then c; d; fi
if a | b; then c & fi
if if a; then b; fi; then c; fi > out
