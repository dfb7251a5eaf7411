"""Body models and scenarios, and the published tables and code they are built from.

`library` finds and lists what is shipped. `people` and `vehicles` build models from `parts`, `scenarios` what happens
to them, `pages` prints documentation from both, `editing` changes existing models. Every number has its
source beside it: a publication, a derivation that can be repeated, or the word "assumed" with the reasoning.
"""
