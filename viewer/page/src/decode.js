// Arrays of a case: base64 text of deflated bytes, as viewer/encoding.py writes them.

/** Bytes of a base64 text. */
export function bytesOf(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Bytes of a zlib stream. */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Numbers whose bytes stand in planes (all first bytes, all second bytes, ...), little end first. */
export function unshuffled(bytes, size) {
  const count = bytes.length / size;
  const plain = new Uint8Array(bytes.length);
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < count; i++) plain[size * i + plane] = bytes[plane * count + i];
  }
  return plain.buffer;
}

/** Running sums down the rows of differences, in place; sums wrap around as the type does. */
export function summed(values, columns) {
  for (let i = columns; i < values.length; i++) values[i] += values[i - columns];
  return values;
}

const KINDS = {
  int16: Int16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  uint8: Uint8Array,
  float32: Float32Array,
};

/** The array of a block: {type, shape, scale, differences, data}. Scaled integers become Float32Array. */
export async function decoded(block) {
  const Kind = KINDS[block.type];
  const bytes = await inflated(bytesOf(block.data));
  let values = new Kind(unshuffled(bytes, Kind.BYTES_PER_ELEMENT));
  if (block.differences)
    values = summed(
      values,
      block.shape.slice(1).reduce((a, b) => a * b, 1),
    );
  if (!block.scale) return values;
  const scaled = new Float32Array(values.length);
  for (let i = 0; i < scaled.length; i++) scaled[i] = values[i] * block.scale;
  return scaled;
}
