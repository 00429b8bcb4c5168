/**
 * What a run of the suite tries of a list that would take it too long: a share, which the printed QUADRILLE_SEED chooses.
 * QUADRILLE_SHARE=all, as in `npm run test:all`, tries everything.
 */
import { SEED } from './model/environment.js';

export const ALL = process.env['QUADRILLE_SHARE'] === 'all';
/** For the names of tests: what was tried, and how to repeat it. */
export const SHARE_TEXT = ALL ? 'all' : `a share, QUADRILLE_SEED=${String(SEED)}`;

/** Whether the item with this index is in the share of one in `of`. Every item is in the share of some seed, and two neighbours never are in the same. */
export const inShare = (index: number, of: number): boolean => ALL || (index + SEED) % of === 0;

/** For the names of tests that are not in the share: why they are skipped. Empty for those that are. */
export const notInShare = (index: number, of: number): string =>
  inShare(index, of) ? '' : ` (skipped: not in the share of QUADRILLE_SEED=${String(SEED)})`;
