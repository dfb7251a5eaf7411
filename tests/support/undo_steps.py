"""Undo and redo across every operator: what a person does before, the operator itself, and what it needs no case for.

**A new operator under `bpy.ops.mannequin` gets a line in STEPS** (or, with the reason, in EXCEPTIONS): the test
enumerates the registered operators and fails for one that is in neither.

Names that steps may use: `ops` (bpy.ops.mannequin), `actor()` (the armature of `full_model`), `activate(object, bone)`,
MODEL, SCENARIO, FOLDER (files and a folder with a display mesh), `bake_by_hand()`.
"""

# Name of the operator: (what a person does before, the operator that is undone and redone).
STEPS = {
    "add_actor": ("", "ops.add_actor(model='bicycle')"),
    "add_vehicle": ("", "ops.add_vehicle()"),
    "add_person": ("", "ops.add_person(sex=0.0, age=71.0, height=1.63, mass=58.0)"),
    "change_person": (
        "ops.add_person(name='anna', sex=0.0, age=71.0, height=1.63, mass=58.0); activate('anna')",
        "ops.change_person(sex=1.0, age=35.0, height=1.82, mass=95.0)",
    ),
    "new_model": ("", "ops.new_model(name='thing')"),
    "import_model": ("", "ops.import_model(filepath=MODEL)"),
    "import_scenario": ("", "ops.import_scenario(filepath=SCENARIO)"),
    "duplicate_actor": ("activate('full')", "ops.duplicate_actor()"),
    "delete_actor": ("activate('full')", "ops.delete_actor()"),
    "update_rig": ("activate('full'); bpy.data.objects['hip'].location.x += 0.1", "ops.update_rig()"),
    "scale_actor": ("activate('full')", "ops.scale_actor(height=1.5, mass=20)"),
    "mirror_model": ("activate('full', 'foot'); ops.rename_body(name='footL')", "ops.mirror_model()"),
    "add_body": ("activate('full')", "ops.add_body(name='head', parent='trunk', position=(0, 0, 1))"),
    "duplicate_body": ("activate('full', 'thigh')", "ops.duplicate_body()"),
    "delete_body": ("activate('full', 'shank')", "ops.delete_body()"),
    "rename_body": ("activate('full', 'shank')", "ops.rename_body(name='calf')"),
    "change_parent": ("activate('full', 'foot')", "ops.change_parent(parent='trunk')"),
    "compute_mass": ("activate('full', 'thigh')", "ops.compute_mass(density=900)"),
    "add_ellipsoid": ("activate('full', 'shank')", "ops.add_ellipsoid(name='shin')"),
    "duplicate_ellipsoid": ("activate('foot_part_1')", "ops.duplicate_ellipsoid()"),
    "delete_ellipsoid": ("activate('foot_part_1')", "ops.delete_ellipsoid()"),
    "rename_ellipsoid": ("activate('foot_part_1')", "ops.rename_ellipsoid(name='toe')"),
    "apply_curve_preset": ("activate('foot_part_1')", "ops.apply_curve_preset(preset='head')"),
    "set_joint_type": ("activate('full', 'foot')", "ops.set_joint_type(type='revolute', axis=(1, 1, 0))"),
    "delete_joint": ("activate('full', 'foot')", "ops.delete_joint()"),
    "rename_joint": ("activate('full', 'foot')", "ops.rename_joint(name='heel')"),
    "copy_joint": ("activate('full', 'thigh')", "ops.copy_joint(targets='foot')"),
    "toggle_limits": (
        "activate('full'); actor().pose.bones['thigh'].rotation_quaternion = (0.5, 0.8, 0, 0)",
        "ops.toggle_limits()",
    ),
    "edit_list": ("activate('full')", "ops.edit_list(list='springs', action='REMOVE')"),
    "place_on_ground": ("activate('full')", "ops.place_on_ground(clearance=3)"),
    "set_velocity": ("activate('full')", "ops.set_velocity(velocity=(1, 2, 3))"),
    "clear_velocity": ("activate('full'); ops.set_velocity(velocity=(1, 2, 3))", "ops.clear_velocity()"),
    "apply_preset": ("", "ops.apply_preset(preset='court')"),
    "validate": ("actor().data.bones['foot'].mannequin.mass = 0", "ops.validate()"),
    "add_obstacle": ("bpy.ops.mesh.primitive_cube_add()", "ops.add_obstacle()"),
    "remove_obstacle": ("bpy.ops.mesh.primitive_cube_add(); ops.add_obstacle()", "ops.remove_obstacle()"),
    "drag_velocity": ("activate('full')", "ops.drag_velocity(tip=(0, 0, 3))"),
    "take_motion": (
        "activate('full'); [(setattr(actor(), 'location', (f, 0, 0)), actor().keyframe_insert('location', frame=f))"
        " for f in range(5)]; bpy.context.scene.frame_set(2)",
        "ops.take_motion()",
    ),
    "map_skeleton": ("foreign_rig('Armature')", "ops.map_skeleton()"),
    "retarget_motion": (
        "foreign_rig('Armature', 'male'); slide(bpy.data.objects['Armature'])",
        "ops.retarget_motion()",
    ),
    "import_motion": (
        "ops.add_actor(model='male'); write_bvh(FOLDER + '/walk.bvh')",
        "ops.import_motion(filepath=FOLDER + '/walk.bvh')",
    ),
    "blend_into_animation": (
        "ops.add_actor(model='male'); bake_over_animation('male')",
        "ops.blend_into_animation(animation='getting up', frames=4)",
    ),
    "bake_character": (
        "foreign_rig('Armature', 'male'); slide(actor('male')); ops.bind_character()",
        "ops.bake_character()",
    ),
    "add_joint": ("activate('full', 'foot'); ops.delete_joint()", "ops.add_joint(parent='thigh')"),
    "import_file": ("", "ops.import_file(filepath=MODEL)"),
    "add_ready_made": ("", "ops.add_ready_made(obstacle='kerb')"),
    "export_model": ("activate('full')", "ops.export_model(filepath=FOLDER + '/out.json')"),
    "import_hyfydy": (
        "ops.export_hyfydy(filepath=FOLDER + '/a.hfd')",
        "ops.import_hyfydy(filepath=FOLDER + '/a.hfd')",
    ),
    "import_opensim": ("write_osim(FOLDER + '/a.osim')", "ops.import_opensim(filepath=FOLDER + '/a.osim')"),
    "export_hyfydy": ("activate('full')", "ops.export_hyfydy(filepath=FOLDER + '/out.hfd')"),
    "export_mujoco": ("activate('full')", "ops.export_mujoco(filepath=FOLDER + '/out.xml')"),
    "export_scenario": ("", "ops.export_scenario(filepath=FOLDER + '/out.json')"),
    "load_meshes": ("activate('full')", "ops.load_meshes(directory=FOLDER)"),
    "reset_ellipsoid_mesh": ("activate('foot_part_1'); spoil_mesh()", "ops.reset_ellipsoid_mesh()"),
    "restore_start": ("activate('full'); bake_by_hand()", "ops.restore_start()"),
    "select_finding": (
        "actor().data.bones['foot'].mannequin.mass = 0; ops.validate(); select('hip')",
        "ops.select_finding(index=0)",
    ),
    "record_motion": (
        "bpy.ops.mesh.primitive_cube_add(); ops.add_obstacle(shape='box'); slide(bpy.context.object)",
        "ops.record_motion()",
    ),
    "color_ellipsoids": ("", "ops.color_ellipsoids(by='MATERIAL')"),
    "add_muscle": ("activate('full', 'foot')", "ops.add_muscle(name='soleus')"),
    "duplicate_muscle": ("activate('rectus')", "ops.duplicate_muscle()"),
    "delete_muscle": ("activate('rectus')", "ops.delete_muscle()"),
    "rename_muscle": ("activate('rectus')", "ops.rename_muscle(name='quadriceps')"),
    "attach_muscle_points": (
        "activate('rectus'); bpy.data.objects['rectus'].data.splines[0].points[1].select = True",
        "ops.attach_muscle_points(body='foot')",
    ),
    "add_wrap_surface": ("activate('full', 'shank')", "ops.add_wrap_surface(shape='sphere', name='pulley')"),
    "wrap_on_ellipsoid": ("activate('foot_part_0')", "ops.wrap_on_ellipsoid()"),
    "delete_wrap_surface": ("activate('endless')", "ops.delete_wrap_surface()"),
    "set_wrap_shape": ("activate('endless')", "ops.set_wrap_shape(shape='sphere')"),
    "wrap_muscle": ("select('endless'); activate('rectus')", "ops.wrap_muscle()"),
    "set_excitation": ("activate('full')", "ops.set_excitation(pattern='rec*', tone=0.7)"),
    "make_skin": ("activate('full')", "ops.make_skin()"),
    "remove_skin": ("activate('full'); ops.make_skin()", "ops.remove_skin()"),
    "bind_character": (
        "bpy.ops.mesh.primitive_uv_sphere_add(); bpy.context.object.select_set(True); activate('full')",
        "ops.bind_character()",
    ),
    "setup_render": ("", "ops.setup_render()"),
    "add_camera_points": ("bpy.ops.object.empty_add()", "ops.add_camera_points()"),
    "import_scan": (
        "open(FOLDER + '/a.xyz', 'w').write('0 0 0\\n1 0 0\\n')",
        "ops.import_scan(filepath=FOLDER + '/a.xyz')",
    ),
    "add_surface_material": (
        "bpy.ops.mesh.primitive_cube_add()",
        "ops.add_surface_material(surface='grass')",
    ),
    "split_by_surface": ("bpy.ops.mesh.primitive_cube_add()", "ops.split_by_surface()"),
    "add_witness": ("", "ops.add_witness(name='neighbour')"),
    "add_mark": ("", "ops.add_mark(name='shoe')"),
    "measure_distance": (
        "bpy.ops.object.empty_add(location=(3, 0, 0)); other = bpy.context.object; bpy.ops.object.empty_add(); "
        "other.select_set(True)",
        "ops.measure_distance()",
    ),
    "pick_camera_pixel": (
        "bpy.ops.object.empty_add(); ops.add_camera_points()",
        "ops.pick_camera_pixel(pixel=(30, 40))",
    ),
}

CHANGE_NOTHING = {"export_model", "export_scenario", "export_hyfydy", "export_mujoco"}
"""Operators that write a file and leave the scene as it is."""

EXCEPTIONS = {
    "system_check": "only reports versions",
    "what_if": "draws over the viewport and changes nothing of the file (bl_options without UNDO)",
    "run_sweep": "runs many simulations into a folder; the scene stays as it is",
    "open_sweep": "needs a finished sweep; see test_sweeps.py",
    "toggle_sweep_trace": "needs a finished sweep; see test_sweeps.py",
    "bake_sweep_run": "needs a finished sweep; what it bakes is that of bake",
    "simulate": "needs the engine; undone in test_film_undo.py",
    "bake": "needs a finished run; undone in test_film_undo.py",
    "open_run": "needs a finished run; undone in test_film_undo.py",
    "play_run": "needs a finished run; undone in test_film_undo.py",
    "toggle_trace": "needs a finished run; undone in test_film_undo.py",
    "show_plot": "needs a finished run; undone in test_film_undo.py",
    "plot_moment_arms": "computed in a process of its own; run in test_muscles.py",
    "export_tables": "writes files from a finished run and leaves the scene as it is",
    "note_in_case": "writes to the log of the case, which no undo takes back",
    "jump_to_contact": "moves to a frame, which Blender's undo leaves alone",
    "make_viewer": "writes a file from a finished run and leaves the scene as it is",
    "simulate_inside": "simulates as simulate does, after a question; that is undone in test_film_undo.py",
    "make_report": "writes files from a finished run and leaves the scene as it is",
    "export_run": "writes files from a finished run and leaves the scene as it is",
    "side_by_side": "needs two finished runs; undone in test_film_side_by_side.py",
    "ground_from_scan": "needs a scan of some thousand points; run in test_places.py",
    "show_sight": "needs a finished run; run in test_places.py",
    "import_marks": "needs a file of marks; makes what add_mark makes",
    "lay_picture": "needs a picture; run in test_places.py",
    "match_camera": "needs a photograph; run in test_places.py",
    "overlay_film": "writes a film and leaves the scene as it is; run in test_places.py",
    "overlay_picture": "needs a matched camera; run in test_places.py",
    "export_camera": "writes files and leaves the scene as it is; run in test_places.py",
    "cancel_render": "ends another process; the scene stays as it is",
    "render_film": "writes a film; it has no undo (bl_options) because it leaves the scene as it is",
}
"""Operators without a case, and why."""
