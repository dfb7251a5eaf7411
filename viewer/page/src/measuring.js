// Distances and angles between points that are clicked: two points a length, a third one the angle at the second.
import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { element } from "./dom.js";
import { rounded } from "./ticks.js";

export class Measuring {
  constructor(labels) {
    Object.assign(this, { labels, active: false, points: [], drawn: [] });
    this.group = new THREE.Group();
  }

  /** Text of a measurement. */
  static text(points) {
    const metres = points[0].distanceTo(points[1]);
    const length = metres < 1 ? `${rounded(1000 * metres)} mm` : `${rounded(metres)} m`;
    if (points.length < 3) return length;
    const [one, other] = [points[0], points[2]].map((point) => point.clone().sub(points[1]));
    return `${rounded((one.angleTo(other) * 180) / Math.PI)}°`;
  }

  /** Take a point that was clicked; `more` continues to an angle. */
  add(point, more) {
    if (this.points.length === 2 && more) {
      this._draw([...this.points, point]);
      this.points = [];
      return;
    }
    if (this.points.length === 2) this.points = [];
    this.points.push(point);
    if (this.points.length === 2) this._draw(this.points);
  }

  /** Take everything away. */
  clear() {
    for (const { label, line } of this.drawn) {
      label.remove();
      this.group.remove(line);
    }
    this.drawn = [];
    this.points = [];
  }

  _draw(points) {
    const geometry = new LineGeometry().setPositions(points.flatMap((point) => point.toArray()));
    const line = new Line2(geometry, new LineMaterial({ color: 0xcc2b2b, linewidth: 3, depthTest: false }));
    line.renderOrder = 3;
    this.group.add(line);
    const label = element("span", { class: "measurement" }, Measuring.text(points));
    this.labels.append(label);
    const place = points.length === 3 ? points[1] : points[0].clone().lerp(points[1], 0.5);
    this.drawn.push({ label, line, place });
  }

  /** Put the labels where their lines are seen. */
  arrange(camera, width, height) {
    for (const { label, place } of this.drawn) {
      const seen = place.clone().project(camera);
      label.hidden = seen.z > 1;
      label.style.left = `${(0.5 + 0.5 * seen.x) * width}px`;
      label.style.top = `${(0.5 - 0.5 * seen.y) * height}px`;
    }
  }
}
