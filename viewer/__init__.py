"""A run as one page for any browser: turned, stopped and measured there, offline.

`content.py` says what of a run is in the page, `surfaces.py` what it looks like, `encoding.py` how arrays become text,
`write.py` puts the file together and checks one that exists. The page's own code is JavaScript, in `page/`; a bundle
of it is made at set-up (`tools/build_viewer.py`) and is not under version control. `live.py` serves a run while it
computes.

No physics, no measures: they come from `engine` and `analysis`.
"""
