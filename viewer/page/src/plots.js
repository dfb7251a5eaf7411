// Curves over time on a canvas, with a playhead; a click goes to its time.
import { rounded, ticks } from "./ticks.js";

const MARGIN = { left: 58, right: 12, top: 24, bottom: 30 };
export const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

export class Plot {
  /** curves: [{label, times, values}] of one quantity with its unit. */
  constructor(title, unit, curves, clock) {
    Object.assign(this, { title, unit, curves, clock });
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
    let k = 0;
    while (k + 1 < times.length && times[k + 1] <= time) k++;
    return values[k];
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
    if (canvas.width !== width * density)
      Object.assign(canvas, { width: width * density, height: height * density });
    const pen = canvas.getContext("2d");
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(canvas);
    const [low, high] = this.range;
    const { start, end } = this.clock;
    const x = (t) => MARGIN.left + ((t - start) / (end - start || 1)) * (width - MARGIN.left - MARGIN.right);
    const y = (v) =>
      height - MARGIN.bottom - ((v - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    this._axes(pen, style.color, x, y, width, height);
    for (const [k, curve] of this.curves.entries()) this._curve(pen, COLORS[k % COLORS.length], curve, x, y);
    pen.strokeStyle = style.color;
    pen.beginPath();
    pen.moveTo(x(time), MARGIN.top);
    pen.lineTo(x(time), height - MARGIN.bottom);
    pen.stroke();
    const now = this.curves.map((curve) => rounded(Plot.valueAt(curve, time))).join(", ");
    const label = `${this.title}: ${now} ${this.unit} at ${time.toFixed(3)} s`;
    pen.fillStyle = style.color;
    pen.textAlign = "left";
    pen.fillText(label, MARGIN.left, 14);
    canvas.setAttribute("aria-label", label);
  }

  _axes(pen, color, x, y, width, height) {
    pen.font = "12px sans-serif";
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

  _curve(pen, color, { times, values }, x, y) {
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let k = 0; k < times.length; k++) pen.lineTo(x(times[k]), y(values[k]));
    pen.stroke();
    pen.lineWidth = 1;
  }
}
