import assert from "node:assert/strict";
import { test } from "node:test";
import { Motion, turned } from "../src/motion.js";

const half = Math.SQRT1_2;
const motion = new Motion(
  Float32Array.from([0, 1, 3]),
  Float32Array.from([0, 0, 0, 2, 0, 0, 2, 4, 0]),
  Float32Array.from([1, 0, 0, 0, half, 0, 0, half, -half, 0, 0, -half]),
  1,
);
const near = (one, other) => {
  for (const [k, value] of one.entries()) assert.ok(Math.abs(value - other[k]) < 1e-6, `${one} ${other}`);
};

test("positions between frames lie on the line", () => {
  near(motion.position(0, 0.25), [0.5, 0, 0]);
  near(motion.position(0, 2), [2, 2, 0]);
});

test("times outside the run give its ends", () => {
  near(motion.position(0, -5), [0, 0, 0]);
  near(motion.position(0, 9), [2, 4, 0]);
});

test("half a quarter turn is an eighth of a turn", () => {
  const angle = Math.PI / 8;
  near(motion.quaternion(0, 0.5), [Math.cos(angle), 0, 0, Math.sin(angle)]);
});

test("a quaternion and its negative are the same turn", () =>
  near(motion.quaternion(0, 2), [half, 0, 0, half]));

test("a quarter turn about z takes x to y", () => near(turned([half, 0, 0, half], [1, 0, 0]), [0, 1, 0]));
