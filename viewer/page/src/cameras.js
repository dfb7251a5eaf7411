// Named views: computed from where the motion goes, following an actor, or given by the case.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { fitted } from "./pinhole.js";

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

const FIELD_OF_VIEW = 35;
const CLOSE = 1.1; // metres about the middle of an actor that is followed
const IMPACT = { name: "Impact", radius: 2.4 }; // metres about the place where two actors first meet
const WIDE = 4; // metres: where the motion reaches farther, the first view is that of the impact
const DIRECTIONS = {
  Overview: [0.75, -1, 0.45],
  Side: [0, -1, 0.06],
  Front: [1, 0, 0.06],
  Top: [0, -0.001, 1],
};

export class Views {
  /** moved(): called when somebody turns away from the view that was taken. */
  constructor(canvas, runs, motions, clock, given, moved) {
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 2000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this._release());
    Object.assign(this, { runs, motions, clock, given, moved, followed: -1, held: undefined });
    this.size = [1, 1];
    this.measure();
  }

  /** Look again where the motion goes. */
  measure() {
    this.area = reach(this.motions);
    this.impact = this.runs[0].contacts.find(
      ({ actors: [one, other] }) => one >= 0 && other >= 0 && one !== other,
    );
  }

  /** Names of all views, in their order. */
  get names() {
    const actors = this.runs[0].actors.map(({ name }) => `Follow ${name}`);
    const impact = this.impact ? [IMPACT.name] : [];
    return [...Object.keys(DIRECTIONS), ...impact, ...actors, ...this.given.map(({ name }) => name)];
  }

  /** Name of the view that the page opens with. */
  get first() {
    return this.impact && this.area.radius > WIDE ? IMPACT.name : "Overview";
  }

  /** Metres to what is looked at. */
  get distance() {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Take a view by its name; returns the camera of the case that it is, if any. */
  take(name) {
    this.held = undefined;
    this.followed = this.runs[0].actors.findIndex((actor) => `Follow ${actor.name}` === name);
    const given = this.given.find((camera) => camera.name === name);
    if (given) return this._hold(given);
    const { middle, radius } = this._subject(name);
    this.camera.fov = FIELD_OF_VIEW;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = radius / Math.sin((0.5 * this.camera.fov * Math.PI) / 180) / narrow;
    const direction = new THREE.Vector3(...(DIRECTIONS[name] ?? DIRECTIONS.Overview)).normalize();
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    return undefined;
  }

  /** Middle and radius of what a view shows. */
  _subject(name) {
    if (this.followed >= 0) return { middle: this._middleOf(this.followed), radius: CLOSE };
    if (name !== IMPACT.name) return this.area;
    return { middle: new THREE.Vector3(...this.impact.point), radius: IMPACT.radius };
  }

  /** Once a frame: what a drag has left to do. A camera that is held stays exactly where the case has it. */
  update() {
    if (!this.held) this.controls.update();
  }

  /** Move along with the followed actor. */
  follow() {
    if (this.followed < 0) return;
    const shift = this._middleOf(this.followed).sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
  }

  /** Turn about what is looked at, by radians to the left and up. */
  turn(left, up) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const polar = Math.acos(THREE.MathUtils.clamp(offset.z / offset.length(), -1, 1));
    const wanted = THREE.MathUtils.clamp(polar - up, 0.01, Math.PI - 0.01);
    const round = Math.atan2(offset.y, offset.x) - left;
    offset
      .set(Math.sin(wanted) * Math.cos(round), Math.sin(wanted) * Math.sin(round), Math.cos(wanted))
      .multiplyScalar(this.distance);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  /** Move sideways and up, by shares of the distance to what is looked at. */
  move(right, up) {
    const { distance } = this;
    const [x, y] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, k));
    const shift = x.multiplyScalar(right * distance).addScaledVector(y, up * distance);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
  }

  /** Come nearer by a factor below one, or go away. */
  zoom(factor) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  /** The picture is this wide and high, in pixels of the page. */
  resize(width, height) {
    this.size = [width, Math.max(1, height)];
    this.camera.aspect = width / this.size[1];
    if (this.held) this._project(this.held);
    else this.camera.updateProjectionMatrix();
  }

  /** Stand exactly where a camera of the case stood. */
  _hold(given) {
    const [w, x, y, z] = given.rotation;
    this.camera.position.set(...given.position);
    this.camera.quaternion.set(x, y, z, w);
    const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(this.camera.quaternion);
    const distance = Math.max(1, this.camera.position.distanceTo(this.area.middle));
    this.controls.target.copy(this.camera.position).addScaledVector(ahead, distance);
    this.held = given;
    this._project(given);
    return given;
  }

  _project(given) {
    const { camera } = this;
    const { focal, center } = fitted(given, ...this.size);
    const [width, height] = this.size;
    const scale = camera.near / focal;
    camera.projectionMatrix.makePerspective(
      -center[0] * scale,
      (width - center[0]) * scale,
      center[1] * scale,
      (center[1] - height) * scale,
      camera.near,
      camera.far,
    );
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    camera.fov = (360 / Math.PI) * Math.atan((0.5 * height) / focal);
    camera.updateMatrixWorld();
  }

  _release() {
    if (!this.held) return;
    this.held = undefined;
    this.camera.updateProjectionMatrix();
    this.moved();
  }

  _middleOf(actor) {
    const middle = new THREE.Vector3();
    const bodies = this.runs[0].bodies.flatMap((body, k) => (body.actor === actor ? [k] : []));
    for (const body of bodies)
      middle.add(new THREE.Vector3(...this.motions[0].position(body, this.clock.time)));
    return middle.divideScalar(Math.max(1, bodies.length));
  }
}
