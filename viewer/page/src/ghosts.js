// Runs of a sweep beside the run that they vary: their contact ellipsoids, see-through, and their paths.
import * as THREE from "three";

const OPACITY = 0.2;
const PATH_OPACITY = 0.6;

export class SweepGhosts {
  /** run: whose ellipsoids and paths are taken; motions: one of each ghost; geometries: of the case's meshes. */
  constructor(run, motions, geometries, group) {
    Object.assign(this, { run, motions, group });
    this.parts = run.parts.filter(({ layer }) => layer === "ellipsoids");
    this.frames = this.parts.map(({ frame }) => new THREE.Matrix4().set(...frame));
    if (!motions.length || !this.parts.length) return;
    const look = new THREE.MeshStandardMaterial({
      roughness: 0.8,
      transparent: true,
      opacity: OPACITY,
      depthWrite: false,
    });
    const geometry = geometries[this.parts[0].mesh];
    this.shapes = new THREE.InstancedMesh(geometry, look, motions.length * this.parts.length);
    this.shapes.frustumCulled = false;
    this.shapes.renderOrder = 1;
    this._color();
    group.add(this.shapes, ...motions.flatMap((motion) => this._paths(motion)));
  }

  /** Every ghost as it is at a time; one that ended before stays where it came to lie. */
  at(time) {
    if (!this.shapes || !this.group.visible) return;
    let k = 0;
    for (const motion of this.motions) {
      for (const [p, { body }] of this.parts.entries())
        this.shapes.setMatrixAt(k++, this._place(motion, body, time).multiply(this.frames[p]));
    }
    this.shapes.instanceMatrix.needsUpdate = true;
  }

  _place(motion, body, time) {
    const [w, x, y, z] = motion.quaternion(body, time);
    return new THREE.Matrix4().compose(
      new THREE.Vector3(...motion.position(body, time)),
      new THREE.Quaternion(x, y, z, w),
      new THREE.Vector3(1, 1, 1),
    );
  }

  _color() {
    const { actors, bodies } = this.run;
    for (let k = 0; k < this.shapes.count; k++) {
      const { body } = this.parts[k % this.parts.length];
      this.shapes.setColorAt(k, new THREE.Color(actors[bodies[body].actor].color));
    }
  }

  _paths(motion) {
    return this.run.paths.map((body) => {
      const points = Array.from(motion.times, (time) => new THREE.Vector3(...motion.position(body, time)));
      const color = this.run.actors[this.run.bodies[body].actor].color;
      const look = new THREE.LineBasicMaterial({ color, transparent: true, opacity: PATH_OPACITY });
      return new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), look);
    });
  }
}
