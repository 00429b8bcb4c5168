/** Numbers of quads of the data sets. They are checked, so that a load that loses quads does not count as fast. */
export const BSBM_QUADS = { 'bsbm-1m': 1_022_446, 'bsbm-100k': 110_665 } as const;
export type BsbmSet = keyof typeof BSBM_QUADS;

export const REPOSITORY = 'bench/data';

export function checkCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} quads instead of ${expected}`);
}
