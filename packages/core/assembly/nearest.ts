/**
 * The module: scores vectors of bytes against one of 16-bit numbers, in AssemblyScript. `npm run nearest` makes src/vectors/kernel-module.ts
 * of it.
 */

/** Where memory is free. */
export function freeStart(): usize {
  return __heap_base;
}

/**
 * Writes a number for each vector: its product with the query, times `scale` and the factor of the vector, plus its error.
 * A segment has room for `capacity` vectors of `width` bytes, then for their factors and their errors. `width` is a multiple of 16.
 */
export function score(
  query: usize,
  width: usize,
  segment: usize,
  capacity: usize,
  count: usize,
  scale: f32,
  out: usize,
): void {
  let vector = segment;
  let factor = segment + capacity * width;
  const errors = capacity << 2;
  for (const end = out + (count << 2); out < end; out += 4) {
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    let at = query;
    for (const next = vector + width; vector < next; vector += 16) {
      low = i32x4.add(low, i32x4.dot_i16x8_s(v128.load8x8_s(vector), v128.load(at)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(v128.load8x8_s(vector, 8), v128.load(at, 16)));
      at += 32;
    }
    // Each sum fits into 32 bits, but not the sum of all.
    const sums = f32x4.add(f32x4.convert_i32x4_s(low), f32x4.convert_i32x4_s(high));
    const sum =
      f32x4.extract_lane(sums, 0) +
      f32x4.extract_lane(sums, 1) +
      f32x4.extract_lane(sums, 2) +
      f32x4.extract_lane(sums, 3);
    store<f32>(out, sum * load<f32>(factor) * scale + load<f32>(factor + errors));
    factor += 4;
  }
}
