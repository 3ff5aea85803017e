#!/bin/bash
((echo a; echo b) | sort)
( (echo a) )
x=$((echo a; echo b) | sort)
y=$( (echo c) )
z=$(( (1) ))
( (( 1 + 1 )) && echo two )
((cd dir && ls) 2>/dev/null | head -1)
