"""The shipped scenarios: their files, the code that writes them, and the obstacles they are made of.

The models that take part are built in `people` and `vehicles` and read through `library`.
"""
