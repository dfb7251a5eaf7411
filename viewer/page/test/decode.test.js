import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { bytesOf, decoded, summed, unshuffled } from "../src/decode.js";

const planes = (bytes, size) => {
  const count = bytes.length / size;
  return Uint8Array.from(
    { length: bytes.length },
    (_, i) => bytes[size * (i % count) + Math.floor(i / count)],
  );
};
const block = (values, more) => ({
  data: deflateSync(planes(new Uint8Array(values.buffer), values.BYTES_PER_ELEMENT)).toString("base64"),
  ...more,
});

test("base64 gives its bytes", () => assert.deepEqual([...bytesOf("AP8B")], [0, 255, 1]));

test("planes become numbers", () => {
  const values = Int32Array.from([1, -2, 300000, 7]);
  assert.deepEqual([...new Int32Array(unshuffled(planes(new Uint8Array(values.buffer), 4), 4))], [...values]);
});

test("differences wrap around as their type does", () => {
  assert.deepEqual([...summed(Int16Array.from([32767, 1, 1, -1]), 2)], [32767, 1, -32768, 0]);
});

test("scaled differences come back", async () => {
  const stored = Int32Array.from([10, -20, 5, 5, 0, 1]);
  const values = await decoded(
    block(stored, { type: "int32", shape: [3, 2], scale: 0.5, differences: true }),
  );
  assert.deepEqual([...values], [5, -10, 7.5, -7.5, 7.5, -7]);
});

test("plain floats come back", async () => {
  const values = Float32Array.from([1.5, -2.25]);
  assert.deepEqual([...(await decoded(block(values, { type: "float32", shape: [2] })))], [1.5, -2.25]);
});
