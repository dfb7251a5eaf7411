"""One step of time, by several methods. Each is a compiled function with the same arguments (see `stepping`)."""
