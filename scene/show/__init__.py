"""What is drawn beside the motion: overlays and traces in the viewport, plots, results, skins and characters.

Nothing here changes a model, a scenario or a run.
"""
