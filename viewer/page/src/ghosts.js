// Runs of a sweep beside the run that they vary: their surfaces, see-through, and their paths.
import * as THREE from "three";

const OPACITY = 0.2;
const PATH_OPACITY = 0.6;

const SHELL = ["paint", "rubber"]; // finishes that are drawn of a vehicle

/** Parts of a run that a ghost is drawn with: the shell of a vehicle, the contact ellipsoids of all others. */
export function ghostParts({ parts, bodies }) {
  const actorOf = ({ body }) => bodies[body].actor;
  const rounded = parts.filter(({ layer }) => layer === "ellipsoids");
  const spheres = new Set(rounded.map(({ mesh }) => mesh));
  const shells = parts.filter(({ layer, mesh }) => layer === "skin" && !spheres.has(mesh));
  const shelled = new Set(shells.map(actorOf));
  return [
    ...rounded.filter((part) => !shelled.has(actorOf(part))),
    ...shells.filter(({ finish }) => SHELL.includes(finish)),
  ];
}

export class SweepGhosts {
  /** run: whose parts and paths are taken; motions: one of each ghost; geometries: of the case's meshes. */
  constructor(run, motions, geometries, group) {
    Object.assign(this, { run, motions, group });
    const parts = motions.length ? ghostParts(run) : [];
    const look = new THREE.MeshStandardMaterial({
      roughness: 0.8,
      transparent: true,
      opacity: OPACITY,
      depthWrite: false,
    });
    this.shapes = [...new Set(parts.map(({ mesh }) => mesh))].map((mesh) => {
      const own = parts.filter((part) => part.mesh === mesh);
      const shape = new THREE.InstancedMesh(geometries[mesh], look, motions.length * own.length);
      shape.frustumCulled = false;
      shape.renderOrder = 1;
      this._color(shape, own);
      group.add(shape);
      return { shape, own, frames: own.map(({ frame }) => new THREE.Matrix4().set(...frame)) };
    });
    for (const motion of motions) for (const path of this._paths(motion)) group.add(path);
  }

  /** Every ghost as it is at a time; one that ended before stays where it came to lie. */
  at(time) {
    if (!this.group.visible) return;
    for (const { shape, own, frames } of this.shapes) {
      let k = 0;
      for (const motion of this.motions) {
        for (const [p, { body }] of own.entries())
          shape.setMatrixAt(k++, this._place(motion, body, time).multiply(frames[p]));
      }
      shape.instanceMatrix.needsUpdate = true;
    }
  }

  _place(motion, body, time) {
    const [w, x, y, z] = motion.quaternion(body, time);
    return new THREE.Matrix4().compose(
      new THREE.Vector3(...motion.position(body, time)),
      new THREE.Quaternion(x, y, z, w),
      new THREE.Vector3(1, 1, 1),
    );
  }

  _color(shape, own) {
    const { actors, bodies } = this.run;
    for (let k = 0; k < shape.count; k++) {
      const { body } = own[k % own.length];
      shape.setColorAt(k, new THREE.Color(actors[bodies[body].actor].color));
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
