/** What the data sets are known to hold, so that a load that lost something is not taken for a fast one. */
export const BSBM_QUADS = { 'bsbm-1m': 1_022_446, 'bsbm-100k': 110_665 } as const;
export type BsbmSet = keyof typeof BSBM_QUADS;

export const REPOSITORY = 'bench/data';

export function checkCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} quads instead of ${expected}`);
}
