#!/bin/bash
! true
! a | b | c
! { a; }
! (a)
! [[ a ]]
! ((1))
if ! a && ! b; then c; fi
while ! ping -c1 host; do sleep 1; done
! a > f
a || ! b
! ! true
! ! a | b
