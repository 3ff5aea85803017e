# What belongs to a function or to one call of it, and what it hides.

#### unset of a caller's variable
X=global
g() { unset X; python "g:${X-none}"; X=new; python "g2:$X"; }
f() { local X=loc; g; python "f:${X-none}"; }
f
python "out:${X-none}"

#### unset of a function's own variable
X=global
k() { local X=l; unset X; python "${X-none}"; X=again; unset X; python "${X-none}"; }
k
python "$X"

#### unset through three functions
X=global
o() { local X=o; p; python "o:${X-none}"; }
p() { local X=p; q; python "p:${X-none}"; }
q() { unset X; python "1:${X-none}"; unset X; python "2:${X-none}"; unset X; python "3:${X-none}"; }
o
python "${X-none}"

#### unset in a subshell and in a text
s() { (unset X; python "sub:${X-none}"); eval 'unset X'; python "s:${X-none}"; }
r() { local X; X=1; (unset X; python "r:${X-none}"); s; }
X=global
r
python "$X"

#### unset on some ways only
g() { if [ -n "$U" ]; then unset X; fi; python "g:${X-none}"; }
f() { local X=loc; g; g; python "f:${X-none}"; }
X=global
f
python "${X-none}"

#### set for the call of a function
h() { X=in; python "$X"; }
X=global
X=pre h
python "$X"

#### set for a call, and unset
h() { unset X; python "h:${X-none}"; X=new; }
X=global
X=pre h
python "$X"

#### set for a call, and local
h() { local X; python "h:${X-none}"; g; python "h2:${X-none}"; }
g() { local X; python "g:${X-none}"; X=g; }
X=global
X=pre h
python "$X"

#### set for a call, and unset by another function
h() { X=pre2 g; python "h:$X"; }
g() { unset X; python "1:$X"; unset X; python "2:$X"; unset X; python "3:${X-none}"; }
X=global
X=pre h
python "${X-none}"

#### set for a call, local, and unset by another function
h() { local X=h; g; python "h:${X-none}"; }
g() { unset X; python "g:${X-none}"; X=g; }
X=global
X=pre h
python "$X"

#### set for a call and exported there
h() { export X=e; python "h:$X"; }
X=global
X=pre h
python "$X"

#### set for a call, local there, then exported
h() { local X=4; export X; }
X=global
X=pre h
python "$X"

#### set for a call of one of two functions
if [ -n "$U" ]; then h() { unset X; python "a:$X"; }; else h() { python "b:$X"; }; fi
X=global
X=pre h
python "$X"

#### declared for the whole shell
h() { local X=l; declare -g X=g; python "h:$X"; X=m; python "h2:$X"; }
X=global
h
python "$X"
X=pre h
python "$X"

#### declared for the whole shell by a text
h() { local X=l name=X; declare -g "$name=g"; python "h:$X"; }
X=global
h
python "$X"

#### added to what the whole shell has
h() { local X=l; declare -g X+=more; python "h:$X"; }
X=global
h
python "$X"
