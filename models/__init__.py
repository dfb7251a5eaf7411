"""Body models and scenarios, and the published tables and code they are built from.

`library` finds and lists what is shipped; `human`, `dummy`, `ambrosio`, `car` and `bicycle` build it. Every
number has its source beside it: a publication, a derivation that can be repeated, or the word "assumed" with the
reasoning.
"""
