// The page of a case: reads the case from the page, builds the stage and the panels, and keeps them in step.
import * as THREE from "three";
import { animatedText } from "./animated.js";
import { Backdrop } from "./backdrop.js";
import { Views } from "./cameras.js";
import { Clock } from "./clock.js";
import { decoded } from "./decode.js";
import { button, byId, checkbox, element, select } from "./dom.js";
import { alteration } from "./integrity.js";
import { keyTable, listenToKeys } from "./keys.js";
import { Live } from "./live.js";
import { Measuring } from "./measuring.js";
import { joined, Motion } from "./motion.js";
import {
  aboutRuns,
  bodyLabel,
  CurvePanel,
  contactTable,
  inputTable,
  keyList,
  measureTables,
} from "./panels.js";
import { geometryOf, Stage } from "./stage.js";

const SPEEDS = [1, 0.5, 0.25, 0.1, 0.05, 0.01];
const LAYERS = [
  ["skin", "Surface"],
  ["ellipsoids", "Contact ellipsoids"],
  ["bones", "Lines between joined bodies"],
  ["connections", "Belts, springs, welds"],
  ["muscles", "Muscles"],
  ["ghosts", "Ghosts of earlier and later"],
  ["sweep", "Ghosts of the sweep"],
  ["paths", "Paths"],
  ["forces", "Contact forces"],
  ["contacts", "Contact marks"],
  ["ground", "Ground and obstacles"],
];

/** Where the bodies of a run, or of a ghost, are. */
async function motionOf(entry, count, array) {
  const names = ["times", "positions", "quaternions"];
  return new Motion(...(await Promise.all(names.map((name) => array(entry[name])))), count);
}

/** A run with its arrays in place of the numbers of their blocks. */
async function opened(run, array) {
  const count = run.bodies.length;
  const [speed, acceleration, forces, activation] = await Promise.all(
    ["speed", "acceleration", "forces", "activation"].map((name) =>
      run[name] === undefined ? undefined : array(run[name]),
    ),
  );
  const motion = await motionOf(run, count, array);
  const ghostMotions = await Promise.all(run.ghosts.map((ghost) => motionOf(ghost, count, array)));
  const skins = await Promise.all(
    run.skins.map(async (skin) => ({
      ...skin,
      indices: await array(skin.indices),
      weights: await array(skin.weights),
    })),
  );
  const made = { ...run, forces, skins, motion, ghostMotions };
  const columns = { speed, acceleration, force: resultants(forces), activation };
  made.activation = activation && ((time) => rowAt(motion, columns.activation, time));
  made.curve = (key, body) => made.motion.times.map((_, frame) => columns[key][frame * count + body]);
  made.grow = (more) => {
    made.motion.grow(more);
    made.forces = joined(made.forces, more.forces);
    columns.speed = joined(columns.speed, more.speed);
    columns.acceleration = joined(columns.acceleration, more.acceleration);
    columns.force = joined(columns.force, resultants(more.forces));
    if (more.activation) columns.activation = joined(columns.activation, more.activation);
  };
  return made;
}

/** The row of a table over time that stands at or before a time. */
function rowAt(motion, values, time) {
  const width = values.length / motion.times.length;
  const [frame] = motion.locate(time);
  return values.subarray(frame * width, (frame + 1) * width);
}

const resultants = (vectors) =>
  Float32Array.from({ length: vectors.length / 3 }, (_, i) =>
    Math.hypot(...vectors.subarray(3 * i, 3 * i + 3)),
  );

class Page {
  constructor(file, runs, meshes) {
    this.file = file;
    this.runs = runs;
    this.motions = runs.map(({ motion }) => motion);
    this.clock = new Clock(
      Math.min(...this.motions.map(({ start }) => start)),
      Math.max(...this.motions.map(({ end }) => end)),
    );
    this.canvas = byId("view");
    this.dirty = true;
    this.layout = runs.length > 1 ? "beside" : "0";
    this._texts();
    this._controls();
    this.curves = new CurvePanel(runs, this.motions, this.clock);
    this.measuring = new Measuring(byId("labels"));
    if (this._startDrawing()) this._threeDimensions(meshes);
    this.clock.listen((time) => this._show(time));
    this.clock.go(this.clock.start);
    listenToKeys(this);
    this._loop();
    if (file.live) this._follow();
  }

  _follow() {
    const [run] = this.runs;
    const live = new Live(this.clock, run.motion.times.length, (more) => {
      run.grow(more);
      if (this.views) this.views.measure();
      this.curves.choose(this.curves.body);
    });
    this.clock.speed = 1;
    this.clock.go(this.clock.end);
    live.follow();
  }

  _texts() {
    byId("case").textContent = this.file.title;
    byId("identity").textContent = this.runs.map(({ run_id }) => `run ${run_id}`).join(", ");
    byId("stamp").textContent = [
      this.file.title,
      ...this.runs.map(({ run_id, digest }) =>
        /^[0-9a-f]{64}$/.test(digest) ? `run ${run_id}, SHA-256 ${digest.slice(0, 12)}…` : `run ${run_id}`,
      ),
    ].join(" · ");
    byId("about").append(...aboutRuns(this.runs), keyList(keyTable(this)));
    for (const run of this.runs) {
      const title = () => (this.runs.length > 1 ? [element("h3", {}, run.label)] : []);
      byId("contacts").append(...title(), contactTable(run, this.clock));
      byId("measures").append(...title(), ...measureTables(run));
      byId("inputs").append(...title(), inputTable(run));
    }
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const [k, tab] of tabs.entries()) {
      tab.addEventListener("click", () => this._tab(tab));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
        if (!step) return;
        event.stopPropagation();
        this._tab(tabs[(k + step) % tabs.length]);
        tabs[(k + step) % tabs.length].focus();
      });
    }
    this._tab(byId("tab-about"));
  }

  _tab(chosen) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
    if (this.curves) this.curves.draw(this.clock.time);
  }

  _controls() {
    const { clock } = this;
    this.play = button("▶", "Play or pause (space)", () => clock.toggle());
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: 10000,
      value: 0,
      step: 1,
      "aria-label": "Time",
    });
    this.slider.addEventListener("input", () => {
      clock.playing = false;
      clock.go(clock.start + (this.slider.value / 10000) * (clock.end - clock.start));
    });
    const speeds = SPEEDS.map((speed) => [String(speed), speed === 1 ? "real time" : `${speed} ×`]);
    byId("player").append(
      button("|◀", "To the start (Home)", () => clock.go(clock.start)),
      button("−1 ms", "Back by a millisecond (left arrow)", () => clock.step(-0.001)),
      this.play,
      button("+1 ms", "On by a millisecond (right arrow)", () => clock.step(0.001)),
      this.slider,
      select("Speed", speeds, String(clock.speed), (value) => {
        clock.speed = Number(value);
      }),
    );
  }

  /** Whether the browser can draw in three dimensions; where it cannot, the page says so. */
  _startDrawing() {
    try {
      this.renderer = new THREE.WebGLRenderer({
        canvas: this.canvas,
        antialias: true,
        alpha: true,
        preserveDrawingBuffer: true,
      });
    } catch (error) {
      this._withoutWebGL(error);
    }
    return Boolean(this.renderer);
  }

  _threeDimensions(meshes) {
    this.renderer.shadowMap.enabled = true;
    this.renderer.autoClear = false;
    const geometries = meshes.map(geometryOf);
    this.stages = this.runs.map((run) => new Stage(run, geometries, run.motion));
    this.backdrop = new Backdrop();
    const { cameras } = this.file;
    this.views = new Views(this.canvas, this.runs, this.motions, this.clock, cameras, () => this._leave());
    this.stages[0].scene.add(this.measuring.group);
    this._options();
    this._dress(this.isDark);
    this._resize();
    new ResizeObserver(() => this._resize()).observe(this.canvas.parentElement);
    this.views.controls.addEventListener("change", () => this.redraw());
    this.view(this.views.first);
    this.canvas.addEventListener("pointerdown", (event) => {
      this.pressed = [event.clientX, event.clientY];
    });
    this.canvas.addEventListener("pointerup", (event) => this._click(event));
  }

  _options() {
    const { layers } = this.stages[0];
    const offered = LAYERS.filter(([name]) => this._has(name));
    const boxes = offered.map(([name, label]) =>
      checkbox(label, layers[name].visible, (visible) => {
        for (const stage of this.stages) stage.show({ [name]: visible });
        this._show(this.clock.time);
      }),
    );
    this.viewSelect = select(
      "Camera",
      this.views.names.map((name) => [name, name]),
      this.views.first,
      (name) => this.view(name),
    );
    this.measureButton = button(
      "Measure",
      "Measure: click two points; a third with Shift for the angle (M)",
      () => this.measure(),
    );
    byId("options").append(
      this.viewSelect,
      ...this._layouts(),
      this.measureButton,
      button("Clear", "Remove all measurements", () => {
        this.measuring.clear();
        this.redraw();
      }),
      button("Print", "Print what is seen, with the tables", () => this._print()),
      button("Full screen", "Full screen (F)", () => this.fullScreen()),
      button("Light / dark", "Change between light and dark", () => this._dress(!this.isDark)),
      element("details", { class: "menu" }, element("summary", {}, "Show"), element("div", {}, ...boxes)),
    );
  }

  /** Whether there is something of a layer in any run. */
  _has(name) {
    const made = { sweep: "ghosts", contacts: "contacts" }[name];
    if (made) return this.runs.some((run) => run[made].length);
    return this.stages.some(({ lines }) => !lines[name] || lines[name].length);
  }

  _layouts() {
    if (this.runs.length < 2) return [];
    const options = [
      ["beside", "Side by side"],
      ["over", "Over each other"],
      ...this.runs.map((run, k) => [String(k), `Only ${run.label}`]),
    ];
    return [select("Runs that are shown", options, this.layout, (value) => this._arrange(value))];
  }

  _arrange(layout) {
    this.layout = layout;
    this._resize();
  }

  get isDark() {
    return document.body.classList.contains("dark");
  }

  _dress(dark) {
    document.body.classList.toggle("dark", dark);
    for (const stage of this.stages ?? []) stage.darken(dark);
    this.curves.dress(dark);
    this.redraw();
  }

  /** Have the picture drawn again: nothing is drawn while nothing changes. */
  redraw() {
    this.dirty = true;
  }

  /** Take a view by its name. */
  view(name) {
    this.given = this.views.take(name);
    this.viewSelect.value = name;
    this._arrangeBackdrop();
  }

  /** Somebody has turned away from a camera of the case: its photograph no longer fits. */
  _leave() {
    this.given = undefined;
    this._arrangeBackdrop();
  }

  _arrangeBackdrop() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    const panes = this.layout === "over" ? [[0, 1]] : this._panes().map(([, left, share]) => [left, share]);
    this.backdrop.arrange(this.given, panes, width, height);
    this._showBackdrop(this.clock.time);
  }

  _showBackdrop(time) {
    const shown = this.backdrop.at(time);
    for (const stage of this.stages) stage.standBefore(shown);
    this.redraw();
  }

  /** Begin or end measuring. */
  measure() {
    this.measuring.active = !this.measuring.active;
    this.measureButton.setAttribute("aria-pressed", String(this.measuring.active));
    this.canvas.classList.toggle("measuring", this.measuring.active);
  }

  _print() {
    byId("still").src = this.canvas.toDataURL("image/png");
    byId("still-caption").textContent = [byId("mark").textContent, byId("animated").textContent]
      .filter(Boolean)
      .join(" · ");
    byId("still")
      .decode()
      .then(() => window.print());
  }

  /** Enter or leave full screen. */
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else byId("stage").requestFullscreen();
  }

  /** Runs that are drawn, each with its share of the width: [run, left, width]. */
  _panes() {
    const all = this.runs.map((_, k) => k);
    if (this.layout === "beside") return all.map((k) => [k, k / all.length, 1 / all.length]);
    if (this.layout === "over") return all.map((k) => [k, 0, 1]);
    return [[Number(this.layout), 0, 1]];
  }

  _resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    const shape = [width, height, this.layout, window.devicePixelRatio].join();
    if (shape === this.shape) return; // the browser reports a size once without a change
    this.shape = shape;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.views.resize(width * this._panes()[0][2], height);
    this._arrangeBackdrop();
    byId("captions").replaceChildren(
      ...this._captions().map(([text, left, share]) => {
        const caption = element("span", {}, text);
        caption.style.left = `${100 * (left + 0.5 * share)}%`;
        return caption;
      }),
    );
  }

  /** What stands above the picture: [text, left, width]. */
  _captions() {
    if (this.runs.length < 2) return [];
    if (this.layout === "over") return [[this.runs.map(({ label }) => label).join(" and "), 0, 1]];
    return this._panes().map(([k, left, share]) => [this.runs[k].label, left, share]);
  }

  _hit(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const [run, left, share] = this._panes().find(([, start, width]) => x >= start && x < start + width) ?? [
      0, 0, 1,
    ];
    const pointer = new THREE.Vector2(
      2 * ((x - left) / share) - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(pointer, this.views.camera);
    const stage = this.stages[run];
    const hit = ray.intersectObjects(stage.surfaces, true).find(({ object }) => object.isMesh);
    return hit && { point: hit.point, body: stage.bodyOf(hit.object) };
  }

  _click(event) {
    const [x, y] = this.pressed ?? [event.clientX, event.clientY];
    if (Math.hypot(event.clientX - x, event.clientY - y) > 4) return;
    const hit = this._hit(event);
    if (hit && this.measuring.active) {
      this.measuring.add(hit.point, event.shiftKey);
      this.redraw();
    } else if (hit && hit.body >= 0) {
      this.curves.choose(hit.body);
      this._tab(byId("tab-curves"));
    }
  }

  _show(time) {
    if (this.stages) for (const stage of this.stages) stage.at(time);
    if (this.views) {
      this.views.follow();
      this._showBackdrop(time);
    }
    this.curves.draw(time);
    this.redraw();
    const animated = animatedText(
      this._panes().map(([k]) => this.runs[k]),
      time,
    );
    if (byId("animated").textContent !== animated) byId("animated").textContent = animated;
    const { start, end, playing } = this.clock;
    this.slider.value = String(Math.round((10000 * (time - start)) / (end - start || 1)));
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(3)} seconds`);
    byId("time").textContent = `${time.toFixed(3)} s`;
    this.play.textContent = playing ? "⏸" : "▶";
  }

  _loop() {
    let before = performance.now();
    const turn = (now) => {
      this.clock.pass((now - before) / 1000);
      before = now;
      if (this.views) this._render();
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  _render() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.views.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    for (const [k, left, share] of this._panes()) {
      this.renderer.setViewport(left * width, 0, share * width, height);
      this.renderer.setScissor(left * width, 0, share * width, height);
      this.stages[k].light(this.views.controls.target, this.views.distance);
      this.renderer.render(this.stages[k].scene, this.views.camera);
    }
    this.measuring.arrange(this.views.camera, width * this._panes()[0][2], height);
  }

  _withoutWebGL(error) {
    const text =
      "This browser cannot draw in three dimensions here (WebGL is off or missing), so only tables and curves are shown. " +
      "Open the file in a current Firefox, Chrome, Edge or Safari.";
    document.body.classList.add("flat");
    byId("message").append(
      element("p", { role: "alert" }, text, element("small", {}, String(error.message ?? error))),
    );
  }
}

/** For tests and for people at the console: where things are, as the page draws them. */
function openness(page) {
  const run = page.runs[0];
  const names = run.bodies.map((_, body) => bodyLabel(run, body));
  return {
    names,
    time: () => page.clock.time,
    go: (time) => page.clock.go(time),
    view: (name) => page.view(name),
    camera: () => page.views.camera.position.toArray(),
    target: () => page.views.controls.target.toArray(),
    position(name) {
      const holder = page.stages[0].bodies[names.indexOf(name)].skin;
      holder.updateWorldMatrix(true, false);
      return new THREE.Vector3().setFromMatrixPosition(holder.matrixWorld).toArray();
    },
    /** Pixel of the view where a body's frame is seen. */
    screen(name) {
      const { clientWidth, clientHeight } = page.canvas;
      const { x, y } = new THREE.Vector3(...this.position(name)).project(page.views.camera);
      return [0.5 * (1 + x) * clientWidth, 0.5 * (1 - y) * clientHeight];
    },
    /** Place of a ghost's body at the present time. */
    ghost: (number, name) => run.ghostMotions[number].position(names.indexOf(name), page.clock.time),
    /** Ends of the first rod of a belt, spring, weld or muscle at the present time. */
    connection(name) {
      for (const rods of page.stages[0].rods) {
        const piece = rods.pieces.find(({ line }) => line.name === name);
        if (piece) return [piece.start, piece.end].map((end) => rods.place(end, page.clock.time).toArray());
      }
      return undefined;
    },
    curve: (key, name) => Array.from(run.curve(key, names.indexOf(name))),
    triangles: () => page.renderer.info.render.triangles,
    /** How many times the picture was drawn. */
    pictures: () => page.renderer.info.render.frame,
  };
}

async function start() {
  if (matchMedia("(prefers-color-scheme: dark)").matches) document.body.classList.add("dark");
  const text = byId("data").textContent;
  const altered = await alteration(text, document.querySelector("meta[name=data-sha256]").content);
  if (altered) byId("message").append(element("p", { role: "alert" }, altered));
  const file = JSON.parse(text);
  const arrays = new Map();
  const array = (number) => {
    if (!arrays.has(number)) arrays.set(number, decoded(file.blocks[number]));
    return arrays.get(number);
  };
  const meshes = await Promise.all(
    file.meshes.map(async ({ points, triangles, normals }) => ({
      points: await array(points),
      triangles: await array(triangles),
      normals: normals === undefined ? undefined : await array(normals),
    })),
  );
  const runs = await Promise.all(file.runs.map((run) => opened(run, array)));
  window.mannequin = openness(new Page(file, runs, meshes));
  document.body.dataset.ready = "true";
}

start().catch((error) => {
  byId("message").append(
    element("p", { role: "alert" }, `This page cannot be shown: ${error.message ?? error}`),
  );
  throw error;
});
