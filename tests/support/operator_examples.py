"""What has to stand in the scene before the example in an operator's docstring can run.

The scene has the shipped man, his left hand is the active body, and "male.json", "fall.json" and a display mesh lie in
the working folder. **An operator whose example needs more gets a line in BEFORE**; one whose example cannot run here
gets one in ELSEWHERE, with the reason. Names that may be used are those of `scene_state`.
"""

HAND, ELLIPSOID = "activate('male', 'HandL')", "activate(ellipsoid_of('HandL'))"
MUSCLE = "activate('male', 'FootL'); ops.add_muscle(name='soleus', origin='ShankL')"
WRAP = "activate('male', 'ShankL'); ops.add_wrap_surface(shape='cylinder', name='calf')"
EMPTY = "bpy.ops.object.empty_add()"
CUBE = "bpy.ops.mesh.primitive_cube_add()"
FOREIGN = "foreign_rig('Armature')"

ZONES = "ops.add_vehicle(with_look=False); ops.show_zones()"

BEFORE = {
    "show_zones": "ops.add_vehicle(with_look=False)",
    "take_zones": ZONES,
    "zone_material": ZONES,
    "zone_curve": ZONES,
    "assign_zone": f"{ZONES}; bpy.ops.object.mode_set(mode='EDIT'); bpy.ops.mesh.select_all(action='SELECT')",
    "roll_wheels": "ops.add_actor(model='bicycle')",
    "brake": "ops.add_actor(model='car')",
    "place_assets": "from mannequin.scene.assets.markers import new_marker; "
    "bpy.context.scene.collection.objects.link(new_marker('obstacle_kerb'))",
    "load_meshes": "give_mesh('HandL')",
    "duplicate_ellipsoid": ELLIPSOID,
    "delete_ellipsoid": ELLIPSOID,
    "rename_ellipsoid": ELLIPSOID,
    "reset_ellipsoid_mesh": ELLIPSOID,
    "apply_curve_preset": ELLIPSOID,
    "wrap_on_ellipsoid": ELLIPSOID,
    "edit_list": ELLIPSOID,
    "delete_joint": HAND,
    "add_joint": f"{HAND}; ops.delete_joint()",
    "add_obstacle": CUBE,
    "remove_obstacle": f"{CUBE}; ops.add_obstacle()",
    "record_motion": f"{CUBE}; ops.add_obstacle(shape='box'); slide(bpy.context.object)",
    "take_motion": "slide(actor('male'))",
    "map_skeleton": FOREIGN,
    "retarget_motion": f"{FOREIGN}; slide(bpy.data.objects['Armature']); activate('male')",
    "import_motion": "write_bvh('walk.bvh')",
    "load_recorder": "open('recorder.csv', 'w').write('Time (s),Speed (km/h)\\n-1,50\\n0,30\\n')",
    "blend_into_animation": "bake_over_animation('male')",
    "bake_character": f"{FOREIGN}; slide(actor('male')); activate('male'); ops.bind_character()",
    "add_camera_points": EMPTY,
    "import_scan": "open('street.xyz', 'w').write('0 0 0\\n1 0 0\\n')",
    "add_surface_material": CUBE,
    "split_by_surface": CUBE,
    "import_marks": "write_marks('marks.json')",
    "lay_picture": "write_plan('plan.png')",
    "measure_distance": f"{EMPTY}; first = bpy.context.object; bpy.ops.object.empty_add(location=(3, 0, 0)); "
    "first.select_set(True)",
    "pick_camera_pixel": f"{EMPTY}; ops.add_camera_points()",
    "restore_start": "bake_by_hand('male')",
    "select_finding": "actor('male').data.bones['HandL'].mannequin.mass = 0; ops.validate()",
    "remove_skin": "ops.make_skin()",
    "change_person": "ops.add_person(sex=0.0, age=71.0, height=1.63, mass=58.0)",
    "carry_load": "ops.add_person(sex=0.0, age=71.0, height=1.63, mass=58.0)",
    "bind_character": "bpy.ops.mesh.primitive_uv_sphere_add(); bpy.context.object.name = 'Hero'; activate('male')",
    "import_hyfydy": "ops.export_hyfydy(filepath='leg.hfd')",
    "import_mujoco": "ops.export_mujoco(filepath='humanoid.xml')",
    "import_opensim": "write_osim('arm.osim')",
    "add_muscle": "activate('male', 'FootL')",
    "duplicate_muscle": MUSCLE,
    "delete_muscle": MUSCLE,
    "rename_muscle": MUSCLE,
    "attach_muscle_points": f"{MUSCLE}; bpy.context.object.data.splines[0].points[0].select = True",
    "delete_wrap_surface": WRAP,
    "set_wrap_shape": WRAP,
    "wrap_muscle": f"{MUSCLE}; muscle = bpy.context.object.name; {WRAP}; activate(muscle)",
}

ELSEWHERE = {
    "vehicle_from_mesh": "needs the mesh of a whole vehicle: test_vehicle_zones has one",
    "show_table": "needs a finished run; run in test_film_results.py",
    "explain_measure": "needs a finished run; run in test_film_results.py",
    "show_sweep_chart": "needs a finished sweep; run in test_sweeps.py",
    "close_checklist": "needs the extension installed in Blender; run in test_case.py",
    "new_from_example": "needs a file without changes; run in test_case.py",
    "what_if": "goes on until it is switched off; run in test_what_if.py",
    "run_sweep": "takes the time of many simulations; run in test_sweeps.py",
    "open_sweep": "needs a finished sweep; run in test_sweeps.py",
    "toggle_sweep_trace": "needs a finished sweep; run in test_sweeps.py",
    "bake_sweep_run": "needs a finished sweep; run in test_sweeps.py",
    "fit": "takes the time of many simulations; run in test_evidence.py",
    "compare_hypotheses": "takes the time of many simulations; run in test_evidence.py",
    "open_evidence": "needs a finished fit; run in test_evidence.py",
    "toggle_agreeing": "needs a finished fit; run in test_evidence.py",
    "bake_agreeing_run": "needs a finished fit; run in test_evidence.py",
    "export_evidence": "needs evidence; run in test_evidence.py",
    "import_evidence": "needs a file of evidence; run in test_evidence.py",
    "simulate": "takes the time of a simulation; run in test_film_simulate.py",
    "bake": "needs a finished run; run in test_film_bake.py",
    "open_run": "needs a finished run; run in test_film_simulate.py",
    "play_run": "needs a finished run; run in test_film_bake.py",
    "note_in_case": "needs a file saved in a case folder; run in test_case_log.py",
    "jump_to_contact": "needs a finished run; run in test_film_simulate.py",
    "show_plot": "needs a finished run; run in test_film_results.py",
    "plot_moment_arms": "computed in a process of its own; run in test_muscles.py",
    "toggle_trace": "needs a finished run; run in test_film_results.py",
    "export_tables": "needs a finished run; run in test_film_results.py",
    "make_report": "needs a finished run; run in test_film_simulate.py",
    "make_viewer": "needs a finished run; run in test_viewer_page.py",
    "export_run": "needs a finished run; run in test_film_simulate.py",
    "setup_render": "run in test_film_output.py",
    "side_by_side": "needs two finished runs; run in test_film_side_by_side.py",
    "propose_shots": "needs a finished run; run in test_film_shots.py",
    "estimate_film": "takes the time of two pictures; run in test_film_formats.py",
    "cancel_render": "needs a render that goes on; run in test_film_background.py",
    "ground_from_scan": "needs a scan of some thousand points; run in test_places.py",
    "show_sight": "needs a finished run; run in test_places.py",
    "match_camera": "needs a photograph; run in test_places.py",
    "export_camera": "needs a photograph; run in test_places.py",
    "overlay_film": "needs a photograph; run in test_places.py",
    "overlay_picture": "needs a photograph; run in test_places.py",
    "render_film": "takes the time of a film; run in test_film_output.py",
}
