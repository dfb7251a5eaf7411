"""Plans and orthophotos laid on the ground to scale, from known points or a world file, and distances on them."""
