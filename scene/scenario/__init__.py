"""What is to happen: starts of actors, obstacles, files, and what validation finds in all of it.

What an actor is made of is in `model`.
"""
