// Belts, springs, welds and muscles: rods through points of bodies, until they give way.
import * as THREE from "three";

const LOOKS = {
  belts: { color: 0x26282b, radius: 0.011 },
  springs: { color: 0x56b4e9, radius: 0.008 },
  welds: { color: 0xf0e442, radius: 0.012 },
  muscles: { color: 0x6b1a18, radius: 0.007 },
};
const ACTIVE = new THREE.Color(0xff5a36); // a muscle at full activation
const UP = new THREE.Vector3(0, 1, 0);

export class Connections {
  /** lines: of the case; motion: of the bodies; group: where the rods go; activation(time): of the muscles. */
  constructor(lines, motion, group, activation) {
    Object.assign(this, { motion, group, activation });
    this.pieces = lines.flatMap((line, number) =>
      line.points.slice(1).map((end, k) => ({ line, number, start: line.points[k], end })),
    );
    if (!this.pieces.length) return;
    const look = new THREE.MeshStandardMaterial({ roughness: 0.6, depthTest: false, transparent: true });
    this.rods = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10), look, this.pieces.length);
    this.rods.frustumCulled = false;
    this.rods.renderOrder = 2;
    group.add(this.rods);
  }

  /** Lay every rod between its points at a time. */
  at(time) {
    if (!this.rods || !this.group.visible) return;
    const activation = this.activation?.(time);
    this.pieces.forEach((piece, k) => {
      const { kind } = piece.line;
      this.rods.setMatrixAt(k, this._matrix(piece, time));
      const color = new THREE.Color(LOOKS[kind].color);
      if (activation && kind === "muscles") color.lerp(ACTIVE, Math.min(1, activation[piece.number]));
      this.rods.setColorAt(k, color);
    });
    this.rods.instanceMatrix.needsUpdate = this.rods.instanceColor.needsUpdate = true;
  }

  /** World place of a point [body, x, y, z]; body -1 is the world. */
  place([body, ...local], time) {
    return new THREE.Vector3(...(body < 0 ? local : this.motion.carried(body, local, time)));
  }

  _matrix({ line, start, end }, time) {
    const matrix = new THREE.Matrix4();
    if (line.until !== null && time >= line.until) return matrix.makeScale(0, 0, 0);
    const { radius } = LOOKS[line.kind];
    const [from, to] = [this.place(start, time), this.place(end, time)];
    const along = to.clone().sub(from);
    const length = Math.max(along.length(), 2 * radius); // the ends of a weld are in one place
    const turn = new THREE.Quaternion().setFromUnitVectors(
      UP,
      along.lengthSq() ? along.normalize() : along.copy(UP),
    );
    return matrix.compose(from.lerp(to, 0.5), turn, new THREE.Vector3(radius, length, radius));
  }
}
