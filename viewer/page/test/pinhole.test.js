import assert from "node:assert/strict";
import { test } from "node:test";
import { animatedText } from "../src/animated.js";
import { alteration } from "../src/integrity.js";
import { fitted, isVisible } from "../src/pinhole.js";

const camera = { size: [400, 300], focal_length: 500, principal_point: [190, 160] };

test("a photograph fills the height of a wide pane and stands in its middle", () => {
  const place = fitted(camera, 1000, 600);
  assert.deepEqual([place.left, place.top, place.width, place.height], [100, 0, 800, 600]);
  assert.equal(place.focal, 1000);
  assert.deepEqual(place.center, [480, 320]);
});

test("a photograph fills the width of a narrow pane", () => {
  const place = fitted(camera, 200, 600);
  assert.deepEqual([place.left, place.top, place.width, place.height], [0, 225, 200, 150]);
});

test("a photograph is shown at its time only", () => {
  const times = { visible_from: 0.2, visible_to: null };
  assert.deepEqual(
    [0.1, 0.2, 9].map((time) => isVisible(times, time)),
    [false, true, true],
  );
});

test("animated parts are named while they move, of several runs with the run", () => {
  const run = { label: "A", animated: [{ from: 0, to: 1, what: "seat" }] };
  assert.equal(animatedText([run], 0.5), "Animated, not simulated: seat");
  assert.equal(animatedText([run, { label: "B", animated: [] }], 1), "Animated, not simulated: A: seat");
  assert.equal(animatedText([run], 1.1), "");
});

test("altered data is noticed", async () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // SHA-256 of no byte
  assert.equal(await alteration("", empty), "");
  assert.match(await alteration("x", empty), /altered/);
});
