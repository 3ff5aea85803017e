a

b


c
