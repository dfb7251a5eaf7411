// The side of the page: what the run is, its contacts, measures, inputs, and curves of the chosen body.
import { byId, element, select, table } from "./dom.js";
import { Plot } from "./plots.js";
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
        ["manifest SHA-256", run.digest],
        ["computed", run.started],
        ["program", run.program],
        ["status", run.status],
        ["motion in this page", run.sampling],
      ].map(([name, value]) => ({ cells: [name, value] })),
    ),
    run.warnings.length ? element("h4", {}, "Warnings and notes") : undefined,
    ...run.warnings.map((text) => element("p", { class: "warning" }, text)),
  ]);
  return parts.filter((part) => part !== undefined);
}

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

/** Curves of one body at a time, chosen from a list or by a click in the picture. */
export class CurvePanel {
  constructor(runs, motions, clock) {
    Object.assign(this, { runs, motions, clock, plots: [] });
    const options = runs[0].bodies.map((_, body) => [String(body), bodyLabel(runs[0], body)]);
    this.select = select("Body whose curves are shown", options, "0", (value) => this.choose(Number(value)));
    this.holder = element("div");
    byId("curves").append(this.select, this.holder);
    this.choose(runs[0].first_body);
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
      return new Plot(title, unit, curves, this.clock);
    });
    this.holder.replaceChildren(...this.plots.map((plot) => plot.canvas));
    this.draw(this.clock.time);
  }

  draw(time) {
    for (const plot of this.plots) plot.draw(time);
  }
}
