// The side of the page: what the run is, its contacts, measures, inputs, and curves of the chosen body.
import { byId, element, select, table } from "./dom.js";
import { COLORS, DASHES, Plot } from "./plots.js";
import { rounded } from "./ticks.js";

const QUANTITIES = [
  ["speed", "Speed", "m/s"],
  ["acceleration", "Acceleration", "g"],
  ["force", "Contact force", "N"],
];

/** "actor / body" of a body. */
export const bodyLabel = (run, body) =>
  `${run.actors[run.bodies[body].actor].name} / ${run.bodies[body].name}`;

/** What each run is: name, identity, status. */
export function aboutRuns(runs) {
  const parts = runs.flatMap((run) => [
    element("h3", {}, run.label),
    element("p", {}, run.description),
    table(
      ["", ""],
      [
        ["run", run.run],
        ["run id", run.run_id],
        [`SHA-256 of the ${run.digest_of}`, run.digest],
        ["computed", run.started],
        ["program", run.program],
        ["status", run.status],
        ["motion in this page", run.sampling],
      ]
        .filter(([, value]) => value)
        .map(([name, value]) => ({ cells: [name, value] })),
    ),
    ...remarks("Animated, not simulated", run.animated.map(animatedRange)),
    ...remarks(
      "Ghosts",
      run.ghosts.map(({ label, status }) => `${label} (${status})`),
    ),
    ...(run.warnings.length ? [element("h4", {}, "Warnings and notes")] : []),
    ...run.warnings.map((text) => element("p", { class: "warning" }, text)),
  ]);
  return parts;
}

const animatedRange = ({ from, to, what }) => `${what}: ${from.toFixed(3)} s to ${to.toFixed(3)} s`;

/** A heading with a list below it; nothing for an empty one. */
function remarks(title, texts) {
  if (!texts.length) return [];
  return [element("h4", {}, title), element("ul", {}, ...texts.map((text) => element("li", {}, text)))];
}

/** What keys do. */
export const keyList = (rows) =>
  element(
    "details",
    { class: "keys" },
    element("summary", {}, "Keys"),
    table(
      ["key", "what it does"],
      rows.map(([keys, action]) => ({ cells: [keys, action] })),
    ),
  );

/** The contacts of a run; a click goes to the first touch. */
export function contactTable(run, clock) {
  const rows = run.contacts.map((contact) => ({
    cells: [
      contact.start.toFixed(4),
      contact.a,
      contact.b,
      rounded(contact.approach_speed),
      rounded(contact.peak_force),
    ],
    title: "Go to this contact",
    onclick: () => {
      clock.playing = false;
      clock.go(contact.start);
    },
  }));
  if (!rows.length) return element("p", {}, "Nothing touched anything.");
  return table(["from (s)", "surface", "touches", "approach (m/s)", "peak (N)"], rows, [0, 3, 4]);
}

/** Measures by family, with definitions as tooltips. */
export function measureTables(run) {
  return run.measures.flatMap(({ family, rows }) => [
    element("h4", {}, family),
    table(
      ["measure", "of", "value"],
      rows.map(({ name, of, value, definition, notes }) => ({
        cells: [name, of, notes.length ? `${value} ⚠` : value],
        title: [definition, ...notes].join(" "),
      })),
      [2],
    ),
  ]);
}

/** Inputs with their origins; assumed ones are marked. */
export function inputTable(run) {
  return table(
    ["input", "value", "origin"],
    run.inputs.map(({ name, value, unit, origin, assumed }) => ({
      cells: [name, `${value} ${unit}`.trim(), origin],
      className: assumed ? "assumed" : undefined,
    })),
  );
}

/** Which line is of which run, where there are several. */
function legend(runs, colors) {
  if (runs.length < 2) return [];
  const entries = runs.map(({ label }, k) => {
    const sample = element("canvas", { class: "sample", width: 30, height: 8, "aria-hidden": "true" });
    const pen = sample.getContext("2d");
    pen.strokeStyle = colors[k % colors.length];
    pen.setLineDash(DASHES[k % DASHES.length]);
    pen.lineWidth = 2;
    pen.moveTo(0, 4);
    pen.lineTo(30, 4);
    pen.stroke();
    return element("span", {}, sample, label);
  });
  return [element("p", { class: "legend" }, ...entries)];
}

/** Curves of one body at a time, chosen from a list or by a click in the picture. */
export class CurvePanel {
  constructor(runs, motions, clock) {
    Object.assign(this, { runs, motions, clock, plots: [] });
    const options = runs[0].bodies.map((_, body) => [String(body), bodyLabel(runs[0], body)]);
    this.select = select("Body whose curves are shown", options, "0", (value) => this.choose(Number(value)));
    this.holder = element("div");
    this.legend = element("div");
    this.colors = COLORS.light;
    byId("curves").append(this.select, this.legend, this.holder);
    this.choose(runs[0].first_body);
    this.dress(false);
  }

  choose(body) {
    this.body = body;
    this.select.value = String(body);
    this.plots = QUANTITIES.map(([key, title, unit]) => {
      const curves = this.runs.flatMap((run, k) => {
        const same = run.bodies.findIndex(
          (_, other) => bodyLabel(run, other) === bodyLabel(this.runs[0], body),
        );
        return same < 0
          ? []
          : [{ label: run.label, times: this.motions[k].times, values: run.curve(key, same) }];
      });
      return new Plot(title, unit, curves, this.clock, this.colors);
    });
    this.holder.replaceChildren(...this.plots.map((plot) => plot.canvas));
    this.draw(this.clock.time);
  }

  /** Take the colours for a light or a dark page. */
  dress(dark) {
    this.colors = dark ? COLORS.dark : COLORS.light;
    this.legend.replaceChildren(...legend(this.runs, this.colors));
    this.choose(this.body);
  }

  draw(time) {
    for (const plot of this.plots) plot.draw(time);
  }
}
