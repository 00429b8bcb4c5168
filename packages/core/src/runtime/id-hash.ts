/**
 * The hash of quads of ids for tables in memory; it is never stored. Strangers can choose ids, at least those of
 * inlined values. The random multipliers keep them from choosing ids that collide.
 */

const random = crypto.getRandomValues(new Uint32Array(4));
// An odd multiplier maps different ids to different products.
const S = random[0]! | 1;
const P = random[1]! | 1;
const O = random[2]! | 1;
const G = random[3]! | 1;

export function hashIds(s: number, p: number, o: number, g: number): number {
  let hash = (Math.imul(s, S) + Math.imul(p, P) + Math.imul(o, O) + Math.imul(g, G)) | 0;
  // Tables use the low bits, but the high bits of a product depend on more bits of an id. So the high bits are mixed
  // in.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
