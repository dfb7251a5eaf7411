// One run as objects in space: surfaces on moving bodies, obstacles, ground, paths, ghosts, marks, arrows.
import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { Connections } from "./connections.js";
import { SweepGhosts } from "./ghosts.js";

const OPACITY_OF_GHOSTS = 0.16;
const GHOSTS = 5;
const METRES_PER_NEWTON = 1e-4;
const TILE = 5; // metres: lines of the ground are drawn stronger at this distance
const GROUND_REACH = 1500;
const MOST_MARKS = 40; // of the strongest contacts
const LAYERS = [
  "skin",
  "ellipsoids",
  "bones",
  "connections",
  "muscles",
  "ghosts",
  "sweep",
  "paths",
  "forces",
  "contacts",
  "ground",
];
const HORIZON = { light: 0xe6ebef, dark: 0x22282e };
const CONTACT = 0xd55e00;

const FINISHES = {
  paint: { roughness: 0.35, metalness: 0.1 },
  glass: { color: 0x20303a, roughness: 0.08, metalness: 0.2 },
  rubber: { color: 0x17181a, roughness: 0.9 },
  metal: { color: 0xa9afb5, roughness: 0.3, metalness: 0.8 },
  dark: { color: 0x2a2c2f, roughness: 0.8 },
  lamp: { color: 0xf2f0e6, roughness: 0.15 },
  "tail lamp": { color: 0x8a1515, roughness: 0.2 },
  trim: { color: 0x232528, roughness: 0.5 },
  plastic: { color: 0x1f2123, roughness: 0.7 },
  chrome: { color: 0xc9cdd1, roughness: 0.12, metalness: 0.9 },
  steel: { color: 0x8d9297, roughness: 0.4, metalness: 0.7 },
  lens: { color: 0xe9eef2, roughness: 0.05 },
  indicator: { color: 0xd98a1c, roughness: 0.2 },
  plate: { color: 0xf1f1ee, roughness: 0.5 },
  letters: { color: 0x16181a, roughness: 0.6 },
  cabin: { color: 0x2b2e31, roughness: 0.9 },
  box: { color: 0xdfe2e4, roughness: 0.6 },
  ground: { color: 0xb9bdc1, roughness: 0.95 },
  obstacle: { color: 0x9a9fa5, roughness: 0.85 },
};

/** Material of a finish; painted things have the colour of their actor. */
function material(finish, color) {
  return new THREE.MeshStandardMaterial({ color, roughness: 0.7, metalness: 0, ...FINISHES[finish] });
}

/** Geometry of a mesh of the case, with smooth normals. */
export function geometryOf({ points, triangles, normals }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  if (normals) geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  else geometry.computeVertexNormals();
  return geometry;
}

const SUN = new THREE.Vector3(4, -6, 12); // from what is looked at to the sun
const UP = new THREE.Vector3(0, 1, 0);
const LONGEST_ARROW = 3;
const SHAFT = new THREE.CylinderGeometry(0.012, 0.012, 1, 10).translate(0, 0.5, 0);
const TIP = new THREE.ConeGeometry(0.04, 0.1, 16).translate(0, 0.05, 0);
const ARROW_LOOK = new THREE.MeshBasicMaterial({ color: CONTACT, depthTest: false, transparent: true });
const lineLook = (color, width) => new LineMaterial({ color, linewidth: width, fog: true });
const matrixOf = (rows) => new THREE.Matrix4().set(...rows);

/** Lines of a metre on a ground that is so many metres wide, with a stronger one every few metres. */
function metreGrid(width) {
  const pixels = 640;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = pixels;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, pixels, pixels);
  for (let k = 0; k < TILE; k++) {
    pen.fillStyle = k ? "#dcdee0" : "#bcc0c4";
    pen.fillRect((k * pixels) / TILE, 0, k ? 2 : 4, pixels);
    pen.fillRect(0, (k * pixels) / TILE, pixels, k ? 2 : 4);
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.set(width / TILE, width / TILE);
  texture.anisotropy = 8;
  return texture;
}

/** An object made see-through, in place. */
function faded(object) {
  const ghostly = (look) => {
    const made = look.clone();
    Object.assign(made, { transparent: true, opacity: OPACITY_OF_GHOSTS, depthWrite: false });
    return made;
  };
  object.traverse((part) => {
    if (!part.isMesh) return;
    part.material = Array.isArray(part.material) ? part.material.map(ghostly) : ghostly(part.material);
    part.castShadow = false;
  });
  return object;
}

export class Stage {
  /** run: a run of the case with its arrays decoded; geometries: of the case's meshes; motion: of its bodies. */
  constructor(run, geometries, motion) {
    Object.assign(this, { run, geometries, motion });
    this.scene = new THREE.Scene();
    this.fog = new THREE.Fog(HORIZON.light, 25, 70);
    this.scene.fog = this.fog;
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = new THREE.Group();
      this.scene.add(this.layers[name]);
    }
    this.bodies = run.bodies.map(() => ({
      skin: this._holder("skin"),
      ellipsoids: this._holder("ellipsoids"),
    }));
    this._light();
    this._ground();
    this._parts();
    this._skins();
    this._obstacles();
    this._bones();
    this._paths();
    this._marks();
    const isMuscle = ({ kind }) => kind === "muscles";
    this.lines = {
      connections: run.connections.filter((line) => !isMuscle(line)),
      muscles: run.connections.filter(isMuscle),
    };
    this.rods = Object.entries(this.lines).map(
      ([layer, lines]) => new Connections(lines, motion, this.layers[layer], run.activation),
    );
    this.sweep = new SweepGhosts(run, run.ghostMotions, geometries, this.layers.sweep);
    this.arrows = run.bodies.map(() => this._arrow());
    const hasSkin =
      this.layers.skin.children.some((holder) => holder.children.length) || run.skins.length > 0;
    this.show({
      skin: hasSkin,
      ellipsoids: !hasSkin,
      bones: false,
      connections: true,
      muscles: false,
      sweep: true,
      ghosts: false,
      paths: true,
      forces: true,
      contacts: true,
      ground: true,
    });
    this.at(motion.start);
  }

  /** Show or hide layers by name. */
  show(wanted) {
    for (const [name, visible] of Object.entries(wanted)) this.layers[name].visible = visible;
    if (wanted.ghosts && !this.layers.ghosts.children.length) this._ghosts();
  }

  /** Everything as it is at a time. */
  at(time) {
    this.run.bodies.forEach((_, body) => {
      this._place(this.bodies[body].skin, body, time);
      this._place(this.bodies[body].ellipsoids, body, time);
    });
    for (const skin of this.skins) this._bend(skin, time);
    for (const obstacle of this.obstacles) this._carry(obstacle, time);
    this._drawBones(time);
    for (const rods of this.rods) rods.at(time);
    this.sweep.at(time);
    this._drawForces(time);
    for (const { mark, start } of this.marks) mark.visible = start <= time;
  }

  /** The body that an object belongs to, -1 for ground and obstacles. */
  bodyOf(object) {
    for (let o = object; o; o = o.parent) if (o.userData.body !== undefined) return o.userData.body;
    return -1;
  }

  /** Surfaces that a ray may meet. */
  get surfaces() {
    return ["skin", "ellipsoids", "ground"].map((name) => this.layers[name]).filter((layer) => layer.visible);
  }

  _holder(layer) {
    const group = new THREE.Group();
    group.userData.body = this.layers[layer].children.length;
    this.layers[layer].add(group);
    return group;
  }

  _light() {
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.normalBias = 0.02;
    this.sun = sun;
    this.scene.add(new THREE.HemisphereLight(0xf4f7ff, 0x8a8680, 1.6), sun, sun.target);
  }

  /** Let sun and haze suit a camera that looks at a place from some distance. */
  light(target, distance) {
    const reach = Math.min(14, Math.max(4, distance));
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).add(SUN);
    const { camera } = this.sun.shadow;
    if (camera.right !== reach) {
      Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, far: 60 });
      camera.updateProjectionMatrix();
    }
    this.fog.near = 20 + 2 * distance;
    this.fog.far = 60 + 8 * distance;
  }

  /** Change between light and dark surroundings. */
  darken(dark) {
    this.fog.color.set(dark ? HORIZON.dark : HORIZON.light);
  }

  _ground() {
    if (!this.run.ground) return;
    const asphalt = material("ground");
    asphalt.map = metreGrid(2 * GROUND_REACH);
    const plane = new THREE.Mesh(new THREE.PlaneGeometry(2 * GROUND_REACH, 2 * GROUND_REACH), asphalt);
    plane.receiveShadow = true;
    plane.position.z = -0.002; // below planes of the case at the same height
    this.ground = { plane, asphalt, shadows: new THREE.ShadowMaterial({ opacity: 0.4 }) };
    this.layers.ground.add(plane);
  }

  /** Before a photograph the ground is that of the picture: only shadows fall on it. */
  standBefore(photograph) {
    this.scene.fog = photograph ? null : this.fog;
    if (!this.ground) return;
    this.ground.plane.material = photograph ? this.ground.shadows : this.ground.asphalt;
  }

  _mesh(part, color) {
    const mesh = new THREE.Mesh(this.geometries[part.mesh], material(part.finish, color));
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(part.frame));
    return mesh;
  }

  _parts() {
    for (const part of this.run.parts) {
      const color = this.run.actors[this.run.bodies[part.body].actor].color;
      this.bodies[part.body][part.layer].add(this._mesh(part, color));
    }
  }

  _skins() {
    this.skins = this.run.skins.map((skin) => {
      const geometry = this.geometries[skin.mesh].clone();
      geometry.setAttribute("skinIndex", new THREE.BufferAttribute(skin.indices, 4));
      geometry.setAttribute("skinWeight", new THREE.BufferAttribute(skin.weights, 4, true));
      const colors = skin.finishes.map(
        ({ color }) => new THREE.MeshStandardMaterial({ color, roughness: 0.75 }),
      );
      for (const [from, count, index] of skin.groups) geometry.addGroup(from, count, index);
      const mesh = new THREE.SkinnedMesh(geometry, colors);
      const bones = skin.bodies.map(() => new THREE.Bone());
      const inverses = skin.rest.map((rows) => matrixOf(rows).invert());
      mesh.add(...bones);
      mesh.bind(new THREE.Skeleton(bones, inverses), new THREE.Matrix4());
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      mesh.userData.body = skin.bodies[0];
      this.layers.skin.add(mesh);
      return { mesh, bones, bodies: skin.bodies };
    });
  }

  _bend({ bones, bodies }, time) {
    for (const [k, bone] of bones.entries()) this._place(bone, bodies[k], time);
  }

  _obstacles() {
    this.obstacles = this.run.obstacles.map((obstacle) => {
      const holder = new THREE.Group();
      const mesh = this._mesh({ ...obstacle, finish: "obstacle" });
      holder.add(mesh);
      this.layers.ground.add(holder);
      return { ...obstacle, mesh };
    });
  }

  _carry({ mesh, motion }, time) {
    if (!motion) return;
    let k = motion.findIndex((row) => row.time > time);
    if (k < 0) k = motion.length - 1;
    const before = motion[Math.max(k - 1, 0)];
    const share =
      k > 0 && motion[k].time > before.time
        ? Math.min(1, (time - before.time) / (motion[k].time - before.time))
        : 0;
    mesh.matrix.copy(matrixOf(before.frame.map((value, i) => value + share * (motion[k].frame[i] - value))));
  }

  _place(object, body, time) {
    object.position.set(...this.motion.position(body, time));
    const [w, x, y, z] = this.motion.quaternion(body, time);
    object.quaternion.set(x, y, z, w);
  }

  _bones() {
    this.boneLines = new LineSegments2(new LineSegmentsGeometry(), lineLook(CONTACT, 3));
    this.boneLines.material.depthTest = false;
    this.boneLines.frustumCulled = false;
    this.boneLines.renderOrder = 2;
    this.layers.bones.add(this.boneLines);
  }

  _drawBones(time) {
    if (!this.layers.bones.visible || !this.run.bones.length) return;
    this.boneLines.geometry.setPositions(
      this.run.bones.flat().flatMap((body) => this.motion.position(body, time)),
    );
  }

  _paths() {
    for (const body of this.run.paths) {
      const points = Array.from(this.motion.times).flatMap((time) => this.motion.position(body, time));
      if (points.length < 6) continue;
      const color = this.run.actors[this.run.bodies[body].actor].color;
      this.layers.paths.add(new Line2(new LineGeometry().setPositions(points), lineLook(color, 2)));
    }
  }

  /** The actors as they are at a few times, see-through. */
  _ghosts() {
    for (let k = 0; k < GHOSTS; k++) {
      const time = this.motion.start + ((k + 0.5) / GHOSTS) * (this.motion.end - this.motion.start);
      const dressed = new Set(this.skins.flatMap(({ bodies }) => bodies));
      this.bodies.forEach(({ skin, ellipsoids }, body) => {
        if (dressed.has(body)) return;
        const ghost = (skin.children.length ? skin : ellipsoids).clone();
        this._place(ghost, body, time);
        this.layers.ghosts.add(faded(ghost));
      });
      for (const { mesh, bodies } of this.skins)
        this.layers.ghosts.add(this._ghostOfSkin(mesh, bodies, time));
    }
  }

  _ghostOfSkin(mesh, bodies, time) {
    const ghost = new THREE.SkinnedMesh(mesh.geometry, mesh.material);
    const bones = bodies.map(() => new THREE.Bone());
    ghost.add(...bones);
    ghost.bind(new THREE.Skeleton(bones, mesh.skeleton.boneInverses), new THREE.Matrix4());
    ghost.frustumCulled = false;
    this._bend({ bones, bodies }, time);
    return faded(ghost);
  }

  _marks() {
    const ring = new THREE.RingGeometry(0.65, 1, 32);
    const look = new THREE.MeshBasicMaterial({
      color: CONTACT,
      side: THREE.DoubleSide,
      depthTest: false,
      transparent: true,
      opacity: 0.85,
    });
    const strongest = [...this.run.contacts].sort((one, other) => other.peak_force - one.peak_force);
    this.marks = strongest.slice(0, MOST_MARKS).map(({ start, point, normal, peak_force: force }) => {
      const mark = new THREE.Mesh(ring, look);
      mark.position.set(...point);
      mark.lookAt(point[0] + normal[0], point[1] + normal[1], point[2] + normal[2]);
      mark.scale.setScalar(0.02 + 0.02 * Math.log10(1 + force / 100));
      mark.renderOrder = 1;
      this.layers.contacts.add(mark);
      return { mark, start };
    });
  }

  _arrow() {
    const arrow = new THREE.Group();
    const shaft = new THREE.Mesh(SHAFT, ARROW_LOOK);
    const tip = new THREE.Mesh(TIP, ARROW_LOOK);
    arrow.add(shaft, tip);
    arrow.userData = { shaft, tip };
    this.layers.forces.add(arrow);
    return arrow;
  }

  _drawForces(time) {
    const [frame] = this.motion.locate(time);
    this.arrows.forEach((arrow, body) => {
      const start = 3 * (frame * this.run.bodies.length + body);
      const force = new THREE.Vector3(...this.run.forces.subarray(start, start + 3));
      const length = force.length() * METRES_PER_NEWTON;
      arrow.visible = length > 0.02;
      if (!arrow.visible) return;
      arrow.position.set(...this.motion.position(body, time));
      arrow.quaternion.setFromUnitVectors(UP, force.normalize());
      const drawn = Math.min(length, LONGEST_ARROW);
      arrow.userData.shaft.scale.y = drawn;
      arrow.userData.tip.position.y = drawn;
    });
  }
}
