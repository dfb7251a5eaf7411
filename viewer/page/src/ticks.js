// Round numbers along an axis.

/** About `count` round values that lie between two limits, with the decimals that they need. */
export function ticks(low, high, count = 5) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { values: [low], decimals: 0 };
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) values.push(k * step);
  return { values, decimals };
}

/** A number with four significant digits, without an exponent where it can be read. */
export function rounded(value) {
  if (!Number.isFinite(value)) return "not available";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}
