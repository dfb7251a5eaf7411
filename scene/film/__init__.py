"""The film: ground, light and cameras in one press, overlay burnt in, and files as output."""
