"""A camera from marked points of known position and from lines of known direction, with its uncertainty."""
