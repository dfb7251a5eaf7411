"""Files and specs: model JSON, scenario JSON, OpenMBD's formats, mesh files. No Blender in here.

Only `FileError` leaves this package for bad content. Start reading at `model_json` and `scenario_json`; the keys of
both formats are worked out from the dataclasses of `engine.spec` by `declarations`.
"""
