#!/bin/bash
for a in 1; do while b; do if c; then case d in e) { f; ( g; ); } ;; esac; fi; done; done
if a; then
  for x in 1 2; do
    while read -r y; do
      case $y in
        1) if b; then c; else d; fi ;;
        2) until e; do f; done ;;
        *) (g | h) && { i || j; } ;;
      esac
    done < f
  done
fi
( ( ( a ) ) )
{ { { a; }; }; }
( { ( a ); } )
