"""Two-wheelers, wheelchairs and prams, generated from their kind and dimensions: model on tyres, and what is drawn.

`kinds` has the typical ones with their sources, `layout` the points that everything else goes by, `build` the model,
`drawing` the picture from `tubes`, wheels and lofted bodies. Plain geometry, NumPy only.
"""
