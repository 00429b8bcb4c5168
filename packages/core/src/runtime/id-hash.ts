/**
 * The hash by which tables in memory find quads of ids. Strangers choose ids, at least those of inlined values: the random
 * multipliers keep them from choosing ids that meet in one place. Never stored.
 */

const random = crypto.getRandomValues(new Uint32Array(4));
// Odd multipliers map ids to different products.
const S = random[0]! | 1;
const P = random[1]! | 1;
const O = random[2]! | 1;
const G = random[3]! | 1;

export function hashIds(s: number, p: number, o: number, g: number): number {
  let hash = (Math.imul(s, S) + Math.imul(p, P) + Math.imul(o, O) + Math.imul(g, G)) | 0;
  // The high bits of a product depend on all bits of an id, the low ones on few: tables take the low ones.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
