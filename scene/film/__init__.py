"""The film: ground, light and cameras in one press, overlay burnt in, and files as output.

What is seen in the viewport without a film is in `show`.
"""
