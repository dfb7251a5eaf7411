// Curves over time on a canvas, with a playhead; a click goes to its time.
import { rounded, ticks } from "./ticks.js";

const MARGIN = { left: 58, right: 12, top: 24, bottom: 30 };
export const COLORS = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7"],
  dark: ["#56b4e9", "#e69f00", "#2bd4a5", "#e3a3c5"],
};
export const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const FONT = '12px "Helvetica Neue", Arial, "Liberation Sans", sans-serif';

export class Plot {
  /** curves: [{label, times, values}] of one quantity with its unit. */
  constructor(title, unit, curves, clock, colors) {
    Object.assign(this, { title, unit, curves, clock, colors });
    this.canvas = document.createElement("canvas");
    this.canvas.className = "plot";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.addEventListener("click", (event) => clock.go(this._timeAt(event.offsetX)));
    this.range = this._range();
  }

  _range() {
    let [low, high] = [0, 0];
    for (const { values } of this.curves) {
      for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    return high > low ? [low, high] : [0, 1];
  }

  /** Value of a curve at the frame at or before a time. */
  static valueAt({ times, values }, time) {
    let [low, high] = [0, times.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return values[low];
  }

  _timeAt(x) {
    const { start, end } = this.clock;
    const share = (x - MARGIN.left) / (this.canvas.clientWidth - MARGIN.left - MARGIN.right);
    return start + share * (end - start);
  }

  draw(time) {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    const density = window.devicePixelRatio || 1;
    const { color } = getComputedStyle(canvas);
    const { start, end } = this.clock;
    const x = (t) => MARGIN.left + ((t - start) / (end - start || 1)) * (width - MARGIN.left - MARGIN.right);
    const still = this._still(width, height, density, color, x);
    if (canvas.width !== still.width) Object.assign(canvas, { width: still.width, height: still.height });
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(still, 0, 0);
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.strokeStyle = pen.fillStyle = color;
    pen.beginPath();
    pen.moveTo(x(time), MARGIN.top);
    pen.lineTo(x(time), height - MARGIN.bottom);
    pen.stroke();
    this._caption(pen, time);
  }

  /** Name, and the values at a time in the colours of their curves. */
  _caption(pen, time) {
    const values = this.curves.map((curve) => rounded(Plot.valueAt(curve, time)));
    const label = `${this.title}: ${values.join(", ")} ${this.unit} at ${time.toFixed(3)} s`;
    pen.font = FONT;
    pen.textAlign = "left";
    pen.fillText(label, MARGIN.left, 14);
    const named = this.curves.map(({ label: name }, k) => (name ? `${name}: ${values[k]}` : values[k]));
    this.canvas.setAttribute("aria-label", `${this.title} in ${this.unit} at ${time.toFixed(3)} s: ${named}`);
  }

  /** What does not move with the time, drawn again only where it changed. */
  _still(width, height, density, color, x) {
    const key = [width, height, density, color, this.clock.start, this.clock.end].join();
    if (this.key === key) return this.still;
    this.key = key;
    this.still = document.createElement("canvas");
    Object.assign(this.still, { width: width * density, height: height * density });
    const pen = this.still.getContext("2d");
    pen.setTransform(density, 0, 0, density, 0, 0);
    const [low, high] = this.range;
    const y = (v) =>
      height - MARGIN.bottom - ((v - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    this._axes(pen, color, x, y, width, height);
    for (const [k, curve] of this.curves.entries()) this._curve(pen, k, curve, x, y);
    return this.still;
  }

  _axes(pen, color, x, y, width, height) {
    pen.font = FONT;
    pen.strokeStyle = "rgba(128,128,128,0.35)";
    pen.fillStyle = color;
    const along = ticks(this.clock.start, this.clock.end, Math.max(2, width / 90));
    const up = ticks(...this.range, 4);
    pen.beginPath();
    pen.textAlign = "center";
    for (const value of along.values) {
      pen.moveTo(x(value), MARGIN.top);
      pen.lineTo(x(value), height - MARGIN.bottom);
      pen.fillText(`${value.toFixed(along.decimals)}`, x(value), height - MARGIN.bottom + 14);
    }
    pen.fillText("s", width - MARGIN.right - 2, height - 4);
    pen.textAlign = "right";
    for (const value of up.values) {
      pen.moveTo(MARGIN.left, y(value));
      pen.lineTo(width - MARGIN.right, y(value));
      pen.fillText(value.toFixed(up.decimals), MARGIN.left - 6, y(value) + 4);
    }
    pen.stroke();
  }

  _curve(pen, number, { times, values }, x, y) {
    pen.strokeStyle = this.colors[number % this.colors.length];
    pen.setLineDash(DASHES[number % DASHES.length]);
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let k = 0; k < times.length; k++) pen.lineTo(x(times[k]), y(values[k]));
    pen.stroke();
    pen.setLineDash([]);
    pen.lineWidth = 1;
  }
}
