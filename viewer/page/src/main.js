// The page of a case: reads the case from the page, builds the stage and the panels, and keeps them in step.
import * as THREE from "three";
import { Views } from "./cameras.js";
import { Clock } from "./clock.js";
import { decoded } from "./decode.js";
import { button, byId, checkbox, element, select } from "./dom.js";
import { Live } from "./live.js";
import { Measuring } from "./measuring.js";
import { joined, Motion } from "./motion.js";
import { aboutRuns, bodyLabel, CurvePanel, contactTable, inputTable, measureTables } from "./panels.js";
import { geometryOf, Stage } from "./stage.js";

const SPEEDS = [1, 0.5, 0.25, 0.1, 0.05, 0.01];
const LAYERS = [
  ["skin", "Surface"],
  ["ellipsoids", "Contact ellipsoids"],
  ["bones", "Lines between joined bodies"],
  ["ghosts", "Ghosts"],
  ["paths", "Paths"],
  ["forces", "Contact forces"],
  ["contacts", "Contact marks"],
  ["ground", "Ground and obstacles"],
];

/** A run with its arrays in place of the numbers of their blocks. */
async function opened(run, array) {
  const count = run.bodies.length;
  const [times, positions, quaternions, speed, acceleration, forces] = await Promise.all(
    ["times", "positions", "quaternions", "speed", "acceleration", "forces"].map((name) => array(run[name])),
  );
  const skins = await Promise.all(
    run.skins.map(async (skin) => ({
      ...skin,
      indices: await array(skin.indices),
      weights: await array(skin.weights),
    })),
  );
  const made = { ...run, forces, skins, motion: new Motion(times, positions, quaternions, count) };
  const columns = { speed, acceleration, force: resultants(forces) };
  made.curve = (key, body) => made.motion.times.map((_, frame) => columns[key][frame * count + body]);
  made.grow = (more) => {
    made.motion.grow(more);
    made.forces = joined(made.forces, more.forces);
    columns.speed = joined(columns.speed, more.speed);
    columns.acceleration = joined(columns.acceleration, more.acceleration);
    columns.force = joined(columns.force, resultants(more.forces));
  };
  return made;
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
    this.layout = runs.length > 1 ? "beside" : "0";
    this._texts();
    this._controls();
    this.curves = new CurvePanel(runs, this.motions, this.clock);
    this.measuring = new Measuring(byId("labels"));
    try {
      this._threeDimensions(meshes);
    } catch (error) {
      this._withoutWebGL(error);
    }
    this.clock.listen((time) => this._show(time));
    this.clock.go(this.clock.start);
    this._keys();
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
    byId("about").append(...aboutRuns(this.runs));
    for (const run of this.runs) {
      const title = () => (this.runs.length > 1 ? [element("h3", {}, run.label)] : []);
      byId("contacts").append(...title(), contactTable(run, this.clock));
      byId("measures").append(...title(), ...measureTables(run));
      byId("inputs").append(...title(), inputTable(run));
    }
    for (const tab of document.querySelectorAll("[role=tab]"))
      tab.addEventListener("click", () => this._tab(tab));
    this._tab(byId("tab-about"));
  }

  _tab(chosen) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab === chosen));
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

  _threeDimensions(meshes) {
    this.renderer = new THREE.WebGLRenderer({
      canvas: this.canvas,
      antialias: true,
      alpha: true,
      preserveDrawingBuffer: true,
    });
    this.renderer.shadowMap.enabled = true;
    this.renderer.autoClear = false;
    const geometries = meshes.map(geometryOf);
    this.stages = this.runs.map((run) => new Stage(run, geometries, run.motion));
    this.views = new Views(this.canvas, this.runs, this.motions, this.clock, this.file.cameras);
    this.stages[0].scene.add(this.measuring.group);
    this._options();
    this._resize();
    new ResizeObserver(() => this._resize()).observe(this.canvas.parentElement);
    this._view("Overview");
    this.canvas.addEventListener("pointerdown", (event) => {
      this.pressed = [event.clientX, event.clientY];
    });
    this.canvas.addEventListener("pointerup", (event) => this._click(event));
  }

  _options() {
    const { layers } = this.stages[0];
    const boxes = LAYERS.map(([name, label]) =>
      checkbox(label, layers[name].visible, (visible) => {
        for (const stage of this.stages) stage.show({ [name]: visible });
        this._show(this.clock.time);
      }),
    );
    this.viewSelect = select(
      "Camera",
      this.views.names.map((name) => [name, name]),
      "Overview",
      (name) => this._view(name),
    );
    this.measureButton = button(
      "Measure",
      "Measure: click two points; a third with Shift for the angle (M)",
      () => this._measure(),
    );
    byId("options").append(
      this.viewSelect,
      ...this._layouts(),
      this.measureButton,
      button("Clear", "Remove all measurements", () => this.measuring.clear()),
      button("Print", "Print what is seen, with the tables", () => this._print()),
      button("Full screen", "Full screen (F)", () => this._fullScreen()),
      button("Light / dark", "Change between light and dark", () => document.body.classList.toggle("dark")),
      element("details", {}, element("summary", {}, "Show"), ...boxes),
    );
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

  _view(name) {
    const picture = this.views.take(name);
    byId("picture").hidden = !picture;
    if (picture) byId("picture").src = picture;
    this.viewSelect.value = name;
  }

  _measure() {
    this.measuring.active = !this.measuring.active;
    this.measureButton.setAttribute("aria-pressed", String(this.measuring.active));
    this.canvas.classList.toggle("measuring", this.measuring.active);
  }

  _print() {
    byId("still").src = this.canvas.toDataURL("image/png");
    byId("still")
      .decode()
      .then(() => window.print());
  }

  _fullScreen() {
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
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.views.resize((width * this._panes()[0][2]) / Math.max(1, height));
    byId("captions").replaceChildren(
      ...this._panes().map(([k, left, share]) => {
        const caption = element("span", {}, this.runs.length > 1 ? this.runs[k].label : "");
        caption.style.left = `${100 * left}%`;
        caption.style.width = `${100 * share}%`;
        return caption;
      }),
    );
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
    if (hit && this.measuring.active) this.measuring.add(hit.point, event.shiftKey);
    else if (hit && hit.body >= 0) {
      this.curves.choose(hit.body);
      this._tab(byId("tab-curves"));
    }
  }

  _show(time) {
    if (this.stages) for (const stage of this.stages) stage.at(time);
    if (this.views) this.views.follow();
    this.curves.draw(time);
    const { start, end, playing } = this.clock;
    this.slider.value = String(Math.round((10000 * (time - start)) / (end - start || 1)));
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(3)} seconds`);
    byId("time").textContent = `${time.toFixed(3)} s`;
    this.play.textContent = playing ? "⏸" : "▶";
  }

  _keys() {
    const keys = {
      " ": () => this.clock.toggle(),
      ArrowLeft: (shift) => this.clock.step(shift ? -0.01 : -0.001),
      ArrowRight: (shift) => this.clock.step(shift ? 0.01 : 0.001),
      Home: () => this.clock.go(this.clock.start),
      End: () => this.clock.go(this.clock.end),
      f: () => this._fullScreen(),
      m: () => this._measure(),
    };
    document.addEventListener("keydown", (event) => {
      if (/^(INPUT|SELECT|TEXTAREA|BUTTON|TR)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey)
        return;
      const number = Number(event.key);
      if (this.views && number >= 1 && number <= this.views.names.length)
        this._view(this.views.names[number - 1]);
      else if (keys[event.key]) keys[event.key](event.shiftKey);
      else return;
      event.preventDefault();
    });
  }

  _loop() {
    let before = performance.now();
    const turn = (now) => {
      this.clock.pass((now - before) / 1000);
      before = now;
      if (this.renderer) this._render();
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  _render() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.views.controls.update();
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    for (const [k, left, share] of this._panes()) {
      this.renderer.setViewport(left * width, 0, share * width, height);
      this.renderer.setScissor(left * width, 0, share * width, height);
      this.renderer.render(this.stages[k].scene, this.views.camera);
    }
    this.measuring.arrange(this.views.camera, width * this._panes()[0][2], height);
  }

  _withoutWebGL(error) {
    const text =
      "This browser cannot draw in three dimensions here (WebGL is off or missing), so only tables and curves are shown. " +
      "Open the file in a current Firefox, Chrome, Edge or Safari.";
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
    view: (name) => page._view(name),
    position(name) {
      const holder = page.stages[0].bodies[names.indexOf(name)].skin;
      holder.updateWorldMatrix(true, false);
      return new THREE.Vector3().setFromMatrixPosition(holder.matrixWorld).toArray();
    },
    curve: (key, name) => Array.from(run.curve(key, names.indexOf(name))),
    triangles: () => page.renderer.info.render.triangles,
  };
}

async function start() {
  const file = JSON.parse(byId("data").textContent);
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
