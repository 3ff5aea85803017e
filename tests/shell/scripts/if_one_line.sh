#!/bin/bash
if a; then b; fi; if c; then d; else e; fi
if [ -f x ]; then source x; fi && echo ok
[ -f x ] && if true; then echo y; fi
if a;then b;fi
if a; then if b; then if c; then d; fi; fi; fi
while a; do b; done; until c; do d; done
for i in 1 2;do echo;done;case x in a)b;;esac
{ a; b; };( c;d );f(){ e;}
if a; then b; fi | while c; do d; done
