"""From a recording to files a person can use and a court can check: tables, measures, plots, report, manifest.

No Blender and no model here: everything works on `engine.Recording` and `engine.Scenario` alone. What several rooms
need stands beside this file: names of subjects, times between samples, the time of a film, animated pictures.
"""
