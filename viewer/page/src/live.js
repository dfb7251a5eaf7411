// A run that is still computed: asks its own server for what is new and adds it to the motion.
import { decoded } from "./decode.js";
import { button, byId, element } from "./dom.js";

const PAUSE = 300; // milliseconds between questions

export class Live {
  /** take(arrays): called with new times, positions, ... by name. */
  constructor(clock, next, take) {
    Object.assign(this, { clock, next, take });
    this.bar = element("progress", { max: 1, value: 0, "aria-label": "Progress of the run" });
    this.text = element("span", { role: "status" }, "Computing ");
    this.cancel = button("Cancel", "Stop the run; what was computed is kept", () =>
      fetch("cancel", { method: "POST" }),
    );
    byId("message").append(element("p", { class: "live" }, this.text, this.bar, " ", this.cancel));
  }

  async follow() {
    for (;;) {
      const news = await this._ask();
      if (!news) return this._end("The program that computes this run has ended.");
      await this._add(news);
      this.bar.value = news.progress;
      if (news.ended) return this._end(news.ended);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  async _ask() {
    try {
      const answer = await fetch(`news?from=${this.next}`);
      return answer.ok ? await answer.json() : undefined;
    } catch {
      return undefined;
    }
  }

  async _add({ motion, blocks, next }) {
    if (next === this.next) return;
    const arrays = {};
    for (const [name, number] of Object.entries(motion)) arrays[name] = await decoded(blocks[number]);
    this.next = next;
    this.take(arrays);
    this.clock.extend(arrays.times[arrays.times.length - 1]);
  }

  _end(words) {
    this.text.textContent = words;
    this.bar.remove();
    this.cancel.remove();
  }
}
