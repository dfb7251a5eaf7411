import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/clock.js";
import { rounded, ticks } from "../src/ticks.js";

test("playing stops at the end and starts again from the start", () => {
  const clock = new Clock(0, 2);
  clock.speed = 0.5;
  clock.toggle();
  clock.pass(1);
  assert.equal(clock.time, 0.5);
  clock.pass(10);
  assert.equal(clock.time, 2);
  assert.equal(clock.playing, false);
  clock.toggle();
  assert.equal(clock.time, 0);
});

test("a step stops and stays inside", () => {
  const clock = new Clock(0, 1);
  clock.toggle();
  clock.step(-0.001);
  assert.equal(clock.time, 0);
  assert.equal(clock.playing, false);
});

test("listeners hear every time", () => {
  const clock = new Clock(0, 1);
  const heard = [];
  clock.listen((time) => heard.push(time));
  clock.go(0.5);
  clock.go(7);
  assert.deepEqual(heard, [0.5, 1]);
});

test("ticks are round and inside", () => {
  assert.deepEqual(
    ticks(0, 1).values.map((v) => Number(v.toFixed(3))),
    [0, 0.2, 0.4, 0.6, 0.8, 1],
  );
  assert.deepEqual(ticks(-7, 12).values, [-5, 0, 5, 10]);
  assert.equal(ticks(0, 0.01).decimals, 3);
  assert.deepEqual(ticks(3, 3).values, [3]);
});

test("numbers have four digits", () => {
  assert.equal(rounded(1234.56), "1235");
  assert.equal(rounded(0.00012345), "1.23e-4");
  assert.equal(rounded(Number.NaN), "not available");
});
