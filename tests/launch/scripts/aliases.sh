# Aliases: expanded only where a shell that is not interactive has been told to, and while it reads.

#### aliases that are expanded
shopt -s expand_aliases
alias go='srun --ntasks=2'
alias py="python $WITH -u" also='python also'
go python train.py
A=1 py "$X" > out
also
"py" quoted || true
\py escaped || true
go bash -c 'py inner'
if true; then py in if; fi
f() { py in function; }
f
(py subshell | cat)
alias python='python -v'
python once
unalias py
py gone || true

#### aliases that are not
alias py='python --never'
py one || true
shopt -s expand_aliases; alias same='python --never'; same || true
same -- below
if true; then
  alias inner='python inner'
  inner || true
fi
inner below
f() { later || true; }
alias later='python later'; if true; then
  later || true
fi
f
later
shopt -u expand_aliases
later || true
