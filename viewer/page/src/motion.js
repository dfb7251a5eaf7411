// Where every body is at any time: positions are interpolated linearly, rotations along the shorter way.

/** Two arrays of numbers of one kind as one. */
export function joined(one, other) {
  const both = new one.constructor(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export class Motion {
  /** times (F), positions (F x B x 3, m), quaternions (F x B x 4, w x y z), of B bodies. */
  constructor(times, positions, quaternions, bodies) {
    Object.assign(this, { times, positions, quaternions, bodies });
    this.start = times[0];
    this.end = times[times.length - 1];
  }

  /** Add frames behind the last one. */
  grow({ times, positions, quaternions }) {
    this.times = joined(this.times, times);
    this.positions = joined(this.positions, positions);
    this.quaternions = joined(this.quaternions, quaternions);
    this.end = this.times[this.times.length - 1];
  }

  /** Number of the last frame at or before a time, and how far it is to the next one (0 to 1). */
  locate(time) {
    const { times } = this;
    if (time <= this.start || times.length === 1) return [0, 0];
    if (time >= this.end) return [times.length - 1, 0];
    let low = 0;
    let high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return [low, (time - times[low]) / (times[high] - times[low])];
  }

  /** Position [x, y, z] of a body's frame at a time, in metres. */
  position(body, time) {
    const [frame, share] = this.locate(time);
    const here = 3 * (frame * this.bodies + body);
    const next = share ? here + 3 * this.bodies : here;
    return [0, 1, 2].map((k) => (1 - share) * this.positions[here + k] + share * this.positions[next + k]);
  }

  /** Unit quaternion [w, x, y, z] of a body's frame at a time. */
  quaternion(body, time) {
    const [frame, share] = this.locate(time);
    const here = 4 * (frame * this.bodies + body);
    const next = share ? here + 4 * this.bodies : here;
    const q = this.quaternions;
    const same =
      q[here] * q[next] + q[here + 1] * q[next + 1] + q[here + 2] * q[next + 2] + q[here + 3] * q[next + 3];
    const sign = same < 0 ? -share : share;
    const mixed = [0, 1, 2, 3].map((k) => (1 - share) * q[here + k] + sign * q[next + k]);
    const length = Math.hypot(...mixed) || 1;
    return mixed.map((value) => value / length);
  }

  /** World place of a point of a body's frame at a time. */
  carried(body, local, time) {
    const place = this.position(body, time);
    return turned(this.quaternion(body, time), local).map((value, k) => value + place[k]);
  }
}

/** Vector turned by a unit quaternion [w, x, y, z]. */
export function turned([w, x, y, z], [a, b, c]) {
  const u = [y * c - z * b, z * a - x * c, x * b - y * a];
  return [
    a + 2 * (w * u[0] + y * u[2] - z * u[1]),
    b + 2 * (w * u[1] + z * u[0] - x * u[2]),
    c + 2 * (w * u[2] + x * u[1] - y * u[0]),
  ];
}
