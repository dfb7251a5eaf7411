"""From a recording to files a person can use and a court can check: CSV, measures, plots, report, manifest.

No Blender here: everything works on `engine.recording.Recording` and `engine.spec.Scenario` alone.
"""
