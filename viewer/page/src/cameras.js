// Named views: computed from where the motion goes, following an actor, or given by the case.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Middle and radius (m) of all that moves in some runs. */
export function reach(motions) {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (const { positions } of motions) {
    for (let i = 0; i < positions.length; i += 3) {
      if (Number.isFinite(positions[i])) box.expandByPoint(point.fromArray(positions, i));
    }
  }
  if (box.isEmpty()) return { middle: new THREE.Vector3(), radius: 2 };
  const middle = box.getCenter(new THREE.Vector3());
  return { middle, radius: Math.max(0.9, 0.5 * box.getSize(point).length() + 0.35) };
}

const DIRECTIONS = {
  Overview: [0.75, -1, 0.45],
  Side: [0, -1, 0.06],
  Front: [1, 0, 0.06],
  Top: [0, -0.001, 1],
};

export class Views {
  constructor(canvas, runs, motions, clock, given) {
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.05, 500);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.listenToKeyEvents(canvas);
    this.controls.maxPolarAngle = Math.PI;
    Object.assign(this, { runs, motions, clock, given, followed: -1, chosen: "Overview" });
    this.measure();
  }

  /** Look again where the motion goes. */
  measure() {
    this.area = reach(this.motions);
  }

  /** Names of all views, in their order. */
  get names() {
    const actors = this.runs[0].actors.map(({ name }) => `Follow ${name}`);
    return [...Object.keys(DIRECTIONS), ...actors, ...this.given.map(({ name }) => name)];
  }

  /** Take a view by its name; returns the picture behind it, if it has one. */
  take(name) {
    this.chosen = name;
    this.followed = this.runs[0].actors.findIndex((actor) => `Follow ${actor.name}` === name);
    const given = this.given.find((camera) => camera.name === name);
    if (given) return this._takeGiven(given);
    const { middle, radius } =
      this.followed < 0 ? this.area : { middle: this._middleOf(this.followed), radius: 1.1 };
    this.camera.fov = 35;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = radius / Math.sin((0.5 * this.camera.fov * Math.PI) / 180) / narrow;
    const direction = new THREE.Vector3(...(DIRECTIONS[name] ?? DIRECTIONS.Overview)).normalize();
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this._commit();
    return undefined;
  }

  /** Move along with the followed actor. */
  follow() {
    if (this.followed < 0) return;
    const shift = this._middleOf(this.followed).sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
  }

  resize(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  _takeGiven({ position, direction, fov, picture }) {
    this.camera.fov = fov;
    this.camera.position.set(...position);
    const distance = Math.max(1, this.camera.position.distanceTo(this.area.middle));
    this.controls.target
      .copy(this.camera.position)
      .addScaledVector(new THREE.Vector3(...direction), distance);
    this._commit();
    return picture;
  }

  _commit() {
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  _middleOf(actor) {
    const middle = new THREE.Vector3();
    const bodies = this.runs[0].bodies.flatMap((body, k) => (body.actor === actor ? [k] : []));
    for (const body of bodies)
      middle.add(new THREE.Vector3(...this.motions[0].position(body, this.clock.time)));
    return middle.divideScalar(Math.max(1, bodies.length));
  }
}
