// The time that is shown: played, scrubbed, stepped. Everything that shows a time listens.

export class Clock {
  constructor(start, end) {
    Object.assign(this, { start, end, time: start, speed: 0.25, playing: false });
    this.listeners = [];
  }

  /** Call a function with the time whenever it changes. */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** Go to a time; times outside the run end at its ends. */
  go(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    for (const listener of this.listeners) listener(this.time);
  }

  /** Start or stop; from the end it starts again. */
  toggle() {
    this.playing = !this.playing;
    this.go(this.playing && this.time >= this.end ? this.start : this.time);
  }

  /** Stop and move by seconds. */
  step(seconds) {
    this.playing = false;
    this.go(this.time + seconds);
  }

  /** Let real seconds pass. */
  pass(seconds) {
    if (!this.playing) return;
    const time = this.time + seconds * this.speed;
    if (time >= this.end) this.playing = false;
    this.go(time);
  }

  /** Make room for more of the run: a live page grows. */
  extend(end) {
    const atEnd = this.time >= this.end;
    this.end = Math.max(this.end, end);
    if (atEnd && !this.playing) this.go(this.end);
  }
}
